/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-history-private.h"
#include "dyno-app-widgets-private.h"

char *
dyno_history_words_dup_title (const DynoHistoryPoint *point)
{
  const char *title = point->run_title;

  return g_strdup (title != NULL && *title != '\0' ? title : _ ("Untitled Run"));
}

char *
dyno_history_words_dup_name (const DynoHistoryPoint *point)
{
  g_autofree char *title = dyno_history_words_dup_title (point);
  g_autofree char *date = dyno_format_date (point->started_at);

  /* Translators: the title of a run, and when it began */
  return g_strdup_printf (_ ("%s · %s"), title, date);
}

char *
dyno_history_words_dup_details (const DynoHistoryPoint *point)
{
  g_autofree char *date = dyno_format_date (point->started_at);
  g_autofree char *ends = dyno_history_point_dup_ends (point);
  g_autofree char *low = dyno_format_quantity (point->low, point->unit);
  g_autofree char *high = dyno_format_quantity (point->high, point->unit);
  /* Translators: two ends, such as “4.1 ms – 4.3 ms”, and what they are, such as “range of 5 processes” */
  g_autofree char *range = g_strdup_printf (_ ("%s – %s (%s)"), low, high, ends);
  GString *text = g_string_new (NULL);

  g_string_append (text, date);
  if (*ends != '\0')
    g_string_append_printf (text, " · %s", range);
  if (!point->is_steady)
    g_string_append_printf (text, " · %s", _ ("never steady, not judged"));
  return g_string_free (text, FALSE);
}

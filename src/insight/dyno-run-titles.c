/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-run.h"
#include "dyno-run-summary.h"

static char *
dup_moment (DynoRun *run, const char *format)
{
  gint64 start = dyno_run_get_started_at (run);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (start / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = start > 0 && utc != NULL ? g_date_time_to_local (utc) : NULL;

  return local != NULL ? g_date_time_format (local, format) : g_strdup ("");
}

/* Returns how to write the times of runs that share their title; NULL if that does not tell them apart. */
static const char *
find_format (GPtrArray *runs)
{
  static const char *const formats[] = { "%H:%M", "%H:%M:%S", "%F, %H:%M" };
  const char *title = dyno_run_get_title (runs->pdata[0]);
  gboolean is_one_day = TRUE;

  for (guint i = 1; i < runs->len; i++)
    {
      g_autofree char *day = dup_moment (runs->pdata[0], "%F");
      g_autofree char *other = dup_moment (runs->pdata[i], "%F");

      is_one_day = is_one_day && g_str_equal (day, other);
      if (title == NULL || *title == '\0' || g_strcmp0 (title, dyno_run_get_title (runs->pdata[i])) != 0)
        return NULL;
    }
  for (guint i = is_one_day ? 0 : 2; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GHashTable) moments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

      for (guint k = 0; k < runs->len; k++)
        g_hash_table_add (moments, dup_moment (runs->pdata[k], formats[i]));
      if (g_hash_table_size (moments) == runs->len)
        return formats[i];
    }
  return NULL;
}

char **
dyno_run_titles_dup (GPtrArray *runs)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  const char *format;
  gboolean by_node;

  g_return_val_if_fail (runs != NULL, NULL);
  by_node = dyno_run_place_is_shared (runs);
  format = runs->len > 1 && !by_node ? find_format (runs) : NULL;
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      /* The runs of one submission differ in their nodes. */
      g_autoptr (DynoRunPlace) place = by_node ? dyno_run_place_new (run) : NULL;
      const char *given = dyno_run_get_title (run);
      const char *title = place != NULL                     ? place->node
                          : given != NULL && *given != '\0' ? given
                                                            : dyno_run_get_id (run);

      g_autofree char *moment = format != NULL ? dup_moment (run, format) : NULL;
      /* Translators: %s is a time such as “22:19”, which tells the run from others with the same title */
      g_autofree char *timed = moment != NULL ? g_strdup_printf (_ ("Run of %s"), moment) : NULL;
      const char *wanted = timed != NULL ? timed : title;
      char *numbered = g_strdup (wanted);

      for (guint number = 2; g_hash_table_contains (taken, numbered); number++)
        {
          g_free (numbered);
          /* Translators: the title of a run, and its number among the runs with that title */
          numbered = g_strdup_printf (_ ("%s (%u)"), wanted, number);
        }
      g_ptr_array_add (titles, numbered);
      g_hash_table_add (taken, numbered);
    }
  g_ptr_array_add (titles, NULL);
  return (char **)g_ptr_array_steal (titles, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"

/* Counts the operators that ran on a device that does not report their times. */
static guint
count_untimed (DynoResult *result, const char **provider)
{
  GPtrArray *operators = dyno_result_get_operators (result);
  guint n_untimed = 0;

  for (guint i = 0; i < operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (operators, i);

      if (dyno_operator_get_time_ns (op) >= 0)
        continue;
      n_untimed++;
      *provider = dyno_operator_get_provider (op);
    }
  return n_untimed;
}

gboolean
dyno_operator_times_are_known (DynoResult *result)
{
  const char *provider;

  return count_untimed (result, &provider) == 0;
}

gboolean
dyno_operator_times_have (DynoResult *result, gboolean (*is_shown) (DynoOperator *op))
{
  GPtrArray *operators = dyno_result_get_operators (result);

  if (!dyno_operator_times_are_known (result))
    return FALSE;
  for (guint i = 0; i < operators->len; i++)
    if (is_shown (g_ptr_array_index (operators, i)))
      return TRUE;
  return FALSE;
}

static gboolean
takes_time (DynoOperator *op)
{
  return dyno_operator_get_time_ns (op) > 0;
}

gboolean
dyno_operator_times_have_any (DynoResult *result)
{
  return dyno_operator_times_have (result, takes_time);
}

char *
dyno_operator_times_dup_reasons (GPtrArray *cases)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) reasons = g_string_new (NULL);

  for (guint i = 0; i < cases->len; i++)
    {
      DynoResult *result = ((DynoChartCase *)g_ptr_array_index (cases, i))->result;
      const char *provider = NULL;
      guint n_untimed = count_untimed (result, &provider);
      g_autofree char *reason = g_strdup_printf (
          _ ("%u of %u operators have no time: they are handed over to %s, and the engine does not report "
             "how long each takes there."),
          n_untimed, dyno_result_get_operators (result)->len, provider != NULL ? provider : _ ("a device"));

      if (n_untimed == 0 || g_hash_table_contains (known, reason))
        continue;
      g_string_append_printf (reasons, "%s%s", reasons->len > 0 ? " " : "", reason);
      g_hash_table_add (known, g_steal_pointer (&reason));
    }
  if (reasons->len == 0)
    return NULL;
  /* Translators: one or several sentences that say which operators have no time, and why */
  return g_strdup_printf (_ ("%s Shares of the time are therefore unknown."), reasons->str);
}

char *
dyno_operator_times_dup_note (GPtrArray *cases)
{
  g_autofree char *reasons = dyno_operator_times_dup_reasons (cases);
  guint n_untold = 0;

  for (guint i = 0; i < cases->len; i++)
    n_untold += !dyno_operator_times_are_known (((DynoChartCase *)g_ptr_array_index (cases, i))->result);
  if (n_untold == 0)
    return g_strdup ("");
  g_autofree char *line = g_strdup_printf (
      /* Translators: the second %s is why, as a sentence */
      ngettext ("%u case is left out. %s", "%u cases are left out. %s", n_untold), n_untold, reasons);
  return g_strconcat ("\n", line, NULL);
}

void
dyno_operator_times_tell_selection (DynoChart *chart)
{
  double from, to;

  if (dyno_chart_get_selection (chart, &from, &to))
    dyno_chart_take_note (chart,
                          g_strdup (_ ("Of the whole analysis: a profile adds up the time of each operator "
                                       "and does not keep when it ran.")));
}

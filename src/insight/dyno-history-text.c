/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-comparison.h"
#include "dyno-history.h"
#include "dyno-text.h"
#include "dyno-unit.h"

char *
dyno_history_dup_change (const DynoHistory *self, const DynoHistorySegment *segment)
{
  DynoVerdict verdict = dyno_history_get_verdict (self, segment);
  g_autofree char *percent = NULL;

  if (isnan (segment->ratio))
    return g_strdup ("");
  if (segment->ratio > 2 || segment->ratio < 0.5)
    {
      percent = dyno_unit_format_number (MAX (segment->ratio, 1 / segment->ratio), 1);
      /* Translators: a factor above 2, and a verdict such as “faster” */
      return g_strdup_printf (_ ("%s times %s"), percent, dyno_verdict_get_label (verdict, self->metric));
    }
  percent = dyno_unit_format_number (100 * (MAX (segment->ratio, 1 / segment->ratio) - 1), 1);
  /* Translators: a percentage, and a verdict such as “faster” */
  return g_strdup_printf (_ ("%s %% %s"), percent, dyno_verdict_get_label (verdict, self->metric));
}

char *
dyno_history_dup_changes (const DynoHistorySegment *segment)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (segment->changes == NULL)
    return g_strdup ("");
  for (guint i = 0; i < segment->changes->len; i++)
    {
      const DynoSideDifference *difference = segment->changes->pdata[i];

      g_string_append_printf (text, "%s%s: ", i > 0 ? "; " : "", difference->name);
      if (*difference->baseline != '\0')
        g_string_append_printf (text, "%s → ", difference->baseline);
      g_string_append (text, difference->value);
    }
  return g_strdup (text->len > 0 ? text->str : _ ("nothing that Dyno records"));
}

char *
dyno_history_dup_answer (const DynoHistory *self, const DynoHistoryTrend *trend)
{
  guint n = trend->n_steady;

  if (n < DYNO_HISTORY_MIN_RUNS)
    return g_strdup_printf (
        ngettext ("There is %u steady run. Changes can be told from chance with %u or more.",
                  "There are %u steady runs. Changes can be told from chance with %u or more.", n),
        n, (guint)DYNO_HISTORY_MIN_RUNS);
  if (trend->segments->len == 1)
    {
      g_autofree char *threshold = dyno_unit_format_significant (self->threshold * 100);

      return g_strdup_printf (_ ("No change of more than %s %% in %u runs."), threshold, n);
    }

  const DynoHistorySegment *last = trend->segments->pdata[trend->segments->len - 1];
  guint n_changes = trend->segments->len - 1;
  g_autofree char *change = dyno_history_dup_change (self, last);
  g_autofree char *date =
      dyno_date_format (((DynoHistoryPoint *)trend->points->pdata[last->first])->started_at);

  return g_strdup_printf (ngettext ("%u change in %u runs: %s since %s.",
                                    "%u changes in %u runs, the last: %s since %s.", n_changes),
                          n_changes, trend->n_steady, change, date);
}

char *
dyno_history_point_dup_ends (const DynoHistoryPoint *point)
{
  guint n = point->n_processes;

  if (!isfinite (point->low) || !isfinite (point->high))
    return g_strdup ("");
  if (n > 1)
    /* Translators: the lowest and the highest of two or more processes */
    return g_strdup_printf (_ ("range of %u processes"), n);
  return g_strdup (
      /* xgettext:no-c-format */ _ ("95 % interval of the median, within this process"));
}

char *
dyno_history_dup_baselines (const DynoHistory *self, const DynoHistoryPoint *point)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < self->baselines->len; i++)
    {
      const DynoBaseline *baseline = self->baselines->pdata[i];

      if (g_str_equal (baseline->run_id, point->run_id))
        /* Translators: the name of a baseline */
        g_string_append_printf (names, names->len > 0 ? _ (", “%s”") : _ ("“%s”"), baseline->name);
    }
  return g_strdup (names->str);
}

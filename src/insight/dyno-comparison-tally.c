/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-insight-private.h"
#include "dyno-metric.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

/* Factors from here on are written as “times”, smaller ones in per cent. */
#define LEAST_TIMES 1.25

void
dyno_side_tally_clear (DynoSideTally *self)
{
  for (guint i = 0; i < DYNO_N_VERDICTS; i++)
    g_ptr_array_unref (self->of[i]);
}

void
dyno_side_tally_init (DynoSideTally *self, const DynoComparison *comparison, guint side)
{
  *self = (DynoSideTally){ .comparison = comparison, .side = side };
  self->title = dyno_comparison_get_side_title (comparison, side);
  self->baseline = dyno_comparison_get_side_title (comparison, comparison->baseline);
  for (guint i = 0; i < DYNO_N_VERDICTS; i++)
    self->of[i] = g_ptr_array_new ();
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      DynoComparedCase *kase = g_ptr_array_index (comparison->cases, i);

      if (kase->side != side)
        continue;
      g_ptr_array_add (self->of[kase->verdict], kase);
      self->n++;
    }
}

static double
get_factor (double ratio)
{
  return ratio > 1 ? ratio : 1 / ratio;
}

static char *
dup_number (double factor, gboolean in_times)
{
  return in_times ? dyno_unit_format_ratio (factor) : dyno_unit_format_percent ((factor - 1) * 100);
}

char *
dyno_side_tally_dup_factor (double ratio)
{
  gboolean in_times = get_factor (ratio) >= LEAST_TIMES;
  g_autofree char *number = dup_number (get_factor (ratio), in_times);

  /* Translators: a factor, as in “1.9 times faster” */
  return in_times ? g_strdup_printf (_ ("%s times"), number) : g_strdup_printf ("%s %%", number);
}

char *
dyno_side_tally_dup_range (GPtrArray *cases)
{
  const DynoComparedCase *first = g_ptr_array_index (cases, 0);
  double low = cases->len == 1 ? first->low : INFINITY;
  double high = cases->len == 1 ? first->high : 0;

  for (guint i = 0; cases->len > 1 && i < cases->len; i++)
    {
      const DynoComparedCase *kase = g_ptr_array_index (cases, i);

      low = MIN (low, kase->ratio);
      high = MAX (high, kase->ratio);
    }
  /* The interval of what is only probable may hold both directions. */
  if (!isfinite (low) || !isfinite (high) || (low < 1 && high > 1))
    return NULL;

  double from = MIN (get_factor (low), get_factor (high));
  double to = MAX (get_factor (low), get_factor (high));
  gboolean in_times = to >= LEAST_TIMES;
  g_autofree char *least = dup_number (from, in_times);
  g_autofree char *most = dup_number (to, in_times);
  /* Translators: the least and the greatest of some factors, such as “1.8 to 2.0 times” */
  return in_times ? g_strdup_printf (_ ("%s to %s times"), least, most)
                  : g_strdup_printf (_ ("%s to %s %%"), least, most);
}

double
dyno_side_tally_get_mean_ratio (GPtrArray *cases)
{
  g_autofree double *ratios = g_new (double, cases->len);

  for (guint i = 0; i < cases->len; i++)
    ratios[i] = ((DynoComparedCase *)cases->pdata[i])->ratio;
  return dyno_stats_geometric_mean (ratios, cases->len);
}

char *
dyno_side_tally_dup_look (const DynoSideTally *self)
{
  const char *metric = self->comparison->metric;
  double ratio = dyno_side_tally_get_mean_ratio (self->of[DYNO_VERDICT_NOT_ENOUGH_DATA]);
  g_autofree char *factor = dyno_side_tally_dup_factor (ratio);
  g_autofree char *title = dyno_metric_title_dup (metric);

  if (!isfinite (ratio) || get_factor (ratio) < 1 + self->comparison->threshold)
    return g_strdup_printf (_ ("%s and %s look alike, but that is not certain."), self->title,
                            self->baseline);
  if (!dyno_verdict_is_of_speed (metric))
    return ratio < 1
               /* Translators: “peak memory: openvino looks 20 % below cpu, …” */
               ? g_strdup_printf (_ ("%s: %s looks %s below %s, but that is not certain."), title,
                                  self->title, factor, self->baseline)
               : g_strdup_printf (_ ("%s: %s looks %s above %s, but that is not certain."), title,
                                  self->title, factor, self->baseline);
  return (ratio > 1) == dyno_verdict_more_is_better (metric)
             /* Translators: “openvino looks 3 % faster than cpu, …” */
             ? g_strdup_printf (_ ("%s looks %s faster than %s, but that is not certain."), self->title,
                                factor, self->baseline)
             : g_strdup_printf (_ ("%s looks %s slower than %s, but that is not certain."), self->title,
                                factor, self->baseline);
}

const char *
dyno_side_tally_get_common_reason (GPtrArray *cases)
{
  const char *reason = ((DynoComparedCase *)cases->pdata[0])->reason;

  for (guint i = 1; i < cases->len; i++)
    if (g_strcmp0 (((DynoComparedCase *)cases->pdata[i])->reason, reason) != 0)
      return "";
  return reason != NULL ? reason : "";
}

const char *
dyno_side_tally_get_reason_of_shared (const DynoSideTally *self)
{
  GPtrArray *left_out = self->comparison->left_out;

  for (guint i = 0; i < left_out->len; i++)
    {
      const DynoLeftOutCase *kase = left_out->pdata[i];

      if (kase->side == self->side && kase->is_shared)
        return kase->reason;
    }
  return "";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "dyno-time-series.h"

/* An interval that is short once may be so by chance. */
#define N_LOOKS 2

gboolean
dyno_stop_rule_look (DynoStopRule *self, const double *values, gsize n)
{
  double n_effective = dyno_stats_effective_size (values, n);
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));

  dyno_stats_sort (sorted, n);
  if (dyno_stats_median_interval_percent (sorted, n, n_effective) <= self->percent)
    self->n_met++;
  else
    self->n_met = 0;
  return self->n_met >= N_LOOKS;
}

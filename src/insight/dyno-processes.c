/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-text.h"
#include "dyno-time-series.h"
#include "dyno-unit.h"

static char *
describe_modes (const double *medians, guint n)
{
  DynoModes modes;
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!dyno_stats_find_modes (medians, n, &modes))
    return NULL;
  low = dyno_unit_format (modes.low, "ms");
  high = dyno_unit_format (modes.high, "ms");
  return g_strdup_printf (_ ("This case runs in two modes: %s in %zu processes and %s in %zu."), low,
                          modes.n_low, high, modes.n_high);
}

char *
dyno_processes_dup_modes (DynoResult *result)
{
  guint n;
  g_autofree double *medians = dyno_result_dup_process_medians (result, &n);

  return describe_modes (medians, n);
}

static void
take (GStrvBuilder *builder, char *sentence)
{
  g_autofree char *owned = sentence;

  if (owned != NULL)
    g_strv_builder_add (builder, owned);
}

static char *
describe_causes (DynoResult *result)
{
  static const struct
  {
    const char *value;
    const char *words;
  } causes[] = {
    /* Translators: parts of “The work was disturbed in parts of the time by: …” */
    { "disturbed_by_queue_percent", N_ ("waiting for a processor") },
    { "disturbed_by_others_percent", N_ ("other programs on its cores") },
    { "disturbed_by_clock_percent", N_ ("a lower clock") },
    { "disturbed_by_limit_percent", N_ ("the control group’s CPU limit") },
    { "disturbed_by_steal_percent", N_ ("the hypervisor") },
  };
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
    {
      double percent = dyno_result_get_number (result, causes[i].value);

      if (round (percent) >= 1)
        /* Translators: a cause, and the part of the time */
        g_ptr_array_add (list, g_strdup_printf (_ ("%s (%.0f %%)"), _ (causes[i].words), percent));
    }
  if (list->len == 0)
    return NULL;
  joined = dyno_plain_text_join ((const char *const *)list->pdata, list->len, ", ", "");
  return g_strdup_printf (_ ("The work was disturbed in parts of the time by: %s."), joined);
}

GStrv
dyno_processes_dup_findings (DynoResult *result)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n;
  g_autofree double *medians = dyno_result_dup_process_medians (result, &n);
  double percent = dyno_result_get_number (result, "undisturbed_percent");

  if (dyno_result_is_undisturbed (result) && !(round (percent) >= 100))
    {
      g_autofree char *over_all =
          dyno_unit_format (dyno_result_get_number (result, "latency_all_p50_ms"), "ms");

      take (builder,
            g_strdup_printf (
                _ ("The median is of the %.0f %% of the time in which other programs did not disturb "
                   "the work; over all of it, the median is %s."),
                percent, over_all));
    }
  take (builder, describe_causes (result));
  if (n > 1)
    {
      g_autofree double *sorted = g_memdup2 (medians, n * sizeof (double));
      g_autofree char *least = NULL;
      g_autofree char *most = NULL;
      g_autoptr (GArray) samples = dyno_result_list_steady (result);
      double share = dyno_stats_between_share ((const DynoSample *)(void *)samples->data, samples->len);
      int between = isfinite (share) ? (int)round (100 * share) : 0;

      dyno_stats_sort (sorted, n);
      least = dyno_unit_format (sorted[0], "ms");
      most = dyno_unit_format (sorted[n - 1], "ms");
      take (builder,
            g_strdup_printf (_ ("The medians of its %u processes lie between %s and %s."), n, least, most));
      take (builder, describe_modes (medians, n));
      if (isfinite (share))
        take (builder,
              g_strdup_printf (_ ("Of the variance of its steps, %d %% lies between the processes and %d %% "
                                  "within them."),
                               between, 100 - between));
    }
  return g_strv_builder_end (builder);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-time-series.h"
#include "dyno-unit.h"
#include "dyno-worker-private.h"

/* Returns the samples from @first on that decide: the undisturbed ones where these represent the measurement, otherwise
 * all, in ms and in the order of time. @indices (out) (nullable): theirs, NULL for all. */
static double *
dup_milliseconds (DynoMeasurement *measurement, gsize first, gsize end, gsize *n, GArray **indices)
{
  double *values =
      dyno_samples_to_milliseconds (measurement->samples, first, end, measurement->steps_per_sample);

  *indices = dyno_measurement_list_undisturbed (measurement, first, end);
  *n = *indices != NULL ? (*indices)->len : end - first;
  for (gsize i = 0; *indices != NULL && i < *n; i++)
    values[i] = values[g_array_index (*indices, gsize, i) - first];
  return values;
}

static void
find_steady_part (DynoMeasurement *measurement)
{
  g_autoptr (GArray) indices = NULL;
  gsize end = dyno_samples_get_length (measurement->samples);
  gsize n, start = 0;
  g_autofree double *values = dup_milliseconds (measurement, 0, end, &n, &indices);

  measurement->steadiness = dyno_stats_classify_steadiness (values, n, &start);
  if (measurement->steadiness == DYNO_STEADINESS_NONE)
    start = 0;
  else if (indices != NULL && start > 0)
    start = g_array_index (indices, gsize, start);
  measurement->steady_first = start;
  measurement->steady_end = end;
}

static double
interval_percent (DynoMeasurement *measurement)
{
  g_autoptr (GArray) indices = NULL;
  gsize n;
  g_autofree double *values =
      dup_milliseconds (measurement, measurement->steady_first, measurement->steady_end, &n, &indices);
  double n_effective = dyno_stats_effective_size (values, n);

  dyno_stats_sort (values, n);
  return dyno_stats_median_interval_percent (values, n, n_effective);
}

DynoVerdict
dyno_steady_state_judge (DynoMeasurement *measurement, DynoMethod *method, DynoStopRule *rule)
{
  gboolean is_known;
  gint64 steady_ns;
  gsize n;

  dyno_measurement_judge_clock (measurement);
  find_steady_part (measurement);
  if (measurement->steadiness == DYNO_STEADINESS_NONE)
    {
      rule->n_met = 0;
      return DYNO_VERDICT_MORE;
    }

  gsize first = measurement->steady_first, end = measurement->steady_end;
  g_autoptr (GArray) indices = NULL;
  gsize n_values;
  g_autofree double *values = dup_milliseconds (measurement, first, end, &n_values, &indices);
  gboolean lacks_some =
      indices == NULL && dyno_measurement_get_undisturbed_percent (measurement, first, end) > 0;
  is_known = dyno_stop_rule_look (rule, values, n_values) && !lacks_some;

  n = measurement->steady_end - measurement->steady_first;
  steady_ns = dyno_samples_sum (measurement->samples, measurement->steady_first, measurement->steady_end);
  if (n < dyno_method_get_min_samples (method) ||
      (double)steady_ns < 1e9 * MAX (dyno_method_get_min_seconds (method), measurement->window_seconds))
    return DYNO_VERDICT_MORE;
  return is_known ? DYNO_VERDICT_DONE : DYNO_VERDICT_MORE;
}

static void
report_shape (DynoMeasurement *measurement)
{
  const char *unsteady = dyno_measurement_explain_unsteady (measurement);
  g_autofree char *message = NULL;

  if (unsteady != NULL)
    dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "no-steady-state", unsteady);
  else if (measurement->steadiness == DYNO_STEADINESS_SLOW_DOWN)
    dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "slow-down",
                                     _ ("The model slowed down while it was measured; only the later, steady "
                                        "part counts. Heat or other programs may be the cause."));
  else if (measurement->steady_first > 0)
    {
      message =
          g_strdup_printf (ngettext ("%zu more sample counted as warm-up before the latency was steady.",
                                     "%zu more samples counted as warm-up before the latency was "
                                     "steady.",
                                     measurement->steady_first),
                           measurement->steady_first);
      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "warm-up-extended", message);
    }
}

/* Uses as many decimals as needed for the text to be larger than @limit, like the number. */
static char *
format_above (double percent, double limit)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (int n_digits = MAX (2, (int)log10 (percent + 0.5) + 1); n_digits < 17; n_digits++)
    {
      g_autofree char *format = g_strdup_printf ("%%.%dg", n_digits);

      g_ascii_formatd (text, sizeof text, format, percent);
      if (g_ascii_strtod (text, NULL) > limit)
        break;
    }
  return g_strdup (text);
}

static void
report_interval (DynoMeasurement *measurement, DynoMethod *method, DynoMethod *whole)
{
  guint n = dyno_method_get_invocations (whole);
  double percent = interval_percent (measurement);
  g_autofree char *message = NULL;

  if (percent <= dyno_method_get_interval_percent (method)) /* infinite if there are too few samples */
    return;
  if (isfinite (percent))
    {
      double target = dyno_method_get_interval_percent (method);
      g_autofree char *reached = format_above (percent, target);
      g_autofree char *share = dyno_unit_format_percent (target);

      message =
          n > 1 ? g_strdup_printf (_ ("The median is known to ±%s %% within the process. For ±%g %% over %u "
                                      "processes, each should reach ±%s %%, which takes longer than the "
                                      "maximum duration."),
                                   reached, dyno_method_get_interval_percent (whole), n, share)
                : g_strdup_printf (_ ("The median is known to ±%s %% within the process; ±%g %% takes "
                                      "longer than the maximum duration."),
                                   reached, target);
    }
  else
    message = g_strdup (_ ("Too few samples for an interval of the median; allow more time."));
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "interval-not-reached", message);
}

void
dyno_steady_state_sum_up (DynoMeasurement *measurement,
                          DynoMethod *method,
                          DynoMethod *whole,
                          GArray *chunk_ends)
{
  if (measurement->has_own_clock)
    measurement->steady_wall_ns =
        dyno_samples_sum (measurement->samples, measurement->steady_first, measurement->steady_end);
  else
    {
      /* The time between chunks and between windows is spent on judging samples and on reading counters, and
       * does not belong to the model. */
      const DynoSamples *samples = measurement->samples;
      const GArray *windows = measurement->windows;
      gboolean has_windows = dyno_measurement_has_windows (measurement);
      gsize begin = 0;
      gint64 wall = 0;

      for (guint i = 0; i < (has_windows ? windows->len : chunk_ends->len); i++)
        {
          gsize end =
              has_windows ? g_array_index (windows, DynoWindow, i).end : g_array_index (chunk_ends, gsize, i);
          gsize first = MAX (begin, measurement->steady_first);

          if (first < end)
            wall += samples->starts[end - 1] + samples->durations[end - 1] - samples->starts[first];
          begin = end;
        }
      measurement->steady_wall_ns = wall;
    }
  report_shape (measurement);
  report_interval (measurement, method, whole);
}

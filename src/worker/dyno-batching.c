/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-unit.h"
#include "dyno-worker-private.h"

/* The clock cannot resolve samples that are shorter than this many resolutions. */
#define MIN_RESOLUTIONS_TO_SEE 10

/* Later steps may be this much faster than the fastest so far. */
#define MARGIN 1.25

static gint64
find_shortest (const DynoSamples *samples, gsize first, gsize end)
{
  gint64 shortest = G_MAXINT64;

  for (gsize i = first; i < end; i++)
    shortest = MIN (shortest, samples->durations[i]);
  return shortest;
}

double
dyno_batching_find_shortest_step (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns)
{
  double shortest;

  g_return_val_if_fail (first < end, 1);

  shortest = (double)find_shortest (samples, first, end);
  if (shortest < MIN_RESOLUTIONS_TO_SEE * resolution_ns)
    shortest = (double)dyno_samples_sum (samples, first, end) / (double)(end - first);
  return MAX (shortest, MAX (resolution_ns / MIN_RESOLUTIONS_TO_SEE, 1)) / steps_per_sample;
}

guint
dyno_batching_choose_steps (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns)
{
  double step = dyno_batching_find_shortest_step (samples, first, end, steps_per_sample, resolution_ns);
  double at_least = DYNO_BATCHING_MIN_RESOLUTIONS * resolution_ns;

  return step >= at_least ? 1 : (guint)ceil (MARGIN * at_least / step);
}

gboolean
dyno_batching_is_enough (const DynoSamples *samples, gsize first, gsize end, double resolution_ns)
{
  return (double)find_shortest (samples, first, end) >= DYNO_BATCHING_MIN_RESOLUTIONS * resolution_ns;
}

void
dyno_batching_report_enlarged (DynoMeasurement *measurement, guint steps_before, gsize n_dropped)
{
  double at_least = DYNO_BATCHING_MIN_RESOLUTIONS * measurement->clock_resolution_ns;
  g_autofree char *time = dyno_unit_format (at_least / 1e6, "ms");
  g_autofree char *message = g_strdup_printf (
      _ ("Samples of %u steps were shorter than %d clock resolutions (%s), so measuring started over with %u "
         "steps per sample; %zu earlier samples were discarded."),
      steps_before, DYNO_BATCHING_MIN_RESOLUTIONS, time, measurement->steps_per_sample, n_dropped);

  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "batches-enlarged", message);
}

static void
report_short (
    DynoMeasurement *measurement, const char *what, const DynoSamples *samples, gsize first, gsize end)
{
  double at_least = DYNO_BATCHING_MIN_RESOLUTIONS * measurement->clock_resolution_ns;
  gsize n_short = 0;

  for (gsize i = first; i < end; i++)
    n_short += (double)samples->durations[i] < at_least;

  g_autofree char *least = dyno_unit_format (at_least / 1e6, "ms");
  g_autofree char *shortest = NULL;
  g_autofree char *how_many = NULL;
  g_autofree char *message = NULL;

  if (n_short == 0)
    return;
  shortest = dyno_unit_format ((double)find_shortest (samples, first, end) / 1e6, "ms");
  how_many =
      g_strdup_printf (_ ("%zu of %zu are shorter than %d clock resolutions (%s); the shortest is %s."),
                       n_short, end - first, DYNO_BATCHING_MIN_RESOLUTIONS, least, shortest);
  message = g_strdup_printf ("%s %s", what, how_many);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "short-samples", message);
}

void
dyno_batching_sum_up (DynoMeasurement *measurement)
{
  gsize first = measurement->steady_first * measurement->steps_per_sample;
  gsize end = measurement->steady_end * measurement->steps_per_sample;
  gsize n_tokens;

  report_short (measurement, _ ("The clock is too coarse for the samples."), measurement->samples,
                measurement->steady_first, measurement->steady_end);
  if (measurement->prefills == NULL || first == end)
    return;
  n_tokens = dyno_samples_get_length (measurement->decodes) / dyno_samples_get_length (measurement->prefills);
  report_short (measurement, _ ("The clock is too coarse for the first tokens."), measurement->prefills,
                first, end);
  report_short (measurement, _ ("The clock is too coarse for the tokens after the first."),
                measurement->decodes, first * n_tokens, end * n_tokens);
}

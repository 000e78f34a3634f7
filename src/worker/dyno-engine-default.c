/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-clock.h"
#include "dyno-engine-default.h"

/* Enough to see a factor, which is what people wonder about; a case of its own tells the number. */
#define WARM_UP_STEPS 3
#define MAX_STEPS     50
#define MAX_NS        G_GINT64_CONSTANT (1000000000)

static gboolean
warm_up (DynoSession *session, GError **error)
{
  for (guint i = 0; i < WARM_UP_STEPS; i++)
    if (!dyno_session_run (session, error))
      return FALSE;
  return TRUE;
}

/* The median step in ms; NaN where there is none. */
static double
time_steps (DynoSession *session)
{
  double milliseconds[MAX_STEPS];
  gint64 began = dyno_clock_now_ns ();
  guint n = 0;

  while (n < MAX_STEPS && (n == 0 || dyno_clock_now_ns () - began < MAX_NS))
    {
      gint64 start = dyno_clock_now_ns ();

      if (!dyno_session_run (session, NULL))
        return NAN;
      milliseconds[n++] = (double)(dyno_clock_now_ns () - start) / 1e6;
    }
  dyno_stats_sort (milliseconds, n);
  return dyno_stats_percentile (milliseconds, n, 50);
}

static DynoSession *
open_as_by_default (const DynoAnalysis *self, const char *precision, GError **error)
{
  DynoSessionOptions options = *self->options;
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (DynoSession) session = NULL;
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, self->options->engine);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (engine, name, value);
  g_hash_table_insert (engine, (gpointer) "inference-precision", (gpointer)precision);
  options.precision = precision;
  options.engine = engine;
  session = dyno_backend_open (self->backend, self->onnx_path, &options, error);
  if (session == NULL || !dyno_workload_prepare (self->workload, session, error) || !warm_up (session, error))
    return NULL;
  return g_steal_pointer (&session);
}

/* Steps of a generation differ, and what was timed by another clock cannot be compared. */
static gboolean
try_default (const DynoAnalysis *self, DynoMeasurement *measurement, double *told, double *left)
{
  gsize n = measurement->samples != NULL ? dyno_samples_get_length (measurement->samples) : 0;
  g_autofree double *milliseconds = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (n == 0 || measurement->decodes != NULL || measurement->has_own_clock)
    return FALSE;
  milliseconds = dyno_samples_to_milliseconds (measurement->samples, 0, n, measurement->steps_per_sample);
  dyno_stats_sort (milliseconds, n);
  *told = dyno_stats_percentile (milliseconds, n, 50);
  session = open_as_by_default (self, measurement->default_precision, NULL);
  *left = session != NULL ? time_steps (session) : NAN;
  return isfinite (*left);
}

/**
 * dyno_engine_default_report:
 * @analysis: a model and its engine
 * @measurement: a measurement that is over; gets a diagnostic
 *
 * Says so where the engine, told nothing, would compute in another precision than it was told: that is what people see who
 * use it elsewhere. A short trial tells about how long a step takes then.
 */
void
dyno_engine_default_report (const DynoAnalysis *analysis, DynoMeasurement *measurement)
{
  const char *engine = dyno_backend_get_name (analysis->backend);
  const char *precision = measurement->default_precision;
  g_autofree char *message = NULL;
  double told, left;

  if (precision == NULL || g_str_equal (precision, analysis->options->precision))
    return;
  if (try_default (analysis, measurement, &told, &left))
    message = g_strdup_printf (
        _ ("Left to itself, %s would compute in %s here, not in %s: in a short trial, a step took "
           "%.3g ms instead of %.3g ms. To measure that, set “inference-precision=%s”."),
        engine, precision, analysis->options->precision, left, told, precision);
  else
    message =
        g_strdup_printf (_ ("Left to itself, %s would compute in %s here, not in %s. To measure that, set "
                            "“inference-precision=%s”."),
                         engine, precision, analysis->options->precision, precision);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "engine-default", message);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-analysis.h"
#include "dyno-clock.h"

/* Enough steps for stable shares, not so many that a large model keeps people waiting. */
#define MAX_PROFILE_STEPS 10
#define MAX_PROFILE_NS    (2 * G_GINT64_CONSTANT (1000000000))

static GPtrArray *
profile (DynoBackend *backend,
         const char *onnx_path,
         const DynoSessionOptions *options,
         DynoWorkload *workload,
         guint max_steps,
         guint *n_steps,
         GError **error)
{
  g_autoptr (DynoSession) session = dyno_backend_open (backend, onnx_path, options, error);
  gint64 began;

  if (session == NULL || !dyno_workload_prepare (workload, session, error))
    return NULL;
  began = dyno_clock_now_ns ();
  while (*n_steps < max_steps && (*n_steps == 0 || dyno_clock_now_ns () - began < MAX_PROFILE_NS))
    {
      if (!dyno_session_run (session, error))
        return NULL;
      *n_steps += 1;
    }
  return dyno_session_end_profile (session, error);
}

static void
report (DynoMeasurement *measurement, const GError *error)
{
  g_autofree char *message = g_strdup_printf (_ ("The operators could not be analysed: %s"), error->message);

  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "no-analysis", message);
}

/**
 * dyno_analysis_run:
 * @measurement: a measurement that is over; gets shapes and profile
 * @backend: what to run on
 * @onnx_path: the model
 * @options: as measured
 * @workload: gives the inputs; when it generates, the step over the prompt is analysed
 *
 * Runs the model twice more under the engine's profiler: as given, because only there every operator keeps the
 * shapes its work is counted from, and optimised, because only there the times are real. What cannot be
 * analysed becomes a diagnostic; the measurement stands.
 */
void
dyno_analysis_run (DynoMeasurement *measurement,
                   DynoBackend *backend,
                   const char *onnx_path,
                   const DynoSessionOptions *options,
                   DynoWorkload *workload)
{
  DynoSessionOptions profiling = *options;
  g_autoptr (GError) error = NULL;
  guint n_steps = 0;

  profiling.profile = TRUE;
  measurement->profile = profile (backend, onnx_path, &profiling, workload, MAX_PROFILE_STEPS,
                                  &measurement->profile_steps, &error);
  if (measurement->profile != NULL)
    {
      profiling.optimise = FALSE;
      measurement->shapes = profile (backend, onnx_path, &profiling, workload, 1, &n_steps, &error);
    }
  if (error != NULL)
    report (measurement, error);
}

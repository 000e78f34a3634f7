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
  *n_steps = MAX (*n_steps - 1, 1); /* the profile leaves the first run out where there are others */
  return dyno_session_end_profile (session, error);
}

static void
report (DynoMeasurement *measurement, const GError *error)
{
  g_autofree char *message = g_strdup_printf (_ ("The operators could not be analysed: %s"), error->message);

  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "no-analysis", message);
}

/* Prepacked weights are gone from the profile that has the real times; another one of the same graph has them. */
static void
take_shapes (GPtrArray *profile, GPtrArray *with_weights)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < with_weights->len; i++)
    {
      DynoNodeProfile *node = g_ptr_array_index (with_weights, i);

      g_hash_table_insert (by_name, node->name, node);
    }
  for (guint i = 0; i < profile->len; i++)
    {
      DynoNodeProfile *node = g_ptr_array_index (profile, i);
      DynoNodeProfile *twin = g_hash_table_lookup (by_name, node->name);

      if (twin == NULL || !g_str_equal (twin->op_type, node->op_type))
        continue;
      g_clear_pointer (&node->inputs, g_array_unref);
      node->inputs = g_array_ref (twin->inputs);
    }
}

static gboolean
analyse (DynoMeasurement *measurement,
         DynoBackend *backend,
         const char *onnx_path,
         const DynoSessionOptions *options,
         DynoWorkload *workload,
         GError **error)
{
  DynoSessionOptions profiling = *options;
  g_autoptr (GPtrArray) with_weights = NULL;
  guint n_steps = 0;

  profiling.profile = TRUE;
  measurement->profile = profile (backend, onnx_path, &profiling, workload, MAX_PROFILE_STEPS,
                                  &measurement->profile_steps, error);
  if (measurement->profile == NULL)
    return FALSE;
  profiling.plain_weights = TRUE;
  with_weights = profile (backend, onnx_path, &profiling, workload, 1, &n_steps, error);
  if (with_weights == NULL)
    {
      g_clear_pointer (&measurement->profile,
                       g_ptr_array_unref); /* without weights its bytes would be wrong */
      return FALSE;
    }
  take_shapes (measurement->profile, with_weights);
  profiling.optimise = FALSE;
  n_steps = 0;
  measurement->shapes = profile (backend, onnx_path, &profiling, workload, 1, &n_steps, error);
  return measurement->shapes != NULL;
}

/**
 * dyno_analysis_run:
 * @measurement: a measurement that is over; gets shapes and profile
 * @backend: what to run on
 * @onnx_path: the model
 * @options: as measured
 * @workload: gives the inputs; when it generates, the step over the prompt is analysed
 *
 * Runs the model again under the engine's profiler: optimised, because only there the times are real;
 * optimised with the weights in place, for what those operators read; and as given, because only there every
 * operator keeps the shapes that its work is counted from. What cannot be analysed becomes a diagnostic; the
 * measurement stands.
 */
void
dyno_analysis_run (DynoMeasurement *measurement,
                   DynoBackend *backend,
                   const char *onnx_path,
                   const DynoSessionOptions *options,
                   DynoWorkload *workload)
{
  g_autoptr (GError) error = NULL;

  if (!analyse (measurement, backend, onnx_path, options, workload, &error))
    report (measurement, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-answer.h"
#include "dyno-output-comparison.h"
#include "dyno-reference.h"

/**
 * dyno_answer_take:
 * @analysis: the model and the engine
 * @session: the session that was measured
 * @error: return location
 *
 * Runs one more step, whose inputs are known.
 *
 * Returns: (transfer full) (nullable) (element-type GPtrArray): the outputs of each request of that step; %NULL without
 *   an error where there is nothing to compare, because the engine is what others are compared with, or computes nothing
 */
GPtrArray *
dyno_answer_take (const DynoAnalysis *analysis, DynoSession *session, GError **error)
{
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  if (dyno_reference_is_backend (analysis->backend) || dyno_session_is_made_up (session) ||
      !dyno_workload_prepare_same (analysis->workload, session, error) || !dyno_session_run (session, error))
    return NULL;
  for (guint request = 0; request < dyno_session_get_requests (session); request++)
    {
      GPtrArray *outputs = dyno_session_get_request_outputs (session, request, error);

      if (outputs == NULL)
        return NULL;
      g_ptr_array_add (answers, outputs);
    }
  return g_steal_pointer (&answers);
}

/* The largest error of all; NaN where no output holds floating-point numbers. */
static gboolean
compare_all (GPtrArray *answers, GPtrArray *expected, double tolerance, double *max_error, GError **error)
{
  *max_error = NAN;
  for (guint request = 0; request < answers->len; request++)
    {
      double of_request;

      if (!dyno_output_compare (answers->pdata[request], expected, tolerance, &of_request, error))
        return FALSE;
      *max_error = fmax (*max_error, of_request);
    }
  return TRUE;
}

static void
add_error (DynoMeasurement *measurement, double max_error, double tolerance)
{
  g_autofree char *source =
      g_strdup_printf ("largest deviation from the outputs of the CPU backend on the same "
                       "inputs, over the largest number of each output; at most %g is allowed",
                       tolerance);

  if (isnan (max_error))
    dyno_measurement_add_unsupported (measurement, "output_max_error", "",
                                      _ ("No output of the model is floating-point."));
  else
    dyno_measurement_add_measured (measurement, "output_max_error", max_error, "", source);
}

/**
 * dyno_answer_check:
 * @analysis: the model and the engine
 * @measurement: a measurement that is over; gets the shapes of the CPU backend's operators
 * @answers: (element-type GPtrArray): what the engine gave, for each request
 * @binding: the sizes of the case
 * @error: return location, %DYNO_ERROR_WRONG_OUTPUT naming the output and what is wrong with it
 *
 * Compares each answer with that of the CPU backend on the same inputs. A reference that cannot be had leaves the
 * answers unchecked, with the reason; one that is there and differs fails the case.
 *
 * Returns: whether the answers are right, as far as that is known
 */
gboolean
dyno_answer_check (const DynoAnalysis *analysis,
                   DynoMeasurement *measurement,
                   GPtrArray *answers,
                   DynoBinding *binding,
                   GError **error)
{
  double tolerance = dyno_output_comparison_get_tolerance (analysis->options->precision);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  double max_error;

  if (dyno_reference_is_affordable (measurement->model, binding, &local_error))
    measurement->shapes = dyno_reference_run (analysis->onnx_path, analysis->options, analysis->workload,
                                              FALSE, &expected, &local_error);
  if (measurement->shapes == NULL)
    {
      dyno_measurement_add_unsupported (measurement, "output_max_error", "", local_error->message);
      return TRUE;
    }
  measurement->shapes_from_cpu = TRUE;
  if (!compare_all (answers, expected, tolerance, &max_error, error))
    return FALSE;
  add_error (measurement, max_error, tolerance);
  return TRUE;
}

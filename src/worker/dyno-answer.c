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
 * Returns: (transfer full) (nullable) (element-type DynoTensor): the outputs; %NULL without an error where there is
 *   nothing to compare, because the engine is what others are compared with, or computes nothing
 */
GPtrArray *
dyno_answer_take (const DynoAnalysis *analysis, DynoSession *session, GError **error)
{
  if (dyno_reference_is_backend (analysis->backend) || dyno_session_is_made_up (session) ||
      !dyno_workload_prepare_same (analysis->workload, session, error) || !dyno_session_run (session, error))
    return NULL;
  return dyno_session_get_outputs (session, error);
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
                                      _ ("No output of the model holds floating-point numbers."));
  else
    dyno_measurement_add_measured (measurement, "output_max_error", max_error, "", source);
}

/**
 * dyno_answer_check:
 * @analysis: the model and the engine
 * @measurement: a measurement that is over; gets the shapes of the CPU backend's operators
 * @answer: (element-type DynoTensor): what the engine gave
 * @binding: the sizes of the case
 * @error: return location, %DYNO_ERROR_WRONG_OUTPUT naming the output and what is wrong with it
 *
 * Compares the answer with that of the CPU backend on the same inputs. A reference that cannot be had leaves the
 * answer unchecked, with the reason; one that is there and differs fails the case.
 *
 * Returns: whether the answer is right, as far as that is known
 */
gboolean
dyno_answer_check (const DynoAnalysis *analysis,
                   DynoMeasurement *measurement,
                   GPtrArray *answer,
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
  if (!dyno_output_compare (answer, expected, tolerance, &max_error, error))
    return FALSE;
  add_error (measurement, max_error, tolerance);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-precision.h"
#include "dyno-worker-private.h"

GPtrArray *
dyno_answer_take (const DynoAnalysis *analysis, DynoSession *session, GError **error)
{
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  if ((dyno_reference_is_backend (analysis->backend, analysis->options) && analysis->exact == NULL) ||
      dyno_session_is_made_up (session) || !dyno_workload_prepare_same (analysis->workload, session, error) ||
      !dyno_session_run (session, error))
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

/* The largest error of all outputs; NaN if none holds floating-point numbers. */
static gboolean
compare_all (GPtrArray *answers,
             GPtrArray *expected,
             const char *whose,
             double tolerance,
             double *max_error,
             GError **error)
{
  *max_error = NAN;
  for (guint request = 0; request < answers->len; request++)
    {
      double of_request;

      if (!dyno_output_compare (answers->pdata[request], expected, whose, tolerance, &of_request, error))
        return FALSE;
      *max_error = fmax (*max_error, of_request);
    }
  return TRUE;
}

static void
add_unsupported (DynoMeasurement *measurement, const char *reason)
{
  dyno_measurement_add_unsupported (measurement, "output_max_error", "", reason);
  dyno_measurement_add_unsupported (measurement, "output_cosine", "", reason);
}

static double
find_cosine (GPtrArray *answers, GPtrArray *expected)
{
  double cosine = NAN;

  for (guint request = 0; request < answers->len; request++)
    cosine = fmin (cosine, dyno_output_get_cosine (answers->pdata[request], expected));
  return cosine;
}

static void
add_error (DynoMeasurement *measurement,
           GPtrArray *answers,
           GPtrArray *expected,
           double max_error,
           const char *whose,
           const char *limit)
{
  g_autofree char *source = g_strdup_printf ("largest deviation from %s on the same inputs, over the "
                                             "largest number of each output; %s",
                                             whose, limit);

  if (isnan (max_error))
    {
      add_unsupported (measurement, _ ("No output of the model is floating-point."));
      return;
    }
  dyno_measurement_add_measured (measurement, "output_max_error", max_error, "", source);

  g_autofree char *cosine_source = g_strdup_printf (
      "smallest cosine of the angle between an output and %s, each taken as one vector", whose);
  double cosine = find_cosine (answers, expected);

  if (isnan (cosine))
    dyno_measurement_add_unsupported (measurement, "output_cosine", "",
                                      _ ("No output of the model has a direction to compare."));
  else
    dyno_measurement_add_measured (measurement, "output_cosine", cosine, "", cosine_source);
}

static void
take_divergence (DynoMeasurement *measurement,
                 const char *name,
                 DynoTensor *logits,
                 DynoTensor *expected,
                 const char *whose)
{
  gboolean is_text = dyno_model_has_cache (measurement->model);
  gboolean is_random = g_str_equal (dyno_model_get_weights_origin (measurement->model), "random");
  double divergence = dyno_output_get_divergence (logits, expected);
  /* Random weights spread probability over a vocabulary unlike trained ones. */
  g_autofree char *source = g_strdup_printf (
      "Kullback-Leibler divergence of the distribution over the %s from that of the same model in %s, mean "
      "over the %s%s",
      is_text ? "next tokens" : "classes", whose,
      is_text ? "positions that are compared of a prompt of random tokens" : "items of random inputs",
      is_random ? "; the weights are random, so it shows the rounding and no quality" : "");

  if (isnan (divergence))
    dyno_measurement_add_unsupported (measurement, name, "nat",
                                      is_text ? _ ("The scores of the tokens cannot be compared.")
                                              : _ ("The scores of the classes cannot be compared."));
  else
    dyno_measurement_add_measured (measurement, name, divergence, "nat", source);
}

/* For models that choose a token or a class. */
static void
add_divergence (const DynoAnalysis *analysis,
                DynoMeasurement *measurement,
                GPtrArray *answers,
                GPtrArray *expected)
{
  DynoTensor *logits = dyno_output_find (expected, "logits");
  const DynoShape *shape = logits != NULL ? dyno_tensor_get_shape (logits) : NULL;

  if (shape == NULL || shape->rank == 0 || shape->dims[shape->rank - 1] < 2)
    return;
  if (dyno_model_has_cache (analysis->exact) ||
      !g_str_equal (dyno_model_get_weights_origin (analysis->exact), "random"))
    take_divergence (measurement, "output_divergence", dyno_output_find (answers->pdata[0], "logits"), logits,
                     "fp32 on the CPU backend");
  else
    dyno_measurement_add_unsupported (measurement, "output_divergence", "nat",
                                      _ ("The weights are random, so what they say of the classes is no "
                                         "model’s distribution. Fetch trained weights."));
}

static gboolean
is_of_gguf (DynoMeasurement *measurement)
{
  return dyno_model_get_format (measurement->model) == DYNO_MODEL_FORMAT_GGUF;
}

/* The part of the divergence that the rounding of the weights causes, without that of another engine. */
static void
add_divergence_from_half (const DynoAnalysis *analysis, DynoMeasurement *measurement, GPtrArray *answers)
{
  const char *const name = "output_divergence_f16";
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) half = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  g_autofree char *path = NULL;

  if (!is_of_gguf (measurement) || !dyno_precision_is_quantised (analysis->precision))
    return;
  half = dyno_model_in_format (measurement->model, DYNO_MODEL_FORMAT_GGUF, "fp16", &error);
  path = half != NULL ? dyno_backend_prepare (analysis->backend, half, NULL, analysis->seed, &error) : NULL;
  session = path != NULL ? dyno_backend_open (analysis->backend, path, analysis->options, &error) : NULL;
  if (session != NULL && dyno_workload_prepare_same (analysis->workload, session, &error) &&
      dyno_session_run (session, &error))
    expected = dyno_session_get_outputs (session, &error);
  if (expected == NULL)
    dyno_measurement_add_unsupported (measurement, name, "nat", error->message);
  else
    take_divergence (measurement, name, dyno_output_find (answers->pdata[0], "logits"),
                     dyno_output_find (expected, "logits"), "fp16 on the same engine");
}

/* With quantised weights the largest deviation varies much from model to model, and the direction little. */
static gboolean
check_cosine (const char *precision, double cosine, GError **error)
{
  double least = dyno_output_comparison_get_least_cosine (precision);

  if (least == 0 || isnan (cosine) || cosine >= least)
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
      _ ("In %s the outputs have a cosine of %.3f with those in fp32, where at least %.3g is allowed. The "
         "answer is wrong, so its speed means nothing. Choose a precision with more bits."),
      precision, cosine, least);
  return FALSE;
}

static GPtrArray *
run_exact (const DynoAnalysis *analysis, gboolean is_gguf, DynoBinding *binding, GError **error)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = analysis->options->threads };
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) operators = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  const DynoQuantisation *quantisation = dyno_precision_get_quantisation (analysis->precision);
  gint64 n_past = 0;

  if (is_gguf && dyno_binding_get (binding, "past_sequence", &n_past) && n_past > 0)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("The step is in the middle of a text, and llama.cpp holds another one than the "
                              "CPU backend."));
      return NULL;
    }
  if (quantisation != NULL && quantisation->is_cache &&
      dyno_binding_get (binding, "past_sequence", &n_past) && n_past > 0)
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("The step is in the middle of a text, and a cache in 8 bits holds other keys and "
             "values than one in fp32. Measure the prompt alone (--generate 0)."));
      return NULL;
    }
  if (!dyno_reference_is_affordable (analysis->exact, binding, error))
    return NULL;
  path = dyno_model_prepare (analysis->exact, "fp32", analysis->seed, NULL, error);
  if (path == NULL)
    return NULL;
  operators = dyno_reference_run (path, &options, analysis->exact_workload, &outputs, error);
  return operators != NULL ? g_steal_pointer (&outputs) : NULL;
}

/* Compares the answer with that of the exact model: the cost of the precision in accuracy on this engine. The deviation of
 * rounded weights has no limit, but that of computing in another precision has one. llama.cpp keeps keys and values in half
 * precision or as it is told, which costs more than the precision of the weights. */
static gboolean
compare_exact (const DynoAnalysis *analysis,
               DynoMeasurement *measurement,
               GPtrArray *answers,
               DynoBinding *binding,
               GError **error)
{
  gboolean is_gguf = is_of_gguf (measurement);
  double usual = dyno_output_comparison_get_tolerance (
      is_gguf && g_str_equal (analysis->precision, "fp32") ? "fp16" : analysis->precision);
  double most = dyno_precision_is_quantised (analysis->precision) ? INFINITY
                : is_gguf ? dyno_output_comparison_get_tolerance ("int8")
                          : usual;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GPtrArray) expected = run_exact (analysis, is_gguf, binding, &local_error);
  g_autofree char *limit = NULL;
  double max_error;

  if (expected == NULL)
    {
      add_unsupported (measurement, local_error->message);
      return TRUE;
    }
  if (is_gguf)
    dyno_output_keep_next (expected);
  if (!compare_all (answers, expected, _ ("that of the CPU backend"), most, &max_error, error))
    return FALSE;
  limit = isinf (most) ? g_strdup ("weights are rounded, so only the cosine has a limit")
                       : g_strdup_printf ("at most %g is allowed", most);
  add_error (measurement, answers, expected, max_error,
             "the outputs of the same model in fp32 on the CPU backend", limit);
  add_divergence (analysis, measurement, answers, expected);
  add_divergence_from_half (analysis, measurement, answers);

  /* Rounded weights do not make an engine wrong: while the cosine is within its limit, the user judges the
   * numbers. */
  if (max_error > usual)
    {
      g_autofree char *message =
          g_strdup_printf (_ ("In %s the outputs are %.2g of their scale away from those in fp32, where %.2g "
                              "is usual: check the quality of the answers before you use it."),
                           analysis->precision, max_error, usual);

      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "quantisation-error", message);
    }

  return check_cosine (analysis->precision, find_cosine (answers, expected), error);
}

static gboolean
compare_same (const DynoAnalysis *analysis,
              DynoMeasurement *measurement,
              GPtrArray *answers,
              DynoBinding *binding,
              GError **error)
{
  /* With quantised weights some engines, such as OpenVINO, also round activations to 8 bits. */
  gboolean is_rounded = analysis->exact != NULL || dyno_precision_is_quantised (analysis->precision);
  double tolerance =
      dyno_output_comparison_get_tolerance (is_rounded ? "int8" : analysis->options->precision);
  g_autofree char *limit = NULL;
  const DynoEngineFormat *format = dyno_engine_format_find (dyno_model_get_format (measurement->model));
  DynoReference reference = dyno_reference_get (format);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  double max_error;

  for (guint i = 0; analysis->options->stages != NULL && i < analysis->options->stages->len; i++)
    {
      const DynoStageOptions *own = analysis->options->stages->pdata[i];

      tolerance = fmax (tolerance, dyno_output_comparison_get_tolerance (own->precision));
    }
  limit = g_strdup_printf ("at most %g is allowed", tolerance);
  if (dyno_reference_is_affordable (measurement->model, binding, &local_error))
    measurement->analysis.shapes = dyno_reference_run (analysis->onnx_path, analysis->options,
                                                       analysis->workload, &expected, &local_error);
  if (measurement->analysis.shapes == NULL && analysis->exact == NULL)
    add_unsupported (measurement, local_error->message);
  if (measurement->analysis.shapes == NULL)
    return TRUE;
  measurement->analysis.shapes_from_cpu = format == NULL;
  dyno_output_leave_out (measurement, answers->pdata[0], expected);
  if (!compare_all (answers, expected, _ (reference.answer), tolerance, &max_error, error))
    return FALSE;
  if (analysis->exact == NULL)
    add_error (measurement, answers, expected, max_error, reference.outputs, limit);
  return TRUE;
}

gboolean
dyno_answer_check (const DynoAnalysis *analysis,
                   DynoMeasurement *measurement,
                   GPtrArray *answers,
                   DynoBinding *binding,
                   GError **error)
{
  return (dyno_reference_is_backend (analysis->backend, analysis->options) ||
          compare_same (analysis, measurement, answers, binding, error)) &&
         (analysis->exact == NULL || compare_exact (analysis, measurement, answers, binding, error));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-reference.h"

#define BACKEND "cpu"

/* A larger step would take a processor too long for a check. */
#define MAX_FLOPS (2 * G_GINT64_CONSTANT (1000000000000))

static gboolean
check_work (DynoModel *model, DynoBinding *binding, GError **error)
{
  gint64 flops;

  if (!dyno_model_estimate_flops (model, binding, &flops) || flops <= MAX_FLOPS)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("A step of %.1f TFLOP would take the CPU backend too long."), (double)flops / 1e12);
  return FALSE;
}

static gboolean
check_memory (DynoModel *model, DynoBinding *binding, GError **error)
{
  g_autofree char *arithmetic = NULL;
  gint64 needed = dyno_model_estimate_memory (model, binding, &arithmetic);
  gint64 available = dyno_machine_read_available_memory ();

  if (available < 0 || needed <= available)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The CPU backend would need %s, and %.0f MB are free."), arithmetic,
               (double)available / 1e6);
  return FALSE;
}

/**
 * dyno_reference_is_backend:
 * @backend: a backend
 *
 * Returns: whether it is the reference for all others
 */
gboolean
dyno_reference_is_backend (DynoBackend *backend)
{
  return g_str_equal (dyno_backend_get_id (backend), BACKEND);
}

/**
 * dyno_reference_is_affordable:
 * @model: a model
 * @binding: the sizes of a case
 * @error: return location, %DYNO_ERROR_UNSUPPORTED with the arithmetic
 *
 * Returns: whether a step of the model on the CPU backend takes a reasonable time and fits the memory
 */
gboolean
dyno_reference_is_affordable (DynoModel *model, DynoBinding *binding, GError **error)
{
  return check_work (model, binding, error) && check_memory (model, binding, error);
}

static gboolean
prepare (DynoWorkload *workload, DynoSession *session, gboolean decodes, GError **error)
{
  return decodes ? dyno_workload_prepare_decode (workload, session, error)
                 : dyno_workload_prepare_same (workload, session, error);
}

static DynoSession *
open_and_run (const char *onnx_path,
              const DynoSessionOptions *options,
              DynoWorkload *workload,
              gboolean decodes,
              GError **error)
{
  DynoBackend *backend = dyno_backend_lookup (BACKEND, error);
  g_autoptr (DynoSession) session = NULL;

  if (backend == NULL || !dyno_backend_start (backend, error))
    return NULL;
  session = dyno_backend_open (backend, onnx_path, options, error);
  if (session == NULL || !prepare (workload, session, decodes, error) || !dyno_session_run (session, error))
    return NULL;
  return g_steal_pointer (&session);
}

static DynoSession *
open_recording (const char *onnx_path,
                const DynoSessionOptions *options,
                DynoWorkload *workload,
                gboolean decodes,
                gboolean optimise,
                GError **error)
{
  const DynoSessionOptions plain = {
    .precision = options->precision,
    .threads = options->threads,
    .optimise = optimise,
    .plain_weights = TRUE,
    .profile = TRUE,
  };

  return open_and_run (onnx_path, &plain, workload, decodes, error);
}

/**
 * dyno_reference_run:
 * @onnx_path: the model
 * @options: those of the measured session on another backend
 * @workload: provides the inputs of the step
 * @outputs: (out) (element-type DynoTensor): the outputs
 * @error: return location
 *
 * Runs one step of the graph as given on the CPU backend, the reference for all other engines: for the expected outputs,
 * and for the shapes of operators if the other engine does not report them.
 *
 * Returns: (transfer full) (element-type DynoNodeProfile): the operators, including shapes of weights
 */
GPtrArray *
dyno_reference_run (const char *onnx_path,
                    const DynoSessionOptions *options,
                    DynoWorkload *workload,
                    GPtrArray **outputs,
                    GError **error)
{
  g_autoptr (DynoSession) session = open_recording (onnx_path, options, workload, FALSE, FALSE, error);

  if (session == NULL)
    return NULL;
  *outputs = dyno_session_get_outputs (session, error);
  return *outputs != NULL ? dyno_session_end_profile (session, error) : NULL;
}

/**
 * dyno_reference_profile:
 * @onnx_path: the model
 * @options: those of the measured session on another backend
 * @workload: provides the inputs of the step
 * @decodes: whether the step is one of a token in the middle of a generation
 * @optimise: whether the graph may be optimised
 * @error: return location
 *
 * Returns: (transfer full) (element-type DynoNodeProfile): the operators of such a step on the CPU backend, including
 *   shapes of weights
 */
GPtrArray *
dyno_reference_profile (const char *onnx_path,
                        const DynoSessionOptions *options,
                        DynoWorkload *workload,
                        gboolean decodes,
                        gboolean optimise,
                        GError **error)
{
  g_autoptr (DynoSession) session = open_recording (onnx_path, options, workload, decodes, optimise, error);

  return session != NULL ? dyno_session_end_profile (session, error) : NULL;
}

/**
 * dyno_reference_run_tapped:
 * @onnx_path: the model
 * @file: one of its graphs; the model itself if it has only one
 * @tapped: that graph with further outputs
 * @options: those of the measured session on another backend
 * @workload: provides the inputs of the step
 * @error: return location
 *
 * Returns: (transfer full) (element-type DynoTensor): all outputs of one step of the unoptimised graph on the CPU
 *   backend
 */
GPtrArray *
dyno_reference_run_tapped (const char *onnx_path,
                           const char *file,
                           GBytes *tapped,
                           const DynoSessionOptions *options,
                           DynoWorkload *workload,
                           GError **error)
{
  const DynoSessionOptions plain = {
    .precision = options->precision,
    .threads = options->threads,
    .bytes = tapped,
    .bytes_path = file,
  };
  g_autoptr (DynoSession) session = open_and_run (onnx_path, &plain, workload, FALSE, error);

  return session != NULL ? dyno_session_get_outputs (session, error) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-model-description.h"
#include "dyno-worker-private.h"

/* A larger step would take a processor too long for a check. */
#define MAX_FLOPS (2 * G_GINT64_CONSTANT (1000000000000))

DynoReference
dyno_reference_get (const DynoEngineFormat *format)
{
  if (format == NULL)
    return (DynoReference){ "cpu", N_ ("that of the CPU backend"), "the outputs of the CPU backend" };
  /* Unoptimised, the only engine that opens such a file runs it by other kernels. */
  return (DynoReference){ format->backend, format->answer, format->outputs };
}

gboolean
dyno_reference_is_backend (DynoBackend *backend, const DynoSessionOptions *options)
{
  return g_str_equal (dyno_backend_get_id (backend), dyno_reference_get (NULL).backend) &&
         !dyno_session_options_are_mixed (options);
}

gboolean
dyno_reference_is_affordable (DynoModel *model, DynoBinding *binding, GError **error)
{
  g_autofree char *arithmetic = NULL;
  gint64 flops, needed, available;

  if (dyno_model_get_format (model) == DYNO_MODEL_FORMAT_GGUF)
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("Only llama.cpp opens GGUF files, so its outputs are compared with no other engine’s."));
      return FALSE;
    }
  if (dyno_model_estimate_flops (model, binding, &flops) && flops > MAX_FLOPS)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("A step of %.1f TFLOP would take the CPU backend too long."), (double)flops / 1e12);
      return FALSE;
    }
  needed = dyno_model_estimate_memory (model, binding, &arithmetic);
  available = dyno_machine_read_available_memory ();
  if (available >= 0 && needed > available)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("The CPU backend would need %s, and %.0f MB are free."), arithmetic,
                   (double)available / 1e6);
      return FALSE;
    }
  return TRUE;
}

static DynoSession *
open_reference (const char *onnx_path, const DynoSessionOptions *options, GError **error)
{
  DynoReference reference = dyno_reference_get (dyno_engine_format_recognise (onnx_path));
  DynoBackend *backend = dyno_backend_lookup (reference.backend, error);

  if (backend == NULL || !dyno_backend_start (backend, error))
    return NULL;
  return dyno_backend_open (backend, onnx_path, options, error);
}

static DynoSession *
open_and_run (const char *onnx_path,
              const DynoSessionOptions *options,
              DynoWorkload *workload,
              gboolean decodes,
              GError **error)
{
  g_autoptr (DynoSession) session = open_reference (onnx_path, options, error);

  if (session == NULL ||
      !(decodes ? dyno_workload_prepare_decode (workload, session, error)
                : dyno_workload_prepare_same (workload, session, error)) ||
      !dyno_session_run (session, error))
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

DynoSession *
dyno_reference_open_tapped (const char *onnx_path, const char *file, GBytes *tapped, GError **error)
{
  const DynoSessionOptions options = {
    .precision = "fp32",
    .optimise = TRUE,
    .bytes = tapped,
    .bytes_path = file,
  };

  return open_reference (onnx_path, &options, error);
}

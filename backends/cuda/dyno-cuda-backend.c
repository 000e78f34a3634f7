/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-cuda-private.h"
#include "dyno-error.h"
#include "dyno-ort-backend.h"
#include "dyno-precision.h"
#include "dyno-device.h"

#define DEVICE_VARIABLE "CUDA_VISIBLE_DEVICES"
#define USUAL_PRECISION "fp32"

/* The highest level that TensorRT knows. */
#define MAX_LEVEL 5

/* NVIDIA's devices, through the providers of ONNX Runtime for CUDA and TensorRT. */
G_DECLARE_FINAL_TYPE (DynoCudaBackend, dyno_cuda_backend, DYNO, CUDA_BACKEND, DynoOrtBackend)

struct _DynoCudaBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoCudaBackend, dyno_cuda_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const engines[] = { "cuda", "tensorrt", NULL };
static const char *const precisions[] = { "model", DYNO_PRECISION_TF32, "fp16", "bf16", NULL };
static const char *const off_on[] = { "off", "on", NULL };
static const char *const searches[] = { "exhaustive", "heuristic", "default", NULL };
static const char *const workspaces[] = { "most", "32mb", NULL };
static const char *const layouts[] = { "nchw", "nhwc", NULL };
static const char *const growths[] = { "next-power-of-two", "as-requested", NULL };
static const char *const caches[] = { "off", "timing", "engine", NULL };
static const char *const covered[] = { DYNO_ORT_PROVIDER_TENSORRT, NULL };

static const DynoBackendOption options[] = {
  { "engine", N_ ("The ONNX Runtime provider that runs the model."), engines },
  { "inference-precision",
    N_ ("Precision of products of single-precision numbers: TF32, or with TensorRT a half precision. Outputs "
        "and roofs are compared at it."),
    precisions },
  { "cuda-graph", N_ ("Capture a step once as a CUDA graph and replay it."), off_on },
  { "cudnn-search",
    N_ ("How cuDNN finds the algorithm of a convolution: it tries all, estimates, or takes its default."),
    searches },
  { "cudnn-workspace", N_ ("Memory that an algorithm of a convolution may take: all there is, or 32 MB."),
    workspaces },
  { "layout", N_ ("Order of the dimensions in convolutions: channels first or last."), layouts },
  { "arena-growth", N_ ("How the device’s memory grows when it is full."), growths },
  { "unified-stream", N_ ("Let all threads submit work to one CUDA stream."), off_on },
  { "stream-priority",
    N_ ("Priority of the CUDA stream among all work on the device; without it, CUDA’s usual one."),
    dyno_cuda_stream_priorities },
  { "builder-level", N_ ("How long TensorRT searches for fast kernels; 5 is the longest (3)."), NULL, 0,
    MAX_LEVEL },
  { "cache",
    N_ ("Load the model a second time, with TensorRT’s cache of timings or of engines, and time that "
        "separately."),
    caches },
  { NULL },
};

/* Options of one provider; the other one refuses them. */
static const DynoOrtSetting cuda_settings[] = {
  { "cudnn-search", "exhaustive", "cudnn_conv_algo_search", "EXHAUSTIVE" },
  { "cudnn-search", "heuristic", "cudnn_conv_algo_search", "HEURISTIC" },
  { "cudnn-search", "default", "cudnn_conv_algo_search", "DEFAULT" },
  { "cudnn-workspace", "most", "cudnn_conv_use_max_workspace", "1" },
  { "cudnn-workspace", "32mb", "cudnn_conv_use_max_workspace", "0" },
  { "layout", "nchw", "prefer_nhwc", "0" },
  { "layout", "nhwc", "prefer_nhwc", "1" },
  { "arena-growth", "next-power-of-two", "arena_extend_strategy", "kNextPowerOfTwo" },
  { "arena-growth", "as-requested", "arena_extend_strategy", "kSameAsRequested" },
  { "unified-stream", "off", "use_ep_level_unified_stream", "0" },
  { "unified-stream", "on", "use_ep_level_unified_stream", "1" },
  { "stream-priority", "low", "has_user_compute_stream", "1" },
  { "stream-priority", "middle", "has_user_compute_stream", "1" },
  { "stream-priority", "high", "has_user_compute_stream", "1" },
  { NULL },
};
static const DynoOrtSetting tensorrt_settings[] = {
  { "inference-precision", "fp16", "trt_fp16_enable", "1" },
  { "inference-precision", "bf16", "trt_bf16_enable", "1" },
  { "builder-level", NULL, "trt_builder_optimization_level", NULL },
  { "cache", "timing", "trt_timing_cache_enable", "1" },
  { "cache", "engine", "trt_engine_cache_enable", "1" },
  { NULL },
};

static gboolean
is_set (const DynoSessionOptions *session_options, const char *name, const char *value)
{
  return g_strcmp0 (dyno_session_options_get (session_options, name), value) == 0;
}

static GPtrArray *
dyno_cuda_backend_list_devices (DynoOrtBackend *backend, GError **error)
{
  return dyno_nvml_list_devices (error);
}

static const char *
dyno_cuda_backend_get_rounding (DynoOrtBackend *backend, DynoDevice *device)
{
  return dyno_nvml_has_tf32 (dyno_device_get_id (device)) ? DYNO_PRECISION_TF32 : NULL;
}

/* Returns whether the requested device, or the first one, has TF32. */
static gboolean
has_tf32 (DynoOrtBackend *backend, const char *id)
{
  g_autoptr (DynoDevice) device = dyno_ort_backend_find_device (backend, id, NULL, NULL);

  return device != NULL && dyno_cuda_backend_get_rounding (backend, device) != NULL;
}

/* By default, both providers round the factors of single-precision products if the device has TF32. A device without
 * it would accept the option and ignore it. */
static gboolean
choose_rounding (DynoOrtBackend *backend,
                 const DynoSessionOptions *session_options,
                 DynoOrtTarget *target,
                 GError **error)
{
  const char *precision = session_options->precision;
  gboolean is_told = g_strcmp0 (precision, DYNO_PRECISION_TF32) == 0;

  if (is_told && !has_tf32 (backend, session_options->device))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("The device has no TF32, which came with compute capability 8.0. Leave out the "
                              "option “inference-precision=tf32”."));
      return FALSE;
    }
  if (is_told)
    target->computes_in = DYNO_PRECISION_TF32;
  else if (g_strcmp0 (precision, USUAL_PRECISION) == 0)
    target->computes_in = session_options->left_alone && has_tf32 (backend, session_options->device)
                              ? DYNO_PRECISION_TF32
                              : USUAL_PRECISION;
  return TRUE;
}

static void
set_up_tensorrt (const DynoSessionOptions *session_options, DynoOrtTarget *target)
{
  const char *told = dyno_session_options_get (session_options, "inference-precision");
  const char *cache = dyno_session_options_get (session_options, "cache");

  target->provider = DYNO_ORT_PROVIDER_TENSORRT;
  target->fallback = DYNO_ORT_PROVIDER_CUDA;
  dyno_ort_target_set (target, "trt_cuda_graph_enable", target->records_graph ? "1" : "0");
  if (session_options->left_alone)
    return;
  dyno_ort_target_apply (target, tensorrt_settings, session_options->engine);
  if (g_strcmp0 (told, "fp16") == 0 || g_strcmp0 (told, "bf16") == 0)
    target->computes_in = g_intern_string (told);
  if (g_strcmp0 (cache, "timing") == 0)
    target->cache_option = "trt_timing_cache_path";
  else if (g_strcmp0 (cache, "engine") == 0)
    target->cache_option = "trt_engine_cache_path";
  /* TensorRT builds its engine while loading only if it knows all sizes. */
  target->takes_fixed_shapes = target->cache_option != NULL;
}

static gboolean
dyno_cuda_backend_configure (DynoOrtBackend *backend,
                             DynoOrtRuntime *runtime,
                             const DynoSessionOptions *session_options,
                             DynoOrtTarget *target,
                             GError **error)
{
  const char *id = session_options->device;
  const char *priority = dyno_session_options_get (session_options, "stream-priority");
  gboolean is_tensorrt = is_set (session_options, "engine", "tensorrt");
  g_autoptr (DynoDevice) device = NULL;
  const DynoOrtSetting *of_other =
      dyno_ort_setting_find (is_tensorrt ? cuda_settings : tensorrt_settings, session_options->engine);
  gboolean rounds;

  if (of_other != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   is_tensorrt
                       ? _ ("TensorRT has no option “%s=%s”. Leave it out, or choose “engine=cuda”.")
                       : _ ("ONNX Runtime’s provider for CUDA has no option “%s=%s”. Leave it out, or choose "
                            "“engine=tensorrt”."),
                   of_other->option, dyno_session_options_get (session_options, of_other->option));
      return FALSE;
    }
  /* CUDA and NVML order devices differently, so the process sees only the requested one. */
  if (id != NULL || g_getenv (DEVICE_VARIABLE) == NULL)
    {
      device = dyno_ort_backend_find_device (backend, id, NULL, error);
      if (device == NULL || !dyno_visible_device_choose (DEVICE_VARIABLE, dyno_device_get_id (device), error))
        return FALSE;
    }
  if (!choose_rounding (backend, session_options, target, error))
    return FALSE;
  rounds = g_strcmp0 (target->computes_in, DYNO_PRECISION_TF32) == 0;
  dyno_ort_target_set (target, "device_id", "0");
  target->registers_library = TRUE;
  target->records_graph = is_set (session_options, "cuda-graph", "on") && !session_options->profile;
  if (is_tensorrt)
    {
      /* Nodes that TensorRT leaves stay on the device, with the provider for CUDA. That provider has no
       * option for TF32, but NVIDIA’s libraries obey this variable. */
      if (!rounds)
        g_setenv ("NVIDIA_TF32_OVERRIDE", "0", TRUE);
      set_up_tensorrt (session_options, target);
    }
  else
    {
      if (!session_options->left_alone)
        {
          dyno_ort_target_apply (target, cuda_settings, session_options->engine);
          if (priority != NULL)
            {
              gpointer stream = dyno_cuda_stream_new (priority, error);
              g_autofree char *address = g_strdup_printf ("%" G_GSIZE_FORMAT, GPOINTER_TO_SIZE (stream));

              if (stream == NULL)
                return FALSE;
              dyno_ort_target_set (target, "user_compute_stream", address);
            }
        }
      dyno_ort_target_set (target, "use_tf32", rounds ? "1" : "0");
      dyno_ort_target_set (target, "enable_cuda_graph", target->records_graph ? "1" : "0");
    }
  return TRUE;
}

static void
dyno_cuda_backend_class_init (DynoCudaBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "cuda";
  backend_class->name = N_ ("CUDA");
  backend_class->description = N_ ("NVIDIA GPUs, through ONNX Runtime’s CUDA and TensorRT providers.");
  backend_class->wants_set_uid = TRUE;
  dyno_backend_class_add_options (backend_class, options);
  ort_class->provider = DYNO_ORT_PROVIDER_CUDA;
  ort_class->covers = covered;
  ort_class->remedy = N_ ("Get a build of ONNX Runtime for CUDA (the Python package onnxruntime-gpu holds "
                          "one), and put it into the runtimes folder or name it in Preferences.");
  ort_class->driver_remedy =
      N_ ("Where there is an NVIDIA device, install its driver; “nvidia-smi” says whether it works.");
  ort_class->start_remedy =
      N_ ("Install the versions of CUDA and cuDNN that the ONNX Runtime library asks for, and a driver that "
          "is new enough for them; “nvidia-smi” says which version of CUDA it supports.");
  ort_class->one_device = TRUE;
  ort_class->list_devices = dyno_cuda_backend_list_devices;
  ort_class->get_rounding = dyno_cuda_backend_get_rounding;
  ort_class->configure = dyno_cuda_backend_configure;
}

static void
dyno_cuda_backend_init (DynoCudaBackend *self)
{
}

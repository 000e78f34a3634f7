/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-amdgpu.h"
#include "dyno-error.h"
#include "dyno-ort.h"
#include "dyno-ort-backend.h"
#include "dyno-device.h"

#define DEVICE_VARIABLE "ROCR_VISIBLE_DEVICES"

/* AMD's devices, through the providers of ONNX Runtime for MIGraphX or ROCm. */
G_DECLARE_FINAL_TYPE (DynoRocmBackend, dyno_rocm_backend, DYNO, ROCM_BACKEND, DynoOrtBackend)

struct _DynoRocmBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoRocmBackend, dyno_rocm_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const covered[] = { DYNO_ORT_PROVIDER_ROCM, NULL };
static const char *const precisions[] = { "model", "fp16", "bf16", NULL };
static const char *const off_on[] = { "off", "on", NULL };

static const DynoBackendOption options[] = {
  { "inference-precision",
    N_ ("Inference precision, whatever the model’s; outputs and roofs are compared at it."), precisions },
  { "exhaustive-tune", N_ ("Try all kernels while loading, which can take minutes."), off_on },
  { "cache", N_ ("Load the model a second time, from a cache, and time that separately."), off_on },
  { NULL },
};

static const DynoOrtSetting migraphx_settings[] = {
  { "inference-precision", "fp16", "migraphx_fp16_enable", "1" },
  { "inference-precision", "bf16", "migraphx_bf16_enable", "1" },
  { "exhaustive-tune", "on", "migraphx_exhaustive_tune", "1" },
  { NULL },
};
static const DynoOrtSetting rocm_settings[] = {
  { "exhaustive-tune", "on", "miopen_conv_exhaustive_search", "1" },
  { NULL },
};

/* The folder of the cache is known only while loading. */
static const DynoOrtSetting unknown_to_rocm[] = {
  { "inference-precision", "fp16" },
  { "inference-precision", "bf16" },
  { "cache", "on" },
  { NULL },
};

static GPtrArray *
dyno_rocm_backend_list_devices (DynoOrtBackend *backend, GError **error)
{
  return dyno_amdgpu_list_devices (error);
}

/* MIGraphX is newer than the provider for ROCm, and replaced it. */
static DynoOrtRuntime *
dyno_rocm_backend_find_runtime (DynoOrtBackend *backend, const char *id, GError **error)
{
  DynoOrtRuntime *runtime = dyno_ort_library_get_for (DYNO_ORT_PROVIDER_MIGRAPHX, NULL);

  if (runtime == NULL)
    runtime = dyno_ort_library_get_for (DYNO_ORT_PROVIDER_ROCM, NULL);
  return runtime != NULL ? runtime : dyno_ort_library_get_for (DYNO_ORT_PROVIDER_MIGRAPHX, error);
}

static gboolean
dyno_rocm_backend_configure (DynoOrtBackend *backend,
                             DynoOrtRuntime *runtime,
                             const DynoSessionOptions *session_options,
                             DynoOrtTarget *target,
                             GError **error)
{
  guint position = 0;
  g_autoptr (DynoDevice) device =
      dyno_ort_backend_find_device (backend, session_options->device, &position, error);
  gboolean is_migraphx =
      g_strv_contains (dyno_ort_runtime_get_providers (runtime), DYNO_ORT_PROVIDER_MIGRAPHX);
  GHashTable *told = session_options->engine;
  const DynoOrtSetting *unknown = is_migraphx ? NULL : dyno_ort_setting_find (unknown_to_rocm, told);
  const char *precision = dyno_session_options_get (session_options, "inference-precision");
  g_autofree char *index = NULL;
  const char *id;

  if (device == NULL)
    return FALSE;
  if (unknown != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("ONNX Runtime’s older provider for ROCm has no option “%s=%s”. Leave it out, or get a "
                      "build with MIGraphX."),
                   unknown->option, unknown->value);
      return FALSE;
    }
  target->provider = is_migraphx ? DYNO_ORT_PROVIDER_MIGRAPHX : DYNO_ORT_PROVIDER_ROCM;
  if (!session_options->left_alone)
    {
      dyno_ort_target_apply (target, is_migraphx ? migraphx_settings : rocm_settings, told);
      if (precision != NULL && !g_str_equal (precision, precisions[0]))
        target->computes_in = g_intern_string (precision);
      if (g_strcmp0 (dyno_session_options_get (session_options, "cache"), "on") == 0)
        target->cache_option = "migraphx_model_cache_dir";
    }
  /* MIGraphX compiles while loading only if it knows all sizes. */
  target->takes_fixed_shapes = target->cache_option != NULL;
  /* If the device has its own number, the process sees only that one, in whatever order the driver counts. */
  id = dyno_device_get_id (device);
  index = g_strdup_printf ("%u", g_str_has_prefix (id, "GPU-") ? 0 : position);
  dyno_ort_target_set (target, "device_id", index);
  return !g_str_has_prefix (id, "GPU-") || dyno_visible_device_choose (DEVICE_VARIABLE, id, error);
}

static void
dyno_rocm_backend_class_init (DynoRocmBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "rocm";
  backend_class->name = N_ ("ROCm");
  backend_class->description = N_ ("AMD GPUs, through ONNX Runtime’s MIGraphX and ROCm providers.");
  dyno_backend_class_add_options (backend_class, options);
  ort_class->provider = DYNO_ORT_PROVIDER_MIGRAPHX;
  ort_class->covers = covered;
  ort_class->remedy =
      N_ ("Get a build of ONNX Runtime for ROCm (AMD publishes the Python package onnxruntime-migraphx), and "
          "put it into the runtimes folder or name it in Preferences.");
  ort_class->driver_remedy =
      N_ ("Where there is an AMD device, a kernel with its driver and its firmware is needed.");
  ort_class->start_remedy = N_ ("Install the version of ROCm that the ONNX Runtime library asks for; "
                                "“rocminfo” says whether it sees the device.");
  ort_class->one_device = TRUE;
  ort_class->list_devices = dyno_rocm_backend_list_devices;
  ort_class->find_runtime = dyno_rocm_backend_find_runtime;
  ort_class->configure = dyno_rocm_backend_configure;
}

static void
dyno_rocm_backend_init (DynoRocmBackend *self)
{
}

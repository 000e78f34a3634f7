/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-amdgpu.h"
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
                             const DynoSessionOptions *options,
                             DynoOrtTarget *target,
                             GError **error)
{
  guint position = 0;
  g_autoptr (DynoDevice) device = dyno_ort_backend_find_device (backend, options->device, &position, error);
  g_autofree char *index = NULL;
  const char *id;

  if (device == NULL)
    return FALSE;
  if (!g_strv_contains (dyno_ort_runtime_get_providers (runtime), DYNO_ORT_PROVIDER_MIGRAPHX))
    target->provider = DYNO_ORT_PROVIDER_ROCM;
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

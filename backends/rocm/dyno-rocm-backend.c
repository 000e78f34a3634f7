/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-amdgpu.h"
#include "dyno-error.h"
#include "dyno-ort-library.h"
#include "dyno-ort-precisions.h"
#include "dyno-rocm-backend.h"
#include "dyno-visible-device.h"

#define DEVICE_VARIABLE "ROCR_VISIBLE_DEVICES"

struct _DynoRocmBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoRocmBackend, dyno_rocm_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const covered[] = { DYNO_ORT_PROVIDER_ROCM, NULL };

/* The position of the device of that id, or of the first. */
static gboolean
find_device (GPtrArray *devices, const char *id, guint *position)
{
  for (guint i = 0; devices != NULL && i < devices->len; i++)
    if (id == NULL || g_str_equal (dyno_device_get_id (devices->pdata[i]), id))
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
dyno_rocm_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  g_autoptr (GPtrArray) devices = dyno_amdgpu_list_devices (NULL);
  guint position;

  return find_device (devices, id, &position);
}

/* MIGraphX came after the provider for ROCm, and replaced it. */
static DynoOrtRuntime *
dyno_rocm_backend_find_runtime (DynoOrtBackend *backend, const char *id, GError **error)
{
  DynoOrtRuntime *runtime = dyno_ort_library_get_for (DYNO_ORT_PROVIDER_MIGRAPHX, NULL);

  if (runtime == NULL)
    runtime = dyno_ort_library_get_for (DYNO_ORT_PROVIDER_ROCM, NULL);
  return runtime != NULL ? runtime : dyno_ort_library_get_for (DYNO_ORT_PROVIDER_MIGRAPHX, error);
}

/* A device with a number of its own is the only one the process is shown, in whatever order the driver counts. */
static gboolean
choose_device (DynoDevice *device, guint position, DynoOrtTarget *target, GError **error)
{
  const char *id = dyno_device_get_id (device);
  g_autofree char *index = g_strdup_printf ("%u", g_str_has_prefix (id, "GPU-") ? 0 : position);

  dyno_ort_target_set (target, "device_id", index);
  return !g_str_has_prefix (id, "GPU-") || dyno_visible_device_choose (DEVICE_VARIABLE, id, error);
}

static gboolean
dyno_rocm_backend_configure (DynoOrtBackend *backend,
                             DynoOrtRuntime *runtime,
                             const DynoSessionOptions *options,
                             DynoOrtTarget *target,
                             GError **error)
{
  g_autoptr (GPtrArray) devices = dyno_amdgpu_list_devices (error);
  guint position;

  if (devices == NULL)
    return FALSE;
  if (!find_device (devices, options->device, &position))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The device “%s” is gone."), options->device);
      return FALSE;
    }
  if (!g_strv_contains (dyno_ort_runtime_get_providers (runtime), DYNO_ORT_PROVIDER_MIGRAPHX))
    target->provider = DYNO_ORT_PROVIDER_ROCM;
  return choose_device (devices->pdata[position], position, target, error);
}

static DynoProbe *
dyno_rocm_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = dyno_amdgpu_list_devices (&error);
  DynoProbe *probe;

  if (devices == NULL || !dyno_ort_backend_try (backend, runtime, NULL, &error))
    return dyno_probe_new_unsupported (
        error->message,
        _ ("Install the version of ROCm that the ONNX Runtime library asks for; “rocminfo” says whether it "
           "sees the device."));
  probe = dyno_ort_backend_new_probe (backend, runtime);
  dyno_probe_take_device (probe, dyno_ort_precisions_describe (DYNO_BACKEND (backend), devices->pdata[0]));
  for (guint i = 1; i < devices->len; i++)
    dyno_probe_take_device (probe, g_object_ref (devices->pdata[i]));
  return probe;
}

/* Without a device, it does not matter which runtimes there are. */
static DynoProbe *
dyno_rocm_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = dyno_amdgpu_list_devices (&error);

  if (devices == NULL)
    return dyno_probe_new_unsupported (
        error->message,
        _ ("Where there is an AMD device, a kernel with its driver and its firmware is needed."));
  return DYNO_BACKEND_CLASS (dyno_rocm_backend_parent_class)->probe (backend, cancellable);
}

static void
dyno_rocm_backend_class_init (DynoRocmBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "rocm";
  backend_class->name = N_ ("ROCm");
  backend_class->description = N_ ("AMD’s devices, by ONNX Runtime’s providers for MIGraphX and ROCm.");
  backend_class->probe = dyno_rocm_backend_probe;
  ort_class->provider = DYNO_ORT_PROVIDER_MIGRAPHX;
  ort_class->covers = covered;
  ort_class->remedy =
      N_ ("Get a build of ONNX Runtime for ROCm (AMD publishes the Python package "
          "onnxruntime-migraphx), and put it into the runtimes folder or name it in Preferences.");
  ort_class->find_runtime = dyno_rocm_backend_find_runtime;
  ort_class->probe_devices = dyno_rocm_backend_probe_devices;
  ort_class->has_device = dyno_rocm_backend_has_device;
  ort_class->configure = dyno_rocm_backend_configure;
}

static void
dyno_rocm_backend_init (DynoRocmBackend *self)
{
}

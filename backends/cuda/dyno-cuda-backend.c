/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-cuda-backend.h"
#include "dyno-error.h"
#include "dyno-nvml.h"
#include "dyno-ort-precisions.h"
#include "dyno-visible-device.h"

#define DEVICE_VARIABLE "CUDA_VISIBLE_DEVICES"

struct _DynoCudaBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoCudaBackend, dyno_cuda_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const engines[] = { "cuda", "tensorrt", NULL };
static const char *const on_off[] = { "on", "off", NULL };
static const char *const off_on[] = { "off", "on", NULL };
static const char *const covered[] = { DYNO_ORT_PROVIDER_TENSORRT, NULL };

static const DynoBackendOption options[] = {
  { "engine", N_ ("Which of ONNX Runtime’s providers for NVIDIA’s devices runs the model."), engines },
  { "tf32", N_ ("Whether products of matrices may round their operands to ten bits."), on_off },
  { "cuda-graph", N_ ("Whether a step is recorded once and played back."), off_on },
  { NULL },
};

static gboolean
is_set (const DynoSessionOptions *session_options, const char *name, const char *value)
{
  return g_strcmp0 (dyno_session_options_get (session_options, name), value) == 0;
}

static DynoDevice *
find_device (const char *id)
{
  g_autoptr (GPtrArray) devices = dyno_nvml_list_devices (NULL);

  for (guint i = 0; devices != NULL && i < devices->len; i++)
    if (g_str_equal (dyno_device_get_id (devices->pdata[i]), id))
      return g_object_ref (devices->pdata[i]);
  return NULL;
}

static gboolean
dyno_cuda_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  g_autoptr (DynoDevice) device = find_device (id);

  return device != NULL;
}

/* CUDA counts devices in another order than NVML, so the process is shown only the one. */
static gboolean
choose_device (const char *id, GError **error)
{
  g_autoptr (GPtrArray) devices = NULL;

  if (id != NULL)
    return dyno_visible_device_choose (DEVICE_VARIABLE, id, error);
  if (g_getenv (DEVICE_VARIABLE) != NULL)
    return TRUE;
  devices = dyno_nvml_list_devices (error);
  return devices != NULL &&
         dyno_visible_device_choose (DEVICE_VARIABLE, dyno_device_get_id (devices->pdata[0]), error);
}

static void
configure_cuda (const DynoSessionOptions *session_options, DynoOrtTarget *target)
{
  dyno_ort_target_set (target, "use_tf32", is_set (session_options, "tf32", "off") ? "0" : "1");
  dyno_ort_target_set (target, "enable_cuda_graph", target->records_graph ? "1" : "0");
}

/* What TensorRT leaves stays on the device, with the provider for CUDA. */
static gboolean
configure_tensorrt (const DynoSessionOptions *session_options, DynoOrtTarget *target, GError **error)
{
  if (is_set (session_options, "tf32", "off"))
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("The option “tf32” cannot be “off” with the engine “tensorrt”, whose provider has no "
             "word for it. Use the engine “cuda”."));
      return FALSE;
    }
  target->provider = DYNO_ORT_PROVIDER_TENSORRT;
  target->fallback = DYNO_ORT_PROVIDER_CUDA;
  dyno_ort_target_set (target, "trt_cuda_graph_enable", target->records_graph ? "1" : "0");
  return TRUE;
}

static gboolean
dyno_cuda_backend_configure (DynoOrtBackend *backend,
                             DynoOrtRuntime *runtime,
                             const DynoSessionOptions *session_options,
                             DynoOrtTarget *target,
                             GError **error)
{
  if (!choose_device (session_options->device, error))
    return FALSE;
  dyno_ort_target_set (target, "device_id", "0");
  target->registers_library = TRUE;
  target->records_graph = is_set (session_options, "cuda-graph", "on") && !session_options->profile;
  if (is_set (session_options, "engine", "tensorrt"))
    return configure_tensorrt (session_options, target, error);
  configure_cuda (session_options, target);
  return TRUE;
}

static DynoProbe *
dyno_cuda_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = dyno_nvml_list_devices (&error);
  DynoProbe *probe;

  if (devices == NULL || !dyno_ort_backend_try (backend, runtime, NULL, &error))
    return dyno_probe_new_unsupported (
        error->message,
        _ ("Install the versions of CUDA and cuDNN that the ONNX Runtime library asks for, and a "
           "driver that is new enough for them; “nvidia-smi” says which CUDA it can do."));
  probe = dyno_ort_backend_new_probe (backend, runtime);
  dyno_probe_take_device (probe, dyno_ort_precisions_describe (DYNO_BACKEND (backend), devices->pdata[0]));
  for (guint i = 1; i < devices->len; i++)
    dyno_probe_take_device (probe, g_object_ref (devices->pdata[i]));
  return probe;
}

/* Without a device, it does not matter which runtimes there are. */
static DynoProbe *
dyno_cuda_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = dyno_nvml_list_devices (&error);

  if (devices == NULL)
    return dyno_probe_new_unsupported (
        error->message, _ ("Where there is an NVIDIA device, install its driver; “nvidia-smi” says "
                           "whether it works."));
  return DYNO_BACKEND_CLASS (dyno_cuda_backend_parent_class)->probe (backend, cancellable);
}

/* Asking the driver for the first time is no part of loading a model. */
static gboolean
dyno_cuda_backend_start (DynoBackend *backend, GError **error)
{
  g_autoptr (GPtrArray) devices = dyno_nvml_list_devices (error);

  return devices != NULL && DYNO_BACKEND_CLASS (dyno_cuda_backend_parent_class)->start (backend, error);
}

static void
dyno_cuda_backend_class_init (DynoCudaBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "cuda";
  backend_class->name = N_ ("CUDA");
  backend_class->description = N_ ("NVIDIA’s devices, by ONNX Runtime’s providers for CUDA and TensorRT.");
  backend_class->options = options;
  backend_class->probe = dyno_cuda_backend_probe;
  backend_class->start = dyno_cuda_backend_start;
  ort_class->provider = DYNO_ORT_PROVIDER_CUDA;
  ort_class->covers = covered;
  ort_class->remedy =
      N_ ("Get a build of ONNX Runtime for CUDA (the Python package onnxruntime-gpu holds one), and "
          "put it into the runtimes folder or name it in Preferences.");
  ort_class->probe_devices = dyno_cuda_backend_probe_devices;
  ort_class->has_device = dyno_cuda_backend_has_device;
  ort_class->configure = dyno_cuda_backend_configure;
}

static void
dyno_cuda_backend_init (DynoCudaBackend *self)
{
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-ort-backend.h"
#include "dyno-precision-trial.h"
#include "dyno-vulkan.h"

/* Graphics processors through the WebGPU provider of ONNX Runtime, which uses Vulkan through Dawn. */
G_DECLARE_FINAL_TYPE (DynoWebgpuBackend, dyno_webgpu_backend, DYNO, WEBGPU_BACKEND, DynoOrtBackend)

struct _DynoWebgpuBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoWebgpuBackend, dyno_webgpu_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const layouts[] = { "nhwc", "nchw", NULL };
static const char *const validations[] = { "basic", "disabled", "full", NULL };

static const DynoBackendOption options[] = {
  { "layout", N_ ("Image layout: channels last or channels first."), layouts },
  { "validation", N_ ("How strictly WebGPU validates commands; validation costs time."), validations },
  { NULL },
};

static GPtrArray *
look_for_devices (DynoOrtBackend *backend)
{
  GPtrArray *devices = dyno_vulkan_list_devices (NULL);

  dyno_ort_backend_keep_devices (backend, devices);
  return devices;
}

static GPtrArray *
get_devices (DynoOrtBackend *backend)
{
  GPtrArray *devices = dyno_ort_backend_dup_kept_devices (backend);

  return devices != NULL ? devices : look_for_devices (backend);
}

/* Returns the device of that id, or the first that Dawn can use. */
static const DynoVulkanDevice *
find_device (GPtrArray *devices, const char *id)
{
  for (guint i = 0; i < devices->len; i++)
    {
      const DynoVulkanDevice *device = devices->pdata[i];

      if (device->missing == NULL && (id == NULL || g_str_equal (device->id, id)))
        return device;
    }
  return NULL;
}

static gboolean
dyno_webgpu_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);

  return find_device (devices, id) != NULL;
}

/* If there is no device, asks the drivers once more, for the reason why they cannot be opened. */
static void
set_reason_without_device (GPtrArray *devices, GError **error)
{
  const DynoVulkanDevice *device = devices->len > 0 ? devices->pdata[0] : NULL;
  g_autofree char *problem = NULL;
  g_autoptr (GPtrArray) none = device == NULL ? dyno_vulkan_list_devices (&problem) : NULL;

  if (problem != NULL)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        /* Translators: the words of the operating system's loader of libraries */
        _ ("WebGPU needs a Vulkan driver with a device, and the one that is installed cannot be opened: %s"),
        problem);
  else if (device == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                         _ ("No Vulkan driver with a device was found, which WebGPU needs."));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("The Vulkan driver “%s” lacks the feature “%s”, which WebGPU needs."),
                 device->driver != NULL ? device->driver : device->name, device->missing);
}

static gboolean
dyno_webgpu_backend_configure (DynoOrtBackend *backend,
                               DynoOrtRuntime *runtime,
                               const DynoSessionOptions *session_options,
                               DynoOrtTarget *target,
                               GError **error)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);
  const DynoVulkanDevice *device = find_device (devices, session_options->device);
  const char *layout = dyno_session_options_get (session_options, "layout");
  const char *validation = dyno_session_options_get (session_options, "validation");

  if (device == NULL)
    {
      set_reason_without_device (devices, error);
      return FALSE;
    }
  if (!dyno_vulkan_choose_driver (device->manifest, error))
    return FALSE;
  dyno_ort_target_set (target, "preferredLayout", g_strcmp0 (layout, "nchw") == 0 ? "NCHW" : "NHWC");
  dyno_ort_target_set (target, "validationMode", validation != NULL ? validation : validations[0]);
  return TRUE;
}

static DynoProbe *
dyno_webgpu_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_autoptr (GPtrArray) devices = look_for_devices (backend);
  g_autoptr (GError) error = NULL;
  DynoProbe *probe;

  /* A process can use only one driver; once it is chosen, it has been tried already. */
  if (find_device (devices, NULL) == NULL)
    set_reason_without_device (devices, &error);
  else if (dyno_vulkan_get_chosen_driver () == NULL)
    dyno_ort_backend_try (backend, runtime, NULL, &error);
  if (error != NULL)
    return dyno_probe_new_unsupported (
        error->message, _ ("Install the Vulkan driver of the GPU. That of “dyno-cli engines install "
                           "chromium” is emulated in software, for trying things out."));
  probe = dyno_ort_backend_new_probe (backend, runtime);
  for (guint i = 0; i < devices->len; i++)
    {
      const DynoVulkanDevice *found = devices->pdata[i];
      g_auto (GStrv) precisions = NULL;
      DynoDevice *device;

      if (found->missing != NULL)
        continue;
      /* Only the driver that the process uses can be tried. */
      if (g_strcmp0 (found->manifest, dyno_vulkan_get_chosen_driver ()) == 0)
        precisions = dyno_precision_trial_run (DYNO_BACKEND (backend), found->id);
      device = dyno_device_new (found->id, found->name, found->driver, found->memory,
                                (const char *const *)precisions);
      dyno_device_set_kind (device, found->kind);
      dyno_device_set_address (device, found->address);
      dyno_probe_take_device (probe, device);
    }
  return probe;
}

/* Finding devices is not part of loading a model. */
static gboolean
dyno_webgpu_backend_start (DynoBackend *backend, GError **error)
{
  if (!DYNO_BACKEND_CLASS (dyno_webgpu_backend_parent_class)->start (backend, error))
    return FALSE;
  g_ptr_array_unref (get_devices (DYNO_ORT_BACKEND (backend)));
  return TRUE;
}

static void
dyno_webgpu_backend_class_init (DynoWebgpuBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "webgpu";
  backend_class->name = N_ ("WebGPU");
  backend_class->description = N_ ("GPUs through Vulkan, by ONNX Runtime’s WebGPU provider.");
  backend_class->wants_set_uid = TRUE;
  dyno_backend_class_add_options (backend_class, options);
  backend_class->start = dyno_webgpu_backend_start;
  ort_class->provider = DYNO_ORT_PROVIDER_WEBGPU;
  ort_class->remedy = N_ ("Install ONNX Runtime with “Install Engine…” or “dyno-cli engines install "
                          "onnxruntime”, or name a library with WebGPU in Preferences.");
  ort_class->probe_devices = dyno_webgpu_backend_probe_devices;
  ort_class->has_device = dyno_webgpu_backend_has_device;
  ort_class->configure = dyno_webgpu_backend_configure;
}

static void
dyno_webgpu_backend_init (DynoWebgpuBackend *self)
{
}

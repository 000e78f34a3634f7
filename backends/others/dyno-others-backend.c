/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-ort.h"
#include "dyno-ort-api.h"
#include "dyno-ort-backend.h"
#include "dyno-probe.h"
#include "dyno-system.h"

#define XNNPACK "XnnpackExecutionProvider"

/* The remaining execution providers of the installed ONNX Runtimes, and those of plug-in libraries, as its
 * devices. */
G_DECLARE_FINAL_TYPE (DynoOthersBackend, dyno_others_backend, DYNO, OTHERS_BACKEND, DynoOrtBackend)

struct _DynoOthersBackend
{
  DynoOrtBackend parent_instance;
};

/* Where a device's provider is: in a runtime, or in a plug-in of it. */
typedef struct
{
  char *id;
  char *provider;
  char *name;
  DynoDeviceKind kind;
  DynoOrtRuntime *runtime;
  const struct OrtEpDevice *plugin;
} Device;

G_DEFINE_FINAL_TYPE (DynoOthersBackend, dyno_others_backend, DYNO_TYPE_ORT_BACKEND)

/* These providers compute on other machines, or are better reached through OpenVINO itself or a browser. */
static const char *const left_out[] = { "AzureExecutionProvider", "OpenVINOExecutionProvider",
                                        "JsExecutionProvider", "WebNNExecutionProvider", NULL };

static void
device_free (Device *self)
{
  g_free (self->id);
  g_free (self->provider);
  g_free (self->name);
  g_free (self);
}

static const Device *
find_device (GPtrArray *devices, const char *id)
{
  for (guint i = 0; i < devices->len; i++)
    {
      const Device *device = devices->pdata[i];

      if (id == NULL || g_str_equal (device->id, id))
        return device;
    }
  return NULL;
}

/* Uses the first runtime with the provider. A provider whose library is missing in every runtime does not count. */
static void
add_provider (GPtrArray *devices, const char *provider)
{
  const char *suffix = strstr (provider, "ExecutionProvider");
  g_autofree char *id = g_ascii_strdown (provider, suffix != NULL ? suffix - provider : -1);
  DynoOrtRuntime *runtime;
  Device *device;
  g_autoptr (GListModel) backends = dyno_backend_list ();
  gboolean covered = g_strv_contains (left_out, provider);

  for (guint i = 0; !covered && i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      DynoOrtBackendClass *klass =
          DYNO_IS_ORT_BACKEND (backend) ? DYNO_ORT_BACKEND_GET_CLASS (backend) : NULL;

      covered = klass != NULL && (g_strcmp0 (klass->provider, provider) == 0 ||
                                  (klass->covers != NULL && g_strv_contains (klass->covers, provider)));
    }
  if (covered || find_device (devices, id) != NULL)
    return;
  runtime = dyno_ort_library_get_for (provider, NULL);
  if (runtime == NULL)
    return;
  device = g_new0 (Device, 1);
  device->id = g_steal_pointer (&id);
  device->provider = g_strdup (provider);
  device->name = g_strdup (provider);
  device->runtime = runtime;
  g_ptr_array_add (devices, device);
}

#ifdef HAVE_ONNXRUNTIME
static void
add_plugins (GPtrArray *devices, GError **error)
{
  DynoOrtRuntime *runtime = dyno_ort_plugins_are_there (error) ? dyno_ort_library_get_default (NULL) : NULL;
  g_autoptr (GPtrArray) plugins = runtime != NULL ? dyno_ort_plugins_list (runtime, error) : NULL;

  for (guint i = 0; plugins != NULL && i < plugins->len; i++)
    {
      const DynoOrtPlugin *plugin = plugins->pdata[i];
      Device *device = g_new0 (Device, 1);

      device->id = g_strdup (plugin->id);
      device->provider = g_strdup (plugin->provider);
      device->name = g_strdup_printf ("%s (%s)", plugin->provider, plugin->hardware);
      device->kind = plugin->kind;
      device->runtime = runtime;
      device->plugin = plugin->device;
      g_ptr_array_add (devices, device);
    }
}
#else
static void
add_plugins (GPtrArray *devices, GError **error)
{
}
#endif

static GPtrArray *
look_for_devices (DynoOrtBackend *backend, GError **error)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify)device_free);
  g_autoptr (GListModel) runtimes = dyno_engine_library_list_candidates (DYNO_TYPE_ORT_RUNTIME, NULL);

  for (guint i = 0; runtimes != NULL && i < g_list_model_get_n_items (runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (runtimes, i);
      const char *const *providers = dyno_ort_runtime_get_providers (runtime);

      for (guint j = 0; providers[j] != NULL; j++)
        add_provider (devices, providers[j]);
    }
  add_plugins (devices, error);
  dyno_ort_backend_keep_devices (backend, devices);
  return devices;
}

static GPtrArray *
get_devices (DynoOrtBackend *backend)
{
  GPtrArray *devices = dyno_ort_backend_dup_kept_devices (backend);

  return devices != NULL ? devices : look_for_devices (backend, NULL);
}

static gboolean
dyno_others_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);

  return find_device (devices, id) != NULL;
}

static DynoOrtRuntime *
dyno_others_backend_find_runtime (DynoOrtBackend *backend, const char *id, GError **error)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);
  const Device *device = find_device (devices, id);

  return device != NULL ? device->runtime : dyno_ort_library_get_default (error);
}

/* A process opens only one runtime, which is known with the device. */
static gboolean
dyno_others_backend_start (DynoBackend *backend, GError **error)
{
  g_autoptr (GPtrArray) devices = get_devices (DYNO_ORT_BACKEND (backend));

  for (guint i = 1; i < devices->len; i++)
    if (((Device *)devices->pdata[i])->runtime != ((Device *)devices->pdata[0])->runtime)
      return TRUE;
  return DYNO_BACKEND_CLASS (dyno_others_backend_parent_class)->start (backend, error);
}

static gboolean
dyno_others_backend_configure (DynoOrtBackend *backend,
                               DynoOrtRuntime *runtime,
                               const DynoSessionOptions *options,
                               DynoOrtTarget *target,
                               GError **error)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);
  const Device *device = find_device (devices, options->device);

  if (device == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("No ONNX Runtime found here has a further execution provider."));
      return FALSE;
    }
  target->provider = g_intern_string (device->provider);
  target->plugin = device->plugin;
  if (g_str_equal (device->provider, XNNPACK))
    {
      g_autofree char *count =
          g_strdup_printf ("%u", options->threads > 0 ? options->threads : g_get_num_processors ());

      dyno_ort_target_set (target, "intra_op_num_threads", count);
    }
  return TRUE;
}

/* Returns the runtime whose devices this process tries: the open one, because of plug-ins, else the first. */
static DynoOrtRuntime *
choose_runtime (GPtrArray *devices)
{
  for (guint i = 0; i < devices->len; i++)
    {
      const Device *device = devices->pdata[i];

      if (dyno_engine_library_is_open (DYNO_ENGINE_LIBRARY (device->runtime)))
        return device->runtime;
    }
  return devices->len > 0 ? ((Device *)devices->pdata[0])->runtime : NULL;
}

/* Takes the answer of a process that uses the device's runtime. */
static void
try_device_elsewhere (DynoOrtBackend *backend, const Device *known, DynoProbe *probe, GError **error)
{
  const char *const arguments[] = { "--probe", dyno_backend_get_id (DYNO_BACKEND (backend)), NULL };
  g_autoptr (JsonObject) answer =
      dyno_worker_question_ask (arguments, "DYNO_ONNXRUNTIME", dyno_ort_runtime_get_path (known->runtime),
                                dyno_backend_get_probe_seconds (DYNO_BACKEND (backend)), error);
  g_autoptr (DynoProbe) found = answer != NULL ? dyno_probe_new_from_json (answer, error) : NULL;
  DynoDevice *device = found != NULL ? dyno_probe_find_device (found, known->id) : NULL;

  if (device != NULL)
    dyno_probe_take_device (probe, g_object_ref (device));
  else if (found != NULL && dyno_probe_get_reason (found) != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, dyno_probe_get_reason (found));
}

/* Only devices whose provider starts count; the first of the others gives the reason. Unlike other backends it looks at
 * its devices before a runtime is open, which would hide those of the others. */
static DynoProbe *
dyno_others_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  DynoOrtBackend *self = DYNO_ORT_BACKEND (backend);
  g_autoptr (GError) error = NULL;
  DynoOrtRuntime *own, *runtime = dyno_ort_library_get_for (DYNO_ORT_PROVIDER_CPU, &error);
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (DynoProbe) probe = NULL;

  if (runtime == NULL)
    return dyno_probe_new_unsupported (error->message, dyno_ort_library_get_remedy ());
  devices = look_for_devices (self, &error);
  probe = dyno_ort_backend_new_probe (self, runtime);
  own = choose_runtime (devices);
  for (guint i = 0; i < devices->len; i++)
    {
      const Device *known = devices->pdata[i];
      GError **problem = error == NULL ? &error : NULL;
      g_autoptr (DynoDevice) device = dyno_device_new (known->id, known->name, NULL, 0, NULL);

      dyno_device_set_kind (device, known->kind);
      if (known->runtime == own)
        dyno_ort_backend_add_device (self, known->runtime, device, probe, problem);
      else
        try_device_elsewhere (self, known, probe, problem);
    }
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0)
    return g_steal_pointer (&probe);
  return dyno_probe_new_unsupported (
      error != NULL ? error->message : _ ("No ONNX Runtime found here has a further execution provider."),
      _ ("Put the library of a provider into the folder “plugins” of the runtimes folder, or name an ONNX "
         "Runtime library that has more in Preferences."));
}

static char *
dyno_others_backend_fingerprint (DynoBackend *backend)
{
  g_autofree char *folder = dyno_ort_library_dup_plugin_folder ();

  return dyno_system_dup_state (folder);
}

static const DynoEnginePath paths[] = {
  { "plugin-folder", "DYNO_ONNXRUNTIME_PLUGINS", dyno_ort_library_set_plugin_folder,
    dyno_ort_library_dup_plugin_folder },
  { NULL },
};

static void
dyno_others_backend_class_init (DynoOthersBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "onnxruntime";
  backend_class->paths = paths;
  backend_class->name = N_ ("ONNX Runtime");
  backend_class->description = N_ ("Further ONNX Runtime execution providers and plug-ins.");
  backend_class->probe = dyno_others_backend_probe;
  backend_class->start = dyno_others_backend_start;
  backend_class->fingerprint = dyno_others_backend_fingerprint;
  ort_class->find_runtime = dyno_others_backend_find_runtime;
  ort_class->has_device = dyno_others_backend_has_device;
  ort_class->configure = dyno_others_backend_configure;
}

static void
dyno_others_backend_init (DynoOthersBackend *self)
{
}

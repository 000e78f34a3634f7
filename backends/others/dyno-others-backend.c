/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-ort.h"
#include "dyno-ort-api.h"
#include "dyno-ort-backend.h"
#include "dyno-probe.h"

#define XNNPACK "XnnpackExecutionProvider"

/* Plug-ins and further runtimes are tried one after another: one that hangs must leave time for the others. */
#define PROBE_SECONDS     90
#define ELSEWHERE_SECONDS 20

/* The remaining execution providers of the installed ONNX Runtimes, and those of plug-in libraries, as its
 * devices. */
G_DECLARE_FINAL_TYPE (DynoOthersBackend, dyno_others_backend, DYNO, OTHERS_BACKEND, DynoOrtBackend)

struct _DynoOthersBackend
{
  DynoOrtBackend parent_instance;
};

/* A provider of a runtime, or a plug-in, whose devices are known only once it is opened. */
typedef struct
{
  char *id;
  char *provider; /* (nullable) */
  char *path;     /* (nullable): the plug-in's library */
  DynoOrtRuntime *runtime;
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
  g_free (self->path);
  g_free (self);
}

/* Returns whether it is the device @id, or its plug-in offers that: `abacus`, or `abacus-1`. @position: (nullable): gets
 * the place of that device among those of the plug-in. */
static gboolean
holds_device (const Device *self, const char *id, guint *position)
{
  gsize length = strlen (self->id);
  guint64 number = 0;

  if (id != NULL && !g_str_equal (self->id, id) &&
      (self->path == NULL || !g_str_has_prefix (id, self->id) || id[length] != '-' ||
       !g_ascii_string_to_unsigned (id + length + 1, 10, 0, G_MAXINT, &number, NULL)))
    return FALSE;
  if (position != NULL)
    *position = (guint)number;
  return TRUE;
}

static const Device *
find_device (GPtrArray *devices, const char *id, guint *position)
{
  for (guint i = 0; i < devices->len; i++)
    if (holds_device (devices->pdata[i], id, position))
      return devices->pdata[i];
  return NULL;
}

/* Returns whether another backend has this provider, or the plug-in of this name. */
static gboolean
is_covered (const char *provider, const char *plugin)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  gboolean covered = provider != NULL && g_strv_contains (left_out, provider);

  for (guint i = 0; !covered && i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      DynoOrtBackendClass *klass =
          DYNO_IS_ORT_BACKEND (backend) ? DYNO_ORT_BACKEND_GET_CLASS (backend) : NULL;

      if (klass != NULL && provider != NULL)
        covered = g_strcmp0 (klass->provider, provider) == 0 ||
                  (klass->covers != NULL && g_strv_contains (klass->covers, provider));
      else if (klass != NULL)
        covered = g_strcmp0 (klass->plugin, plugin) == 0;
    }
  return covered;
}

/* Uses the first runtime with the provider. A provider whose library is missing in every runtime does not count. */
static void
add_provider (GPtrArray *devices, const char *provider)
{
  const char *suffix = strstr (provider, "ExecutionProvider");
  g_autofree char *id = g_ascii_strdown (provider, suffix != NULL ? suffix - provider : -1);
  DynoOrtRuntime *runtime;
  Device *device;

  if (is_covered (provider, NULL) || find_device (devices, id, NULL) != NULL)
    return;
  runtime = dyno_ort_library_get_for (provider, NULL);
  if (runtime == NULL)
    return;
  device = g_new0 (Device, 1);
  device->id = g_steal_pointer (&id);
  device->provider = g_strdup (provider);
  device->runtime = runtime;
  g_ptr_array_add (devices, device);
}

#ifdef HAVE_ONNXRUNTIME
static void
add_plugins (GPtrArray *devices, GError **error)
{
  g_autoptr (GPtrArray) paths = dyno_ort_plugins_find (error);
  DynoOrtRuntime *runtime = paths->len > 0 ? dyno_ort_library_get_for (DYNO_ORT_PROVIDER_CPU, NULL) : NULL;

  for (guint i = 0; runtime != NULL && i < paths->len; i++)
    {
      g_autofree char *id = dyno_ort_plugins_dup_name (paths->pdata[i]);
      Device *device;

      if (is_covered (NULL, id) || find_device (devices, id, NULL) != NULL)
        continue;
      device = g_new0 (Device, 1);
      device->id = g_steal_pointer (&id);
      device->path = g_strdup (paths->pdata[i]);
      device->runtime = runtime;
      g_ptr_array_add (devices, device);
    }
}

/* Returns the devices of a plug-in, opened here. */
static GPtrArray *
open_plugin (const Device *device, GError **error)
{
  return dyno_ort_plugins_open (device->runtime, device->path, error);
}
#else
static void
add_plugins (GPtrArray *devices, GError **error)
{
}

static GPtrArray *
open_plugin (const Device *device, GError **error)
{
  g_return_val_if_reached (NULL);
}
#endif

static GPtrArray *
look_for_devices (DynoOrtBackend *backend, GError **error)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify)device_free);
  g_autoptr (GListModel) runtimes = dyno_ort_library_has_single_plugin ()
                                        ? NULL
                                        : dyno_engine_library_list_candidates (DYNO_TYPE_ORT_RUNTIME, NULL);

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

  return find_device (devices, id, NULL) != NULL;
}

static DynoOrtRuntime *
dyno_others_backend_find_runtime (DynoOrtBackend *backend, const char *id, GError **error)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);
  const Device *device = find_device (devices, id, NULL);

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
choose_plugin (const Device *device, guint position, DynoOrtTarget *target, GError **error)
{
  g_autoptr (GPtrArray) plugins = open_plugin (device, error);
  const DynoOrtPlugin *plugin;

  if (plugins == NULL)
    return FALSE;
  if (position >= plugins->len)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   ngettext ("The plug-in “%s” offers %u device on this machine.",
                             "The plug-in “%s” offers %u devices on this machine.", plugins->len),
                   device->path, plugins->len);
      return FALSE;
    }
  plugin = plugins->pdata[position];
  target->provider = g_intern_string (plugin->provider);
  target->plugin = plugin->device;
  return TRUE;
}

static gboolean
dyno_others_backend_configure (DynoOrtBackend *backend,
                               DynoOrtRuntime *runtime,
                               const DynoSessionOptions *options,
                               DynoOrtTarget *target,
                               GError **error)
{
  g_autoptr (GPtrArray) devices = get_devices (backend);
  guint position = 0;
  const Device *device = find_device (devices, options->device, &position);

  if (device == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("No ONNX Runtime found here has a further execution provider."));
      return FALSE;
    }
  if (device->path != NULL)
    return choose_plugin (device, position, target, error);
  target->provider = g_intern_string (device->provider);
  if (g_str_equal (device->provider, XNNPACK))
    {
      g_autofree char *count =
          g_strdup_printf ("%u", options->threads > 0 ? options->threads : g_get_num_processors ());

      dyno_ort_target_set (target, "intra_op_num_threads", count);
    }
  return TRUE;
}

/* Returns the runtime whose devices this process tries: the open one, else the first. */
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

/* Tries the devices of the open plug-in. */
static void
try_plugin (DynoOrtBackend *backend, const Device *known, DynoProbe *probe, GError **error)
{
  g_autoptr (GPtrArray) plugins = open_plugin (known, error);

  for (guint i = 0; plugins != NULL && i < plugins->len; i++)
    {
      const DynoOrtPlugin *plugin = plugins->pdata[i];
      g_autofree char *id = plugins->len > 1 ? g_strdup_printf ("%s-%u", known->id, i) : g_strdup (known->id);
      g_autofree char *name = g_strdup_printf ("%s (%s)", plugin->provider, plugin->hardware);
      g_autoptr (DynoDevice) device = dyno_device_new (id, name, NULL, 0, NULL);

      dyno_device_set_kind (device, plugin->kind);
      dyno_ort_backend_add_device (backend, known->runtime, device, probe,
                                   error == NULL || *error == NULL ? error : NULL);
    }
}

/* Takes the answer of a process that uses the device's runtime, or that looks at its plug-in alone: a crash in a
 * plug-in ends only that process. */
static void
try_elsewhere (DynoOrtBackend *backend, const Device *known, DynoProbe *probe, GError **error)
{
  const char *const arguments[] = { "--probe", dyno_backend_get_id (DYNO_BACKEND (backend)), NULL };
  const char *variable = known->path != NULL ? DYNO_ORT_PLUGINS_VARIABLE : DYNO_ORT_VARIABLE;
  const char *path = known->path != NULL ? known->path : dyno_ort_runtime_get_path (known->runtime);
  g_autoptr (GError) problem = NULL;
  g_autoptr (JsonObject) answer =
      dyno_worker_question_ask (arguments, variable, path, ELSEWHERE_SECONDS, &problem);
  g_autoptr (DynoProbe) found = answer != NULL ? dyno_probe_new_from_json (answer, &problem) : NULL;
  GListModel *devices = found != NULL ? dyno_probe_get_devices (found) : NULL;

  for (guint i = 0; devices != NULL && i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      if (known->path != NULL || g_str_equal (dyno_device_get_id (device), known->id))
        dyno_probe_take_device (probe, g_steal_pointer (&device));
    }
  if (problem != NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&problem), "“%s”: ", path);
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

      if (known->path != NULL && dyno_ort_library_has_single_plugin ())
        try_plugin (self, known, probe, problem);
      else if (known->path != NULL || known->runtime != own)
        try_elsewhere (self, known, probe, problem);
      else
        {
          g_autoptr (DynoDevice) device = dyno_device_new (known->id, known->provider, NULL, 0, NULL);

          dyno_ort_backend_add_device (self, known->runtime, device, probe, problem);
        }
    }
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0)
    return g_steal_pointer (&probe);
  return dyno_probe_new_unsupported (
      error != NULL ? error->message : _ ("No ONNX Runtime found here has a further execution provider."),
      _ ("Put the library of a provider into the folder “plugins” of the runtimes folder, or name an ONNX "
         "Runtime library that has more in Preferences."));
}

static const DynoEnginePath paths[] = {
  { "onnxruntime-plugins", DYNO_ORT_PLUGINS_VARIABLE, N_ ("ONNX Runtime Plug-In Folder"), TRUE },
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
  backend_class->wants_set_uid = TRUE;
  backend_class->probe_seconds = PROBE_SECONDS;
  backend_class->probe = dyno_others_backend_probe;
  backend_class->start = dyno_others_backend_start;
  backend_class->fingerprint = dyno_ort_backend_fingerprint_plugins;
  ort_class->find_runtime = dyno_others_backend_find_runtime;
  ort_class->has_device = dyno_others_backend_has_device;
  ort_class->configure = dyno_others_backend_configure;
}

static void
dyno_others_backend_init (DynoOthersBackend *self)
{
}

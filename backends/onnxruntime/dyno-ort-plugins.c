/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-paths.h"

/* This version introduced the call that registers. */
#define NEEDED_API_VERSION 22

/* Installed plug-ins are named after this, as the runtimes beside them are. */
#define PREFIX        "onnxruntime_"
#define PYTHON_FOLDER "onnxruntime_qnn"

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

char *
dyno_ort_plugins_dup_name (const char *path)
{
  static const char *const prefixes[] = { "lib", PREFIX, "providers_" };
  g_autofree char *file = g_path_get_basename (path);
  const char *name = file;
  char *end;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      name += strlen (prefixes[i]);
  end = strstr (name, ".so");
  if (end != NULL)
    *end = '\0';
  if (g_str_has_suffix (name, "_plugin"))
    file[strlen (file) - strlen ("_plugin")] = '\0';
  return g_ascii_strdown (name, -1);
}

/* The libraries of a runtime's own providers are beside it and have the same factory as plug-ins. */
static gboolean
belongs_to_runtime (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "libonnxruntime.so"))
      return TRUE;
  return FALSE;
}

/* Adds the library, unless there is one of its name already. Returns whether it is a plug-in that is looked for; no other
 * file is read. @only: the short name, NULL for all. */
static gboolean
add_library (GPtrArray *paths, const char *path, const char *only)
{
  g_autofree char *name = dyno_ort_plugins_dup_name (path);

  if ((only != NULL && !g_str_equal (name, only)) || !dyno_ort_plugin_file_has_factory (path))
    return FALSE;
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *other = dyno_ort_plugins_dup_name (paths->pdata[i]);

      if (g_str_equal (other, name))
        return TRUE;
    }
  g_ptr_array_add (paths, g_strdup (path));
  return TRUE;
}

/* Returns the possible plug-ins in the named folder, or the named library itself. */
static GPtrArray *
list_named (GError **error)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *named = dyno_ort_library_dup_plugin_folder ();
  g_autofree char *usual = dyno_paths_build (DYNO_PATH_RUNTIMES, "plugins", NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_file_test (named, G_FILE_TEST_IS_REGULAR))
    {
      g_ptr_array_add (files, g_strdup (named));
      return files;
    }
  dir = g_dir_open (named, 0, NULL);
  /* The runtimes folder's own need not exist; a named folder must. */
  if (dir == NULL && !g_str_equal (named, usual))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("The named folder of plug-ins “%s” is not there or cannot be read."), named);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "lib") && strstr (name, ".so") != NULL)
      g_ptr_array_add (files, g_build_filename (named, name, NULL));
  g_ptr_array_sort (files, compare_paths);
  return files;
}

static GPtrArray *
find (const char *only, GError **error)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = list_named (error);
  g_auto (GStrv) installed = NULL;
  gboolean is_plugin = files->len == 0;

  for (guint i = 0; i < files->len; i++)
    is_plugin = add_library (paths, files->pdata[i], only) || is_plugin;
  if (!is_plugin)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is not a plug-in of ONNX Runtime: it does not export “%s”."),
                 (const char *)files->pdata[0], DYNO_ORT_PLUGIN_FACTORY);
  if (dyno_ort_library_has_single_plugin ())
    return paths;
  installed = dyno_library_search ("lib" PREFIX, PYTHON_FOLDER);
  for (guint i = 0; installed[i] != NULL; i++)
    if (!belongs_to_runtime (installed[i]))
      add_library (paths, installed[i], only);
  return paths;
}

GPtrArray *
dyno_ort_plugins_find (GError **error)
{
  return find (NULL, error);
}

char *
dyno_ort_plugins_dup_path (const char *name)
{
  g_autoptr (GPtrArray) paths = find (name, NULL);

  return paths->len > 0 ? g_strdup (paths->pdata[0]) : NULL;
}

#if ORT_API_VERSION >= NEEDED_API_VERSION
/* Some plug-ins name their provider after their registration, and expect these names. */
static const struct
{
  const char *name;
  const char *provider;
} providers[] = {
  { "qnn", DYNO_ORT_PROVIDER_QNN },
  { "webgpu", DYNO_ORT_PROVIDER_WEBGPU },
  { "openvino", "OpenVINOExecutionProvider" },
  { "nv_tensorrt_rtx", "NvTensorRTRTXExecutionProvider" },
};

static void
plugin_free (DynoOrtPlugin *self)
{
  g_free (self->provider);
  g_free (self->hardware);
  g_free (self);
}

gboolean
dyno_ort_plugins_register (DynoOrtRuntime *runtime, const char *path, GError **error)
{
  static GMutex mutex;
  static GHashTable *registered;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  g_autofree char *key = g_strdup_printf ("%s\n%s", dyno_ort_runtime_get_path (runtime), path);
  g_autofree char *file = g_path_get_basename (path);
  g_autofree char *name = dyno_ort_plugins_dup_name (path);
  const char *registration = name;
  OrtStatus *status;
  OrtEnv *env = dyno_ort_runtime_get_env (runtime, error);

  if (env == NULL)
    return FALSE;
  if (registered == NULL)
    registered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_contains (registered, key))
    return TRUE;
  if (dyno_ort_runtime_get_api_version (runtime) < NEEDED_API_VERSION)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("ONNX Runtime %s cannot use the plug-in “%s”: that takes 1.%d."),
                   dyno_ort_runtime_get_version (runtime), path, NEEDED_API_VERSION);
      return FALSE;
    }
  /* A name that the runtime has for a provider of its own is taken. */
  for (guint i = 0; i < G_N_ELEMENTS (providers); i++)
    if (g_str_equal (providers[i].name, name) &&
        !g_strv_contains (dyno_ort_runtime_get_providers (runtime), providers[i].provider))
      registration = providers[i].provider;
  /* If it cannot be opened, the runtime says why. */
  dyno_ort_plugin_file_open (path);
  status = dyno_ort_runtime_get_api (runtime)->RegisterExecutionProviderLibrary (env, registration, path);
  if (!dyno_ort_error_check_provider (runtime, file, status, error))
    return FALSE;
  g_hash_table_add (registered, g_steal_pointer (&key));
  return TRUE;
}

GPtrArray *
dyno_ort_plugins_open (DynoOrtRuntime *runtime, const char *path, GError **error)
{
  g_autoptr (GPtrArray) plugins = g_ptr_array_new_with_free_func ((GDestroyNotify)plugin_free);
  g_autofree char *file = g_path_get_basename (path);
  const OrtApi *api = dyno_ort_runtime_get_api (runtime);
  const OrtEpDevice *const *devices = NULL;
  gsize n_devices = 0;

  if (!dyno_ort_plugins_register (runtime, path, error) ||
      !dyno_ort_error_check_provider (
          runtime, file, api->GetEpDevices (dyno_ort_runtime_get_env (runtime, NULL), &devices, &n_devices),
          error))
    return NULL;
  for (gsize i = 0; i < n_devices; i++)
    if (g_strcmp0 (api->GetKeyValue (api->EpDevice_EpMetadata (devices[i]), "library_path"), path) == 0)
      {
        const OrtEpDevice *device = devices[i];
        const OrtHardwareDevice *hardware = api->EpDevice_Device (device);
        OrtHardwareDeviceType type = api->HardwareDevice_Type (hardware);
        DynoOrtPlugin *plugin = g_new0 (DynoOrtPlugin, 1);

        plugin->provider = g_strdup (api->EpDevice_EpName (device));
        plugin->hardware = g_strdup (api->HardwareDevice_Vendor (hardware));
        /* A graphics processor may be of either kind. */
        plugin->kind = type == OrtHardwareDeviceType_CPU   ? DYNO_DEVICE_KIND_CPU
                       : type == OrtHardwareDeviceType_NPU ? DYNO_DEVICE_KIND_NPU
                                                           : DYNO_DEVICE_KIND_UNKNOWN;
        plugin->device = device;
        g_ptr_array_add (plugins, plugin);
      }
  if (plugins->len > 0)
    return g_steal_pointer (&plugins);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The plug-in “%s” was loaded, but offers no device on this machine."), path);
  return NULL;
}
#else
gboolean
dyno_ort_plugins_register (DynoOrtRuntime *runtime, const char *path, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("This Dyno was built with a header of ONNX Runtime that is too old for the plug-in “%s”."),
               path);
  return FALSE;
}

GPtrArray *
dyno_ort_plugins_open (DynoOrtRuntime *runtime, const char *path, GError **error)
{
  dyno_ort_plugins_register (runtime, path, error);
  return NULL;
}
#endif

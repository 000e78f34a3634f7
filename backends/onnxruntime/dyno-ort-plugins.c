/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-paths.h"

/* This version introduced the call that registers. */
#define NEEDED_API_VERSION 22

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_libraries (GError **error)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = dyno_ort_library_dup_plugin_folder ();
  g_autofree char *usual = dyno_paths_build (DYNO_PATH_RUNTIMES, "plugins", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  /* The runtimes folder's own need not exist; a named folder must. */
  if (dir == NULL && !g_str_equal (folder, usual))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("The named folder of plug-ins “%s” is not there or cannot be read."), folder);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "lib") && strstr (name, ".so") != NULL)
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

gboolean
dyno_ort_plugins_are_there (GError **error)
{
  g_autoptr (GPtrArray) paths = list_libraries (error);

  return paths->len > 0;
}

#if ORT_API_VERSION >= NEEDED_API_VERSION
static void
plugin_free (DynoOrtPlugin *self)
{
  g_free (self->id);
  g_free (self->provider);
  g_free (self->vendor);
  g_free (self->hardware);
  g_free (self);
}

static DynoOrtPlugin *
describe_device (const OrtApi *api, const OrtEpDevice *device)
{
  const OrtHardwareDevice *hardware = api->EpDevice_Device (device);
  OrtHardwareDeviceType type = api->HardwareDevice_Type (hardware);
  DynoOrtPlugin *plugin = g_new0 (DynoOrtPlugin, 1);

  plugin->provider = g_strdup (api->EpDevice_EpName (device));
  plugin->vendor = g_strdup (api->EpDevice_EpVendor (device));
  plugin->hardware = g_strdup (api->HardwareDevice_Vendor (hardware));
  /* A graphics processor may be of either kind. */
  plugin->kind = type == OrtHardwareDeviceType_CPU   ? DYNO_DEVICE_KIND_CPU
                 : type == OrtHardwareDeviceType_NPU ? DYNO_DEVICE_KIND_NPU
                                                     : DYNO_DEVICE_KIND_UNKNOWN;
  plugin->device = device;
  return plugin;
}

gboolean
dyno_ort_plugins_register (DynoOrtRuntime *runtime, const char *path, GError **error)
{
  static GMutex mutex;
  static GHashTable *registered;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  g_autofree char *key = g_strdup_printf ("%s\n%s", dyno_ort_runtime_get_path (runtime), path);
  g_autofree char *name = g_path_get_basename (path);
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
  status = dyno_ort_runtime_get_api (runtime)->RegisterExecutionProviderLibrary (env, path, path);
  if (!dyno_ort_error_check_provider (runtime, name, status, error))
    return FALSE;
  g_hash_table_add (registered, g_steal_pointer (&key));
  return TRUE;
}

GPtrArray *
dyno_ort_plugins_list (DynoOrtRuntime *runtime, GError **error)
{
  GPtrArray *plugins = g_ptr_array_new_with_free_func ((GDestroyNotify)plugin_free);
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) paths = list_libraries (&problem);

  for (guint i = 0; i < paths->len; i++)
    dyno_ort_plugins_register (runtime, paths->pdata[i], problem == NULL ? &problem : NULL);
  if (paths->len > 0 && dyno_ort_runtime_get_env (runtime, NULL) != NULL)
    {
      /* Providers that are built into the runtime belong to other backends. */
      OrtEnv *env = dyno_ort_runtime_get_env (runtime, NULL);
      const OrtApi *api = dyno_ort_runtime_get_api (runtime);
      const OrtEpDevice *const *devices = NULL;
      gsize n_devices = 0;
      OrtStatus *status = api->GetEpDevices (env, &devices, &n_devices);

      for (gsize i = 0; status == NULL && i < n_devices; i++)
        if (!g_strv_contains (dyno_ort_runtime_get_providers (runtime), api->EpDevice_EpName (devices[i])))
          g_ptr_array_add (plugins, describe_device (api, devices[i]));
      g_clear_pointer (&status, api->ReleaseStatus);
    }

  for (guint i = 0; i < plugins->len; i++)
    {
      DynoOrtPlugin *plugin = plugins->pdata[i];
      guint n_before = 0, n_all = 0;

      for (guint j = 0; j < plugins->len; j++)
        if (g_str_equal (((DynoOrtPlugin *)plugins->pdata[j])->provider, plugin->provider))
          {
            n_before += j < i;
            n_all++;
          }
      plugin->id =
          n_all > 1 ? g_strdup_printf ("%s-%u", plugin->provider, n_before) : g_strdup (plugin->provider);
    }

  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  return plugins;
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
dyno_ort_plugins_list (DynoOrtRuntime *runtime, GError **error)
{
  g_autoptr (GPtrArray) paths = list_libraries (error);

  if (paths->len > 0)
    dyno_ort_plugins_register (runtime, paths->pdata[0], error);
  return g_ptr_array_new ();
}
#endif

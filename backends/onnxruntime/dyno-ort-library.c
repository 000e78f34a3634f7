/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-ort-api.h"
#include "dyno-ort-library.h"
#include "dyno-ort-provider.h"
#include "dyno-paths.h"

static GMutex path_mutex;
static char *plugins_from_settings;

/**
 * dyno_ort_library_set_path:
 * @path: (nullable): the library that the user's settings name, %NULL to search
 *
 * A library that is named is used or is an error: never silently another one.
 */
void
dyno_ort_library_set_path (const char *path)
{
  dyno_engine_library_set_named (DYNO_TYPE_ORT_RUNTIME, path);
}

/**
 * dyno_ort_library_dup_path:
 *
 * The library that was named: by the environment variable `DYNO_ONNXRUNTIME`, else by [func@Dyno.ort_library_set_path].
 * The variable passes it on to a process that measures.
 *
 * Returns: (transfer full) (nullable): its path, or %NULL if it is to be searched
 */
char *
dyno_ort_library_dup_path (void)
{
  return dyno_engine_library_dup_named (DYNO_TYPE_ORT_RUNTIME);
}

/**
 * dyno_ort_library_set_plugin_folder:
 * @path: (nullable): the folder that the user's settings name, %NULL for `plugins` in the runtimes folder
 *
 * Where libraries of execution providers lie that ONNX Runtime uses beside its own.
 */
void
dyno_ort_library_set_plugin_folder (const char *path)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&path_mutex);

  g_free (plugins_from_settings);
  plugins_from_settings = path != NULL && *path != '\0' ? g_strdup (path) : NULL;
}

/**
 * dyno_ort_library_dup_plugin_folder:
 *
 * Returns: (transfer full): the folder of plug-ins: what the environment variable `DYNO_ONNXRUNTIME_PLUGINS` names,
 *   else [func@Dyno.ort_library_set_plugin_folder], else `plugins` in the runtimes folder
 */
char *
dyno_ort_library_dup_plugin_folder (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&path_mutex);
  const char *from_environment = g_getenv ("DYNO_ONNXRUNTIME_PLUGINS");

  if (from_environment != NULL && *from_environment != '\0')
    return g_strdup (from_environment);
  return plugins_from_settings != NULL ? g_strdup (plugins_from_settings)
                                       : dyno_paths_build (DYNO_PATH_RUNTIMES, "plugins", NULL);
}

/**
 * dyno_ort_library_list_found:
 *
 * Looks for libraries of ONNX Runtime: the one that was named, those in the runtimes folder, the system's, those in
 * Python environments. They are not opened.
 *
 * Returns: (transfer full): a list of [class@Dyno.OrtRuntime] in order of preference
 */
GListModel *
dyno_ort_library_list_found (void)
{
  return dyno_engine_library_list_found (DYNO_TYPE_ORT_RUNTIME);
}

/**
 * dyno_ort_library_get_default:
 * @error: return location for an error; its remedy is [func@Dyno.ort_library_get_remedy]
 *
 * Opens the library that was named, or the first usable one.
 *
 * Returns: (transfer none) (nullable): a usable runtime
 */
DynoOrtRuntime *
dyno_ort_library_get_default (GError **error)
{
  return dyno_engine_library_get_default (DYNO_TYPE_ORT_RUNTIME, error);
}

static gboolean
is_listed (DynoOrtRuntime *runtime, const char *provider)
{
  return g_strv_contains (dyno_ort_runtime_get_providers (runtime), provider);
}

#ifdef HAVE_ONNXRUNTIME
static gboolean
check_provider (DynoOrtRuntime *runtime, const char *provider, GError **error)
{
  g_autofree char *library = NULL;
  g_autofree char *name = NULL;

  if (!is_listed (runtime, provider))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("ONNX Runtime %s (“%s”) was built without the provider “%s”."),
                   dyno_ort_runtime_get_version (runtime), dyno_ort_runtime_get_path (runtime), provider);
      return FALSE;
    }
  library = dyno_ort_provider_dup_library (runtime, provider);
  if (library == NULL || g_file_test (library, G_FILE_TEST_EXISTS))
    return TRUE;
  name = g_path_get_basename (library);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("ONNX Runtime %s (“%s”) knows the provider “%s”, but the library “%s” is not beside it."),
               dyno_ort_runtime_get_version (runtime), dyno_ort_runtime_get_path (runtime), provider, name);
  return FALSE;
}
#else
static gboolean
check_provider (DynoOrtRuntime *runtime, const char *provider, GError **error)
{
  g_return_val_if_reached (FALSE);
}
#endif

/* A single one is opened without a look into it. */
static gboolean
is_usable (GListModel *candidates, DynoOrtRuntime *runtime, GError **error)
{
  DynoEngineLibrary *library = DYNO_ENGINE_LIBRARY (runtime);

  return g_list_model_get_n_items (candidates) == 1 ? dyno_engine_library_load (library, error)
                                                    : dyno_engine_library_inspect (library, error);
}

static DynoOrtRuntime *
find_with_provider (GListModel *candidates, const char *provider, GError **error)
{
  g_autoptr (GError) broken = NULL;
  g_autoptr (GError) problem = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (candidates); i++)
    {
      /* It stays without this reference. */
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (candidates, i);

      if (!is_usable (candidates, runtime, broken == NULL ? &broken : NULL))
        continue;
      if (is_listed (runtime, provider)) /* what it lacks says more than that others do not know of it */
        g_clear_error (&problem);
      if (check_provider (runtime, provider, problem == NULL ? &problem : NULL))
        return runtime;
    }
  g_propagate_error (error, problem != NULL ? g_steal_pointer (&problem) : g_steal_pointer (&broken));
  return NULL;
}

/**
 * dyno_ort_library_get_for:
 * @provider: an execution provider's name
 * @error: return location for an error: %DYNO_ERROR_UNSUPPORTED if there are runtimes but none has the provider,
 *   else as of [func@Dyno.ort_library_get_default]
 *
 * Finds the library that was named, or the first usable one that has the provider: one for each vendor's devices may
 * lie beside another. It is opened when it is first used; from then on this process uses no other.
 *
 * Returns: (transfer none) (nullable): a usable runtime with that provider
 */
DynoOrtRuntime *
dyno_ort_library_get_for (const char *provider, GError **error)
{
  g_autoptr (GListModel) candidates = NULL;

  g_return_val_if_fail (provider != NULL, NULL);

  candidates = dyno_engine_library_list_candidates (DYNO_TYPE_ORT_RUNTIME, error);
  return candidates != NULL ? find_with_provider (candidates, provider, error) : NULL;
}

/**
 * dyno_ort_library_get_remedy:
 *
 * Returns: (transfer none): what to do when there is no usable library, as a sentence
 */
const char *
dyno_ort_library_get_remedy (void)
{
#ifdef HAVE_ONNXRUNTIME
  return _ ("Install it with “Install Engine…” or “dyno-cli engines install onnxruntime”, install your "
            "distribution’s libonnxruntime, or name a library in Preferences.");
#else
  return _ ("Install libonnxruntime-dev or set the build option “ort_include”, and build Dyno again.");
#endif
}

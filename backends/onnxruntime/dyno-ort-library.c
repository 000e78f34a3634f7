/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-ort-api.h"
#include "dyno-paths.h"

char *
dyno_ort_library_dup_plugin_folder (void)
{
  char *named = dyno_engine_path_dup (DYNO_ORT_PLUGINS_VARIABLE);

  return named != NULL ? named : dyno_paths_build (DYNO_PATH_RUNTIMES, "plugins", NULL);
}

gboolean
dyno_ort_library_has_single_plugin (void)
{
  g_autofree char *named = dyno_ort_library_dup_plugin_folder ();

  return g_file_test (named, G_FILE_TEST_IS_REGULAR);
}

GListModel *
dyno_ort_library_list_found (void)
{
  return dyno_engine_library_list_found (DYNO_TYPE_ORT_RUNTIME);
}

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

DynoOrtRuntime *
dyno_ort_library_get_for (const char *provider, GError **error)
{
  g_autoptr (GListModel) candidates = NULL;
  g_autoptr (GError) broken = NULL;
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (provider != NULL, NULL);

  candidates = dyno_engine_library_list_candidates (DYNO_TYPE_ORT_RUNTIME, error);
  if (candidates == NULL)
    return NULL;
  for (guint i = 0; i < g_list_model_get_n_items (candidates); i++)
    {
      /* The runtime outlives this reference. */
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (candidates, i);
      DynoEngineLibrary *library = DYNO_ENGINE_LIBRARY (runtime);
      GError **why = broken == NULL ? &broken : NULL;

      /* A single candidate is opened without inspection. */
      if (!(g_list_model_get_n_items (candidates) == 1 ? dyno_engine_library_load (library, why)
                                                       : dyno_engine_library_inspect (library, why)))
        continue;
      /* Its own problem is more useful than that others lack the provider. */
      if (is_listed (runtime, provider))
        g_clear_error (&problem);
      if (check_provider (runtime, provider, problem == NULL ? &problem : NULL))
        return runtime;
    }
  g_propagate_error (error, problem != NULL ? g_steal_pointer (&problem) : g_steal_pointer (&broken));
  return NULL;
}

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-browser.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-system.h"

#define BROWSER_PREFIX "chromium-"
#define RUNTIME_PREFIX "onnxruntime-web-"
#define RUNTIME_ENTRY  "ort.all.min.mjs"

/* Browsers in which WebNN was seen precede those that are built without it. */
static const char *const programs[] = { "google-chrome",         "google-chrome-stable", "microsoft-edge",
                                        "microsoft-edge-stable", "chromium-browser",     "chromium" };

/* Returns the folder of that prefix with the highest version that contains @file. */
static char *
find_in_runtimes (const char *prefix, const char *file, GFileTest test)
{
  g_autofree char *root = dyno_paths_build (DYNO_PATH_RUNTIMES, "", NULL);
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  g_autofree char *best = NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (root, name, file, NULL);

      if (!g_str_has_prefix (name, prefix) || !g_file_test (path, test))
        continue;
      if (best != NULL && dyno_system_compare_versions (name, best) < 0)
        continue;
      g_free (best);
      best = g_strdup (name);
    }
  return best != NULL ? g_build_filename (root, best, NULL) : NULL;
}

/* Several names may lead to one browser. */
static void
take_browser (GPtrArray *browsers, GHashTable *files, char *path)
{
  g_autofree char *real = path != NULL ? realpath (path, NULL) : NULL;

  if (real != NULL && g_hash_table_add (files, g_strdup (real)))
    g_ptr_array_add (browsers, path);
  else
    g_free (path);
}

char **
dyno_browser_list (GError **error)
{
  g_autofree char *named = dyno_engine_path_dup (DYNO_BROWSER_VARIABLE);
  g_autofree char *folder = NULL;
  g_autoptr (GPtrArray) browsers = g_ptr_array_new ();
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (named != NULL)
    {
      const char *const only[] = { named, NULL };

      if (g_file_test (named, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (named, G_FILE_TEST_IS_DIR))
        return g_strdupv ((char **)only);
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                   _ ("The named browser “%s” does not exist or cannot be executed."), named);
      return NULL;
    }
  folder = find_in_runtimes (BROWSER_PREFIX, "chromium", G_FILE_TEST_IS_EXECUTABLE);
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    take_browser (browsers, files, g_find_program_in_path (programs[i]));
  take_browser (browsers, files, folder != NULL ? g_build_filename (folder, "chromium", NULL) : NULL);
  g_ptr_array_add (browsers, NULL);
  if (browsers->len > 1)
    return (char **)g_ptr_array_steal (browsers, NULL);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                       _ ("No browser of the Chromium family was found."));
  return NULL;
}

char *
dyno_browser_dup_state (void)
{
  g_autofree char *named = dyno_engine_path_dup (DYNO_BROWSER_VARIABLE);
  g_auto (GStrv) browsers = dyno_browser_list (NULL);
  g_autoptr (GString) text = g_string_new (named != NULL ? named : "");

  for (guint i = 0; browsers != NULL && browsers[i] != NULL; i++)
    {
      g_autofree char *state = dyno_system_dup_state (browsers[i]);

      g_string_append_printf (text, "\n%s %s", browsers[i], state);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
dyno_browser_find_runtime (GError **error)
{
  char *folder = find_in_runtimes (RUNTIME_PREFIX, RUNTIME_ENTRY, G_FILE_TEST_IS_REGULAR);
  g_autofree char *root = NULL;

  if (folder != NULL)
    return folder;
  root = dyno_paths_build (DYNO_PATH_RUNTIMES, "", NULL);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
               _ ("ONNX Runtime Web was not found: no folder “%s…” in “%s” holds “%s”."), RUNTIME_PREFIX,
               root, RUNTIME_ENTRY);
  return NULL;
}

char *
dyno_browser_dup_runtime_version (void)
{
  g_autofree char *folder = dyno_browser_find_runtime (NULL);
  g_autofree char *name = folder != NULL ? g_path_get_basename (folder) : NULL;

  return g_strdup (name != NULL ? name + strlen (RUNTIME_PREFIX) : "");
}

const char *
dyno_browser_get_remedy (void)
{
  return _ (
      "Install ONNX Runtime Web with “Install Engine…” or “dyno-cli engines install onnxruntime-web”, and a "
      "browser: Google Chrome, Chromium, or that of “dyno-cli engines install chromium”. Preferences can "
      "name "
      "another one.");
}

const char *
dyno_browser_get_retry_remedy (void)
{
  return _ ("Refresh the Hardware page, or run “dyno-cli hardware --fresh”. If that does not help, choose "
            "another browser in Preferences.");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-onnx-writer.h"
#include "dyno-paths.h"
#include "dyno-system.h"
#include "dyno-worker-private.h"

/* A library of an engine has tens of megabytes, so its hash is kept until the file changes. */
static char *
dup_hash (const char *path)
{
  g_autofree char *state = dyno_system_dup_state (path);
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, state, -1);
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_CACHE, "hashes", NULL);
  g_autofree char *kept = g_build_filename (folder, key, NULL);
  g_autofree char *hash = NULL;
  gsize length = 0;

  if (g_file_get_contents (kept, &hash, &length, NULL) && length == strlen (key))
    return g_steal_pointer (&hash);

  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  if (file == NULL)
    return g_strdup (_ ("unknown"));
  g_free (hash);
  hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)g_mapped_file_get_contents (file),
                                      g_mapped_file_get_length (file));
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents (kept, hash, -1, NULL);
  return g_steal_pointer (&hash);
}

char *
dyno_provenance_describe (const char *spec, const char *onnx_path, guint64 seed)
{
  g_autofree char *path = g_canonicalize_filename (spec, NULL);
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  g_autofree char *hash = NULL;

  if (g_str_equal (path, onnx_path))
    {
      hash = dup_hash (onnx_path);
      return g_strdup_printf (_ ("The file’s SHA-256 is %s."), hash);
    }
  folder = g_path_get_dirname (onnx_path);
  name = g_path_get_basename (folder);

  /* Random weights have no such file. */
  g_autofree char *hash_path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);

  if (g_file_get_contents (hash_path, &hash, NULL, NULL))
    return g_strdup_printf (_ ("Built as %s with trained weights, whose SHA-256 is %s."), name, hash);
  return g_strdup_printf (_ ("Built as %s with random weights of seed %" PRIu64 "."), name, seed);
}

char *
dyno_provenance_describe_served (const char *spec, const DynoServer *server)
{
  const char *name = dyno_model_get_served_name (spec);

  if (server->precision != NULL)
    return g_strdup_printf (_ ("%s holds the model as “%s” and says that it is in %s."), server->name, name,
                            server->precision);
  return g_strdup_printf (_ ("%s holds the model as “%s” and does not say in which precision."), server->name,
                          name);
}

/* The libraries of an engine that this process has loaded. Their names begin alike, as in “libopenvino_c.so” and
 * “libopenvino_intel_cpu_plugin.so”. */
typedef struct
{
  const char *folder;
  const char *beginning;
  GPtrArray *paths;
} Loaded;

static int
add_loaded (struct dl_phdr_info *object, size_t size, void *data)
{
  Loaded *loaded = data;
  g_autofree char *path = realpath (object->dlpi_name, NULL);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;

  if (path != NULL && g_str_equal (folder, loaded->folder) && g_str_has_prefix (name, loaded->beginning))
    g_ptr_array_add (loaded->paths, g_steal_pointer (&path));
  return 0;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char *
dyno_provenance_describe_libraries (const char *library)
{
  g_autofree char *real_path = realpath (library, NULL);
  const char *path = real_path != NULL ? real_path : library;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *beginning = g_path_get_basename (path);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (free);
  Loaded loaded = { folder, beginning, paths };
  GString *list = g_string_new (NULL);

  beginning[strcspn (beginning, "_.-0123456789")] = '\0';
  dl_iterate_phdr (add_loaded, &loaded);
  g_ptr_array_sort (paths, compare_paths);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *name = g_path_get_basename (paths->pdata[i]);
      g_autofree char *hash = dup_hash (paths->pdata[i]);

      g_string_append_printf (list, "%s%s %s", i > 0 ? ", " : "", name, hash);
    }
  return g_string_free (list, FALSE);
}

void
dyno_provenance_add (DynoResult *result, GPtrArray *libraries)
{
  g_autofree char *program = dyno_paths_build (DYNO_PATH_PROCFS, "self/exe", NULL);
  g_autofree char *own = dup_hash (program);
  g_autofree char *named = dyno_case_dup_library (dyno_result_get_case (result));
  g_autofree char *build = g_strdup_printf (_ ("SHA-256 of Dyno %s: dyno-worker %s."), PACKAGE_VERSION, own);
  DynoEngineLibrary *library = libraries->len > 0 ? libraries->pdata[0] : NULL;
  g_autoptr (GString) sentences = g_string_new (NULL);

  for (guint i = 0; i < libraries->len; i++)
    {
      const char *path = dyno_engine_library_get_path (libraries->pdata[i]);
      g_autofree char *hashes = dyno_provenance_describe_libraries (path);

      g_string_append (sentences, i > 0 ? " " : "");
      g_string_append_printf (sentences,
                              i == 0 ? _ ("SHA-256 of the engine: %s.")
                                     : _ ("SHA-256 of another engine, for stages: %s."),
                              hashes);
    }
  if (library != NULL)
    dyno_result_take_diagnostic (result,
                                 dyno_diagnostic_new (DYNO_SEVERITY_INFO, "engine-library", sentences->str));
  /* The run says only which version the usual library has. */
  if (library != NULL && named != NULL && dyno_engine_library_get_version (library) != NULL)
    {
      /* As a probe names the engine. */
      g_autofree char *engine = g_strdup_printf ("%s %s", DYNO_ENGINE_LIBRARY_GET_CLASS (library)->name,
                                                 dyno_engine_library_get_version (library));

      dyno_result_take_diagnostic (result,
                                   dyno_diagnostic_new (DYNO_SEVERITY_INFO, "engine-version", engine));
    }
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "dyno-build", build));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-importer.h"

/* A folder that leads deeper than this is followed no further. */
#define MAX_DEPTH 16

/* The same file always becomes the same run: a UUID of version 8, of the first bits of the hash. */
static char *
build_id (const char *hash)
{
  static const char variants[] = "89ab";

  return g_strdup_printf ("%.8s-%.4s-8%.3s-%c%.3s-%.12s", hash, hash + 8, hash + 12,
                          variants[g_ascii_xdigit_value (hash[15]) & 3], hash + 16, hash + 19);
}

static DynoRun *
build_run (DynoImportFile *file, const DynoDialect *dialect, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoOrigin) origin = dyno_origin_new ();
  g_autofree char *id = NULL;

  if (!dyno_import_file_finish (file, &origin->hash, &origin->size, &origin->content, error))
    return NULL;
  id = build_id (origin->hash);
  origin->dialect = g_strdup (dialect->name);
  origin->file_name = g_strdup (dyno_import_file_get_name (file));
  origin->imported_at = g_get_real_time ();
  dyno_import_builder_set_time (builder, dyno_import_file_get_time (file));
  dyno_import_builder_set_time (builder, origin->imported_at);
  return dyno_import_builder_finish (builder, id, origin);
}

static void
refuse_unknown (const char *head, GError **error)
{
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      g_str_has_prefix (head, "SQLite format 3")
          ? _ ("It is a document of Dyno: open it in the window, or with “dyno-cli open --import”.")
          : _ ("It is of no format that Dyno knows. “dyno-cli import --formats” lists those."));
}

/**
 * dyno_importer_read:
 * @file: a file, at its beginning
 * @dialect: (nullable): what to read it as; %NULL for what it is recognised as
 * @error: return location, %DYNO_ERROR_UNSUPPORTED where it is of no known dialect, %DYNO_ERROR_INVALID_DATA with the
 *   line where it is not as its dialect has it
 *
 * Returns: (transfer full): the run that it holds, with its origin
 */
DynoRun *
dyno_importer_read (DynoImportFile *file, const DynoDialect *dialect, GError **error)
{
  const char *head = dyno_import_file_get_head (file);
  g_autoptr (DynoImportBuilder) builder = NULL;

  if (dialect == NULL)
    dialect = dyno_dialect_find (head);
  if (dialect == NULL)
    {
      refuse_unknown (head, error);
      return NULL;
    }
  builder = dyno_import_builder_new (_ (dialect->method));
  if (!dialect->read (file, builder, error))
    return NULL;
  if (dyno_import_builder_get_n_cases (builder) > 0)
    return build_run (file, dialect, builder, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("It is a file of %s, but holds no result."),
               dialect->title);
  return NULL;
}

/**
 * dyno_importer_import:
 * @store: where to
 * @path: a file of another tool
 * @cancellable: (nullable): ends the reading
 * @progress: (nullable): called as the reading goes on, on this thread
 * @data: for @progress
 * @is_new: (out): whether the store had not got all of it
 * @error: return location, as of [func@Dyno.importer_read], with the name of the file
 *
 * Takes the file in whole or not at all. Taking in the same content again changes nothing, whatever its name. May be
 * called from any thread, and takes as long as the file is large.
 *
 * Returns: (transfer full): the run
 */
DynoRun *
dyno_importer_import (DynoStore *store,
                      const char *path,
                      GCancellable *cancellable,
                      DynoImportProgress progress,
                      gpointer data,
                      gboolean *is_new,
                      GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (DynoImportFile) file = dyno_import_file_open (path, cancellable, progress, data, error);
  g_autoptr (DynoRun) run = file != NULL ? dyno_importer_read (file, NULL, error) : NULL;

  if (run != NULL && dyno_store_add_run (store, run, is_new, error))
    return g_steal_pointer (&run);
  g_prefix_error (error, _ ("“%s” was not imported. "), name);
  return NULL;
}

/**
 * dyno_importer_is_foreign:
 * @error: an error of [func@Dyno.importer_import]
 *
 * Returns: whether the file is none of another tool’s results, so that in a folder it may be passed over
 */
gboolean
dyno_importer_is_foreign (const GError *error)
{
  return g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

/**
 * dyno_importer_recognises:
 * @path: a file or a folder
 *
 * May be called from any thread.
 *
 * Returns: whether @path is a file of a known dialect, or a folder, in which such files may lie
 */
gboolean
dyno_importer_recognises (const char *path)
{
  g_autoptr (DynoImportFile) file = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  file = dyno_import_file_open (path, NULL, NULL, NULL, NULL);
  return file != NULL && dyno_dialect_find (dyno_import_file_get_head (file)) != NULL;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static gboolean
list_folder (const char *path, guint depth, GPtrArray *files, GError **error)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, error);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      gboolean is_link = g_file_test (inner, G_FILE_TEST_IS_SYMLINK);

      if (*name == '.')
        continue;
      if (g_file_test (inner, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (files, g_steal_pointer (&inner));
      else if (!is_link && depth < MAX_DEPTH && g_file_test (inner, G_FILE_TEST_IS_DIR) &&
               !list_folder (inner, depth + 1, files, error))
        return FALSE;
    }
  return folder != NULL;
}

/**
 * dyno_importer_list_files:
 * @path: a file or a folder
 * @error: return location
 *
 * Links to folders are not followed, and what begins with a point is left out.
 *
 * Returns: (transfer full) (element-type filename): @path, or the files in the folder and below it, in order
 */
GPtrArray *
dyno_importer_list_files (const char *path, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *name = g_filename_display_name (path);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_ptr_array_add (files, g_strdup (path));
      return g_steal_pointer (&files);
    }
  if (!list_folder (path, 0, files, error))
    {
      g_prefix_error (error, _ ("“%s” was not imported. "), name);
      return NULL;
    }
  g_ptr_array_sort (files, compare_paths);
  return g_steal_pointer (&files);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-import-private.h"
#include "dyno-importer.h"

/* Deeper folders are not followed. */
#define MAX_DEPTH 16

static GPtrArray *
refuse_empty (const DynoDialect *dialect, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("It is a file of %s, but holds no result."),
               dialect->title);
  return NULL;
}

/* Returns: (nullable): the runs; the ceilings of their machines are in @ceilings */
static GPtrArray *
read_file (DynoImportFile *file, const DynoDialect *dialect, GHashTable *ceilings, GError **error)
{
  g_autofree char *stem = dyno_import_file_dup_stem (file);
  g_autoptr (DynoImportBuilder) builder = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (dialect->read == NULL)
    {
      runs = dialect->read_runs (file, ceilings, error);
      if (runs == NULL)
        return NULL;
      return runs->len > 0 ? g_steal_pointer (&runs) : refuse_empty (dialect, error);
    }
  builder = dyno_import_builder_new (_ (dialect->method), stem);
  if (!dialect->read (file, builder, error) || !dyno_import_builder_check (builder, error))
    return NULL;
  if (dyno_import_builder_is_empty (builder))
    return refuse_empty (dialect, error);

  g_autoptr (DynoOrigin) origin = dyno_origin_new ();
  g_autofree char *id = NULL;
  const char *hash;

  if (!dyno_import_file_finish (file, &origin->hash, &origin->size, &origin->content, error))
    return NULL;
  /* A UUID of version 8, from the first bits of the hash, so that the same file always becomes the same run. */
  hash = origin->hash;
  id = g_strdup_printf ("%.8s-%.4s-8%.3s-%c%.3s-%.12s", hash, hash + 8, hash + 12,
                        "89ab"[g_ascii_xdigit_value (hash[15]) & 3], hash + 16, hash + 19);
  origin->dialect = g_strdup (dialect->name);
  origin->file_name = g_strdup (dyno_import_file_get_name (file));
  origin->imported_at = g_get_real_time ();
  dyno_import_builder_set_time (builder, dyno_import_file_get_time (file));
  dyno_import_builder_set_time (builder, origin->imported_at);
  runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (runs, dyno_import_builder_finish (builder, id, origin));
  return g_steal_pointer (&runs);
}

static GHashTable *
create_ceilings (void)
{
  return g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
}

GPtrArray *
dyno_importer_read (DynoImportFile *file, const DynoDialect *dialect, GError **error)
{
  g_autoptr (GHashTable) ceilings = create_ceilings ();

  g_return_val_if_fail (dialect->read_power == NULL, NULL);
  return read_file (file, dialect, ceilings, error);
}

void
dyno_imported_free (DynoImported *self)
{
  g_ptr_array_unref (self->added);
  g_ptr_array_unref (self->present);
  g_hash_table_unref (self->n_cases);
  g_free (self);
}

static gboolean
take_in_runs (DynoStore *store, DynoImportFile *file, DynoImported *imported, GError **error)
{
  g_autoptr (GHashTable) ceilings = create_ceilings ();
  g_autoptr (GPtrArray) runs = read_file (file, imported->dialect, ceilings, error);
  GHashTableIter iter;
  gpointer run, of_run;

  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len && imported->dialect->read_runs != NULL; i++)
    {
      /* A file with Dyno's own measurements may come from others: its numbers are checked like those of a
       * document. */
      g_autofree char *folder = g_dir_make_tmp ("dyno-import-XXXXXX", error);
      g_autofree char *path = folder != NULL ? g_build_filename (folder, "run.dyno", NULL) : NULL;
      gboolean is_sound = folder != NULL && dyno_store_save_run (runs->pdata[i], NULL, path, error);

      if (folder == NULL)
        return FALSE;
      g_unlink (path);
      g_rmdir (folder);
      if (!is_sound)
        return FALSE;
    }
  for (guint i = 0; i < runs->len; i++)
    {
      gboolean is_new = FALSE;

      if (!dyno_store_add_run (store, runs->pdata[i], &is_new, error))
        return FALSE;
      g_ptr_array_add (is_new ? imported->added : imported->present, g_object_ref (runs->pdata[i]));
      g_hash_table_insert (imported->n_cases, runs->pdata[i],
                           GUINT_TO_POINTER (dyno_run_get_n_cases (runs->pdata[i])));
    }
  g_hash_table_iter_init (&iter, ceilings);
  while (g_hash_table_iter_next (&iter, &run, &of_run))
    if (!dyno_store_add_ceilings (store, dyno_run_get_machine (run), of_run, error))
      return FALSE;
  return TRUE;
}

static gboolean
take_in (DynoStore *store,
         DynoImportFile *file,
         const DynoImportSettings *settings,
         DynoImported *imported,
         GError **error)
{
  if (imported->dialect->read_power == NULL)
    return take_in_runs (store, file, imported, error);

  g_autoptr (DynoOrigin) origin = dyno_origin_new ();
  g_autoptr (DynoPowerLog) log = NULL;
  DynoPowerAlignment alignment;

  dyno_import_file_set_zone (file, settings != NULL ? settings->zone : NULL);
  log = imported->dialect->read_power (file, error);
  if (log == NULL || !dyno_import_file_finish (file, &origin->hash, &origin->size, &origin->content, error))
    return FALSE;
  origin->file_name = g_strdup (dyno_import_file_get_name (file));
  origin->imported_at = g_get_real_time ();
  alignment = (DynoPowerAlignment){ .store = store,
                                    .log = log,
                                    .file = origin,
                                    .run_id = settings != NULL ? settings->run_id : NULL,
                                    .added = imported->added,
                                    .present = imported->present,
                                    .n_cases = imported->n_cases };
  return dyno_power_alignment_run (&alignment, error);
}

/* Returns the file beside this one that it is a part of, else this one. */
static char *
find_whole (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);

  for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
    for (const DynoDialectPart *part = (*dialect)->parts; part != NULL && part->part != NULL; part++)
      {
        g_autofree char *whole = g_build_filename (folder, part->whole, NULL);
        g_autoptr (DynoImportFile) file =
            g_str_equal (part->part, name) ? dyno_import_file_open (whole, NULL, NULL, NULL, NULL) : NULL;

        if (file != NULL && dyno_dialect_find (dyno_import_file_get_head (file)) == *dialect)
          return g_steal_pointer (&whole);
      }
  return g_strdup (path);
}

static DynoImported *
import_file (DynoStore *store,
             DynoImportFile *file,
             const DynoImportSettings *settings,
             const char *name,
             GError **error)
{
  const char *head = file != NULL ? dyno_import_file_get_head (file) : NULL;
  const DynoDialect *dialect = file != NULL ? dyno_dialect_find (head) : NULL;
  g_autoptr (DynoImported) imported = g_new0 (DynoImported, 1);

  if (file != NULL && dialect == NULL)
    g_set_error_literal (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        dyno_import_file_peek (file) < 0 ? _ ("It is empty.")
        : g_str_has_prefix (head, "SQLite format 3")
            ? _ ("It is a document of Dyno: open it in the window, or with “dyno-cli open --import”.")
            : _ ("Its format is not one that Dyno knows. “dyno-cli import --formats” lists those."));

  imported->dialect = dialect;
  imported->added = g_ptr_array_new_with_free_func (g_object_unref);
  imported->present = g_ptr_array_new_with_free_func (g_object_unref);
  imported->n_cases = g_hash_table_new (NULL, NULL);
  if (dialect != NULL && take_in (store, file, settings, imported, error))
    return g_steal_pointer (&imported);
  g_prefix_error (error, _ ("“%s” was not imported. "), name);
  return NULL;
}

DynoImported *
dyno_importer_import (DynoStore *store,
                      const char *path,
                      const DynoImportSettings *settings,
                      GCancellable *cancellable,
                      DynoImportProgress progress,
                      gpointer data,
                      GError **error)
{
  g_autofree char *whole = find_whole (path);
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (DynoImportFile) file = dyno_import_file_open (whole, cancellable, progress, data, error);

  return import_file (store, file, settings, name, error);
}

DynoImported *
dyno_importer_import_text (
    DynoStore *store, const char *name, GBytes *text, const DynoImportSettings *settings, GError **error)
{
  g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes (name, text);

  return import_file (store, file, settings, name, error);
}

gboolean
dyno_importer_is_foreign (const GError *error)
{
  return g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

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

/* A folder that cannot be read does not keep others from being read. */
static void
list_folder (const char *path, guint depth, GPtrArray *files, GPtrArray *failures)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = g_dir_open (path, 0, &error);
  g_autofree char *shown = g_filename_display_name (path);
  const char *name;

  if (folder == NULL)
    g_ptr_array_add (failures, g_strdup_printf (_ ("“%s” was not imported. %s"), shown, error->message));
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      gboolean is_link = g_file_test (inner, G_FILE_TEST_IS_SYMLINK);

      if (*name == '.')
        continue;
      if (g_file_test (inner, G_FILE_TEST_IS_REGULAR))
        {
          /* A file that is read along with another is not listed. */
          g_autofree char *whole = find_whole (inner);

          if (g_str_equal (whole, inner))
            g_ptr_array_add (files, g_steal_pointer (&whole));
        }
      else if (!is_link && depth < MAX_DEPTH && g_file_test (inner, G_FILE_TEST_IS_DIR))
        list_folder (inner, depth + 1, files, failures);
    }
}

GPtrArray *
dyno_importer_list_files (const char *path, GPtrArray *failures)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    list_folder (path, 0, files, failures);
  else
    g_ptr_array_add (files, g_strdup (path));
  g_ptr_array_sort (files, compare_paths);
  return files;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdarg.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

/* In bytes: the page size of an SQLite file is a power of two, and at least this. */
#define SMALLEST_PAGE 512

G_GNUC_PRINTF (3, 4)
static gboolean
refuse (GError **error, DynoError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (DYNO_ERROR, code, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
check_file (const char *path, GError **error)
{
  g_autofree char *log_path = g_strconcat (path, "-wal", NULL);
  g_autofree char *name = g_filename_display_name (path);
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    return refuse (error, DYNO_ERROR_NOT_FOUND, _ ("There is no file “%s”. Check the path."), name);
  if (!S_ISREG (info.st_mode))
    return refuse (error, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is not a file. Choose a document that Dyno saved."), name);
  if (info.st_size == 0)
    return refuse (error, DYNO_ERROR_INVALID_DATA, _ ("“%s” is empty. Save or copy the document again."),
                   name);
  /* SQLite reads the missing part of the last page as zeros. */
  if (info.st_size % SMALLEST_PAGE != 0)
    return refuse (error, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is not a Dyno document, or it is damaged. Get it again, or save it again."),
                   name);
  if (g_stat (log_path, &info) == 0 && info.st_size > 0)
    return refuse (error, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is a store in use and not a document. Save its runs to a document instead."),
                   name);
  return TRUE;
}

gboolean
dyno_store_document_check (sqlite3 *db, GError **error)
{
  return dyno_store_schema_check_pages (db, error) && dyno_store_schema_check_rows (db, error) &&
         dyno_store_meaning_check (db, error);
}

static sqlite3 *
open_checked (const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (sqlite3) db = dyno_store_connection_open (path, DYNO_STORE_UNTRUSTED, 0, error);
  DynoStoreIdentity identity;

  if (db == NULL || !dyno_store_schema_identify (db, &identity, error))
    return NULL;
  /* An older file is read as it is: its tables and columns have today's names. */
  if (identity == DYNO_STORE_NEWER)
    refuse (error, DYNO_ERROR_STORE_NEWER, _ ("“%s” was written by a newer Dyno. Update Dyno to open it."),
            name);
  else if (identity != DYNO_STORE_CURRENT && identity != DYNO_STORE_OLDER)
    refuse (error, DYNO_ERROR_INVALID_DATA, _ ("“%s” is a database, but not a Dyno document."), name);
  else if (dyno_store_schema_verify (db, error) && dyno_store_document_check (db, error))
    return g_steal_pointer (&db);
  return NULL;
}

sqlite3 *
dyno_store_document_open (const char *path, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *display_path = g_filename_display_name (path);
  sqlite3 *db;

  if (!check_file (path, error))
    return NULL;
  db = open_checked (path, &local_error);
  if (db != NULL)
    return db;

  if (g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY) ||
      g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_NEWER))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("“%s” is not a Dyno document, or it is damaged. Get it again, or save it again."),
                 display_path);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("“%s” is not a complete Dyno document. Get it again, or save it again. (%s)"),
                 display_path, local_error->message);
  return NULL;
}

/* Either a run with the ceilings of its machine, or runs of another file. */
typedef struct
{
  DynoRun *run;
  GPtrArray *ceilings;
  sqlite3 *source;
  const char *const *ids;
} Content;

static gboolean
fill (const Content *content, const char *path, GError **error)
{
  g_autoptr (sqlite3) target = dyno_store_connection_open (path, DYNO_STORE_COPY, 0, error);
  g_autoptr (DynoStoreTransaction) transaction = NULL;

  if (target == NULL || !dyno_store_schema_migrate (target, error))
    return FALSE;
  transaction = dyno_store_transaction_write (target, error);
  if (transaction == NULL)
    return FALSE;
  if (content->run != NULL)
    return dyno_store_writer_copy_run (target, content->run, error) &&
           dyno_store_ceilings_add (target, dyno_run_get_machine (content->run), content->ceilings, error) &&
           dyno_store_transaction_commit (transaction, error);

  g_autoptr (GHashTable) machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (const char *const *id = content->ids; *id != NULL; id++)
    {
      g_autofree char *whole_id = dyno_store_reader_resolve (content->source, *id, DYNO_STORE_KEPT, error);
      g_autoptr (DynoRun) run =
          whole_id != NULL ? dyno_store_reader_load_run (content->source, whole_id, -1, error) : NULL;
      const char *machine = run != NULL ? dyno_run_get_machine (run) : NULL;
      DynoStorePlace place = DYNO_STORE_NOWHERE;

      /* Ceilings are copied once, with the first run on their machine. */
      if (run == NULL || !dyno_store_imports_read (content->source, run, TRUE, error) ||
          !dyno_store_reader_find_run (target, whole_id, &place, error) ||
          (place == DYNO_STORE_NOWHERE && !dyno_store_writer_copy_run (target, run, error)) ||
          (machine != NULL && dyno_store_machine_add (machines, machine) &&
           !dyno_store_ceilings_copy (content->source, target, machine, error)))
        return FALSE;
    }
  return dyno_store_transaction_commit (transaction, error);
}

static gboolean
write_content (const Content *content, const char *path, GError **error)
{
  g_auto (DynoOutputFile) file = { NULL };
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (GError) local_error = NULL;

  if (!dyno_output_file_find (&file, path, &local_error))
    return refuse (error, DYNO_ERROR_FAILED, _ ("“%s” cannot be replaced: %s. Choose another name."), name,
                   local_error->message);

  g_autofree char *made = dyno_output_file_make_temporary (&file, &local_error);
  g_autoptr (sqlite3) written = NULL;

  if (made == NULL)
    return refuse (error, DYNO_ERROR_FAILED, _ ("“%s” cannot be saved: %s. Choose another folder."), name,
                   local_error->message);
  /* Dyno writes no document that it would refuse to read. */
  written = fill (content, made, error) ? open_checked (made, error) : NULL;
  if (written != NULL)
    {
      g_clear_pointer (&written, sqlite3_close_v2);
      if (dyno_output_file_put (&file, made, &local_error))
        return TRUE;
      refuse (error, DYNO_ERROR_FAILED, _ ("“%s” cannot be replaced: %s. Choose another name."), name,
              local_error->message);
    }
  g_unlink (made);
  g_prefix_error (error, _ ("“%s” was not saved. "), name);
  return FALSE;
}

gboolean
dyno_store_document_write_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error)
{
  const Content content = { .run = run, .ceilings = ceilings };

  return write_content (&content, path, error);
}

gboolean
dyno_store_document_write (sqlite3 *source, const char *const *ids, const char *path, GError **error)
{
  const Content content = { .source = source, .ids = ids };

  return write_content (&content, path, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-importer.h"

/* Shorter imports show no progress. */
#define PROGRESS_INTERVAL_MS 250

/* A dialog lists no more failures and names of skipped files than this. */
#define MAX_LISTED 20

/* The file name of a pasted run. */
#define PASTED_NAME "clipboard"

/* The thread writes; meanwhile the window reads only @n_files and @percent, and the rest after the thread has
 * ended. */
typedef struct
{
  GtkWindow *window; /* owned by the task */
  DynoStore *store;
  GListModel *files; /* nullable, like @text */
  GBytes *text;      /* pasted text */
  GCancellable *cancellable;

  AdwToast *toast; /* %NULL unless the import takes long */
  guint timer;
  int n_files; /* including the current one; atomic */
  int percent; /* of the current file; atomic */

  char *run_to_show; /* the first new run, or the first one already present */
  guint n_new;
  guint n_present;
  GPtrArray *failures;
  GPtrArray *foreign; /* names of files that no known tool has written */
} Import;

static void
import_free (Import *self)
{
  g_object_unref (self->store);
  g_clear_object (&self->files);
  g_clear_pointer (&self->text, g_bytes_unref);
  g_object_unref (self->cancellable);
  g_free (self->run_to_show);
  g_ptr_array_unref (self->failures);
  g_ptr_array_unref (self->foreign);
  g_free (self);
}

/* The thread */

static void
progress_cb (double fraction, gpointer data)
{
  g_atomic_int_set (&((Import *)data)->percent, (int)(100 * fraction));
}

static void
add_run (Import *self, DynoRun *run, gboolean is_new)
{
  gboolean is_first_new = is_new && self->n_new == 0;

  if (is_new)
    self->n_new++;
  else
    self->n_present++;
  if (!is_first_new && self->run_to_show != NULL)
    return;
  g_free (self->run_to_show);
  self->run_to_show = g_strdup (dyno_run_get_id (run));
}

static void
add_runs (Import *self, const DynoImported *imported)
{
  for (guint i = 0; i < imported->added->len; i++)
    add_run (self, imported->added->pdata[i], TRUE);
  for (guint i = 0; i < imported->present->len; i++)
    add_run (self, imported->present->pdata[i], FALSE);
}

/* A folder may contain other files; a named file (@folder is NULL) must be a result. */
static void
import_file (Import *self, const char *path, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported = NULL;

  g_atomic_int_inc (&self->n_files);
  g_atomic_int_set (&self->percent, 0);
  imported = dyno_importer_import (self->store, path, NULL, self->cancellable, progress_cb, self, &error);
  if (imported != NULL)
    add_runs (self, imported);
  if (imported != NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  if (folder != NULL && dyno_importer_is_foreign (error))
    {
      const char *name = path + strlen (folder);

      while (G_IS_DIR_SEPARATOR (*name))
        name++;
      g_ptr_array_add (self->foreign, g_filename_display_name (name));
    }
  else
    g_ptr_array_add (self->failures, g_strdup (error->message));
}

static void
import_path (Import *self, const char *path)
{
  const char *folder = g_file_test (path, G_FILE_TEST_IS_DIR) ? path : NULL;
  g_autoptr (GPtrArray) files = dyno_importer_list_files (path, self->failures);

  for (guint i = 0; i < files->len && !g_cancellable_is_cancelled (self->cancellable); i++)
    import_file (self, files->pdata[i], folder);
}

static void
import_text_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Import *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported =
      dyno_importer_import_text (self->store, PASTED_NAME, self->text, NULL, &error);

  if (imported != NULL)
    add_runs (self, imported);
  else if (dyno_importer_is_foreign (error))
    g_ptr_array_add (self->foreign, g_strdup (PASTED_NAME));
  else
    g_ptr_array_add (self->failures, g_strdup (error->message));
  g_task_return_boolean (task, TRUE);
}

static void
import_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Import *self = data;
  guint n = g_list_model_get_n_items (self->files);

  for (guint i = 0; i < n && !g_cancellable_is_cancelled (self->cancellable); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (self->files, i);

      if (g_file_peek_path (file) != NULL)
        import_path (self, g_file_peek_path (file));
      else
        {
          g_autofree char *name = g_file_get_parse_name (file);

          g_ptr_array_add (
              self->failures,
              g_strdup_printf (_ ("“%s” was not imported. It is not on this computer: copy it here first."),
                               name));
        }
    }
  g_task_return_boolean (task, TRUE);
}

/* Progress */

static gboolean
show_progress_cb (gpointer data)
{
  Import *self = data;
  g_autofree char *title = g_strdup_printf (_ ("Importing file %d: %d %%"), g_atomic_int_get (&self->n_files),
                                            g_atomic_int_get (&self->percent));

  if (self->toast != NULL)
    {
      adw_toast_set_title (self->toast, title);
      return G_SOURCE_CONTINUE;
    }
  self->toast = adw_toast_new (title);
  adw_toast_set_timeout (self->toast, 0);
  adw_toast_set_priority (self->toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_button_label (self->toast, _ ("_Cancel"));
  g_signal_connect_object (self->toast, "button-clicked", G_CALLBACK (g_cancellable_cancel),
                           self->cancellable, G_CONNECT_SWAPPED);
  dyno_toast_add (GTK_WIDGET (self->window), g_object_ref (self->toast));
  return G_SOURCE_CONTINUE;
}

/* Outcome */

static char *
dup_outcome (Import *self)
{
  guint n = self->n_new + self->n_present;

  if (g_cancellable_is_cancelled (self->cancellable))
    return self->n_new == 0
               ? g_strdup (_ ("The import was cancelled"))
               : g_strdup_printf (ngettext ("The import was cancelled after %u run",
                                            "The import was cancelled after %u runs", self->n_new),
                                  self->n_new);
  if (n == 0)
    return g_strdup (_ ("No results of other tools were found"));
  if (self->n_new == 0)
    return g_strdup_printf (ngettext ("The run is there already", "All %u runs are there already", n), n);
  if (self->n_present > 0)
    return g_strdup_printf (_ ("Imported %u of %u runs; the others are there already"), self->n_new, n);
  return g_strdup_printf (ngettext ("Imported %u run", "Imported %u runs", n), n);
}

static void
append_paragraph (GString *body, const char *text)
{
  g_string_append_printf (body, "%s%s", body->len > 0 ? "\n\n" : "", text);
}

static void
list_failures (Import *self, GString *body)
{
  guint n = self->failures->len;

  for (guint i = 0; i < MIN (n, MAX_LISTED); i++)
    append_paragraph (body, self->failures->pdata[i]);
  if (n > MAX_LISTED)
    {
      g_autofree char *rest = g_strdup_printf (
          ngettext ("%u more file failed.", "%u more files failed.", n - MAX_LISTED), n - MAX_LISTED);

      append_paragraph (body, rest);
    }
}

static void
list_foreign (Import *self, GString *body)
{
  guint n = self->foreign->len;
  g_autofree char *what = g_strdup_printf (
      ngettext ("%u file was skipped, as it holds no results in a format that Dyno knows:",
                "%u files were skipped, as they hold no results in a format that Dyno knows:", n),
      n);

  if (n == 0)
    return;
  append_paragraph (body, what);
  for (guint i = 0; i < MIN (n, MAX_LISTED); i++)
    g_string_append_printf (body, "\n%s", (char *)self->foreign->pdata[i]);
  if (n > MAX_LISTED)
    {
      g_string_append_c (body, '\n');
      /* Translators: below a list of files */
      g_string_append_printf (body, ngettext ("and %u more", "and %u more", n - MAX_LISTED), n - MAX_LISTED);
    }
}

static void
finish (Import *self)
{
  g_source_remove (self->timer);
  dyno_writing_end ();
  if (self->toast != NULL)
    dyno_toast_dismiss (self->toast);
  g_clear_object (&self->toast);
}

/* The user knows the text, so show the run at once. */
static void
text_imported_cb (GObject *window, GAsyncResult *result, gpointer data)
{
  Import *self = g_task_get_task_data (G_TASK (result));
  GtkApplication *application = gtk_window_get_application (self->window);

  finish (self);
  if (application == NULL)
    return;
  if (self->run_to_show != NULL)
    {
      g_autofree char *outcome = dup_outcome (self);

      g_action_group_activate_action (G_ACTION_GROUP (application), "show-run",
                                      g_variant_new_string (self->run_to_show));
      dyno_toast_say (GTK_WIDGET (self->window), outcome);
    }
  else if (self->foreign->len > 0)
    dyno_toast_say (GTK_WIDGET (self->window),
                    _ ("The text in the clipboard holds no results in a format that Dyno knows"));
  else
    dyno_compat_present_message (GTK_WIDGET (self->window), _ ("Text Not Imported"),
                                 self->failures->pdata[0]);
}

static void
imported_cb (GObject *window, GAsyncResult *result, gpointer data)
{
  Import *self = g_task_get_task_data (G_TASK (result));
  gboolean found_nothing = self->run_to_show == NULL && self->failures->len > 0;

  finish (self);
  /* A closed window cannot show the outcome. */
  if (gtk_window_get_application (self->window) == NULL)
    return;
  if (!found_nothing)
    {
      g_autofree char *outcome = dup_outcome (self);
      AdwToast *toast = adw_toast_new (outcome);

      if (self->run_to_show != NULL)
        {
          adw_toast_set_button_label (toast, _ ("_Show"));
          adw_toast_set_action_name (toast, "app.show-run");
          adw_toast_set_action_target (toast, "s", self->run_to_show);
        }
      dyno_toast_add (GTK_WIDGET (self->window), toast);
    }
  if (self->failures->len + self->foreign->len > 0)
    {
      guint n = self->failures->len + self->foreign->len;
      g_autofree char *heading =
          g_strdup_printf (ngettext ("%u File Not Imported", "%u Files Not Imported", n), n);
      g_autoptr (GString) body = g_string_new (NULL);

      list_failures (self, body);
      list_foreign (self, body);
      dyno_compat_present_message (GTK_WIDGET (self->window), heading, body->str);
    }
}

/* Takes over @self, which holds the files or the text to import. */
static void
start (
    Import *self, GtkWindow *window, DynoStore *store, GTaskThreadFunc thread, GAsyncReadyCallback callback)
{
  self->window = window;
  self->store = g_object_ref (store);
  self->cancellable = g_cancellable_new ();
  self->failures = g_ptr_array_new_with_free_func (g_free);
  self->foreign = g_ptr_array_new_with_free_func (g_free);
  self->timer = g_timeout_add (PROGRESS_INTERVAL_MS, show_progress_cb, self);
  dyno_writing_begin ();
  /* The outcome before a cancellation is reported, so the task itself is not cancelled. */
  dyno_thread_task_run (window, NULL, thread, self, (GDestroyNotify)import_free, callback);
}

static gboolean
has_store (GtkWindow *window, DynoStore *store)
{
  if (store == NULL)
    dyno_toast_say (GTK_WIDGET (window), _ ("Nothing can be imported while the store is not open"));
  return store != NULL;
}

void
dyno_import_task_start (GtkWindow *window, DynoStore *store, GListModel *files)
{
  Import *self;

  g_return_if_fail (GTK_IS_WINDOW (window));
  g_return_if_fail (G_IS_LIST_MODEL (files));

  if (!has_store (window, store))
    return;
  self = g_new0 (Import, 1);
  self->files = g_object_ref (files);
  start (self, window, store, import_thread, imported_cb);
}

void
dyno_import_task_start_text (GtkWindow *window, DynoStore *store, const char *text)
{
  Import *self;

  g_return_if_fail (GTK_IS_WINDOW (window));
  g_return_if_fail (text != NULL);

  if (!has_store (window, store))
    return;
  self = g_new0 (Import, 1);
  self->text = g_bytes_new (text, strlen (text));
  start (self, window, store, import_text_thread, text_imported_cb);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-reports-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-file.h"
#include "dyno-text.h"

/* After this time, a toast says that saving goes on. */
#define PATIENCE_MS 500

/* In characters, of a suggested file name: file systems allow 255 bytes. */
#define MAX_NAME 60

/* Writing, in a thread */

typedef struct
{
  DynoRunEntry *entry;            /* for a document */
  DynoReportSubject *subject;     /* for a report */
  const DynoReportFormat *format; /* for a report */
  GFile *file;                    /* %NULL for the clipboard */
} Target;

static void
target_free (Target *target)
{
  g_clear_object (&target->entry);
  g_clear_pointer (&target->subject, dyno_report_subject_unref);
  g_clear_object (&target->file);
  g_free (target);
}

/* SQLite writes to local files only, so the document is written to one and copied elsewhere. */
static gboolean
save_elsewhere (
    DynoStore *store, const char *const *ids, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) local = g_file_new_tmp ("dyno-XXXXXX.dyno", &stream, error);
  gboolean saved;

  if (local == NULL)
    return FALSE;
  saved = dyno_store_save_document (store, ids, g_file_peek_path (local), error) &&
          g_file_copy (local, file, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS, cancellable,
                       NULL, NULL, error);
  g_file_delete (local, NULL, NULL);
  return saved;
}

static void
document_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Target *target = task_data;
  DynoStore *store = dyno_run_entry_get_store (target->entry);
  const char *ids[] = { dyno_run_entry_get_id (target->entry), NULL };
  const char *path = g_file_peek_path (target->file);
  g_autoptr (GError) error = NULL;

  if (path != NULL ? dyno_store_save_document (store, ids, path, &error)
                   : save_elsewhere (store, ids, target->file, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
report_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Target *target = task_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = dyno_report_subject_write (target->subject, target->format, &error);

  if (report != NULL && dyno_output_file_save (target->file, report, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
start (Target *target,
       GTaskThreadFunc thread,
       GCancellable *cancellable,
       GAsyncReadyCallback callback,
       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, dyno_run_saver_save_finish);
  g_task_set_task_data (task, target, (GDestroyNotify)target_free);
  dyno_writing_begin ();
  g_signal_connect (task, "notify::completed", G_CALLBACK (dyno_writing_end), NULL);
  g_task_run_in_thread (task, thread);
}

void
dyno_run_saver_save_document_async (DynoRunEntry *entry,
                                    GFile *file,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  Target *target;

  g_return_if_fail (DYNO_IS_RUN_ENTRY (entry));
  g_return_if_fail (G_IS_FILE (file));

  target = g_new0 (Target, 1);
  target->entry = g_object_ref (entry);
  target->file = g_object_ref (file);
  start (target, document_thread, cancellable, callback, user_data);
}

void
dyno_run_saver_save_report_async (DynoReportSubject *subject,
                                  GFile *file,
                                  const DynoReportFormat *format,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  Target *target;

  g_return_if_fail (subject != NULL);
  g_return_if_fail (G_IS_FILE (file));

  target = g_new0 (Target, 1);
  target->subject = dyno_report_subject_ref (subject);
  target->format = format;
  target->file = g_object_ref (file);
  start (target, report_thread, cancellable, callback, user_data);
}

gboolean
dyno_run_saver_save_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Asking for a file */

typedef struct
{
  GtkWidget *widget;
  DynoRunEntry *entry;        /* for a document */
  DynoReportSubject *subject; /* for a report */
  GFile *file;
  AdwToast *toast;
  guint patience_id;
} Saving;

static Saving *
saving_new (GtkWidget *widget, DynoRunEntry *entry, DynoReportSubject *subject)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->widget = g_object_ref (widget);
  saving->entry = entry != NULL ? g_object_ref (entry) : NULL;
  saving->subject = subject != NULL ? dyno_report_subject_ref (subject) : NULL;
  return saving;
}

static void
saving_free (Saving *saving)
{
  g_clear_handle_id (&saving->patience_id, g_source_remove);
  if (saving->toast != NULL)
    dyno_toast_dismiss (saving->toast);
  g_clear_object (&saving->toast);
  g_clear_object (&saving->file);
  g_clear_object (&saving->entry);
  g_clear_pointer (&saving->subject, dyno_report_subject_unref);
  g_object_unref (saving->widget);
  g_free (saving);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static gboolean
out_of_patience_cb (gpointer user_data)
{
  Saving *saving = user_data;
  g_autofree char *name = g_file_get_basename (saving->file);
  g_autofree char *text = g_markup_printf_escaped (_ ("Saving “%s”…"), name);

  saving->patience_id = 0;
  saving->toast = g_object_ref_sink (adw_toast_new (text));
  adw_toast_set_timeout (saving->toast, 0);
  dyno_toast_add (saving->widget, g_object_ref (saving->toast));
  return G_SOURCE_REMOVE;
}

static void
saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (saving->file);
  g_autofree char *text = NULL;

  if (!dyno_run_saver_save_finish (result, &error))
    {
      text = g_strdup_printf (_ ("“%s” could not be saved"), name);
      dyno_toast_report_error (saving->widget, text, error);
      return;
    }
  text = g_strdup_printf (_ ("Saved to “%s”"), name);
  dyno_toast_say (saving->widget, text);
}

static void
begin_saving (Saving *saving, GFile *file)
{
  saving->file = g_object_ref (file);
  saving->patience_id = g_timeout_add (PATIENCE_MS, out_of_patience_cb, saving);
}

static void
document_file_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);
  DynoRunEntry *entry = saving->entry;

  if (file == NULL)
    return;
  begin_saving (saving, file);
  dyno_run_saver_save_document_async (entry, file, NULL, saved_cb, g_steal_pointer (&saving));
}

static void
report_file_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;
  const DynoReportFormat *format = name != NULL ? dyno_report_format_find_for_file (name) : NULL;
  DynoReportSubject *subject = saving->subject;

  if (file == NULL)
    return;
  begin_saving (saving, file);
  dyno_run_saver_save_report_async (subject, file, format, NULL, saved_cb, g_steal_pointer (&saving));
}

/* A file is named after its contents. */
static char *
dup_file_name (const char *title, const char *suffix)
{
  g_autofree char *name = g_strdelimit (dyno_plain_text_shorten (title, MAX_NAME), "/", '-');

  return g_strdup_printf ("%s.%s", name, suffix);
}

void
dyno_run_saver_ask_document (GtkWidget *widget, DynoRunEntry *entry)
{
  const DynoCompatFormat formats[] = { { "dyno", _ ("Dyno results") }, { NULL } };
  g_autofree char *title = dyno_run_entry_dup_title (entry);
  g_autofree char *name = dup_file_name (title, "dyno");

  dyno_compat_save_file_async (widget, _ ("Save Results"), name, formats, document_file_cb,
                               saving_new (widget, entry, NULL));
}

void
dyno_run_saver_ask_report (GtkWidget *widget, DynoReportSubject *subject, const char *suffix)
{
  g_autoptr (GArray) formats = g_array_new (TRUE, TRUE, sizeof (DynoCompatFormat));
  g_autofree char *name = dup_file_name (dyno_report_subject_get_title (subject), suffix);

  /* If formats share a suffix, lists the one that the suffix means. */
  for (const DynoReportFormat *const *format = dyno_report_format_list (); *format != NULL; format++)
    {
      g_autofree char *example = dup_file_name ("", (*format)->suffix);
      DynoCompatFormat choice = { (*format)->suffix, _ ((*format)->label) };

      if (dyno_report_format_find_for_file (example) == *format &&
          dyno_report_subject_takes (subject, *format))
        g_array_append_val (formats, choice);
    }
  dyno_compat_save_file_async (widget, _ ("Save Report"), name, (const DynoCompatFormat *)formats->data,
                               report_file_cb, saving_new (widget, NULL, subject));
}

/* To the clipboard */

static void
text_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Target *target = task_data;
  GError *error = NULL;
  GBytes *report = dyno_report_subject_write (target->subject, target->format, &error);

  if (report != NULL)
    g_task_return_pointer (task, report, (GDestroyNotify)g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
text_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GtkWidget *widget = GTK_WIDGET (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *text = NULL;

  if (report == NULL)
    {
      dyno_toast_report_error (widget, _ ("The report could not be copied"), error);
      return;
    }
  text = g_strndup (g_bytes_get_data (report, NULL), g_bytes_get_size (report));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  dyno_toast_say (widget, _ ("The report is in the clipboard"));
}

void
dyno_run_saver_copy_report (GtkWidget *widget, DynoReportSubject *subject, const char *format)
{
  Target *target = g_new0 (Target, 1);

  target->subject = dyno_report_subject_ref (subject);
  target->format = dyno_report_format_find (format);
  dyno_thread_task_run (widget, NULL, text_thread, target, (GDestroyNotify)target_free, text_cb);
}

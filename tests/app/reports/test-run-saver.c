/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-app-reports-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* A file on another machine: it has no path, and everything goes through streams. */

#define ELSEWHERE_TYPE_FILE (elsewhere_file_get_type ())
G_DECLARE_FINAL_TYPE (ElsewhereFile, elsewhere_file, ELSEWHERE, FILE, GObject)

struct _ElsewhereFile
{
  GObject parent_instance;

  GFile *local;
};

static void elsewhere_file_iface_init (GFileIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (ElsewhereFile,
                               elsewhere_file,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_FILE, elsewhere_file_iface_init))

static GFile *
elsewhere_file_new (const char *path)
{
  ElsewhereFile *self = g_object_new (ELSEWHERE_TYPE_FILE, NULL);

  self->local = g_file_new_for_path (path);
  return G_FILE (self);
}

static GFile *
elsewhere_file_dup (GFile *file)
{
  return elsewhere_file_new (g_file_peek_path (ELSEWHERE_FILE (file)->local));
}

static char *
elsewhere_file_get_basename (GFile *file)
{
  return g_file_get_basename (ELSEWHERE_FILE (file)->local);
}

static char *
elsewhere_file_get_path (GFile *file)
{
  return NULL;
}

static char *
elsewhere_file_get_uri (GFile *file)
{
  return g_strdup ("elsewhere:///file");
}

static gboolean
elsewhere_file_is_native (GFile *file)
{
  return FALSE;
}

static GFileOutputStream *
elsewhere_file_replace (GFile *file,
                        const char *etag,
                        gboolean make_backup,
                        GFileCreateFlags flags,
                        GCancellable *cancellable,
                        GError **error)
{
  return g_file_replace (ELSEWHERE_FILE (file)->local, etag, make_backup, flags, cancellable, error);
}

static void
elsewhere_file_iface_init (GFileIface *iface)
{
  iface->dup = elsewhere_file_dup;
  iface->get_basename = elsewhere_file_get_basename;
  iface->get_path = elsewhere_file_get_path;
  iface->get_uri = elsewhere_file_get_uri;
  iface->get_parse_name = elsewhere_file_get_uri;
  iface->is_native = elsewhere_file_is_native;
  iface->replace = elsewhere_file_replace;
}

static void
elsewhere_file_finalize (GObject *object)
{
  g_object_unref (ELSEWHERE_FILE (object)->local);

  G_OBJECT_CLASS (elsewhere_file_parent_class)->finalize (object);
}

static void
elsewhere_file_class_init (ElsewhereFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = elsewhere_file_finalize;
}

static void
elsewhere_file_init (ElsewhereFile *self)
{
}

/* Saving */

static const char *folder;

typedef struct
{
  GAsyncResult *result;
} Saved;

static void
saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  ((Saved *)user_data)->result = g_object_ref (result);
}

static gboolean
is_saved (gpointer saved)
{
  return ((Saved *)saved)->result != NULL;
}

static DynoRunEntry *
add_entry (void)
{
  g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), "Far away", 1, 1);

  return dyno_run_entry_new (window_fixture_get_store (), run, FALSE);
}

static gboolean
finish (Saved *saved, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  page_fixture_wait (is_saved, saved);
  result = saved->result;
  return dyno_run_saver_save_finish (result, error);
}

/* A place that is not local gets the same document. */
static void
test_document (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autofree char *path = g_build_filename (folder, "far.dyno", NULL);
  g_autoptr (GFile) file = elsewhere_file_new (path);
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  Saved saved = { NULL };

  dyno_run_saver_save_document_async (entry, file, NULL, saved_cb, &saved);
  finish (&saved, &error);
  g_assert_no_error (error);
  document = dyno_store_open_document (path, &error);
  g_assert_no_error (error);
  runs = dyno_store_list_runs (document, NULL, 0, 10, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpstr (dyno_run_get_title (runs->pdata[0]), ==, "Far away");
}

static void
test_report (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (entry);
  g_autofree char *path = g_build_filename (folder, "far.md", NULL);
  g_autoptr (GFile) file = elsewhere_file_new (path);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  Saved saved = { NULL };

  dyno_run_saver_save_report_async (subject, file, dyno_report_format_find ("markdown"), NULL, saved_cb,
                                    &saved);
  finish (&saved, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (text, "# Far away\n"));
}

/* What is made of runs can be read by people alone. */
static void
test_selection (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new (&dyno_report_hardware_template, "Choice");
  g_autoptr (GBytes) report = NULL;
  g_autoptr (GError) error = NULL;
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  dyno_report_subject_add_run (subject, dyno_run_entry_get_store (entry), dyno_run_entry_get_id (entry));
  dyno_report_subject_set_goal (subject, &goal, "size", "model");
  g_assert_true (dyno_report_subject_takes (subject, dyno_report_format_find ("html")));
  g_assert_false (dyno_report_subject_takes (subject, dyno_report_format_find ("json")));
  report = dyno_report_subject_write (subject, dyno_report_format_find ("markdown"), &error);
  g_assert_no_error (error);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (report, NULL), (gssize)g_bytes_get_size (report),
                                  "| Size | Model | Best |"));
}

/* Printed into a file, as to a printer. */
static void
test_print (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autofree char *path = g_build_filename (folder, "printed.pdf", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (entry);
  DynoReportDocument *document = dyno_report_subject_build (subject, &error);
  g_autoptr (GtkPrintOperation) operation = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  operation = dyno_run_printer_create_operation (document);
  gtk_print_operation_set_allow_async (operation, FALSE);
  gtk_print_operation_set_export_filename (operation, path);
  g_assert_cmpint (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, &error), ==,
                   GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "%PDF-"));
}

static gboolean
is_in_clipboard (gpointer user_data)
{
  GdkContentProvider *content = gdk_clipboard_get_content (gtk_widget_get_clipboard (user_data));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  return content != NULL && gdk_content_provider_get_value (content, &value, NULL) &&
         g_str_has_prefix (g_value_get_string (&value), "# Far away\n");
}

static void
test_copy (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (entry);
  GtkWidget *window = g_object_ref_sink (gtk_window_new ());

  dyno_run_saver_copy_report (window, subject, "markdown");
  page_fixture_wait (is_in_clipboard, window);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

/* What cannot be written says so. */
static void
test_failure (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autofree char *path = g_build_filename (folder, "no-such-folder", "far.dyno", NULL);
  g_autoptr (GFile) file = elsewhere_file_new (path);
  g_autoptr (GError) error = NULL;
  Saved saved = { NULL };

  dyno_run_saver_save_document_async (entry, file, NULL, saved_cb, &saved);
  g_assert_false (finish (&saved, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
wait_for_file (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  page_fixture_wait (exists, path);
}

static void
assert_name (GtkFileChooser *dialog, const char *expected)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (dialog);

  g_assert_cmpstr (name, ==, expected);
}

/* The name follows the format, and the file is in it. */
static void
test_ask_report (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (entry);
  DynoWindow *window = window_fixture_open (800);
  GtkFileChooser *dialog;

  dyno_run_saver_ask_report (page_fixture_find (GTK_WIDGET (window), GTK_TYPE_STACK), subject, "html");
  dialog = page_fixture_wait_for_dialog ();
  assert_name (dialog, "Far away.html");
  page_fixture_choose_format (dialog, "Markdown (.md)");
  assert_name (dialog, "Far away.md");
  page_fixture_press (GTK_WIDGET (dialog), "_Save");
  window_fixture_wait_shown (window, "Saved to “Far away.md”");
  wait_for_file ("Far away.md");
  window_fixture_close (window);
}

static void
test_ask_document (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  DynoWindow *window = window_fixture_open (800);

  dyno_run_saver_ask_document (page_fixture_find (GTK_WIDGET (window), GTK_TYPE_STACK), entry);
  page_fixture_press (GTK_WIDGET (page_fixture_wait_for_dialog ()), "_Save");
  window_fixture_wait_shown (window, "Saved to “Far away.dyno”");
  wait_for_file ("Far away.dyno");
  window_fixture_close (window);
}

static gboolean
asks_again (gpointer data)
{
  GtkFileChooser *dialog = page_fixture_find_dialog ();
  g_autofree char *name = dialog != NULL ? gtk_file_chooser_get_current_name (dialog) : NULL;

  return g_strcmp0 (name, "taken.html") == 0;
}

static gboolean
has_no_dialog (gpointer data)
{
  return page_fixture_find_dialog () == NULL;
}

/* A name without an ending gets one, and never that of a file which the dialog did not ask about. */
static void
test_ask_again (void)
{
  g_autoptr (DynoRunEntry) entry = add_entry ();
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (entry);
  g_autofree char *path = g_build_filename (folder, "taken.html", NULL);
  g_autofree char *text = NULL;
  DynoWindow *window = window_fixture_open (800);
  GtkFileChooser *dialog;

  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  dyno_run_saver_ask_report (page_fixture_find (GTK_WIDGET (window), GTK_TYPE_STACK), subject, "html");
  dialog = page_fixture_wait_for_dialog ();
  gtk_file_chooser_set_current_name (dialog, "taken");
  page_fixture_press (GTK_WIDGET (dialog), "_Save");
  page_fixture_wait (asks_again, NULL);
  dialog = page_fixture_wait_for_dialog ();
  gtk_file_chooser_set_current_name (dialog, "free");
  page_fixture_press (GTK_WIDGET (dialog), "_Save");
  wait_for_file ("free.html");
  page_fixture_wait (has_no_dialog, NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
  window_fixture_close (window);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  folder = window_fixture_init ();
  window_fixture_get_application ();
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_test_add_func ("/run-saver/document", test_document);
  g_test_add_func ("/run-saver/report", test_report);
  g_test_add_func ("/run-saver/selection", test_selection);
  g_test_add_func ("/run-saver/print", test_print);
  g_test_add_func ("/run-saver/copy", test_copy);
  g_test_add_func ("/run-saver/failure", test_failure);
  g_test_add_func ("/run-saver/ask-report", test_ask_report);
  g_test_add_func ("/run-saver/ask-document", test_ask_document);
  g_test_add_func ("/run-saver/ask-again", test_ask_again);
  return window_fixture_run ();
}

SUITE (run_suite)

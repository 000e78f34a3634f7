/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "page-fixture.h"

/* Far longer than anything here takes; only a hang reaches it. */
#define GUARD_SECONDS 120

static void
print_texts (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
    g_printerr ("  %s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    print_texts (child);
}

static gboolean
guard_cb (gpointer data)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      g_printerr ("A window shows:\n");
      print_texts (window);
    }
  g_error ("What %s waits for did not happen within %d s", g_test_get_path (), GUARD_SECONDS);
  return G_SOURCE_REMOVE;
}

static gboolean
store_is_open (gpointer data)
{
  return dyno_app_session_get_store (dyno_application_get_session (data)) != NULL;
}

/* An application of this process alone, with its store open. */
DynoApplication *
page_fixture_start_application (void)
{
  DynoApplication *application = dyno_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  page_fixture_wait (store_is_open, application);
  return application;
}

/* Shows a page in a window of its own. */
GtkWidget *
page_fixture_present (DynoApplication *application, GType page_type)
{
  GtkWidget *window = gtk_application_window_new (GTK_APPLICATION (application));
  GtkWidget *page = g_object_new (page_type, "session", dyno_application_get_session (application), NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 360, 600);
  gtk_window_set_child (GTK_WINDOW (window), page);
  gtk_window_present (GTK_WINDOW (window));
  return page;
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

/* Closes the window of a page, and waits until nothing holds the page any more. */
void
page_fixture_close (GtkWidget *page)
{
  GtkWidget *watched = page;

  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *)&watched);
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (page)));
  page_fixture_wait (is_gone, &watched);
}

/* The first widget that matches, @widget among them. */
GtkWidget *
page_fixture_find_where (GtkWidget *widget, PageMatch match, gconstpointer wanted)
{
  if (match (widget, wanted))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = page_fixture_find_where (child, match, wanted);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_type (GtkWidget *widget, gconstpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, GPOINTER_TO_SIZE (type));
}

GtkWidget *
page_fixture_find (GtkWidget *widget, GType type)
{
  return page_fixture_find_where (widget, has_type, GSIZE_TO_POINTER (type));
}

/* The first widget of a type in any window; NULL if there is none. */
GtkWidget *
page_fixture_find_anywhere (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWidget *found = NULL;

  for (guint i = 0; found == NULL && i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      found = page_fixture_find (window, type);
    }
  return found;
}

static gboolean
is_named (GtkWidget *widget, gconstpointer name)
{
  return g_strcmp0 (gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)), name) == 0;
}

/* The widget with an id in a template. */
GtkWidget *
page_fixture_find_named (GtkWidget *widget, const char *name)
{
  return page_fixture_find_where (widget, is_named, name);
}

static gboolean
is_titled (GtkWidget *widget, gconstpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget) &&
         g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

GtkWidget *
page_fixture_find_row (GtkWidget *widget, const char *title)
{
  return page_fixture_find_where (widget, is_titled, title);
}

/* Nothing shows notifications here, so those that the end of a run sends may come back. */
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  return strstr (message, "org.freedesktop.Notifications") == NULL;
}

static void
log_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (is_fatal (domain, level, message, data))
    g_log_default_handler (domain, level, message, data);
}

/* Runs the main loop until @condition holds. */
void
page_fixture_wait (PageCondition condition, gpointer data)
{
  static guint log_handler;
  guint guard = g_timeout_add_seconds (GUARD_SECONDS, guard_cb, NULL);

  g_test_log_set_fatal_handler (is_fatal, NULL);
  if (log_handler == 0)
    log_handler = g_log_set_handler ("GLib-GIO", G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL, log_cb, NULL);

  while (!condition (data))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (guard);
}

/* Drops a reference and waits until the object is finalized. The last reference may be that of a task's thread, which
 * wakes nobody; with a leak, the test times out here. */
void
page_fixture_finalize (gpointer object)
{
  gpointer watched = object;

  g_object_add_weak_pointer (object, &watched);
  g_object_unref (object);
  while (g_atomic_pointer_get (&watched) != NULL)
    {
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

static gboolean
is_button (GtkWidget *widget, gconstpointer label)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

/* Presses the button with a label below @widget. */
void
page_fixture_press (GtkWidget *widget, const char *label)
{
  g_signal_emit_by_name (page_fixture_find_where (widget, is_button, label), "clicked");
}

/* The file dialog that is shown, or NULL. */
GtkFileChooser *
page_fixture_find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (GTK_IS_FILE_CHOOSER (window) && gtk_widget_get_mapped (window))
        return GTK_FILE_CHOOSER (window);
    }
  return NULL;
}

/* It begins in the current folder, which takes it a while to read. */
static gboolean
has_dialog (gpointer data)
{
  GtkFileChooser *dialog = page_fixture_find_dialog ();
  g_autoptr (GFile) shown = dialog != NULL ? gtk_file_chooser_get_current_folder (dialog) : NULL;
  g_autofree char *path = g_get_current_dir ();
  g_autoptr (GFile) wanted = g_file_new_for_path (path);

  return shown != NULL && g_file_equal (shown, wanted);
}

GtkFileChooser *
page_fixture_wait_for_dialog (void)
{
  page_fixture_wait (has_dialog, NULL);
  return page_fixture_find_dialog ();
}

void
page_fixture_choose_format (GtkFileChooser *dialog, const char *name)
{
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (dialog);

  for (guint i = 0; i < g_list_model_get_n_items (filters); i++)
    {
      g_autoptr (GtkFileFilter) filter = g_list_model_get_item (filters, i);

      if (g_str_equal (gtk_file_filter_get_name (filter), name))
        gtk_file_chooser_set_filter (dialog, filter);
    }
}

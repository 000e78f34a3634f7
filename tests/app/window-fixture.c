/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <libintl.h>
#include <locale.h>

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-paths.h"
#include "dyno-scratch.h"
#include "window-fixture.h"

static char *folder;
static DynoApplication *application;

const char *
window_fixture_init (void)
{
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("dyno-window-XXXXXX", &error);
  g_assert_no_error (error);
  dyno_paths_set_root (DYNO_PATH_DATA, folder);
  return folder;
}

/* Takes the messages of a language from the folder DYNO_TEST_LOCALES. */
void
window_fixture_speak (const char *language)
{
  /* Newer GTK tests in C.UTF-8, where newer C libraries translate nothing. */
  setlocale (LC_ALL, "en_US.UTF-8");
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("DYNO_TEST_LOCALES"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_setenv ("LANGUAGE", language, TRUE);
}

/* Runs all tests, and removes what they had. */
int
window_fixture_run (void)
{
  int status = g_test_run ();

  g_clear_object (&application);
  dyno_scratch_remove (folder);
  g_clear_pointer (&folder, g_free);
  return status;
}

int
window_fixture_run_suite (int argc, char *argv[], void (*add) (void))
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  window_fixture_get_application ();
  add ();
  return window_fixture_run ();
}

DynoApplication *
window_fixture_get_application (void)
{
  if (application == NULL)
    application = page_fixture_start_application ();
  return application;
}

DynoAppSession *
window_fixture_get_session (void)
{
  return dyno_application_get_session (window_fixture_get_application ());
}

DynoStore *
window_fixture_get_store (void)
{
  return dyno_app_session_get_store (window_fixture_get_session ());
}

void
window_fixture_clear_store (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (window_fixture_get_store (), NULL, 0, G_MAXINT, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    {
      dyno_store_delete_run (window_fixture_get_store (), dyno_run_get_id (g_ptr_array_index (runs, i)),
                             &error);
      g_assert_no_error (error);
    }
}

DynoWindow *
window_fixture_open (int width)
{
  DynoWindow *window = dyno_window_new (window_fixture_get_application ());

  gtk_window_set_default_size (GTK_WINDOW (window), width, 700);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (GTK_WIDGET (window));
  return window;
}

void
window_fixture_close (DynoWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_visible_label (GtkWidget *widget, gconstpointer text)
{
  return gtk_widget_get_mapped (widget) && GTK_IS_LABEL (widget) &&
         g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text);
}

gboolean
window_fixture_shows (GtkWidget *widget, const char *text)
{
  return page_fixture_find_where (widget, is_visible_label, text) != NULL;
}

typedef struct
{
  GtkWidget *widget;
  const char *text;
} Sight;

static gboolean
is_shown (gpointer data)
{
  Sight *sight = data;

  return window_fixture_shows (sight->widget, sight->text);
}

static gboolean
is_gone (gpointer data)
{
  return !is_shown (data);
}

void
window_fixture_wait_shown (DynoWindow *window, const char *text)
{
  page_fixture_wait (is_shown, &(Sight){ GTK_WIDGET (window), text });
}

void
window_fixture_wait_gone (DynoWindow *window, const char *text)
{
  page_fixture_wait (is_gone, &(Sight){ GTK_WIDGET (window), text });
}

static gboolean
has_painted (gpointer n_frames)
{
  return *(int *)n_frames >= 3;
}

static void
painted_cb (GdkFrameClock *clock, int *n_frames)
{
  *n_frames += 1;
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
}

/* Waits until what has changed has been laid out and drawn. */
void
window_fixture_wait_frames (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  int n_frames = 0;
  gulong handler = g_signal_connect (clock, "after-paint", G_CALLBACK (painted_cb), &n_frames);

  gtk_widget_queue_draw (widget);
  page_fixture_wait (has_painted, &n_frames);
  g_signal_handler_disconnect (clock, handler);
}

/* Whether an action without a target is enabled where @widget is: a button for it would be sensitive. */
gboolean
window_fixture_can (GtkWidget *widget, const char *action_name)
{
  GtkWidget *button = gtk_button_new ();
  gboolean can;

  gtk_widget_set_parent (button, widget);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action_name);
  can = gtk_widget_get_sensitive (button);
  gtk_widget_unparent (button);
  return can;
}

static gboolean
try_shortcut (GtkWidget *widget, GtkShortcut *shortcut, guint keyval, GdkModifierType modifiers)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

  return GTK_IS_KEYVAL_TRIGGER (trigger) &&
         gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == keyval &&
         gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers &&
         gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                       gtk_shortcut_get_arguments (shortcut));
}

/* Activates the shortcut of a key on @widget. Returns whether there was one. */
gboolean
window_fixture_press (GtkWidget *widget, guint keyval, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) &&
                        j < g_list_model_get_n_items (G_LIST_MODEL (controller));
           j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          if (try_shortcut (widget, shortcut, keyval, modifiers))
            return TRUE;
        }
    }
  return FALSE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <malloc.h>

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-page-list.h"

/* How long a process started by the bus waits, in ms: a search asks again with every key press. */
#define SERVICE_TIMEOUT 10000
#define MAX_ARENAS      2

struct _DynoApplication
{
  AdwApplication parent_instance;

  DynoAppSession *session;
  DynoRunner *runner; /* of the current run, which keeps the application alive and the machine awake */
  guint inhibit_cookie;
  gboolean quitting;

  char *run_to_show;
  gboolean quick_wanted; /* as soon as the store is open */

  DynoSearchProvider *search_provider;
};

G_DEFINE_FINAL_TYPE (DynoApplication, dyno_application, ADW_TYPE_APPLICATION)

static DynoWindow *
get_window (DynoApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (DYNO_IS_WINDOW (window))
    return DYNO_WINDOW (window);
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (DYNO_IS_WINDOW (l->data))
      return l->data;
  return NULL;
}

static DynoWindow *
ensure_window (DynoApplication *self)
{
  DynoWindow *window = get_window (self);

  return window != NULL ? window : dyno_window_new (self);
}

static void
show_run (DynoApplication *self, const char *id)
{
  DynoWindow *window = ensure_window (self);

  dyno_window_show_run (window, id);
  gtk_window_present (GTK_WINDOW (window));
}

static void
run_quick (DynoApplication *self)
{
  DynoWindow *window = ensure_window (self);

  gtk_window_present (GTK_WINDOW (window));
  if (dyno_app_session_get_runner (self->session) == NULL)
    dyno_window_run_quick (window);
  else
    dyno_window_show_page (window, "benchmark");
}

/* The session */

static gboolean
has_focus (DynoApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  return window != NULL && gtk_window_is_active (window);
}

static void
submission_ended_cb (DynoApplication *self, DynoClusterProgress *progress)
{
  if (!has_focus (self))
    dyno_run_notices_end_submission (G_APPLICATION (self), progress);
}

static void
follower_changed_cb (DynoApplication *self)
{
  DynoClusterFollower *follower = dyno_app_session_get_follower (self->session);

  if (follower == NULL)
    return;
  g_signal_connect_object (follower, "ended", G_CALLBACK (submission_ended_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (follower, "lost", G_CALLBACK (dyno_run_notices_tell_lost), self,
                           G_CONNECT_SWAPPED);
}

static void
store_opened_cb (DynoApplication *self)
{
  if (self->run_to_show != NULL && dyno_app_session_get_store (self->session) != NULL)
    {
      g_autofree char *id = g_steal_pointer (&self->run_to_show);
      show_run (self, id);
    }
  if (self->quick_wanted)
    run_quick (self); /* without a store, it reports why nothing can run */
  self->quick_wanted = FALSE;
}

/* The application stays alive and the machine awake until the run ends. */
static void
runner_changed_cb (DynoApplication *self)
{
  DynoRunner *runner = dyno_app_session_get_runner (self->session);

  if (runner == NULL)
    return;
  g_set_object (&self->runner, runner);
  self->inhibit_cookie =
      gtk_application_inhibit (GTK_APPLICATION (self), GTK_WINDOW (get_window (self)),
                               GTK_APPLICATION_INHIBIT_SUSPEND, _ ("A benchmark is running."));
  g_application_hold (G_APPLICATION (self));
}

static void
run_ended_cb (DynoApplication *self, DynoRun *run, GError *error)
{
  g_autoptr (DynoRunner) runner = g_steal_pointer (&self->runner);
  const char *warning = dyno_runner_get_warning (runner);

  if (self->inhibit_cookie > 0)
    gtk_application_uninhibit (GTK_APPLICATION (self), self->inhibit_cookie);
  self->inhibit_cookie = 0;
  dyno_run_notices_withdraw (G_APPLICATION (self), runner);
  if (!has_focus (self) && !self->quitting)
    dyno_run_notices_end (G_APPLICATION (self), run, error, dyno_app_session_get_wait_reason (self->session));
  if (warning == NULL && run != NULL && !self->quitting && !dyno_run_is_self_test (run))
    dyno_run_notices_tell_alerts (G_APPLICATION (self), dyno_app_session_get_store (self->session), run);
  if (warning != NULL && run != NULL)
    {
      /* Results that could not be stored are lost unless they are saved, so a window is opened if there is none. */
      GtkWindow *window = GTK_WINDOW (ensure_window (self));

      gtk_window_present (window);
      dyno_rescue_present (window, run, warning);
    }
  g_application_release (G_APPLICATION (self));
}

/* Actions */

/* Finished cases are stored and only the current one is lost, so no confirmation is needed. The application
 * ends when the last window is closed, the run has ended and nothing is being written; quitting twice does
 * not wait. */
static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;

  if (self->quitting)
    {
      g_application_quit (G_APPLICATION (self));
      return;
    }
  self->quitting = TRUE;
  if (self->runner != NULL)
    dyno_app_session_stop_run (self->session);

  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));
  for (GList *l = windows; l != NULL; l = l->next)
    g_object_ref (l->data);
  for (GList *l = windows; l != NULL; l = l->next)
    {
      gtk_window_close (l->data);
      gtk_window_destroy (l->data);
      g_object_unref (l->data);
    }
}

static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_present (GTK_WINDOW (dyno_window_new (user_data)));
}

static void
open_file_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoWindow) window = DYNO_WINDOW (user_data);
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);

  if (file != NULL)
    dyno_window_open_file (window, file);
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  static const DynoCompatFilter filters[] = {
    { N_ ("Results and models"), { "dyno" }, TRUE },
    { N_ ("Dyno results"), { "dyno" } },
    { N_ ("Models and configs"), .with_models = TRUE },
    { NULL },
  };
  DynoWindow *window = ensure_window (user_data);

  gtk_window_present (GTK_WINDOW (window));
  dyno_compat_open_file_async (GTK_WIDGET (window), _ ("Open"), filters, open_file_cb, g_object_ref (window));
}

static void
preferences_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;
  GtkWidget *preferences = dyno_preferences_new (dyno_app_session_get_settings (self->session));

  gtk_window_set_transient_for (GTK_WINDOW (preferences),
                                gtk_application_get_active_window (GTK_APPLICATION (self)));
  gtk_window_present (GTK_WINDOW (preferences));
}

static void
help_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoWindow *window = ensure_window (user_data);

  dyno_help_show (GTK_WINDOW (window), dyno_window_get_page (window));
}

static void
about_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;
  g_autofree char *debug_info = dyno_debug_info_collect (dyno_app_session_get_store (self->session));

  dyno_compat_present_about (gtk_application_get_active_window (GTK_APPLICATION (self)), debug_info);
}

static void
show_run_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;

  if (dyno_app_session_get_store (self->session) != NULL)
    {
      show_run (self, g_variant_get_string (parameter, NULL));
      return;
    }
  g_free (self->run_to_show);
  self->run_to_show = g_variant_dup_string (parameter, NULL);
  gtk_window_present (GTK_WINDOW (ensure_window (self)));
}

static void
search_runs_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoWindow *window = ensure_window (user_data);

  dyno_window_search_runs (window, g_variant_get_string (parameter, NULL));
  gtk_window_present (GTK_WINDOW (window));
}

static void
run_quick_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;

  self->quick_wanted = dyno_app_session_get_opening (self->session);
  if (!self->quick_wanted)
    run_quick (self);
}

static void
show_progress_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoWindow *window = ensure_window (user_data);

  dyno_window_show_page (window, "benchmark");
  gtk_window_present (GTK_WINDOW (window));
}

static void
stop_run_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;

  if (self->runner != NULL)
    dyno_app_session_stop_run (self->session);
}

static const GActionEntry action_entries[] = {
  { "quit", quit_action },
  { "new-window", new_window_action },
  { "open", open_action },
  { "preferences", preferences_action },
  { "help", help_action },
  { "about", about_action },
  { "show-run", show_run_action, "s" },
  { "search-runs", search_runs_action, "s" },
  { "run-quick", run_quick_action },
  { "show-progress", show_progress_action },
  { "stop-run", stop_run_action },
};

static const struct
{
  const char *action;
  const char *accels[3];
} accels[] = {
  { "app.quit", { "<Control>q" } },
  { "app.help", { "F1" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "app.new-window", { "<Control>n" } },
  { "app.open", { "<Control>o" } },
  { "win.import", { "<Control>i" } },
  { "app.preferences", { "<Control>comma" } },
  { "window.close", { "<Control>w" } },
  { "win.save", { "<Control>s" } },
  { "win.search", { "<Control>f" } },
  { "win.show-history", { "<Control>h" } },
};

static gboolean
quit_cb (gpointer user_data)
{
  g_action_group_activate_action (G_ACTION_GROUP (user_data), "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static void
dyno_application_startup (GApplication *application)
{
  DynoApplication *self = DYNO_APPLICATION (application);

#ifdef M_ARENA_MAX
  /* By default each thread keeps what it freed for itself: many that read the store add up to tens of megabytes. */
  mallopt (M_ARENA_MAX, MAX_ARENAS);
#endif
  G_APPLICATION_CLASS (dyno_application_parent_class)->startup (application);

  gtk_window_set_default_icon_name (APP_ID);
  dyno_compat_names_mend ();
  dyno_compat_hidden_mend ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), action_entries, G_N_ELEMENTS (action_entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action, accels[i].accels);
  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    {
      g_autofree char *action = g_strconcat ("win.show-page::", dyno_pages[i]->name, NULL);

      /* Without a key, the first element ends the list. */
      gtk_application_set_accels_for_action (GTK_APPLICATION (self), action,
                                             (const char *[]){ dyno_pages[i]->accel, NULL });
    }
  g_unix_signal_add (SIGTERM, quit_cb, self);
  g_unix_signal_add (SIGINT, quit_cb, self);
  self->session = dyno_app_session_new ();
  g_signal_connect_object (self->session, "notify::follower", G_CALLBACK (follower_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::opening", G_CALLBACK (store_opened_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::runner", G_CALLBACK (runner_changed_cb), self,
                           G_CONNECT_SWAPPED);
  /* The pages hear of it first. */
  g_signal_connect_object (self->session, "run-ended", G_CALLBACK (run_ended_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  if (g_application_get_flags (application) & G_APPLICATION_IS_SERVICE)
    g_application_set_inactivity_timeout (application, SERVICE_TIMEOUT);
  dyno_app_session_open_store (self->session);
}

static void
dyno_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (ensure_window (DYNO_APPLICATION (application))));
}

static void
dyno_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  DynoWindow *window = ensure_window (DYNO_APPLICATION (application));
  g_autoptr (GListStore) list = g_list_store_new (G_TYPE_FILE);

  for (int i = 0; i < n_files; i++)
    g_list_store_append (list, files[i]);
  dyno_window_open_files (window, G_LIST_MODEL (list));
  gtk_window_present (GTK_WINDOW (window));
}

static gboolean
dyno_application_dbus_register (GApplication *application,
                                GDBusConnection *connection,
                                const char *object_path,
                                GError **error)
{
  DynoApplication *self = DYNO_APPLICATION (application);
  g_autofree char *search_path = g_strconcat (object_path, "/SearchProvider", NULL);

  return G_APPLICATION_CLASS (dyno_application_parent_class)
             ->dbus_register (application, connection, object_path, error) &&
         dyno_search_provider_export (self->search_provider, connection, search_path, error);
}

static void
dyno_application_dbus_unregister (GApplication *application,
                                  GDBusConnection *connection,
                                  const char *object_path)
{
  dyno_search_provider_unexport (DYNO_APPLICATION (application)->search_provider);
  G_APPLICATION_CLASS (dyno_application_parent_class)->dbus_unregister (application, connection, object_path);
}

static int
dyno_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  g_autoptr (GError) error = NULL;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("%s %s\n", g_get_prgname (), PACKAGE_VERSION);
      return 0;
    }
  if (!g_variant_dict_contains (options, "run") && !g_variant_dict_contains (options, "quick"))
    return -1;
  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }

  /* Options of the command line are the actions of notifications and of the desktop file. */
  const char *id;
  if (g_variant_dict_lookup (options, "run", "&s", &id))
    g_action_group_activate_action (G_ACTION_GROUP (application), "show-run", g_variant_new_string (id));
  else
    g_action_group_activate_action (G_ACTION_GROUP (application), "run-quick", NULL);

  return g_application_get_is_remote (application) ? 0 : -1;
}

static void
dyno_application_window_added (GtkApplication *application, GtkWindow *window)
{
  DynoApplication *self = DYNO_APPLICATION (application);

  GTK_APPLICATION_CLASS (dyno_application_parent_class)->window_added (application, window);

  /* Results must be saved first, or the user has changed their mind. */
  self->quitting = FALSE;
  dyno_run_notices_withdraw (G_APPLICATION (self), self->runner);
}

static void
dyno_application_window_removed (GtkApplication *application, GtkWindow *window)
{
  DynoApplication *self = DYNO_APPLICATION (application);

  GTK_APPLICATION_CLASS (dyno_application_parent_class)->window_removed (application, window);

  if (self->runner != NULL && !self->quitting && gtk_application_get_windows (application) == NULL)
    dyno_run_notices_continue (G_APPLICATION (self), self->runner);
}

static void
dyno_application_finalize (GObject *object)
{
  DynoApplication *self = DYNO_APPLICATION (object);

  g_clear_object (&self->runner);
  g_clear_object (&self->session);
  g_clear_object (&self->search_provider);
  g_free (self->run_to_show);

  G_OBJECT_CLASS (dyno_application_parent_class)->finalize (object);
}

static void
dyno_application_class_init (DynoApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_application_finalize;
  application_class->startup = dyno_application_startup;
  application_class->activate = dyno_application_activate;
  application_class->open = dyno_application_open;
  application_class->dbus_register = dyno_application_dbus_register;
  application_class->dbus_unregister = dyno_application_dbus_unregister;
  application_class->handle_local_options = dyno_application_handle_local_options;
  GTK_APPLICATION_CLASS (klass)->window_added = dyno_application_window_added;
  GTK_APPLICATION_CLASS (klass)->window_removed = dyno_application_window_removed;
}

static void
dyno_application_init (DynoApplication *self)
{
  self->search_provider = dyno_search_provider_new (self);
  g_application_add_main_option (G_APPLICATION (self), "run", 'r', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING,
                                 _ ("Show the run with this ID"), _ ("ID"));
  g_application_add_main_option (G_APPLICATION (self), "quick", 'q', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
                                 _ ("Run the quick benchmark"), NULL);
  g_application_add_main_option (G_APPLICATION (self), "version", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
                                 _ ("Show the version"), NULL);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
}

DynoApplication *
dyno_application_new (void)
{
  return g_object_new (DYNO_TYPE_APPLICATION, "application-id", APP_ID, "flags", G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", "/io/github/dynobench/Dyno", NULL);
}

DynoAppSession *
dyno_application_get_session (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->session;
}

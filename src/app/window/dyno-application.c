/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-app-window-private.h"
#include "dyno-backend.h"
#include "dyno-ceilings.h"
#include "dyno-compat.h"
#include "dyno-engine.h"
#include "dyno-error.h"
#include "dyno-paths.h"

/* How often the application tries to store results that could not be stored. */
#define SPOOL_SECONDS 5

/* How long a process started by the bus waits, in ms: a search asks again with every key press. */
#define SERVICE_TIMEOUT 10000

struct _DynoApplication
{
  AdwApplication parent_instance;

  GSettings *settings;
  DynoStore *store;
  gboolean opening; /* whether the store is being opened */
  char *message;
  gboolean results_wait; /* in the spool; the user has been told */
  guint spool_timer;
  GListStore *documents;
  DynoClusterFollower *follower;
  DynoCeilingsModel *ceilings;

  DynoRunner *runner;
  DynoRace *race; /* the race of the current run, or %NULL */
  DynoRun *unstored;
  GCancellable *run_cancellable;
  guint inhibit_cookie;
  gboolean quitting;

  char *run_to_show;
  gboolean quick_wanted; /* as soon as the store is open */

  DynoSearchProvider *search_provider;
};

enum
{
  PROP_0,
  PROP_STORE,
  PROP_MESSAGE,
  PROP_RUNNER,
  PROP_DOCUMENTS,
  PROP_FOLLOWER,
  N_PROPS
};

enum
{
  RUN_ENDED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoApplication, dyno_application, ADW_TYPE_APPLICATION)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

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
search_runs (DynoApplication *self, const char *words)
{
  DynoWindow *window = ensure_window (self);

  dyno_window_search_runs (window, words);
  gtk_window_present (GTK_WINDOW (window));
}

static void
run_quick (DynoApplication *self)
{
  DynoWindow *window = ensure_window (self);

  gtk_window_present (GTK_WINDOW (window));
  if (self->runner == NULL)
    dyno_window_run_quick (window);
  else
    dyno_window_show_page (window, "benchmark");
}

static void
set_message (DynoApplication *self, const char *message)
{
  g_free (self->message);
  self->message = g_strdup (message);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MESSAGE]);
}

/* The store */

static void
open_store_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  DynoStore *store = dyno_store_open_default (&error);

  if (store != NULL)
    g_task_return_pointer (task, store, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Results that could not be stored */

static void
tell_of_spool (DynoApplication *self)
{
  gboolean waited = self->results_wait;
  g_autofree char *message = dyno_store_dup_spool_message (self->store);

  self->results_wait = message != NULL;
  if (waited && !self->results_wait)
    message = g_strdup_printf (_ ("The results that were kept beside “%s” are now stored."),
                               dyno_store_get_path (self->store));
  if (waited != self->results_wait)
    set_message (self, message);
}

static void
take_in_thread (GTask *task, gpointer source, gpointer store, GCancellable *cancellable)
{
  dyno_store_take_in_spool (store);
  g_task_return_boolean (task, TRUE);
}

static void
taken_in_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoApplication *self = DYNO_APPLICATION (object);

  dyno_writing_end ();
  tell_of_spool (self);
  if (!self->results_wait)
    g_clear_handle_id (&self->spool_timer, g_source_remove);
}

/* A run tries whenever it stores a case. */
static gboolean
take_in_cb (gpointer user_data)
{
  DynoApplication *self = user_data;
  g_autoptr (GTask) task = NULL;

  if (self->runner != NULL)
    return G_SOURCE_CONTINUE;
  task = g_task_new (self, NULL, taken_in_cb, NULL);
  g_task_set_source_tag (task, take_in_cb);
  g_task_set_task_data (task, g_object_ref (self->store), g_object_unref);
  dyno_writing_begin ();
  g_task_run_in_thread (task, take_in_thread);
  return G_SOURCE_CONTINUE;
}

static void
watch_spool (DynoApplication *self)
{
  tell_of_spool (self);
  if (self->results_wait && self->spool_timer == 0)
    self->spool_timer = g_timeout_add_seconds (SPOOL_SECONDS, take_in_cb, self);
}

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
follow_submissions (DynoApplication *self)
{
  self->follower = dyno_cluster_follower_new (self->store);
  g_signal_connect_object (self->follower, "ended", G_CALLBACK (submission_ended_cb), self,
                           G_CONNECT_SWAPPED);
}

static void
open_store_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoApplication *self = DYNO_APPLICATION (object);
  g_autoptr (GError) error = NULL;

  self->opening = FALSE;
  self->store = g_task_propagate_pointer (G_TASK (result), &error);
  set_message (self, self->store != NULL ? dyno_store_get_message (self->store) : error->message);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STORE]);
  if (self->ceilings != NULL)
    dyno_ceilings_model_set_store (self->ceilings, self->store);
  if (self->store != NULL)
    watch_spool (self);
  if (self->store != NULL && !dyno_store_is_read_only (self->store))
    follow_submissions (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOWER]);

  if (self->run_to_show != NULL && self->store != NULL)
    {
      g_autofree char *id = g_steal_pointer (&self->run_to_show);
      show_run (self, id);
    }
  if (self->quick_wanted)
    run_quick (self); /* without a store, it reports why nothing can run */
  self->quick_wanted = FALSE;
}

/* Opening may recover or migrate the store, which takes time. If the store exists, this is not the first
 * start. */
static void
open_store (DynoApplication *self)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_DATA, "store.sqlite", NULL);
  g_autoptr (GTask) task = g_task_new (self, NULL, open_store_cb, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    g_settings_set_boolean (self->settings, "first-start", FALSE);

  self->opening = TRUE;
  g_task_set_source_tag (task, open_store);
  g_task_run_in_thread (task, open_store_thread);
}

/* Documents */

static void
document_opened_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  DynoStore *document = dyno_store_open_document_finish (result, &error);

  if (document != NULL)
    g_task_return_pointer (task, document, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static DynoStore *
find_document (DynoApplication *self, const char *path)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->documents)); i++)
    {
      g_autoptr (DynoStore) document = g_list_model_get_item (G_LIST_MODEL (self->documents), i);
      if (g_strcmp0 (dyno_store_get_path (document), path) == 0)
        return g_steal_pointer (&document);
    }
  return NULL;
}

/* Runs */

/* Results that could not be stored are lost unless they are saved, so a window is opened if there is none. */
static void
offer_rescue (DynoApplication *self, const char *reason)
{
  GtkWindow *window = GTK_WINDOW (ensure_window (self));

  gtk_window_present (window);
  dyno_rescue_present (window, self->unstored, reason);
}

static void
run_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoApplication) self = user_data;
  DynoRunner *runner = DYNO_RUNNER (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) finished = dyno_runner_run_finish (runner, result, &error);
  g_autoptr (DynoRun) run = NULL;

  /* A plan that cannot be run at all has no run. */
  g_set_object (&run, dyno_runner_get_run (runner));
  g_clear_object (&self->unstored);
  if (dyno_runner_get_warning (runner) != NULL)
    g_set_object (&self->unstored, run);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&error);
  g_clear_object (&self->runner);
  g_clear_object (&self->race);
  g_clear_object (&self->run_cancellable);
  if (self->ceilings != NULL)
    dyno_ceilings_model_load (self->ceilings); /* the run may have measured them */
  if (self->inhibit_cookie > 0)
    gtk_application_uninhibit (GTK_APPLICATION (self), self->inhibit_cookie);
  self->inhibit_cookie = 0;
  watch_spool (self);

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNER]);
  g_signal_emit (self, signals[RUN_ENDED], 0, run, error);
  dyno_run_notices_withdraw (G_APPLICATION (self), runner);
  if (!has_focus (self) && !self->quitting)
    dyno_run_notices_end (G_APPLICATION (self), run, error, self->results_wait ? self->message : NULL);
  if (self->unstored != NULL)
    offer_rescue (self, dyno_runner_get_warning (runner));
  g_application_release (G_APPLICATION (self));
}

/* Actions */

static void
close_windows (DynoApplication *self)
{
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
    dyno_application_stop_run (self);
  close_windows (self);
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
  g_autoptr (GFile) file = dyno_compat_choose_file_finish (result, NULL);

  if (file != NULL)
    dyno_window_open_file (window, file);
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  static const char *const all[] = { "dyno", "onnx", "json", NULL };
  static const char *const documents[] = { "dyno", NULL };
  static const char *const models[] = { "onnx", "json", NULL };
  DynoApplication *self = user_data;
  DynoWindow *window = ensure_window (self);
  g_autoptr (GListStore) filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
  g_autoptr (GtkFileFilter) all_filter = dyno_compat_file_filter_new (_ ("Results and models"), all);
  g_autoptr (GtkFileFilter) document_filter = dyno_compat_file_filter_new (_ ("Dyno results"), documents);
  g_autoptr (GtkFileFilter) model_filter =
      dyno_compat_file_filter_new (_ ("ONNX models and configs"), models);

  g_list_store_append (filters, all_filter);
  g_list_store_append (filters, document_filter);
  g_list_store_append (filters, model_filter);
  gtk_window_present (GTK_WINDOW (window));
  dyno_compat_open_file_async (GTK_WIDGET (window), _ ("Open"), G_LIST_MODEL (filters), NULL, open_file_cb,
                               g_object_ref (window));
}

static void
preferences_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;
  GtkWidget *preferences = dyno_preferences_new (self->settings);

  gtk_window_set_transient_for (GTK_WINDOW (preferences), GTK_WINDOW (get_window (self)));
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
  g_autofree char *debug_info = dyno_debug_info_collect (self->store);

  dyno_compat_present_about (GTK_WINDOW (get_window (self)), debug_info);
}

static void
show_run_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;

  if (self->store != NULL)
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
  search_runs (user_data, g_variant_get_string (parameter, NULL));
}

static void
run_quick_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  DynoApplication *self = user_data;

  self->quick_wanted = self->opening;
  if (!self->opening)
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
    dyno_application_stop_run (self);
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
  { "win.show-page::benchmark", { "<Control>1" } },
  { "win.show-page::results", { "<Control>2" } },
  { "win.show-history", { "<Control>h" } },
  { "win.show-page::compare", { "<Control>3" } },
  { "win.show-page::hardware", { "<Control>4" } },
};

static void
setting_changed_cb (DynoApplication *self, const char *key)
{
  dyno_backend_apply_settings (self->settings, key);
  dyno_engine_registry_apply_settings (self->settings);
}

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

  G_APPLICATION_CLASS (dyno_application_parent_class)->startup (application);

  gtk_window_set_default_icon_name (APP_ID);
  dyno_compat_names_mend ();
  dyno_compat_hidden_mend ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), action_entries, G_N_ELEMENTS (action_entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action, accels[i].accels);
  g_unix_signal_add (SIGTERM, quit_cb, self);
  g_unix_signal_add (SIGINT, quit_cb, self);
  self->settings = g_settings_new (APP_ID);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (setting_changed_cb), self,
                           G_CONNECT_SWAPPED);
  dyno_backend_apply_settings (self->settings, NULL);
  dyno_engine_registry_apply_settings (self->settings);
  if (g_application_get_flags (application) & G_APPLICATION_IS_SERVICE)
    g_application_set_inactivity_timeout (application, SERVICE_TIMEOUT);
  open_store (self);
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

/* Options of the command line are the actions of notifications and of the desktop file. */
static void
activate_option (GApplication *application, GVariantDict *options)
{
  const char *id;

  if (g_variant_dict_lookup (options, "run", "&s", &id))
    g_action_group_activate_action (G_ACTION_GROUP (application), "show-run", g_variant_new_string (id));
  else
    g_action_group_activate_action (G_ACTION_GROUP (application), "run-quick", NULL);
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
  activate_option (application, options);
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

  g_clear_handle_id (&self->spool_timer, g_source_remove);
  g_clear_object (&self->runner);
  g_clear_object (&self->race);
  g_clear_object (&self->unstored);
  g_clear_object (&self->run_cancellable);
  g_clear_object (&self->documents);
  g_clear_object (&self->follower);
  g_clear_object (&self->ceilings);
  g_clear_object (&self->store);
  g_clear_object (&self->settings);
  g_clear_object (&self->search_provider);
  g_free (self->message);
  g_free (self->run_to_show);

  G_OBJECT_CLASS (dyno_application_parent_class)->finalize (object);
}

static void
dyno_application_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoApplication *self = DYNO_APPLICATION (object);

  switch (prop_id)
    {
    case PROP_STORE:
      g_value_set_object (value, self->store);
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, self->message);
      break;
    case PROP_RUNNER:
      g_value_set_object (value, self->runner);
      break;
    case PROP_DOCUMENTS:
      g_value_set_object (value, self->documents);
      break;
    case PROP_FOLLOWER:
      g_value_set_object (value, self->follower);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_application_class_init (DynoApplicationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_application_finalize;
  object_class->get_property = dyno_application_get_property;
  application_class->startup = dyno_application_startup;
  application_class->activate = dyno_application_activate;
  application_class->open = dyno_application_open;
  application_class->dbus_register = dyno_application_dbus_register;
  application_class->dbus_unregister = dyno_application_dbus_unregister;
  application_class->handle_local_options = dyno_application_handle_local_options;
  GTK_APPLICATION_CLASS (klass)->window_added = dyno_application_window_added;
  GTK_APPLICATION_CLASS (klass)->window_removed = dyno_application_window_removed;

  properties[PROP_STORE] = g_param_spec_object ("store", NULL, NULL, DYNO_TYPE_STORE, flags);
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, flags);
  properties[PROP_RUNNER] = g_param_spec_object ("runner", NULL, NULL, DYNO_TYPE_RUNNER, flags);
  properties[PROP_DOCUMENTS] = g_param_spec_object ("documents", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  properties[PROP_FOLLOWER] = g_param_spec_object ("follower", NULL, NULL, DYNO_TYPE_CLUSTER_FOLLOWER, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[RUN_ENDED] = g_signal_new ("run-ended", DYNO_TYPE_APPLICATION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 2, DYNO_TYPE_RUN, G_TYPE_ERROR);
}

static void
dyno_application_init (DynoApplication *self)
{
  self->documents = g_list_store_new (DYNO_TYPE_STORE);
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

GSettings *
dyno_application_get_settings (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->settings;
}

DynoStore *
dyno_application_get_store (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->store;
}

gboolean
dyno_application_get_opening (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), FALSE);
  return self->opening;
}

DynoCeilingsModel *
dyno_application_get_ceilings (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);

  if (self->ceilings == NULL)
    {
      self->ceilings = dyno_ceilings_model_new ();
      dyno_ceilings_model_set_store (self->ceilings, self->store);
    }
  return self->ceilings;
}

const char *
dyno_application_get_message (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->message;
}

GListModel *
dyno_application_get_documents (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return G_LIST_MODEL (self->documents);
}

gboolean
dyno_application_has_stored (DynoApplication *self, DynoRun *run)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), FALSE);
  return self->unstored != run && !self->results_wait;
}

DynoRunner *
dyno_application_get_runner (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->runner;
}

static gboolean
wants_ceilings (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);

  return g_settings_get_boolean (settings, "measure-ceilings") && g_getenv ("DYNO_NO_CEILINGS") == NULL;
}

static gboolean
can_start (DynoApplication *self, GError **error)
{
  if (self->runner != NULL)
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("A benchmark is already running. Stop it first: two at once would disturb each other."));
      return FALSE;
    }
  if (self->ceilings != NULL && dyno_ceilings_model_get_measuring (self->ceilings))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                           _ ("The ceilings of the machine are being measured. Wait until that is done: a "
                              "benchmark would disturb it."));
      return FALSE;
    }
  if (self->store == NULL || dyno_store_is_read_only (self->store))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY, _ ("The results could not be saved. %s"),
                   self->message != NULL ? self->message
                                         : _ ("The stored results are still loading. Try again."));
      return FALSE;
    }
  return TRUE;
}

/* The application stays alive and the machine awake until the run ends. */
static void
start (DynoApplication *self)
{
  self->run_cancellable = g_cancellable_new ();
  self->inhibit_cookie =
      gtk_application_inhibit (GTK_APPLICATION (self), GTK_WINDOW (get_window (self)),
                               GTK_APPLICATION_INHIBIT_SUSPEND, _ ("A benchmark is running."));
  g_application_hold (G_APPLICATION (self));
  dyno_runner_run_async (self->runner, self->run_cancellable, run_cb, g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNER]);
}

DynoClusterFollower *
dyno_application_get_follower (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->follower;
}

gboolean
dyno_application_start_run (DynoApplication *self, DynoPlan *plan, GError **error)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), FALSE);
  g_return_val_if_fail (DYNO_IS_PLAN (plan), FALSE);

  if (!can_start (self, error))
    return FALSE;
  self->runner = dyno_runner_new (plan, DYNO_RESULT_SINK (self->store));
  dyno_runner_set_ceilings (self->runner, wants_ceilings () ? DYNO_CEILINGS_SECONDS : 0);
  start (self);
  return TRUE;
}

gboolean
dyno_application_start_self_test (DynoApplication *self, DynoPlan *plan, GError **error)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), FALSE);
  g_return_val_if_fail (DYNO_IS_PLAN (plan), FALSE);

  if (!can_start (self, error))
    return FALSE;
  self->runner = dyno_runner_new (plan, DYNO_RESULT_SINK (self->store));
  dyno_runner_set_self_test (self->runner, TRUE);
  start (self);
  return TRUE;
}

gboolean
dyno_application_start_race (
    DynoApplication *self, DynoPlan *plan, DynoRace *race, double seconds, GError **error)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), FALSE);
  g_return_val_if_fail (DYNO_IS_PLAN (plan), FALSE);
  g_return_val_if_fail (DYNO_IS_RACE (race), FALSE);

  if (!can_start (self, error))
    return FALSE;
  self->race = g_object_ref (race);
  self->runner = dyno_runner_new (plan, DYNO_RESULT_SINK (self->store));
  dyno_runner_set_budget (self->runner, seconds);
  dyno_race_follow (race, self->runner);
  start (self);
  return TRUE;
}

DynoRace *
dyno_application_get_race (DynoApplication *self)
{
  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  return self->race;
}

void
dyno_application_stop_run (DynoApplication *self)
{
  g_return_if_fail (DYNO_IS_APPLICATION (self));

  g_cancellable_cancel (self->run_cancellable);
}

void
dyno_application_open_document_async (DynoApplication *self,
                                      GFile *file,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *path = NULL;

  g_return_if_fail (DYNO_IS_APPLICATION (self));
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_application_open_document_async);
  path = g_file_get_path (file);
  if (path == NULL)
    {
      g_task_return_new_error (task, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, "%s",
                               _ ("Only local files can be opened. Copy the file to this machine first."));
      return;
    }
  dyno_store_open_document_async (path, cancellable, document_opened_cb, g_steal_pointer (&task));
}

DynoStore *
dyno_application_open_document_finish (DynoApplication *self, GAsyncResult *result, GError **error)
{
  g_autoptr (DynoStore) document = NULL;
  DynoStore *present;

  g_return_val_if_fail (DYNO_IS_APPLICATION (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  document = g_task_propagate_pointer (G_TASK (result), error);
  if (document == NULL)
    return NULL;
  present = find_document (self, dyno_store_get_path (document));
  if (present != NULL)
    return present;
  g_list_store_append (self->documents, document);
  return g_steal_pointer (&document);
}

void
dyno_application_close_document (DynoApplication *self, DynoStore *document)
{
  guint position;

  g_return_if_fail (DYNO_IS_APPLICATION (self));

  if (g_list_store_find (self->documents, document, &position))
    g_list_store_remove (self->documents, position);
}

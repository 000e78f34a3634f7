/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-backend.h"
#include "dyno-ceilings.h"
#include "dyno-engine.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-task.h"

/* How often the session tries to store results that could not be stored. */
#define SPOOL_SECONDS 5

struct _DynoAppSession
{
  GObject parent_instance;

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

  GFileMonitor *queue_monitor;
  GThreadPool *queue_thread; /* makes changes of the queue, one after the other */
  GHashTable *leaving;       /* set of ids: runs that have begun, and are being removed from the queue */
  DynoQueuedRun *queued;     /* (nullable): the current run, while it is in the queue yet */
  int queue_claim;           /* a file descriptor while a run of the queue is measured, or -1 */
  gboolean continues;        /* whether the queue started the current run by itself */
  gboolean queue_is_halted;  /* by the user, or because something has to be seen to first */
};

enum
{
  PROP_0,
  PROP_STORE,
  PROP_OPENING,
  PROP_MESSAGE,
  PROP_RUNNER,
  PROP_FOLLOWER,
  N_PROPS
};

enum
{
  RUN_ENDED,
  QUEUE_CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoAppSession, dyno_app_session, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void
set_message (DynoAppSession *self, const char *message)
{
  g_free (self->message);
  self->message = g_strdup (message);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MESSAGE]);
}

/* Results that could not be stored */

static void
tell_of_spool (DynoAppSession *self)
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
  DynoAppSession *self = DYNO_APP_SESSION (object);

  dyno_writing_end ();
  tell_of_spool (self);
  if (!self->results_wait)
    g_clear_handle_id (&self->spool_timer, g_source_remove);
}

/* A run tries whenever it stores a case. */
static gboolean
take_in_cb (gpointer user_data)
{
  DynoAppSession *self = user_data;
  g_autoptr (GTask) task = NULL;

  if (self->runner != NULL)
    return G_SOURCE_CONTINUE;
  task = dyno_owned_task_new (self, NULL, taken_in_cb, NULL);
  g_task_set_source_tag (task, take_in_cb);
  g_task_set_task_data (task, g_object_ref (self->store), g_object_unref);
  dyno_writing_begin ();
  g_task_run_in_thread (task, take_in_thread);
  return G_SOURCE_CONTINUE;
}

static void
watch_spool (DynoAppSession *self)
{
  tell_of_spool (self);
  if (self->results_wait && self->spool_timer == 0)
    self->spool_timer = g_timeout_add_seconds (SPOOL_SECONDS, take_in_cb, self);
}

/* The queue */

static void
tell_of_queue (DynoAppSession *self)
{
  g_signal_emit (self, signals[QUEUE_CHANGED], 0);
}

/* A change of the queue. @plan (nullable): a run to be added; otherwise @id and @change are those of
 * dyno_store_change_queue(). */
typedef struct
{
  DynoStore *store;
  DynoPlan *plan;
  DynoQueuePriority priority;
  char *id;
  char *change;
} QueueChange;

static void
queue_change_free (QueueChange *self)
{
  g_object_unref (self->store);
  g_clear_object (&self->plan);
  g_free (self->id);
  g_free (self->change);
  g_free (self);
}

/* Waits while another process changes the queue. */
static void
change_queue_thread (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  const QueueChange *change = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree char *id = change->plan != NULL
                            ? dyno_store_add_to_queue (change->store, change->plan, change->priority, &error)
                            : NULL;

  if (id != NULL ||
      (change->plan == NULL && dyno_store_change_queue (change->store, change->id, change->change, &error)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
queue_changed_cb (DynoAppSession *self)
{
  dyno_writing_end ();
  tell_of_queue (self);
}

/* @change: taken. */
static void
change_queue (
    DynoAppSession *self, QueueChange *change, gpointer tag, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, change, (GDestroyNotify)queue_change_free);
  g_signal_connect_object (task, "notify::completed", G_CALLBACK (queue_changed_cb), self, G_CONNECT_SWAPPED);
  dyno_writing_begin ();
  g_thread_pool_push (self->queue_thread, task, NULL);
}

/* One that cannot leave the queue would be measured again and again. */
static void
left_queue_cb (GObject *object, GAsyncResult *result, gpointer id)
{
  DynoAppSession *self = DYNO_APP_SESSION (object);
  g_autoptr (GError) error = NULL;

  if (!dyno_app_session_change_queue_finish (self, result, &error) &&
      !g_error_matches (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    {
      self->queue_is_halted = TRUE;
      set_message (self, error->message);
    }
  g_hash_table_remove (self->leaving, id);
}

/* A run leaves the queue when it has begun. */
static void
leave_queue (DynoAppSession *self)
{
  g_autoptr (DynoQueuedRun) queued = g_steal_pointer (&self->queued);
  char *id;

  if (queued == NULL)
    return;
  id = g_strdup (queued->id);
  g_hash_table_add (self->leaving, id);
  dyno_app_session_change_queue_async (self, id, "remove", left_queue_cb, id);
}

static gboolean
continue_queue_cb (gpointer user_data)
{
  DynoAppSession *self = user_data;
  g_autoptr (GError) error = NULL;

  /* Somebody may have started another run meanwhile, which is followed in its turn. */
  self->continues = self->runner == NULL;
  if (self->continues && !dyno_app_session_start_queue (self, &error))
    self->continues = FALSE;
  if (error != NULL)
    {
      /* Translators: %s is a sentence that says why */
      g_autofree char *message = g_strdup_printf (_ ("The queue waits. %s"), error->message);

      set_message (self, message);
    }
  if (g_application_get_default () != NULL)
    g_application_release (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

/* The next run starts when all others have heard of the end of this one; until then the application stays alive. */
static void
continue_queue (DynoAppSession *self)
{
  if (self->queue_is_halted || self->store == NULL)
    return;
  if (g_application_get_default () != NULL)
    g_application_hold (g_application_get_default ());
  g_idle_add_full (G_PRIORITY_LOW, continue_queue_cb, g_object_ref (self), g_object_unref);
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

static void
open_store_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoAppSession *self = DYNO_APP_SESSION (object);
  g_autoptr (GError) error = NULL;

  self->opening = FALSE;
  self->store = g_task_propagate_pointer (G_TASK (result), &error);
  set_message (self, self->store != NULL ? dyno_store_get_message (self->store) : error->message);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STORE]);
  if (self->ceilings != NULL)
    dyno_ceilings_model_set_store (self->ceilings, self->store);
  if (self->store != NULL)
    {
      g_autofree char *path = dyno_store_dup_queue_path (self->store);
      g_autoptr (GFile) file = g_file_new_for_path (path);

      watch_spool (self);
      /* Without a monitor, changes by other processes are seen with the next change here. */
      self->queue_monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL);
      if (self->queue_monitor != NULL)
        g_signal_connect_object (self->queue_monitor, "changed", G_CALLBACK (tell_of_queue), self,
                                 G_CONNECT_SWAPPED);
    }
  if (self->store != NULL && !dyno_store_is_read_only (self->store))
    self->follower = dyno_cluster_follower_new (self->store);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOWER]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPENING]);
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
find_document (DynoAppSession *self, const char *path)
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

static void
run_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoAppSession) self = user_data;
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
  if (error != NULL && self->queued != NULL)
    {
      g_autofree char *title = dyno_plan_dup_run_title (self->queued->plan);
      g_autofree char *message =
          /* Translators: the title of a run, and a sentence that says why */
          g_strdup_printf (_ ("“%s” left the queue, because it cannot run. %s"), title, error->message);

      set_message (self, message);
      leave_queue (self);
    }
  else if (error != NULL || self->unstored != NULL)
    self->queue_is_halted = TRUE;
  g_clear_pointer (&self->queued, dyno_queued_run_free);
  if (self->queue_claim >= 0)
    g_close (self->queue_claim, NULL);
  self->queue_claim = -1;
  self->continues = FALSE;
  g_clear_object (&self->runner);
  g_clear_object (&self->race);
  g_clear_object (&self->run_cancellable);
  if (self->ceilings != NULL)
    dyno_ceilings_model_load (self->ceilings); /* the run may have measured them */
  watch_spool (self);

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNER]);
  g_signal_emit (self, signals[RUN_ENDED], 0, run, error);
  continue_queue (self);
}

static gboolean
has_writable_store (DynoAppSession *self, GError **error)
{
  if (self->store != NULL && !dyno_store_is_read_only (self->store))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY, _ ("The results could not be saved. %s"),
               self->message != NULL ? self->message
                                     : _ ("The stored results are still loading. Try again."));
  return FALSE;
}

static gboolean
can_start (DynoAppSession *self, GError **error)
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
                           _ ("The roofs of the machine are being measured. Wait until that is done: a "
                              "benchmark would disturb it."));
      return FALSE;
    }
  return has_writable_store (self, error);
}

static void
start (DynoAppSession *self)
{
  self->run_cancellable = g_cancellable_new ();
  self->queue_is_halted = FALSE;
  dyno_runner_run_async (self->runner, self->run_cancellable, run_cb, g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNER]);
}

static void
setting_changed_cb (DynoAppSession *self, const char *key)
{
  if (key == NULL || g_str_equal (key, DYNO_ENGINE_PATHS_KEY))
    dyno_engine_path_apply (self->settings, key != NULL);
  dyno_engine_registry_apply_settings (self->settings);
}

static void
dyno_app_session_finalize (GObject *object)
{
  DynoAppSession *self = DYNO_APP_SESSION (object);

  g_clear_handle_id (&self->spool_timer, g_source_remove);
  g_clear_object (&self->runner);
  g_clear_object (&self->race);
  g_clear_object (&self->unstored);
  g_clear_object (&self->run_cancellable);
  g_clear_object (&self->queue_monitor);
  g_clear_pointer (&self->queued, dyno_queued_run_free);
  g_thread_pool_free (self->queue_thread, FALSE, FALSE);
  g_hash_table_unref (self->leaving);
  if (self->queue_claim >= 0)
    g_close (self->queue_claim, NULL);
  g_clear_object (&self->documents);
  g_clear_object (&self->follower);
  g_clear_object (&self->ceilings);
  g_clear_object (&self->store);
  g_clear_object (&self->settings);
  g_free (self->message);

  G_OBJECT_CLASS (dyno_app_session_parent_class)->finalize (object);
}

static void
dyno_app_session_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoAppSession *self = DYNO_APP_SESSION (object);

  switch (prop_id)
    {
    case PROP_STORE:
      g_value_set_object (value, self->store);
      break;
    case PROP_OPENING:
      g_value_set_boolean (value, self->opening);
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, self->message);
      break;
    case PROP_RUNNER:
      g_value_set_object (value, self->runner);
      break;
    case PROP_FOLLOWER:
      g_value_set_object (value, self->follower);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_app_session_class_init (DynoAppSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_app_session_finalize;
  object_class->get_property = dyno_app_session_get_property;

  properties[PROP_STORE] = g_param_spec_object ("store", NULL, NULL, DYNO_TYPE_STORE, flags);
  properties[PROP_OPENING] = g_param_spec_boolean ("opening", NULL, NULL, FALSE, flags);
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, flags);
  properties[PROP_RUNNER] = g_param_spec_object ("runner", NULL, NULL, DYNO_TYPE_RUNNER, flags);
  properties[PROP_FOLLOWER] = g_param_spec_object ("follower", NULL, NULL, DYNO_TYPE_CLUSTER_FOLLOWER, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[RUN_ENDED] = g_signal_new ("run-ended", DYNO_TYPE_APP_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 2, DYNO_TYPE_RUN, G_TYPE_ERROR);
  signals[QUEUE_CHANGED] = g_signal_new ("queue-changed", DYNO_TYPE_APP_SESSION, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 0);
}

static void
dyno_app_session_init (DynoAppSession *self)
{
  self->queue_claim = -1;
  self->queue_thread = g_thread_pool_new (change_queue_thread, NULL, 1, FALSE, NULL);
  self->leaving = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->documents = g_list_store_new (DYNO_TYPE_STORE);
  self->settings = g_settings_new (APP_ID);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (setting_changed_cb), self,
                           G_CONNECT_SWAPPED);
  setting_changed_cb (self, NULL);
}

DynoAppSession *
dyno_app_session_new (void)
{
  return g_object_new (DYNO_TYPE_APP_SESSION, NULL);
}

void
dyno_app_session_open_store (DynoAppSession *self)
{
  g_autofree char *path = NULL;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (DYNO_IS_APP_SESSION (self));

  if (self->opening || self->store != NULL)
    return;
  /* If the store exists, this is not the first start. */
  path = dyno_paths_build (DYNO_PATH_DATA, "store.sqlite", NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    g_settings_set_boolean (self->settings, "first-start", FALSE);

  self->opening = TRUE;
  set_message (self, NULL);
  task = dyno_owned_task_new (self, NULL, open_store_cb, NULL);
  g_task_set_source_tag (task, dyno_app_session_open_store);
  g_task_run_in_thread (task, open_store_thread);
}

GSettings *
dyno_app_session_get_settings (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->settings;
}

DynoStore *
dyno_app_session_get_store (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->store;
}

gboolean
dyno_app_session_get_opening (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
  return self->opening;
}

const char *
dyno_app_session_get_message (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->message;
}

const char *
dyno_app_session_get_wait_reason (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->results_wait ? self->message : NULL;
}

DynoCeilingsModel *
dyno_app_session_get_ceilings (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);

  if (self->ceilings == NULL)
    {
      self->ceilings = dyno_ceilings_model_new ();
      dyno_ceilings_model_set_store (self->ceilings, self->store);
    }
  return self->ceilings;
}

GListModel *
dyno_app_session_get_documents (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return G_LIST_MODEL (self->documents);
}

DynoStore *
dyno_app_session_find_store (DynoAppSession *self, const char *path)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (self->store != NULL && g_str_equal (dyno_store_get_path (self->store), path))
    return g_object_ref (self->store);
  return find_document (self, path);
}

DynoClusterFollower *
dyno_app_session_get_follower (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->follower;
}

DynoRunner *
dyno_app_session_get_runner (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->runner;
}

DynoRace *
dyno_app_session_get_race (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
  return self->race;
}

gboolean
dyno_app_session_has_stored (DynoAppSession *self, DynoRun *run)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
  return self->unstored != run && !self->results_wait;
}

gboolean
dyno_app_session_start_run (DynoAppSession *self, DynoPlan *plan, GError **error)
{
  gboolean with_ceilings;

  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
  g_return_val_if_fail (DYNO_IS_PLAN (plan), FALSE);

  if (!can_start (self, error))
    return FALSE;
  with_ceilings =
      g_settings_get_boolean (self->settings, "measure-ceilings") && g_getenv ("DYNO_NO_CEILINGS") == NULL;
  self->runner = dyno_runner_new (plan, DYNO_RESULT_SINK (self->store));
  dyno_runner_set_ceilings (self->runner, with_ceilings ? DYNO_CEILINGS_QUICK_SECONDS : 0);
  start (self);
  return TRUE;
}

gboolean
dyno_app_session_start_analysis (DynoAppSession *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);

  if (!can_start (self, error))
    return FALSE;
  self->runner = dyno_runner_new_for_analysis (run, DYNO_RESULT_SINK (self->store), error);
  if (self->runner == NULL)
    return FALSE;
  start (self);
  return TRUE;
}

gboolean
dyno_app_session_start_self_test (DynoAppSession *self, DynoPlan *plan, GError **error)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
  g_return_val_if_fail (DYNO_IS_PLAN (plan), FALSE);

  if (!can_start (self, error))
    return FALSE;
  self->runner = dyno_runner_new (plan, DYNO_RESULT_SINK (self->store));
  dyno_runner_set_self_test (self->runner, TRUE);
  start (self);
  return TRUE;
}

gboolean
dyno_app_session_start_race (
    DynoAppSession *self, DynoPlan *plan, DynoRace *race, double seconds, GError **error)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
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

void
dyno_app_session_stop_run (DynoAppSession *self)
{
  g_return_if_fail (DYNO_IS_APP_SESSION (self));

  self->queue_is_halted = TRUE;
  g_cancellable_cancel (self->run_cancellable);
}

void
dyno_app_session_queue_run_async (DynoAppSession *self,
                                  DynoPlan *plan,
                                  DynoQueuePriority priority,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GError *error = NULL;
  QueueChange *change;

  g_return_if_fail (DYNO_IS_APP_SESSION (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  if (!has_writable_store (self, &error))
    {
      g_task_report_error (self, callback, user_data, dyno_app_session_queue_run_async, error);
      return;
    }
  change = g_new (QueueChange, 1);
  *change = (QueueChange){ g_object_ref (self->store), g_object_ref (plan), priority, NULL, NULL };
  change_queue (self, change, dyno_app_session_queue_run_async, callback, user_data);
}

gboolean
dyno_app_session_queue_run_finish (DynoAppSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
dyno_app_session_change_queue_async (
    DynoAppSession *self, const char *id, const char *how, GAsyncReadyCallback callback, gpointer user_data)
{
  QueueChange *change;

  g_return_if_fail (DYNO_IS_APP_SESSION (self));
  g_return_if_fail (self->store != NULL);

  change = g_new (QueueChange, 1);
  *change =
      (QueueChange){ g_object_ref (self->store), NULL, DYNO_QUEUE_NORMAL, g_strdup (id), g_strdup (how) };
  change_queue (self, change, dyno_app_session_change_queue_async, callback, user_data);
}

gboolean
dyno_app_session_change_queue_finish (DynoAppSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
dyno_app_session_start_queue (DynoAppSession *self, GError **error)
{
  g_autoptr (GPtrArray) waiting = NULL;
  guint next = 0;

  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);

  if (!can_start (self, error))
    return FALSE;
  waiting = dyno_store_list_queue (self->store, error);
  while (waiting != NULL && next < waiting->len &&
         g_hash_table_contains (self->leaving, ((DynoQueuedRun *)waiting->pdata[next])->id))
    next++;
  if (waiting == NULL || next == waiting->len)
    return FALSE;
  self->queue_claim = dyno_store_claim_queue (self->store, error);
  if (self->queue_claim < 0)
    return FALSE;
  self->queued = g_ptr_array_steal_index (waiting, next);
  dyno_queued_run_prepare (self->queued);
  dyno_app_session_start_run (self, self->queued->plan, NULL);
  g_signal_connect_object (self->runner, "notify::run", G_CALLBACK (leave_queue), self, G_CONNECT_SWAPPED);
  return TRUE;
}

gboolean
dyno_app_session_get_continues (DynoAppSession *self)
{
  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), FALSE);
  return self->continues;
}

void
dyno_app_session_open_document_async (DynoAppSession *self,
                                      GFile *file,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *path = NULL;

  g_return_if_fail (DYNO_IS_APP_SESSION (self));
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_app_session_open_document_async);
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
dyno_app_session_open_document_finish (DynoAppSession *self, GAsyncResult *result, GError **error)
{
  g_autoptr (DynoStore) document = NULL;
  DynoStore *present;

  g_return_val_if_fail (DYNO_IS_APP_SESSION (self), NULL);
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
dyno_app_session_close_document (DynoAppSession *self, DynoStore *document)
{
  guint position;

  g_return_if_fail (DYNO_IS_APP_SESSION (self));

  if (g_list_store_find (self->documents, document, &position))
    g_list_store_remove (self->documents, position);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cluster-follower.h"
#include "dyno-cluster-submission.h"
#include "dyno-task.h"

/* In seconds. Schedulers are asked once for all tasks of a submission. */
#define WATCHED_PERIOD   5
#define UNWATCHED_PERIOD 30

struct _DynoClusterFollower
{
  GObject parent_instance;

  DynoStore *store;
  GListStore *model;
  GPtrArray *to_cancel; /* ids */
  gboolean watched;
  gboolean polling;
  gboolean poll_again;
  guint timer;
};

enum
{
  PROP_0,
  PROP_WATCHED,
  N_PROPS
};

enum
{
  POLLED,
  LOST,
  ENDED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoClusterFollower, dyno_cluster_follower, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* The submissions that a thread asks about, and its findings. */
typedef struct
{
  DynoStore *store;
  GPtrArray *known;
  GPtrArray *to_cancel;
  GPtrArray *found;
} Round;

static void
round_free (gpointer data)
{
  Round *round = data;

  g_clear_object (&round->store);
  g_ptr_array_unref (round->known);
  g_ptr_array_unref (round->to_cancel);
  g_ptr_array_unref (round->found);
  g_free (round);
}

/* Stores the results that are new since @previous; after a failure, all results. */
static void
fetch (DynoStore *store, DynoClusterProgress *progress, DynoClusterProgress *previous, GError **error)
{
  guint n_tasks = dyno_cluster_progress_get_job (progress)->tasks->len;

  for (guint i = 0; store != NULL && i < n_tasks; i++)
    {
      DynoRun *run = dyno_cluster_progress_get_run (progress, i);
      gboolean is_kept = previous != NULL && dyno_cluster_progress_get_problem (previous) == NULL &&
                         dyno_cluster_progress_get_run (previous, i) == run;
      gboolean is_new;

      if (run != NULL && !is_kept && g_list_model_get_n_items (dyno_run_get_results (run)) > 0 &&
          !dyno_store_add_run (store, run, &is_new, error))
        return;
    }
}

static DynoClusterProgress *
look (Round *round, DynoClusterJob *job, DynoClusterProgress *previous)
{
  gboolean cancels = g_ptr_array_find_with_equal_func (round->to_cancel, job->id, g_str_equal, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoClusterProgress) progress = NULL;

  if (cancels)
    dyno_cluster_submission_cancel (job, &error);
  dyno_cluster_submission_poll (job, error == NULL ? &error : NULL);
  progress = dyno_cluster_progress_new (job, previous, error);
  if (error != NULL)
    return g_steal_pointer (&progress);
  fetch (round->store, progress, previous, &error);
  if (error != NULL)
    dyno_cluster_progress_set_problem (progress, error);
  else if (round->store != NULL)
    dyno_cluster_submission_close (job);
  return g_steal_pointer (&progress);
}

static void
poll_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Round *round = task_data;

  for (guint i = 0; i < round->known->len; i++)
    {
      DynoClusterProgress *previous = round->known->pdata[i];
      DynoClusterJob *job = dyno_cluster_job_load (dyno_cluster_progress_get_job (previous)->folder, NULL);

      /* The folder may have been removed. */
      if (job != NULL)
        g_ptr_array_add (round->found, look (round, job, previous));
    }
  g_task_return_boolean (task, TRUE);
}

/* Finds submissions of earlier sessions or of the command line. */
static void
find_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Round *round = task_data;
  g_autoptr (GPtrArray) jobs = dyno_cluster_job_list ();

  for (guint i = 0; i < jobs->len; i++)
    {
      DynoClusterJob *job = jobs->pdata[i];
      DynoClusterJob *again = job->is_over ? NULL : dyno_cluster_job_load (job->folder, NULL);
      g_autoptr (DynoClusterProgress) progress = again != NULL ? look (round, again, NULL) : NULL;

      if (progress != NULL && dyno_cluster_progress_is_active (progress))
        g_ptr_array_add (round->found, g_steal_pointer (&progress));
    }
  g_task_return_boolean (task, TRUE);
}

static gboolean
find_position (DynoClusterFollower *self, const char *id, guint *position)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++)
    {
      g_autoptr (DynoClusterProgress) progress = g_list_model_get_item (G_LIST_MODEL (self->model), i);

      *position = i;
      if (g_str_equal (dyno_cluster_progress_get_id (progress), id))
        return TRUE;
    }
  return FALSE;
}

static void
replace (DynoClusterFollower *self, DynoClusterProgress *progress)
{
  guint position;
  g_autoptr (DynoClusterProgress) previous = NULL;
  GPtrArray *before, *now;

  if (!find_position (self, dyno_cluster_progress_get_id (progress), &position))
    {
      g_list_store_insert (self->model, 0, progress);
      return;
    }
  previous = g_list_model_get_item (G_LIST_MODEL (self->model), position);
  if (!dyno_cluster_progress_equal (previous, progress))
    g_list_store_splice (self->model, position, 1, (gpointer *)&progress, 1);
  before = dyno_cluster_progress_get_job (previous)->tasks;
  now = dyno_cluster_progress_get_job (progress)->tasks;
  for (guint i = 0; i < now->len && i < before->len; i++)
    if (((const DynoClusterTask *)now->pdata[i])->state == DYNO_TASK_LOST &&
        ((const DynoClusterTask *)before->pdata[i])->state != DYNO_TASK_LOST)
      g_signal_emit (self, signals[LOST], 0, progress, i);
  if (dyno_cluster_progress_is_open (previous) && !dyno_cluster_progress_is_open (progress))
    g_signal_emit (self, signals[ENDED], 0, progress);
}

static gboolean
timeout_cb (gpointer user_data)
{
  DynoClusterFollower *self = user_data;

  self->timer = 0;
  dyno_cluster_follower_poll (self);
  return G_SOURCE_REMOVE;
}

/* The folders may have been removed. */
static void
leave_removed (DynoClusterFollower *self, const Round *round)
{
  g_autoptr (GHashTable) found = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < round->found->len; i++)
    g_hash_table_add (found, (gpointer)dyno_cluster_progress_get_id (round->found->pdata[i]));
  for (guint i = 0; i < round->known->len; i++)
    if (!g_hash_table_contains (found, dyno_cluster_progress_get_id (round->known->pdata[i])))
      dyno_cluster_follower_leave (self, dyno_cluster_progress_get_id (round->known->pdata[i]));
}

static void
polled_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoClusterFollower *self = DYNO_CLUSTER_FOLLOWER (object);
  Round *round = g_task_get_task_data (G_TASK (result));
  gboolean again = self->poll_again;
  gboolean is_awaited = FALSE;

  self->polling = FALSE;
  self->poll_again = FALSE;
  for (guint i = 0; i < round->found->len; i++)
    {
      DynoClusterProgress *progress = round->found->pdata[i];
      guint position;
      gboolean was_left =
          round->known->len > 0 && !find_position (self, dyno_cluster_progress_get_id (progress), &position);

      if (!was_left)
        replace (self, progress);
    }
  leave_removed (self, round);
  g_signal_emit (self, signals[POLLED], 0);
  if (again)
    {
      dyno_cluster_follower_poll (self);
      return;
    }

  g_clear_handle_id (&self->timer, g_source_remove);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++)
    {
      g_autoptr (DynoClusterProgress) progress = g_list_model_get_item (G_LIST_MODEL (self->model), i);

      is_awaited = is_awaited || dyno_cluster_progress_is_open (progress) ||
                   dyno_cluster_progress_get_problem (progress) != NULL;
    }
  if (is_awaited)
    self->timer = g_timeout_add_seconds (self->watched ? WATCHED_PERIOD : UNWATCHED_PERIOD, timeout_cb, self);
}

static void
start_round (DynoClusterFollower *self, GTaskThreadFunc thread)
{
  g_autoptr (GTask) task = dyno_owned_task_new (self, NULL, polled_cb, NULL);
  Round *round = g_new0 (Round, 1);

  round->store = self->store != NULL ? g_object_ref (self->store) : NULL;
  round->known = g_ptr_array_new_with_free_func (g_object_unref);
  round->to_cancel = g_steal_pointer (&self->to_cancel);
  round->found = g_ptr_array_new_with_free_func (g_object_unref);
  self->to_cancel = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++)
    g_ptr_array_add (round->known, g_list_model_get_item (G_LIST_MODEL (self->model), i));

  self->polling = TRUE;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_task_set_source_tag (task, start_round);
  g_task_set_task_data (task, round, round_free);
  g_task_run_in_thread (task, thread);
}

static void
dyno_cluster_follower_dispose (GObject *object)
{
  DynoClusterFollower *self = DYNO_CLUSTER_FOLLOWER (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (dyno_cluster_follower_parent_class)->dispose (object);
}

static void
dyno_cluster_follower_finalize (GObject *object)
{
  DynoClusterFollower *self = DYNO_CLUSTER_FOLLOWER (object);

  g_object_unref (self->model);
  g_ptr_array_unref (self->to_cancel);

  G_OBJECT_CLASS (dyno_cluster_follower_parent_class)->finalize (object);
}

static void
dyno_cluster_follower_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_WATCHED:
      g_value_set_boolean (value, DYNO_CLUSTER_FOLLOWER (object)->watched);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_cluster_follower_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_WATCHED:
      dyno_cluster_follower_set_watched (DYNO_CLUSTER_FOLLOWER (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_cluster_follower_class_init (DynoClusterFollowerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_cluster_follower_dispose;
  object_class->finalize = dyno_cluster_follower_finalize;
  object_class->get_property = dyno_cluster_follower_get_property;
  object_class->set_property = dyno_cluster_follower_set_property;

  properties[PROP_WATCHED] = g_param_spec_boolean (
      "watched", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[POLLED] = g_signal_new ("polled", DYNO_TYPE_CLUSTER_FOLLOWER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[LOST] = g_signal_new ("lost", DYNO_TYPE_CLUSTER_FOLLOWER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, DYNO_TYPE_CLUSTER_PROGRESS, G_TYPE_UINT);
  signals[ENDED] = g_signal_new ("ended", DYNO_TYPE_CLUSTER_FOLLOWER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, DYNO_TYPE_CLUSTER_PROGRESS);
}

static void
dyno_cluster_follower_init (DynoClusterFollower *self)
{
  self->model = g_list_store_new (DYNO_TYPE_CLUSTER_PROGRESS);
  self->to_cancel = g_ptr_array_new_with_free_func (g_free);
}

DynoClusterFollower *
dyno_cluster_follower_new (DynoStore *store)
{
  DynoClusterFollower *self = g_object_new (DYNO_TYPE_CLUSTER_FOLLOWER, NULL);

  g_set_object (&self->store, store);
  start_round (self, find_thread);
  return self;
}

GListModel *
dyno_cluster_follower_get_model (DynoClusterFollower *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self), NULL);
  return G_LIST_MODEL (self->model);
}

DynoClusterProgress *
dyno_cluster_follower_find (DynoClusterFollower *self, const char *id)
{
  guint position;

  g_return_val_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);

  return find_position (self, id, &position) ? g_list_model_get_item (G_LIST_MODEL (self->model), position)
                                             : NULL;
}

void
dyno_cluster_follower_set_watched (DynoClusterFollower *self, gboolean watched)
{
  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self));

  if (self->watched == watched)
    return;
  self->watched = watched;
  if (watched)
    dyno_cluster_follower_poll (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WATCHED]);
}

void
dyno_cluster_follower_poll (DynoClusterFollower *self)
{
  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self));

  if (self->polling)
    self->poll_again = TRUE;
  else
    start_round (self, poll_thread); /* also for none: somebody may wait for the end of it */
}

void
dyno_cluster_follower_cancel (DynoClusterFollower *self, const char *id)
{
  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self));
  g_return_if_fail (id != NULL);

  g_ptr_array_add (self->to_cancel, g_strdup (id));
  dyno_cluster_follower_poll (self);
}

void
dyno_cluster_follower_leave (DynoClusterFollower *self, const char *id)
{
  guint position;

  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self));
  g_return_if_fail (id != NULL);

  if (find_position (self, id, &position))
    g_list_store_remove (self->model, position);
}

/* Submitting */

typedef struct
{
  DynoClusterOptions options;
  DynoPlan *plan;
  DynoClusterProgress *progress;
  GAsyncReadyCallback callback;
  gpointer user_data;
} Submitting;

static void
submitting_free (gpointer data)
{
  Submitting *submitting = data;

  dyno_cluster_options_clear (&submitting->options);
  g_object_unref (submitting->plan);
  g_clear_object (&submitting->progress);
  g_free (submitting);
}

static void
submit_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Submitting *submitting = task_data;
  DynoClusterOptions *options = &submitting->options;
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  DynoClusterJob *job = NULL;

  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  if (dyno_cluster_options_name_stage (options, &error))
    nodes = dyno_cluster_submission_choose_nodes (options, answers, &error);
  if (nodes != NULL &&
      !dyno_cluster_submission_check_plan (options, submitting->plan, nodes, answers, &error))
    g_clear_pointer (&nodes, g_ptr_array_unref);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (nodes != NULL)
    job = dyno_cluster_submission_submit (options, submitting->plan, nodes, &error);
  if (job != NULL)
    {
      submitting->progress = dyno_cluster_progress_new (job, NULL, NULL);
      g_task_return_pointer (task, g_strdup (job->id), g_free);
    }
  else if (error != NULL)
    {
      /* The nodes' answers say why no case can run anywhere. */
      for (guint i = 0; i < answers->len; i++)
        {
          char *message = g_strdup_printf ("%s\n%s", error->message, (const char *)answers->pdata[i]);

          g_free (error->message);
          error->message = message;
        }

      g_task_return_error (task, g_steal_pointer (&error));
    }
}

static void
submitted_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoClusterFollower *self = DYNO_CLUSTER_FOLLOWER (object);
  Submitting *submitting = g_task_get_task_data (G_TASK (result));

  if (submitting->progress != NULL)
    {
      replace (self, submitting->progress);
      dyno_cluster_follower_poll (self);
    }
  submitting->callback (object, result, submitting->user_data);
}

void
dyno_cluster_follower_submit_async (DynoClusterFollower *self,
                                    DynoClusterOptions *options,
                                    DynoPlan *plan,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Submitting *submitting;

  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  submitting = g_new0 (Submitting, 1);
  submitting->options = *options;
  *options = (DynoClusterOptions){ 0 };
  submitting->plan = g_object_ref (plan);
  submitting->callback = callback;
  submitting->user_data = user_data;
  task = dyno_owned_task_new (self, cancellable, submitted_cb, NULL);
  g_task_set_source_tag (task, dyno_cluster_follower_submit_async);
  g_task_set_task_data (task, submitting, submitting_free);
  g_task_set_check_cancellable (task, FALSE); /* tasks that were submitted are not lost */
  g_task_run_in_thread (task, submit_thread);
}

char *
dyno_cluster_follower_submit_finish (DynoClusterFollower *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cluster-progress.h"

struct _DynoClusterProgress
{
  GObject parent_instance;

  DynoClusterJob *job;
  char *title;      /* %NULL if the plan is invalid */
  GPtrArray *cases; /* of the whole plan; shared by all later progresses */
  char *problem;
  GPtrArray *runs; /* one for each task, %NULL without results */
  char **stamps;   /* of the documents behind the runs */
};

G_DEFINE_FINAL_TYPE (DynoClusterProgress, dyno_cluster_progress, G_TYPE_OBJECT)

static void
unref_if_any (gpointer object)
{
  if (object != NULL)
    g_object_unref (object);
}

static void
dyno_cluster_progress_finalize (GObject *object)
{
  DynoClusterProgress *self = DYNO_CLUSTER_PROGRESS (object);

  dyno_cluster_job_free (self->job);
  g_free (self->title);
  g_clear_pointer (&self->cases, g_ptr_array_unref);
  g_ptr_array_unref (self->runs);
  g_strfreev (self->stamps);
  g_free (self->problem);

  G_OBJECT_CLASS (dyno_cluster_progress_parent_class)->finalize (object);
}

static void
dyno_cluster_progress_class_init (DynoClusterProgressClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_cluster_progress_finalize;
}

static void
dyno_cluster_progress_init (DynoClusterProgress *self)
{
  self->runs = g_ptr_array_new_with_free_func (unref_if_any);
}

DynoClusterProgress *
dyno_cluster_progress_new (DynoClusterJob *job, DynoClusterProgress *previous, const GError *error)
{
  DynoClusterProgress *self = g_object_new (DYNO_TYPE_CLUSTER_PROGRESS, NULL);
  g_autoptr (DynoPlan) plan = previous == NULL ? dyno_plan_new_from_json (job->plan, NULL) : NULL;

  self->job = job;
  self->problem = error != NULL ? g_strdup (error->message) : NULL;
  self->stamps = g_new0 (char *, job->tasks->len + 1);
  if (previous != NULL)
    {
      self->title = g_strdup (previous->title);
      self->cases = g_ptr_array_ref (previous->cases);
    }
  else
    {
      self->title = plan != NULL ? dyno_plan_dup_run_title (plan) : NULL;
      self->cases = plan != NULL ? dyno_plan_expand (plan, NULL) : NULL;
    }
  if (self->cases == NULL)
    self->cases = g_ptr_array_new ();

  /* A document is read again only if it has grown. */
  for (guint i = 0; i < job->tasks->len; i++)
    {
      char *stamp = self->stamps[i] = dyno_cluster_job_dup_stamp (job, i);
      gboolean is_known = previous != NULL && g_strcmp0 (previous->stamps[i], stamp) == 0;
      DynoRun *run = is_known && previous->runs->pdata[i] != NULL ? g_object_ref (previous->runs->pdata[i])
                     : *stamp != '\0'                             ? dyno_cluster_job_compose (job, i, NULL)
                                                                  : NULL;

      g_ptr_array_add (self->runs, run);
    }
  return self;
}

const char *
dyno_cluster_progress_get_id (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), NULL);
  return self->job->id;
}

const char *
dyno_cluster_progress_get_title (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), NULL);
  return self->title;
}

const char *
dyno_cluster_progress_get_problem (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), NULL);
  return self->problem;
}

void
dyno_cluster_progress_set_problem (DynoClusterProgress *self, const GError *error)
{
  g_return_if_fail (DYNO_IS_CLUSTER_PROGRESS (self));
  g_return_if_fail (error != NULL);

  g_free (self->problem);
  self->problem = g_strdup (error->message);
}

const DynoClusterJob *
dyno_cluster_progress_get_job (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), NULL);
  return self->job;
}

GPtrArray *
dyno_cluster_progress_get_cases (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), NULL);
  return self->cases;
}

DynoRun *
dyno_cluster_progress_get_run (DynoClusterProgress *self, guint number)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), NULL);
  g_return_val_if_fail (number < self->runs->len, NULL);
  return self->runs->pdata[number];
}

gboolean
dyno_cluster_progress_is_open (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), FALSE);

  for (guint i = 0; i < self->job->tasks->len; i++)
    if (dyno_cluster_task_is_open (self->job->tasks->pdata[i]))
      return TRUE;
  return FALSE;
}

gboolean
dyno_cluster_progress_is_active (DynoClusterProgress *self)
{
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (self), FALSE);

  for (guint i = 0; i < self->job->tasks->len; i++)
    {
      const DynoClusterTask *task = self->job->tasks->pdata[i];

      if (task->state == DYNO_TASK_WAITING || task->state == DYNO_TASK_RUNNING)
        return TRUE;
    }
  return FALSE;
}

gboolean
dyno_cluster_progress_equal (DynoClusterProgress *one, DynoClusterProgress *other)
{
  gboolean is_equal;

  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (one), FALSE);
  g_return_val_if_fail (DYNO_IS_CLUSTER_PROGRESS (other), FALSE);

  is_equal = g_strcmp0 (one->problem, other->problem) == 0 &&
             g_strv_equal ((const char *const *)one->stamps, (const char *const *)other->stamps);
  for (guint i = 0; is_equal && i < one->job->tasks->len; i++)
    {
      const DynoClusterTask *left = one->job->tasks->pdata[i];
      const DynoClusterTask *right = other->job->tasks->pdata[i];

      is_equal = left->state == right->state && left->is_stopped == right->is_stopped &&
                 g_str_equal (left->node, right->node) && g_strcmp0 (left->reason, right->reason) == 0;
    }
  return is_equal;
}

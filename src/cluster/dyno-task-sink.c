/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store.h"
#include "dyno-task-sink.h"

/* The document is rewritten for each result, so it must not grow with the plan. */
#define MAX_RESULTS 16

struct _DynoTaskSink
{
  GObject parent_instance;

  DynoClusterJob *job; /* not owned */
  guint number;
  char *path;
  DynoRun *part; /* the content of the document at @path */
};

static void dyno_task_sink_init_sink (DynoResultSinkInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DynoTaskSink,
                               dyno_task_sink,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (DYNO_TYPE_RESULT_SINK, dyno_task_sink_init_sink))

static void
begin_part (DynoTaskSink *self, DynoRun *run)
{
  g_clear_object (&self->part);
  self->part = dyno_run_new (dyno_run_get_id (run));
}

static gboolean
save_run (DynoResultSink *sink, DynoRun *run, GError **error)
{
  DynoTaskSink *self = DYNO_TASK_SINK (sink);

  if (self->part == NULL)
    begin_part (self, run);

  /* The part gets the run's current state, without its results. */
  g_object_set (self->part, "title", dyno_run_get_title (run), "notes", dyno_run_get_notes (run), "plan",
                dyno_run_get_plan (run), "machine", dyno_run_get_machine (run), "source",
                dyno_run_get_source (run), "app-version", dyno_run_get_app_version (run), "started-at",
                dyno_run_get_started_at (run), "finished-at", dyno_run_get_finished_at (run), "n-cases",
                dyno_run_get_n_cases (run), NULL);
  return dyno_store_save_run (self->part, NULL, self->path, error);
}

static gboolean
add_result (DynoResultSink *sink, DynoRun *run, DynoResult *result, GError **error)
{
  DynoTaskSink *self = DYNO_TASK_SINK (sink);

  if (self->part == NULL)
    begin_part (self, run);

  GListModel *results = dyno_run_get_results (self->part);
  gboolean has_result = FALSE;

  for (guint i = 0; !has_result && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) known = g_list_model_get_item (results, i);

      has_result = known == result;
    }
  /* A full document is never changed again; the results after it go into a new one, as if the task had
   * started again. */
  if (!has_result && g_list_model_get_n_items (results) >= MAX_RESULTS)
    {
      char *path = dyno_cluster_job_choose_document (self->job, self->number, error);

      if (path == NULL)
        return FALSE;
      g_free (self->path);
      self->path = path;
      begin_part (self, run);
    }
  if (!has_result)
    dyno_run_add_result (self->part, result);
  return save_run (sink, run, error);
}

static void
dyno_task_sink_init_sink (DynoResultSinkInterface *iface)
{
  iface->begin_run = save_run;
  iface->add_result = add_result;
  iface->end_run = save_run;
}

static void
dyno_task_sink_finalize (GObject *object)
{
  DynoTaskSink *self = DYNO_TASK_SINK (object);

  g_free (self->path);
  g_clear_object (&self->part);

  G_OBJECT_CLASS (dyno_task_sink_parent_class)->finalize (object);
}

static void
dyno_task_sink_class_init (DynoTaskSinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_task_sink_finalize;
}

static void
dyno_task_sink_init (DynoTaskSink *self)
{
}

DynoTaskSink *
dyno_task_sink_new (DynoClusterJob *job, guint number, GError **error)
{
  g_autofree char *path = dyno_cluster_job_choose_document (job, number, error);
  DynoTaskSink *self;

  if (path == NULL)
    return NULL;
  self = g_object_new (DYNO_TYPE_TASK_SINK, NULL);
  self->job = job;
  self->number = number;
  self->path = g_steal_pointer (&path);
  return self;
}

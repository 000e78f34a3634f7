/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store.h"
#include "dyno-task-sink.h"

struct _DynoTaskSink
{
  GObject parent_instance;

  char *path;
};

static void dyno_task_sink_init_sink (DynoResultSinkInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DynoTaskSink,
                               dyno_task_sink,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (DYNO_TYPE_RESULT_SINK, dyno_task_sink_init_sink))

static gboolean
save_run (DynoResultSink *sink, DynoRun *run, GError **error)
{
  return dyno_store_save_run (run, DYNO_TASK_SINK (sink)->path, error);
}

static gboolean
add_result (DynoResultSink *sink, DynoRun *run, DynoResult *result, GError **error)
{
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
  g_free (DYNO_TASK_SINK (object)->path);

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

/**
 * dyno_task_sink_new:
 * @path: where the document goes
 *
 * Returns: (transfer full): a sink for one run
 */
DynoTaskSink *
dyno_task_sink_new (const char *path)
{
  DynoTaskSink *self = g_object_new (DYNO_TYPE_TASK_SINK, NULL);

  self->path = g_strdup (path);
  return self;
}

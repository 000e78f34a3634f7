/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gunixfdlist.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-worker-client.h"
#include "dyno-worker-dbus.h"
#include "dyno-worker-private.h"

#define HEARTBEAT_MS 100

/* The most points of a tenth of a second that a chart a few hundred pixels wide can show. */
#define MAX_LIVE_POINTS 50

struct _DynoWorkerService
{
  GObject parent_instance;

  DynoDbusWorker *skeleton;
  DynoMeasurer *measurer;
  DynoTurnGate *gate;             /* (nullable): only in turns */
  GDBusMethodInvocation *waiting; /* in turns, the call that the measuring thread is working on */
  guint heartbeat;
};

G_DEFINE_FINAL_TYPE (DynoWorkerService, dyno_worker_service, G_TYPE_OBJECT)

static void
dyno_worker_service_dispose (GObject *object)
{
  DynoWorkerService *self = DYNO_WORKER_SERVICE (object);

  g_clear_handle_id (&self->heartbeat, g_source_remove);
  g_clear_object (&self->skeleton);
  g_clear_object (&self->measurer);
  g_clear_pointer (&self->gate, dyno_turn_gate_free);

  G_OBJECT_CLASS (dyno_worker_service_parent_class)->dispose (object);
}

static void
dyno_worker_service_class_init (DynoWorkerServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_worker_service_dispose;
}

static gboolean
beat_cb (gpointer data)
{
  DynoWorkerService *self = data;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) latencies = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) percents = g_array_new (FALSE, FALSE, sizeof (double));
  GVariantBuilder points, usage;
  gint64 time = dyno_measurer_get_time (self->measurer); /* read before the phase, which may end meanwhile */

  dyno_measurer_read_latencies (self->measurer, MAX_LIVE_POINTS, times, latencies);
  g_variant_builder_init (&points, G_VARIANT_TYPE ("a(xd)"));
  for (guint i = 0; i < times->len; i++)
    g_variant_builder_add (&points, "(xd)", g_array_index (times, gint64, i),
                           g_array_index (latencies, double, i));
  dyno_measurer_read_usage (self->measurer, names, percents);
  g_variant_builder_init (&usage, G_VARIANT_TYPE ("a(sd)"));
  for (guint i = 0; i < names->len; i++)
    g_variant_builder_add (&usage, "(sd)", names->pdata[i], g_array_index (percents, double, i));
  dyno_dbus_worker_emit_heartbeat (self->skeleton, dyno_measurer_get_phase (self->measurer),
                                   dyno_measurer_get_progress (self->measurer), time,
                                   dyno_measurer_read_other_memory (self->measurer),
                                   g_variant_builder_end (&points), g_variant_builder_end (&usage));
  return G_SOURCE_CONTINUE;
}

static void
start_heartbeat (DynoWorkerService *self)
{
  self->heartbeat = g_timeout_add (HEARTBEAT_MS, beat_cb, self);
}

typedef void (*Complete) (DynoDbusWorker *skeleton,
                          GDBusMethodInvocation *invocation,
                          GUnixFDList *files,
                          guint64 result_size,
                          GVariant *traces,
                          GVariant *handle);

static void
end_call (GObject *object, GAsyncResult *async_result, GDBusMethodInvocation *invocation, Complete complete)
{
  DynoWorkerService *self = DYNO_WORKER_SERVICE (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoWorkerAnswer) answer = g_task_propagate_pointer (G_TASK (async_result), &error);
  g_autoptr (GUnixFDList) files = g_unix_fd_list_new ();
  int index = answer != NULL ? g_unix_fd_list_append (files, answer->fd, &error) : -1;

  g_clear_handle_id (&self->heartbeat, g_source_remove);
  if (index < 0)
    g_dbus_method_invocation_return_gerror (invocation, error);
  else
    complete (self->skeleton, invocation, files, answer->result_size, answer->traces,
              g_variant_new_handle (index));
}

static void
measured_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  end_call (object, async_result, data, dyno_dbus_worker_complete_measure);
}

static void
return_answer (GTask *task, DynoResult *result, GError *error)
{
  DynoWorkerAnswer *answer = result != NULL ? dyno_worker_answer_write (result, &error) : NULL;

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify)dyno_worker_answer_free);
  else
    g_task_return_error (task, error);
}

static void
measure_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (DynoResult) result = dyno_measurer_run (data, &error);

  return_answer (task, result, error);
}

static void
analysed_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  end_call (object, async_result, data, dyno_dbus_worker_complete_analyse);
}

static void
analyse_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (DynoResult) result = dyno_measurer_analyse (data, &error);

  return_answer (task, result, error);
}

static void
tried_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  DynoWorkerService *self = DYNO_WORKER_SERVICE (object);
  GDBusMethodInvocation *invocation = data;
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->heartbeat, g_source_remove);
  if (g_task_propagate_boolean (G_TASK (async_result), &error))
    dyno_dbus_worker_complete_try (self->skeleton, invocation);
  else
    g_dbus_method_invocation_return_gerror (invocation, error);
}

static void
try_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (dyno_measurer_try (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static DynoMeasurer *
create_measurer (const char *json, guint nth, gboolean analyses, GError **error)
{
  g_autoptr (JsonObject) object = dyno_json_parse_object (json, -1, _ ("the case"), error);
  g_autoptr (DynoCase) kase = object != NULL ? dyno_case_new_from_json (object, error) : NULL;

  return kase != NULL ? dyno_measurer_new (kase, nth, analyses) : NULL;
}

typedef struct
{
  GTask *task;
  GTaskThreadFunc function;
} Work;

static gpointer
work_thread (gpointer data)
{
  g_autofree Work *work = data;
  g_autoptr (GTask) task = work->task;

  work->function (task, g_task_get_source_object (task), g_task_get_task_data (task), NULL);
  return NULL;
}

/* A pool of threads keeps quiet about a thread that it does not get, and the parent would wait for its deadline. */
static void
run_in_thread (GTask *task, GTaskThreadFunc function)
{
  Work *work = g_new (Work, 1);
  g_autoptr (GError) error = NULL;
  GThread *thread;

  *work = (Work){ g_object_ref (task), function };
  thread = g_thread_try_new ("measuring", work_thread, work, &error);
  if (thread != NULL)
    {
      g_thread_unref (thread);
      return;
    }
  g_object_unref (work->task);
  g_free (work);
  g_task_return_new_error (
      task, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
      _ ("The measuring process ran out of memory, or reached another limit of this system. "
         "Choose a smaller batch size, sequence length or model. (%s)"),
      error->message);
}

/* Takes the measurer, or the error. */
static void
start (DynoWorkerService *self,
       GDBusMethodInvocation *invocation,
       DynoMeasurer *taken,
       GError *error,
       GTaskThreadFunc work,
       GAsyncReadyCallback callback)
{
  g_autoptr (DynoMeasurer) measurer = taken;
  g_autoptr (GTask) task = NULL;

  if (error == NULL && self->measurer != NULL)
    g_set_error (&error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("A worker measures only one case."));
  if (error != NULL)
    {
      g_dbus_method_invocation_take_error (invocation, error);
      return;
    }
  self->measurer = g_steal_pointer (&measurer);
  if (self->gate != NULL)
    {
      self->waiting = invocation;
      dyno_measurer_set_gate (self->measurer, self->gate);
    }
  start_heartbeat (self);
  task = g_task_new (self, NULL, callback, invocation);
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, g_object_ref (self->measurer), g_object_unref);
  run_in_thread (task, work);
}

static gboolean
handle_measure_cb (DynoWorkerService *self,
                   GDBusMethodInvocation *invocation,
                   GUnixFDList *files,
                   const char *json,
                   guint nth,
                   gboolean analyses)
{
  GError *error = NULL;
  DynoMeasurer *measurer = create_measurer (json, nth, analyses, &error);

  start (self, invocation, measurer, error, measure_in_thread, measured_cb);
  return TRUE;
}

static gboolean
handle_analyse_cb (DynoWorkerService *self,
                   GDBusMethodInvocation *invocation,
                   GUnixFDList *files,
                   const char *json,
                   gboolean activations)
{
  GError *error = NULL;
  g_autoptr (JsonObject) object = dyno_json_parse_object (json, -1, _ ("the case"), &error);
  g_autoptr (DynoResult) measured = object != NULL ? dyno_result_new_from_json (object, &error) : NULL;
  DynoMeasurer *measurer = measured != NULL ? dyno_measurer_new_for_analysis (measured, activations) : NULL;

  start (self, invocation, measurer, error, analyse_in_thread, analysed_cb);
  return TRUE;
}

static gboolean
handle_try_cb (DynoWorkerService *self, GDBusMethodInvocation *invocation, const char *json)
{
  GError *error = NULL;
  DynoMeasurer *measurer = create_measurer (json, 0, FALSE, &error);

  start (self, invocation, measurer, error, try_in_thread, tried_cb);
  return TRUE;
}

/* A side that waits must take nothing from the one that works, so its heart stands still. */
static void
arrived_cb (const DynoTurnReport *report, gpointer data)
{
  DynoWorkerService *self = data;
  GDBusMethodInvocation *invocation = g_steal_pointer (&self->waiting);

  beat_cb (self);
  g_clear_handle_id (&self->heartbeat, g_source_remove);
  if (isnan (report->cold_ms))
    dyno_dbus_worker_complete_prepare (self->skeleton, invocation, report->sample_ms);
  else
    dyno_dbus_worker_complete_turn (self->skeleton, invocation, report->sample_ms, report->cold_ms,
                                    report->median_ms);
}

/* The end of the turns, or a failure on the way to it. */
static void
ended_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  DynoWorkerService *self = DYNO_WORKER_SERVICE (object);

  end_call (object, async_result, g_steal_pointer (&self->waiting), dyno_dbus_worker_complete_finish);
}

static gboolean
handle_prepare_cb (DynoWorkerService *self,
                   GDBusMethodInvocation *invocation,
                   const char *json,
                   guint nth,
                   gboolean analyses)
{
  GError *error = NULL;
  DynoMeasurer *measurer = create_measurer (json, nth, analyses, &error);

  if (error == NULL && self->gate == NULL)
    self->gate = dyno_turn_gate_new (arrived_cb, self, &error);
  start (self, invocation, measurer, error, measure_in_thread, ended_cb);
  return TRUE;
}

/* Lets the measuring thread through, which waits unless it works on a call. */
static void
open_gate (DynoWorkerService *self, GDBusMethodInvocation *invocation, guint n_samples)
{
  if (self->gate == NULL || self->waiting != NULL)
    {
      g_dbus_method_invocation_return_error_literal (invocation, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                                                     _ ("The worker does not wait for a turn."));
      return;
    }
  self->waiting = invocation;
  start_heartbeat (self);
  dyno_turn_gate_open (self->gate, n_samples);
}

static gboolean
handle_turn_cb (DynoWorkerService *self, GDBusMethodInvocation *invocation, guint n_samples)
{
  open_gate (self, invocation, MAX (n_samples, 1));
  return TRUE;
}

static gboolean
handle_finish_cb (DynoWorkerService *self, GDBusMethodInvocation *invocation, GUnixFDList *files)
{
  open_gate (self, invocation, 0);
  return TRUE;
}

static void
dyno_worker_service_init (DynoWorkerService *self)
{
  self->skeleton = dyno_dbus_worker_skeleton_new ();
  g_signal_connect_object (self->skeleton, "handle-measure", G_CALLBACK (handle_measure_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->skeleton, "handle-prepare", G_CALLBACK (handle_prepare_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->skeleton, "handle-turn", G_CALLBACK (handle_turn_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->skeleton, "handle-finish", G_CALLBACK (handle_finish_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->skeleton, "handle-analyse", G_CALLBACK (handle_analyse_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->skeleton, "handle-try", G_CALLBACK (handle_try_cb), self, G_CONNECT_SWAPPED);
}

DynoWorkerService *
dyno_worker_service_new (GDBusConnection *connection, GError **error)
{
  g_autoptr (DynoWorkerService) self = g_object_new (DYNO_TYPE_WORKER_SERVICE, NULL);

  if (!g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), connection,
                                         "/io/github/dynobench/Dyno/Worker", error))
    return NULL;
  return g_steal_pointer (&self);
}

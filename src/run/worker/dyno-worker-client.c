/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-paths.h"
#include "dyno-system.h"
#include "dyno-worker-client.h"
#include "dyno-worker-dbus.h"
#include "dyno-worker-process.h"

#define PEER_FD  3
#define WATCH_MS 250

struct _DynoWorkerClient
{
  GObject parent_instance;

  double stall_seconds;
  double deadline_seconds;

  GSubprocess *process;
  GDataInputStream *messages;
  char *last_message;
  GDBusConnection *connection;
  DynoDbusWorker *proxy;
  guint watch;
  gulong cancelled_id;
  char *pid;

  guint64 progress;
  gint64 started_at;
  gint64 progressed_at;
  GError *verdict; /* why we killed it */
  GError *answer;  /* why it could not measure, in its own words */
  gboolean is_trial;
  DynoResult *result;
};

enum
{
  BEAT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (DynoWorkerClient, dyno_worker_client, G_TYPE_OBJECT)

static void
kill_group (DynoWorkerClient *self)
{
  if (self->pid != NULL && g_subprocess_get_identifier (self->process) != NULL)
    kill (-(pid_t)g_ascii_strtoll (self->pid, NULL, 10), SIGKILL);
}

static void
dyno_worker_client_dispose (GObject *object)
{
  DynoWorkerClient *self = DYNO_WORKER_CLIENT (object);

  g_clear_handle_id (&self->watch, g_source_remove);
  if (self->process != NULL)
    kill_group (self);
  g_clear_object (&self->proxy);
  g_clear_object (&self->connection);
  g_clear_object (&self->messages);
  g_clear_object (&self->process);
  g_clear_object (&self->result);

  G_OBJECT_CLASS (dyno_worker_client_parent_class)->dispose (object);
}

static void
dyno_worker_client_finalize (GObject *object)
{
  DynoWorkerClient *self = DYNO_WORKER_CLIENT (object);

  g_free (self->last_message);
  g_free (self->pid);
  g_clear_error (&self->verdict);
  g_clear_error (&self->answer);

  G_OBJECT_CLASS (dyno_worker_client_parent_class)->finalize (object);
}

static void
dyno_worker_client_class_init (DynoWorkerClientClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_worker_client_dispose;
  object_class->finalize = dyno_worker_client_finalize;

  signals[BEAT] = g_signal_new ("beat", DYNO_TYPE_WORKER_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_INT64, G_TYPE_VARIANT);
}

static void
dyno_worker_client_init (DynoWorkerClient *self)
{
  self->stall_seconds = 120;
  self->deadline_seconds = 3600;
}

/**
 * dyno_worker_client_new:
 *
 * Returns: (transfer full): a client that has started nothing yet; it measures once
 */
DynoWorkerClient *
dyno_worker_client_new (void)
{
  return g_object_new (DYNO_TYPE_WORKER_CLIENT, NULL);
}

/**
 * dyno_worker_client_set_limits:
 * @self: a client
 * @stall_seconds: how long the worker may go without making progress
 * @deadline_seconds: how long the whole case may take
 */
void
dyno_worker_client_set_limits (DynoWorkerClient *self, double stall_seconds, double deadline_seconds)
{
  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));

  self->stall_seconds = stall_seconds;
  self->deadline_seconds = deadline_seconds;
}

static GSubprocess *
spawn (int peer_fd, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = dyno_worker_process_prepare (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  static const char *const no_arguments[] = { NULL };

  g_subprocess_launcher_take_fd (launcher, peer_fd, PEER_FD);
  return dyno_worker_process_start (launcher, no_arguments, error);
}

static void read_message (DynoWorkerClient *self);

static void
message_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (DynoWorkerClient) self = data;
  g_autofree char *line =
      g_data_input_stream_read_line_finish_utf8 (G_DATA_INPUT_STREAM (object), async_result, NULL, NULL);

  if (line == NULL)
    return;
  g_debug ("worker: %s", line);
  if (*g_strstrip (line) != '\0')
    {
      g_free (self->last_message);
      self->last_message = g_steal_pointer (&line);
    }
  read_message (self);
}

static void
read_message (DynoWorkerClient *self)
{
  if (self->messages != NULL)
    g_data_input_stream_read_line_async (self->messages, G_PRIORITY_DEFAULT, NULL, message_cb,
                                         g_object_ref (self));
}

static void
condemn (DynoWorkerClient *self, GError *verdict)
{
  if (self->verdict == NULL)
    self->verdict = verdict;
  else
    g_error_free (verdict);
  kill_group (self);
}

static gboolean
watch_cb (gpointer data)
{
  DynoWorkerClient *self = data;
  double now = (double)g_get_monotonic_time () / 1e6;

  if (now - (double)self->progressed_at / 1e6 > self->stall_seconds)
    condemn (self, g_error_new (
                       DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                       _ ("The engine made no progress for %g s and was stopped; it hangs, or a step takes "
                          "longer than that. Try a smaller case, or another runtime."),
                       self->stall_seconds));
  else if (now - (double)self->started_at / 1e6 > self->deadline_seconds)
    condemn (self, g_error_new (DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                                _ ("The case took longer than its deadline of %g s and was stopped."),
                                self->deadline_seconds));
  return G_SOURCE_CONTINUE;
}

static void
heartbeat_cb (DynoWorkerClient *self, const char *phase, guint64 progress, gint64 time, GVariant *latencies)
{
  if (progress != self->progress)
    self->progressed_at = g_get_monotonic_time ();
  self->progress = progress;
  g_signal_emit (self, signals[BEAT], 0, phase, time, latencies);
}

static gboolean
read_traces (DynoResult *result, GVariant *traces, GError **error)
{
  GVariantIter iter;
  const char *name, *unit;
  gint64 origin;
  GVariant *data;

  g_variant_iter_init (&iter, traces);
  while (g_variant_iter_next (&iter, "(&s&sx@ay)", &name, &unit, &origin, &data))
    {
      g_autoptr (GVariant) owned = data;
      g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (owned);
      DynoTrace *trace = dyno_trace_new_from_bytes (name, unit, origin, bytes, error);

      if (trace == NULL)
        return FALSE;
      dyno_result_take_trace (result, trace);
    }
  return TRUE;
}

static DynoResult *
read_result (const char *json, GVariant *traces, GError **error)
{
  g_autoptr (JsonObject) object = dyno_json_parse_object (json, -1, _ ("the worker's answer"), error);
  g_autoptr (DynoResult) result = object != NULL ? dyno_result_new_from_json (object, error) : NULL;

  if (result == NULL || !read_traces (result, traces, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* The answer is kept until the process has ended: only then nothing of it is left on the machine. Without one it
 * has died, and the end of the process tells how. */
static void
measured_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (DynoWorkerClient) self = data;
  g_autofree char *json = NULL;
  g_autoptr (GVariant) traces = NULL;
  g_autoptr (GError) error = NULL;

  if (dyno_dbus_worker_call_measure_finish (DYNO_DBUS_WORKER (object), &json, &traces, async_result, &error))
    self->result = read_result (json, traces, &self->answer);
  else if (g_dbus_error_strip_remote_error (error))
    self->answer = g_steal_pointer (&error);
  if (self->result != NULL || self->answer != NULL)
    kill_group (self);
}

/* A trial that went well has no more to tell: its result is empty. */
static void
tried_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoWorkerClient *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;

  if (dyno_dbus_worker_call_try_finish (DYNO_DBUS_WORKER (object), async_result, &error))
    self->result = dyno_result_new (g_task_get_task_data (task), 0);
  else if (g_dbus_error_strip_remote_error (error))
    self->answer = g_steal_pointer (&error);
  if (self->result != NULL || self->answer != NULL)
    kill_group (self);
}

static void
proxy_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoWorkerClient *self = g_task_get_source_object (task);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  self->proxy = dyno_dbus_worker_proxy_new_finish (async_result, &error);
  if (self->proxy == NULL)
    return; /* it died; the end of the process tells how */
  g_dbus_proxy_set_default_timeout (G_DBUS_PROXY (self->proxy), G_MAXINT);
  g_signal_connect_object (self->proxy, "heartbeat", G_CALLBACK (heartbeat_cb), self, G_CONNECT_SWAPPED);
  node = dyno_case_to_json (g_task_get_task_data (task));
  json = json_to_string (node, FALSE);
  if (self->is_trial)
    dyno_dbus_worker_call_try (self->proxy, json, NULL, tried_cb, g_steal_pointer (&task));
  else
    dyno_dbus_worker_call_measure (self->proxy, json, NULL, measured_cb, g_object_ref (self));
}

static void
connection_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoWorkerClient *self = g_task_get_source_object (task);

  self->connection = g_dbus_connection_new_finish (async_result, NULL);
  if (self->connection == NULL)
    return; /* it died; the end of the process tells how */
  dyno_dbus_worker_proxy_new (self->connection, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL,
                              "/io/github/dynobench/Dyno/Worker", NULL, proxy_cb, g_steal_pointer (&task));
}

/* GLib and C++ end the process themselves when they get no memory or thread; these are their last words. */
static gboolean
is_out_of_memory (const char *message)
{
  return strstr (message, "failed to allocate") != NULL || strstr (message, "std::bad_alloc") != NULL ||
         strstr (message, "Error creating thread") != NULL;
}

static void
set_death_error (DynoWorkerClient *self, GError **error)
{
  const char *detail = self->last_message != NULL ? self->last_message : _ ("It left no message.");
  int number = g_subprocess_get_if_signaled (self->process) ? g_subprocess_get_term_sig (self->process) : 0;

  if (is_out_of_memory (detail))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                 _ ("The memory, or another limit of this system, did not suffice for the measuring process. "
                    "Choose a smaller batch size, sequence "
                    "length or model. (%s)"),
                 detail);
  else if (number == SIGKILL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                 _ ("The measuring process was killed from outside, as the kernel does when memory runs out. "
                    "Try a smaller batch or model. (%s)"),
                 detail);
  else if (number != 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                 _ ("The engine crashed: %s. Try another runtime or a smaller case. (%s)"),
                 g_strsignal (number), detail);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                 _ ("The engine ended the measuring process by itself. Try another runtime. (%s)"), detail);
}

static void
stop_watching (DynoWorkerClient *self, GTask *task)
{
  g_clear_handle_id (&self->watch, g_source_remove);
  g_cancellable_disconnect (g_task_get_cancellable (task), self->cancelled_id);
  self->cancelled_id = 0;
}

static void
exited_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoWorkerClient *self = g_task_get_source_object (task);
  GError *error = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (object), async_result, NULL);
  dyno_worker_process_clean_up ();
  stop_watching (self, task);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->verdict != NULL)
    g_task_return_error (task, g_steal_pointer (&self->verdict));
  else if (self->result != NULL)
    g_task_return_pointer (task, g_steal_pointer (&self->result), g_object_unref);
  else if (self->answer != NULL)
    g_task_return_error (task, g_steal_pointer (&self->answer));
  else
    {
      set_death_error (self, &error);
      g_task_return_error (task, error);
    }
}

static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  kill_group (data);
}

static GSocketConnection *
connect_process (DynoWorkerClient *self, GError **error)
{
  int fds[2];
  g_autoptr (GSocket) socket = NULL;

  if (!dyno_system_open_socket_pair (fds))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("No socket for the measuring process: %s"),
                   g_strerror (errno));
      return NULL;
    }
  socket = g_socket_new_from_fd (fds[0], error);
  self->process = socket != NULL ? spawn (fds[1], error) : NULL;
  if (self->process == NULL)
    return NULL;
  self->pid = g_strdup (g_subprocess_get_identifier (self->process));
  self->messages = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->process));
  return g_socket_connection_factory_create_connection (socket);
}

/* Takes the task. */
static void
begin (DynoWorkerClient *self, GTask *begun)
{
  g_autoptr (GTask) task = begun;
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GSocketConnection) stream = NULL;
  GError *error = NULL;

  (void)DYNO_ERROR; /* registers the errors' names for D-Bus */
  stream = connect_process (self, &error);
  if (stream == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->started_at = self->progressed_at = g_get_monotonic_time ();
  self->watch = g_timeout_add (WATCH_MS, watch_cb, self);
  read_message (self);
  g_subprocess_wait_async (self->process, NULL, exited_cb, g_object_ref (task));
  g_dbus_connection_new (G_IO_STREAM (stream), NULL, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                         NULL, connection_cb, g_object_ref (task));
  if (cancellable != NULL)
    self->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), self, NULL);
}

/**
 * dyno_worker_client_measure_async:
 * @self: a client that has not measured yet
 * @kase: what to measure
 * @cancellable: (nullable): cancelling kills the worker
 * @callback: called once the worker is gone, whatever came of it
 * @user_data: for @callback
 *
 * Starts a worker and lets it measure. Must be called on the main thread: the worker dies with the thread that
 * started it.
 */
void
dyno_worker_client_measure_async (DynoWorkerClient *self,
                                  DynoCase *kase,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task;

  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));
  g_return_if_fail (DYNO_IS_CASE (kase));
  g_return_if_fail (self->process == NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_worker_client_measure_async);
  g_task_set_task_data (task, g_object_ref (kase), g_object_unref);
  begin (self, task);
}

/**
 * dyno_worker_client_measure_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location: what the worker said, or how it died
 *
 * Returns: (transfer full): the result
 */
DynoResult *
dyno_worker_client_measure_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * dyno_worker_client_try_async:
 * @self: a client that has not measured yet
 * @kase: what to try
 * @cancellable: (nullable): cancelling kills the worker
 * @callback: called once the worker is gone, whatever came of it
 * @user_data: for @callback
 *
 * Like [method@Dyno.WorkerClient.measure_async], but the worker opens the model and runs one step, and no more.
 */
void
dyno_worker_client_try_async (DynoWorkerClient *self,
                              DynoCase *kase,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;

  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));
  g_return_if_fail (DYNO_IS_CASE (kase));
  g_return_if_fail (self->process == NULL);

  self->is_trial = TRUE;
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_worker_client_try_async);
  g_task_set_task_data (task, g_object_ref (kase), g_object_unref);
  begin (self, task);
}

/**
 * dyno_worker_client_try_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location: what the worker said, or how it died
 *
 * Returns: whether the model was opened and ran a step
 */
gboolean
dyno_worker_client_try_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error)
{
  g_autoptr (DynoResult) tried = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  tried = g_task_propagate_pointer (G_TASK (result), error);
  return tried != NULL;
}

/**
 * dyno_worker_client_read_resident:
 * @self: a client
 *
 * Returns: the worker's resident set now, in bytes; -1 when it cannot be read
 */
gint64
dyno_worker_client_read_resident (DynoWorkerClient *self)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  const char *second;

  g_return_val_if_fail (DYNO_IS_WORKER_CLIENT (self), -1);

  if (self->pid == NULL)
    return -1;
  path = dyno_paths_build (DYNO_PATH_PROCFS, self->pid, "statm", NULL);
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  second = strchr (text, ' ');
  return second != NULL ? g_ascii_strtoll (second, NULL, 10) * sysconf (_SC_PAGESIZE) : -1;
}

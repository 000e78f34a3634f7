/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-disturbance.h"
#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-model.h"
#include "dyno-paths.h"
#include "dyno-run-worker-private.h"
#include "dyno-scratch.h"
#include "dyno-system.h"
#include "dyno-task.h"
#include "dyno-worker-client.h"
#include "dyno-worker-dbus.h"

#define TUNABLES   "GLIBC_TUNABLES"
#define HUGE_PAGES "glibc.malloc.hugetlb=1"

#define PEER_FD  3
#define WATCH_MS 250

/* How many bytes of a worker's last output are kept. */
#define MAX_LAST_WORDS 4096

struct _DynoWorkerClient
{
  GObject parent_instance;

  double stall_seconds;
  double deadline_seconds;

  GSubprocess *process;
  GByteArray *words; /* the end of its standard error */
  GDBusConnection *connection;
  DynoDbusWorker *proxy;
  guint watch;
  gulong cancelled_id;
  char *pid;
  DynoContainer container; /* before it was started */

  guint64 progress;
  gint64 other_memory;
  GVariant *usage;
  gint64 started_at;
  gint64 progressed_at;
  gint64 watched_at;
  GError *verdict; /* why we killed it */
  GError *refusal; /* why it could not measure, in its own words */
  guint invocation;
  gboolean analyses;
  DynoResult *measured; /* only if the worker analyses what others measured */
  gboolean activations; /* likewise, whether it looks at activations */
  gboolean is_trial;
  gboolean in_turns;
  gboolean is_halted; /* in turns, while others work */
  gboolean is_served; /* whether a server does the work instead of one of our engines */
  gboolean has_run;   /* in a trial */
  DynoWorkerAnswer *answer;
};

enum
{
  BEAT,
  WAITS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (DynoWorkerClient, dyno_worker_client, G_TYPE_OBJECT)

static void
signal_group (DynoWorkerClient *self, int number)
{
  if (self->pid != NULL && g_subprocess_get_identifier (self->process) != NULL)
    kill (-(pid_t)g_ascii_strtoll (self->pid, NULL, 10), number);
}

static void
kill_group (DynoWorkerClient *self)
{
  signal_group (self, SIGKILL);
}

static void
dyno_worker_client_dispose (GObject *object)
{
  DynoWorkerClient *self = DYNO_WORKER_CLIENT (object);

  g_clear_handle_id (&self->watch, g_source_remove);
  if (self->process != NULL)
    kill_group (self);
  g_clear_pointer (&self->usage, g_variant_unref);
  g_clear_object (&self->proxy);
  g_clear_object (&self->connection);
  g_clear_object (&self->process);

  G_OBJECT_CLASS (dyno_worker_client_parent_class)->dispose (object);
}

static void
dyno_worker_client_finalize (GObject *object)
{
  DynoWorkerClient *self = DYNO_WORKER_CLIENT (object);

  g_byte_array_unref (self->words);
  g_clear_object (&self->measured);
  g_free (self->pid);
  g_clear_error (&self->verdict);
  g_clear_error (&self->refusal);
  g_clear_pointer (&self->answer, dyno_worker_answer_free);

  G_OBJECT_CLASS (dyno_worker_client_parent_class)->finalize (object);
}

static void
dyno_worker_client_class_init (DynoWorkerClientClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_worker_client_dispose;
  object_class->finalize = dyno_worker_client_finalize;

  signals[BEAT] = g_signal_new ("beat", DYNO_TYPE_WORKER_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 4, G_TYPE_STRING, G_TYPE_INT64, G_TYPE_UINT, G_TYPE_VARIANT);
  signals[WAITS] = g_signal_new ("waits", DYNO_TYPE_WORKER_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 3, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
dyno_worker_client_init (DynoWorkerClient *self)
{
  self->words = g_byte_array_new ();
  self->stall_seconds = 120;
  self->deadline_seconds = 3600;
}

DynoWorkerClient *
dyno_worker_client_new (void)
{
  return g_object_new (DYNO_TYPE_WORKER_CLIENT, NULL);
}

void
dyno_worker_client_set_limits (DynoWorkerClient *self, double stall_seconds, double deadline_seconds)
{
  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));

  self->stall_seconds = stall_seconds;
  self->deadline_seconds = deadline_seconds;
}

/* Reads some of the available bytes, whatever they are. */
static gssize
read_words (DynoWorkerClient *self, GPollableInputStream *stream, GError **error)
{
  guint8 words[MAX_LAST_WORDS];
  gssize length = g_pollable_input_stream_read_nonblocking (stream, words, sizeof words, NULL, error);

  if (length > 0)
    {
      g_byte_array_append (self->words, words, (guint)length);
      if (self->words->len > MAX_LAST_WORDS)
        g_byte_array_remove_range (self->words, 0, self->words->len - MAX_LAST_WORDS);
    }
  return length;
}

static gboolean
heard_cb (GObject *stream, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (read_words (data, G_POLLABLE_INPUT_STREAM (stream), &error) > 0 ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return G_SOURCE_CONTINUE;
  return G_SOURCE_REMOVE;
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
  gint64 now = g_get_monotonic_time ();
  gint64 since = now - self->watched_at;
  gint64 late = MAX (since - WATCH_MS * G_TIME_SPAN_MILLISECOND, 0);

  /* While this process was suspended, the worker may have been too, as on a paused machine, and its messages
   * are not read yet. That time does not count. */
  self->progressed_at = self->is_halted ? now : MIN (self->progressed_at + late, now);
  self->started_at += self->is_halted ? since : late;
  self->watched_at = now;
  if ((double)(now - self->progressed_at) / 1e6 > self->stall_seconds)
    condemn (self,
             self->is_served
                 ? g_error_new (DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                                _ ("The server sent nothing for %g s and is no longer waited for: it hangs, "
                                   "was stopped, or needs longer for a prompt or to load the model. Look at "
                                   "what it logged, or allow more with “dyno-cli run --stall-seconds”."),
                                self->stall_seconds)
                 : g_error_new (DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                                _ ("The engine made no progress for %g s and was stopped; it hangs, or a "
                                   "step takes longer than that. Try a smaller case, or another runtime."),
                                self->stall_seconds));
  else if ((double)(now - self->started_at) / 1e6 > self->deadline_seconds)
    {
      double idle_seconds = (double)(now - self->progressed_at) / 1e6;

      condemn (self, idle_seconds > self->deadline_seconds / 2
                         ? g_error_new (DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                                        _ ("The engine had made no progress for %.0f s when its deadline of "
                                           "%.3g s stopped it."),
                                        idle_seconds, self->deadline_seconds)
                         : g_error_new (DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                                        _ ("The case took longer than its deadline of %.3g s and was "
                                           "stopped."),
                                        self->deadline_seconds));
    }
  return G_SOURCE_CONTINUE;
}

static void
heartbeat_cb (DynoWorkerClient *self,
              const char *phase,
              guint64 progress,
              gint64 time,
              gint64 other_memory,
              GVariant *latencies,
              GVariant *usage)
{
  self->other_memory = other_memory;
  g_clear_pointer (&self->usage, g_variant_unref);
  self->usage = g_variant_ref (usage);
  if (progress != self->progress)
    self->progressed_at = g_get_monotonic_time ();
  self->progress = progress;
  g_signal_emit (self, signals[BEAT], 0, phase, time, (guint)(progress & G_MAXUINT32), latencies);
}

/* An error that is not the worker's own means that it has died, and its exit status says how. */
static void
refuse (DynoWorkerClient *self, GError *error)
{
  if (!g_dbus_error_strip_remote_error (error))
    return;
  self->refusal = g_error_copy (error);
  kill_group (self);
}

typedef gboolean (*Finish) (DynoDbusWorker *proxy,
                            guint64 *result_size,
                            GVariant **traces,
                            GVariant **handle,
                            GUnixFDList **files,
                            GAsyncResult *async_result,
                            GError **error);

/* Takes the reference to the client. */
static void
take_result (GObject *object, GAsyncResult *async_result, DynoWorkerClient *taken, Finish finish)
{
  g_autoptr (DynoWorkerClient) self = taken;
  guint64 result_size = 0;
  g_autoptr (GVariant) traces = NULL;
  g_autoptr (GVariant) handle = NULL;
  g_autoptr (GUnixFDList) files = NULL;
  g_autoptr (GError) error = NULL;

  if (finish (DYNO_DBUS_WORKER (object), &result_size, &traces, &handle, &files, async_result, &error))
    {
      /* The answer is kept until the process has ended, because only then nothing of it is left on the machine. */
      int index = g_variant_get_handle (handle);
      int fd = -1;

      if (files == NULL || index < 0 || index >= g_unix_fd_list_get_length (files))
        g_set_error (&self->refusal, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                     _ ("The measuring process returned no result. Install Dyno again."));
      else
        fd = g_unix_fd_list_get (files, index, &self->refusal);
      self->answer = fd >= 0 ? dyno_worker_answer_new (fd, result_size, traces) : NULL;
      kill_group (self);
    }
  else
    refuse (self, error);
}

static void
measured_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  take_result (object, async_result, data, dyno_dbus_worker_call_measure_finish);
}

static void
analysed_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  take_result (object, async_result, data, dyno_dbus_worker_call_analyse_finish);
}

/* A pool of an engine may spin for tens of milliseconds after its last step, in the hope of another one. */
static void
wait_for_turn (DynoWorkerClient *self, double sample_ms, double cold_ms, double median_ms)
{
  self->is_halted = TRUE;
  signal_group (self, SIGSTOP);
  g_signal_emit (self, signals[WAITS], 0, sample_ms, cold_ms, median_ms);
}

static void
go_on (DynoWorkerClient *self)
{
  self->is_halted = FALSE;
  self->progressed_at = g_get_monotonic_time ();
  signal_group (self, SIGCONT);
}

static void
prepared_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (DynoWorkerClient) self = data;
  g_autoptr (GError) error = NULL;
  double sample_ms;

  if (dyno_dbus_worker_call_prepare_finish (DYNO_DBUS_WORKER (object), &sample_ms, async_result, &error))
    wait_for_turn (self, sample_ms, NAN, NAN);
  else
    refuse (self, error);
}

static void
turned_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (DynoWorkerClient) self = data;
  g_autoptr (GError) error = NULL;
  double sample_ms, cold_ms, median_ms;

  if (dyno_dbus_worker_call_turn_finish (DYNO_DBUS_WORKER (object), &sample_ms, &cold_ms, &median_ms,
                                         async_result, &error))
    wait_for_turn (self, sample_ms, cold_ms, median_ms);
  else
    refuse (self, error);
}

static void
ended_turns_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  take_result (object, async_result, data, dyno_dbus_worker_call_finish_finish);
}

static void
tried_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (DynoWorkerClient) self = data;
  g_autoptr (GError) error = NULL;

  self->has_run = dyno_dbus_worker_call_try_finish (DYNO_DBUS_WORKER (object), async_result, &error);
  if (self->has_run)
    kill_group (self);
  else
    refuse (self, error);
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
    return; /* it died; the end of the process says how */
  g_dbus_proxy_set_default_timeout (G_DBUS_PROXY (self->proxy), G_MAXINT);
  g_signal_connect_object (self->proxy, "heartbeat", G_CALLBACK (heartbeat_cb), self, G_CONNECT_SWAPPED);
  node = self->measured != NULL ? dyno_result_to_json (self->measured, FALSE)
                                : dyno_case_to_json (g_task_get_task_data (task));
  json = dyno_json_text_write (node, FALSE);
  if (self->is_trial)
    dyno_dbus_worker_call_try (self->proxy, json, NULL, tried_cb, g_object_ref (self));
  else if (self->measured != NULL)
    dyno_dbus_worker_call_analyse (self->proxy, json, self->activations, NULL, NULL, analysed_cb,
                                   g_object_ref (self));
  else if (self->in_turns)
    dyno_dbus_worker_call_prepare (self->proxy, json, self->invocation, self->analyses, NULL, prepared_cb,
                                   g_object_ref (self));
  else
    dyno_dbus_worker_call_measure (self->proxy, json, self->invocation, self->analyses, NULL, NULL,
                                   measured_cb, g_object_ref (self));
}

static void
connection_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoWorkerClient *self = g_task_get_source_object (task);

  self->connection = g_dbus_connection_new_finish (async_result, NULL);
  if (self->connection == NULL)
    return; /* it died; the end of the process says how */
  dyno_dbus_worker_proxy_new (self->connection, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL,
                              "/io/github/dynobench/Dyno/Worker", NULL, proxy_cb, g_steal_pointer (&task));
}

/* GLib and C++ abort the process when they get no memory or thread, and print these messages. */
static gboolean
is_without_memory (const char *words)
{
  static const char *const messages[] = { "failed to allocate", "std::bad_alloc", "Error creating thread",
                                          "libgcc_s.so.1 must be installed for",
                                          "g_task_thread_pool_init: assertion failed" };

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (strstr (words, messages[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
set_death_error (DynoWorkerClient *self, GError **error)
{
  g_autofree char *detail =
      dyno_worker_process_dup_last_words ((const char *)self->words->data, self->words->len);
  int number = g_subprocess_get_if_signaled (self->process) ? g_subprocess_get_term_sig (self->process) : 0;
  DynoContainer container;

  dyno_container_read (&container);
  if (is_without_memory (detail))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                 _ ("The measuring process ran out of memory, or reached another limit of this system. "
                    "Choose a smaller batch size, sequence length or model. (%s)"),
                 detail);
  else if (number == SIGKILL && self->container.n_oom_kills >= 0 &&
           container.n_oom_kills > self->container.n_oom_kills)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                 _ ("The kernel killed the measuring process because memory ran out. Choose a smaller batch "
                    "size, sequence length or model, or allow more memory. (%s)"),
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
                 _ ("The engine exited the measuring process. Try another runtime. (%s)"), detail);
}

static void
read_answer_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoWorkerClient *self = dyno_owned_task_get_owner (task);
  GError *error = NULL;
  DynoResult *result = dyno_worker_answer_read (self->answer, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
answer_read_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  DynoResult *result = g_task_propagate_pointer (G_TASK (async_result), &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
read_answer (DynoWorkerClient *self, GTask *task)
{
  g_autoptr (GTask) reading = dyno_owned_task_new (self, NULL, answer_read_cb, g_object_ref (task));

  g_task_set_source_tag (reading, read_answer);
  g_task_run_in_thread (reading, read_answer_in_thread);
}

static void
exited_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoWorkerClient *self = g_task_get_source_object (task);
  GError *error = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (object), async_result, NULL);
  dyno_scratch_remove_orphans ();

  g_clear_handle_id (&self->watch, g_source_remove);
  g_cancellable_disconnect (g_task_get_cancellable (task), self->cancelled_id);
  self->cancelled_id = 0;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->verdict != NULL)
    g_task_return_error (task, g_steal_pointer (&self->verdict));
  else if (self->answer != NULL)
    read_answer (self, task);
  else if (self->has_run)
    g_task_return_boolean (task, TRUE);
  else if (self->refusal != NULL)
    g_task_return_error (task, g_steal_pointer (&self->refusal));
  else
    {
      /* The process may end before its last output is read. */
      GPollableInputStream *stream = G_POLLABLE_INPUT_STREAM (g_subprocess_get_stderr_pipe (self->process));

      while (read_words (self, stream, NULL) > 0)
        ;

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
connect_process (DynoWorkerClient *self, DynoCase *kase, GError **error)
{
  const char *const arguments[] = { "--measure", dyno_case_get_backend (kase), NULL };
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (kase), NULL);
  const char *variable = backend != NULL ? dyno_backend_get_library_variable (backend) : NULL;
  g_autofree char *library = dyno_case_dup_library (kase);
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSocket) socket = NULL;
  int fds[2];

  if (!dyno_system_open_socket_pair (fds))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("Cannot create a socket for the measuring process: %s"), g_strerror (errno));
      return NULL;
    }
  launcher = dyno_worker_process_prepare (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_take_fd (launcher, fds[1], PEER_FD);
  if (variable != NULL && library != NULL)
    g_subprocess_launcher_setenv (launcher, variable, library, TRUE);
  /* Only before it starts can a process be told to ask for huge pages for all its memory. */
  if (options != NULL && g_strcmp0 (g_hash_table_lookup (options, "huge-pages"), "on") == 0)
    {
      const char *own = g_subprocess_launcher_getenv (launcher, TUNABLES);
      g_autofree char *tunables = g_strconcat (own != NULL && *own != '\0' ? own : HUGE_PAGES,
                                               own != NULL && *own != '\0' ? ":" HUGE_PAGES : "", NULL);

      g_subprocess_launcher_setenv (launcher, TUNABLES, tunables, TRUE);
    }
  socket = g_socket_new_from_fd (fds[0], error);
  if (socket == NULL)
    {
      close (fds[0]);
      return NULL;
    }
  self->process = dyno_worker_process_start (launcher, arguments, error);
  if (self->process == NULL)
    return NULL;
  self->pid = g_strdup (g_subprocess_get_identifier (self->process));
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
  dyno_container_read (&self->container);
  stream = connect_process (self, g_task_get_task_data (task), &error);
  if (stream == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->started_at = self->progressed_at = self->watched_at = g_get_monotonic_time ();
  self->watch = g_timeout_add (WATCH_MS, watch_cb, self);

  /* A worker whose pipe is full would block. Bytes are stored at once, so that a read still pending when the
   * process ends loses nothing. */
  GPollableInputStream *words = G_POLLABLE_INPUT_STREAM (g_subprocess_get_stderr_pipe (self->process));
  g_autoptr (GSource) source = g_pollable_input_stream_create_source (words, NULL);

  g_source_set_callback (source, G_SOURCE_FUNC (heard_cb), g_object_ref (self), g_object_unref);
  g_source_attach (source, g_main_context_get_thread_default ());

  g_subprocess_wait_async (self->process, NULL, exited_cb, g_object_ref (task));
  g_dbus_connection_new (G_IO_STREAM (stream), NULL, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                         NULL, connection_cb, g_object_ref (task));
  if (cancellable != NULL)
    self->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), self, NULL);
}

void
dyno_worker_client_take_turn (DynoWorkerClient *self, guint n_samples)
{
  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));
  g_return_if_fail (self->is_halted);

  go_on (self);
  dyno_dbus_worker_call_turn (self->proxy, n_samples, NULL, turned_cb, g_object_ref (self));
}

void
dyno_worker_client_end_turns (DynoWorkerClient *self)
{
  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));
  g_return_if_fail (self->is_halted);

  go_on (self);
  dyno_dbus_worker_call_finish (self->proxy, NULL, NULL, ended_turns_cb, g_object_ref (self));
}

void
dyno_worker_client_measure_in_turns_async (DynoWorkerClient *self,
                                           DynoCase *kase,
                                           guint invocation,
                                           gboolean analyses,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data)
{
  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));

  self->in_turns = TRUE;
  dyno_worker_client_measure_async (self, kase, invocation, analyses, cancellable, callback, user_data);
}

void
dyno_worker_client_measure_async (DynoWorkerClient *self,
                                  DynoCase *kase,
                                  guint invocation,
                                  gboolean analyses,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task;

  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));
  g_return_if_fail (DYNO_IS_CASE (kase));
  g_return_if_fail (self->process == NULL);

  self->invocation = invocation;
  self->analyses = analyses;
  self->is_served = dyno_model_get_served_name (dyno_case_get_model (kase)) != NULL;
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_worker_client_measure_async);
  g_task_set_task_data (task, g_object_ref (kase), g_object_unref);
  begin (self, task);
}

void
dyno_worker_client_analyse_async (DynoWorkerClient *self,
                                  DynoResult *measured,
                                  gboolean activations,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_return_if_fail (DYNO_IS_WORKER_CLIENT (self));
  g_return_if_fail (DYNO_IS_RESULT (measured));

  self->measured = g_object_ref (measured);
  self->activations = activations;
  dyno_worker_client_measure_async (self, dyno_result_get_case (measured), 0, TRUE, cancellable, callback,
                                    user_data);
}

DynoResult *
dyno_worker_client_measure_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

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
  self->is_served = dyno_model_get_served_name (dyno_case_get_model (kase)) != NULL;
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_worker_client_try_async);
  g_task_set_task_data (task, g_object_ref (kase), g_object_unref);
  begin (self, task);
}

gboolean
dyno_worker_client_try_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

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
  return second != NULL ? g_ascii_strtoll (second, NULL, 10) * sysconf (_SC_PAGESIZE) + self->other_memory
                        : -1;
}

GVariant *
dyno_worker_client_get_usage (DynoWorkerClient *self)
{
  g_return_val_if_fail (DYNO_IS_WORKER_CLIENT (self), NULL);
  return self->usage;
}

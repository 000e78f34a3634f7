/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-probe-process.h"
#include "dyno-worker-process.h"

#define MAX_ANSWER     (16 * 1024 * 1024)
#define MAX_LAST_WORDS 4096

/* One worker that is asked about one backend. Its answer, and what it says beside that, go to files without a name: a
 * pipe would be held open by whatever a driver leaves behind, and takes a thread to read, which GLib waits for without
 * end where memory is short. */
typedef struct
{
  DynoBackend *backend;
  GSubprocess *process;
  pid_t pid;
  int answer_fd;
  int words_fd;
  GMainContext *context;
  GMainLoop *loop;
  gboolean is_late;
} Asking;

static void
close_file (int fd)
{
  if (fd >= 0)
    close (fd);
}

static void
asking_clear (Asking *asking)
{
  g_clear_object (&asking->process);
  g_clear_pointer (&asking->loop, g_main_loop_unref);
  g_clear_pointer (&asking->context, g_main_context_unref);
  close_file (asking->answer_fd);
  close_file (asking->words_fd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asking, asking_clear)

static void
give_up (Asking *asking)
{
  if (asking->pid > 0)
    kill (-asking->pid, SIGKILL);
}

static gboolean
late_cb (gpointer data)
{
  Asking *asking = data;

  asking->is_late = TRUE;
  give_up (asking);
  return G_SOURCE_REMOVE;
}

static void
cancelled_cb (GCancellable *cancellable, gpointer asking)
{
  give_up (asking);
}

static void
ended_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;

  g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL);
  g_main_loop_quit (asking->loop);
}

static int
open_nameless_file (GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("dyno-probe-XXXXXX", &path, error);

  if (fd >= 0)
    g_unlink (path);
  return fd;
}

static gboolean
start (Asking *asking, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = dyno_worker_process_prepare (G_SUBPROCESS_FLAGS_NONE);
  const char *const arguments[] = { "--probe", dyno_backend_get_id (asking->backend), NULL };
  const char *identifier;

  asking->answer_fd = open_nameless_file (error);
  if (asking->answer_fd < 0)
    return FALSE;
  asking->words_fd = open_nameless_file (error);
  if (asking->words_fd < 0)
    return FALSE;
  g_subprocess_launcher_take_stdout_fd (launcher, dup (asking->answer_fd));
  g_subprocess_launcher_take_stderr_fd (launcher, dup (asking->words_fd));
  asking->process = dyno_worker_process_start (launcher, arguments, error);
  if (asking->process == NULL)
    return FALSE;
  identifier = g_subprocess_get_identifier (asking->process);
  /* There is none if it has ended already. */
  asking->pid = identifier != NULL ? (pid_t)g_ascii_strtoll (identifier, NULL, 10) : 0;
  return TRUE;
}

/* A context of its own, so that it can be waited for on any thread, whatever else that one does. */
static void
wait_for_end (Asking *asking, GCancellable *cancellable)
{
  g_autoptr (GSource) deadline =
      g_timeout_source_new_seconds (dyno_backend_get_probe_seconds (asking->backend));
  gulong handler = 0;

  asking->loop = g_main_loop_new (asking->context, FALSE);
  g_source_set_callback (deadline, late_cb, asking, NULL);
  g_source_attach (deadline, asking->context);
  g_subprocess_wait_async (asking->process, NULL, ended_cb, asking);
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), asking, NULL);
  g_main_loop_run (asking->loop);
  g_cancellable_disconnect (cancellable, handler);
  g_source_destroy (deadline);
}

static char *
dup_last_words (Asking *asking)
{
  char text[MAX_LAST_WORDS + 1];
  off_t size = lseek (asking->words_fd, 0, SEEK_END);
  ssize_t length =
      size > 0 ? pread (asking->words_fd, text, MAX_LAST_WORDS, MAX (size - MAX_LAST_WORDS, 0)) : 0;
  const char *last;

  text[MAX (length, 0)] = '\0';
  g_strchomp (text);
  last = strrchr (text, '\n');
  last = last != NULL ? last + 1 : text;
  return *last != '\0' ? g_utf8_make_valid (last, -1) : g_strdup (_ ("It left no message."));
}

static DynoProbe *
read_answer (Asking *asking)
{
  off_t size = lseek (asking->answer_fd, 0, SEEK_END);
  g_autofree char *answer = NULL;
  g_autoptr (JsonObject) object = NULL;

  if (asking->is_late || size <= 0 || size > MAX_ANSWER)
    return NULL;
  answer = g_malloc (size);
  if (pread (asking->answer_fd, answer, size, 0) != size)
    return NULL;
  object = dyno_json_parse_object (answer, size, _ ("the answer about a backend"), NULL);
  return object != NULL ? dyno_probe_new_from_json (object, NULL) : NULL;
}

static DynoProbe *
explain_end (Asking *asking)
{
  const char *name = dyno_backend_get_name (asking->backend);
  g_autofree char *words = dup_last_words (asking);
  g_autofree char *reason = NULL;

  if (asking->is_late)
    reason =
        g_strdup_printf (_ ("The driver or engine of “%s” gave no answer for %u s and was stopped. (%s)"),
                         name, dyno_backend_get_probe_seconds (asking->backend), words);
  else if (g_subprocess_get_if_signaled (asking->process))
    reason = g_strdup_printf (
        _ ("The driver or engine of “%s” crashed while it was asked what it can do: %s, signal %d. (%s)"),
        name, g_strsignal (g_subprocess_get_term_sig (asking->process)),
        g_subprocess_get_term_sig (asking->process), words);
  else
    reason = g_strdup_printf (
        _ ("The driver or engine of “%s” ended the process that asked it what it can do. (%s)"), name, words);
  return dyno_probe_new_unsupported (
      reason, _ ("Ask again, on the command line with “hardware --fresh”. If that does not "
                 "help, update or reinstall the driver and the engine."));
}

/**
 * dyno_probe_process_ask:
 * @backend: a backend
 * @cancellable: (nullable): cancelling ends the process
 * @is_answer: (out): whether the backend itself said this; if not, another time may bring another answer
 *
 * Probes a backend in a process of its own, and waits for it as long as the backend's class allows. A backend that
 * could not be asked is deferred.
 *
 * Returns: (transfer full): what was found
 */
DynoProbe *
dyno_probe_process_ask (DynoBackend *backend, GCancellable *cancellable, gboolean *is_answer)
{
  g_auto (Asking) asking = { .backend = backend, .answer_fd = -1, .words_fd = -1 };
  g_autoptr (GError) error = NULL;
  DynoProbe *probe;

  asking.context = g_main_context_new ();
  g_main_context_push_thread_default (asking.context);
  if (start (&asking, &error))
    wait_for_end (&asking, cancellable);
  g_main_context_pop_thread_default (asking.context);
  dyno_worker_process_clean_up ();
  *is_answer = FALSE;
  if (error != NULL)
    return dyno_probe_new_deferred (error->message, NULL);
  probe = read_answer (&asking);
  *is_answer = probe != NULL;
  return probe != NULL ? probe : explain_end (&asking);
}

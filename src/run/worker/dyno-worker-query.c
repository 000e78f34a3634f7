/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-run-worker-private.h"
#include "dyno-scratch.h"
#include "dyno-system.h"
#include "dyno-worker-client.h"

#define MAX_ANSWER     (64 * 1024 * 1024)
#define MAX_LAST_WORDS 4096

/* The answer and the standard error go to files without a name. A process that a driver leaves behind would
 * hold a pipe open, and reading a pipe takes a thread, for which GLib waits forever when memory is short. */
typedef struct
{
  GSubprocess *process;
  pid_t pid;
  int answer_fd;
  int words_fd;
  GMainContext *context;
  GMainLoop *loop;
  guint seconds_left;
  gboolean is_late;
} Query;

static void
close_file (int fd)
{
  if (fd >= 0)
    close (fd);
}

static void
query_clear (Query *query)
{
  g_clear_object (&query->process);
  g_clear_pointer (&query->loop, g_main_loop_unref);
  g_clear_pointer (&query->context, g_main_context_unref);
  close_file (query->answer_fd);
  close_file (query->words_fd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static void
give_up (Query *query)
{
  if (query->pid > 0)
    kill (-query->pid, SIGKILL);
}

/* Seconds are counted one by one, because time in which this process was suspended does not count. */
static gboolean
second_cb (gpointer data)
{
  Query *query = data;

  if (--query->seconds_left > 0)
    return G_SOURCE_CONTINUE;
  query->is_late = TRUE;
  give_up (query);
  return G_SOURCE_REMOVE;
}

static void
cancelled_cb (GCancellable *cancellable, gpointer query)
{
  give_up (query);
}

static void
ended_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Query *query = data;

  g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL);
  g_main_loop_quit (query->loop);
}

static gboolean
start (Query *query, const char *const *arguments, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = dyno_worker_process_prepare (G_SUBPROCESS_FLAGS_NONE);
  const char *identifier;

  query->answer_fd = dyno_system_open_nameless_file ();
  query->words_fd = query->answer_fd >= 0 ? dyno_system_open_nameless_file () : -1;
  if (query->words_fd < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("Cannot create a file for the worker’s answer: %s"), g_strerror (errno));
      return FALSE;
    }

  g_subprocess_launcher_take_stdout_fd (launcher, dup (query->answer_fd));
  g_subprocess_launcher_take_stderr_fd (launcher, dup (query->words_fd));
  query->process = dyno_worker_process_start (launcher, arguments, error);
  if (query->process == NULL)
    return FALSE;
  identifier = g_subprocess_get_identifier (query->process);
  /* There is none if it has ended already. */
  query->pid = identifier != NULL ? (pid_t)g_ascii_strtoll (identifier, NULL, 10) : 0;
  return TRUE;
}

static DynoWorkerReply *
create_reply (Query *query)
{
  DynoWorkerReply *reply = g_new0 (DynoWorkerReply, 1);
  off_t answer_size = lseek (query->answer_fd, 0, SEEK_END);

  if (!query->is_late && answer_size > 0 && answer_size <= MAX_ANSWER)
    {
      g_autofree char *answer = g_malloc (answer_size);

      if (pread (query->answer_fd, answer, answer_size, 0) == answer_size)
        reply->answer = g_bytes_new_take (g_steal_pointer (&answer), answer_size);
    }
  reply->is_late = query->is_late;
  if (g_subprocess_get_if_signaled (query->process))
    reply->signal = g_subprocess_get_term_sig (query->process);

  char words[MAX_LAST_WORDS];
  off_t size = lseek (query->words_fd, 0, SEEK_END);
  ssize_t length =
      size > 0 ? pread (query->words_fd, words, sizeof words, MAX (size - MAX_LAST_WORDS, 0)) : 0;

  reply->last_words = dyno_worker_process_dup_last_words (words, (gsize)MAX (length, 0));
  return reply;
}

DynoWorkerReply *
dyno_worker_query_run (const char *const *arguments,
                       guint deadline_seconds,
                       GCancellable *cancellable,
                       GError **error)
{
  g_auto (Query) query = { .answer_fd = -1, .words_fd = -1, .seconds_left = deadline_seconds };
  gboolean is_started;

  query.context = g_main_context_new ();
  g_main_context_push_thread_default (query.context);
  is_started = start (&query, arguments, error);
  if (is_started)
    {
      /* The loop has a context of its own, so that any thread can wait, whatever else it does. */
      g_autoptr (GSource) second = g_timeout_source_new_seconds (1);
      gulong handler = 0;

      query.loop = g_main_loop_new (query.context, FALSE);
      g_source_set_callback (second, second_cb, &query, NULL);
      g_source_attach (second, query.context);
      g_subprocess_wait_async (query.process, NULL, ended_cb, &query);
      if (cancellable != NULL)
        handler = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), &query, NULL);
      g_main_loop_run (query.loop);
      g_cancellable_disconnect (cancellable, handler);
      g_source_destroy (second);
    }
  g_main_context_pop_thread_default (query.context);
  dyno_scratch_remove_orphans ();
  return is_started ? create_reply (&query) : NULL;
}

gboolean
dyno_worker_answer_check (JsonObject *answer, GError **error)
{
  const char *message = dyno_json_member_get_string (answer, "error");

  if (message != NULL)
    g_set_error_literal (error, DYNO_ERROR,
                         (int)dyno_json_member_get_int64 (answer, "code", DYNO_ERROR_INVALID_DATA), message);
  return message == NULL;
}

gboolean
dyno_worker_reply_check_calls (const DynoWorkerReply *self, const char *spec, GError **error)
{
  if (self->signal != SIGSYS)
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
      _ ("While “%s” was read, its reader tried to start a program or to reach into another process, "
         "and the kernel ended it. The file is hostile, or an engine is broken: do not use it."),
      spec);
  return FALSE;
}

void
dyno_worker_reply_free (DynoWorkerReply *self)
{
  g_clear_pointer (&self->answer, g_bytes_unref);
  g_free (self->last_words);
  g_free (self);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-command.h"
#include "dyno-error.h"
#include "dyno-system.h"
#include "dyno-text.h"

#define PIECE_SIZE (64 * 1024)

/* The time for a command to clean up after it was told to end, in ms. */
#define GRACE_MS 2000

/* The limits are looked at this often, or more often if they are shorter. */
#define MAX_WATCH_MS 1000

typedef enum
{
  END_OWN,
  END_OUTPUT,
  END_SILENCE,
  END_TOTAL,
  END_CANCELLED,
} End;

typedef struct _Command Command;

typedef struct
{
  Command *command;
  GInputStream *stream;
  GByteArray *bytes;
} Reader;

/* Each command has its own context, so that any thread can wait for it. */
struct _Command
{
  const DynoCommandLimits *limits;
  GSubprocess *process;
  pid_t pid;
  GMainContext *context;
  GMainLoop *loop;
  GPtrArray *sources;
  guint watch_ms;
  gint64 watched_at;
  gint64 silent_at;
  gint64 late_at;
  Reader readers[2];
  End end;
};

static void
destroy_source (gpointer source)
{
  g_source_destroy (source);
  g_source_unref (source);
}

static void
command_clear (Command *self)
{
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_object (&self->process);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->readers); i++)
    g_clear_pointer (&self->readers[i].bytes, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Command, command_clear)

static GSource *
add_source (Command *self, GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_callback (source, callback, data, NULL);
  g_source_attach (source, self->context);
  g_ptr_array_add (self->sources, source);
  return source;
}

static gboolean
kill_cb (gpointer data)
{
  const Command *self = data;

  kill (-self->pid, SIGKILL);
  return G_SOURCE_REMOVE;
}

/* Also ends all processes that the command started. */
static void
stop (Command *self, End reason)
{
  if (self->end != END_OWN)
    return;
  self->end = reason;
  if (self->pid <= 0)
    return;
  kill (-self->pid, SIGTERM);
  add_source (self, g_timeout_source_new (GRACE_MS), kill_cb, self);
}

/* Time in which this process was suspended does not count: the command may have been too, as on a paused machine. */
static gboolean
watch_cb (gpointer data)
{
  Command *self = data;
  gint64 now = g_get_monotonic_time ();
  gint64 lost = MAX (now - self->watched_at - (gint64)self->watch_ms * G_TIME_SPAN_MILLISECOND, 0);

  self->silent_at += lost;
  self->late_at += lost;
  if (now >= self->late_at)
    stop (self, END_TOTAL);
  else if (now >= self->silent_at)
    stop (self, END_SILENCE);
  self->watched_at = now;
  return self->end == END_OWN;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  stop (data, END_CANCELLED);
  return G_SOURCE_REMOVE;
}

static void
restart_silence (Command *self)
{
  self->silent_at = g_get_monotonic_time () + (gint64)(self->limits->silence * G_USEC_PER_SEC);
}

/* Returns whether more data may come. */
static gboolean
read_piece (Reader *self, GError **error)
{
  GByteArray *bytes = self->bytes;
  guint length = bytes->len;
  gssize n_read;

  g_byte_array_set_size (bytes, length + PIECE_SIZE);
  n_read = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (self->stream),
                                                     bytes->data + length, PIECE_SIZE, NULL, error);
  g_byte_array_set_size (bytes, length + (guint)MAX (n_read, 0));
  if (n_read <= 0)
    return FALSE;
  restart_silence (self->command);
  if (bytes->len > self->command->limits->output)
    stop (self->command, END_OUTPUT);
  return self->command->end == END_OWN;
}

static gboolean
readable_cb (GObject *stream, gpointer reader)
{
  g_autoptr (GError) error = NULL;

  return read_piece (reader, &error) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
}

static void
ended_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Command *self = data;

  g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL);
  g_main_loop_quit (self->loop);
}

/* Runs in the child, between fork and exec: nothing here may allocate. */
static void
child_setup (gpointer data)
{
  setpgid (0, 0);
  dyno_system_die_with_parent (SIGTERM);
}

static gboolean
start (
    Command *self, GSubprocessLauncher *launcher, const char *const *words, const char *input, GError **error)
{
  const char *identifier;

  g_subprocess_launcher_set_flags (launcher, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
  if (input != NULL)
    {
      /* A file instead of a pipe: it is no error if a command ends without reading its input. */
      gsize length = strlen (input);
      int fd = dyno_system_open_nameless_file ();

      if (fd < 0 || write (fd, input, length) != (gssize)length || lseek (fd, 0, SEEK_SET) != 0)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       _ ("Cannot create a file for a command’s input: %s."), g_strerror (errno));
          if (fd >= 0)
            close (fd);
          return FALSE;
        }
      g_subprocess_launcher_take_stdin_fd (launcher, fd);
    }
  self->process = g_subprocess_launcher_spawnv (launcher, words, error);
  if (self->process == NULL)
    return FALSE;
  identifier = g_subprocess_get_identifier (self->process);
  /* The identifier is NULL if it has ended already. */
  self->pid = identifier != NULL ? (pid_t)g_ascii_strtoll (identifier, NULL, 10) : 0;
  self->readers[0].stream = g_subprocess_get_stdout_pipe (self->process);
  self->readers[1].stream = g_subprocess_get_stderr_pipe (self->process);
  return TRUE;
}

static void
set_error (const Command *self, const char *name, GError **error)
{
  switch (self->end)
    {
    case END_OUTPUT:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” printed more than %zu MB and was stopped. Run it in a terminal to see why."),
                   name, self->limits->output / (1024 * 1024));
      break;
    case END_SILENCE:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                   _ ("“%s” printed nothing for %.0f s and was stopped. Run it in a terminal to see what it "
                      "waits for."),
                   name, self->limits->silence);
      break;
    case END_TOTAL:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                   _ ("“%s” did not end within %.0f s and was stopped. Run it in a terminal to see what it "
                      "waits for."),
                   name, self->limits->total);
      break;
    case END_CANCELLED:
    case END_OWN:
    default:
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("“%s” was stopped."), name);
      break;
    }
}

static char *
take_text (Reader *self)
{
  return dyno_plain_text_make_valid (self->bytes->len > 0 ? (const char *)self->bytes->data : "",
                                     self->bytes->len);
}

void
dyno_command_answer_clear (DynoCommandAnswer *self)
{
  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->messages, g_free);
}

gboolean
dyno_command_run (GSubprocessLauncher *launcher,
                  const char *const *words,
                  const char *input,
                  const DynoCommandLimits *limits,
                  GCancellable *cancellable,
                  DynoCommandAnswer *answer,
                  GError **error)
{
  g_auto (Command) self = { .limits = limits };
  gboolean is_started;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  self.context = g_main_context_new ();
  self.sources = g_ptr_array_new_with_free_func (destroy_source);
  for (guint i = 0; i < G_N_ELEMENTS (self.readers); i++)
    self.readers[i] = (Reader){ .command = &self, .bytes = g_byte_array_new () };
  g_main_context_push_thread_default (self.context);
  is_started = start (&self, launcher, words, input, error);
  if (is_started)
    {
      /* Waits for the end of the process, not of its pipes, which a background process may keep open. */
      self.loop = g_main_loop_new (self.context, FALSE);
      self.watched_at = g_get_monotonic_time ();
      self.late_at = self.watched_at + (gint64)(limits->total * G_USEC_PER_SEC);
      restart_silence (&self);
      self.watch_ms = (guint)CLAMP (1000 * MIN (limits->silence, limits->total), 1, MAX_WATCH_MS);
      add_source (&self, g_timeout_source_new (self.watch_ms), watch_cb, &self);
      if (cancellable != NULL)
        add_source (&self, g_cancellable_source_new (cancellable), G_SOURCE_FUNC (cancelled_cb), &self);
      for (guint i = 0; i < G_N_ELEMENTS (self.readers); i++)
        add_source (
            &self,
            g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (self.readers[i].stream), NULL),
            G_SOURCE_FUNC (readable_cb), &self.readers[i]);
      g_subprocess_wait_async (self.process, NULL, ended_cb, &self);
      g_main_loop_run (self.loop);
      for (guint i = 0; i < G_N_ELEMENTS (self.readers); i++)
        while (self.end == END_OWN && read_piece (&self.readers[i], NULL))
          continue;
      if (self.end != END_OWN && self.pid > 0)
        kill (-self.pid, SIGKILL);
    }
  g_main_context_pop_thread_default (self.context);
  if (!is_started)
    return FALSE;
  if (self.end != END_OWN)
    {
      set_error (&self, words[0], error);
      return FALSE;
    }
  answer->output = take_text (&self.readers[0]);
  answer->messages = take_text (&self.readers[1]);
  answer->is_successful = g_subprocess_get_successful (self.process);
  answer->signal = g_subprocess_get_if_signaled (self.process) ? g_subprocess_get_term_sig (self.process) : 0;
  return TRUE;
}

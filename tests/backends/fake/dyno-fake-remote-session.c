/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-fake-remote-session.h"
#include "dyno-fake-session.h"
#include "dyno-system.h"

struct _DynoFakeRemoteSession
{
  DynoSession parent_instance;

  DynoSession *session;
  gint64 wire_ns;
  gint64 resolution_ns;
  gboolean is_exact;
  GArray *stages;
  pid_t process;
};

G_DEFINE_FINAL_TYPE (DynoFakeRemoteSession, dyno_fake_remote_session, DYNO_TYPE_SESSION)

static gint64
read_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static void
wait_ns (gint64 ns)
{
  struct timespec left = { ns / 1000000000, ns % 1000000000 };

  /* nocheck:call the script says how long it takes */
  while (ns > 0 && nanosleep (&left, &left) != 0)
    ;
}

static gboolean
dyno_fake_remote_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  return dyno_session_set_inputs (DYNO_FAKE_REMOTE_SESSION (session)->session, slot, tensors, error);
}

static gboolean
dyno_fake_remote_session_run_timed (DynoSession *session, guint n_steps, gint64 *elapsed_ns, GError **error)
{
  DynoFakeRemoteSession *self = DYNO_FAKE_REMOTE_SESSION (session);
  gint64 start, told = 0;

  wait_ns (self->wire_ns);
  start = read_clock ();
  for (guint i = 0; i < n_steps; i++)
    {
      if (!dyno_session_run (self->session, error))
        return FALSE;
      told += dyno_fake_session_get_step_ns (DYNO_FAKE_SESSION (self->session));
    }
  *elapsed_ns = (self->is_exact ? told : read_clock () - start) / self->resolution_ns * self->resolution_ns;
  return TRUE;
}

static gboolean
dyno_fake_remote_session_run (DynoSession *session, GError **error)
{
  gint64 elapsed;

  return dyno_fake_remote_session_run_timed (session, 1, &elapsed, error);
}

static double
dyno_fake_remote_session_get_clock_resolution_ns (DynoSession *session)
{
  return DYNO_FAKE_REMOTE_SESSION (session)->resolution_ns;
}

static GPtrArray *
dyno_fake_remote_session_get_outputs (DynoSession *session, GError **error)
{
  return dyno_session_get_outputs (DYNO_FAKE_REMOTE_SESSION (session)->session, error);
}

static gboolean
dyno_fake_remote_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  return dyno_session_carry (DYNO_FAKE_REMOTE_SESSION (session)->session, output, input, error);
}

static gboolean
dyno_fake_remote_session_hand_over (
    DynoSession *session, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  return TRUE;
}

static GPtrArray *
dyno_fake_remote_session_end_profile (DynoSession *session, GError **error)
{
  return dyno_session_end_profile (DYNO_FAKE_REMOTE_SESSION (session)->session, error);
}

static const char *
dyno_fake_remote_session_get_provider (DynoSession *session)
{
  return dyno_session_get_provider (DYNO_FAKE_REMOTE_SESSION (session)->session);
}

static gboolean
dyno_fake_remote_session_is_made_up (DynoSession *session)
{
  return dyno_session_is_made_up (DYNO_FAKE_REMOTE_SESSION (session)->session);
}

static GArray *
dyno_fake_remote_session_get_load_stages (DynoSession *session)
{
  return g_array_ref (DYNO_FAKE_REMOTE_SESSION (session)->stages);
}

static GArray *
dyno_fake_remote_session_get_processes (DynoSession *session)
{
  DynoFakeRemoteSession *self = DYNO_FAKE_REMOTE_SESSION (session);
  GArray *processes = g_array_new (FALSE, FALSE, sizeof (GPid));

  if (self->process > 0)
    g_array_append_val (processes, self->process);
  return processes;
}

static void
dyno_fake_remote_session_finalize (GObject *object)
{
  DynoFakeRemoteSession *self = DYNO_FAKE_REMOTE_SESSION (object);

  if (self->process > 0)
    {
      kill (self->process, SIGKILL);
      waitpid (self->process, NULL, 0);
    }
  g_clear_object (&self->session);
  g_clear_pointer (&self->stages, g_array_unref);

  G_OBJECT_CLASS (dyno_fake_remote_session_parent_class)->finalize (object);
}

static void
dyno_fake_remote_session_class_init (DynoFakeRemoteSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_fake_remote_session_finalize;

  session_class->set_inputs = dyno_fake_remote_session_set_inputs;
  session_class->run = dyno_fake_remote_session_run;
  session_class->run_timed = dyno_fake_remote_session_run_timed;
  session_class->get_clock_resolution_ns = dyno_fake_remote_session_get_clock_resolution_ns;
  session_class->get_outputs = dyno_fake_remote_session_get_outputs;
  session_class->carry = dyno_fake_remote_session_carry;
  session_class->hand_over = dyno_fake_remote_session_hand_over;
  session_class->end_profile = dyno_fake_remote_session_end_profile;
  session_class->get_provider = dyno_fake_remote_session_get_provider;
  session_class->is_made_up = dyno_fake_remote_session_is_made_up;
  session_class->get_load_stages = dyno_fake_remote_session_get_load_stages;
  session_class->get_processes = dyno_fake_remote_session_get_processes;
}

static void
dyno_fake_remote_session_init (DynoFakeRemoteSession *self)
{
  self->stages = dyno_load_stages_new ();
}

/* After a fork only async-signal-safe calls are allowed: the child holds its memory and waits. */
G_NORETURN static void
hold_memory (gint64 size, int ready)
{
  gpointer memory = mmap (NULL, (gsize)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  dyno_system_die_with_parent (SIGKILL);
  if (memory == MAP_FAILED)
    _exit (1);
  memset (memory, 0x5a, (gsize)size);
  if (write (ready, "", 1) != 1)
    _exit (1);
  for (;;)
    pause ();
}

static gboolean
start_process (DynoFakeRemoteSession *self, gint64 size, GError **error)
{
  int ready[2];
  char byte;
  gboolean is_ready;

  if (size <= 0)
    return TRUE;
  if (!g_unix_open_pipe (ready, FD_CLOEXEC, error))
    return FALSE;
  self->process = fork ();
  if (self->process == 0)
    hold_memory (size, ready[1]);
  close (ready[1]);
  is_ready = self->process > 0 && read (ready[0], &byte, 1) == 1;
  close (ready[0]);
  if (!is_ready)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                         _ ("The process that the script asks for could not be started."));
  return is_ready;
}

/**
 * dyno_fake_remote_session_new:
 * @remote: the remote part of the script
 * @session: (transfer full): the session that is played there
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): @session as a remote session
 */
DynoSession *
dyno_fake_remote_session_new (const DynoFakeRemote *remote, DynoSession *session, GError **error)
{
  g_autoptr (DynoFakeRemoteSession) self = g_object_new (DYNO_TYPE_FAKE_REMOTE_SESSION, NULL);

  self->session = session;
  self->wire_ns = remote->wire_ns;
  self->resolution_ns = remote->resolution_ns;
  self->is_exact = remote->is_exact;
  for (guint i = 0; i < remote->stages->len; i++)
    {
      const DynoLoadStage *scripted = &g_array_index (remote->stages, DynoLoadStage, i);
      gint64 start = read_clock ();

      wait_ns (scripted->duration_ns);
      dyno_load_stages_add (self->stages, scripted->name, read_clock () - start);
    }
  if (!start_process (self, remote->process_bytes, error))
    return NULL;
  return DYNO_SESSION (g_steal_pointer (&self));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-error.h"
#include "timed-session.h"

struct _TimedSession
{
  DynoSession parent_instance;

  guint n_calls;
  guint n_runs;
  guint failing_run;
};

G_DEFINE_FINAL_TYPE (TimedSession, timed_session, DYNO_TYPE_SESSION)

static gboolean
timed_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  return TRUE;
}

static gboolean
timed_session_run (DynoSession *session, GError **error)
{
  g_assert_not_reached ();
}

static gboolean
timed_session_run_timed (DynoSession *session, guint n_steps, gint64 *elapsed_ns, GError **error)
{
  TimedSession *self = TIMED_SESSION (session);

  self->n_calls++;
  self->n_runs += n_steps;
  if (self->failing_run > 0 && self->n_runs >= self->failing_run)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, "Run %u was to fail.", self->failing_run);
      return FALSE;
    }
  *elapsed_ns = (gint64)n_steps * TIMED_STEP_NS;
  return TRUE;
}

static double
timed_session_get_clock_resolution_ns (DynoSession *session)
{
  return TIMED_STEP_NS;
}

static gboolean
timed_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  return TRUE;
}

static void
timed_session_class_init (TimedSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  session_class->set_inputs = timed_session_set_inputs;
  session_class->run = timed_session_run;
  session_class->run_timed = timed_session_run_timed;
  session_class->get_clock_resolution_ns = timed_session_get_clock_resolution_ns;
  session_class->carry = timed_session_carry;
}

static void
timed_session_init (TimedSession *self)
{
}

DynoSession *
timed_session_new (void)
{
  return g_object_new (TIMED_TYPE_SESSION, NULL);
}

void
timed_session_fail_at (TimedSession *self, guint run)
{
  self->failing_run = run;
}

guint
timed_session_get_n_calls (TimedSession *self)
{
  return self->n_calls;
}

guint
timed_session_get_n_runs (TimedSession *self)
{
  return self->n_runs;
}

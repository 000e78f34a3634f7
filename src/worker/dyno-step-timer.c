/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-worker-private.h"

static gboolean
time_from_outside (DynoSession *session, guint n_steps, gint64 *start_ns, gint64 *end_ns, GError **error)
{
  gint64 start = dyno_clock_now_ns ();

  for (guint i = 0; i < n_steps; i++)
    if (G_UNLIKELY (!dyno_session_run (session, error)))
      return FALSE;
  *end_ns = dyno_clock_now_ns ();
  *start_ns = start;
  return TRUE;
}

/* The round trip to the engine is between our clock and the steps, and must not be part of the result. */
static gboolean
time_by_engine (DynoSession *session, guint n_steps, gint64 *start_ns, gint64 *end_ns, GError **error)
{
  gint64 elapsed = 0;

  *start_ns = dyno_clock_now_ns ();
  if (!dyno_session_run_timed (session, n_steps, &elapsed, error))
    return FALSE;
  *end_ns = *start_ns + elapsed;
  return TRUE;
}

DynoStepTimer
dyno_step_timer_choose (DynoSession *session)
{
  return dyno_session_has_own_clock (session) ? time_by_engine : time_from_outside;
}

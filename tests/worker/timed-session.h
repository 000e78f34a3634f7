/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-session.h"

G_BEGIN_DECLS

/* What a step takes by the session's own clock. */
#define TIMED_STEP_NS 7000

#define TIMED_TYPE_SESSION (timed_session_get_type ())

/* An engine behind a wire: it can only be timed by its own clock, which no clock of ours agrees with. */
G_DECLARE_FINAL_TYPE (TimedSession, timed_session, TIMED, SESSION, DynoSession)

DynoSession *timed_session_new (void);
void timed_session_fail_at (TimedSession *self, guint run);
guint timed_session_get_n_calls (TimedSession *self);
guint timed_session_get_n_runs (TimedSession *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-session.h"

G_BEGIN_DECLS

/* The time of a step by the session's own clock. */
#define TIMED_STEP_NS 7000

#define TIMED_TYPE_SESSION (timed_session_get_type ())

/* A remote engine: only its own clock, which differs from ours, can time it. */
G_DECLARE_FINAL_TYPE (TimedSession, timed_session, TIMED, SESSION, DynoSession)

DynoSession *timed_session_new (void);
void timed_session_fail_at (TimedSession *self, guint run);
guint timed_session_get_n_calls (TimedSession *self);
guint timed_session_get_n_runs (TimedSession *self);

G_END_DECLS

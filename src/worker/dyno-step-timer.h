/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-session.h"

G_BEGIN_DECLS

/**
 * DynoStepTimer:
 * @session: the session to run
 * @n_steps: how many steps to time together
 * @start_ns: (out): when they began, on the clock of all measurements
 * @end_ns: (out): @start_ns plus the time that they took
 * @error: return location
 *
 * The timed region. It is chosen once for a session, before anything is timed.
 *
 * Returns: whether all steps ran
 */
typedef gboolean (*DynoStepTimer) (
    DynoSession *session, guint n_steps, gint64 *start_ns, gint64 *end_ns, GError **error);

/* Returns how to time its steps: by two reads of our clock around them, or by the engine's own clock if it
 * has one. */
DynoStepTimer dyno_step_timer_choose (DynoSession *session);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-fake-script.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FAKE_SESSION (dyno_fake_session_get_type ())

/**
 * DynoFakeSession:
 *
 * Plays a script: uses real time and real memory, but computes nothing.
 */
G_DECLARE_FINAL_TYPE (DynoFakeSession, dyno_fake_session, DYNO, FAKE_SESSION, DynoSession)

DynoSession *
dyno_fake_session_new (DynoFakeScript *script, const DynoSessionOptions *options, GError **error);
/* Returns how long the last step should have taken by the script, in ns. */
gint64 dyno_fake_session_get_step_ns (DynoFakeSession *self);

G_END_DECLS

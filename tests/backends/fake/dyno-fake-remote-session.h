/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-fake-script.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FAKE_REMOTE_SESSION (dyno_fake_remote_session_get_type ())

/**
 * DynoFakeRemoteSession:
 *
 * A fake remote session: it has its own clock, loads in stages, and holds memory in another process, like an engine in
 * a browser.
 */
G_DECLARE_FINAL_TYPE (DynoFakeRemoteSession, dyno_fake_remote_session, DYNO, FAKE_REMOTE_SESSION, DynoSession)

DynoSession *
dyno_fake_remote_session_new (const DynoFakeRemote *remote, DynoSession *session, GError **error);

G_END_DECLS

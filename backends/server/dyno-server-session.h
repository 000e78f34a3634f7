/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-server-kind.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SERVER_SESSION (dyno_server_session_get_type ())

/**
 * DynoServerSession:
 *
 * A model of a server, over one connection that stays open.
 */
G_DECLARE_FINAL_TYPE (DynoServerSession, dyno_server_session, DYNO, SERVER_SESSION, DynoSession)

/* Returns a session, for use on one thread. @heard (nullable): counts arrivals; must outlive the session. */
DynoSession *dyno_server_session_new (const char *server,
                                      const char *model,
                                      const DynoServerKind *kind,
                                      gboolean is_trusted,
                                      atomic_uint *heard);

G_END_DECLS

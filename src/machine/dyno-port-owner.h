/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads the descriptors of all processes of this user, which takes milliseconds. Returns the processes that
 * listen on the port, without their children. NULL if none is visible, or if one only forwards connections.
 * Elements are GPid. The caller owns it. @reason may be NULL. */
GArray *dyno_port_owner_find (guint16 port, char **reason);

G_END_DECLS

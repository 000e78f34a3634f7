/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Looks at the descriptors of all processes of this user, which takes milliseconds. Returns the processes
 * that listen there; those they started are not among them. NULL where there are none to be seen, and
 * where one only hands connections on. Elements are GPid. The caller owns it. @reason may be NULL. */
GArray *dyno_port_owner_find (guint16 port, char **reason);

G_END_DECLS

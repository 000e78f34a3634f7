/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether it is the address of a server: `http://127.0.0.1:8080`. */
gboolean dyno_server_address_is_one (const char *address);
/* Returns whether it is on the loopback interface, so that the server may be a process of this machine. */
gboolean dyno_server_address_is_local (const char *address);
/* Returns its port, or the default one of its scheme. */
guint16 dyno_server_address_get_port (const char *address);

G_END_DECLS

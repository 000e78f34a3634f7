/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether a server can be asked there: `http://127.0.0.1:8080`. */
gboolean dyno_server_address_is_one (const char *address);
/* Returns whether it is one of the loopback interface, so that the server can be looked for among this
 * machine's processes. */
gboolean dyno_server_address_is_local (const char *address);
/* Returns its port, the usual one of its scheme where it names none. */
guint16 dyno_server_address_get_port (const char *address);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_server_address_is_one (const char *address);
gboolean dyno_server_address_is_local (const char *address);
guint16 dyno_server_address_get_port (const char *address);

G_END_DECLS

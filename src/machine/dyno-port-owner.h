/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GArray *dyno_port_owner_find (guint16 port, char **reason);

G_END_DECLS

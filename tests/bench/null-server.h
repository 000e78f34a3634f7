/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A server of OpenAI's protocol that needs no time: a process of its own, which answers at once with as many chunks as
 * tokens are asked for, each in a segment of its own, and ends with this one. */

guint16 null_server_start (void);

G_END_DECLS

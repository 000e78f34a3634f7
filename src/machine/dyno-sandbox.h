/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_sandbox_is_active (void);
const char *dyno_sandbox_get_note (void);

G_END_DECLS

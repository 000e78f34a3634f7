/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-value.h"

G_BEGIN_DECLS

/* Returns whether @self has that name. @hash: its g_str_hash(), which a caller that searches many values
 * computes once. */
gboolean dyno_value_has_name (DynoValue *self, const char *name, guint hash);

G_END_DECLS

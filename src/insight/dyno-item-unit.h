/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns the unit in which people read it: items per second or joule by the word for what the model
 * takes, everything else as it is. */
const char *dyno_item_unit_get (DynoResult *result, const char *unit);
/* Returns the same where it is one word for all of them, else @unit. */
const char *dyno_item_unit_find_common (GListModel *results, const char *unit);

G_END_DECLS

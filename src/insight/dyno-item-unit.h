/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Returns the unit for people: items per second or joule with the word for an item of the model, everything
 * else unchanged. */
const char *dyno_item_unit_get (DynoResult *result, const char *unit);
/* Returns the unit for people if it is the same for all results, else @unit. */
const char *dyno_item_unit_find_common (GListModel *results, const char *unit);

G_END_DECLS

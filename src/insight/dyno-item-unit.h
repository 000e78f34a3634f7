/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

const char *dyno_item_unit_get (DynoResult *result, const char *unit);
const char *dyno_item_unit_find_common (GListModel *results, const char *unit);

G_END_DECLS

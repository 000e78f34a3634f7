/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

const char *const *dyno_precision_list (void);
gboolean dyno_precision_can_build (const char *precision);
DynoDataType dyno_precision_get_type (const char *precision);
const char *dyno_precision_from_type (DynoDataType type);
double dyno_precision_get_largest (DynoDataType type);

G_END_DECLS

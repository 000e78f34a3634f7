/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

gboolean dyno_small_float_is_type (DynoDataType type);
double dyno_small_float_decode (DynoDataType type, guint8 bits);
guint8 dyno_small_float_encode (DynoDataType type, double number);

G_END_DECLS

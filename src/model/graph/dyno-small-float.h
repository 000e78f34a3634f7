/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

/* Returns whether its elements are floating-point numbers of a byte or less. */
gboolean dyno_small_float_is_type (DynoDataType type);
/* Returns its value. @type: a type of floating-point numbers of a byte or less. */
double dyno_small_float_decode (DynoDataType type, guint8 bits);
/* Returns the nearest element, the even one of two as near; the largest for any larger number. @type: a
 * type of floating-point numbers of a byte or less. */
guint8 dyno_small_float_encode (DynoDataType type, double number);

G_END_DECLS

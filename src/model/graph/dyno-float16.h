/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The largest finite number in half precision. */
#define DYNO_FLOAT16_MAX 65504.0f

/* Returns the nearest number in half precision (IEEE 754 binary16), ties to even; infinity from 65520 on. */
guint16 dyno_float16_from_float (float value);
/* Returns the same number. */
float dyno_float16_to_float (guint16 bits);
/* Returns the nearest number in bfloat16, ties to even. */
guint16 dyno_float16_bfloat_from_float (float value);
/* Returns the same number. @bits: a number in bfloat16. */
float dyno_float16_bfloat_to_float (guint16 bits);

G_END_DECLS

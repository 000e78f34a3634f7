/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The largest finite number in half precision. */
#define DYNO_FLOAT16_MAX 65504.0f

guint16 dyno_float16_from_float (float value);
float dyno_float16_to_float (guint16 bits);
guint16 dyno_float16_bfloat_from_float (float value);
float dyno_float16_bfloat_to_float (guint16 bits);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-roofline.h"

G_BEGIN_DECLS

#define DYNO_DECODE_ROOF_VALUE      "decode_read_percent"
#define DYNO_DECODE_ROOF_DIAGNOSTIC "decode-below-roof"

/* Returns whether the result has steps that decode one token each, and their work is known. */
gboolean dyno_decode_roof_applies (DynoResult *result);
/* Adds `decode_read_percent`: the bytes of the matrix products of a decode step, nearly all of them weights,
 * over its time and over the measured read bandwidth of memory, or of the cache that is large enough for
 * these bytes. The diagnostic `decode-below-roof` says why that is less than a half. */
void dyno_decode_roof_complete (DynoResult *result, const DynoRoofline *roofs);
/* @reason: why the share of the roof is unknown. */
void dyno_decode_roof_refuse (DynoResult *result, const char *reason);

G_END_DECLS

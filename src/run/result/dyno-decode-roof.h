/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-roofline.h"

G_BEGIN_DECLS

#define DYNO_DECODE_ROOF_VALUE      "decode_read_percent"
#define DYNO_DECODE_ROOF_DIAGNOSTIC "decode-below-roof"

gboolean dyno_decode_roof_applies (DynoResult *result);
void dyno_decode_roof_complete (DynoResult *result, const DynoRoofline *roofs);
void dyno_decode_roof_refuse (DynoResult *result, const char *reason);

G_END_DECLS

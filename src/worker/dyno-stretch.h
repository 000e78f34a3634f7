/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"

G_BEGIN_DECLS

/* A stretch is measured without a pause; sensors are read at both of its ends. */
void dyno_stretch_begin (DynoMeasurement *measurement, DynoDisturbance *before);
/* Adds the end of the stretch, its disturbance and the server's report to the earlier stretches. @before:
 * the disturbance until the stretch began; becomes that of the stretch. */
void dyno_stretch_end (DynoMeasurement *measurement, DynoDisturbance *before);

G_END_DECLS

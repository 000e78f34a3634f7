/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"

G_BEGIN_DECLS

void dyno_stretch_begin (DynoMeasurement *measurement, DynoDisturbance *before);
void dyno_stretch_end (DynoMeasurement *measurement, DynoDisturbance *before);

G_END_DECLS

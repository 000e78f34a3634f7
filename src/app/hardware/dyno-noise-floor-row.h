/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-runner.h"

G_BEGIN_DECLS

#define DYNO_TYPE_NOISE_FLOOR_ROW (dyno_noise_floor_row_get_type ())

/**
 * DynoNoiseFloorRow:
 *
 * How far this machine differs from itself, and the self-test that finds it out, which goes on as any other run does. In an
 * application it follows the store and what runs by itself.
 */
G_DECLARE_FINAL_TYPE (DynoNoiseFloorRow, dyno_noise_floor_row, DYNO, NOISE_FLOOR_ROW, AdwActionRow)

/* @self_test may be NULL. */
void dyno_noise_floor_row_set_self_test (DynoNoiseFloorRow *self, DynoSelfTest *self_test);
/* @runner may be NULL. */
void dyno_noise_floor_row_set_runner (DynoNoiseFloorRow *self, DynoRunner *runner);

G_END_DECLS

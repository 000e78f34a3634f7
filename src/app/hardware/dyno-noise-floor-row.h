/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-runner.h"

G_BEGIN_DECLS

#define DYNO_TYPE_NOISE_FLOOR_ROW (dyno_noise_floor_row_get_type ())

/**
 * DynoNoiseFloorRow:
 *
 * Shows the noise floor of this machine and starts the self-test that measures it, a run like any other. In
 * an application, it follows the store and the current run automatically.
 */
G_DECLARE_FINAL_TYPE (DynoNoiseFloorRow, dyno_noise_floor_row, DYNO, NOISE_FLOOR_ROW, AdwActionRow)

/* @self_test may be NULL. */
void dyno_noise_floor_row_set_self_test (DynoNoiseFloorRow *self, DynoSelfTest *self_test);
/* @runner may be NULL. */
void dyno_noise_floor_row_set_runner (DynoNoiseFloorRow *self, DynoRunner *runner);

G_END_DECLS

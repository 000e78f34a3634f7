/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"

G_BEGIN_DECLS

/**
 * DYNO_BATCHING_MIN_RESOLUTIONS:
 *
 * A sample must last at least this many resolutions of its clock, for an error of at most a thousandth.
 */
#define DYNO_BATCHING_MIN_RESOLUTIONS 1000

guint dyno_batching_choose_steps (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns);
gboolean dyno_batching_is_enough (const DynoSamples *samples, gsize first, gsize end, double resolution_ns);
double dyno_batching_find_shortest_step (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns);
void dyno_batching_report_enlarged (DynoMeasurement *measurement, guint steps_before, gsize n_dropped);
void dyno_batching_sum_up (DynoMeasurement *measurement);

G_END_DECLS

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

/* Returns how many steps to time together from now on for no sample to be too short, even if steps become
 * somewhat faster than the fastest so far; 1 if each step is long enough on its own. */
guint dyno_batching_choose_steps (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns);
/* Returns whether every sample is long enough for the clock. */
gboolean dyno_batching_is_enough (const DynoSamples *samples, gsize first, gsize end, double resolution_ns);
/* A clock that is too coarse for one sample still resolves the mean of many. Returns the time of a step of
 * the shortest sample in ns, above zero. */
double dyno_batching_find_shortest_step (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns);
/* Notes that samples got more steps. @measurement: a measurement that starts over, with its new
 * `steps_per_sample`. */
void dyno_batching_report_enlarged (DynoMeasurement *measurement, guint steps_before, gsize n_dropped);
/* Adds a diagnostic if steady samples are still too short for the clock. In a generation, each token is
 * timed on its own. @measurement: a finished measurement whose steady part is known. */
void dyno_batching_sum_up (DynoMeasurement *measurement);

G_END_DECLS

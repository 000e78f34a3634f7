/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-result.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MEASURER (dyno_measurer_get_type ())

/**
 * DynoMeasurer:
 *
 * Measures one case in this process: prepares the model, runs the phases, and asks every metric for its
 * values. dyno_measurer_run() needs a thread of its own; the other functions may be called from
 * other threads meanwhile.
 */
G_DECLARE_FINAL_TYPE (DynoMeasurer, dyno_measurer, DYNO, MEASURER, GObject)

/* Returns a measurer for one run. @invocation: index of the invocation; the first one also measures the
 * idle machine, checks the outputs and analyses the model. */
DynoMeasurer *dyno_measurer_new (DynoCase *kase, guint invocation);
/* Returns the result, its status ok. The caller owns it. @error: the reason why the case cannot be
 * measured. */
DynoResult *dyno_measurer_run (DynoMeasurer *self, GError **error);
/* Opens the model as dyno_measurer_run() does, and runs one step. It is not timed, and its outputs are not
 * checked. Returns whether the step ran, at least in part on the requested device. @error: the reason why
 * the case cannot run. */
gboolean dyno_measurer_try (DynoMeasurer *self, GError **error);
/* Opens the model with the engine's defaults on the device, on a thread that is not pinned. Call it in a
 * process that has not opened an engine before, because threads of an engine stay where they were started.
 * Returns the result of dyno_engine_default_try(). The caller owns it. @error: the reason why the model
 * cannot be opened. */
JsonObject *dyno_measurer_try_left_alone (DynoMeasurer *self, GError **error);

/* Returns the current phase: `prepare`, or the name of a DynoPhase. */
const char *dyno_measurer_get_phase (DynoMeasurer *self);
/* Returns a number that changes with every step and phase, and while a server answers; its lower 32 bits
 * are the number of samples. */
guint64 dyno_measurer_get_progress (DynoMeasurer *self);
/* Returns time since the case began in ns, the time axis of all its traces; negative before the first
 * phase and if nothing is measured. */
gint64 dyno_measurer_get_time (DynoMeasurer *self);
/* Returns memory of the helper processes, such as those of a browser, in bytes. */
gint64 dyno_measurer_read_other_memory (DynoMeasurer *self);
/* Adds the latencies recorded since the last call, for a live chart; the result has every sample.
 * @max_points: the most points to return, above zero; more are thinned out evenly. @times_ns holds gint64.
 * @milliseconds holds double. */
void
dyno_measurer_read_latencies (DynoMeasurer *self, guint max_points, GArray *times_ns, GArray *milliseconds);

G_END_DECLS

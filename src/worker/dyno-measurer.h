/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-result.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MEASURER (dyno_measurer_get_type ())

/**
 * DynoMeasurer:
 *
 * Measures one case in this process: prepares the model, runs the phases, and asks every metric for its values.
 * [method@Dyno.Measurer.run] belongs on a thread of its own; the other functions may be called from other threads
 * meanwhile.
 */
G_DECLARE_FINAL_TYPE (DynoMeasurer, dyno_measurer, DYNO, MEASURER, GObject)

DynoMeasurer *dyno_measurer_new (DynoCase *kase, guint invocation);
DynoResult *dyno_measurer_run (DynoMeasurer *self, GError **error);
gboolean dyno_measurer_try (DynoMeasurer *self, GError **error);
JsonObject *dyno_measurer_try_left_alone (DynoMeasurer *self, GError **error);

const char *dyno_measurer_get_phase (DynoMeasurer *self);
guint64 dyno_measurer_get_progress (DynoMeasurer *self);
gint64 dyno_measurer_get_time (DynoMeasurer *self);
gint64 dyno_measurer_read_other_memory (DynoMeasurer *self);
void
dyno_measurer_read_latencies (DynoMeasurer *self, guint max_points, GArray *times_ns, GArray *milliseconds);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor.h"
#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoSampler:
 *
 * The one thread that reads sensors while a case runs, each at its own period, if possible on a core that the work
 * does not use. Add sensors, start it, mark the edges of the measurement, stop it.
 */
typedef struct _DynoSampler DynoSampler;

/* Returns a sampler without sensors. @origin_ns: the clock's time at zero of the traces. */
DynoSampler *dyno_sampler_new (gint64 origin_ns);
void dyno_sampler_free (DynoSampler *self);

/* Returns the trace of the readings; read it only when @self is stopped. The caller owns it. */
DynoTrace *
dyno_sampler_add (DynoSampler *self, DynoSensor *sensor, const char *trace_name, guint period_milliseconds);
/* Starts reading; without sensors, no thread is started. */
void dyno_sampler_start (DynoSampler *self);
/* Reads energy, power and traffic at once, because a measurement begins or ends. Called by the measuring thread,
 * never in the timed region. */
void dyno_sampler_mark_edge (DynoSampler *self);
/* Ends the thread and takes a last reading of every sensor. It cannot be started again. */
void dyno_sampler_stop (DynoSampler *self);
/* Returns the processor time of the thread over the time it ran, in per cent of one processor; 0 if it did not
 * run. */
double dyno_sampler_get_load_percent (DynoSampler *self);

/* Returns the time between readings, in µs: the requested period, but long enough that reading takes at most a
 * hundredth of the time. @asked_us: the requested period, in µs. @cost_ns: the duration of a reading, in ns. */
gint64 dyno_sampler_choose_period (gint64 asked_us, gint64 cost_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSampler, dyno_sampler_free)

G_END_DECLS

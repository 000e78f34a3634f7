/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor.h"
#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoSampler:
 *
 * The one thread that reads sensors while a case runs, each at its own period, on a core the work does not use
 * where there is one. Add sensors, start it, mark the edges of what is measured, stop it.
 */
typedef struct _DynoSampler DynoSampler;

/* Returns a sampler of nothing yet. @origin_ns: the clock's time that the traces call zero. */
DynoSampler *dyno_sampler_new (gint64 origin_ns);
void dyno_sampler_free (DynoSampler *self);

/* Returns the trace that the readings go to; look at it when @self was stopped. The caller owns it. */
DynoTrace *
dyno_sampler_add (DynoSampler *self, DynoSensor *sensor, const char *trace_name, guint period_milliseconds);
/* Begins to read; without sensors, no thread is started. */
void dyno_sampler_start (DynoSampler *self);
/* Reads energy, power and traffic here and now, because something that is measured begins or ends. Called
 * by the thread that measures, never in the timed region. */
void dyno_sampler_mark_edge (DynoSampler *self);
/* Ends the thread and takes a last reading of everything. It cannot be started again. */
void dyno_sampler_stop (DynoSampler *self);
/* Returns the processor time of the thread over the time it ran, in per cent of one processor; 0 when it
 * did not run. */
double dyno_sampler_get_load_percent (DynoSampler *self);

/* Returns how long to wait from one reading to the next, in µs: as asked, but so long that reading takes a
 * hundredth of the time at most. @asked_us: the period that was asked for, in µs. @cost_ns: what a reading
 * takes, in ns. */
gint64 dyno_sampler_choose_period (gint64 asked_us, gint64 cost_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSampler, dyno_sampler_free)

G_END_DECLS

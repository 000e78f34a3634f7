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

DynoSampler *dyno_sampler_new (gint64 origin_ns);
void dyno_sampler_free (DynoSampler *self);

DynoTrace *
dyno_sampler_add (DynoSampler *self, DynoSensor *sensor, const char *trace_name, guint period_milliseconds);
void dyno_sampler_start (DynoSampler *self);
void dyno_sampler_mark_edge (DynoSampler *self);
void dyno_sampler_stop (DynoSampler *self);
double dyno_sampler_get_load_percent (DynoSampler *self);

gint64 dyno_sampler_choose_period (gint64 asked_us, gint64 cost_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSampler, dyno_sampler_free)

G_END_DECLS

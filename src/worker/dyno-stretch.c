/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-stretch.h"

static GArray *
list_server (DynoMeasurement *measurement)
{
  return measurement->server != NULL ? measurement->server->processes : NULL;
}

/**
 * dyno_stretch_begin:
 * @measurement: a measurement
 * @before: (out caller-allocates): what disturbed it until now
 *
 * A stretch is measured without a pause; sensors are read at both of its ends.
 */
void
dyno_stretch_begin (DynoMeasurement *measurement, DynoDisturbance *before)
{
  dyno_disturbance_read (before, list_server (measurement));
  dyno_sampler_mark_edge (measurement->sampler);
}

/**
 * dyno_stretch_end:
 * @measurement: the measurement
 * @before: what disturbed it until the stretch began; becomes what disturbed the stretch
 *
 * Adds the end of the stretch, and what disturbed it, to those before.
 */
void
dyno_stretch_end (DynoMeasurement *measurement, DynoDisturbance *before)
{
  gint64 end = dyno_clock_now_ns ();
  DynoDisturbance disturbance;

  dyno_sampler_mark_edge (measurement->sampler);
  dyno_disturbance_read (&disturbance, list_server (measurement));
  dyno_disturbance_subtract (&disturbance, before);
  *before = disturbance;
  g_array_append_val (measurement->disturbances, disturbance);
  g_array_append_val (measurement->chunk_end_ns, end);
}

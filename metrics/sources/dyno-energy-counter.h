/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoEnergyCounter:
 * @joules_per_unit: the energy of one step of the raw number, in J
 * @range: number of units before it wraps: after `range - 1` comes 0; 0 for a counter that does not wrap
 *
 * Turns a wrapping counter of energy into one that does not wrap. Set the two fields, leave the others zero.
 */
typedef struct
{
  double joules_per_unit;
  guint64 range;

  /*< private >*/
  guint64 last_raw;
  gint64 last_ns;
  guint64 total;
  gboolean is_started;
  gboolean is_broken;
} DynoEnergyCounter;

/* Readings must come more often than the counter wraps. An impossible one (backwards without a wrap, or more power
 * than any part takes) ends the counting, because the lost energy cannot be known. Returns whether @joules is
 * valid. */
gboolean dyno_energy_counter_advance (DynoEnergyCounter *self, guint64 raw, gint64 now_ns, double *joules);

G_END_DECLS

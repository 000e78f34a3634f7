/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoPressure:
 * @DYNO_PRESSURE_CPU: some task waited for a processor
 * @DYNO_PRESSURE_MEMORY: some task waited for memory to be reclaimed or swapped in
 * @DYNO_PRESSURE_IO: some task waited for storage
 *
 * The kinds of the kernel's pressure stall information.
 */
typedef enum
{
  DYNO_PRESSURE_CPU,
  DYNO_PRESSURE_MEMORY,
  DYNO_PRESSURE_IO,
} DynoPressure;

#define DYNO_N_PRESSURES (DYNO_PRESSURE_IO + 1)

/**
 * DynoContainer:
 * @memory_limit: bytes that the control groups allow, G_MAXINT64 for no limit
 * @memory_available: bytes left below that limit, counting what the kernel can give back
 * @cpu_limit: processors' worth of time per period, infinity for no limit
 * @n_throttled: periods in which the process was stopped for using more, summed over the groups up to the
 * root, -1 if unknown
 * @throttled_us: the total time it was stopped, in µs, -1 if unknown
 * @pressure_us: how long some task of the group has waited, in µs, -1 if unknown; a group of the whole
 * machine has none of its own
 * @version: 1 or 2: the hierarchy with the memory controller, 0 without control groups
 *
 * The limits of this process's control groups: for each, the tightest up to the root.
 */
typedef struct
{
  gint64 memory_limit;
  gint64 memory_available;
  double cpu_limit;
  gint64 n_throttled;
  gint64 throttled_us;
  gint64 pressure_us[DYNO_N_PRESSURES];
  guint version;
} DynoContainer;

/* Reads the limits of the control groups this process is in, of version 1, 2, or both. */
void dyno_container_read (DynoContainer *container);
/* Returns how long some task of the machine has waited for it, in µs; -1 if unknown. */
gint64 dyno_container_read_machine_pressure (DynoPressure kind);

G_END_DECLS

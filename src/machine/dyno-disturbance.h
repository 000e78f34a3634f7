/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* dyno-container */

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
 * @n_oom_kills: how many processes of the group the kernel has killed because memory ran out, its own or the
 * machine's; -1 if unknown
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
  gint64 n_oom_kills;
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

/* dyno-core-watch */

/**
 * DynoCoreWatch:
 *
 * Looks for other programs on the cores that a measurement uses, and for a fall of their clock.
 */
typedef struct _DynoCoreWatch DynoCoreWatch;

/* Watches the processors that the calling thread may use, and those that share a core with them. */
DynoCoreWatch *dyno_core_watch_new (void);
void dyno_core_watch_free (DynoCoreWatch *self);
/* Begins a window. Reads a file of the kernel with a line for each processor, so call it outside the timed region. */
void dyno_core_watch_begin (DynoCoreWatch *self);
/* Ends the window. Returns the part of it in which other programs used the cores at the least, in per cent: of the
 * processors of this thread together, or of one beside them, whichever is more; NaN if unknown. The kernel counts in
 * ticks, so that a tick of each processor is never theirs. */
double dyno_core_watch_end (DynoCoreWatch *self);
/* Returns the present clock of the fastest of the processors, in MHz; NaN if unknown. */
double dyno_core_watch_read_clock (DynoCoreWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCoreWatch, dyno_core_watch_free)

/* dyno-disturbance */

/**
 * DynoDisturbance:
 * @time_ns: when it was read, or how long it took
 * @n_throttled: periods in which the control group's limit stopped this process
 * @throttled_us: how long it was stopped
 * @pressure_us: how long some task of the machine waited, for each DynoPressure
 * @group_pressure_us: how long some task of this process's control group waited
 * @voluntary_switches: how often a thread of this process gave up its processor
 * @involuntary_switches: how often one was taken from it
 * @steal_ticks: time taken by a hypervisor
 * @busy_ticks: time that the machine's processors worked for any program
 * @own_ticks: time that they worked for this process and its descendants
 * @server_ticks: time that they worked for a server that works for it; negative if none is visible
 * @all_ticks: the total time of all processors
 * @n_processors: the number of processors
 *
 * The kernel's counters of disturbances to a measurement: their values, or the differences between two
 * readings. A counter that this kernel lacks is negative.
 */
typedef struct
{
  gint64 time_ns;
  gint64 n_throttled;
  gint64 throttled_us;
  gint64 pressure_us[DYNO_N_PRESSURES];
  gint64 group_pressure_us[DYNO_N_PRESSURES];
  gint64 voluntary_switches;
  gint64 involuntary_switches;
  gint64 steal_ticks;
  gint64 busy_ticks;
  gint64 own_ticks;
  gint64 server_ticks;
  gint64 all_ticks;
  gint64 n_processors;
} DynoDisturbance;

/* Reads a few files of the kernel, among them one for each thread and each process, so call it outside the
 * timed region. @server (nullable): processes of a server that works for this process. */
void dyno_disturbance_read (DynoDisturbance *self, GArray *server);
/* @before: an earlier reading; @self becomes the difference. */
void dyno_disturbance_subtract (DynoDisturbance *self, const DynoDisturbance *before);
/* @other: the differences over another period, which are added. */
void dyno_disturbance_add (DynoDisturbance *self, const DynoDisturbance *other);
/* Opens the kernel's count of how long the calling thread waited for a processor although it could run. Returns a
 * descriptor; -1 if the kernel does not count it. */
int dyno_disturbance_open_queue (void);
/* Costs about a microsecond. Returns the count so far, in ns; -1 if unknown. @queue: as from
 * dyno_disturbance_open_queue(). */
gint64 dyno_disturbance_read_queue (int queue);
/* Returns how many processors were at work for it, on average; NaN if unknown. */
double dyno_disturbance_to_processors (const DynoDisturbance *self, gint64 ticks);
/* Returns how many processors were at work for other programs; NaN if unknown. */
double dyno_disturbance_get_others (const DynoDisturbance *self);
/* Returns whether other programs use so much that numbers become rough. @others: in processors; NaN if unknown. */
gboolean dyno_disturbance_is_loud (double others, double n_processors);
/* Returns the share of the processors' time that a hypervisor took, in per cent; NaN if unknown. */
double dyno_disturbance_get_steal_percent (const DynoDisturbance *self);
/* Returns how long the threads of this process have waited for a processor although they could run, in ns over all
 * threads; -1 if the kernel does not count it. One small file for each thread. */
gint64 dyno_disturbance_read_queued_ns (void);

G_END_DECLS

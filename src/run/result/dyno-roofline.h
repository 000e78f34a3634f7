/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling.h"
#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_ROOFLINE_MAX_LEVELS 5

/* Work that reaches a smaller share of its roof is limited by something else. */
#define DYNO_ROOFLINE_LEAST_SHARE 0.5

/**
 * DynoRoofline:
 * @compute: (nullable): the compute roof of that number of threads in a precision
 * @levels: how fast they read, from the slowest memory to the fastest
 * @n_levels: how many of these there are
 *
 * The roofs over a case: ceilings of the device, the threads and the placement it had.
 */
typedef struct
{
  DynoCeiling *compute;
  DynoCeiling *levels[DYNO_ROOFLINE_MAX_LEVELS];
  guint n_levels;
} DynoRoofline;

/**
 * DynoRooflinePoint:
 * @intensity: FLOPs per byte
 * @rate: FLOP/s that were reached
 * @ridge: from which intensity on the slowest memory suffices, in FLOP/byte
 * @attainable: FLOP/s that could be reached at this intensity
 * @roof: what limits it
 * @memory_bound: whether it lies left of the ridge, where memory limits it; else what can be computed does
 * @is_far: whether neither does, because it is far below both roofs
 *
 * Where work lies under its roofs.
 */
typedef struct
{
  double intensity;
  double rate;
  double ridge;
  double attainable;
  DynoCeiling *roof;
  gboolean memory_bound;
  gboolean is_far;
} DynoRooflinePoint;

/* Reading is what inference does most with memory; of devices behind a runtime, copies are all there is.
 * Returns whether there are roofs of both kinds. @ceilings may be NULL. @ceilings holds DynoCeiling.
 * @threads: how many threads of the processor; does not matter for other devices. @pinning: how they are
 * placed, empty or NULL for the usual way. @precision: such as `fp32`. */
gboolean dyno_roofline_find (DynoRoofline *self,
                             GPtrArray *ceilings,
                             const char *device,
                             guint threads,
                             const char *pinning,
                             const char *precision);
/* What sits behind a runtime is measured as a whole. If it has a roof of what it computes but none of its
 * memory, that one cannot be measured, and the other one says why. Returns why there is no roof of the
 * memory, although all that can be measured was; NULL if there is one, or if measuring would give one. */
const char *dyno_roofline_get_obstacle (const DynoRoofline *self);
/* A cache's ceiling was measured over half of the cache (dyno-memory-ceilings.c), of which each thread
 * went over its part. Returns the fastest memory that holds so much; the slowest holds everything. */
DynoCeiling *dyno_roofline_choose_level (const DynoRoofline *self, double bytes);
/* Williams, Waterman, Patterson: Roofline, 2009, with one roof per level of memory. Returns whether work,
 * bytes and time are such that it lies anywhere. */
gboolean dyno_roofline_place (
    const DynoRoofline *self, double flops, double bytes, double seconds, DynoRooflinePoint *point);

/* Returns whose ceilings it is to be judged by: `cpu`, or `BACKEND:DEVICE`. @machine may be NULL. */
char *dyno_roofline_dup_device (DynoCase *kase, const char *machine);
/* Returns how many cores of the processor may be used; 0 where that is not known. @machine may be NULL. */
guint dyno_roofline_count_cores (const char *machine);
/* Returns how many threads it had: those it asked for, or one per core that it might use; 0 where that is
 * not known. @machine may be NULL. */
guint dyno_roofline_count_threads (DynoCase *kase, const char *machine);
/* Under load, what is done in a second is done by the threads of all clients, and is to be seen below the
 * roofs of so many. Returns how many threads worked at the same time; 0 where that is not known. @machine
 * may be NULL. */
guint dyno_roofline_count_busy_threads (DynoCase *kase, const char *machine);
/* The command line measures every ceiling. The window's page Hardware measures devices, and the processor
 * with one thread, one per core, and all, placed in the usual way. Returns whether the page can be named
 * as a remedy, too. @pinning: how they are placed, empty or NULL for the usual way. @machine may be NULL. */
gboolean
dyno_roofline_is_on_page (const char *device, guint threads, const char *pinning, const char *machine);
/* What sits behind a runtime has no threads and no placement of ours. The only device of a backend need
 * not have a name. Returns the command that measures the ceilings, to be given as a remedy. @threads: how
 * many threads of the processor, or what stands for that; NULL if it is not known. @pinning: how they are
 * placed, empty or NULL for the usual way. */
char *dyno_roofline_dup_command (const char *device, const char *threads, const char *pinning);
/* Returns whether it follows from a case and the ceilings of its machine, so that it is not kept but
 * worked out whenever the case is looked at. @name: the stable name of a value, or the code of a
 * diagnostic. */
gboolean dyno_roofline_is_derived (const char *name);
void dyno_roofline_complete (DynoResult *result, const char *machine, GPtrArray *ceilings);
/* As dyno_roofline_complete(), for all cases of the run that were measured, whenever that was. @ceilings
 * may be NULL. @ceilings holds DynoCeiling. */
void dyno_roofline_complete_run (DynoRun *run, GPtrArray *ceilings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling.h"
#include "dyno-result.h"
#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_ROOFLINE_MAX_LEVELS 5

/* The code of the diagnostic of a case that is more than 5 % above its roof. */
#define DYNO_ROOFLINE_ABOVE "above-roof"

/* Work that reaches a smaller share of its roof has another limit. */
#define DYNO_ROOFLINE_LEAST_SHARE 0.5

/**
 * DynoRoofline:
 * @compute: (nullable): the compute roof of that number of threads in a precision
 * @levels: read bandwidths, from the slowest memory to the fastest
 * @n_levels: number of @levels
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
 * @rate: measured FLOP/s
 * @ridge: from which intensity on the slowest memory suffices, in FLOP/byte
 * @attainable: attainable FLOP/s at this intensity
 * @roof: the roof that limits it
 * @memory_bound: whether it lies left of the ridge, where memory limits it; else the compute roof does
 * @is_far: whether neither limits it, because it is far below both roofs
 * @is_doubtful: whether one of these roofs varies too much to tell on which side of the ridge it lies
 *
 * The position of work under its roofs.
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
  gboolean is_doubtful;
} DynoRooflinePoint;

/* Uses read ceilings, because inference mostly reads memory; devices behind a runtime only have ceilings of copies.
 * Returns whether there are roofs of both kinds. @ceilings may be NULL. @ceilings holds DynoCeiling. @threads: how
 * many threads of the processor; ignored for other devices. @pinning: how they are placed, empty or NULL for the
 * usual way. @precision: such as `fp32`. */
gboolean dyno_roofline_find (DynoRoofline *self,
                             GPtrArray *ceilings,
                             const char *device,
                             guint threads,
                             const char *pinning,
                             const char *precision);
/* A device behind a runtime is measured as a whole. If it has a compute roof but no memory roof, the latter
 * cannot be measured, and the former says why. Returns why there is no memory roof although everything
 * measurable was measured; NULL if there is one, or if measuring would give one. */
const char *dyno_roofline_get_obstacle (const DynoRoofline *self);
/* A cache's ceiling was measured over half of the cache (dyno-memory-ceilings.c), divided among the threads.
 * Returns the fastest memory that holds that many bytes; the slowest holds everything. */
DynoCeiling *dyno_roofline_choose_level (const DynoRoofline *self, double bytes);
/* Williams, Waterman, Patterson: Roofline, 2009, with one roof per level of memory. Returns whether work,
 * bytes and time give a point. */
gboolean dyno_roofline_place (
    const DynoRoofline *self, double flops, double bytes, double seconds, DynoRooflinePoint *point);

/* Returns the device whose ceilings apply: `cpu`, or `BACKEND:DEVICE`. @machine may be NULL. */
char *dyno_roofline_dup_device (DynoCase *kase, const char *machine);
/* Returns how many cores of the processor may be used; 0 if unknown. @machine may be NULL. */
guint dyno_roofline_count_cores (const char *machine);
/* Returns its number of threads: those it requested, or one per usable core; 0 if unknown. @machine may be
 * NULL. */
guint dyno_roofline_count_threads (DynoCase *kase, const char *machine);
/* Under load, the threads of all clients share the work, so it belongs below the roofs of that many threads.
 * Returns how many threads worked at the same time; 0 if unknown. @machine may be NULL. */
guint dyno_roofline_count_busy_threads (DynoCase *kase, const char *machine);
/* The command line measures every ceiling. The page Hardware measures devices, and the processor with one
 * thread, one per core, and all, placed in the usual way. Returns whether the page can be named as a remedy,
 * too. @pinning: how they are placed, empty or NULL for the usual way. @machine may be NULL. */
gboolean
dyno_roofline_is_on_page (const char *device, guint threads, const char *pinning, const char *machine);
/* Devices behind a runtime have no threads and no placement of ours. The only device of a backend need not
 * have a name. Returns the command that measures the ceilings, as a remedy. @threads: how many threads of the
 * processor, or a placeholder; NULL if unknown. @pinning: how they are placed, empty or NULL for the usual
 * way. */
char *dyno_roofline_dup_command (const char *device, const char *threads, const char *pinning);
/* Returns whether it follows from a case and the ceilings of its machine, so that it is not stored but
 * computed when the case is shown. @name: the stable name of a value, or the code of a diagnostic. */
gboolean dyno_roofline_is_derived (const char *name);
void dyno_roofline_complete (DynoResult *result, const char *machine, GPtrArray *ceilings);
/* As dyno_roofline_complete(), for all measured cases of the run, whenever they were measured. @ceilings may
 * be NULL. @ceilings holds DynoCeiling. */
void dyno_roofline_complete_run (DynoRun *run, GPtrArray *ceilings);

/* dyno-roof-cause */

/* The code of the diagnostic with the probable cause. */
#define DYNO_ROOF_CAUSE_DIAGNOSTIC "far-below-roofs"

/* Returns the probable cause why a case is far below its roofs, as a sentence; NULL if nothing that was measured
 * explains it. The caller owns it. */
char *dyno_roof_cause_dup (DynoResult *result);

/* dyno-decode-roof */

#define DYNO_DECODE_ROOF_VALUE      "decode_read_percent"
#define DYNO_DECODE_ROOF_DIAGNOSTIC "decode-below-roof"

/* Returns whether the result has steps that decode one token each, and their work is known. */
gboolean dyno_decode_roof_applies (DynoResult *result);
/* Adds `decode_read_percent`: the bytes of the matrix products of a decode step, nearly all of them weights,
 * over its time and over the measured read bandwidth of memory, or of the cache that is large enough for
 * these bytes. The diagnostic `decode-below-roof` says why that is less than a half. */
void dyno_decode_roof_complete (DynoResult *result, const DynoRoofline *roofs);
/* @reason: why the share of the roof is unknown. */
void dyno_decode_roof_refuse (DynoResult *result, const char *reason);

/* dyno-stage-roof */

/* Returns whether it is a value that dyno_stage_roof_complete() adds. */
gboolean dyno_stage_roof_is_derived (const char *name);
/* Adds for each stage whose time and work are known the shortest time for this work by the roofs of its device, threads and
 * precision, and whether computing or memory bounds it; neither does if that time is less than half of the measured one.
 * @machine and @ceilings may be NULL. */
void dyno_stage_roof_complete (DynoResult *result, const char *machine, GPtrArray *ceilings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling.h"
#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_ROOFLINE_MAX_LEVELS 5

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
 * @memory_bound: whether it lies left of the ridge; else it is bound by what can be computed
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
} DynoRooflinePoint;

gboolean dyno_roofline_find (DynoRoofline *self,
                             GPtrArray *ceilings,
                             const char *device,
                             guint threads,
                             const char *pinning,
                             const char *precision);
const char *dyno_roofline_get_obstacle (const DynoRoofline *self);
DynoCeiling *dyno_roofline_choose_level (const DynoRoofline *self, double bytes);
gboolean dyno_roofline_place (
    const DynoRoofline *self, double flops, double bytes, double seconds, DynoRooflinePoint *point);

char *dyno_roofline_dup_device (DynoCase *kase, const char *machine);
guint dyno_roofline_count_cores (const char *machine);
guint dyno_roofline_count_threads (DynoCase *kase, const char *machine);
guint dyno_roofline_count_busy_threads (DynoCase *kase, const char *machine);
gboolean
dyno_roofline_is_on_page (const char *device, guint threads, const char *pinning, const char *machine);
char *dyno_roofline_dup_command (const char *device, const char *threads, const char *pinning);
gboolean dyno_roofline_is_derived (const char *name);
void dyno_roofline_complete (DynoResult *result, const char *machine, GPtrArray *ceilings);
void dyno_roofline_complete_run (DynoRun *run, GPtrArray *ceilings);

G_END_DECLS

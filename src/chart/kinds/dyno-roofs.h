/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-roofline.h"

G_BEGIN_DECLS

/**
 * DynoRoofs:
 * @n_threads: how many threads of the processor the case had; 0 where that says nothing
 * @lines: its roofs, as far as they were measured
 *
 * What a case in a chart could reach at most. The ceilings belong to the case.
 */
typedef struct
{
  guint n_threads;
  DynoRoofline lines;
} DynoRoofs;

/**
 * DynoRoofsVerdict:
 * @roof: (nullable): what is next above the point
 * @share: how much of that it reaches; NaN without a roof
 * @memory_bound: whether it lies left of the ridge of the slowest memory
 * @is_far: whether it is far below both roofs, so that neither limits it
 * @above: whether it lies above every roof by more than 5 %
 */
typedef struct
{
  DynoCeiling *roof;
  double share;
  gboolean memory_bound;
  gboolean is_far;
  gboolean above;
} DynoRoofsVerdict;

/**
 * DynoRoofsPlace:
 * @DYNO_ROOFS_DEVICE: what they are roofs of
 * @DYNO_ROOFS_THREADS: how many threads of the processor
 * @DYNO_ROOFS_PINNING: how these are placed
 *
 * In what roofs of one chart may differ, besides in what they limit.
 */
typedef enum
{
  DYNO_ROOFS_DEVICE = 1 << 0,
  DYNO_ROOFS_THREADS = 1 << 1,
  DYNO_ROOFS_PINNING = 1 << 2,
} DynoRoofsPlace;

/* Finds the roofs of the device, the threads, the placement and the precision of a case. Returns whether
 * there is any. */
gboolean dyno_roofs_find (DynoRoofs *self, const DynoChartCase *kase);
/* Returns what its device computes at most with as many threads, in whatever precision. Elements are
 * DynoCeiling. The caller owns the list, not what is in it. */
GPtrArray *dyno_roofs_list_compute (const DynoChartCase *kase);
/* Returns the intensity, in FLOP/byte, from which on the slowest memory suffices; NaN if that is not
 * known. */
double dyno_roofs_get_ridge (const DynoRoofs *self);
/* Does what dyno_roofline_place() does, for a given intensity. Where no memory has a roof, how near the
 * work comes to its own is not known; only that it cannot lie above what can be computed. @intensity: of
 * the work, in FLOP/byte. */
void dyno_roofs_judge (const DynoRoofs *self, double intensity, double rate, DynoRoofsVerdict *verdict);

/* Returns what it is a roof of, such as `fp32 AVX-512` or `DRAM read`. */
char *dyno_roofs_dup_name (DynoCeiling *ceiling);
/* Returns in what they differ, which is what the name of each has to mention: a set of DynoRoofsPlace.
 * @ceilings holds DynoCeiling. */
guint dyno_roofs_get_varying (GPtrArray *ceilings);
/* Returns what it is of, such as `8 threads · compact`; empty for nothing. */
char *dyno_roofs_dup_place (DynoCeiling *ceiling, guint varying, gboolean is_short);
/* Returns which of them are not to be trusted, and by how much; NULL if all are. @ceilings holds
 * DynoCeiling. */
char *dyno_roofs_dup_disturbance (GPtrArray *ceilings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-roofline.h"

G_BEGIN_DECLS

/**
 * DynoRoofs:
 * @n_threads: the number of processor threads of the case; 0 if that does not apply
 * @lines: its measured roofs
 *
 * The roofs of a case in a chart. The case owns the ceilings.
 */
typedef struct
{
  guint n_threads;
  DynoRoofline lines;
} DynoRoofs;

/**
 * DynoRoofsVerdict:
 * @roof: (nullable): the lowest roof above the point
 * @share: the share of that roof that it reaches; NaN without a roof
 * @memory_bound: whether it is left of the ridge of the slowest memory
 * @is_far: whether it is far below both roofs, so that neither limits it
 * @above: whether it is above every roof by more than 5 %
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
 * @DYNO_ROOFS_DEVICE: the device
 * @DYNO_ROOFS_THREADS: the number of processor threads
 * @DYNO_ROOFS_PINNING: the placement of these
 *
 * The properties in which roofs of one chart may differ, besides their kind.
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
/* Returns the compute ceilings of its device for its number of threads, in all precisions. Elements are
 * DynoCeiling. The caller owns the list, but not its elements. */
GPtrArray *dyno_roofs_list_compute (const DynoChartCase *kase);
/* Returns the intensity, in FLOP/byte, from which on the slowest memory suffices; NaN if unknown. */
double dyno_roofs_get_ridge (const DynoRoofs *self);
/* Does the same as dyno_roofline_place() for a given intensity. Without a memory roof, the distance to the
 * point's own roof is unknown; the only check is that it is not above the compute roof. @intensity: of the
 * work, in FLOP/byte. */
void dyno_roofs_judge (const DynoRoofs *self, double intensity, double rate, DynoRoofsVerdict *verdict);

/* Returns the name of the roof, such as `fp32 AVX-512` or `DRAM read`. */
char *dyno_roofs_dup_name (DynoCeiling *ceiling);
/* Returns the properties in which they differ, which the name of each has to mention: a set of
 * DynoRoofsPlace. @ceilings holds DynoCeiling. */
guint dyno_roofs_get_varying (GPtrArray *ceilings);
/* Returns the varying properties of the ceiling, such as `8 threads · compact`; empty for none. */
char *dyno_roofs_dup_place (DynoCeiling *ceiling, guint varying, gboolean is_short);
/* Returns which ceilings are unreliable, and by how much; NULL if none is. @ceilings holds DynoCeiling. */
char *dyno_roofs_dup_disturbance (GPtrArray *ceilings);

G_END_DECLS

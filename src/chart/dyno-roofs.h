/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling.h"
#include "dyno-chart-cases.h"

G_BEGIN_DECLS

#define DYNO_ROOFS_MAX_LEVELS 5

/**
 * DynoRoofs:
 * @n_threads: how many threads the case had
 * @compute: (nullable): the most that so many threads compute in its precision
 * @levels: how fast they read, from the slowest memory to the fastest
 * @n_levels: how many of these there are
 *
 * What a case could reach at most.
 */
typedef struct
{
  guint n_threads;
  DynoCeiling *compute;
  DynoCeiling *levels[DYNO_ROOFS_MAX_LEVELS];
  guint n_levels;
} DynoRoofs;

/**
 * DynoRoofsVerdict:
 * @roof: (nullable): what is next above the point, whose share it reaches
 * @share: how much of that it reaches
 * @memory_bound: whether it lies left of the ridge of the slowest memory
 * @above: whether it lies above every roof by more than 5 %
 */
typedef struct
{
  DynoCeiling *roof;
  double share;
  gboolean memory_bound;
  gboolean above;
} DynoRoofsVerdict;

gboolean dyno_roofs_find (DynoRoofs *self, const DynoChartCase *kase);
double dyno_roofs_get_ridge (const DynoRoofs *self);
void dyno_roofs_judge (const DynoRoofs *self, double intensity, double rate, DynoRoofsVerdict *verdict);

GPtrArray *dyno_roofs_list_device (const DynoChartCase *kase, guint *n_threads);
char *dyno_roofs_dup_name (DynoCeiling *ceiling);

G_END_DECLS

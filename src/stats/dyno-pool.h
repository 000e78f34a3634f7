/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-random.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/* The values of several groups, sorted together, each with the block it belongs to. The bootstrap draws
 * from it; only this module uses it. */
typedef struct
{
  gsize n;
  double *sorted;
  guint32 *owners;
  gsize n_groups;
  gsize *first_blocks; /* of each group, and the end */
  guint32 *block_lengths;
  gboolean is_independent; /* one group whose values show no dependence */
  double between;          /* variance of the medians of the groups */
  double within;           /* variance of such a median by the noise within its group */
  double lowest;           /* of the medians of the groups */
  double highest;
  gsize stride;
  gsize n_marks;
  gint16 *below; /* the number of values of each block before each mark */
  gint16 *weights;
  gsize n_drawn;
} DynoPool;

DynoPool *dyno_pool_new (const DynoSample *groups, gsize n_groups, gsize max_blocks);
void dyno_pool_free (DynoPool *pool);

double dyno_pool_get_median (const DynoPool *pool);
double dyno_pool_draw_median (DynoPool *pool, DynoRandom *random);
double *dyno_pool_leave_each_out (const DynoPool *pool);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPool, dyno_pool_free)

G_END_DECLS

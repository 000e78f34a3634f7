/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Part of the cache key of every quantised model: increase it if the same weight would be quantised to other
 * numbers. */
#define DYNO_QUANTISER_VERSION 1

void dyno_quantiser_pack (
    const DynoQuantisation *how, const float *values, gsize n_values, guint8 *quants, float *scale);
gboolean dyno_quantiser_fill_rows (
    const DynoWeight *quants, guint64 seed, gsize first, gsize n_columns, gint8 *rows, float *scales);
gboolean dyno_quantiser_fill (const DynoWeight *quants,
                              guint64 seed,
                              gsize first,
                              gsize n_columns,
                              guint8 *bytes,
                              float *scales,
                              guint8 *zeros);

G_END_DECLS

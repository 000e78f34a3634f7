/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoRelativeBucket:
 * @distance: position of the key minus position of the query
 * @n_buckets: number of rows of the table of distances
 * @max_distance: distances from here on share a row
 *
 * Returns: the row of that distance
 */
typedef gint64 (*DynoRelativeBucket) (gint64 distance, gint64 n_buckets, gint64 max_distance);

gint64 dyno_relative_bucket_both_ways (gint64 distance, gint64 n_buckets, gint64 max_distance);
gint64 dyno_relative_bucket_backwards (gint64 distance, gint64 n_buckets, gint64 max_distance);
gint64 dyno_relative_bucket_each (gint64 distance, gint64 n_buckets, gint64 max_distance);
gint64 dyno_relative_bucket_signed (gint64 distance, gint64 n_buckets, gint64 max_distance);

double dyno_relative_slope (gint64 head, gint64 n_heads);
const char *dyno_relative_length (DynoGraph *graph, const char *value, guint axis);
const char *dyno_relative_range (DynoGraph *graph, const char *first, const char *end);
const char *dyno_relative_places (DynoGraph *graph, const char *value, guint axis);
const char *dyno_relative_count (DynoGraph *graph, const char *ids, gint64 padding);
const char *dyno_relative_find (
    DynoGraph *graph, const char *distance, DynoRelativeBucket bucket, gint64 n_buckets, gint64 max_distance);
const char *dyno_relative_rows (DynoGraph *graph,
                                const char *queries,
                                const char *keys,
                                DynoRelativeBucket bucket,
                                gint64 n_buckets,
                                gint64 max_distance);
const char *
dyno_relative_bias (DynoGraph *graph, const char *name, const char *rows, gint64 n_buckets, gint64 n_heads);

G_END_DECLS

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

/* Returns the row as in T5's encoder and MPNet: half of the rows are for keys after the query. */
gint64 dyno_relative_bucket_both_ways (gint64 distance, gint64 n_buckets, gint64 max_distance);
/* Returns the row as in T5's decoder, which never looks ahead. */
gint64 dyno_relative_bucket_backwards (gint64 distance, gint64 n_buckets, gint64 max_distance);
/* Returns the row as in DeBERTa: one for each distance, from the key to the query, with zero in the
 * middle. */
gint64 dyno_relative_bucket_each (gint64 distance, gint64 n_buckets, gint64 max_distance);
/* Returns the row as in DeBERTa from version 2 on: distances beyond a quarter of the rows share rows. */
gint64 dyno_relative_bucket_signed (gint64 distance, gint64 n_buckets, gint64 max_distance);

/* Press et al. 2021 (ALiBi): 2^(−8 i / n) for a power of two; with other counts, the remaining heads take
 * every other slope of the next power of two. Returns how much scores of the head change with the distance
 * of a key. */
double dyno_relative_slope (gint64 head, gint64 n_heads);
/* Returns the size of the dimension, a scalar. */
const char *dyno_relative_length (DynoGraph *graph, const char *value, guint axis);
/* Returns the integers from @first to @end − 1. */
const char *dyno_relative_range (DynoGraph *graph, const char *first, const char *end);
/* Returns 0, 1, 2 … up to the size of the dimension. */
const char *dyno_relative_places (DynoGraph *graph, const char *value, guint axis);
/* Returns the places of tokens other than padding, as RoBERTa counts them: from @padding + 1 on. @ids:
 * tokens, [batch, sequence]. */
const char *dyno_relative_count (DynoGraph *graph, const char *ids, gint64 padding);
/* Returns the row of each distance. @distance: positions of keys minus those of queries, of any rank. */
const char *dyno_relative_find (
    DynoGraph *graph, const char *distance, DynoRelativeBucket bucket, gint64 n_buckets, gint64 max_distance);
/* Returns the row of each pair, [queries, keys]. */
const char *dyno_relative_rows (DynoGraph *graph,
                                const char *queries,
                                const char *keys,
                                DynoRelativeBucket bucket,
                                gint64 n_buckets,
                                gint64 max_distance);
/* Returns the bias of the scores, [1, heads, queries, keys]. @name: name of the table `name.weight`.
 * @rows: the row of each pair, [queries, keys]. */
const char *
dyno_relative_bias (DynoGraph *graph, const char *name, const char *rows, gint64 n_buckets, gint64 n_heads);

G_END_DECLS

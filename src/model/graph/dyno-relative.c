/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-relative.h"

/* Relative positions in attention. All distances beyond a limit count as the limit, so a constant table maps each
 * distance to its row: engines look up what checkpoints compute with logarithms. Logarithms are in single precision, as
 * in the published code, because their rounding decides where a bucket ends. */

/* The first half of @n distances have their own rows; the others share rows by their logarithm. */
static gint64
bucket_of (gint64 distance, gint64 n, gint64 max_distance)
{
  gint64 exact = n / 2;
  float share;

  if (distance < exact)
    return distance;
  share = logf ((float)distance / (float)exact) / (float)log ((double)max_distance / (double)exact);
  return MIN (exact + (gint64)(share * (float)(n - exact)), n - 1);
}

/**
 * dyno_relative_bucket_both_ways:
 *
 * As in T5's encoder and MPNet: half of the rows are for keys after the query.
 *
 * Returns: the row
 */
gint64
dyno_relative_bucket_both_ways (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  gint64 half = n_buckets / 2;

  return (distance > 0 ? half : 0) + bucket_of (ABS (distance), half, max_distance);
}

/**
 * dyno_relative_bucket_backwards:
 *
 * As in T5's decoder, which never looks ahead.
 *
 * Returns: the row
 */
gint64
dyno_relative_bucket_backwards (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  return bucket_of (MAX (-distance, 0), n_buckets, max_distance);
}

/**
 * dyno_relative_bucket_each:
 *
 * As in DeBERTa: one row for each distance, from the key to the query, with zero in the middle.
 *
 * Returns: the row
 */
gint64
dyno_relative_bucket_each (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  return CLAMP (n_buckets / 2 - distance, 0, n_buckets - 1);
}

/**
 * dyno_relative_bucket_signed:
 *
 * As in DeBERTa from version 2 on: distances beyond a quarter of the rows share rows.
 *
 * Returns: the row
 */
gint64
dyno_relative_bucket_signed (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  gint64 middle = n_buckets / 4;
  gint64 size = ABS (distance);

  if (size > middle)
    size = middle +
           (gint64)ceilf (logf ((float)size / (float)middle) /
                          logf ((float)((double)(max_distance - 1) / (double)middle)) * (float)(middle - 1));
  return dyno_relative_bucket_each (distance > 0 ? size : -size, n_buckets, max_distance);
}

/**
 * dyno_relative_slope:
 * @head: index of a head
 * @n_heads: number of heads
 *
 * Press et al. 2021 (ALiBi): 2^(−8 i / n) for a power of two; with other counts, the remaining heads take every other slope
 * of the next power of two.
 *
 * Returns: how much scores of the head change with the distance of a key
 */
double
dyno_relative_slope (gint64 head, gint64 n_heads)
{
  gint64 power = 1;

  while (2 * power <= n_heads)
    power *= 2;
  return head < power ? exp2 (-8.0 * (double)(head + 1) / (double)power)
                      : exp2 (-4.0 * (double)(2 * (head - power) + 1) / (double)power);
}

/**
 * dyno_relative_length:
 * @graph: a graph
 * @value: a value
 * @axis: one of its dimensions
 *
 * Returns: (transfer none): the size of the dimension, a scalar
 */
const char *
dyno_relative_length (DynoGraph *graph, const char *value, guint axis)
{
  const gint64 first = 0;
  g_autofree char *range = g_strdup_printf ("start=%u end=%u", axis, axis + 1);
  const char *length = dyno_graph_add (graph, "Shape", range, value, NULL);

  return dyno_graph_add (graph, "Squeeze", NULL, length, dyno_graph_add_ints (graph, 1, &first), NULL);
}

/**
 * dyno_relative_range:
 * @graph: a graph
 * @first: a number
 * @end: one more than the last
 *
 * Returns: (transfer none): the integers from @first to @end − 1
 */
const char *
dyno_relative_range (DynoGraph *graph, const char *first, const char *end)
{
  return dyno_graph_add (graph, "Range", NULL, first, end, dyno_graph_add_int (graph, 1), NULL);
}

/**
 * dyno_relative_places:
 * @graph: a graph
 * @value: a value
 * @axis: one of its dimensions
 *
 * Returns: (transfer none): 0, 1, 2 … up to the size of the dimension
 */
const char *
dyno_relative_places (DynoGraph *graph, const char *value, guint axis)
{
  return dyno_relative_range (graph, dyno_graph_add_int (graph, 0),
                              dyno_relative_length (graph, value, axis));
}

/**
 * dyno_relative_count:
 * @graph: a graph
 * @ids: tokens, [batch, sequence]
 * @padding: the token of padding
 *
 * Returns: (transfer none): the places of tokens other than padding, as RoBERTa counts them: from @padding + 1 on
 */
const char *
dyno_relative_count (DynoGraph *graph, const char *ids, gint64 padding)
{
  const char *first = dyno_graph_add_int (graph, padding);
  const char *is_token = dyno_graph_add (graph, "Equal", NULL, ids, first, NULL);
  const char *places;

  is_token = dyno_graph_add (graph, "Not", NULL, is_token, NULL);
  is_token = dyno_graph_add (graph, "Cast", "to=7", is_token, NULL);
  places = dyno_graph_add (graph, "CumSum", NULL, is_token, dyno_graph_add_int (graph, 1), NULL);
  places = dyno_graph_add (graph, "Mul", NULL, places, is_token, NULL);
  return dyno_graph_add (graph, "Add", NULL, places, first, NULL);
}

static const char *
add_table (DynoGraph *graph, DynoRelativeBucket bucket, gint64 n_buckets, gint64 max_distance)
{
  g_autofree gint64 *table = g_new (gint64, 2 * max_distance + 1);

  for (gint64 i = 0; i <= 2 * max_distance; i++)
    table[i] = bucket (i - max_distance, n_buckets, max_distance);
  return dyno_graph_add_ints (graph, (guint)(2 * max_distance + 1), table);
}

/**
 * dyno_relative_find:
 * @graph: a graph
 * @distance: positions of keys minus those of queries, of any rank
 * @bucket: maps distances to rows
 * @n_buckets: number of rows
 * @max_distance: distances from here on share a row
 *
 * Returns: (transfer none): the row of each distance
 */
const char *
dyno_relative_find (
    DynoGraph *graph, const char *distance, DynoRelativeBucket bucket, gint64 n_buckets, gint64 max_distance)
{
  const char *limit = dyno_graph_add_int (graph, max_distance);

  distance =
      dyno_graph_add (graph, "Clip", NULL, distance, dyno_graph_add_int (graph, -max_distance), limit, NULL);
  distance = dyno_graph_add (graph, "Add", NULL, distance, limit, NULL);
  return dyno_graph_add (graph, "Gather", "axis=0", add_table (graph, bucket, n_buckets, max_distance),
                         distance, NULL);
}

/**
 * dyno_relative_rows:
 * @graph: a graph
 * @queries: positions of the queries, a list
 * @keys: positions of the keys, a list
 * @bucket: maps distances to rows
 * @n_buckets: number of rows
 * @max_distance: distances from here on share a row
 *
 * Returns: (transfer none): the row of each pair, [queries, keys]
 */
const char *
dyno_relative_rows (DynoGraph *graph,
                    const char *queries,
                    const char *keys,
                    DynoRelativeBucket bucket,
                    gint64 n_buckets,
                    gint64 max_distance)
{
  const gint64 last = 1;
  const char *distance;

  queries = dyno_graph_add (graph, "Unsqueeze", NULL, queries, dyno_graph_add_ints (graph, 1, &last), NULL);
  distance = dyno_graph_add (graph, "Sub", NULL, keys, queries, NULL);
  return dyno_relative_find (graph, distance, bucket, n_buckets, max_distance);
}

/**
 * dyno_relative_bias:
 * @graph: a graph
 * @name: name of the table `name.weight`
 * @rows: the row of each pair, [queries, keys]
 * @n_buckets: number of rows of the table
 * @n_heads: number of heads
 *
 * Returns: (transfer none): the bias of the scores, [1, heads, queries, keys]
 */
const char *
dyno_relative_bias (DynoGraph *graph, const char *name, const char *rows, gint64 n_buckets, gint64 n_heads)
{
  const gint64 dims[] = { n_buckets, n_heads };
  const gint64 first = 0;
  const char *bias;

  dyno_graph_push_scope (graph, "%s", name);
  bias = dyno_graph_add (graph, "Gather", "axis=0", dyno_graph_add_weight (graph, "weight", 0, 1, 2, dims),
                         rows, NULL);
  bias = dyno_graph_add (graph, "Transpose", "perm=[2,0,1]", bias, NULL);
  bias = dyno_graph_add (graph, "Unsqueeze", NULL, bias, dyno_graph_add_ints (graph, 1, &first), NULL);
  dyno_graph_pop_scope (graph);
  return bias;
}

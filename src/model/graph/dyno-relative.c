/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-model-graph-private.h"

/* Relative positions in attention. All distances beyond a limit count as the limit, so a constant table
 * maps each distance to its row: engines look up a value that checkpoints compute with logarithms.
 * Logarithms are in single precision, as in the published code, because their rounding decides where a
 * bucket ends. */

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

gint64
dyno_relative_bucket_both_ways (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  gint64 half = n_buckets / 2;

  return (distance > 0 ? half : 0) + bucket_of (ABS (distance), half, max_distance);
}

gint64
dyno_relative_bucket_backwards (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  return bucket_of (MAX (-distance, 0), n_buckets, max_distance);
}

gint64
dyno_relative_bucket_each (gint64 distance, gint64 n_buckets, gint64 max_distance)
{
  return CLAMP (n_buckets / 2 - distance, 0, n_buckets - 1);
}

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

double
dyno_relative_slope (gint64 head, gint64 n_heads)
{
  gint64 power = 1;

  while (2 * power <= n_heads)
    power *= 2;
  return head < power ? exp2 (-8.0 * (double)(head + 1) / (double)power)
                      : exp2 (-4.0 * (double)(2 * (head - power) + 1) / (double)power);
}

const char *
dyno_relative_length (DynoGraph *graph, const char *value, guint axis)
{
  const gint64 first = 0;
  g_autofree char *range = g_strdup_printf ("start=%u end=%u", axis, axis + 1);
  const char *length = dyno_graph_add (graph, "Shape", range, value, NULL);

  return dyno_graph_add (graph, "Squeeze", NULL, length, dyno_graph_add_ints (graph, 1, &first), NULL);
}

const char *
dyno_relative_range (DynoGraph *graph, const char *first, const char *end)
{
  return dyno_graph_add (graph, "Range", NULL, first, end, dyno_graph_add_int (graph, 1), NULL);
}

const char *
dyno_relative_places (DynoGraph *graph, const char *value, guint axis)
{
  return dyno_relative_range (graph, dyno_graph_add_int (graph, 0),
                              dyno_relative_length (graph, value, axis));
}

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

const char *
dyno_relative_find (
    DynoGraph *graph, const char *distance, DynoRelativeBucket bucket, gint64 n_buckets, gint64 max_distance)
{
  const char *limit = dyno_graph_add_int (graph, max_distance);
  guint n_distances = (guint)(2 * max_distance + 1);
  g_autofree gint64 *table = g_new (gint64, n_distances);

  for (gint64 i = 0; i < n_distances; i++)
    table[i] = bucket (i - max_distance, n_buckets, max_distance);
  distance =
      dyno_graph_add (graph, "Clip", NULL, distance, dyno_graph_add_int (graph, -max_distance), limit, NULL);
  distance = dyno_graph_add (graph, "Add", NULL, distance, limit, NULL);
  return dyno_graph_add (graph, "Gather", "axis=0", dyno_graph_add_ints (graph, n_distances, table), distance,
                         NULL);
}

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

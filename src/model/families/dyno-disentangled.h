/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoDisentangled:
 * @n_terms: how many of the two terms below there are; 0: ordinary attention
 * @content_to_position: whether a query looks at how far away a key is
 * @position_to_content: whether a distance looks at what the key says
 * @shares_projections: whether distances are projected by the weights of the tokens
 * @is_normalized: whether the table of distances is normalised before use
 * @is_logarithmic: whether large distances share rows
 * @n_rows: rows of the table
 * @max_distance: from where on all distances are one
 * @width: of the table
 * @n_heads: how many heads
 * @kernel: tokens under the convolution after the first layer; 0: none
 * @groups: how many groups of channels it convolves apart
 * @activation: of the convolution
 *
 * The attention of DeBERTa (He et al. 2021): what two tokens say and how far apart they are meet in terms of their own.
 */
typedef struct
{
  gint64 n_terms;
  gboolean content_to_position;
  gboolean position_to_content;
  gboolean shares_projections;
  gboolean is_normalized;
  gboolean is_logarithmic;
  gint64 n_rows;
  gint64 max_distance;
  gint64 width;
  gint64 n_heads;
  double epsilon;
  gint64 kernel;
  gint64 groups;
  const char *activation;
} DynoDisentangled;

/**
 * DynoDisentangledDistances:
 * @table: what each distance says, [rows, width]
 * @rows: the row of each pair, [batch, heads, queries, keys]
 * @turned_rows: the same, [batch, heads, keys, queries]
 *
 * The values that all layers share.
 */
typedef struct
{
  const char *table;
  const char *rows;
  const char *turned_rows;
} DynoDisentangledDistances;

DynoDisentangled dyno_disentangled_read (DynoConfig *config, double epsilon);
DynoDisentangledDistances
dyno_disentangled_add (const DynoDisentangled *self, DynoGraph *graph, const char *ids);
const char *dyno_disentangled_bias (const DynoDisentangled *self,
                                    DynoGraph *graph,
                                    const DynoDisentangledDistances *distances,
                                    const char *query,
                                    const char *key);
const char *dyno_disentangled_convolve (const DynoDisentangled *self,
                                        DynoGraph *graph,
                                        const char *embeddings,
                                        const char *value);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoDisentangled:
 * @n_terms: number of the two terms below that are used; 0: ordinary attention
 * @content_to_position: whether scores have a term of the query's content and the distance
 * @position_to_content: whether scores have a term of the distance and the key's content
 * @is_first: whether it is that of the first DeBERTa, whose projections have other names and fewer biases
 * @shares_projections: whether distances are projected with the weights of the tokens
 * @is_normalized: whether the table of distances is normalised before use
 * @is_logarithmic: whether large distances share rows
 * @n_rows: rows of the table of distances
 * @max_distance: distances from here on share a row
 * @width: width of the table
 * @n_heads: number of heads
 * @kernel: kernel size of the convolution after the first layer; 0: none
 * @groups: number of groups of that convolution
 * @activation: activation of that convolution
 *
 * The disentangled attention of both DeBERTas (He et al. 2021), with separate terms for the contents of two tokens and their
 * distance.
 */
typedef struct
{
  gint64 n_terms;
  gboolean content_to_position;
  gboolean position_to_content;
  gboolean is_first;
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
 * @table: embeddings of the distances, [rows, width]
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

/* Returns the disentangled attention, without terms if the model has ordinary attention. @config: the
 * config of a DeBERTa of the second or third version. */
DynoDisentangled dyno_disentangled_read (DynoConfig *config, double epsilon);
/* Returns the disentangled attention, without terms if the model has ordinary attention. */
DynoDisentangled dyno_disentangled_read_first (DynoConfig *config, double epsilon);
/* Returns the values that all layers share. @ids: the tokens, [batch, sequence]. */
DynoDisentangledDistances
dyno_disentangled_add (const DynoDisentangled *self, DynoGraph *graph, const char *ids);
/* Returns the bias of the scores by distance, with the same scale, [batch, heads, queries, keys]. @query:
 * [batch, heads, queries, head width]. @key: [batch, heads, keys, head width]. */
const char *dyno_disentangled_bias (const DynoDisentangled *self,
                                    DynoGraph *graph,
                                    const DynoDisentangledDistances *distances,
                                    const char *query,
                                    const char *key);
/* Returns the input of the second layer. @embeddings: the input of the first layer, [batch, sequence,
 * width]. */
const char *dyno_disentangled_convolve (const DynoDisentangled *self,
                                        DynoGraph *graph,
                                        const char *embeddings,
                                        const char *value);

G_END_DECLS

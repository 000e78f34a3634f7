/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoTowerNames:
 * @layer: the scope of the layers, without their number
 * @attention_norm: the norm before attention
 * @attention: the scope of the next four
 * @joined: (nullable): projects queries, keys and values by one weight, instead of the next three
 * @query: projects the queries
 * @key: projects the keys
 * @value: projects the values
 * @output: joins the heads
 * @inner_norm: the norm before the feed-forward layers
 * @up: (nullable): the scope of the layer that widens, %NULL for the scope around
 * @up_dense: that layer
 * @down: (nullable): the scope of the layer that narrows and of the sum behind it
 * @down_dense: that layer
 * @scales: (nullable): what the results of attention and of the feed-forward layers are multiplied with
 *
 * Where published checkpoints put the layers of a tower.
 */
typedef struct
{
  const char *layer;
  const char *attention_norm;
  const char *attention;
  const char *joined;
  const char *query;
  const char *key;
  const char *value;
  const char *output;
  const char *inner_norm;
  const char *up;
  const char *up_dense;
  const char *down;
  const char *down_dense;
  const char *scales[2];
} DynoTowerNames;

/**
 * DynoTower:
 *
 * Layers of attention and feed-forward with a norm before each, as vision transformers and what grew out of them have.
 */
typedef struct
{
  const DynoTowerNames *names;
  gint64 width;
  gint64 first_layer; /* 0, or from where on the rest of a tower is built */
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gboolean has_input_bias;
  gboolean has_extra_key; /* a learned key with its value stands behind those of the tokens */
  gboolean is_gated;      /* half of what is widened goes through the activation and gates the other half */
  double epsilon;
  const char *activation;
} DynoTower;

void dyno_tower_check (const DynoTower *self, DynoConfig *config);
const char *dyno_tower_add (const DynoTower *self, DynoGraph *graph, const char *value, const char *mask);
const char *dyno_tower_cut_patches (
    DynoGraph *graph, const char *name, const char *pixels, gint64 width, gint64 side, gboolean has_bias);
const char *dyno_tower_spread_token (DynoGraph *graph, const char *token, const char *items, gint64 width);

G_END_DECLS

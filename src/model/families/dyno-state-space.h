/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoStateSpace:
 *
 * The sizes of Mamba, or of the layers of Mamba in another model.
 */
typedef struct
{
  gint64 vocabulary;
  gint64 width;
  gint64 inner_width;
  gint64 n_layers;
  gint64 state_width;
  gint64 kernel;
  gint64 step_rank; /* Mamba 1 only */
  gint64 n_heads;   /* Mamba 2 only, like the next two */
  gint64 head_width;
  gint64 n_groups;
  gboolean is_tied;
  gboolean has_bias;
  gboolean has_kernel_bias;
  double epsilon;
  double selected_epsilon; /* of the norms of Δ, B and C; 0: they are not normalised */
  double least_step;       /* the least Δ, 0 for no limit */
  const char *activation;
} DynoStateSpace;

/**
 * DynoStateSpaceLayers:
 * @model: the model
 * @graph: its graph
 * @kernels: (element-type utf8): the last inputs of the convolution of each layer
 * @states: (element-type utf8): the state of each layer
 * @layer: the layer that is being added
 *
 * The layers of a model with their cache.
 */
typedef struct
{
  const DynoStateSpace *model;
  DynoGraph *graph;
  GPtrArray *kernels;
  GPtrArray *states;
  guint layer;
} DynoStateSpaceLayers;

/* Returns the result of a layer of Mamba 2, [batch, sequence, width]. @value: [batch, sequence, width]. */
const char *dyno_state_space_add_mixer2 (DynoStateSpaceLayers *self, const char *name, const char *value);
/* Adds the outputs, including those that the next step needs. @logits: [batch, sequence, vocabulary]. */
void dyno_state_space_add_outputs (DynoStateSpaceLayers *self, const char *logits);

G_END_DECLS

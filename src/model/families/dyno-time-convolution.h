/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoTimeConvolution:
 * @channels: number of output channels
 * @kernel: length of the window
 * @stride: its stride
 * @groups: into how many groups the channels are divided
 * @padding: zeros before and after
 * @has_bias: whether a bias is added
 *
 * A convolution over time, of values that are [batch, channels, time].
 */
typedef struct
{
  gint64 channels;
  gint64 kernel;
  gint64 stride;
  gint64 groups;
  gint64 padding[2];
  gboolean has_bias;
} DynoTimeConvolution;

/* Returns the value. @value: [batch, channels, time]. @weight: its weight; a bias is the weight `bias`. */
const char *dyno_time_convolution_apply (const DynoTimeConvolution *self,
                                         DynoGraph *graph,
                                         const char *value,
                                         const char *weight);
/* Returns the value. @value: [batch, channels, time]. */
const char *dyno_time_convolution_add (const DynoTimeConvolution *self,
                                       DynoGraph *graph,
                                       const char *name,
                                       const char *value);
/* Returns the other of both. @value: [batch, channels, time], or as tokens, [batch, time, channels]. */
const char *dyno_time_convolution_swap (DynoGraph *graph, const char *value);
/* Training replaces some positions by a learned mask embedding, which is in checkpoints but not used
 * otherwise. */
void dyno_time_convolution_add_mask (DynoGraph *graph, DynoConfig *config, gint64 width);

G_END_DECLS

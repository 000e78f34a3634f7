/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoConvolution:
 * @channels: output channels
 * @kernel: side of the square window
 * @stride: stride of the window
 * @dilation: distance between the window's elements
 * @groups: number of groups of channels that are convolved separately
 * @gain: the mean of the scales of the norm after it; below 1 if a residual is added afterwards
 * @pads_like_tensorflow: whether the padding is TensorFlow's “SAME”, else half the kernel on each side
 * @has_bias: whether a bias is added, as if no norm follows
 * @is_cropped: whether there is no padding
 * @moves: the amount by which the padding at the top and on the left is smaller
 *
 * A convolution of images, [batch, channels, height, width].
 */
typedef struct
{
  gint64 channels;
  gint64 kernel;
  gint64 stride;
  gint64 dilation;
  gint64 groups;
  double gain;
  gboolean pads_like_tensorflow;
  gboolean has_bias;
  gboolean is_cropped;
  gint64 moves;
} DynoConvolution;

/* Returns the nearest number of channels that is not less by more than a tenth. @divisor: the result is a
 * multiple of it. */
gint64 dyno_convolution_round_width (double width, gint64 divisor, gint64 least);
const char *
dyno_convolution_add (const DynoConvolution *self, DynoGraph *graph, const char *name, const char *value);
/* Returns the value. @value: [batch, channels, height, width]. */
const char *dyno_convolution_normalize (
    DynoGraph *graph, const char *name, const char *value, double gain, double epsilon);
/* None of its numbers counts as a trainable parameter. Returns the value. @value: [batch, channels,
 * height, width]. */
const char *dyno_convolution_normalize_frozen (DynoGraph *graph, const char *name, const char *value);
/* Wu and He 2018, in the operators that exporters write, because opset 17 has no operator for it. Returns
 * the value. @value: [batch, channels, height, width] or [batch, channels, time]. @n_groups: the number of
 * groups, which must divide the number of channels. */
const char *dyno_convolution_normalize_groups (
    DynoGraph *graph, const char *name, const char *value, gint64 n_groups, double epsilon);
/* Normalises the channels at each position, and moves them last for that. Returns the value. @value:
 * [batch, channels, height, width]. */
const char *
dyno_convolution_normalize_places (DynoGraph *graph, const char *name, const char *value, double epsilon);
/* Returns the input of images, of any size. @sides: usual height and width of an image in pixels. */
const char *dyno_convolution_add_pictures (DynoGraph *graph, gint64 channels, const gint64 *sides);
/* Returns the value. @value: [batch, channels, height, width]. */
const char *
dyno_convolution_resize (DynoGraph *graph, const char *value, const char *attributes, const gint64 *sides);
/* Returns the mean of every channel, [batch, channels]. @value: [batch, channels, height, width]. */
const char *dyno_convolution_pool (DynoGraph *graph, const char *body, const char *value);

G_END_DECLS

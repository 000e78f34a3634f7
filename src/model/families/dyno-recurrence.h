/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoKernel:
 * @size: width of the window, at least 2
 * @has_bias: whether a bias is added
 *
 * A convolution of each channel over its last positions.
 */
typedef struct
{
  gint64 size;
  gboolean has_bias;
} DynoKernel;

/**
 * DynoSelective:
 * @state_width: numbers of the state of each channel
 * @step_rank: width of the input of the steps
 * @epsilon: epsilon of the norms of Δ, B and C; 0 if they are not normalised
 * @has_norm_weights: whether these norms have weights
 *
 * The selective scan of Mamba 1 (Gu and Dao 2023).
 */
typedef struct
{
  gint64 state_width;
  gint64 step_rank;
  double epsilon;
  gboolean has_norm_weights;
} DynoSelective;

/* Returns −exp (A_log), in single precision in any graph, as is the recurrence. */
const char *dyno_recurrence_add_decay (DynoGraph *graph, guint rank, const gint64 *dims);
/* Returns [batch, sequence, channels]. @value: [batch, sequence, channels]. */
const char *dyno_recurrence_select (
    const DynoSelective *self, DynoGraph *graph, guint layer, const char *value, const char **last);
/* Returns [batch, sequence, channels]. @value: [batch, sequence, channels]. */
const char *dyno_recurrence_convolve (const DynoKernel *self,
                                      DynoGraph *graph,
                                      guint layer,
                                      const char *name,
                                      const char *value,
                                      const char **last);
/* Scans the sequence with a state, in single precision in any graph. Returns the outputs of all steps.
 * @inputs: each [batch, sequence, …]; gets them in single precision. */
const char *dyno_recurrence_scan (DynoGraph *graph,
                                  guint layer,
                                  const char *dimensions,
                                  guint n_inputs,
                                  const char **inputs,
                                  DynoGraphBody body,
                                  gpointer data,
                                  const char **last);
/* Adds an output of the same size as the input of the next step. @what: `conv` or `state`. */
void dyno_recurrence_add_output (DynoGraph *graph, const char *what, guint layer, const char *value);

G_END_DECLS

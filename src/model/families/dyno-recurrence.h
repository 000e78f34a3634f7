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

const char *dyno_recurrence_convolve (const DynoKernel *self,
                                      DynoGraph *graph,
                                      guint layer,
                                      const char *name,
                                      const char *value,
                                      const char **last);
const char *dyno_recurrence_scan (DynoGraph *graph,
                                  guint layer,
                                  const char *dimensions,
                                  guint n_inputs,
                                  const char **inputs,
                                  DynoGraphBody body,
                                  gpointer data,
                                  const char **last);
void dyno_recurrence_add_output (DynoGraph *graph, const char *what, guint layer, const char *value);

G_END_DECLS

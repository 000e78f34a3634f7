/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-layers.h"
#include "dyno-model-families-private.h"

const char *
dyno_windows_cut (DynoGraph *graph, const char *value, gint64 side, gint64 window)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2], n = (side + window - 1) / window;
  gint64 missing = n * window - side;
  const gint64 picture[] = { 0, side, side, width };
  const gint64 pads[] = { 0, 0, 0, 0, 0, missing, missing, 0 };
  const gint64 cut[] = { -1, n, window, n, window, width };
  const gint64 rows[] = { -1, window * window, width };

  value = dyno_layers_reshape (graph, value, 4, picture);
  if (missing > 0)
    value = dyno_graph_add (graph, "Pad", NULL, value, dyno_graph_add_ints (graph, 8, pads), NULL);
  value = dyno_layers_reshape (graph, value, 6, cut);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  return dyno_layers_reshape (graph, value, 3, rows);
}

const char *
dyno_windows_join (DynoGraph *graph, const char *value, gint64 side, gint64 window)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2], n = (side + window - 1) / window;
  const gint64 cut[] = { -1, n, n, window, window, width };
  const gint64 picture[] = { -1, n * window, n * window, width };
  const gint64 rows[] = { 0, side * side, width };
  const gint64 starts[] = { 0, 0 }, ends[] = { side, side }, axes[] = { 1, 2 };

  value = dyno_layers_reshape (graph, value, 6, cut);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  value = dyno_layers_reshape (graph, value, 4, picture);
  if (n * window > side)
    value = dyno_graph_add (graph, "Slice", NULL, value, dyno_graph_add_ints (graph, 2, starts),
                            dyno_graph_add_ints (graph, 2, ends), dyno_graph_add_ints (graph, 2, axes), NULL);
  return dyno_layers_reshape (graph, value, 3, rows);
}

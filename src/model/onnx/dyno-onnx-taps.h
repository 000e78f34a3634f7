/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoOnnxTap:
 * @value: an output of a node of the graph
 * @node: the node's name, empty if it has none
 * @op_type: its operator
 * @position: index of the node in the file; nodes are in topological order
 *
 * A value of a model whose activations can be inspected.
 */
typedef struct
{
  char *value;
  char *node;
  char *op_type;
  gsize position;
} DynoOnnxTap;

/* Makes every value of the graph an output. Concatenated protobuf messages merge their repeated fields, so
 * the outputs are appended to the unchanged file. Subgraphs are not tapped. Returns the model; its
 * external data is beside @path. The caller owns it. @taps holds utf8 and DynoOnnxTap. */
GBytes *dyno_onnx_taps_add (const char *path, GHashTable **taps, GError **error);

/* What the names of those outputs begin with; the name of the value follows. */
#define DYNO_ONNX_TAPS_LOWEST  "lowest:"
#define DYNO_ONNX_TAPS_HIGHEST "highest:"

/* Makes the smallest and the largest element of each of these values an output of the graph. Returns the model, as
 * dyno_onnx_taps_add() does. @values holds utf8. */
GBytes *dyno_onnx_taps_add_ranges (const char *path, GPtrArray *values, GError **error);

G_END_DECLS

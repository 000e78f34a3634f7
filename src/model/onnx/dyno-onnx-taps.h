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

G_END_DECLS

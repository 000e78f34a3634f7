/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoOnnxTap:
 * @value: a value that a node of the graph gives
 * @node: the node's name, empty where it has none
 * @op_type: its operator
 * @position: which node of the file it is, from 0; each comes after those it takes values from
 *
 * A place in a model where its activations can be looked at.
 */
typedef struct
{
  char *value;
  char *node;
  char *op_type;
  gsize position;
} DynoOnnxTap;

GBytes *dyno_onnx_taps_add (const char *path, GHashTable **taps, GError **error);

G_END_DECLS

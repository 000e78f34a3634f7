/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Writes an ONNX file for use by other programs, with the weights in a second file, `path.data`, if they
 * are too large for one. The file appears at @path only when everything is written. Returns whether it was
 * written. @path: where to write the model; an existing file is replaced. */
gboolean dyno_onnx_export (DynoGraph *graph, const char *path, guint64 seed, GError **error);

G_END_DECLS

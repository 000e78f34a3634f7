/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-graph.h"

G_BEGIN_DECLS

#define DYNO_ONNX_WRITER_FILE "model.onnx"
#define DYNO_ONNX_WRITER_DATA "model.onnx.data"

/* Beside a model whose weights were read: their SHA-256, as the files have them. */
#define DYNO_ONNX_WRITER_HASH "weights.sha256"

gint64 dyno_onnx_writer_get_size (DynoGraph *graph);
char *dyno_onnx_writer_get_checksum (DynoGraph *graph, guint64 seed, const char *state);
gboolean dyno_onnx_writer_write (
    DynoGraph *graph, const char *folder, guint64 seed, GCancellable *cancellable, GError **error);
void dyno_onnx_writer_set_inline_limit (gint64 bytes);

G_END_DECLS

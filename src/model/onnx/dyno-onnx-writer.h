/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-graph.h"

G_BEGIN_DECLS

#define DYNO_ONNX_WRITER_FILE "model.onnx"

/* Suffix of the file with the weights of a model, if they are too large for one file. */
#define DYNO_ONNX_WRITER_DATA_SUFFIX ".data"
#define DYNO_ONNX_WRITER_DATA        DYNO_ONNX_WRITER_FILE DYNO_ONNX_WRITER_DATA_SUFFIX

/* The file beside a model with the SHA-256 of its weights, if they were read from files. */
#define DYNO_ONNX_WRITER_HASH "weights.sha256"

gint64 dyno_onnx_writer_get_size (DynoGraph *graph);
char *dyno_onnx_writer_get_checksum (DynoGraph *graph, guint64 seed, const char *state);
gboolean dyno_onnx_writer_write_as (DynoGraph *graph,
                                    const char *folder,
                                    const char *name,
                                    guint64 seed,
                                    GCancellable *cancellable,
                                    GError **error);
gboolean dyno_onnx_writer_write (
    DynoGraph *graph, const char *folder, guint64 seed, GCancellable *cancellable, GError **error);
void dyno_onnx_writer_set_inline_limit (gint64 bytes);

G_END_DECLS

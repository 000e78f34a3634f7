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

/* Returns approximate size of its files in bytes. */
gint64 dyno_onnx_writer_get_size (DynoGraph *graph);
/* Returns a checksum that differs if dyno_onnx_writer_write() would write something else. The caller owns
 * it. @state (nullable): the state of the files from which weights are read. */
char *dyno_onnx_writer_get_checksum (DynoGraph *graph, guint64 seed, const char *state);
/* Writes the model, and a file with its weights beside it if they are too large for one message. Returns
 * whether everything was written. @cancellable may be NULL. */
gboolean dyno_onnx_writer_write_as (DynoGraph *graph,
                                    const char *folder,
                                    const char *name,
                                    guint64 seed,
                                    GCancellable *cancellable,
                                    GError **error);
/* Like dyno_onnx_writer_write_as(), for a model in the cache: it is named `model.onnx`, and unless its
 * weights are small they go to a separate file, so that engines open it fast. Returns whether everything
 * was written. @cancellable may be NULL. */
gboolean dyno_onnx_writer_write (
    DynoGraph *graph, const char *folder, guint64 seed, GCancellable *cancellable, GError **error);
/* For tests, which cannot write gigabytes. Call it before any thread writes. @bytes: how many bytes of
 * weights one message may hold. */
void dyno_onnx_writer_set_inline_limit (gint64 bytes);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/* What WebAssembly can address, in bytes; a model takes less. */
#define DYNO_BROWSER_MODEL_MAX_BYTES (G_GINT64_CONSTANT (1) << 32)

/**
 * DynoBrowserFile:
 * @name: how the model calls it, `model.onnx.data`
 * @path: where it lies
 * @size: its bytes
 *
 * A file that belongs to a model.
 */
typedef struct
{
  char *name;
  char *path;
  gint64 size;
} DynoBrowserFile;

/**
 * DynoBrowserModel:
 * @files: (element-type DynoBrowserFile): the model's own file, and after it those that hold its weights
 * @inputs: (element-type DynoTensorInfo): its inputs, without those that are weights
 * @outputs: (element-type DynoTensorInfo): its outputs
 *
 * What must be known of an ONNX file to give it to a browser.
 */
typedef struct
{
  GPtrArray *files;
  GPtrArray *inputs;
  GPtrArray *outputs;
} DynoBrowserModel;

/* Returns what a browser has to know about it; NULL if there is none. @error: when it is damaged or larger
 * than a browser can hold. */
DynoBrowserModel *dyno_browser_model_new (const char *path, GError **error);
/* Takes @self. */
void dyno_browser_model_free (DynoBrowserModel *self);
/* Returns whether a dimension of an input is only known when the input is. */
gboolean dyno_browser_model_is_free (DynoBrowserModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserModel, dyno_browser_model_free)

G_END_DECLS

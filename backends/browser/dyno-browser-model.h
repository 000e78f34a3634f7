/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/* The address space of WebAssembly, in bytes; a model must be smaller. */
#define DYNO_BROWSER_MODEL_MAX_BYTES (G_GINT64_CONSTANT (1) << 32)

/**
 * DynoBrowserFile:
 * @name: its name in the model, `model.onnx.data`
 * @path: its path on this machine
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
 * @files: (element-type DynoBrowserFile): the model's own file, followed by those with its weights
 * @inputs: (element-type DynoTensorInfo): its inputs, without weights
 * @outputs: (element-type DynoTensorInfo): its outputs
 *
 * The facts about an ONNX file that a browser needs.
 */
typedef struct
{
  GPtrArray *files;
  GPtrArray *inputs;
  GPtrArray *outputs;
} DynoBrowserModel;

/* Returns the facts that a browser needs; NULL on error. @error: set if the model is damaged or too large for a
 * browser. */
DynoBrowserModel *dyno_browser_model_new (const char *path, GError **error);
/* Takes @self. */
void dyno_browser_model_free (DynoBrowserModel *self);
/* Returns whether an input has a dimension that is known only with its value. */
gboolean dyno_browser_model_is_free (DynoBrowserModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserModel, dyno_browser_model_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* The part of DynoModel that reads weights, for workers only. */

/* Writes the files that engines open, for use by other programs, to dyno_model_dup_export_paths(); weights
 * over 2 GB go to a separate file `path.data`. Returns whether all is written. @self: a model in the
 * precision to write, see dyno_model_in_precision(). Fails with DYNO_ERROR_UNSUPPORTED for an ONNX file. */
gboolean dyno_model_export (DynoModel *self, guint64 seed, const char *path, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* Returns whether all names are valid UTF-8 and all tensors are valid and accessible. @external_files:
 * gets the files with external weights, relative to the model's folder. */
gboolean dyno_onnx_check_model (const Onnx__ModelProto *model,
                                const char *path,
                                GHashTable *external_files,
                                GError **error);

G_END_DECLS

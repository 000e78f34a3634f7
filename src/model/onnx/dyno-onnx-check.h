/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "onnx.pb-c.h"

G_BEGIN_DECLS

gboolean dyno_onnx_check_model (const Onnx__ModelProto *model,
                                const char *path,
                                GHashTable *external_files,
                                GError **error);

G_END_DECLS

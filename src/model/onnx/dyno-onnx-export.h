/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

gboolean dyno_onnx_export (DynoGraph *graph, const char *path, guint64 seed, GError **error);

G_END_DECLS

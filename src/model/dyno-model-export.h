/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* Of DynoModel, for workers alone: nothing else reads weights. */
gboolean dyno_model_export (DynoModel *self, guint64 seed, const char *path, GError **error);

G_END_DECLS

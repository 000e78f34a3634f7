/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* The part of DynoModel that reads weights, for workers only. */
gboolean dyno_model_export (DynoModel *self, guint64 seed, const char *path, GError **error);

G_END_DECLS

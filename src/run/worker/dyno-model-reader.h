/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

DynoModel *dyno_model_reader_load (const char *spec, GCancellable *cancellable, GError **error);
GListModel *dyno_model_reader_list_fetched (GCancellable *cancellable);
gboolean dyno_model_reader_export (const char *spec,
                                   const char *precision,
                                   const char *attention,
                                   guint64 seed,
                                   const char *path,
                                   GError **error);

G_END_DECLS

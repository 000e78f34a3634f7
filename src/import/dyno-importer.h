/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-dialect.h"
#include "dyno-store.h"

G_BEGIN_DECLS

DynoRun *dyno_importer_read (DynoImportFile *file, const DynoDialect *dialect, GError **error);
DynoRun *dyno_importer_import (DynoStore *store,
                               const char *path,
                               GCancellable *cancellable,
                               DynoImportProgress progress,
                               gpointer data,
                               gboolean *is_new,
                               GError **error);
gboolean dyno_importer_recognises (const char *path);
GPtrArray *dyno_importer_list_files (const char *path, GError **error);
gboolean dyno_importer_is_foreign (const GError *error);

G_END_DECLS

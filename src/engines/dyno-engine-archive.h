/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/* Unpacks the files that the engine needs. Runs nothing, writes nothing else, and no more bytes than the
 * list allows. Returns whether all of them are there. @folder: an empty folder. @reporter: counts the bytes
 * that are written. @cancellable may be NULL. Fails with DYNO_ERROR_INVALID_DATA if the package is not as
 * listed. */
gboolean dyno_engine_archive_unpack (const DynoEngine *engine,
                                     const char *path,
                                     const char *folder,
                                     DynoProgressReporter *reporter,
                                     GCancellable *cancellable,
                                     GError **error);

G_END_DECLS

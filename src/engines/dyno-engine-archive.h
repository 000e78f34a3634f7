/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/* Takes out what the engine needs. Nothing is run, nothing else is written, and no more bytes than the
 * list says. Returns whether all of it is there. @folder: an empty folder. @reporter: what counts the
 * bytes that are written. @cancellable may be NULL. Fails with DYNO_ERROR_INVALID_DATA where the package
 * is not as listed. */
gboolean dyno_engine_archive_unpack (const DynoEngine *engine,
                                     const char *path,
                                     const char *folder,
                                     DynoProgressReporter *reporter,
                                     GCancellable *cancellable,
                                     GError **error);

G_END_DECLS

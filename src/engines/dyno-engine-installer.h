/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/* Downloads the engine’s package, checks its hash, takes out the needed files and puts them, all or none,
 * into a folder of their own in the runtimes folder. An installed engine is left unchanged. @cancellable
 * (nullable): ends it; the part that arrived is kept, and the next attempt continues from there. */
void dyno_engine_installer_install_async (DynoEngine *engine,
                                          DynoProgressFunc progress,
                                          gpointer progress_data,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
/* Returns whether it is installed. */
gboolean dyno_engine_installer_install_finish (GAsyncResult *result, GError **error);
/* Removes the installed files, and those of an unfinished download. Returns whether they are gone. Fails
 * with DYNO_ERROR_NOT_FOUND if it is not installed, DYNO_ERROR_INVALID_ARGUMENT if Dyno did not install it.
 **/
gboolean dyno_engine_installer_remove (DynoEngine *engine, GError **error);

G_END_DECLS

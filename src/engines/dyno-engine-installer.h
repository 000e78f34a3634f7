/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/* Fetches the engine’s package, checks its hash, takes out what is needed and puts it, whole or not at
 * all, into a folder of its own in the runtimes folder. One that is there already is left as it is.
 * @cancellable (nullable): ends it; the part that arrived is kept, and the next attempt continues from
 * there. */
void dyno_engine_installer_install_async (DynoEngine *engine,
                                          DynoProgressFunc progress,
                                          gpointer progress_data,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
/* Returns whether it is installed. */
gboolean dyno_engine_installer_install_finish (GAsyncResult *result, GError **error);
/* Removes what was installed, and what a download that did not end left. Returns whether it is gone. Fails
 * with DYNO_ERROR_NOT_FOUND if it is not installed, DYNO_ERROR_INVALID_ARGUMENT if somebody else put it
 * there. */
gboolean dyno_engine_installer_remove (DynoEngine *engine, GError **error);

G_END_DECLS

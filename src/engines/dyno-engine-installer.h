/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

void dyno_engine_installer_install_async (DynoEngine *engine,
                                          DynoProgressFunc progress,
                                          gpointer progress_data,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
/* Returns whether it is installed. */
gboolean dyno_engine_installer_install_finish (GAsyncResult *result, GError **error);
gboolean dyno_engine_installer_remove (DynoEngine *engine, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

gboolean dyno_engine_archive_unpack (const DynoEngine *engine,
                                     const char *path,
                                     const char *folder,
                                     DynoProgressReporter *reporter,
                                     GCancellable *cancellable,
                                     GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-power-log.h"
#include "dyno-store.h"

G_BEGIN_DECLS

gboolean dyno_power_alignment_add_to_store (DynoStore *store,
                                            const DynoPowerLog *log,
                                            DynoOrigin *file,
                                            const char *run_id,
                                            GPtrArray *added,
                                            GPtrArray *present,
                                            GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-http.h"

G_BEGIN_DECLS

void dyno_engine_registry_apply_settings (GSettings *settings);
char *
dyno_engine_registry_dup_address (DynoEngineRegistry registry, GCancellable *cancellable, GError **error);
/* Returns the address of its file; NULL if there is none. The caller owns it. @cancellable may be NULL. */
char *dyno_engine_registry_find_file (DynoHttp *http,
                                      const DynoEngine *engine,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-http.h"

G_BEGIN_DECLS

/* Takes the addresses from the settings. The environment has precedence. */
void dyno_engine_registry_apply_settings (GSettings *settings);
/* Returns the registry's address: from the environment, else from the settings, else from the tool that the
 * registry belongs to; NULL if there is none. May run that tool, so it belongs on a thread. @cancellable
 * may be NULL. Fails with DYNO_ERROR_NOT_FOUND, with the program to install or the variable to set. */
char *
dyno_engine_registry_dup_address (DynoEngineRegistry registry, GCancellable *cancellable, GError **error);
/* Returns the address of the engine's file; NULL if there is none. The caller owns it. @cancellable may be
 * NULL. */
char *dyno_engine_registry_find_file (DynoHttp *http,
                                      const DynoEngine *engine,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS

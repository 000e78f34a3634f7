/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine.h"
#include "dyno-http.h"

G_BEGIN_DECLS

/* Takes the addresses that the settings name. The environment comes before them. */
void dyno_engine_registry_apply_settings (GSettings *settings);
/* The address that the environment names, else the settings, else the tool whose registry it is. May run
 * that tool, so it belongs on a thread. Returns its address; NULL if there is none. @cancellable may be
 * NULL. Fails with DYNO_ERROR_NOT_FOUND with what to install or to set. */
char *
dyno_engine_registry_dup_address (DynoEngineRegistry registry, GCancellable *cancellable, GError **error);
/* Returns the address of its file; NULL if there is none. The caller owns it. @cancellable may be NULL. */
char *dyno_engine_registry_find_file (DynoHttp *http,
                                      const DynoEngine *engine,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS

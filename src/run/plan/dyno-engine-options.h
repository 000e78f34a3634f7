/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

GHashTable *dyno_engine_options_parse (const char *text, GError **error);
char *dyno_engine_options_to_string (GHashTable *options);
gboolean dyno_engine_options_check (GHashTable *options, DynoBackend *backend, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Returns the options by name, for #DynoSessionOptions; empty for none. It maps utf8 to utf8. @text
 * (nullable): a backend's own options in the syntax of a case, `name=value,name=value`. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT naming the wrong part. */
GHashTable *dyno_engine_options_parse (const char *text, GError **error);
/* Returns them in the syntax of a case, sorted by name. The caller owns it. @options holds utf8 and utf8. */
char *dyno_engine_options_to_string (GHashTable *options);
/* Returns whether the backend takes all of them. @options holds utf8 and utf8. Fails as
 * dyno_backend_check_option() does. */
gboolean dyno_engine_options_check (GHashTable *options, DynoBackend *backend, GError **error);

G_END_DECLS

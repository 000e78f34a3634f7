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
/* An option of one stage of a model is `STAGE.NAME`, where NAME is an option of the backend that opens the stage, or
 * `device` (in the form of “openvino:CPU”), `precision` or `threads`. Returns the options of one stage by NAME. @stage:
 * NULL for the options of the whole model. */
GHashTable *dyno_engine_options_take_stage (GHashTable *options, const char *stage);
/* Returns the names of stages that have options of their own, sorted. */
char **dyno_engine_options_list_stages (GHashTable *options);
/* Returns whether the backend has options of all these names. */
gboolean dyno_engine_options_are_known (GHashTable *options, DynoBackend *backend);
/* Returns whether the backend takes all of them, and the backends of stages theirs. @options holds utf8 and utf8. Fails as
 * dyno_backend_check_option() does. */
gboolean dyno_engine_options_check (GHashTable *options, DynoBackend *backend, GError **error);

G_END_DECLS

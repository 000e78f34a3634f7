/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

gboolean dyno_json_text_is_shallow (const char *text, gsize length);
char *dyno_json_text_dup_strict (const char *text, gsize length);
/* Returns its text, which is valid JSON whatever numbers and texts it holds. The caller owns it. */
char *dyno_json_text_write (JsonNode *node, gboolean is_pretty);

G_END_DECLS

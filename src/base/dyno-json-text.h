/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A recursive parser can overflow the stack on a hostile, deeply nested text; so call this before parsing.
 * Returns whether its arrays and objects are nested no deeper than 500. @length: its length in bytes. */
gboolean dyno_json_text_is_shallow (const char *text, gsize length);
/* Python writes numbers that JSON does not have: `Infinity`, `-Infinity` and `NaN`. Returns the text with the
 * largest number instead, or a string for `NaN`. @length: its length in bytes. */
char *dyno_json_text_dup_strict (const char *text, gsize length);
/* Returns its text, which is valid JSON for any numbers and texts. The caller owns it. */
char *dyno_json_text_write (JsonNode *node, gboolean is_pretty);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A parser that calls itself for every array in an array ends the process when a hostile text goes on with
 * that; so ask this before parsing. Returns whether its arrays and objects are not nested deeper than 500.
 * @length: its length in bytes. */
gboolean dyno_json_text_is_shallow (const char *text, gsize length);
/* Python writes numbers that JSON does not have: `Infinity`, `-Infinity` and `NaN`. Returns the same with
 * the largest number, or for `NaN` a text. @length: its length in bytes. */
char *dyno_json_text_dup_strict (const char *text, gsize length);
/* Returns its text, which is valid JSON whatever numbers and texts it holds. The caller owns it. */
char *dyno_json_text_write (JsonNode *node, gboolean is_pretty);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* dyno-json */

/* Parsed files of others: a node, object or array may be missing (NULL) and of any kind. Anything but the
 * wanted kind counts as missing, and gives NULL or the fallback. All results belong to their node. */

JsonObject *dyno_json_node_get_object (JsonNode *node);
JsonArray *dyno_json_node_get_array (JsonNode *node);
const char *dyno_json_node_get_string (JsonNode *node);
/* Returns a whole number, which may be written as 1e9. */
gint64 dyno_json_node_get_int64 (JsonNode *node, gint64 fallback);
double dyno_json_node_get_double (JsonNode *node, double fallback);

JsonObject *dyno_json_member_get_object (JsonObject *object, const char *name);
JsonArray *dyno_json_member_get_array (JsonObject *object, const char *name);
const char *dyno_json_member_get_string (JsonObject *object, const char *name);
gint64 dyno_json_member_get_int64 (JsonObject *object, const char *name, gint64 fallback);
double dyno_json_member_get_double (JsonObject *object, const char *name, double fallback);
/* Returns FALSE if it is missing. */
gboolean dyno_json_member_get_boolean (JsonObject *object, const char *name);
/* Returns the texts in the array; empty for none. The caller owns them. */
char **dyno_json_member_dup_strings (JsonObject *object, const char *name);
/* Returns the object at that index. */
JsonObject *dyno_json_member_get_element (JsonArray *array, guint index);

/* Members that may be unknown are null: no text, a negative size or flag, a double that is not finite. */

void dyno_json_member_set_string (JsonObject *object, const char *name, const char *value);
void dyno_json_member_set_size (JsonObject *object, const char *name, gint64 value);
void dyno_json_member_set_double (JsonObject *object, const char *name, double value);
void dyno_json_member_set_flag (JsonObject *object, const char *name, int value);

/* Returns the object that @text holds. The caller owns it. @length: its length in bytes, or -1 when it ends
 * with a zero. Fails with DYNO_ERROR_INVALID_DATA. */
JsonObject *dyno_json_parse_object (const char *text, gssize length, const char *what, GError **error);
/* Returns the object that @text holds; NULL if it holds none. The caller owns it. @text may be NULL. */
JsonObject *dyno_json_try_object (const char *text, gssize length);

/* Returns an object node with a member for each writable property. The caller owns it. @object: an object
 * whose writable properties are plain values, string arrays or such objects. */
JsonNode *dyno_json_from_object (GObject *object);
/* Returns whether every member was understood and set. @what: a name for @members in error messages, such as
 * “the suite quick.json”. Fails with DYNO_ERROR_INVALID_DATA naming the member that is unknown or of the
 * wrong kind. */
gboolean dyno_json_apply (GObject *object, JsonObject *members, const char *what, GError **error);

/* dyno-json-text */

/* A recursive parser can overflow the stack on a hostile, deeply nested text; so call this before parsing.
 * Returns whether its arrays and objects are nested no deeper than 500. @length: its length in bytes. */
gboolean dyno_json_text_is_shallow (const char *text, gsize length);
/* Returns whether it is JSON. @text: shallow, as dyno_json_text_is_shallow() says. @error: in UTF-8, without a full stop. */
gboolean dyno_json_text_load (JsonParser *parser, const char *text, gsize length, GError **error);
/* Returns what @text holds; NULL if it is not JSON, or nested too deeply. The caller owns it. */
JsonNode *dyno_json_text_parse (const char *text);
/* Python writes numbers that JSON does not have: `Infinity`, `-Infinity` and `NaN`. Returns the text with the
 * largest number instead, or a string for `NaN`. @length: its length in bytes. */
char *dyno_json_text_dup_strict (const char *text, gsize length);
/* Returns its text, which is valid JSON for any numbers and texts. The caller owns it. */
char *dyno_json_text_write (JsonNode *node, gboolean is_pretty);

G_END_DECLS

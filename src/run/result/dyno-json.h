/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns an object node with a member for each writable property. The caller owns it. @object: an object
 * whose writable properties are plain values, string arrays or such objects. */
JsonNode *dyno_json_from_object (GObject *object);
/* Returns whether every member was understood and set. @what: a name for @members in error messages, such as
 * “the suite quick.json”. Fails with DYNO_ERROR_INVALID_DATA naming the member that is unknown or of the
 * wrong kind. */
gboolean dyno_json_apply (GObject *object, JsonObject *members, const char *what, GError **error);
/* Returns the object that @text holds. @length: its length in bytes, or -1 when it ends with a zero. */
JsonObject *dyno_json_parse_object (const char *text, gssize length, const char *what, GError **error);

G_END_DECLS

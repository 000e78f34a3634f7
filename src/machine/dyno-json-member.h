/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Members that may be unknown: null in JSON, read back as the fallback. */

void dyno_json_member_set_string (JsonObject *object, const char *name, const char *value);
void dyno_json_member_set_size (JsonObject *object, const char *name, gint64 value);
void dyno_json_member_set_double (JsonObject *object, const char *name, double value);
void dyno_json_member_set_flag (JsonObject *object, const char *name, int value);

JsonObject *dyno_json_member_get_object (JsonObject *object, const char *name);
const char *dyno_json_member_get_string (JsonObject *object, const char *name);
gint64 dyno_json_member_get_int64 (JsonObject *object, const char *name, gint64 fallback);
double dyno_json_member_get_double (JsonObject *object, const char *name, double fallback);
gboolean dyno_json_member_get_boolean (JsonObject *object, const char *name);

JsonArray *dyno_json_member_get_array (JsonObject *object, const char *name);
JsonObject *dyno_json_member_get_element (JsonArray *array, guint index);

G_END_DECLS

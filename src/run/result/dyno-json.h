/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonNode *dyno_json_from_object (GObject *object);
gboolean dyno_json_apply (GObject *object, JsonObject *members, const char *what, GError **error);
JsonObject *dyno_json_parse_object (const char *text, gssize length, const char *what, GError **error);

G_END_DECLS

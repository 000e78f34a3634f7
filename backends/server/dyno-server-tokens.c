/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-server-private.h"

GArray *
dyno_server_tokens_list (DynoServerHttp *http,
                         const DynoServerKind *kind,
                         const char *model,
                         const char *text)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *body = NULL;
  g_autoptr (JsonObject) answer = NULL;
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  JsonArray *tokens;

  if (kind->tokenize_path == NULL)
    return NULL;
  json_object_set_string_member (object, "model", model);
  json_object_set_string_member (object, kind->tokenize_member, text);
  json_object_set_boolean_member (object, kind->tokenize_special, FALSE);
  json_node_set_object (node, object);
  body = dyno_json_text_write (node, FALSE);
  answer = dyno_server_http_read (http, kind->tokenize_path, body, NULL);
  tokens = dyno_json_member_get_array (answer, "tokens");
  for (guint i = 0; tokens != NULL && i < json_array_get_length (tokens); i++)
    {
      gint64 number = dyno_json_node_get_int64 (json_array_get_element (tokens, i), G_MININT64);

      if (number == G_MININT64)
        return NULL;
      g_array_append_val (numbers, number);
    }
  return tokens != NULL ? g_steal_pointer (&numbers) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json-member.h"
#include "dyno-server-private.h"
#include "dyno-text.h"

GArray *
dyno_server_tokens_list (DynoServerHttp *http,
                         const DynoServerKind *kind,
                         const char *model,
                         const char *text)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *body = NULL;
  g_autoptr (JsonNode) answer = NULL;
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
  tokens = answer != NULL ? dyno_json_member_get_array (json_node_get_object (answer), "tokens") : NULL;
  for (guint i = 0; tokens != NULL && i < json_array_get_length (tokens); i++)
    {
      JsonNode *element = json_array_get_element (tokens, i);
      gint64 number;

      if (!JSON_NODE_HOLDS_VALUE (element) || json_node_get_value_type (element) != G_TYPE_INT64)
        return NULL;
      number = json_node_get_int (element);
      g_array_append_val (numbers, number);
    }
  return tokens != NULL ? g_steal_pointer (&numbers) : NULL;
}

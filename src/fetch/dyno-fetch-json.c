/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-fetch-private.h"
#include "dyno-text.h"

JsonObject *
dyno_fetch_json_parse (JsonParser *parser, GBytes *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  JsonNode *root = size > 0 && dyno_json_text_is_shallow (text, size) &&
                           json_parser_load_from_data (parser, text, (gssize)size, NULL)
                       ? json_parser_get_root (parser)
                       : NULL;

  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
}

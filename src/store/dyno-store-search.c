/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-store-search.h"

char *
dyno_store_search_fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *normal = g_utf8_normalize (valid, -1, G_NORMALIZE_ALL_COMPOSE);
  g_autofree char *folded = g_utf8_casefold (normal, -1);

  return g_utf8_normalize (folded, -1, G_NORMALIZE_ALL_COMPOSE);
}

char *
dyno_store_search_dup_words (const char *search)
{
  g_autofree char *folded = dyno_store_search_fold (search != NULL ? search : "");
  g_auto (GStrv) words = g_strsplit_set (folded, " \t\n", -1);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) array = NULL;

  json_builder_begin_array (builder);
  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      json_builder_add_string_value (builder, *word);
  json_builder_end_array (builder);
  array = json_builder_get_root (builder);
  return dyno_json_text_write (array, FALSE);
}

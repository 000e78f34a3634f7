/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <json-glib/json-glib.h>

#include "dyno-json.h"
#include "dyno-server-private.h"

#define COMPLETIONS_PATH "/v1/completions"

/* Words of one token each in most vocabularies. */
static const char *const words[] = { "time",  "year", "people", "way",   "day",    "man",   "thing",
                                     "woman", "life", "child",  "world", "school", "state", "family",
                                     "hand",  "part", "place",  "case",  "week",   "work",  "night",
                                     "point", "home", "water",  "room",  "mother", "area",  "money",
                                     "story", "fact", "month",  "book" };

const char *
dyno_server_question_get_words (void)
{
  static gsize once;
  static char *all;

  if (g_once_init_enter (&once))
    {
      GString *joined = g_string_new (NULL);

      for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        g_string_append_printf (joined, " %s", words[i]);
      all = g_string_free (joined, FALSE);
      g_once_init_leave (&once, 1);
    }
  return all;
}

const char *
dyno_server_question_get_path (const DynoServerKind *kind, const GArray *vocabulary)
{
  return vocabulary != NULL ? COMPLETIONS_PATH : kind->chat_path;
}

static void
add_boolean (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

/* Fields beyond OpenAI's own are only sent to servers that support them. */
static void
add_openai (JsonBuilder *builder, const DynoServerKind *kind, guint max_tokens)
{
  json_builder_set_member_name (builder, "stream_options");
  json_builder_begin_object (builder);
  add_boolean (builder, "include_usage", TRUE);
  json_builder_end_object (builder);
  add_integer (builder, "temperature", 0);
  add_integer (builder, "max_tokens", max_tokens);
  if (kind->takes_ignore_eos)
    add_boolean (builder, "ignore_eos", TRUE);
  if (kind->takes_cache_prompt)
    add_boolean (builder, "cache_prompt", FALSE);
}

static void
add_ollama (JsonBuilder *builder, guint max_tokens)
{
  json_builder_set_member_name (builder, "options");
  json_builder_begin_object (builder);
  add_integer (builder, "temperature", 0);
  add_integer (builder, "num_predict", max_tokens);
  json_builder_end_object (builder);
}

/* OpenAI's protocol has parts of a message, Ollama's a list of pictures beside its text. */
static void
add_message (JsonBuilder *builder, const DynoServerKind *kind, const char *prompt, const char *picture)
{
  g_autofree char *address = picture != NULL ? g_strconcat ("data:image/png;base64,", picture, NULL) : NULL;

  json_builder_begin_object (builder);
  add_string (builder, "role", "user");
  if (picture == NULL || kind->protocol == DYNO_SERVER_PROTOCOL_OLLAMA)
    add_string (builder, "content", prompt);
  if (picture != NULL && kind->protocol == DYNO_SERVER_PROTOCOL_OLLAMA)
    {
      json_builder_set_member_name (builder, "images");
      json_builder_begin_array (builder);
      json_builder_add_string_value (builder, picture);
      json_builder_end_array (builder);
    }
  else if (picture != NULL)
    {
      json_builder_set_member_name (builder, "content");
      json_builder_begin_array (builder);
      json_builder_begin_object (builder);
      add_string (builder, "type", "text");
      add_string (builder, "text", prompt);
      json_builder_end_object (builder);
      json_builder_begin_object (builder);
      add_string (builder, "type", "image_url");
      json_builder_set_member_name (builder, "image_url");
      json_builder_begin_object (builder);
      add_string (builder, "url", address);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

char *
dyno_server_question_create (const DynoServerKind *kind,
                             const char *model,
                             const GArray *vocabulary,
                             const char *picture,
                             guint prompt_tokens,
                             guint max_tokens)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  add_string (builder, "model", model);
  if (vocabulary != NULL)
    {
      json_builder_set_member_name (builder, "prompt");
      json_builder_begin_array (builder);
      for (guint i = 0; i < prompt_tokens; i++)
        json_builder_add_int_value (
            builder, g_array_index (vocabulary, gint64, g_random_int_range (0, (gint32)vocabulary->len)));
      json_builder_end_array (builder);
    }
  else
    {
      g_autoptr (GString) prompt = g_string_new (NULL);

      for (guint i = 0; i < prompt_tokens; i++)
        g_string_append_printf (prompt, "%s%s", i > 0 ? " " : "",
                                words[g_random_int_range (0, G_N_ELEMENTS (words))]);
      json_builder_set_member_name (builder, "messages");
      json_builder_begin_array (builder);
      add_message (builder, kind, prompt->str, picture);
      json_builder_end_array (builder);
    }
  add_boolean (builder, "stream", TRUE);
  if (kind->protocol == DYNO_SERVER_PROTOCOL_OLLAMA)
    add_ollama (builder, max_tokens);
  else
    add_openai (builder, kind, max_tokens);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return dyno_json_text_write (root, FALSE);
}

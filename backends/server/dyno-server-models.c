/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json-member.h"
#include "dyno-server-models.h"

#define LIST_PATH "/v1/models"

/* A server that is known: what it answers as the owner of its models tells which it is; the rest is where it says more of
 * a model, and names of members one within the other, in that or in the list of models. */
static const struct
{
  const char *owner;
  const char *name;
  const char *path; /* %s is the model, as part of an address */
  gboolean is_post; /* with the model in the body instead */
  const char *precision;
  const char *parameters;
  const char *slots;
} kinds[] = {
  { "llamacpp", "llama-server", "/props", FALSE, "meta/ftype", "meta/n_params", "total_slots" },
  { "vllm", "vLLM", NULL, FALSE, NULL, NULL, NULL },
  { "library", "Ollama", "/api/show", TRUE, "details/quantization_level",
    "model_info/general.parameter_count", NULL },
  { "organization_owner", "LM Studio", "/api/v0/models/%s", FALSE, "quantization", NULL, NULL },
};

static JsonArray *
get_list (JsonNode *answer)
{
  return dyno_json_member_get_array (json_node_get_object (answer), "data");
}

/**
 * dyno_server_models_list:
 * @http: how to ask the server
 * @name: (out): what kind of server it is
 * @error: return location
 *
 * Returns: (transfer full) (array zero-terminated=1): the models that it holds
 */
char **
dyno_server_models_list (DynoServerHttp *http, const char **name, GError **error)
{
  g_autoptr (JsonNode) answer = dyno_server_http_read (http, LIST_PATH, NULL, error);
  JsonArray *list = answer != NULL ? get_list (answer) : NULL;
  g_autoptr (GStrvBuilder) models = g_strv_builder_new ();

  *name = _ ("OpenAI-compatible server");
  if (answer != NULL && list == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("What answers at “%s” does not list models as an OpenAI-compatible server does."),
                 http->server);
  if (list == NULL)
    return NULL;
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *model = dyno_json_member_get_element (list, i);
      const char *id = model != NULL ? dyno_json_member_get_string (model, "id") : NULL;
      const char *owner = model != NULL ? dyno_json_member_get_string (model, "owned_by") : NULL;

      if (id != NULL && *id != '\0')
        g_strv_builder_add (models, id);
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        if (g_strcmp0 (owner, kinds[k].owner) == 0)
          *name = kinds[k].name;
    }
  return g_strv_builder_end (models);
}

static JsonNode *
ask_about (DynoServerHttp *http, guint kind, const char *model)
{
  g_autofree char *escaped = g_uri_escape_string (model, NULL, FALSE);
  g_auto (GStrv) around = g_strsplit (kinds[kind].path, "%s", 2);
  g_autofree char *path = g_strconcat (around[0], around[1] != NULL ? escaped : "", around[1], NULL);
  g_autofree char *body = NULL;

  if (kinds[kind].is_post)
    {
      g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
      g_autoptr (JsonObject) object = json_object_new ();

      json_object_set_string_member (object, "model", model);
      json_node_set_object (node, object);
      body = json_to_string (node, FALSE);
    }
  return dyno_server_http_read (http, path, body, NULL);
}

/* @place: names of members, one within the other, with slashes in between. */
static JsonObject *
find_parent (JsonObject *object, const char *place, const char **name)
{
  g_auto (GStrv) names = g_strsplit (place, "/", -1);
  guint n = g_strv_length (names);

  for (guint i = 0; object != NULL && i + 1 < n; i++)
    object = dyno_json_member_get_object (object, names[i]);
  *name = strrchr (place, '/') != NULL ? strrchr (place, '/') + 1 : place;
  return object;
}

static char *
dup_text (JsonObject *object, const char *place)
{
  const char *name;
  JsonObject *parent = place != NULL ? find_parent (object, place, &name) : NULL;

  return parent != NULL ? g_strdup (dyno_json_member_get_string (parent, name)) : NULL;
}

static gint64
get_count (JsonObject *object, const char *place)
{
  const char *name;
  JsonObject *parent = place != NULL ? find_parent (object, place, &name) : NULL;

  return parent != NULL ? MAX (dyno_json_member_get_int64 (parent, name, 0), 0) : 0;
}

static void
read_facts (guint kind, JsonObject *object, DynoServer *server)
{
  if (server->precision == NULL)
    server->precision = dup_text (object, kinds[kind].precision);
  server->n_parameters = MAX (server->n_parameters, get_count (object, kinds[kind].parameters));
  server->n_slots = MAX (server->n_slots, (guint)MIN (get_count (object, kinds[kind].slots), G_MAXUINT16));
}

static void
read_list (guint kind, JsonNode *answer, const char *model, DynoServer *server)
{
  JsonArray *list = answer != NULL ? get_list (answer) : NULL;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *entry = dyno_json_member_get_element (list, i);

      if (entry != NULL && g_strcmp0 (dyno_json_member_get_string (entry, "id"), model) == 0)
        read_facts (kind, entry, server);
    }
}

/**
 * dyno_server_models_describe:
 * @http: how to ask the server
 * @model: a model of it
 * @server: gets what the server says of itself and of the model, by the name that it has there already
 */
void
dyno_server_models_describe (DynoServerHttp *http, const char *model, DynoServer *server)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (JsonNode) list = NULL;
      g_autoptr (JsonNode) answer = NULL;

      if (!g_str_equal (kinds[k].name, server->name))
        continue;
      list = dyno_server_http_read (http, LIST_PATH, NULL, NULL);
      read_list (k, list, model, server);
      answer = kinds[k].path != NULL ? ask_about (http, k, model) : NULL;
      if (answer != NULL)
        read_facts (k, json_node_get_object (answer), server);
    }
}

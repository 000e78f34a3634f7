/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-server-private.h"

#define LIST_PATH "/v1/models"

static JsonObject *
find_in_list (const DynoServerFact *fact, JsonObject *answer, const char *model)
{
  JsonArray *list = dyno_json_member_get_array (answer, fact->list);

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *entry = dyno_json_member_get_element (list, i);

      if (g_strcmp0 (dyno_json_member_get_string (entry, fact->id), model) == 0)
        return entry;
    }
  return NULL;
}

/* Some servers answer every request, and some imitate others, so the answer must mention one of the models. */
static gboolean
is_told_of (DynoServerHttp *http, const DynoServerFact *fact, char **models)
{
  g_autoptr (JsonObject) answer = dyno_server_http_read (http, fact->path, NULL, NULL);

  for (char **model = models; answer != NULL && *model != NULL; model++)
    if (find_in_list (fact, answer, *model) != NULL)
      return TRUE;
  return FALSE;
}

/* Used if the owner of no model is known. */
static const DynoServerKind *
find_by_sign (DynoServerHttp *http, char **models)
{
  const DynoServerKind *kind;
  const DynoServerFact *fact;

  for (guint i = 0; (kind = dyno_server_kind_get_signed (i)) != NULL; i++)
    for (guint k = 0; (fact = dyno_server_kind_get_fact (kind, k)) != NULL; k++)
      if (g_str_equal (fact->path, kind->sign) && is_told_of (http, fact, models))
        return kind;
  return dyno_server_kind_get_unknown ();
}

char **
dyno_server_models_list (DynoServerHttp *http, const DynoServerKind **kind, GError **error)
{
  g_autoptr (JsonObject) answer = dyno_server_http_read (http, LIST_PATH, NULL, error);
  JsonArray *list = dyno_json_member_get_array (answer, "data");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) models = NULL;

  *kind = NULL;
  if (answer != NULL && list == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("What answers at “%s” does not list models as an OpenAI-compatible server does."),
                 http->server);
  if (list == NULL)
    return NULL;
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *model = dyno_json_member_get_element (list, i);
      const char *id = dyno_json_member_get_string (model, "id");

      if (id != NULL && *id != '\0')
        g_strv_builder_add (builder, id);
      if (model != NULL && *kind == NULL)
        *kind = dyno_server_kind_find (dyno_json_member_get_string (model, "owned_by"));
    }
  models = g_strv_builder_end (builder);
  if (*kind == NULL)
    *kind = find_by_sign (http, models);
  return g_steal_pointer (&models);
}

/* @place: nested names of members, separated by slashes. */
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

static gint64
get_count (JsonObject *object, const char *place)
{
  const char *name;
  JsonObject *parent = place != NULL ? find_parent (object, place, &name) : NULL;

  return parent != NULL ? MAX (dyno_json_member_get_int64 (parent, name, 0), 0) : 0;
}

static void
read_fact (const DynoServerFact *fact, JsonObject *answer, const char *model, DynoServer *server)
{
  JsonObject *object = fact->list != NULL ? find_in_list (fact, answer, model) : answer;

  if (object == NULL)
    return;
  if (server->precision == NULL)
    {
      /* Ollama returns “unknown” if a model's file does not give it. */
      const char *name;
      JsonObject *parent = fact->precision != NULL ? find_parent (object, fact->precision, &name) : NULL;
      const char *precision = dyno_json_member_get_string (parent, name);

      if (precision != NULL && g_ascii_strcasecmp (precision, "unknown") != 0)
        server->precision = g_strdup (precision);
    }
  server->n_parameters = MAX (server->n_parameters, get_count (object, fact->parameters));
  server->weight_bytes = MAX (server->weight_bytes, get_count (object, fact->weights));
  server->n_slots = MAX (server->n_slots, (guint)MIN (get_count (object, fact->slots), G_MAXUINT16));
}

void
dyno_server_models_describe (DynoServerHttp *http,
                             const DynoServerKind *kind,
                             const char *model,
                             DynoServer *server)
{
  const DynoServerFact *fact;

  for (guint i = 0; (fact = dyno_server_kind_get_fact (kind, i)) != NULL; i++)
    {
      g_autofree char *escaped = g_uri_escape_string (model, NULL, FALSE);
      g_auto (GStrv) around = g_strsplit (fact->path, "%s", 2);
      g_autofree char *path = g_strconcat (around[0], around[1] != NULL ? escaped : "", around[1], NULL);
      g_autofree char *body = NULL;

      if (fact->is_post)
        {
          g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
          g_autoptr (JsonObject) object = json_object_new ();

          json_object_set_string_member (object, "model", model);
          json_node_set_object (node, object);
          body = dyno_json_text_write (node, FALSE);
        }

      g_autoptr (JsonObject) answer = dyno_server_http_read (http, path, body, NULL);

      if (answer != NULL)
        read_fact (fact, answer, model, server);
    }
}

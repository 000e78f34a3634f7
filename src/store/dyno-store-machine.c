/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-json.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

/* The members of a DynoMachine snapshot that describe the moment, not the machine. */
static const char *const state_names[] = { "clock", "state" };

static JsonNode *sort_members (JsonNode *node);

static JsonNode *
sort_object (JsonObject *object)
{
  g_autoptr (JsonObject) sorted = json_object_new ();
  g_autoptr (GList) names = g_list_sort (json_object_get_members (object), (GCompareFunc)g_strcmp0);

  for (GList *l = names; l != NULL; l = l->next)
    json_object_set_member (sorted, l->data, sort_members (json_object_get_member (object, l->data)));
  return json_node_init_object (json_node_alloc (), sorted);
}

static JsonNode *
sort_members (JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    return sort_object (json_node_get_object (node));
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);
      g_autoptr (JsonArray) sorted = json_array_new ();

      for (guint i = 0; i < json_array_get_length (array); i++)
        json_array_add_element (sorted, sort_members (json_array_get_element (array, i)));
      return json_node_init_array (json_node_alloc (), sorted);
    }
  return json_node_copy (node);
}

static char *
write_canonical (JsonObject *object)
{
  g_autoptr (JsonNode) node = sort_object (object);

  return dyno_json_text_write (node, FALSE);
}

gboolean
dyno_store_machine_split (const char *json, char **id, char **snapshot, char **state, GError **error)
{
  g_autoptr (JsonObject) machine = dyno_json_parse_object (json, -1, _ ("The machine’s snapshot"), error);
  g_autoptr (JsonObject) moment = NULL;

  if (machine == NULL)
    return FALSE;
  moment = json_object_new ();
  for (guint i = 0; i < G_N_ELEMENTS (state_names); i++)
    if (json_object_has_member (machine, state_names[i]))
      {
        json_object_set_member (moment, state_names[i], json_object_dup_member (machine, state_names[i]));
        json_object_remove_member (machine, state_names[i]);
      }
  *snapshot = write_canonical (machine);
  *state = write_canonical (moment);
  *id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, *snapshot, -1);
  return TRUE;
}

gboolean
dyno_store_machine_reduce (const char *json, char **id, char **snapshot, GError **error)
{
  static const char *const names[] = { "cpu", "caches", "host", "container" };
  g_autoptr (JsonObject) machine = dyno_json_parse_object (json, -1, _ ("The machine’s snapshot"), error);
  g_autoptr (JsonObject) reduced = json_object_new ();
  JsonObject *memory;

  if (machine == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (json_object_has_member (machine, names[i]))
      json_object_set_member (reduced, names[i], json_object_dup_member (machine, names[i]));
  memory = dyno_json_member_get_object (machine, "memory");
  if (memory != NULL && json_object_has_member (memory, "total_bytes"))
    json_object_set_member (reduced, "memory_bytes", json_object_dup_member (memory, "total_bytes"));
  *snapshot = write_canonical (reduced);
  *id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, *snapshot, -1);
  return TRUE;
}

gboolean
dyno_store_machine_add (GHashTable *machines, const char *json)
{
  g_autofree char *id = NULL;
  g_autofree char *snapshot = NULL;

  return dyno_store_machine_reduce (json, &id, &snapshot, NULL) &&
         g_hash_table_add (machines, g_steal_pointer (&id));
}

GHashTable *
dyno_store_machine_list_same (sqlite3 *db, const char *machine, GError **error)
{
  g_autoptr (GHashTable) machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *id = NULL;
  g_autofree char *snapshot = NULL;
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;

  if (!dyno_store_machine_reduce (machine, &id, &snapshot, error))
    return NULL;
  statement = dyno_store_statement_new (db, "SELECT id, snapshot FROM machines", error);
  if (statement == NULL)
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *other = dyno_store_statement_dup_word (statement, 1);
      g_autofree char *other_id = NULL;
      g_autofree char *other_snapshot = NULL;

      if (dyno_store_machine_reduce (other, &other_id, &other_snapshot, NULL) && g_str_equal (id, other_id))
        g_hash_table_add (machines, dyno_store_statement_dup_word (statement, 0));
    }
  return dyno_error_pass (&local_error, error) ? g_steal_pointer (&machines) : NULL;
}

char *
dyno_store_machine_join (const char *snapshot, const char *state, GError **error)
{
  g_autoptr (JsonObject) machine = dyno_json_parse_object (snapshot, -1, _ ("The machine’s snapshot"), error);
  g_autoptr (JsonObject) moment = NULL;

  if (machine == NULL)
    return NULL;
  moment = dyno_json_parse_object (state, -1, _ ("The machine’s state"), error);
  if (moment == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (state_names); i++)
    if (json_object_has_member (moment, state_names[i]))
      json_object_set_member (machine, state_names[i], json_object_dup_member (moment, state_names[i]));
  return write_canonical (machine);
}

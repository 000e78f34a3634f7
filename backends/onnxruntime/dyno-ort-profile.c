/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "dyno-error.h"
#include "dyno-ort-profile.h"
#include "dyno-session.h"

#define KERNEL_SUFFIX "_kernel_time"

/* The names of element types in a trace of ONNX Runtime. */
static const struct
{
  const char *name;
  DynoDataType type;
} element_types[] = {
  { "float", DYNO_DATA_TYPE_FLOAT },     { "double", DYNO_DATA_TYPE_DOUBLE },
  { "float16", DYNO_DATA_TYPE_FLOAT16 }, { "bfloat16", DYNO_DATA_TYPE_BFLOAT16 },
  { "int8", DYNO_DATA_TYPE_INT8 },       { "int16", DYNO_DATA_TYPE_INT16 },
  { "int32", DYNO_DATA_TYPE_INT32 },     { "int64", DYNO_DATA_TYPE_INT64 },
  { "uint8", DYNO_DATA_TYPE_UINT8 },     { "uint16", DYNO_DATA_TYPE_UINT16 },
  { "uint32", DYNO_DATA_TYPE_UINT32 },   { "uint64", DYNO_DATA_TYPE_UINT64 },
  { "bool", DYNO_DATA_TYPE_BOOL },       { "string", DYNO_DATA_TYPE_STRING },
};

static DynoDataType
parse_type (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (element_types); i++)
    if (g_str_equal (element_types[i].name, name))
      return element_types[i].type;
  return DYNO_DATA_TYPE_UNDEFINED;
}

/* One shape is an object of one member: `{"float": [1, 128]}`. */
static void
parse_shape (GArray *shapes, JsonObject *object)
{
  DynoShape shape = { 0 };
  JsonObjectIter iter;
  const char *type_name;
  JsonNode *node;
  JsonArray *dims;

  json_object_iter_init (&iter, object);
  if (!json_object_iter_next (&iter, &type_name, &node) || !JSON_NODE_HOLDS_ARRAY (node))
    return;
  dims = json_node_get_array (node);
  shape.type = parse_type (type_name);
  shape.rank = MIN (json_array_get_length (dims), DYNO_SHAPE_MAX_RANK);
  for (guint i = 0; i < shape.rank; i++)
    shape.dims[i] = json_array_get_int_element (dims, i);
  g_array_append_val (shapes, shape);
}

static GArray *
parse_shapes (JsonObject *args, const char *member)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  JsonNode *node = json_object_get_member (args, member);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (element))
        parse_shape (shapes, json_node_get_object (element));
    }
  return shapes;
}

static DynoNodeProfile *
find_or_add_node (GPtrArray *nodes, GHashTable *by_key, const char *event_name, JsonObject *args)
{
  g_autofree char *key = g_strdup_printf (
      "%s %s", json_object_get_string_member_with_default (args, "node_index", ""), event_name);
  DynoNodeProfile *node = g_hash_table_lookup (by_key, key);

  if (node != NULL)
    return node;
  node = g_new0 (DynoNodeProfile, 1);
  node->name = g_strndup (event_name, strlen (event_name) - strlen (KERNEL_SUFFIX));
  node->op_type = g_strdup (json_object_get_string_member_with_default (args, "op_name", ""));
  node->provider = g_strdup (json_object_get_string_member_with_default (args, "provider", NULL));
  g_ptr_array_add (nodes, node);
  g_hash_table_insert (by_key, g_steal_pointer (&key), node);
  return node;
}

static void
add_event (GPtrArray *nodes, GHashTable *by_key, JsonObject *event)
{
  const char *category = json_object_get_string_member_with_default (event, "cat", "");
  const char *name = json_object_get_string_member_with_default (event, "name", "");
  JsonNode *args_node = json_object_get_member (event, "args");
  JsonObject *args;
  DynoNodeProfile *node;

  if (!g_str_equal (category, "Node") || !g_str_has_suffix (name, KERNEL_SUFFIX))
    return;
  if (args_node == NULL || !JSON_NODE_HOLDS_OBJECT (args_node))
    return;
  args = json_node_get_object (args_node);
  node = find_or_add_node (nodes, by_key, name, args);
  node->calls++;
  node->time_ns += 1000 * json_object_get_int_member_with_default (event, "dur", 0);
  g_clear_pointer (&node->inputs, g_array_unref);
  g_clear_pointer (&node->outputs, g_array_unref);
  node->inputs = parse_shapes (args, "input_type_shape");
  node->outputs = parse_shapes (args, "output_type_shape");
}

static gboolean
is_end_of_run (JsonArray *events, guint index)
{
  JsonNode *event = json_array_get_element (events, index);

  return JSON_NODE_HOLDS_OBJECT (event) &&
         g_str_equal (json_object_get_string_member_with_default (json_node_get_object (event), "name", ""),
                      "model_run");
}

/* The first run of a session still allocates; where there are others, it says nothing about how a step goes. */
static guint
find_first_event (JsonArray *events)
{
  guint first = 0, n_runs = 0;

  for (guint i = 0; i < json_array_get_length (events) && n_runs < 2; i++)
    if (is_end_of_run (events, i) && ++n_runs == 1)
      first = i + 1;
  return n_runs > 1 ? first : 0;
}

static guint
count_runs (JsonArray *events)
{
  guint n_runs = 0;

  for (guint i = 0; i < json_array_get_length (events); i++)
    n_runs += is_end_of_run (events, i);
  return n_runs;
}

/* What a device did for a node is an event of its own, `NODE&OPERATOR&PROGRAM`, in the order of the runs. */
static char *
dup_key_of_device_event (JsonObject *event)
{
  const char *name = json_object_get_string_member_with_default (event, "name", "");
  const char *end = strrchr (name, '&');

  if (!g_str_equal (json_object_get_string_member_with_default (event, "cat", ""), "Api") || end == NULL)
    return NULL;
  return g_strndup (name, (gsize)(end - name));
}

/* The times of the device's events by node and operator. */
static GHashTable *
collect_device_times (JsonArray *events)
{
  GHashTable *times = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonNode *element = json_array_get_element (events, i);
      JsonObject *event = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;
      g_autofree char *key = event != NULL ? dup_key_of_device_event (event) : NULL;
      gint64 time_ns;
      GArray *of_node;

      if (key == NULL)
        continue;
      time_ns = 1000 * json_object_get_int_member_with_default (event, "dur", 0);
      of_node = g_hash_table_lookup (times, key);
      if (of_node == NULL)
        {
          of_node = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_hash_table_insert (times, g_steal_pointer (&key), of_node);
        }
      g_array_append_val (of_node, time_ns);
    }
  return times;
}

/* Where the device tells its times, the processor's are those of handing work over, and of waiting. Nodes for which the
 * device did nothing took none of its time. */
static void
use_device_times (GPtrArray *nodes, JsonArray *events)
{
  g_autoptr (GHashTable) times = collect_device_times (events);
  guint n_runs = count_runs (events);
  const char *provider = NULL;

  for (guint i = 0; i < nodes->len; i++)
    {
      DynoNodeProfile *node = nodes->pdata[i];
      g_autofree char *key = g_strdup_printf ("%s&%s", node->name, node->op_type);
      const GArray *of_node = g_hash_table_lookup (times, key);
      guint n_skipped = of_node != NULL && n_runs > 1 ? of_node->len / n_runs : 0;

      if (of_node == NULL)
        continue;
      provider = node->provider;
      node->time_ns = 0;
      for (guint j = n_skipped; j < of_node->len; j++)
        node->time_ns += g_array_index (of_node, gint64, j);
    }
  for (guint i = 0; provider != NULL && i < nodes->len; i++)
    {
      DynoNodeProfile *node = nodes->pdata[i];
      g_autofree char *key = g_strdup_printf ("%s&%s", node->name, node->op_type);

      if (g_strcmp0 (node->provider, provider) == 0 && !g_hash_table_contains (times, key))
        node->time_ns = 0;
    }
}

/**
 * dyno_ort_profile_parse:
 * @path: a trace that ONNX Runtime wrote
 * @error: return location for an error
 *
 * Sums a trace up by node, without the first run where there are others. ONNX Runtime's clock for nodes ticks in
 * microseconds, and inputs that a node leaves out are not in its list of shapes. Times are the device's where it tells
 * them.
 *
 * Returns: (transfer full) (element-type DynoNodeProfile): the nodes in order of their first call
 */
GPtrArray *
dyno_ort_profile_parse (const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GHashTable) by_key = NULL;
  JsonNode *root;
  JsonArray *events;

  if (!json_parser_load_from_mapped_file (parser, path, error))
    return NULL;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("ONNX Runtime’s trace “%s” is no list of events."), path);
      return NULL;
    }
  nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  events = json_node_get_array (root);
  for (guint i = find_first_event (events); i < json_array_get_length (events); i++)
    {
      JsonNode *event = json_array_get_element (events, i);

      if (JSON_NODE_HOLDS_OBJECT (event))
        add_event (nodes, by_key, json_node_get_object (event));
    }
  use_device_times (nodes, events);
  return g_steal_pointer (&nodes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "dyno-error.h"
#include "dyno-ort-profile.h"
#include "dyno-ort-target.h"
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

static JsonObject *
get_node_event (JsonArray *events, guint index)
{
  JsonNode *element = json_array_get_element (events, index);
  JsonObject *event = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;

  if (event == NULL || !g_str_equal (json_object_get_string_member_with_default (event, "cat", ""), "Node") ||
      !g_str_has_suffix (json_object_get_string_member_with_default (event, "name", ""), KERNEL_SUFFIX))
    return NULL;
  return event;
}

/* A node that repeats or chooses other nodes lasts as long as they do, and their own events end earlier. Returns the
 * time in µs of those that began within the event at @index. */
static gint64
find_time_of_body (JsonArray *events, guint index)
{
  gint64 start = json_object_get_int_member_with_default (get_node_event (events, index), "ts", 0);
  gint64 seen = G_MAXINT64;
  gint64 sum = 0;

  for (guint i = index; i > 0; i--)
    {
      JsonObject *event = get_node_event (events, i - 1);
      gint64 begin = event != NULL ? json_object_get_int_member_with_default (event, "ts", 0) : G_MAXINT64;

      if (begin < start)
        break;
      if (begin >= seen)
        continue;
      seen = begin;
      sum += json_object_get_int_member_with_default (event, "dur", 0);
    }
  return sum;
}

static gboolean
has_body (const char *op_type)
{
  static const char *const types[] = { "If", "Loop", "Scan", NULL };

  return g_strv_contains (types, op_type);
}

static void
add_event (GPtrArray *nodes, GHashTable *by_key, JsonArray *events, guint index)
{
  JsonObject *event = get_node_event (events, index);
  JsonNode *args_node = event != NULL ? json_object_get_member (event, "args") : NULL;
  JsonObject *args;
  DynoNodeProfile *node;

  if (args_node == NULL || !JSON_NODE_HOLDS_OBJECT (args_node))
    return;
  args = json_node_get_object (args_node);
  node = find_or_add_node (nodes, by_key, json_object_get_string_member (event, "name"), args);
  node->calls++;
  node->time_ns += 1000 * json_object_get_int_member_with_default (event, "dur", 0);
  if (has_body (node->op_type))
    node->time_ns -= 1000 * find_time_of_body (events, index);
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

/* The first run of a session still allocates; if there are others, it does not show the time of a step. */
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

/* A device reports its work for a node as a separate event, in the order of the runs: `NODE&OPERATOR&PROGRAM` by
 * WebGPU's provider; those for CUDA and ROCm, if they are built with a profiler, name the node's event in their
 * arguments. */
static char *
dup_key_of_device_event (JsonObject *event)
{
  const char *category = json_object_get_string_member_with_default (event, "cat", "");
  const char *name = json_object_get_string_member_with_default (event, "name", "");
  const char *end = strrchr (name, '&');
  JsonNode *node = json_object_get_member (event, "args");
  JsonObject *args = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *parent =
      args != NULL ? json_object_get_string_member_with_default (args, "parent_name", NULL) : NULL;

  if (g_str_equal (category, "Api") && end != NULL)
    return g_strndup (name, (gsize)(end - name));
  if (!g_str_equal (category, "Kernel") || parent == NULL || !g_str_has_suffix (parent, KERNEL_SUFFIX))
    return NULL;
  return g_strdup_printf ("%.*s&%s", (int)(strlen (parent) - strlen (KERNEL_SUFFIX)), parent,
                          json_object_get_string_member_with_default (args, "op_name", ""));
}

/* Returns the times of the device's events by node and operator. */
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

static const GArray *
find_device_times (GHashTable *times, const DynoNodeProfile *node)
{
  g_autofree char *key = g_strdup_printf ("%s&%s", node->name, node->op_type);

  return g_hash_table_lookup (times, key);
}

static const char *
find_provider_with_times (GPtrArray *nodes, GHashTable *times)
{
  for (guint i = 0; i < nodes->len; i++)
    if (find_device_times (times, nodes->pdata[i]) != NULL)
      return ((DynoNodeProfile *)nodes->pdata[i])->provider;
  return NULL;
}

/* Sums the times, without the first of several runs. */
static gint64
sum_up_times (const GArray *times, guint n_runs)
{
  gint64 sum = 0;

  for (guint i = n_runs > 1 ? times->len / n_runs : 0; i < times->len; i++)
    sum += g_array_index (times, gint64, i);
  return sum;
}

/* These providers are done with a node when its call returns. Others queue it and compute it later: the trace times
 * the queueing, and the node that waits for the result gets the time of all. */
static gboolean
returns_when_done (const char *provider)
{
  static const char *const names[] = { DYNO_ORT_PROVIDER_CPU,    "XnnpackExecutionProvider",
                                       "DnnlExecutionProvider",  DYNO_ORT_PROVIDER_QNN,
                                       DYNO_ORT_PROVIDER_COREML, NULL };

  return provider != NULL && g_strv_contains (names, provider);
}

/* If the device reports times, nodes without an event took none of its time; if it does not, they are unknown. */
static void
use_device_times (GPtrArray *nodes, JsonArray *events)
{
  g_autoptr (GHashTable) times = collect_device_times (events);
  const char *provider = find_provider_with_times (nodes, times);
  guint n_runs = count_runs (events);

  for (guint i = 0; i < nodes->len; i++)
    {
      DynoNodeProfile *node = nodes->pdata[i];
      const GArray *of_node = find_device_times (times, node);

      if (of_node != NULL)
        node->time_ns = sum_up_times (of_node, n_runs);
      else if (provider != NULL && g_strcmp0 (node->provider, provider) == 0)
        node->time_ns = 0;
      else if (!returns_when_done (node->provider))
        node->time_ns = -1;
    }
}

/* Names are written as they are in the model: a single invalid byte must not invalidate all the rest. */
static gboolean
load_trace (JsonParser *parser, const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  g_autofree char *valid = NULL;

  if (file == NULL)
    return FALSE;
  if (g_utf8_validate_len (g_mapped_file_get_contents (file), g_mapped_file_get_length (file), NULL))
    return json_parser_load_from_mapped_file (parser, path, error);
  valid = g_utf8_make_valid (g_mapped_file_get_contents (file), (gssize)g_mapped_file_get_length (file));
  return json_parser_load_from_data (parser, valid, -1, error);
}

GPtrArray *
dyno_ort_profile_parse (const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GHashTable) by_key = NULL;
  JsonNode *root;
  JsonArray *events;

  if (!load_trace (parser, path, error))
    return NULL;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("ONNX Runtime’s profile “%s” is not a list of events."), path);
      return NULL;
    }
  nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  events = json_node_get_array (root);
  for (guint i = find_first_event (events); i < json_array_get_length (events); i++)
    add_event (nodes, by_key, events, i);
  use_device_times (nodes, events);
  return g_steal_pointer (&nodes);
}

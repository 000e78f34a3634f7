/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-operator.h"
#include "dyno-ort-profile.h"
#include "dyno-ort-target.h"
#include "dyno-session.h"

#define KERNEL_SUFFIX "_kernel_time"

/* No operator takes an hour, and a million of them still have a sum. */
#define MOST_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

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

/* Returns an empty text for a member that is missing or none. */
static const char *
get_text (JsonObject *event, const char *member)
{
  const char *text = dyno_json_member_get_string (event, member);

  return text != NULL ? text : "";
}

static gint64
get_duration_ns (JsonObject *event)
{
  return 1000 * CLAMP (dyno_json_member_get_int64 (event, "dur", 0), 0, MOST_US);
}

static GArray *
parse_shapes (JsonObject *args, const char *member)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  JsonArray *array = dyno_json_member_get_array (args, member);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = dyno_json_member_get_element (array, i);
      DynoShape shape = { 0 };
      JsonObjectIter iter;
      const char *type_name;
      JsonNode *node_dims;
      JsonArray *dims;

      if (object == NULL)
        continue;
      json_object_iter_init (&iter, object);
      if (!json_object_iter_next (&iter, &type_name, &node_dims) || !JSON_NODE_HOLDS_ARRAY (node_dims))
        continue;
      dims = json_node_get_array (node_dims);
      for (guint k = 0; k < G_N_ELEMENTS (element_types); k++)
        if (g_str_equal (element_types[k].name, type_name))
          shape.type = element_types[k].type;
      shape.rank = MIN (json_array_get_length (dims), DYNO_SHAPE_MAX_RANK);
      for (guint k = 0; k < shape.rank; k++)
        shape.dims[k] = MAX (dyno_json_node_get_int64 (json_array_get_element (dims, k), 0), 0);
      g_array_append_val (shapes, shape);
    }
  return shapes;
}

static DynoNodeProfile *
find_or_add_node (GPtrArray *nodes, GHashTable *by_key, const char *event_name, JsonObject *args)
{
  g_autofree char *key = g_strdup_printf ("%s %s", get_text (args, "node_index"), event_name);
  DynoNodeProfile *node = g_hash_table_lookup (by_key, key);

  if (node != NULL)
    return node;
  node = g_new0 (DynoNodeProfile, 1);
  node->name = g_strndup (event_name, strlen (event_name) - strlen (KERNEL_SUFFIX));
  node->op_type = g_strdup (get_text (args, "op_name"));
  node->provider = g_strdup (dyno_json_member_get_string (args, "provider"));
  g_ptr_array_add (nodes, node);
  g_hash_table_insert (by_key, g_steal_pointer (&key), node);
  return node;
}

static JsonObject *
get_node_event (JsonArray *events, guint index)
{
  JsonObject *event = dyno_json_member_get_element (events, index);

  if (event == NULL || !g_str_equal (get_text (event, "cat"), "Node") ||
      !g_str_has_suffix (get_text (event, "name"), KERNEL_SUFFIX))
    return NULL;
  return event;
}

static void
add_event (GPtrArray *nodes, GHashTable *by_key, JsonArray *events, guint index)
{
  static const char *const with_body[] = { "If", "Loop", "Scan", NULL };
  JsonObject *event = get_node_event (events, index);
  JsonObject *args = dyno_json_member_get_object (event, "args");
  gint64 own_ns = get_duration_ns (event);
  DynoNodeProfile *node;

  if (args == NULL)
    return;
  node = find_or_add_node (nodes, by_key, get_text (event, "name"), args);
  node->calls++;
  if (g_strv_contains (with_body, node->op_type))
    {
      /* A node that repeats or chooses other nodes lasts as long as they do, and their own events end
       * earlier: its own time is without those that began within it. */
      gint64 start = dyno_json_member_get_int64 (event, "ts", 0);
      gint64 seen = G_MAXINT64;

      for (guint i = index; i > 0; i--)
        {
          JsonObject *inner = get_node_event (events, i - 1);
          gint64 begin = dyno_json_member_get_int64 (inner, "ts", inner != NULL ? 0 : G_MAXINT64);

          if (begin < start)
            break;
          if (begin >= seen)
            continue;
          seen = begin;
          own_ns -= get_duration_ns (inner);
        }
    }
  /* The clock ticks in microseconds: many short nodes may add up to more than all. */
  node->time_ns += MAX (own_ns, 0);
  g_clear_pointer (&node->inputs, g_array_unref);
  g_clear_pointer (&node->outputs, g_array_unref);
  node->inputs = parse_shapes (args, "input_type_shape");
  node->outputs = parse_shapes (args, "output_type_shape");
}

static gboolean
is_end_of_run (JsonArray *events, guint index)
{
  JsonObject *event = dyno_json_member_get_element (events, index);

  return g_str_equal (get_text (event, "name"), "model_run");
}

/* A device reports its work for a node as a separate event, in the order of the runs: `NODE&OPERATOR&PROGRAM` by
 * WebGPU's provider; those for CUDA and ROCm, if they are built with a profiler, name the node's event in their
 * arguments. */
static char *
dup_key_of_device_event (JsonObject *event)
{
  const char *category = get_text (event, "cat");
  const char *name = get_text (event, "name");
  const char *end = strrchr (name, '&');
  JsonObject *args = dyno_json_member_get_object (event, "args");
  const char *parent = dyno_json_member_get_string (args, "parent_name");

  if (g_str_equal (category, "Api") && end != NULL)
    return g_strndup (name, (gsize)(end - name));
  if (!g_str_equal (category, "Kernel") || parent == NULL || !g_str_has_suffix (parent, KERNEL_SUFFIX))
    return NULL;
  return g_strdup_printf ("%.*s&%s", (int)(strlen (parent) - strlen (KERNEL_SUFFIX)), parent,
                          get_text (args, "op_name"));
}

/* An event of a device: its time, and the program that ran. */
typedef struct
{
  gint64 time_ns;
  const char *program;
} DeviceEvent;

/* Returns the events of the device by node and operator; their programs belong to @events. */
static GHashTable *
collect_device_events (JsonArray *events)
{
  GHashTable *by_node =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = dyno_json_member_get_element (events, i);
      g_autofree char *key = event != NULL ? dup_key_of_device_event (event) : NULL;
      const char *name, *program;
      DeviceEvent of_device;
      GArray *of_node;

      if (key == NULL)
        continue;
      name = get_text (event, "name");
      program = strrchr (name, '&');
      of_device = (DeviceEvent){ get_duration_ns (event), program != NULL ? program + 1 : name };
      of_node = g_hash_table_lookup (by_node, key);
      if (of_node == NULL)
        {
          of_node = g_array_new (FALSE, FALSE, sizeof (DeviceEvent));
          g_hash_table_insert (by_node, g_steal_pointer (&key), of_node);
        }
      g_array_append_val (of_node, of_device);
    }
  return by_node;
}

static const GArray *
find_device_events (GHashTable *by_node, const DynoNodeProfile *node)
{
  g_autofree char *key = g_strdup_printf ("%s&%s", node->name, node->op_type);

  return g_hash_table_lookup (by_node, key);
}

/* If the device reports times, nodes without an event took none of its time; if it does not, they are unknown. */
static void
use_device_times (GPtrArray *nodes, JsonArray *events)
{
  /* These providers are done with a node when its call returns. Others queue it and compute it later: the trace times
   * the queueing, and the node that waits for the result gets the time of all. */
  static const char *const prompt_providers[] = { DYNO_ORT_PROVIDER_CPU,    "XnnpackExecutionProvider",
                                                  "DnnlExecutionProvider",  DYNO_ORT_PROVIDER_QNN,
                                                  DYNO_ORT_PROVIDER_COREML, NULL };
  g_autoptr (GHashTable) by_node = collect_device_events (events);
  const char *provider = NULL;
  guint n_runs = 0;

  for (guint i = 0; provider == NULL && i < nodes->len; i++)
    if (find_device_events (by_node, nodes->pdata[i]) != NULL)
      provider = ((DynoNodeProfile *)nodes->pdata[i])->provider;

  for (guint i = 0; i < json_array_get_length (events); i++)
    n_runs += is_end_of_run (events, i);
  for (guint i = 0; i < nodes->len; i++)
    {
      DynoNodeProfile *node = nodes->pdata[i];
      const GArray *of_node = find_device_events (by_node, node);

      if (of_node != NULL)
        {
          const DeviceEvent *longest = NULL;

          /* The first of several runs does not count: it may try kernels that later ones leave out. */
          node->time_ns = 0;
          for (guint k = n_runs > 1 ? of_node->len / n_runs : 0; k < of_node->len; k++)
            {
              const DeviceEvent *event = &g_array_index (of_node, DeviceEvent, k);

              node->time_ns += event->time_ns;
              if (longest == NULL || event->time_ns > longest->time_ns)
                longest = event;
            }
          node->kernel = g_strdup (longest != NULL ? longest->program : NULL);
        }
      else if (provider != NULL && g_strcmp0 (node->provider, provider) == 0)
        node->time_ns = 0;
      else if (node->provider == NULL || !g_strv_contains (prompt_providers, node->provider))
        node->time_ns = -1;
    }
}

GPtrArray *
dyno_ort_profile_parse (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);

  return file != NULL ? dyno_ort_profile_parse_text (path, g_mapped_file_get_contents (file),
                                                     g_mapped_file_get_length (file), error)
                      : NULL;
}

GPtrArray *
dyno_ort_profile_parse_text (const char *name, const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GHashTable) by_key = NULL;
  g_autofree char *valid = NULL;
  JsonNode *root = NULL;
  JsonArray *events;
  guint first = 0, n_runs = 0;

  if (length > 0 && dyno_json_text_is_shallow (text, length))
    {
      /* Names are written as they are in the model: a single invalid byte must not invalidate all the rest. */
      if (!g_utf8_validate_len (text, length, NULL))
        valid = g_utf8_make_valid (text, (gssize)length);
      if (!dyno_json_text_load (parser, valid != NULL ? valid : text, valid != NULL ? strlen (valid) : length,
                                error))
        return NULL;
      root = json_parser_get_root (parser);
    }
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("ONNX Runtime’s profile “%s” is not a list of events."), name);
      return NULL;
    }
  nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  events = json_node_get_array (root);
  /* The first run of a session still allocates; if there are others, it does not show the time of a step. */
  for (guint i = 0; i < json_array_get_length (events) && n_runs < 2; i++)
    if (is_end_of_run (events, i) && ++n_runs == 1)
      first = i + 1;
  for (guint i = n_runs > 1 ? first : 0; i < json_array_get_length (events); i++)
    add_event (nodes, by_key, events, i);
  use_device_times (nodes, events);
  /* On the processor, ONNX Runtime's highest level of optimisation has convolutions and what is between them
   * compute in blocks of channels. Their names end in a word that a model could have too, but not with
   * operators that reorder. */
  gboolean has_reorders = FALSE;
  for (guint i = 0; i < nodes->len; i++)
    has_reorders |= g_str_has_prefix (((DynoNodeProfile *)nodes->pdata[i])->op_type, "Reorder");
  for (guint i = 0; has_reorders && i < nodes->len; i++)
    {
      DynoNodeProfile *node = nodes->pdata[i];

      if (strstr (node->name, "_nchwc") != NULL && g_strcmp0 (node->provider, DYNO_ORT_PROVIDER_CPU) == 0)
        node->kernel = g_strdup (DYNO_KERNEL_BLOCKED);
    }
  return g_steal_pointer (&nodes);
}

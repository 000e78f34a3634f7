/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-fake-script.h"

#define NS_PER_MS 1e6
#define NS_PER_US 1e3
#define MB        1e6

static const char *const fault_names[] = {
  [DYNO_FAKE_FAULT_FAIL] = "fail",
  [DYNO_FAKE_FAULT_UNSUPPORTED] = "unsupported",
  [DYNO_FAKE_FAULT_UNREADABLE] = "unreadable",
  [DYNO_FAKE_FAULT_OUT_OF_MEMORY] = "out-of-memory",
  [DYNO_FAKE_FAULT_CRASH] = "crash",
  [DYNO_FAKE_FAULT_KILL] = "kill",
  [DYNO_FAKE_FAULT_HANG] = "hang",
  [DYNO_FAKE_FAULT_NOT_A_NUMBER] = "not-a-number",
  [DYNO_FAKE_FAULT_SLOW] = "slow",
};

static const char *const probe_names[] = {
  [DYNO_FAKE_PROBE_ANSWERS] = "answer",     [DYNO_FAKE_PROBE_CRASHES] = "crash",
  [DYNO_FAKE_PROBE_HANGS] = "hang",         [DYNO_FAKE_PROBE_EXITS] = "exit",
  [DYNO_FAKE_PROBE_HESITATES] = "hesitate",
};

static void
free_device (gpointer data)
{
  DynoFakeDevice *device = data;

  g_free (device->id);
  g_free (device->name);
  g_free (device->driver);
  g_free (device->address);
  g_free (device->missing);
  g_free (device->remedy);
  g_strfreev (device->precisions);
  g_free (device);
}

static void
free_output (gpointer data)
{
  DynoFakeOutput *output = data;

  g_free (output->name);
  g_free (output);
}

static void
free_node (gpointer data)
{
  DynoFakeNode *node = data;

  g_free (node->name);
  g_free (node->type);
  g_free (node->provider);
  g_clear_pointer (&node->inputs, g_array_unref);
  g_clear_pointer (&node->outputs, g_array_unref);
  g_free (node);
}

static void
free_fault (gpointer data)
{
  DynoFakeFault *fault = data;

  g_free (fault->message);
  g_free (fault);
}

static void
free_remote (DynoFakeRemote *remote)
{
  g_array_unref (remote->stages);
  g_free (remote);
}

static double
get_number (JsonObject *object, const char *member, double fallback)
{
  return MAX (json_object_get_double_member_with_default (object, member, fallback), 0);
}

static char *
dup_string (JsonObject *object, const char *member, const char *fallback)
{
  return g_strdup (json_object_get_string_member_with_default (object, member, fallback));
}

/* A member that is an array, or an empty one. */
static JsonArray *
ref_array (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return json_array_new ();
  return json_array_ref (json_node_get_array (node));
}

/* A member that is an object, or an empty one. */
static JsonObject *
ref_object (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return json_object_new ();
  return json_object_ref (json_node_get_object (node));
}

static gint64
parse_dimension (JsonNode *node)
{
  if (json_node_get_value_type (node) != G_TYPE_STRING)
    return MAX (json_node_get_int (node), 0);
  return g_strcmp0 (json_node_get_string (node), "sequence") == 0 ? DYNO_FAKE_SEQUENCE : DYNO_FAKE_BATCH;
}

static DynoShape
parse_shape (JsonArray *dims)
{
  DynoShape shape = { .type = DYNO_DATA_TYPE_FLOAT };

  shape.rank = MIN (json_array_get_length (dims), DYNO_SHAPE_MAX_RANK);
  for (guint i = 0; i < shape.rank; i++)
    shape.dims[i] = parse_dimension (json_array_get_element (dims, i));
  return shape;
}

static GArray *
parse_shapes (JsonObject *object, const char *member)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  g_autoptr (JsonArray) array = ref_array (object, member);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_ARRAY (node))
        {
          DynoShape shape = parse_shape (json_node_get_array (node));

          g_array_append_val (shapes, shape);
        }
    }
  return shapes;
}

static char **
parse_words (JsonObject *object, const char *member)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (JsonArray) array = ref_array (object, member);

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_strv_builder_add (words, json_array_get_string_element (array, i));
  return g_strv_builder_end (words);
}

static gboolean
parse_device (DynoFakeScript *self, JsonObject *object, GError **error)
{
  DynoFakeDevice *device = g_new0 (DynoFakeDevice, 1);

  device->id = dup_string (object, "id", "fake");
  device->name = dup_string (object, "name", "Fake");
  device->driver = dup_string (object, "driver", NULL);
  device->address = dup_string (object, "address", NULL);
  device->missing = dup_string (object, "missing", NULL);
  device->remedy = dup_string (object, "remedy", NULL);
  dyno_device_kind_from_string (json_object_get_string_member_with_default (object, "kind", "unknown"),
                                &device->kind);
  device->memory = get_number (object, "memory_mb", 0) * MB;
  device->time_factor = get_number (object, "time_factor", 1);
  device->precisions = parse_words (object, "precisions");
  if (*device->precisions == NULL)
    {
      g_strfreev (device->precisions);
      device->precisions = g_strdupv ((char *[]){ (char *)"fp32", NULL });
    }
  g_ptr_array_add (self->devices, device);
  return TRUE;
}

static gboolean
parse_output (DynoFakeScript *self, JsonObject *object, GError **error)
{
  DynoFakeOutput *output = g_new0 (DynoFakeOutput, 1);
  g_autoptr (JsonArray) dims = ref_array (object, "shape");

  output->name = dup_string (object, "name", "output");
  output->shape = parse_shape (dims);
  g_ptr_array_add (self->outputs, output);
  return TRUE;
}

static gboolean
parse_node (DynoFakeScript *self, JsonObject *object, GError **error)
{
  DynoFakeNode *node = g_new0 (DynoFakeNode, 1);

  node->name = dup_string (object, "name", "");
  node->type = dup_string (object, "type", "Identity");
  node->provider = dup_string (object, "provider", "FakeExecutionProvider");
  node->share = get_number (object, "share", 0);
  node->inputs = parse_shapes (object, "inputs");
  node->outputs = parse_shapes (object, "outputs");
  g_ptr_array_add (self->nodes, node);
  return TRUE;
}

static gboolean
parse_probe (DynoFakeScript *self, JsonObject *root, GError **error)
{
  const char *name = json_object_get_string_member_with_default (root, "probe", "answer");

  for (guint i = 0; i < G_N_ELEMENTS (probe_names); i++)
    if (g_str_equal (probe_names[i], name))
      {
        self->probe = i;
        return TRUE;
      }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The script knows no probe of the kind “%s”."),
               name);
  return FALSE;
}

static gboolean
parse_fault_kind (const char *name, DynoFakeFaultKind *kind, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (fault_names); i++)
    if (g_str_equal (fault_names[i], name))
      {
        *kind = i;
        return TRUE;
      }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The script knows no fault of the kind “%s”."),
               name);
  return FALSE;
}

static gboolean
parse_fault (DynoFakeScript *self, JsonObject *object, GError **error)
{
  const char *kind_name = json_object_get_string_member_with_default (object, "kind", "");
  DynoFakeFaultKind kind;
  DynoFakeFault *fault;

  if (!parse_fault_kind (kind_name, &kind, error))
    return FALSE;
  fault = g_new0 (DynoFakeFault, 1);
  fault->kind = kind;
  fault->run = get_number (object, "run", 0);
  fault->batch_size = get_number (object, "batch_size", 0);
  fault->factor = get_number (object, "factor", 1);
  fault->message = dup_string (object, "message", _ ("The script says that this fails."));
  g_ptr_array_add (self->faults, fault);
  return TRUE;
}

static gboolean
parse_list (DynoFakeScript *self,
            JsonObject *root,
            const char *member,
            gboolean (*parse) (DynoFakeScript *, JsonObject *, GError **),
            GError **error)
{
  g_autoptr (JsonArray) array = ref_array (root, member);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_OBJECT (node))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("“%s” must be a list of objects."),
                       member);
          return FALSE;
        }
      if (!parse (self, json_node_get_object (node), error))
        return FALSE;
    }
  return TRUE;
}

static void
parse_numbers (DynoFakeScript *self, JsonObject *root)
{
  g_autoptr (JsonObject) latency = ref_object (root, "latency");
  g_autoptr (JsonObject) memory = ref_object (root, "memory");

  self->runtime = dup_string (root, "runtime", "Fake");
  self->unsupported = dup_string (root, "unsupported", NULL);
  self->remedy = dup_string (root, "remedy", NULL);
  self->lacks = parse_words (root, "lacks");
  self->seed = get_number (root, "seed", 0);
  self->load_ns = get_number (root, "load_ms", 0) * NS_PER_MS;
  self->base_ns = get_number (latency, "base_us", 1000) * NS_PER_US;
  self->per_item_ns = get_number (latency, "per_item_us", 0) * NS_PER_US;
  self->per_token_ns = get_number (latency, "per_token_us", 0) * NS_PER_US;
  self->noise = get_number (latency, "noise", 0);
  self->process_noise = get_number (latency, "process_noise", 0);
  self->warm_up_steps = get_number (latency, "warm_up_steps", 0);
  self->warm_up_factor = get_number (latency, "warm_up_factor", 1);
  self->slots = CLAMP (get_number (root, "slots", 1), 1, DYNO_FAKE_MAX_SLOTS);
  self->stall_every_ns = get_number (latency, "stall_every_ms", 0) * NS_PER_MS;
  self->stall_ns = get_number (latency, "stall_ms", 0) * NS_PER_MS;
  self->weights = get_number (memory, "weights_mb", 0) * MB;
  self->workspace = get_number (memory, "workspace_mb", 0) * MB;
  self->workspace_per_item = get_number (memory, "workspace_per_item_mb", 0) * MB;
  self->is_computed = json_object_get_boolean_member_with_default (root, "computed", FALSE);
  self->held_factor = MAX (get_number (memory, "held_factor", 1), 1);
}

static gboolean
parse_stage (DynoFakeScript *self, JsonObject *object, GError **error)
{
  DynoLoadStage stage = {
    .name = dup_string (object, "name", "stage"),
    .duration_ns = get_number (object, "ms", 0) * NS_PER_MS,
  };

  g_array_append_val (self->remote->stages, stage);
  return TRUE;
}

static gboolean
parse_remote (DynoFakeScript *self, JsonObject *root, GError **error)
{
  g_autoptr (JsonObject) remote = ref_object (root, "remote");

  if (!json_object_has_member (root, "remote"))
    return TRUE;
  self->remote = g_new0 (DynoFakeRemote, 1);
  self->remote->wire_ns = get_number (remote, "wire_us", 0) * NS_PER_US;
  self->remote->resolution_ns = MAX (get_number (remote, "clock_resolution_us", 0) * NS_PER_US, 1);
  self->remote->is_exact = json_object_get_boolean_member_with_default (remote, "exact", FALSE);
  self->remote->process_bytes = get_number (remote, "process_mb", 0) * MB;
  self->remote->stages = dyno_load_stages_new ();
  return parse_list (self, remote, "stages", parse_stage, error);
}

static gboolean
parse_root (DynoFakeScript *self, JsonNode *root_node, GError **error)
{
  g_autoptr (JsonObject) no_device = json_object_new ();
  JsonObject *root;

  if (root_node == NULL || !JSON_NODE_HOLDS_OBJECT (root_node))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                           _ ("The script must be a JSON object."));
      return FALSE;
    }
  root = json_node_get_object (root_node);
  parse_numbers (self, root);
  if (!parse_probe (self, root, error) || !parse_list (self, root, "devices", parse_device, error) ||
      !parse_list (self, root, "outputs", parse_output, error) ||
      !parse_list (self, root, "nodes", parse_node, error) ||
      !parse_list (self, root, "faults", parse_fault, error) || !parse_remote (self, root, error))
    return FALSE;
  return self->devices->len > 0 || parse_device (self, no_device, error);
}

/**
 * dyno_fake_script_load:
 * @path: a JSON file
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the script, with at least one device
 */
DynoFakeScript *
dyno_fake_script_load (const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (DynoFakeScript) self = g_new0 (DynoFakeScript, 1);

  self->devices = g_ptr_array_new_with_free_func (free_device);
  self->outputs = g_ptr_array_new_with_free_func (free_output);
  self->nodes = g_ptr_array_new_with_free_func (free_node);
  self->faults = g_ptr_array_new_with_free_func (free_fault);
  if (!json_parser_load_from_file (parser, path, error) ||
      !parse_root (self, json_parser_get_root (parser), error))
    {
      g_prefix_error (error, "%s: ", path);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * dyno_fake_script_play_probe:
 * @self: a script
 *
 * Crashes, hangs or exits if the script says so; returns if the probe answers.
 */
void
dyno_fake_script_play_probe (const DynoFakeScript *self)
{
  switch (self->probe)
    {
    case DYNO_FAKE_PROBE_CRASHES:
      signal (SIGSEGV, SIG_DFL);
      raise (SIGSEGV);
      break;
    case DYNO_FAKE_PROBE_HANGS:
      for (;;)
        pause ();
    case DYNO_FAKE_PROBE_EXITS:
      fputs ("no device was found\n", stderr);
      _exit (EXIT_FAILURE);
    case DYNO_FAKE_PROBE_ANSWERS:
    case DYNO_FAKE_PROBE_HESITATES:
    default:
      break;
    }
}

/**
 * dyno_fake_script_free:
 * @self: (transfer full): a script
 */
void
dyno_fake_script_free (DynoFakeScript *self)
{
  g_free (self->runtime);
  g_free (self->unsupported);
  g_free (self->remedy);
  g_strfreev (self->lacks);
  g_clear_pointer (&self->devices, g_ptr_array_unref);
  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
  g_clear_pointer (&self->faults, g_ptr_array_unref);
  g_clear_pointer (&self->remote, free_remote);
  g_free (self);
}

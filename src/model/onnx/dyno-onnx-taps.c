/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-graph-private.h"
#include "dyno-model-onnx-private.h"
#include "dyno-onnx-taps.h"

static void
tap_free (gpointer data)
{
  DynoOnnxTap *self = data;

  g_free (self->value);
  g_free (self->node);
  g_free (self->op_type);
  g_free (self);
}

static char *
dup_name (const char *name)
{
  return g_utf8_make_valid (name != NULL ? name : "", -1);
}

/* Appends a message to a file: concatenated protobuf messages merge their repeated fields. Takes nothing. */
static GBytes *
append_graph (GMappedFile *file, Onnx__GraphProto *additions)
{
  Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
  gsize n_before = g_mapped_file_get_length (file);
  gsize n_added;
  guint8 *bytes;

  model.graph = additions;
  n_added = onnx__model_proto__get_packed_size (&model);
  bytes = g_malloc (n_before + n_added);
  memcpy (bytes, g_mapped_file_get_contents (file), n_before);
  onnx__model_proto__pack (&model, bytes + n_before);
  return g_bytes_new_take (bytes, n_before + n_added);
}

/* Engines infer the types of these outputs. */
static GBytes *
add_outputs (GMappedFile *file, const Onnx__GraphProto *graph, GHashTable *taps)
{
  Onnx__GraphProto additions = ONNX__GRAPH_PROTO__INIT;
  g_autofree Onnx__ValueInfoProto *infos = g_new0 (Onnx__ValueInfoProto, g_hash_table_size (taps));
  g_autofree Onnx__ValueInfoProto **outputs = g_new0 (Onnx__ValueInfoProto *, g_hash_table_size (taps));
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, taps);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    {
      Onnx__ValueInfoProto *info = &infos[additions.n_output];
      gboolean is_output = FALSE;

      for (gsize i = 0; i < graph->n_output; i++)
        is_output |= g_strcmp0 (graph->output[i]->name, value) == 0;
      if (is_output)
        continue;
      onnx__value_info_proto__init (info);
      info->name = value;
      outputs[additions.n_output++] = info;
    }
  additions.output = outputs;
  return append_graph (file, &additions);
}

GBytes *
dyno_onnx_taps_add (const char *path, GHashTable **taps, GError **error)
{
  /* The outputs of these operators are not tensors, or may not be. */
  static const char *const others[] = { "Optional", "Sequence", "SplitToSequence", "If", "Loop", NULL };
  g_autoptr (DynoOnnxTree) tree = dyno_onnx_tree_read (path, error);
  const Onnx__GraphProto *graph = tree != NULL ? tree->model->graph : NULL;

  if (tree == NULL)
    return NULL;
  /* They are listed by the names of the values; an absent output has none. */
  *taps = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, tap_free);
  for (gsize i = 0; i < graph->n_node; i++)
    {
      const Onnx__NodeProto *node = graph->node[i];
      gboolean gives_tensors = node->op_type != NULL;

      for (guint k = 0; gives_tensors && others[k] != NULL; k++)
        gives_tensors = !g_str_has_prefix (node->op_type, others[k]);
      for (gsize k = 0; gives_tensors && k < node->n_output; k++)
        {
          DynoOnnxTap *tap;

          if (*node->output[k] == '\0' || !g_utf8_validate (node->output[k], -1, NULL))
            continue;
          tap = g_new0 (DynoOnnxTap, 1);
          tap->value = g_strdup (node->output[k]);
          tap->node = dup_name (node->name);
          tap->op_type = dup_name (node->op_type);
          tap->position = i;
          g_hash_table_replace (*taps, tap->value, tap);
        }
    }
  return add_outputs (tree->file, graph, *taps);
}

/* The node has the name of its only output. */
static Onnx__NodeProto *
new_reduction (const char *op_type, const char *prefix, const char *value)
{
  g_autofree char *name = g_strconcat (prefix, value, NULL);
  Onnx__NodeProto *node = dyno_node_new (op_type, name);

  dyno_node_parse_attributes (node, "keepdims=0");
  dyno_node_add_input (node, value);
  dyno_node_add_output (node, name);
  return node;
}

GBytes *
dyno_onnx_taps_add_ranges (const char *path, GPtrArray *values, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_free);
  g_autofree Onnx__ValueInfoProto *infos = g_new0 (Onnx__ValueInfoProto, 2 * values->len);
  g_autofree Onnx__ValueInfoProto **outputs = g_new0 (Onnx__ValueInfoProto *, 2 * values->len);
  Onnx__GraphProto additions = ONNX__GRAPH_PROTO__INIT;

  if (file == NULL)
    return NULL;
  for (guint i = 0; i < values->len; i++)
    {
      g_ptr_array_add (nodes, new_reduction ("ReduceMin", DYNO_ONNX_TAPS_LOWEST, values->pdata[i]));
      g_ptr_array_add (nodes, new_reduction ("ReduceMax", DYNO_ONNX_TAPS_HIGHEST, values->pdata[i]));
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      onnx__value_info_proto__init (&infos[i]);
      infos[i].name = ((Onnx__NodeProto *)nodes->pdata[i])->name;
      outputs[i] = &infos[i];
    }
  additions.n_node = additions.n_output = nodes->len;
  additions.node = (Onnx__NodeProto **)nodes->pdata;
  additions.output = outputs;
  return append_graph (file, &additions);
}

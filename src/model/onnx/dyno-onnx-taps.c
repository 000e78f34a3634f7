/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

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

/* Engines infer the types of these outputs. */
static GBytes *
pack_outputs (const Onnx__GraphProto *graph, GHashTable *taps)
{
  Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
  Onnx__GraphProto additions = ONNX__GRAPH_PROTO__INIT;
  g_autofree Onnx__ValueInfoProto *infos = g_new0 (Onnx__ValueInfoProto, g_hash_table_size (taps));
  g_autofree Onnx__ValueInfoProto **outputs = g_new0 (Onnx__ValueInfoProto *, g_hash_table_size (taps));
  GHashTableIter iter;
  gpointer value;
  guint8 *packed;

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
  model.graph = &additions;
  packed = g_malloc (onnx__model_proto__get_packed_size (&model));
  return g_bytes_new_take (packed, onnx__model_proto__pack (&model, packed));
}

GBytes *
dyno_onnx_taps_add (const char *path, GHashTable **taps, GError **error)
{
  /* The outputs of these operators are not tensors, or may not be. */
  static const char *const others[] = { "Optional", "Sequence", "SplitToSequence", "If", "Loop", NULL };
  g_autoptr (DynoOnnxTree) tree = dyno_onnx_tree_read (path, error);
  const Onnx__GraphProto *graph = tree != NULL ? tree->model->graph : NULL;
  g_autoptr (GBytes) outputs = NULL;
  gsize n_before, n_added;
  guint8 *bytes;

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
  outputs = pack_outputs (graph, *taps);
  n_before = g_mapped_file_get_length (tree->file);
  n_added = g_bytes_get_size (outputs);
  bytes = g_malloc (n_before + n_added);
  memcpy (bytes, g_mapped_file_get_contents (tree->file), n_before);
  memcpy (bytes + n_before, g_bytes_get_data (outputs, NULL), n_added);
  return g_bytes_new_take (bytes, n_before + n_added);
}

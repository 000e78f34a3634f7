/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-graph-private.h"

static void
append_string (char ***strings, gsize *n_strings, const char *string)
{
  *strings = g_renew (char *, *strings, *n_strings + 1);
  (*strings)[(*n_strings)++] = g_strdup (string);
}

static Onnx__AttributeProto *
add_attribute (Onnx__NodeProto *self, const char *name, Onnx__AttributeProto__AttributeType type)
{
  Onnx__AttributeProto *attribute = g_new0 (Onnx__AttributeProto, 1);

  onnx__attribute_proto__init (attribute);
  attribute->name = g_strdup (name);
  attribute->type = type;
  attribute->has_type = TRUE;
  self->attribute = g_renew (Onnx__AttributeProto *, self->attribute, self->n_attribute + 1);
  self->attribute[self->n_attribute++] = attribute;
  return attribute;
}

static void
parse_attribute (Onnx__NodeProto *self, const char *name, const char *value)
{
  Onnx__AttributeProto *attribute;

  if (*value == '[')
    {
      g_autofree char *list = g_strndup (value + 1, strlen (value) - 2);
      g_auto (GStrv) parts = g_strsplit (list, ",", -1);

      attribute = add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
      attribute->n_ints = g_strv_length (parts);
      attribute->ints = g_new0 (gint64, attribute->n_ints);
      for (gsize i = 0; i < attribute->n_ints; i++)
        attribute->ints[i] = g_ascii_strtoll (parts[i], NULL, 10);
    }
  else if (g_ascii_isalpha (*value))
    {
      attribute = add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING);
      attribute->s.len = strlen (value);
      attribute->s.data = (guint8 *)g_strdup (value);
      attribute->has_s = TRUE;
    }
  else if (strpbrk (value, ".e") != NULL)
    {
      attribute = add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT);
      attribute->f = (float)g_ascii_strtod (value, NULL);
      attribute->has_f = TRUE;
    }
  else
    {
      attribute = add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
      attribute->i = g_ascii_strtoll (value, NULL, 10);
      attribute->has_i = TRUE;
    }
}

static const Onnx__AttributeProto *
find_attribute (const Onnx__NodeProto *self, const char *name)
{
  for (gsize i = 0; i < self->n_attribute; i++)
    if (g_strcmp0 (self->attribute[i]->name, name) == 0)
      return self->attribute[i];
  return NULL;
}

Onnx__NodeProto *
dyno_node_new (const char *op_type, const char *name)
{
  static const char *const contrib[] = { "GroupQueryAttention", "MatMulBnb4", "MatMulNBits",
                                         "MultiHeadAttention", NULL };
  Onnx__NodeProto *self = g_new0 (Onnx__NodeProto, 1);

  onnx__node_proto__init (self);
  self->op_type = g_strdup (op_type);
  if (g_strv_contains (contrib, op_type))
    self->domain = g_strdup (DYNO_NODE_CONTRIB);
  self->name = g_strdup (name);
  return self;
}

void
dyno_node_free (Onnx__NodeProto *self)
{
  onnx__node_proto__free_unpacked (self, NULL);
}

void
dyno_node_add_input (Onnx__NodeProto *self, const char *value)
{
  append_string (&self->input, &self->n_input, value);
}

void
dyno_node_add_output (Onnx__NodeProto *self, const char *value)
{
  append_string (&self->output, &self->n_output, value);
}

void
dyno_node_add_tensor (Onnx__NodeProto *self, const char *name, Onnx__TensorProto *tensor)
{
  add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR)->t = tensor;
}

void
dyno_node_add_repeated (Onnx__NodeProto *self, const char *name, gint64 value, gsize n_values)
{
  Onnx__AttributeProto *attribute = add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);

  attribute->n_ints = n_values;
  attribute->ints = g_new0 (gint64, n_values);
  for (gsize i = 0; i < n_values; i++)
    attribute->ints[i] = value;
}

Onnx__GraphProto *
dyno_node_add_body (Onnx__NodeProto *self, const char *name, const char *graph_name)
{
  Onnx__AttributeProto *attribute = add_attribute (self, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH);

  attribute->g = g_new0 (Onnx__GraphProto, 1);
  onnx__graph_proto__init (attribute->g);
  attribute->g->name = g_strdup (graph_name);
  return attribute->g;
}

static Onnx__ValueInfoProto *
value_new (const char *name, int type)
{
  Onnx__ValueInfoProto *value = g_new0 (Onnx__ValueInfoProto, 1);

  onnx__value_info_proto__init (value);
  value->name = g_strdup (name);
  value->type = g_new0 (Onnx__TypeProto, 1);
  onnx__type_proto__init (value->type);
  value->type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  value->type->tensor_type = g_new0 (Onnx__TypeProto__Tensor, 1);
  onnx__type_proto__tensor__init (value->type->tensor_type);
  value->type->tensor_type->elem_type = type;
  value->type->tensor_type->has_elem_type = TRUE;
  return value;
}

void
dyno_node_add_body_input (Onnx__GraphProto *body, const char *name, int type)
{
  body->input = g_renew (Onnx__ValueInfoProto *, body->input, body->n_input + 1);
  body->input[body->n_input++] = value_new (name, type);
}

void
dyno_node_add_body_output (Onnx__GraphProto *body, const char *name, int type)
{
  body->output = g_renew (Onnx__ValueInfoProto *, body->output, body->n_output + 1);
  body->output[body->n_output++] = value_new (name, type);
}

void
dyno_node_parse_attributes (Onnx__NodeProto *self, const char *attributes)
{
  g_auto (GStrv) parts = g_strsplit (attributes != NULL ? attributes : "", " ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *equals = strchr (parts[i], '=');

      if (equals == NULL)
        continue;
      *equals = '\0';
      parse_attribute (self, parts[i], equals + 1);
    }
}

gint64
dyno_node_get_int (const Onnx__NodeProto *self, const char *name, gint64 fallback)
{
  const Onnx__AttributeProto *attribute = find_attribute (self, name);

  return attribute != NULL ? attribute->i : fallback;
}

const gint64 *
dyno_node_get_ints (const Onnx__NodeProto *self, const char *name, gsize *n_values)
{
  const Onnx__AttributeProto *attribute = find_attribute (self, name);

  *n_values = attribute != NULL ? attribute->n_ints : 0;
  return attribute != NULL ? attribute->ints : NULL;
}

gboolean
dyno_node_has_string (const Onnx__NodeProto *self, const char *name, const char *value)
{
  const Onnx__AttributeProto *attribute = find_attribute (self, name);

  return attribute != NULL && attribute->s.len == strlen (value) &&
         memcmp (attribute->s.data, value, attribute->s.len) == 0;
}

char *
dyno_node_dup_string (const Onnx__NodeProto *self, const char *name)
{
  const Onnx__AttributeProto *attribute = find_attribute (self, name);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; attribute != NULL && i < attribute->s.len && attribute->s.data[i] != '\0'; i++)
    if (!g_ascii_isspace (attribute->s.data[i]))
      g_string_append_c (text, (char)attribute->s.data[i]);
  return g_string_free (text, text->len == 0);
}

/* Returns how many input positions an output position is interpolated from. */
static gint64
count_resized (const Onnx__NodeProto *self, gint64 fallback)
{
  if (dyno_node_has_string (self, "mode", "linear") || dyno_node_has_string (self, "mode", "bilinear"))
    return 4;
  if (dyno_node_has_string (self, "mode", "cubic") || dyno_node_has_string (self, "mode", "bicubic"))
    return 16;
  return dyno_node_has_string (self, "mode", "nearest") ? 1 : fallback;
}

/* Returns how many experts a token goes to, times the numbers in a byte of their weights. */
static gint64
count_experts (const Onnx__NodeProto *self)
{
  gint64 k = CLAMP (dyno_node_get_int (self, "k", 1), 0, G_MAXINT16);
  gint64 bits = dyno_node_get_int (self, "expert_weight_bits", 4);

  if (g_str_equal (self->op_type, "MoE"))
    return k;
  return bits == 4 || bits == 8 ? k * (8 / bits) : 0;
}

/* The heads of fused attention, or the neighbours of a LocalResponseNormalization. */
static gint64
count_of_attribute (const Onnx__NodeProto *self)
{
  gint64 samples;

  if (g_strcmp0 (self->op_type, "LRN") == 0)
    return dyno_node_get_int (self, "size", 0);
  if (g_strcmp0 (self->op_type, "RoiAlign") == 0)
    {
      samples = dyno_node_get_int (self, "sampling_ratio", 0);
      return samples > 0 && samples <= G_MAXINT16 ? samples * samples : 0;
    }
  return dyno_node_get_int (self, "num_heads", dyno_node_get_int (self, "q_num_heads", 0));
}

gint64
dyno_node_get_window_elements (const Onnx__NodeProto *self)
{
  gsize n_sizes = 0;
  const gint64 *sizes = dyno_node_get_ints (self, "kernel_shape", &n_sizes);
  gint64 elements = sizes != NULL && n_sizes > 0 ? 1 : 0;

  if (g_strcmp0 (self->op_type, "Resize") == 0 || g_strcmp0 (self->op_type, "Upsample") == 0)
    return count_resized (self, 1);
  if (g_strcmp0 (self->op_type, "GridSample") == 0)
    return count_resized (self, 4);
  if (self->op_type != NULL && g_str_has_prefix (self->op_type, "TreeEnsemble"))
    {
      /* Every node of a tree has the number of its tree. */
      gsize n_ids = 0, n_roots = 0;
      const gint64 *ids = dyno_node_get_ints (self, "nodes_treeids", &n_ids);
      g_autoptr (GHashTable) trees = g_hash_table_new (g_int64_hash, g_int64_equal);

      for (gsize i = 0; i < n_ids; i++)
        g_hash_table_add (trees, (gpointer)&ids[i]);
      dyno_node_get_ints (self, "tree_roots", &n_roots);
      return (gint64)(n_roots + g_hash_table_size (trees));
    }
  if (self->op_type != NULL && g_str_has_prefix (self->op_type, "SVM"))
    {
      /* The vectors of all classes, or of a regression. */
      gsize n_classes = 0;
      const gint64 *vectors = dyno_node_get_ints (self, "vectors_per_class", &n_classes);
      gint64 count = dyno_node_get_int (self, "n_supports", 0);

      for (gsize i = 0; i < n_classes; i++)
        if (vectors[i] < 0 || __builtin_add_overflow (count, vectors[i], &count))
          return 0;
      return count <= G_MAXINT32 ? count : 0;
    }
  if (g_strcmp0 (self->op_type, "MoE") == 0 || g_strcmp0 (self->op_type, "QMoE") == 0)
    return count_experts (self);
  if (elements == 0)
    return count_of_attribute (self);
  for (gsize i = 0; i < n_sizes && elements > 0; i++)
    elements = sizes[i] > 0 && elements <= G_MAXINT32 ? elements * MIN (sizes[i], G_MAXINT32) : 0;
  return elements;
}

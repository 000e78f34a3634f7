/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-node.h"
#include "dyno-onnx-tensor.h"
#include "dyno-onnx-weights.h"

/* More than all weights of any model take, and few enough that calculations with them fit 63 bits. */
#define MAX_BYTES (G_GINT64_CONSTANT (1) << 47)

#define INPUT(number) (1u << (number))

/* Inputs of operators that hold quantised weights, and inputs that hold numbers which describe others: scales, zero
 * points, means and variances. */
static const struct
{
  const char *op_type;
  guint quantised;
  guint descriptive;
} roles[] = {
  { "BatchNormalization", 0, INPUT (3) | INPUT (4) },
  { "QuantizeLinear", 0, INPUT (1) | INPUT (2) },
  { "DequantizeLinear", INPUT (0), INPUT (1) | INPUT (2) },
  { "ConvInteger", INPUT (0) | INPUT (1), INPUT (2) | INPUT (3) },
  { "MatMulInteger", INPUT (0) | INPUT (1), INPUT (2) | INPUT (3) },
  { "QLinearConv", INPUT (0) | INPUT (3) | INPUT (8),
    INPUT (1) | INPUT (2) | INPUT (4) | INPUT (5) | INPUT (6) | INPUT (7) },
  { "QLinearMatMul", INPUT (0) | INPUT (3),
    INPUT (1) | INPUT (2) | INPUT (4) | INPUT (5) | INPUT (6) | INPUT (7) },
  { "QLinearAdd", INPUT (0) | INPUT (3),
    INPUT (1) | INPUT (2) | INPUT (4) | INPUT (5) | INPUT (6) | INPUT (7) },
  { "QLinearMul", INPUT (0) | INPUT (3),
    INPUT (1) | INPUT (2) | INPUT (4) | INPUT (5) | INPUT (6) | INPUT (7) },
  { "QGemm", INPUT (0) | INPUT (3) | INPUT (6),
    INPUT (1) | INPUT (2) | INPUT (4) | INPUT (5) | INPUT (7) | INPUT (8) },
  { "QAttention", INPUT (1), INPUT (3) | INPUT (4) | INPUT (6) | INPUT (7) },
  { "DynamicQuantizeMatMul", INPUT (1), INPUT (2) | INPUT (3) },
  { "MatMulIntegerToFloat", INPUT (1), INPUT (2) | INPUT (3) | INPUT (4) | INPUT (5) },
  { "MatMulNBits", INPUT (1), INPUT (2) | INPUT (3) | INPUT (4) },
  { "GatherBlockQuantized", INPUT (0), INPUT (2) | INPUT (3) },
};

/* A name is that of a value, because a constant's tensor seldom has one; it need not be unique, nor be there. */
typedef struct
{
  const char *name;
  const Onnx__TensorProto *tensor;
} Found;

/* Names are of one scope: a graph with those inside it, or a function. @quantised has the number of elements where they
 * are packed, else 0. */
typedef struct
{
  DynoOnnxWeights *weights;
  GArray *found;           /* of Found */
  GHashTable *quantised;   /* of gint64, by the value's name */
  GHashTable *descriptive; /* names of values */
  guint depth;             /* 1 in the graph of the model */
  gint64 of_type[DYNO_DATA_TYPE_BFLOAT16 + 1];
} Walk;

static void visit_graph (Walk *self, const Onnx__GraphProto *graph);

static gint64
count_packed (const Onnx__NodeProto *node)
{
  gint64 count;

  if (g_strcmp0 (node->op_type, "MatMulNBits") != 0 ||
      __builtin_mul_overflow (dyno_node_get_int (node, "K", 0), dyno_node_get_int (node, "N", 0), &count))
    return 0;
  return MAX (count, 0);
}

static void
note_roles (Walk *self, const Onnx__NodeProto *node)
{
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    for (guint k = 0; g_strcmp0 (node->op_type, roles[i].op_type) == 0 && k < MIN (node->n_input, 32); k++)
      {
        gint64 packed = count_packed (node);

        if (roles[i].quantised & INPUT (k))
          g_hash_table_replace (self->quantised, node->input[k], g_memdup2 (&packed, sizeof packed));
        if (roles[i].descriptive & INPUT (k))
          g_hash_table_add (self->descriptive, node->input[k]);
      }
}

static void
add_bytes (Walk *self, gint64 bytes)
{
  if (self->weights->bytes >= 0 && bytes <= MAX_BYTES - self->weights->bytes)
    self->weights->bytes += bytes;
  else
    self->weights->bytes = -1;
}

static void
add_tensor (Walk *self, const char *name, const Onnx__TensorProto *tensor)
{
  const Found found = { name != NULL ? name : "", tensor };

  g_array_append_val (self->found, found);
  if (self->depth == 1)
    g_hash_table_replace (self->weights->by_name, (gpointer)found.name, (gpointer)tensor);
}

static void
visit_tensor (Walk *self, const char *name, const Onnx__TensorProto *tensor)
{
  add_bytes (self, dyno_onnx_tensor_get_bytes (tensor));
  add_tensor (self, name, tensor);
}

/* An engine unpacks a sparse tensor when it loads the model. */
static void
visit_sparse (Walk *self, const Onnx__SparseTensorProto *tensor)
{
  add_bytes (self, dyno_onnx_tensor_get_dense_bytes (tensor));
  add_tensor (self, tensor->values->name, tensor->values);
}

/* Exponents, shapes and axes stand in constants as well. */
static gboolean
is_part_of_formula (const Onnx__TensorProto *tensor)
{
  gint64 count = dyno_onnx_tensor_count_elements (tensor);

  return count == 1 || (tensor->data_type == DYNO_DATA_TYPE_INT64 && count <= DYNO_SHAPE_MAX_RANK);
}

static void
visit_attribute (Walk *self, const Onnx__NodeProto *node, const Onnx__AttributeProto *attribute)
{
  gboolean is_constant = g_strcmp0 (node->op_type, "Constant") == 0 && node->n_output > 0;

  if (is_constant && attribute->t != NULL && !is_part_of_formula (attribute->t))
    visit_tensor (self, node->output[0], attribute->t);
  if (is_constant && attribute->sparse_tensor != NULL)
    visit_sparse (self, attribute->sparse_tensor);
  if (attribute->g != NULL)
    visit_graph (self, attribute->g);
  for (gsize i = 0; i < attribute->n_graphs; i++)
    visit_graph (self, attribute->graphs[i]);
}

static void
visit_nodes (Walk *self, Onnx__NodeProto **nodes, gsize n_nodes)
{
  for (gsize i = 0; i < n_nodes; i++)
    {
      note_roles (self, nodes[i]);
      for (gsize k = 0; k < nodes[i]->n_attribute; k++)
        visit_attribute (self, nodes[i], nodes[i]->attribute[k]);
    }
}

static void
visit_graph (Walk *self, const Onnx__GraphProto *graph)
{
  self->depth++;
  for (gsize i = 0; i < graph->n_initializer; i++)
    visit_tensor (self, graph->initializer[i]->name, graph->initializer[i]);
  for (gsize i = 0; i < graph->n_sparse_initializer; i++)
    visit_sparse (self, graph->sparse_initializer[i]);
  visit_nodes (self, graph->node, graph->n_node);
  self->depth--;
}

static gboolean
is_float (int type)
{
  return type == DYNO_DATA_TYPE_FLOAT || type == DYNO_DATA_TYPE_FLOAT16 || type == DYNO_DATA_TYPE_BFLOAT16 ||
         type == DYNO_DATA_TYPE_DOUBLE;
}

/* A scalar is far more often a constant of the exporter, such as the 0.5 of a GELU, than a weight. */
static void
count_parameters (Walk *self, const Found *found)
{
  const gint64 *packed = g_hash_table_lookup (self->quantised, found->name);
  gint64 count = dyno_onnx_tensor_count_elements (found->tensor);
  gboolean is_real = is_float (found->tensor->data_type);

  if (is_real)
    self->of_type[found->tensor->data_type] += count;
  if (count > 1 && !g_hash_table_contains (self->descriptive, found->name) && (packed != NULL || is_real))
    self->weights->parameter_count += packed != NULL && *packed > 0 ? MIN (*packed, count * 8) : count;
}

static void
find_real_type (Walk *self)
{
  gint64 largest = 0;

  for (guint type = 0; type < G_N_ELEMENTS (self->of_type); type++)
    if (self->of_type[type] > largest)
      {
        largest = self->of_type[type];
        self->weights->real_type = (DynoDataType)type;
      }
}

static void
end_scope (Walk *self)
{
  for (guint i = 0; self->weights->bytes >= 0 && i < self->found->len; i++)
    count_parameters (self, &g_array_index (self->found, Found, i));
  g_array_set_size (self->found, 0);
  g_hash_table_remove_all (self->quantised);
  g_hash_table_remove_all (self->descriptive);
}

/**
 * dyno_onnx_weights_read:
 * @self: (out caller-allocates): the weights, which keep names and tensors of @model
 * @model: a model whose tensors were checked
 *
 * Weights stand in initializers, in constants, in the graphs of If and Loop, and in functions. Quantised ones count as
 * their elements; scales of quantised weights count as a type all the same, because floating-point operations are
 * computed in it.
 */
void
dyno_onnx_weights_read (DynoOnnxWeights *self, const Onnx__ModelProto *model)
{
  g_autoptr (GHashTable) quantised = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GHashTable) descriptive = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  Walk walk = { .weights = self, .found = found, .quantised = quantised, .descriptive = descriptive };

  *self = (DynoOnnxWeights){ .by_name = g_hash_table_new (g_str_hash, g_str_equal) };
  visit_graph (&walk, model->graph);
  end_scope (&walk);
  for (gsize i = 0; i < model->n_functions; i++)
    {
      visit_nodes (&walk, model->functions[i]->node, model->functions[i]->n_node);
      end_scope (&walk);
    }
  find_real_type (&walk);
}

void
dyno_onnx_weights_clear (DynoOnnxWeights *self)
{
  g_clear_pointer (&self->by_name, g_hash_table_unref);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-graph-private.h"
#include "dyno-model-onnx-private.h"

/* More than all weights of any model take, and few enough that calculations with them fit 63 bits. */
#define MAX_BYTES (G_GINT64_CONSTANT (1) << 47)

#define INPUT(number) (1u << (number))

/* The most bits that an element of a quantised weight has. */
#define MAX_BITS 16

/* Inputs of operators that hold quantised weights, and inputs that hold numbers which describe others: scales, zero
 * points, means and variances. */
static const struct
{
  const char *op_type;
  guint quantised;
  guint descriptive;
} roles[] = {
  { "BatchNormalization", 0, INPUT (3) | INPUT (4) },
  { "QuantizeLinear", INPUT (0), INPUT (1) | INPUT (2) },
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
  { "MatMulBnb4", INPUT (1), INPUT (2) },
  { "GatherBlockQuantized", INPUT (0), INPUT (2) | INPUT (3) },
  { "DynamicQuantizeLSTM", INPUT (1) | INPUT (2), INPUT (8) | INPUT (9) | INPUT (10) | INPUT (11) },
};

/* A name is that of a value, because a constant's tensor seldom has one; it need not be unique, and may be
 * missing. */
typedef struct
{
  const char *name;
  const Onnx__TensorProto *tensor;
} Found;

/* How quantised weights are stored if the type of their tensor does not show it: bits of an element and
 * number of elements, else 0; and whether the numbers of 4 bits have uneven levels, as bitsandbytes has them. */
typedef struct
{
  gint64 bits;
  gint64 count;
  enum
  {
    STEPS,
    LEVELS_FP4,
    LEVELS_NF4,
    N_LEVELS
  } levels;
} Packing;

/* Names belong to one scope: a graph with those inside it, or a function. */
typedef struct
{
  DynoOnnxWeights *weights;
  GArray *found;           /* of Found */
  GHashTable *quantised;   /* of Packing, by the value's name */
  GHashTable *descriptive; /* names of values */
  guint depth;             /* 1 in the graph of the model */
  GHashTable *looked_up;   /* likewise, of tables that a Gather reads */
  gboolean in_integers;    /* whether activations are quantised, too */
  gint64 of_type[DYNO_DATA_TYPE_BFLOAT16 + 1];
  gint64 in_reals; /* parameters of products that are not quantised */
  gint64 in_bits[MAX_BITS + 1];
  gint64 unsigned_bytes; /* of those in 8 bits */
  gint64 in_levels[N_LEVELS];
} Walk;

static void visit_graph (Walk *self, const Onnx__GraphProto *graph);

static void
note_roles (Walk *self, const Onnx__NodeProto *node)
{
  /* These compute in integers, or convert computed values to them; if one converts a weight alone, its format is not
   * that of the file. */
  static const char *const of_integers[] = { "ConvInteger", "MatMulInteger", "MatMulIntegerToFloat",
                                             "QAttention",  "QGemm",         "QuantizeLinear",
                                             NULL };
  const char *op_type = node->op_type != NULL ? node->op_type : "";
  gboolean has_levels = strcmp (op_type, "MatMulBnb4") == 0;
  gboolean is_product = has_levels || strcmp (op_type, "MatMulNBits") == 0;
  Packing packing = { 0 };

  /* Tensors of bytes hold several elements each. */
  if (is_product || strcmp (op_type, "GatherBlockQuantized") == 0)
    packing.bits = CLAMP (dyno_node_get_int (node, "bits", 4), 1, MAX_BITS);
  if (!is_product || __builtin_mul_overflow (dyno_node_get_int (node, "K", 0),
                                             dyno_node_get_int (node, "N", 0), &packing.count))
    packing.count = 0;
  packing.count = MAX (packing.count, 0);
  if (has_levels)
    packing.levels = dyno_node_get_int (node, "quant_type", 1) == 1 ? LEVELS_NF4 : LEVELS_FP4;

  self->in_integers |= g_strv_contains (of_integers, op_type) || g_str_has_prefix (op_type, "QLinear") ||
                       g_str_has_prefix (op_type, "DynamicQuantize");
  if (g_strcmp0 (node->op_type, "Gather") == 0 && node->n_input > 0)
    g_hash_table_add (self->looked_up, node->input[0]);
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    for (guint k = 0; g_strcmp0 (node->op_type, roles[i].op_type) == 0 && k < MIN (node->n_input, 32); k++)
      {
        if (roles[i].quantised & INPUT (k))
          g_hash_table_replace (self->quantised, node->input[k], g_memdup2 (&packing, sizeof packing));
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

static void
visit_nodes (Walk *self, Onnx__NodeProto **nodes, gsize n_nodes)
{
  for (gsize i = 0; i < n_nodes; i++)
    {
      const Onnx__NodeProto *node = nodes[i];
      gboolean is_constant = g_strcmp0 (node->op_type, "Constant") == 0 && node->n_output > 0;

      note_roles (self, node);
      for (gsize k = 0; k < node->n_attribute; k++)
        {
          const Onnx__AttributeProto *attribute = node->attribute[k];
          const Onnx__TensorProto *tensor = is_constant ? attribute->t : NULL;
          gint64 count = tensor != NULL ? dyno_onnx_tensor_count_elements (tensor) : 1;

          /* Exponents, shapes and axes are constants as well. */
          if (count != 1 && (tensor->data_type != DYNO_DATA_TYPE_INT64 || count > DYNO_SHAPE_MAX_RANK))
            visit_tensor (self, node->output[0], attribute->t);
          if (is_constant && attribute->sparse_tensor != NULL)
            visit_sparse (self, attribute->sparse_tensor);
          if (attribute->g != NULL)
            visit_graph (self, attribute->g);
          for (gsize m = 0; m < attribute->n_graphs; m++)
            visit_graph (self, attribute->graphs[m]);
        }
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

static void
end_scope (Walk *self)
{
  for (guint i = 0; self->weights->bytes >= 0 && i < self->found->len; i++)
    {
      const Found *found = &g_array_index (self->found, Found, i);
      const Packing *packing = g_hash_table_lookup (self->quantised, found->name);
      gint64 count = dyno_onnx_tensor_count_elements (found->tensor);
      int type = found->tensor->data_type;
      gboolean is_real = type == DYNO_DATA_TYPE_FLOAT || type == DYNO_DATA_TYPE_FLOAT16 ||
                         type == DYNO_DATA_TYPE_BFLOAT16 || type == DYNO_DATA_TYPE_DOUBLE;
      gint64 n_parameters;
      guint bits = 0;

      if (is_real)
        self->of_type[type] += count;
      /* A scalar is far more often a constant of the exporter, such as the 0.5 of a GELU, than a weight. */
      if (count <= 1 || g_hash_table_contains (self->descriptive, found->name) ||
          (packing == NULL && !is_real))
        continue;
      n_parameters = packing != NULL && packing->count > 0 ? MIN (packing->count, count * 8) : count;
      self->weights->parameter_count += n_parameters;

      /* Real numbers that are quantised when the model is loaded have the usual eight bits. */
      if (packing != NULL && packing->bits > 0)
        bits = (guint)packing->bits;
      else if (packing != NULL)
        bits = is_real ? 8 : dyno_data_type_get_bits ((DynoDataType)type);

      /* Biases of 32 bits are quantised as well, but are not a precision. */
      if (packing == NULL && !g_hash_table_contains (self->looked_up, found->name))
        self->in_reals += n_parameters;
      if (bits == 0 || bits > MAX_BITS)
        continue;
      self->in_bits[bits] += n_parameters;
      self->in_levels[packing->levels] += n_parameters;
      if (type == DYNO_DATA_TYPE_UINT8 && packing->bits == 0)
        self->unsigned_bytes += n_parameters;
    }
  g_array_set_size (self->found, 0);
  g_hash_table_remove_all (self->quantised);
  g_hash_table_remove_all (self->descriptive);
  g_hash_table_remove_all (self->looked_up);
}

void
dyno_onnx_weights_read (DynoOnnxWeights *self, const Onnx__ModelProto *model)
{
  g_autoptr (GHashTable) quantised = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GHashTable) descriptive = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) looked_up = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  Walk walk = { .weights = self,
                .found = found,
                .quantised = quantised,
                .descriptive = descriptive,
                .looked_up = looked_up };
  static const char *const of_weights[MAX_BITS + 1] = {
    [2] = "int2", [3] = "int3", [4] = "int4",         [5] = "int5",
    [6] = "int6", [7] = "int7", [8] = "int8-weights", [16] = "int16"
  };
  guint bits = 0;
  gint64 largest = 0, sum = 0;

  *self = (DynoOnnxWeights){ .by_name = g_hash_table_new (g_str_hash, g_str_equal) };
  visit_graph (&walk, model->graph);
  end_scope (&walk);
  for (gsize i = 0; i < model->n_functions; i++)
    {
      visit_nodes (&walk, model->functions[i]->node, model->functions[i]->n_node);
      end_scope (&walk);
    }
  for (guint type = 0; type < G_N_ELEMENTS (walk.of_type); type++)
    if (walk.of_type[type] > largest)
      {
        largest = walk.of_type[type];
        self->real_type = (DynoDataType)type;
      }

  /* The quantisation of most of the weights, if more are quantised than not; lookup tables do not count. */
  for (guint i = 1; i <= MAX_BITS; i++)
    {
      sum += walk.in_bits[i];
      if (walk.in_bits[i] > walk.in_bits[bits])
        bits = i;
    }
  if (bits == 0 || sum < walk.in_reals)
    return;
  self->quantisation = of_weights[bits];
  for (guint i = LEVELS_FP4; i < N_LEVELS; i++)
    if (bits == 4 && 2 * walk.in_levels[i] > walk.in_bits[bits])
      self->quantisation = i == LEVELS_NF4 ? "nf4" : "fp4";
  if (bits == 8 && walk.in_integers)
    self->quantisation = 2 * walk.unsigned_bytes > walk.in_bits[bits] ? "uint8" : "int8";
}

void
dyno_onnx_weights_clear (DynoOnnxWeights *self)
{
  g_clear_pointer (&self->by_name, g_hash_table_unref);
}

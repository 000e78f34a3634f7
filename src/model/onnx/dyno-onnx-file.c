/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-onnx-private.h"
#include "dyno-onnx-file.h"
#include "dyno-text.h"

/* Maximum number of nodes that only pass a value on between an input and the Gather that it feeds. */
#define MAX_TRACE 8

/* More than any convolution spans, and few enough that calculations with it fit 63 bits. */
#define MAX_WINDOW (1 << 24)

/* Sides of pictures and lengths of audio, and how many of them can be tried. */
#define MIN_SUGGESTED   16
#define MAX_SUGGESTED   65536
#define MAX_SUGGESTIONS 8

typedef struct
{
  const char *path;
  Onnx__GraphProto *graph;
  const DynoOnnxWeights *weights;
  GHashTable *producers;
  DynoOnnxAxes *axes;
  GHashTable *inputs; /* of DynoTensorInfo, by name */
  DynoModelDescription *description;
} Reading;

static DynoTensorInfo *
read_value_info (const Reading *self, const Onnx__ValueInfoProto *value, gboolean is_input)
{
  const Onnx__TypeProto__Tensor *type = NULL;
  DynoDataType data_type = DYNO_DATA_TYPE_UNDEFINED;
  g_autoptr (DynoTensorInfo) info = NULL;
  gboolean has_shape;

  if (value->name == NULL)
    return NULL;
  if (value->type != NULL && value->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    type = value->type->tensor_type;
  if (type != NULL)
    data_type = (DynoDataType)type->elem_type;
  else if (value->type != NULL && value->type->value_case == ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE)
    data_type = DYNO_DATA_TYPE_SEQUENCE;
  else if (value->type != NULL && value->type->value_case == ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE)
    data_type = DYNO_DATA_TYPE_OPTIONAL;
  has_shape = type != NULL && type->shape != NULL && type->shape->n_dim <= DYNO_SHAPE_MAX_RANK;
  info = (has_shape ? dyno_tensor_info_new : dyno_tensor_info_new_of_any_shape) (value->name, data_type);
  for (guint axis = 0; has_shape && axis < type->shape->n_dim; axis++)
    {
      const Onnx__TensorShapeProto__Dimension *dimension = type->shape->dim[axis];
      g_autofree char *name = NULL;
      gint64 usual;

      if (dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
          dimension->dim_value >= 0)
        dyno_tensor_info_add_size (info, dimension->dim_value);
      else
        {
          name = dyno_onnx_axes_dup_name (self->axes, value, axis, is_input, &usual);
          dyno_tensor_info_add_usual (info, name, usual);
        }
    }
  return g_steal_pointer (&info);
}

/* NULL for a value that Dyno can make, or that can be given to it. */
static char *
explain_input (const Onnx__TypeProto *type)
{
  switch (type != NULL ? type->value_case : ONNX__TYPE_PROTO__VALUE__NOT_SET)
    {
    case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
      if (type->tensor_type->shape == NULL || type->tensor_type->shape->n_dim <= DYNO_SHAPE_MAX_RANK)
        return NULL;
      return g_strdup_printf (_ ("a tensor of more than %d dimensions"), DYNO_SHAPE_MAX_RANK);
    case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
    case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
      return NULL;
    case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
      return g_strdup (_ ("a map from keys to values"));
    case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
      return g_strdup (_ ("a sparse tensor"));
    case ONNX__TYPE_PROTO__VALUE__NOT_SET:
    case _ONNX__TYPE_PROTO__VALUE__CASE_IS_INT_SIZE:
    default:
      return g_strdup (_ ("a value without a declared type"));
    }
}

static gboolean
read_signature (Reading *self, GError **error)
{
  DynoModelDescription *description = self->description;

  for (gsize i = 0; i < self->graph->n_input; i++)
    {
      const Onnx__ValueInfoProto *value = self->graph->input[i];
      g_autofree char *reason = NULL;

      if (value->name != NULL && g_hash_table_contains (self->weights->by_name, value->name))
        continue;
      reason = explain_input (value->type);
      if (value->name == NULL || reason != NULL)
        {
          g_autofree char *name = dyno_plain_text_quote (value->name, DYNO_PLAIN_TEXT_NAME);

          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
              /* Translators: the name of an input, a file, and what the input is, such as “a sparse tensor” */
              _ ("The input “%s” of “%s” is %s. Export the model with plain tensors as inputs."), name,
              self->path, reason != NULL ? reason : _ ("a value without a name"));
          return FALSE;
        }
      g_ptr_array_add (description->inputs, read_value_info (self, value, TRUE));
      g_hash_table_insert (self->inputs, value->name,
                           description->inputs->pdata[description->inputs->len - 1]);
    }
  for (gsize i = 0; i < self->graph->n_output; i++)
    if (self->graph->output[i]->name != NULL)
      g_ptr_array_add (description->outputs, read_value_info (self, self->graph->output[i], FALSE));

  if (description->outputs->len > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The model “%s” has no outputs, so there is nothing to run. Export it again."), self->path);
  return FALSE;
}

static gboolean
read_weights (Reading *self, GError **error)
{
  DynoModelDescription *description = self->description;

  if (self->weights->bytes < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The weights of “%s” add up to an impossible size: the file is damaged."), self->path);
      return FALSE;
    }
  description->weight_bytes = self->weights->bytes;
  description->parameter_count = self->weights->parameter_count;
  description->real_type = self->weights->real_type;
  description->quantisation = self->weights->quantisation;
  return TRUE;
}

/* Returns the value behind operators of these types. */
static const char *
trace_through (Reading *self, const char *const *types, const char *name)
{
  for (guint i = 0; i < MAX_TRACE; i++)
    {
      const Onnx__NodeProto *node = g_hash_table_lookup (self->producers, name);

      if (node == NULL || node->n_input == 0 || node->op_type == NULL ||
          !g_strv_contains (types, node->op_type))
        break;
      name = node->input[0];
    }
  return name;
}

static const char *
trace_back (Reading *self, const char *name)
{
  static const char *const types[] = {
    "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", NULL
  };

  return trace_through (self, types, name);
}

/* A convolution over time needs an input at least as long as its window. */
static void
read_window (Reading *self, const Onnx__NodeProto *node)
{
  /* They keep the last dimension the last. */
  static const char *const types[] = { "Cast", "Identity", "Unsqueeze", NULL };
  gsize n_dilations, n_pads;
  const gint64 *dilations = dyno_node_get_ints (node, "dilations", &n_dilations);
  const gint64 *pads = dyno_node_get_ints (node, "pads", &n_pads);
  gint64 dilation = n_dilations == 1 ? CLAMP (dilations[0], 1, MAX_WINDOW) : 1;
  gint64 padding = n_pads == 2 ? CLAMP (pads[0], 0, MAX_WINDOW) + CLAMP (pads[1], 0, MAX_WINDOW) : 0;
  const Onnx__TensorProto *weight;
  DynoTensorInfo *info = NULL;
  const char *symbol = NULL;

  if (g_strcmp0 (node->op_type, "Conv") != 0 || node->n_input < 2 ||
      dyno_node_has_string (node, "auto_pad", "SAME_UPPER") ||
      dyno_node_has_string (node, "auto_pad", "SAME_LOWER"))
    return;
  weight = g_hash_table_lookup (self->weights->by_name, node->input[1]);
  if (weight != NULL && weight->n_dims == 3)
    info = g_hash_table_lookup (self->inputs, trace_through (self, types, node->input[0]));
  if (info != NULL && dyno_tensor_info_get_rank (info) > 0)
    symbol = dyno_tensor_info_get_symbol (info, dyno_tensor_info_get_rank (info) - 1);
  if (symbol != NULL)
    dyno_model_description_require (self->description, symbol,
                                    (CLAMP (weight->dims[2], 1, MAX_WINDOW) - 1) * dilation + 1 - padding);
}

/* Constants of one number are not weights, so they are not among them. */
static const Onnx__TensorProto *
find_constant (Reading *self, const char *name)
{
  const Onnx__NodeProto *node = g_hash_table_lookup (self->producers, name);

  for (gsize i = 0; node != NULL && g_strcmp0 (node->op_type, "Constant") == 0 && i < node->n_attribute; i++)
    if (node->attribute[i]->t != NULL)
      return node->attribute[i]->t;
  return g_hash_table_lookup (self->weights->by_name, name);
}

/* An input that the graph compares with a constant chooses a branch; the first branch is for the usual
 * value. */
static void
read_compared_value (Reading *self, const Onnx__NodeProto *node)
{
  if (g_strcmp0 (node->op_type, "Equal") != 0 || node->n_input != 2)
    return;
  for (guint i = 0; i < 2; i++)
    {
      const char *input = trace_back (self, node->input[i]);
      const Onnx__TensorProto *constant = find_constant (self, trace_back (self, node->input[1 - i]));
      g_autoptr (DynoTensor) tensor = NULL;
      gint64 integer;

      if (g_hash_table_contains (self->producers, input) ||
          g_hash_table_contains (self->description->compared_values, input) || constant == NULL ||
          dyno_onnx_tensor_count_elements (constant) != 1 ||
          (constant->data_type != DYNO_DATA_TYPE_INT64 && constant->data_type != DYNO_DATA_TYPE_INT32))
        continue;
      tensor = dyno_onnx_tensor_read (constant, "");
      if (tensor == NULL)
        continue;
      integer = dyno_tensor_get_integer (tensor, 0);
      g_hash_table_insert (self->description->compared_values, g_strdup (input),
                           g_memdup2 (&integer, sizeof integer));
    }
}

/* Reads the numbers in the shape that a node gives to a value; an input may have some of them. */
static void
read_sizes (Reading *self, const Onnx__NodeProto *node)
{
  static const char *const ops[] = { "Reshape", "Expand", "Resize", NULL };
  gboolean has_shape = node->op_type != NULL && g_strv_contains (ops, node->op_type) && node->n_input > 1;
  const Onnx__TensorProto *shape = has_shape ? find_constant (self, node->input[node->n_input - 1]) : NULL;
  g_autoptr (DynoTensor) tensor = NULL;
  gint64 count = shape != NULL ? dyno_onnx_tensor_count_elements (shape) : 0;

  if (count < 1 || count > DYNO_SHAPE_MAX_RANK || shape->data_type != DYNO_DATA_TYPE_INT64)
    return;
  tensor = dyno_onnx_tensor_read (shape, "");
  for (gint64 i = 0; tensor != NULL && i < count; i++)
    {
      gint64 size = dyno_tensor_get_integer (tensor, i);

      if (size >= MIN_SUGGESTED && size <= MAX_SUGGESTED &&
          g_hash_table_size (self->description->sizes) < MAX_SUGGESTIONS)
        g_hash_table_add (self->description->sizes, g_strdup_printf ("%" G_GINT64_FORMAT, size));
    }
}

/* Engines name a node that has no name after its operator and its number among the nodes that are no constants. */
static char *
dup_node_name (const Onnx__NodeProto *node, guint *number)
{
  gboolean is_constant = g_strcmp0 (node->op_type, "Constant") == 0;
  guint own = is_constant ? 0 : (*number)++;

  if (node->name != NULL && *node->name != '\0')
    return g_strdup (node->name);
  return g_strdup_printf ("%s_%u", node->op_type != NULL ? node->op_type : "", own);
}

/* A name that is used twice identifies no branch. */
static void
read_branch (DynoModelDescription *description,
             const char *attribute,
             const char *owner,
             Onnx__NodeProto **nodes,
             gsize n_nodes)
{
  guint number = 0;

  for (gsize i = 0; i < n_nodes; i++)
    {
      char *name = dup_node_name (nodes[i], &number);
      gboolean is_known = g_hash_table_contains (description->branches, name);

      g_hash_table_replace (description->branches, name,
                            is_known ? g_strdup ("") : g_strconcat (attribute, " ", owner, NULL));
    }
}

/* Includes the nodes inside an If or a Loop; a nameless one gets no generated name, because other nodes may
 * have that name. */
static void
read_nodes (DynoModelDescription *description, Onnx__NodeProto **nodes, gsize n_nodes, gboolean is_inner)
{
  guint number = 0;

  for (gsize i = 0; i < n_nodes; i++)
    {
      const Onnx__NodeProto *node = nodes[i];
      g_autofree char *own = dup_node_name (node, &number);
      const char *name = is_inner ? node->name : own;
      const char *first = node->n_output > 0 ? node->output[0] : "";
      const char *owner = node->name != NULL && *node->name != '\0' ? node->name : first;

      dyno_model_description_add_operator (description, node->domain, node->op_type);
      dyno_model_description_set_window (description, name, dyno_node_get_window_elements (node));
      dyno_model_description_set_equation (description, name, dyno_node_dup_string (node, "equation"));
      for (gsize k = 0; k < node->n_attribute; k++)
        {
          const Onnx__AttributeProto *attribute = node->attribute[k];

          if (attribute->g != NULL && attribute->name != NULL)
            read_branch (description, attribute->name, owner, attribute->g->node, attribute->g->n_node);
          if (attribute->g != NULL)
            read_nodes (description, attribute->g->node, attribute->g->n_node, TRUE);
          for (gsize m = 0; m < attribute->n_graphs; m++)
            read_nodes (description, attribute->graphs[m]->node, attribute->graphs[m]->n_node, TRUE);
        }
    }
}

DynoModelDescription *
dyno_onnx_file_describe (const char *path, GError **error)
{
  g_autoptr (DynoOnnxTree) tree = dyno_onnx_tree_read (path, error);
  g_autoptr (DynoModelDescription) description = dyno_model_description_new ();
  g_auto (DynoOnnxWeights) weights = { 0 };
  g_autoptr (DynoOnnxAxes) axes = NULL;
  g_autoptr (GHashTable) inputs = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) producers = g_hash_table_new (g_str_hash, g_str_equal);
  Onnx__GraphProto *graph = tree != NULL ? tree->model->graph : NULL;

  if (tree == NULL || !dyno_onnx_check_model (tree->model, path, description->external_files, error))
    return NULL;
  dyno_onnx_weights_read (&weights, tree->model);
  axes = dyno_onnx_axes_new (graph);
  for (gsize i = 0; i < graph->n_node; i++)
    for (gsize k = 0; k < graph->node[i]->n_output; k++)
      g_hash_table_insert (producers, graph->node[i]->output[k], graph->node[i]);

  Reading self = { path, graph, &weights, producers, axes, inputs, description };
  if (!read_signature (&self, error) || !read_weights (&self, error))
    return NULL;
  for (gsize i = 0; i < graph->n_node; i++)
    {
      const Onnx__NodeProto *node = graph->node[i];
      const Onnx__TensorProto *table = NULL;

      /* A Gather that looks up an input in a weight limits that input to the weight's rows. */
      if (g_strcmp0 (node->op_type, "Gather") == 0 && node->n_input >= 2 &&
          dyno_node_get_int (node, "axis", 0) == 0)
        table = g_hash_table_lookup (weights.by_name, trace_back (&self, node->input[0]));
      if (table != NULL && table->n_dims > 0)
        dyno_model_description_limit (description, trace_back (&self, node->input[1]), table->dims[0]);
      read_compared_value (&self, node);
      read_window (&self, node);
      read_sizes (&self, node);
    }
  read_nodes (description, graph->node, graph->n_node, FALSE);
  /* A node outside has the same name. */
  guint number = 0;
  for (gsize i = 0; i < graph->n_node && g_hash_table_size (description->branches) > 0; i++)
    {
      g_autofree char *name = dup_node_name (graph->node[i], &number);

      g_hash_table_remove (description->branches, name);
    }
  return g_steal_pointer (&description);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-node.h"
#include "dyno-onnx-check.h"
#include "dyno-onnx-file.h"
#include "dyno-onnx-tensor.h"
#include "dyno-onnx-tree.h"

/* Maximum number of nodes that only pass a value on between an input and the Gather that it feeds. */
#define MAX_TRACE 8

/* More elements than all weights of any model have, and few enough that calculations with them fit 63 bits. */
#define MAX_ELEMENTS (G_GINT64_CONSTANT (1) << 44)

typedef struct
{
  const char *path;
  Onnx__GraphProto *graph;
  GHashTable *initializers;
  GHashTable *producers;
  DynoModelDescription *description;
} Reading;

static gboolean
is_float (int type)
{
  return type == DYNO_DATA_TYPE_FLOAT || type == DYNO_DATA_TYPE_FLOAT16 || type == DYNO_DATA_TYPE_BFLOAT16 ||
         type == DYNO_DATA_TYPE_DOUBLE;
}

static void
add_dimension (DynoTensorInfo *info, const Onnx__TensorShapeProto__Dimension *dimension, guint axis)
{
  g_autofree char *name = NULL;

  if (dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
      dimension->dim_value >= 0)
    {
      dyno_tensor_info_add_size (info, dimension->dim_value);
      return;
    }
  if (dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM &&
      *dimension->dim_param != '\0')
    {
      dyno_tensor_info_add_symbol (info, dimension->dim_param);
      return;
    }
  name = g_strdup_printf ("%s:%u", dyno_tensor_info_get_name (info), axis);
  dyno_tensor_info_add_symbol (info, name);
}

static DynoTensorInfo *
read_value_info (const Onnx__ValueInfoProto *value)
{
  const Onnx__TypeProto__Tensor *type = NULL;
  g_autoptr (DynoTensorInfo) info = NULL;

  if (value->name == NULL)
    return NULL;
  if (value->type != NULL && value->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    type = value->type->tensor_type;
  info = dyno_tensor_info_new (value->name, type != NULL ? (DynoDataType)type->elem_type : 0);
  for (gsize i = 0; type != NULL && type->shape != NULL && i < type->shape->n_dim; i++)
    add_dimension (info, type->shape->dim[i], i);
  return g_steal_pointer (&info);
}

static gboolean
check_input (Reading *self, const Onnx__ValueInfoProto *value, GError **error)
{
  if (value->name != NULL && value->type != NULL &&
      value->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE &&
      value->type->tensor_type->shape != NULL &&
      value->type->tensor_type->shape->n_dim <= DYNO_SHAPE_MAX_RANK)
    return TRUE;

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The input “%s” of “%s” is not a tensor of declared rank up to %d. Export the model with "
                  "plain tensors as inputs."),
               value->name != NULL ? value->name : "", self->path, DYNO_SHAPE_MAX_RANK);
  return FALSE;
}

static gboolean
read_signature (Reading *self, GError **error)
{
  DynoModelDescription *description = self->description;

  for (gsize i = 0; i < self->graph->n_input; i++)
    {
      const Onnx__ValueInfoProto *value = self->graph->input[i];

      if (value->name != NULL && g_hash_table_contains (self->initializers, value->name))
        continue;
      if (!check_input (self, value, error))
        return FALSE;
      g_ptr_array_add (description->inputs, read_value_info (value));
    }
  for (gsize i = 0; i < self->graph->n_output; i++)
    if (self->graph->output[i]->name != NULL)
      g_ptr_array_add (description->outputs, read_value_info (self->graph->output[i]));

  if (description->inputs->len > 0 && description->outputs->len > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The model “%s” has no inputs or no outputs, so there is nothing to run."), self->path);
  return FALSE;
}

/* The running mean and variance of a batch normalisation are float initialisers, but not trained. */
static GHashTable *
find_statistics (Reading *self)
{
  GHashTable *statistics = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < self->graph->n_node; i++)
    {
      const Onnx__NodeProto *node = self->graph->node[i];

      if (g_strcmp0 (node->op_type, "BatchNormalization") == 0 && node->n_input == 5)
        {
          g_hash_table_add (statistics, node->input[3]);
          g_hash_table_add (statistics, node->input[4]);
        }
    }
  return statistics;
}

/* Scales of quantised weights count as well: floating-point operations are computed in their type. */
static DynoDataType
find_real_type (Reading *self)
{
  static const DynoDataType types[] = { DYNO_DATA_TYPE_FLOAT, DYNO_DATA_TYPE_FLOAT16, DYNO_DATA_TYPE_BFLOAT16,
                                        DYNO_DATA_TYPE_DOUBLE };
  DynoDataType most = DYNO_DATA_TYPE_UNDEFINED;
  gint64 largest = 0;

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      gint64 count = 0;

      for (gsize i = 0; i < self->graph->n_initializer; i++)
        if (self->graph->initializer[i]->data_type == (int)types[k])
          count += dyno_onnx_tensor_count_elements (self->graph->initializer[i]);
      if (count <= largest)
        continue;
      largest = count;
      most = types[k];
    }
  return most;
}

/* A scalar is far more often a constant of the exporter, such as the 0.5 of a GELU, than a weight. */
static gboolean
read_weights (Reading *self, GError **error)
{
  g_autoptr (GHashTable) statistics = find_statistics (self);
  gint64 n_elements = 0;

  for (gsize i = 0; i < self->graph->n_initializer; i++)
    {
      const Onnx__TensorProto *tensor = self->graph->initializer[i];
      gint64 count = dyno_onnx_tensor_count_elements (tensor);

      n_elements += count;
      if (n_elements > MAX_ELEMENTS)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                       _ ("The weights of “%s” add up to an impossible size: the file is damaged."),
                       self->path);
          return FALSE;
        }
      self->description->weight_bytes += dyno_onnx_tensor_get_bytes (tensor);
      if (is_float (tensor->data_type) && count > 1 &&
          (tensor->name == NULL || !g_hash_table_contains (statistics, tensor->name)))
        self->description->parameter_count += count;
    }
  self->description->real_type = find_real_type (self);
  return TRUE;
}

static gboolean
passes_on (const Onnx__NodeProto *node)
{
  static const char *const ops[] = { "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", NULL };

  return node->n_input > 0 && node->op_type != NULL && g_strv_contains (ops, node->op_type);
}

static const char *
trace_back (Reading *self, const char *name)
{
  for (guint i = 0; i < MAX_TRACE; i++)
    {
      const Onnx__NodeProto *node = g_hash_table_lookup (self->producers, name);

      if (node == NULL || !passes_on (node))
        break;
      name = node->input[0];
    }
  return name;
}

/* A Gather that looks up an input in a weight limits that input to the weight's rows. */
static void
read_row_limit (Reading *self, const Onnx__NodeProto *node)
{
  const Onnx__TensorProto *table;

  if (g_strcmp0 (node->op_type, "Gather") != 0 || node->n_input < 2 ||
      dyno_node_get_int (node, "axis", 0) != 0)
    return;
  table = g_hash_table_lookup (self->initializers, trace_back (self, node->input[0]));
  if (table != NULL && table->n_dims > 0)
    dyno_model_description_limit (self->description, trace_back (self, node->input[1]), table->dims[0]);
}

static void
index_graph (Reading *self)
{
  self->initializers = g_hash_table_new (g_str_hash, g_str_equal);
  self->producers = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; i < self->graph->n_initializer; i++)
    if (self->graph->initializer[i]->name != NULL)
      g_hash_table_insert (self->initializers, self->graph->initializer[i]->name,
                           self->graph->initializer[i]);
  for (gsize i = 0; i < self->graph->n_node; i++)
    for (gsize k = 0; k < self->graph->node[i]->n_output; k++)
      g_hash_table_insert (self->producers, self->graph->node[i]->output[k], self->graph->node[i]);
}

static DynoModelDescription *
read_model (const char *path, Onnx__ModelProto *model, GError **error)
{
  g_autoptr (DynoModelDescription) description = dyno_model_description_new ();
  Onnx__GraphProto *graph = model->graph;
  Reading self = { path, graph, NULL, NULL, description };
  gboolean is_good;

  if (!dyno_onnx_check_model (model, path, description->external_files, error))
    return NULL;
  index_graph (&self);
  is_good = read_signature (&self, error) && read_weights (&self, error);
  for (gsize i = 0; is_good && i < graph->n_node; i++)
    {
      read_row_limit (&self, graph->node[i]);
      dyno_model_description_add_operator (description, graph->node[i]->domain, graph->node[i]->op_type);
      dyno_model_description_set_window (description, graph->node[i]->name,
                                         dyno_node_get_window_elements (graph->node[i]));
    }
  g_hash_table_unref (self.initializers);
  g_hash_table_unref (self.producers);
  return is_good ? g_steal_pointer (&description) : NULL;
}

/**
 * dyno_onnx_file_describe:
 * @path: an ONNX file
 * @error: return location
 *
 * Reads the description of the model. The file is mapped, and its parsed tree is freed before this returns. Whether its
 * operators and opsets are supported is left to the engine. The file may be untrusted, so only call this in workers,
 * whose resources are limited.
 *
 * Returns: (transfer full): the description
 */
DynoModelDescription *
dyno_onnx_file_describe (const char *path, GError **error)
{
  g_autoptr (DynoOnnxTree) tree = dyno_onnx_tree_read (path, error);

  return tree != NULL ? read_model (path, tree->model, error) : NULL;
}

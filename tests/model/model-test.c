/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "model-test.h"

char *
model_test_make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("dyno-model-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

void
model_test_remove_folder (char *folder)
{
  remove_tree (folder);
  g_free (folder);
}

DynoModel *
model_test_load (const char *spec)
{
  g_autoptr (GError) error = NULL;
  DynoModel *model = dyno_model_load (spec, &error);

  g_assert_no_error (error);
  return model;
}

Onnx__ModelProto *
model_test_onnx_new (void)
{
  Onnx__ModelProto *model = g_new0 (Onnx__ModelProto, 1);

  onnx__model_proto__init (model);
  model->has_ir_version = TRUE;
  model->ir_version = 8;
  model->n_opset_import = 1;
  model->opset_import = g_new0 (Onnx__OperatorSetIdProto *, 1);
  model->opset_import[0] = g_new0 (Onnx__OperatorSetIdProto, 1);
  onnx__operator_set_id_proto__init (model->opset_import[0]);
  model->opset_import[0]->has_version = TRUE;
  model->opset_import[0]->version = 17;
  model->graph = g_new0 (Onnx__GraphProto, 1);
  onnx__graph_proto__init (model->graph);
  return model;
}

#define APPEND(array, count, item)                                                                           \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    (array) = g_realloc_n ((array), (count) + 1, sizeof *(array));                                           \
    (array)[(count)++] = (item);                                                                             \
  }                                                                                                          \
  G_STMT_END

static Onnx__TensorShapeProto__Dimension *
dimension_new (const char *text)
{
  Onnx__TensorShapeProto__Dimension *dimension = g_new0 (Onnx__TensorShapeProto__Dimension, 1);

  onnx__tensor_shape_proto__dimension__init (dimension);
  if (g_ascii_isdigit (*text))
    {
      dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
      dimension->dim_value = g_ascii_strtoll (text, NULL, 10);
    }
  else if (strcmp (text, "?") != 0)
    {
      dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
      dimension->dim_param = g_strdup (text);
    }
  return dimension;
}

static Onnx__ValueInfoProto *
value_new (const char *name, DynoDataType type, const char *dims)
{
  Onnx__ValueInfoProto *value = g_new0 (Onnx__ValueInfoProto, 1);
  Onnx__TypeProto__Tensor *tensor = g_new0 (Onnx__TypeProto__Tensor, 1);
  g_auto (GStrv) parts = g_strsplit (dims != NULL ? dims : "", ", ", -1);

  onnx__value_info_proto__init (value);
  onnx__type_proto__tensor__init (tensor);
  value->name = g_strdup (name);
  value->type = g_new0 (Onnx__TypeProto, 1);
  onnx__type_proto__init (value->type);
  value->type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  value->type->tensor_type = tensor;
  tensor->has_elem_type = TRUE;
  tensor->elem_type = type;
  if (dims == NULL)
    return value;
  tensor->shape = g_new0 (Onnx__TensorShapeProto, 1);
  onnx__tensor_shape_proto__init (tensor->shape);
  for (guint i = 0; parts[i] != NULL; i++)
    APPEND (tensor->shape->dim, tensor->shape->n_dim, dimension_new (parts[i]));
  return value;
}

void
model_test_onnx_add_input (Onnx__ModelProto *model, const char *name, DynoDataType type, const char *dims)
{
  APPEND (model->graph->input, model->graph->n_input, value_new (name, type, dims));
}

void
model_test_onnx_add_output (Onnx__ModelProto *model, const char *name, const char *dims)
{
  APPEND (model->graph->output, model->graph->n_output, value_new (name, DYNO_DATA_TYPE_FLOAT, dims));
}

Onnx__TensorProto *
model_test_onnx_add_weight (
    Onnx__ModelProto *model, const char *name, DynoDataType type, gint64 rows, gint64 columns)
{
  Onnx__TensorProto *tensor = g_new0 (Onnx__TensorProto, 1);
  const gint64 dims[] = { rows, columns };

  onnx__tensor_proto__init (tensor);
  tensor->name = g_strdup (name);
  tensor->has_data_type = TRUE;
  tensor->data_type = type;
  tensor->n_dims = columns > 0 ? 2 : 1;
  tensor->dims = g_memdup2 (dims, tensor->n_dims * sizeof *dims);
  tensor->has_raw_data = TRUE;
  tensor->raw_data.len = rows * MAX (columns, 1) * dyno_data_type_get_size (type);
  tensor->raw_data.data = g_malloc0 (tensor->raw_data.len);
  APPEND (model->graph->initializer, model->graph->n_initializer, tensor);
  return tensor;
}

void
model_test_onnx_add_node (Onnx__ModelProto *model, const char *op_type, const char *output, ...)
{
  Onnx__NodeProto *node = g_new0 (Onnx__NodeProto, 1);
  va_list args;

  onnx__node_proto__init (node);
  node->op_type = g_strdup (op_type);
  APPEND (node->output, node->n_output, g_strdup (output));
  va_start (args, output);
  for (const char *input = va_arg (args, const char *); input != NULL; input = va_arg (args, const char *))
    APPEND (node->input, node->n_input, g_strdup (input));
  va_end (args);
  APPEND (model->graph->node, model->graph->n_node, node);
}

void
model_test_onnx_add_external (Onnx__TensorProto *tensor, const char *key, const char *value)
{
  Onnx__StringStringEntryProto *entry = g_new0 (Onnx__StringStringEntryProto, 1);

  onnx__string_string_entry_proto__init (entry);
  entry->key = g_strdup (key);
  entry->value = g_strdup (value);
  tensor->has_data_location = TRUE;
  tensor->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
  APPEND (tensor->external_data, tensor->n_external_data, entry);
}

char *
model_test_onnx_save (Onnx__ModelProto *model, const char *folder, const char *name)
{
  gsize size = onnx__model_proto__get_packed_size (model);
  g_autofree guint8 *bytes = g_malloc (size);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  onnx__model_proto__pack (model, bytes);
  g_file_set_contents (path, (const char *)bytes, size, &error);
  g_assert_no_error (error);
  return path;
}

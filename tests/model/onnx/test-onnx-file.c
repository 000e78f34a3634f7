/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-model-graph-private.h"
#include "dyno-onnx-file.h"
#include "model-test.h"
#include "suite.h"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  model_test_remove_folder (fixture->folder);
}

static Onnx__ModelProto *
embedding_model (void)
{
  Onnx__ModelProto *model = model_test_onnx_new ();

  model_test_onnx_add_input (model, "ids", DYNO_DATA_TYPE_INT64, "batch, ?");
  model_test_onnx_add_input (model, "scale", DYNO_DATA_TYPE_FLOAT, "1, 4");
  model_test_onnx_add_input (model, "table", DYNO_DATA_TYPE_FLOAT, "50, 4");
  model_test_onnx_add_weight (model, "table", DYNO_DATA_TYPE_FLOAT, 50, 4);
  model_test_onnx_add_weight (model, "gamma", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_weight (model, "mean", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_weight (model, "shape", DYNO_DATA_TYPE_INT64, 3, 0);
  model_test_onnx_add_weight (model, "half", DYNO_DATA_TYPE_FLOAT, 1, 0);
  model_test_onnx_add_node (model, "Cast", "cast", "ids", NULL);
  model_test_onnx_add_node (model, "Gather", "rows", "table", "cast", NULL);
  model_test_onnx_add_node (model, "BatchNormalization", "norm", "rows", "gamma", "gamma", "mean", "mean",
                            NULL);
  model_test_onnx_add_node (model, "Mul", "y", "norm", "scale", NULL);
  model_test_onnx_add_output (model, "y", "batch, ?, 4");
  return model;
}

static DynoModelDescription *
describe_or_fail (const char *path)
{
  g_autoptr (GError) error = NULL;
  DynoModelDescription *description = dyno_onnx_file_describe (path, &error);

  g_assert_no_error (error);
  return description;
}

static DynoModelDescription *
describe (Fixture *fixture, Onnx__ModelProto *model)
{
  g_autofree char *path = model_test_onnx_save (model, fixture->folder, "m.onnx");

  return describe_or_fail (path);
}

static void
test_describe (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = describe (fixture, model);
  const gint64 *limit;

  g_assert_cmpuint (description->inputs->len, ==, 2);
  g_assert_cmpuint (description->outputs->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_info_get_symbol (description->inputs->pdata[0], 0), ==, "batch");
  g_assert_cmpstr (dyno_tensor_info_get_symbol (description->inputs->pdata[0], 1), ==, "ids:1");
  g_assert_cmpint (dyno_tensor_info_get_size (description->inputs->pdata[1], 1), ==, 4);
  g_assert_cmpint (description->parameter_count, ==, 200 + 4);
  g_assert_cmpint (description->weight_bytes, ==, 4 * (200 + 4 + 4 + 1) + 8 * 3);
  limit = g_hash_table_lookup (description->row_limits, "ids");
  g_assert_true (limit != NULL && *limit == 50);
  g_assert_false (g_hash_table_contains (description->row_limits, "scale"));
}

static void
assert_refused (const char *path, DynoError code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_onnx_file_describe (path, &error));
  suite_assert_error (error, code, word);
}

static void
assert_model_refused (Fixture *fixture, Onnx__ModelProto *model, DynoError code, const char *word)
{
  g_autofree char *path = model_test_onnx_save (model, fixture->folder, "m.onnx");

  assert_refused (path, code, word);
}

static void
assert_contents_refused (Fixture *fixture, const char *contents, gsize size, const char *word)
{
  g_autofree char *path = g_build_filename (fixture->folder, "bad.onnx", NULL);

  g_assert_true (g_file_set_contents (path, contents, size, NULL));
  assert_refused (path, DYNO_ERROR_INVALID_DATA, word);
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  static const char text[] = "<!doctype html><title>Not found</title>";
  static const char random[] = "\x0a\x03xyz\x12\x00";
  g_autofree char *missing = g_build_filename (fixture->folder, "missing.onnx", NULL);

  assert_refused (missing, DYNO_ERROR_NOT_FOUND, "missing.onnx");
  assert_refused (fixture->folder, DYNO_ERROR_INVALID_DATA, "not a file");
  assert_contents_refused (fixture, "", 0, "empty");
  assert_contents_refused (fixture, text, sizeof text, "not an ONNX model");
  assert_contents_refused (fixture, random, sizeof random, "not an ONNX model");
}

/* Each is known by its first bytes, and the user is told what to do. */
static void
test_foreign (Fixture *fixture, gconstpointer data)
{
#define FOREIGN(contents, advice) assert_contents_refused (fixture, contents, sizeof contents, advice)
  FOREIGN ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull");
  FOREIGN ("PK\3\4\x14\0", "ZIP archive");
  FOREIGN ("\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.", "PyTorch file");
  FOREIGN ("\x1c\0\0\0TFL3\0", "TensorFlow Lite");
  FOREIGN ("\x89HDF\r\n\x1a\n", "HDF5");
  FOREIGN ("\x40\0\0\0\0\0\0\0{\"w\":", "safetensors");
  FOREIGN ("<?xml version=\"1.0\"?>\n<net name=\"m\">", "OpenVINO");
  FOREIGN ("GGU", "not an ONNX model, or");
#undef FOREIGN
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autofree char *path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  g_autofree char *contents = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  for (gsize part = 1; part < size; part += 31)
    assert_contents_refused (fixture, contents, part, "cut short");
}

/* Without an input a model always gives the same. */
static void
test_no_outputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autoptr (DynoModelDescription) description = NULL;
  g_autofree char *other = NULL;

  model_test_onnx_add_node (model, "RandomNormal", "y", NULL);
  model_test_onnx_add_output (model, "y", "4");
  description = describe (fixture, model);
  g_assert_cmpuint (description->inputs->len, ==, 0);
  onnx__value_info_proto__free_unpacked (model->graph->output[0], NULL);
  model->graph->n_output = 0;
  other = model_test_onnx_save (model, fixture->folder, "none.onnx");
  assert_refused (other, DYNO_ERROR_UNSUPPORTED, "no outputs");
}

static void
test_impossible_weight (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();

  model->graph->initializer[0]->dims[0] = G_MAXINT64;
  assert_model_refused (fixture, model, DYNO_ERROR_INVALID_DATA, "impossible shape");
}

static void
test_unreadable_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();

  model->graph->output[0]->name[0] = (char)0xff;
  assert_model_refused (fixture, model, DYNO_ERROR_INVALID_DATA, "not text");
}

/* Nothing about a node is taken for granted: here an attribute has no name. */
static void
test_nameless_attribute (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = NULL;
  Onnx__NodeProto *gather = model->graph->node[1];

  gather->n_attribute = 1;
  gather->attribute = g_new0 (Onnx__AttributeProto *, 1);
  gather->attribute[0] = g_new0 (Onnx__AttributeProto, 1);
  onnx__attribute_proto__init (gather->attribute[0]);
  description = describe (fixture, model);
}

static char *
save_external (Fixture *fixture, const char *location, const char *offset)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  Onnx__TensorProto *tensor = model->graph->initializer[0];

  g_clear_pointer (&tensor->raw_data.data, g_free);
  tensor->raw_data.len = 0;
  tensor->has_raw_data = FALSE;
  model_test_onnx_add_external (tensor, "location", location);
  model_test_onnx_add_external (tensor, "offset", offset);
  model_test_onnx_add_external (tensor, "length", "800");
  return model_test_onnx_save (model, fixture->folder, "m.onnx");
}

static void
assert_external_refused (
    Fixture *fixture, const char *location, const char *offset, DynoError code, const char *word)
{
  g_autofree char *path = save_external (fixture, location, offset);

  assert_refused (path, code, word);
}

static void
test_external (Fixture *fixture, gconstpointer data)
{
  g_autofree char *weights = g_build_filename (fixture->folder, "m.data", NULL);
  g_autofree char *zeros = g_malloc0 (1000);
  g_autofree char *path = NULL;
  g_autoptr (DynoModelDescription) description = NULL;

  assert_external_refused (fixture, "m.data", "200", DYNO_ERROR_NOT_FOUND, "m.data");
  g_assert_true (g_file_set_contents (weights, zeros, 1000, NULL));
  assert_external_refused (fixture, "m.data", "201", DYNO_ERROR_INVALID_DATA, "too short");
  assert_external_refused (fixture, "m.data", "9223372036854775807", DYNO_ERROR_INVALID_DATA, "too short");
  assert_external_refused (fixture, "m.data", "18446744073709551615", DYNO_ERROR_INVALID_DATA,
                           "not a number");
  assert_external_refused (fixture, "m.data", "-4", DYNO_ERROR_INVALID_DATA, "not a number");
  assert_external_refused (fixture, "m.data", "20 ", DYNO_ERROR_INVALID_DATA, "not a number");
  assert_external_refused (fixture, "*/_ORT_MEM_ADDR_/*", "4096", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, "../m.data", "200", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, "a/../../m.data", "200", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, weights, "200", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, "", "200", DYNO_ERROR_INVALID_DATA, "in which file");

  path = save_external (fixture, "m.data", "200");
  description = describe_or_fail (path);
  g_assert_cmpint (description->parameter_count, ==, 204);
}

/* Programs differ in which of the two they take. */
static void
test_external_twice (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[] = { "location", "offset", "length" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (Onnx__ModelProto) model = embedding_model ();
      Onnx__TensorProto *tensor = model->graph->initializer[0];
      g_autofree char *path = NULL;

      model_test_onnx_add_external (tensor, "location", "m.onnx");
      model_test_onnx_add_external (tensor, "offset", "0");
      model_test_onnx_add_external (tensor, "length", "800");
      model_test_onnx_add_external (tensor, keys[i], tensor->external_data[i]->value);
      path = model_test_onnx_save (model, fixture->folder, "m.onnx");
      assert_refused (path, DYNO_ERROR_INVALID_DATA, "says twice");
      assert_refused (path, DYNO_ERROR_INVALID_DATA, keys[i]);
    }
}

/* Values that are stored one by one count as well. */
static void
test_lacking_values (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  Onnx__TensorProto *gamma = model->graph->initializer[1];
  g_autofree char *path = NULL;
  g_autoptr (DynoModelDescription) description = NULL;

  gamma->raw_data.len = 0;
  gamma->n_float_data = 4;
  gamma->float_data = g_new0 (float, 4);
  path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  description = dyno_onnx_file_describe (path, NULL);
  g_assert_nonnull (description);

  gamma->n_float_data = 3;
  g_free (model_test_onnx_save (model, fixture->folder, "m.onnx"));
  assert_refused (path, DYNO_ERROR_INVALID_DATA, "“gamma”");
  assert_refused (path, DYNO_ERROR_INVALID_DATA, "needs 16 bytes of values, but the file holds 12 bytes");
}

/* Of a million numbers, two are not zero. */
static Onnx__ModelProto *
sparse_model (void)
{
  Onnx__ModelProto *model = embedding_model ();
  Onnx__SparseTensorProto *sparse = g_new0 (Onnx__SparseTensorProto, 1);

  onnx__sparse_tensor_proto__init (sparse);
  model_test_onnx_add_weight (model, "indices", DYNO_DATA_TYPE_INT64, 2, 0);
  model_test_onnx_add_weight (model, "sparse", DYNO_DATA_TYPE_FLOAT, 2, 0);
  sparse->values = model->graph->initializer[--model->graph->n_initializer];
  sparse->indices = model->graph->initializer[--model->graph->n_initializer];
  sparse->n_dims = 2;
  sparse->dims = g_new (gint64, 2);
  sparse->dims[0] = sparse->dims[1] = 1000;
  model->graph->sparse_initializer = g_new (Onnx__SparseTensorProto *, 1);
  model->graph->sparse_initializer[0] = sparse;
  model->graph->n_sparse_initializer = 1;
  return model;
}

/* An engine unpacks it. */
static void
test_sparse (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = sparse_model ();
  Onnx__SparseTensorProto *sparse = model->graph->sparse_initializer[0];
  g_autoptr (DynoModelDescription) description = describe (fixture, model);

  g_assert_cmpint (description->weight_bytes, ==, 4 * (200 + 4 + 4 + 1) + 8 * 3 + 4 * 1000 * 1000);
  g_assert_cmpint (description->parameter_count, ==, 200 + 4 + 2);

  sparse->values->dims[0] = G_GINT64_CONSTANT (1) << 40;
  assert_model_refused (fixture, model, DYNO_ERROR_INVALID_DATA, "“sparse”");
  sparse->values->dims[0] = 2;
  sparse->dims[0] = sparse->dims[1] = G_GINT64_CONSTANT (1) << 40;
  assert_model_refused (fixture, model, DYNO_ERROR_INVALID_DATA, "impossible shape");
}

static void
move_to_constant (Onnx__ModelProto *model, Onnx__TensorProto *tensor)
{
  Onnx__NodeProto *node;

  model_test_onnx_add_node (model, "Constant", tensor->name, NULL);
  node = model->graph->node[model->graph->n_node - 1];
  g_clear_pointer (&tensor->name, g_free);
  dyno_node_add_tensor (node, "value", tensor);
}

/* Exporters write weights as constants, too; the same model has the same number of parameters. Scalars and shapes among
 * constants are parts of formulas. */
static void
test_constants (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = NULL;
  const gint64 *limit;

  for (gsize i = 0; i < model->graph->n_initializer; i++)
    move_to_constant (model, model->graph->initializer[i]);
  model->graph->n_initializer = 0;
  onnx__value_info_proto__free_unpacked (model->graph->input[--model->graph->n_input], NULL);
  description = describe (fixture, model);
  g_assert_cmpint (description->parameter_count, ==, 200 + 4);
  g_assert_cmpint (description->weight_bytes, ==, 4 * (200 + 4 + 4));
  limit = g_hash_table_lookup (description->row_limits, "ids");
  g_assert_true (limit != NULL && *limit == 50);
}

/* Weights of the graphs of If and Loop count, and their names do not hide an input. */
static void
test_subgraphs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = NULL;
  Onnx__GraphProto *body = dyno_node_add_body (model->graph->node[0], "body", "body");
  Onnx__TensorProto *weight = model_test_onnx_add_weight (model, "scale", DYNO_DATA_TYPE_FLOAT, 7, 0);

  model->graph->n_initializer--;
  body->initializer = g_new (Onnx__TensorProto *, 1);
  body->initializer[0] = weight;
  body->n_initializer = 1;
  description = describe (fixture, model);
  g_assert_cmpint (description->parameter_count, ==, 200 + 4 + 7);
  g_assert_cmpuint (description->inputs->len, ==, 2);
}

/* Quantised weights count as those that they stand for; scales and zero points describe them. */
static void
test_quantised (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autoptr (DynoModelDescription) description = NULL;

  model_test_onnx_add_input (model, "x", DYNO_DATA_TYPE_FLOAT, "batch, 50");
  model_test_onnx_add_weight (model, "w", DYNO_DATA_TYPE_INT8, 50, 4);
  model_test_onnx_add_weight (model, "w_scale", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_weight (model, "w_zero", DYNO_DATA_TYPE_INT8, 4, 0);
  model_test_onnx_add_weight (model, "b", DYNO_DATA_TYPE_INT32, 4, 0);
  model_test_onnx_add_weight (model, "blocks", DYNO_DATA_TYPE_UINT8, 4, 25);
  model_test_onnx_add_weight (model, "block_scales", DYNO_DATA_TYPE_FLOAT, 4, 2);
  model_test_onnx_add_weight (model, "shape", DYNO_DATA_TYPE_INT64, 2, 0);
  model_test_onnx_add_node (model, "DequantizeLinear", "dw", "w", "w_scale", "w_zero", NULL);
  model_test_onnx_add_node (model, "DequantizeLinear", "db", "b", "w_scale", NULL);
  model_test_onnx_add_node (model, "Gemm", "g", "x", "dw", "db", NULL);
  model_test_onnx_add_node (model, "Reshape", "r", "x", "shape", NULL);
  model_test_onnx_add_node (model, "MatMulNBits", "y", "r", "blocks", "block_scales", NULL);
  dyno_node_parse_attributes (model->graph->node[4], "K=50 N=4 bits=4");
  model_test_onnx_add_output (model, "y", "batch, 4");
  description = describe (fixture, model);
  g_assert_cmpint (description->parameter_count, ==, 50 * 4 + 4 + 50 * 4);
}

static DynoModelDescription *
pass_on (DynoModelDescription *description)
{
  g_autoptr (JsonObject) object = dyno_model_description_to_json (description);

  dyno_model_description_unref (description);
  return dyno_model_description_new_from_json (object);
}

/* A product with a weight of 50 × 4, as a step of quantisation leaves it. @weight is its type, @op_type and @attributes those
 * of what reads it. */
static char *
describe_product (
    Fixture *fixture, DynoDataType weight, const char *op_type, const char *attributes, const char *before)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autoptr (DynoModelDescription) description = NULL;
  gboolean is_packed = strstr (op_type, "Bits") != NULL;

  model_test_onnx_add_input (model, "x", DYNO_DATA_TYPE_FLOAT, "batch, 50");
  model_test_onnx_add_weight (model, "words", DYNO_DATA_TYPE_FLOAT, 1000, 4);
  model_test_onnx_add_weight (model, "ids", DYNO_DATA_TYPE_INT64, 2, 0);
  model_test_onnx_add_weight (model, "w", weight, is_packed ? 4 : 50, is_packed ? 25 : 4);
  model_test_onnx_add_weight (model, "scale", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_node (model, "Gather", "rows", "words", "ids", NULL);
  model_test_onnx_add_node (model, before, "q", "x", NULL);
  if (is_packed)
    model_test_onnx_add_node (model, op_type, "y", "q", "w", "scale", NULL);
  else
    model_test_onnx_add_node (model, op_type, "y", "w", "scale", NULL);
  dyno_node_parse_attributes (model->graph->node[2], attributes);
  model_test_onnx_add_output (model, "y", "batch, 4");
  description = describe (fixture, model);
  return g_strdup (description->quantisation);
}

static void
assert_quantisation (Fixture *fixture,
                     DynoDataType weight,
                     const char *op_type,
                     const char *attributes,
                     const char *before,
                     const char *expected)
{
  g_autofree char *quantisation = describe_product (fixture, weight, op_type, attributes, before);

  g_assert_cmpstr (quantisation, ==, expected);
}

/* A file is in the precision of the weights of its products, whatever tables of words are in. */
static void
test_quantisation (Fixture *fixture, gconstpointer data)
{
  assert_quantisation (fixture, DYNO_DATA_TYPE_FLOAT, "Identity", NULL, "Relu", NULL);
  assert_quantisation (fixture, DYNO_DATA_TYPE_INT8, "DequantizeLinear", NULL, "QuantizeLinear", "int8");
  assert_quantisation (fixture, DYNO_DATA_TYPE_UINT8, "DequantizeLinear", NULL, "DynamicQuantizeLinear",
                       "uint8");
  assert_quantisation (fixture, DYNO_DATA_TYPE_FLOAT, "QuantizeLinear", NULL, "Relu", "int8");
  assert_quantisation (fixture, DYNO_DATA_TYPE_INT8, "DequantizeLinear", NULL, "Relu", "int8-weights");
  assert_quantisation (fixture, DYNO_DATA_TYPE_INT32, "DequantizeLinear", NULL, "Relu", NULL);
  assert_quantisation (fixture, DYNO_DATA_TYPE_UINT8, "MatMulNBits", "K=50 N=4 bits=4", "Relu", "int4");
  assert_quantisation (fixture, DYNO_DATA_TYPE_UINT8, "MatMulBnb4", "K=50 N=4 block_size=64 quant_type=1",
                       "Relu", "nf4");
  assert_quantisation (fixture, DYNO_DATA_TYPE_UINT8, "MatMulBnb4", "K=50 N=4 block_size=64 quant_type=0",
                       "Relu", "fp4");
  assert_quantisation (fixture, DYNO_DATA_TYPE_UINT8, "MatMulNBits", "K=50 N=4 bits=8", "Relu",
                       "int8-weights");
  assert_quantisation (fixture, DYNO_DATA_TYPE_UINT8, "MatMulNBits", "K=50 N=4 bits=999", "Relu", "int16");
}

/* What a node in the graph of a Loop is counted by is known as well. */
static void
test_nodes_of_subgraphs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = NULL;
  Onnx__GraphProto *body = dyno_node_add_body (model->graph->node[0], "body", "body");
  const gint64 *window;

  body->node = g_new (Onnx__NodeProto *, 2);
  body->node[0] = dyno_node_new ("AveragePool", "pool");
  dyno_node_parse_attributes (body->node[0], "kernel_shape=[2,3]");
  body->node[1] = dyno_node_new ("Einsum", "sum");
  dyno_node_parse_attributes (body->node[1], "equation=ij,jk->ik");
  body->n_node = 2;
  description = describe (fixture, model);
  description = pass_on (g_steal_pointer (&description));
  window = g_hash_table_lookup (description->windows, "pool");
  g_assert_true (window != NULL && *window == 6);
  g_assert_cmpstr (g_hash_table_lookup (description->equations, "sum"), ==, "ij,jk->ik");
  g_assert_true (g_hash_table_contains (description->operators, "AveragePool"));
}

/* Takes the type. */
static void
set_type (Onnx__ModelProto *model, Onnx__TypeProto *type)
{
  onnx__type_proto__free_unpacked (model->graph->input[0]->type, NULL);
  model->graph->input[0]->type = type;
}

static Onnx__TypeProto *
type_new (Onnx__TypeProto__ValueCase value_case)
{
  Onnx__TypeProto *type = g_new0 (Onnx__TypeProto, 1);

  onnx__type_proto__init (type);
  type->value_case = value_case;
  return type;
}

static Onnx__TypeProto *
sequence_new (void)
{
  Onnx__TypeProto *type = type_new (ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE);

  type->sequence_type = g_new0 (Onnx__TypeProto__Sequence, 1);
  onnx__type_proto__sequence__init (type->sequence_type);
  return type;
}

static Onnx__TypeProto *
optional_new (void)
{
  Onnx__TypeProto *type = type_new (ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE);

  type->optional_type = g_new0 (Onnx__TypeProto__Optional, 1);
  onnx__type_proto__optional__init (type->optional_type);
  return type;
}

static void
assert_type (Fixture *fixture, Onnx__ModelProto *model, DynoDataType type)
{
  g_autoptr (DynoModelDescription) description = describe (fixture, model);
  DynoTensorInfo *info = description->inputs->pdata[0];
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_tensor_info_has_shape (info));
  g_assert_cmpint (dyno_tensor_info_get_data_type (info), ==, type);
  g_assert_false (dyno_inputs_check (description->inputs, NULL, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, dyno_data_type_to_string (type));
}

/* What has no shape must be given; what is no tensor is said where it cannot. */
static void
test_other_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();

  onnx__tensor_shape_proto__free_unpacked (model->graph->input[0]->type->tensor_type->shape, NULL);
  model->graph->input[0]->type->tensor_type->shape = NULL;
  assert_type (fixture, model, DYNO_DATA_TYPE_INT64);
  set_type (model, sequence_new ());
  assert_type (fixture, model, DYNO_DATA_TYPE_SEQUENCE);
  set_type (model, optional_new ());
  assert_type (fixture, model, DYNO_DATA_TYPE_OPTIONAL);
  set_type (model, type_new (ONNX__TYPE_PROTO__VALUE__NOT_SET));
  assert_model_refused (fixture, model, DYNO_ERROR_UNSUPPORTED, "without a declared type");
}

/* No shape, the shape of a scalar, and more dimensions than a result can have, as another process sees them. */
static void
test_outputs_without_shape (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = NULL;

  model_test_onnx_add_output (model, "cast", NULL);
  model_test_onnx_add_output (model, "rows", "");
  model_test_onnx_add_output (model, "norm", "1, 1, 1, 1, 1, 1, 1, 1, 1");
  description = describe (fixture, model);
  description = pass_on (g_steal_pointer (&description));
  g_assert_cmpuint (description->outputs->len, ==, 4);
  g_assert_true (dyno_tensor_info_has_shape (description->outputs->pdata[0]));
  g_assert_cmpuint (dyno_tensor_info_get_rank (description->outputs->pdata[0]), ==, 3);
  g_assert_false (dyno_tensor_info_has_shape (description->outputs->pdata[1]));
  g_assert_true (dyno_tensor_info_has_shape (description->outputs->pdata[2]));
  g_assert_cmpuint (dyno_tensor_info_get_rank (description->outputs->pdata[2]), ==, 0);
  g_assert_false (dyno_tensor_info_has_shape (description->outputs->pdata[3]));
  g_assert_cmpuint (dyno_tensor_info_get_rank (description->outputs->pdata[3]), ==, 0);
}

static void
assert_first_symbol (Fixture *fixture, const char *first, const char *second, const char *expected)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autoptr (DynoModelDescription) description = NULL;
  const char *symbol;

  model_test_onnx_add_input (model, "a", DYNO_DATA_TYPE_FLOAT, first);
  model_test_onnx_add_input (model, "b", DYNO_DATA_TYPE_FLOAT, second);
  model_test_onnx_add_node (model, "Add", "y", "a", "b", NULL);
  model_test_onnx_add_output (model, "y", first);
  description = describe (fixture, model);
  symbol = dyno_tensor_info_get_symbol (description->inputs->pdata[0], 0);
  g_assert_cmpstr (symbol, ==, expected);
  if (!g_str_equal (symbol, "a:0"))
    g_assert_cmpstr (dyno_tensor_info_get_symbol (description->outputs->pdata[0], 0), ==, expected);
}

/* A placeholder is the batch where it stands first in every input that has it. */
static void
test_placeholders (Fixture *fixture, gconstpointer data)
{
  assert_first_symbol (fixture, "?, 3", "1, 3", "a:0");
  assert_first_symbol (fixture, "unk__12, 3", "1, 3", "unk__12:0");
  assert_first_symbol (fixture, "unk__12, 3", "unk__12, 3", "unk__12:0");
  assert_first_symbol (fixture, "p2o.DynamicDimension.0, 3", "1, 3", "p2o.DynamicDimension.0:0");
  assert_first_symbol (fixture, "a_dynamic_axes_1, 3", "1, 3", "a_dynamic_axes_1:0");
  assert_first_symbol (fixture, "unk__12, 3", "1, unk__12", "unk__12");
  assert_first_symbol (fixture, "unk__12, unk__12", "1, 3", "unk__12");
  assert_first_symbol (fixture, "frames, 3", "1, 3", "frames");
}

static void
assert_binding (Fixture *fixture,
                const char *name,
                DynoDataType type,
                const char *dims,
                const char *overrides,
                const char *expected)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autofree char *text = NULL;
  g_autoptr (DynoModelDescription) read = NULL;
  g_autoptr (DynoModelDescription) description = NULL;
  g_autoptr (JsonObject) json = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GError) error = NULL;

  model_test_onnx_add_input (model, name, type, dims);
  model_test_onnx_add_node (model, "Identity", "y", name, NULL);
  model_test_onnx_add_output (model, "y", dims);
  read = describe (fixture, model);
  json = dyno_model_description_to_json (read);
  description = dyno_model_description_new_from_json (json);
  binding = dyno_binding_new (description->inputs, 4, 7, overrides, &error);
  text = binding != NULL ? dyno_binding_to_string (binding) : g_strdup (error->message);
  g_assert_cmpstr (text, ==, expected);
}

/* By where a dimension stands, and in which input. */
static void
test_axes (Fixture *fixture, gconstpointer data)
{
  const DynoDataType real = DYNO_DATA_TYPE_FLOAT, whole = DYNO_DATA_TYPE_INT64;

  assert_binding (fixture, "x", real, "None, 3, None, None", NULL, "x:0 4, x:2 224, x:3 224");
  assert_binding (fixture, "x", real, "-1, 3, -1, -1", "x:2=48,x:3=192", "x:0 4, x:2 48, x:3 192");
  assert_binding (fixture, "x", DYNO_DATA_TYPE_UINT8, "1, ?, ?, 3", NULL, "x:1 224, x:2 224");
  assert_binding (fixture, "x", real, "unk__1, 3, unk__2, unk__2", NULL, "unk__1:0 4, unk__2 224");
  assert_binding (fixture, "x", real, "batch, 3, height, 96", NULL, "batch 4, height 224");
  assert_binding (fixture, "mask", real, "?, 1, sequence, sequence", NULL, "mask:0 4, sequence 7");
  assert_binding (fixture, "audio", real, "batch, sequence", NULL, "batch 4, sequence:samples 80000");
  assert_binding (fixture, "audio", real, "batch, sequence", "sequence=1600",
                  "batch 4, sequence:samples 1600");
  assert_binding (fixture, "audio", real, "batch, sequence", "seconds=2", "batch 4, sequence:samples 32000");
  assert_binding (fixture, "waveforms", real, "batch_size, N", NULL, "N:samples 80000, batch_size 4");
  assert_binding (fixture, "waveform", real, "?", NULL, "waveform:0:samples 80000");
  assert_binding (fixture, "input", real, "?, sequence", NULL, "input:0 4, sequence:samples 80000");
  assert_binding (fixture, "input", whole, "?, sequence", NULL, "input:0 4, sequence 7");
  assert_binding (fixture, "audio_features", real, "batch, 80, sequence", NULL, "batch 4, sequence 7");
  assert_binding (fixture, "features", real, "batch_size, N", "N=9", "N:length 9, batch_size 4");
  assert_binding (fixture, "x", real, "N, 8", NULL, "N 4");
  assert_binding (fixture, "state", real, "2, ?, 128", NULL, "state:1:0 4");
  assert_binding (fixture, "h0", real, "2, ?, 128", "h0:1=2", "h0:1:0 2");
}

/* A model of speech that keeps a state between two calls takes a moment at a time. */
static void
test_state (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autofree char *usual = NULL;
  g_autofree char *chosen = NULL;
  g_autoptr (DynoModelDescription) description = NULL;
  g_autoptr (GHashTable) bound = NULL;
  g_autoptr (GHashTable) overridden = NULL;

  model_test_onnx_add_input (model, "audio", DYNO_DATA_TYPE_FLOAT, "?, ?");
  model_test_onnx_add_input (model, "state", DYNO_DATA_TYPE_FLOAT, "2, ?, 128");
  model_test_onnx_add_node (model, "Identity", "y", "audio", NULL);
  model_test_onnx_add_output (model, "y", "?, ?");
  description = describe (fixture, model);
  bound = dyno_binding_new (description->inputs, 4, 7, NULL, NULL);
  overridden = dyno_binding_new (description->inputs, 4, 7, "seconds=1", NULL);
  usual = dyno_binding_to_string (bound);
  chosen = dyno_binding_to_string (overridden);
  g_assert_cmpstr (usual, ==, "audio:0 4, audio:1:samples 512, state:1:0 4");
  g_assert_cmpstr (chosen, ==, "audio:0 4, audio:1:samples 16000, state:1:0 4");
}

static void
assert_window (Fixture *fixture, const char *first, const char *attributes, gint64 expected)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autoptr (DynoModelDescription) description = NULL;
  Onnx__TensorProto *weight;
  const gint64 *least;

  model_test_onnx_add_input (model, "x", DYNO_DATA_TYPE_FLOAT, "batch, sequence");
  weight = model_test_onnx_add_weight (model, "w", DYNO_DATA_TYPE_FLOAT, 1, 400);
  weight->n_dims = 3;
  weight->dims = g_renew (gint64, weight->dims, 3);
  weight->dims[1] = 1;
  weight->dims[2] = 400;
  model_test_onnx_add_node (model, first, "z", "x", NULL);
  model_test_onnx_add_node (model, "Conv", "y", "z", "w", NULL);
  dyno_node_parse_attributes (model->graph->node[1], attributes);
  model_test_onnx_add_output (model, "y", "batch, 1, frames");
  description = describe (fixture, model);
  least = g_hash_table_lookup (description->least_sizes, "sequence");
  g_assert_cmpint (least != NULL ? *least : 0, ==, expected);
}

/* A convolution that reads an input says how long that must be. */
static void
test_windows (Fixture *fixture, gconstpointer data)
{
  assert_window (fixture, "Unsqueeze", "", 400);
  assert_window (fixture, "Unsqueeze", "dilations=[2]", 799);
  assert_window (fixture, "Unsqueeze", "pads=[100,100]", 200);
  assert_window (fixture, "Unsqueeze", "pads=[200,200]", 0);
  assert_window (fixture, "Unsqueeze", "auto_pad=SAME_UPPER", 0);
  assert_window (fixture, "Relu", "", 0);
}

static void
add_to (Onnx__GraphProto *graph, const char *op_type, const char *name)
{
  Onnx__NodeProto *node = g_new0 (Onnx__NodeProto, 1);

  onnx__node_proto__init (node);
  node->op_type = g_strdup (op_type);
  node->name = g_strdup (name);
  graph->node = g_renew (Onnx__NodeProto *, graph->node, graph->n_node + 1);
  graph->node[graph->n_node++] = node;
}

/* Of a node that only one body has, the body is known, also where engines make up its name. */
static void
test_branches (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  Onnx__GraphProto *holds, *fails;
  g_autoptr (DynoModelDescription) description = NULL;

  model_test_onnx_add_node (model, "If", "chosen", "ids", NULL);
  holds = dyno_node_add_body (model->graph->node[model->graph->n_node - 1], "then_branch", "a");
  fails = dyno_node_add_body (model->graph->node[model->graph->n_node - 1], "else_branch", "b");
  add_to (holds, "Relu", "own");
  add_to (holds, "Relu", "both");
  add_to (holds, "Constant", "");
  add_to (holds, "Neg", "");
  add_to (fails, "Relu", "both");
  add_to (fails, "Exp", "");
  description = describe (fixture, model);
  g_assert_cmpstr (g_hash_table_lookup (description->branches, "own"), ==, "then_branch chosen");
  g_assert_cmpstr (g_hash_table_lookup (description->branches, "Neg_2"), ==, "then_branch chosen");
  g_assert_cmpstr (g_hash_table_lookup (description->branches, "Exp_1"), ==, "else_branch chosen");
  g_assert_cmpstr (g_hash_table_lookup (description->branches, "both"), ==, "");
  g_assert_null (g_hash_table_lookup (description->branches, "Gather_1"));
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/onnx-file/describe", test_describe },
  { "/onnx-file/damaged", test_damaged },
  { "/onnx-file/foreign", test_foreign },
  { "/onnx-file/truncated", test_truncated },
  { "/onnx-file/branches", test_branches },
  { "/onnx-file/no-outputs", test_no_outputs },
  { "/onnx-file/impossible-weight", test_impossible_weight },
  { "/onnx-file/unreadable-names", test_unreadable_names },
  { "/onnx-file/nameless-attribute", test_nameless_attribute },
  { "/onnx-file/external", test_external },
  { "/onnx-file/external-twice", test_external_twice },
  { "/onnx-file/lacking-values", test_lacking_values },
  { "/onnx-file/sparse", test_sparse },
  { "/onnx-file/constants", test_constants },
  { "/onnx-file/subgraphs", test_subgraphs },
  { "/onnx-file/quantised", test_quantised },
  { "/onnx-file/quantisation", test_quantisation },
  { "/onnx-file/nodes-of-subgraphs", test_nodes_of_subgraphs },
  { "/onnx-file/other-inputs", test_other_inputs },
  { "/onnx-file/outputs-without-shape", test_outputs_without_shape },
  { "/onnx-file/placeholders", test_placeholders },
  { "/onnx-file/axes", test_axes },
  { "/onnx-file/state", test_state },
  { "/onnx-file/windows", test_windows },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)

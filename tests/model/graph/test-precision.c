/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-library.h"
#include "dyno-onnx-writer.h"
#include "dyno-paths.h"
#include "dyno-precision.h"
#include "dyno-trial.h"
#include "engine-probe.h"
#include "model-test.h"
#include "suite.h"

static char *cache;

static DynoModel *
load_in (const char *spec, const char *precision)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) loaded = dyno_model_load (spec, &error);
  DynoModel *model = loaded != NULL ? dyno_model_in_precision (loaded, precision, &error) : NULL;

  g_assert_no_error (error);
  return model;
}

static char *
prepare (DynoModel *model, const char *precision, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  char *path = dyno_model_prepare (model, precision, seed, NULL, &error);

  g_assert_no_error (error);
  return path;
}

static Onnx__ModelProto *
read_proto (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize size;
  Onnx__ModelProto *proto;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  proto = onnx__model_proto__unpack (NULL, size, (guint8 *)bytes);
  g_assert_nonnull (proto);
  return proto;
}

/* Pixel coordinates, as in SAM, are not rounded. */
static DynoDataType
get_half_type (DynoTensorInfo *info)
{
  DynoDataType type = dyno_tensor_info_get_data_type (info);

  const char *name = dyno_tensor_info_get_name (info);
  gboolean is_place = g_str_equal (name, "input_points") || g_str_equal (name, "input_boxes");

  return type == DYNO_DATA_TYPE_FLOAT && !is_place ? DYNO_DATA_TYPE_FLOAT16 : type;
}

static void
assert_types (GPtrArray *single, GPtrArray *half)
{
  g_assert_cmpuint (single->len, ==, half->len);
  for (guint i = 0; i < single->len; i++)
    {
      g_assert_cmpstr (dyno_tensor_info_get_name (single->pdata[i]), ==,
                       dyno_tensor_info_get_name (half->pdata[i]));
      g_test_message ("%s", dyno_tensor_info_get_name (half->pdata[i]));
      g_assert_cmpint (dyno_tensor_info_get_data_type (half->pdata[i]), ==, get_half_type (single->pdata[i]));
    }
}

/* Every bundled model: the same parameters in half the bytes, whole numbers as they are, the same work. */
static void
test_bundled (void)
{
  g_autoptr (GListModel) models = dyno_model_library_get_default ();

  g_assert_cmpuint (g_list_model_get_n_items (models), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr (DynoModel) single = g_list_model_get_item (models, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) half = dyno_model_in_precision (single, "fp16", &error);
      g_autoptr (GHashTable) binding =
          dyno_model_bind (single, 2, dyno_model_get_usual_sequence_length (single), NULL, &error);
      gint64 flops, half_flops;

      g_assert_no_error (error);
      g_assert_cmpstr (dyno_model_get_id (half), ==, dyno_model_get_id (single));
      g_assert_cmpint (dyno_model_get_parameter_count (half), ==, dyno_model_get_parameter_count (single));
      g_assert_cmpint (2 * dyno_model_get_weight_bytes (half), ==, dyno_model_get_weight_bytes (single));
      assert_types (dyno_model_get_inputs (single), dyno_model_get_inputs (half));
      assert_types (dyno_model_get_outputs (single), dyno_model_get_outputs (half));
      g_assert_true (dyno_model_estimate_flops (single, binding, &flops));
      g_assert_true (dyno_model_estimate_flops (half, binding, &half_flops));
      g_assert_cmpint (half_flops, ==, flops);
      g_assert_cmpint (dyno_model_estimate_memory (half, binding, NULL), <,
                       dyno_model_estimate_memory (single, binding, NULL));
    }
}

/* The file of one is that of the other, rounded. */
static void
test_weights_are_rounded (void)
{
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autoptr (DynoModel) half = load_in ("bert-tiny", "fp16");
  g_autofree char *single_path = prepare (single, "fp32", 1);
  g_autofree char *half_path = prepare (half, "fp16", 1);
  g_autoptr (Onnx__ModelProto) single_proto = read_proto (single_path);
  g_autoptr (Onnx__ModelProto) half_proto = read_proto (half_path);

  g_assert_nonnull (strstr (half_path, "-fp16-"));
  g_assert_cmpuint (half_proto->graph->n_initializer, ==, single_proto->graph->n_initializer);
  for (gsize i = 0; i < half_proto->graph->n_initializer; i++)
    {
      const Onnx__TensorProto *a = single_proto->graph->initializer[i];
      const Onnx__TensorProto *b = half_proto->graph->initializer[i];

      g_assert_cmpint (b->data_type, ==, DYNO_DATA_TYPE_FLOAT16);
      g_assert_cmpuint (2 * b->raw_data.len, ==, a->raw_data.len);
      for (gsize k = 0; k < b->raw_data.len / sizeof (guint16); k++)
        g_assert_cmphex (((const guint16 *)b->raw_data.data)[k], ==,
                         dyno_float16_from_float (((const float *)a->raw_data.data)[k]));
    }
}

static const Onnx__TensorProto *
find_tensor (const Onnx__ModelProto *proto, const char *name)
{
  for (gsize i = 0; i < proto->graph->n_initializer; i++)
    if (g_str_equal (proto->graph->initializer[i]->name, name))
      return proto->graph->initializer[i];
  return NULL;
}

static guint
count_nodes (const Onnx__ModelProto *proto, const char *op_type)
{
  guint n = 0;

  for (gsize i = 0; i < proto->graph->n_node; i++)
    n += g_str_equal (proto->graph->node[i]->op_type, op_type);
  return n;
}

/* As ContribOperators.md has it: (quant − 2^(bits − 1)) · scale, columns of blocks, the lower half of a byte first. */
static float
dequantise (
    const Onnx__TensorProto *quants, const Onnx__TensorProto *scales, guint bits, gint64 column, gint64 row)
{
  gint64 n_blocks = quants->dims[1], n_bytes = quants->dims[2];
  gint64 size = n_bytes * 8 / bits, block = row / size, within = row % size;
  const guint8 *bytes = quants->raw_data.data + (column * n_blocks + block) * n_bytes;
  guint8 byte = bytes[within * bits / 8];
  int quant = bits == 8 ? byte : within % 2 == 0 ? byte & 15 : byte >> 4;

  return (float)(quant - (1 << (bits - 1))) *
         ((const float *)scales->raw_data.data)[column * n_blocks + block];
}

static void
assert_dequantised (const Onnx__ModelProto *single,
                    const Onnx__ModelProto *quantised,
                    const char *name,
                    guint bits)
{
  g_autofree char *quants_name = g_strconcat (name, ".quants", NULL);
  g_autofree char *scales_name = g_strconcat (name, ".scales", NULL);
  const Onnx__TensorProto *weight = find_tensor (single, name);
  const Onnx__TensorProto *quants = find_tensor (quantised, quants_name);
  const Onnx__TensorProto *scales = find_tensor (quantised, scales_name);
  float half_step = 0;

  g_assert_true (weight != NULL && quants != NULL && scales != NULL);
  g_assert_null (find_tensor (quantised, name));
  for (gsize i = 0; i < scales->raw_data.len / sizeof (float); i++)
    half_step = fmaxf (half_step, fabsf (((const float *)scales->raw_data.data)[i]) / 2);
  for (gint64 row = 0; row < weight->dims[0]; row++)
    for (gint64 column = 0; column < weight->dims[1]; column++)
      {
        float value = ((const float *)weight->raw_data.data)[row * weight->dims[1] + column];

        /* The end without a representable number is off by one step, not half. */
        g_assert_cmpfloat_with_epsilon (dequantise (quants, scales, bits, column, row), value,
                                        2.01f * half_step);
      }
}

/* Products take their weights quantised; the rest of the file is that of the plain model. */
static void
test_quantised (void)
{
  static const struct
  {
    const char *precision;
    guint bits;
  } cases[] = { { "int8-weights", 8 }, { "int4-128", 4 }, { "int4-32", 4 } };
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autofree char *single_path = prepare (single, "fp32", 1);
  g_autoptr (Onnx__ModelProto) plain = read_proto (single_path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoModel) model = load_in ("bert-tiny", cases[i].precision);
      g_autofree char *path = prepare (model, cases[i].precision, 1);
      g_autoptr (Onnx__ModelProto) proto = read_proto (path);
      gint64 bytes = 0;

      g_assert_cmpuint (proto->n_opset_import, ==, 2);
      g_assert_cmpstr (proto->opset_import[1]->domain, ==, "com.microsoft");
      g_assert_cmpuint (plain->n_opset_import, ==, 1);
      g_assert_cmpuint (count_nodes (proto, "MatMulNBits") + count_nodes (proto, "MatMul"), ==,
                        count_nodes (plain, "MatMul"));
      g_assert_cmpuint (count_nodes (proto, "MatMul"), ==, 2 * 2); /* scores, and what they weigh */
      assert_dequantised (plain, proto, "encoder.layer.1.attention.self.query.weight", cases[i].bits);
      for (gsize k = 0; k < proto->graph->n_initializer; k++)
        bytes += (gint64)proto->graph->initializer[k]->raw_data.len;
      g_assert_cmpint (dyno_model_get_weight_bytes (model), ==, bytes);
      g_assert_cmpint (dyno_model_get_parameter_count (model), ==, dyno_model_get_parameter_count (single));
    }
}

static double
find_cosine (DynoTensor *one, DynoTensor *other)
{
  double product = 0, squares[2] = { 0 };

  for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (one)); i++)
    {
      double a = dyno_tensor_get_number (one, i), b = dyno_tensor_get_number (other, i);

      product += a * b;
      squares[0] += a * a;
      squares[1] += b * b;
    }
  return product / sqrt (squares[0] * squares[1]);
}

static DynoTensor *
run_file (DynoModel *model, const char *path)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 2, 16, NULL, NULL);
  g_autoptr (GPtrArray) inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session =
      dyno_backend_open (dyno_backend_lookup ("cpu", NULL), path, &options, &error);
  g_autoptr (GPtrArray) outputs = NULL;

  g_assert_no_error (error);
  g_assert_true (dyno_session_set_inputs (session, 0, inputs, &error));
  g_assert_true (dyno_session_run (session, &error));
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  return dyno_tensor_ref (outputs->pdata[0]);
}

/* The levels as the paper has them (Dettmers et al. 2023, appendix E), and bytes as MatMulBnb4 reads them: column after
 * column, the high nibble first. Each element is the nearest level of its block. Replaces @weight by them. */
static void
replace_by_levels (Onnx__TensorProto *weight,
                   const Onnx__TensorProto *quants,
                   const Onnx__TensorProto *scales)
{
  static const double levels[] = { -1.0,
                                   -0.6961928009986877,
                                   -0.5250730514526367,
                                   -0.39491748809814453,
                                   -0.28444138169288635,
                                   -0.18477343022823334,
                                   -0.09105003625154495,
                                   0.0,
                                   0.07958029955625534,
                                   0.16093020141124725,
                                   0.24611230194568634,
                                   0.33791524171829224,
                                   0.44070982933044434,
                                   0.5626170039176941,
                                   0.7229568362236023,
                                   1.0 };
  gint64 depth = weight->dims[0], n_columns = weight->dims[1];
  float *values = (float *)weight->raw_data.data;

  g_assert_cmpuint (quants->raw_data.len, ==, (gsize)(depth * n_columns) / 2);
  g_assert_cmpuint (scales->raw_data.len, ==, (gsize)(depth * n_columns) / 64 * sizeof (float));
  for (gint64 i = 0; i < depth * n_columns; i++)
    {
      float *value = values + i % depth * n_columns + i / depth;
      double scale = (double)((const float *)scales->raw_data.data)[i / 64];
      guint8 byte = quants->raw_data.data[i / 2];
      double chosen = levels[i % 2 == 0 ? byte >> 4 : byte & 15] * scale;

      for (guint k = 0; k < G_N_ELEMENTS (levels); k++)
        g_assert_cmpfloat (fabs (chosen - (double)*value), <=,
                           fabs (levels[k] * scale - (double)*value) + 1e-6 * scale);
      g_assert_cmpfloat (fabs ((double)*value), <=, scale);
      *value = (float)chosen;
    }
}

/* ONNX Runtime's answer is that of the plain model with the levels as its weights, and near that with its own weights. */
static void
test_normal (void)
{
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autoptr (DynoModel) model = load_in ("bert-tiny", "nf4");
  g_autofree char *single_path = prepare (single, "fp32", 1);
  g_autofree char *path = prepare (model, "nf4", 1);
  g_autofree char *levels_path = g_build_filename (cache, "levels.onnx", NULL);
  g_autoptr (Onnx__ModelProto) plain = read_proto (single_path);
  g_autoptr (Onnx__ModelProto) proto = read_proto (path);
  g_autoptr (DynoTensor) expected = NULL;
  g_autoptr (DynoTensor) of_levels = NULL;
  g_autoptr (DynoTensor) output = NULL;
  g_autofree guint8 *bytes = NULL;
  gint64 n_bytes = 0;
  guint n_replaced = 0;

  g_assert_cmpuint (count_nodes (proto, "MatMul"), ==, 2 * 2); /* scores, and what they weigh */
  g_assert_cmpuint (count_nodes (proto, "MatMulBnb4") + count_nodes (proto, "MatMul"), ==,
                    count_nodes (plain, "MatMul"));
  for (gsize k = 0; k < proto->graph->n_initializer; k++)
    n_bytes += (gint64)proto->graph->initializer[k]->raw_data.len;
  g_assert_cmpint (dyno_model_get_weight_bytes (model), ==, n_bytes);
  g_assert_cmpint (dyno_model_get_parameter_count (model), ==, dyno_model_get_parameter_count (single));
  for (gsize i = 0; i < plain->graph->n_initializer; i++)
    {
      g_autofree char *quants = g_strconcat (plain->graph->initializer[i]->name, ".quants", NULL);
      g_autofree char *scales = g_strconcat (plain->graph->initializer[i]->name, ".scales", NULL);

      if (find_tensor (proto, quants) == NULL)
        continue;
      replace_by_levels (plain->graph->initializer[i], find_tensor (proto, quants),
                         find_tensor (proto, scales));
      n_replaced++;
    }
  g_assert_cmpuint (n_replaced, ==, count_nodes (proto, "MatMulBnb4"));
  if (!has_engine_or_skip ("cpu"))
    return;
  bytes = g_malloc (onnx__model_proto__get_packed_size (plain));
  g_assert_true (
      g_file_set_contents (levels_path, (char *)bytes, (gssize)onnx__model_proto__pack (plain, bytes), NULL));
  expected = run_file (single, single_path);
  of_levels = run_file (single, levels_path);
  output = run_file (model, path);
  g_assert_cmpfloat (find_cosine (output, of_levels), >, 1 - 1e-9);
  g_assert_cmpfloat (find_cosine (output, expected), >, 0.97);
  g_assert_cmpfloat (find_cosine (output, expected), <, 0.99999);
}

/* Columns of other lengths than whole blocks stay in single precision. */
static void
test_normal_whole_blocks (void)
{
  const gint64 dims[] = { 96, 64 };
  static const char *const expected[] = { "MatMul", "MatMulBnb4" };

  for (guint turned = 0; turned < 2; turned++)
    {
      g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
      const char *weight, *value;
      GPtrArray *nodes;
      guint n = 0;

      dyno_graph_set_precision (graph, "nf4");
      value = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, turned ? "1, 64" : "1, 96");
      weight = dyno_graph_add_weight (graph, "w", 0, 1, 2, dims);
      value = dyno_product_add (graph, value, weight, turned != 0);
      dyno_graph_add_output (graph, "y", value, turned ? "1, 96" : "1, 64");
      g_assert_true (dyno_graph_check (graph, NULL));
      nodes = dyno_graph_get_nodes (graph);
      for (guint i = 0; i < nodes->len; i++)
        n += g_str_equal (((Onnx__NodeProto *)nodes->pdata[i])->op_type, expected[turned]);
      g_assert_cmpuint (n, ==, 1);
    }
}

/* As MatMulInteger takes them: each column has one scale, and its farthest element is an end of the processor's range. */
static void
assert_columns (const Onnx__ModelProto *single, const Onnx__ModelProto *dynamic, const char *name)
{
  g_autofree char *quants_name = g_strconcat (name, ".quants", NULL);
  g_autofree char *scales_name = g_strconcat (name, ".scales", NULL);
  const Onnx__TensorProto *weight = find_tensor (single, name);
  const Onnx__TensorProto *quants = find_tensor (dynamic, quants_name);
  const Onnx__TensorProto *scales = find_tensor (dynamic, scales_name);

  g_assert_true (weight != NULL && quants != NULL && scales != NULL);
  g_assert_cmpint (quants->data_type, ==, DYNO_DATA_TYPE_INT8);
  g_assert_cmpint (quants->dims[0], ==, weight->dims[0]);
  g_assert_cmpint (quants->dims[1], ==, weight->dims[1]);
  for (gint64 column = 0; column < weight->dims[1]; column++)
    {
      float scale = ((const float *)scales->raw_data.data)[column];
      int farthest = 0;

      for (gint64 row = 0; row < weight->dims[0]; row++)
        {
          int quant = ((const gint8 *)quants->raw_data.data)[row * weight->dims[1] + column];
          float value = ((const float *)weight->raw_data.data)[row * weight->dims[1] + column];

          g_assert_cmpfloat_with_epsilon ((float)quant * scale, value, 0.501f * scale);
          farthest = MAX (farthest, ABS (quant));
        }
      g_assert_cmpint (farthest, ==, dyno_precision_is_reduced ("int8-dynamic") ? 64 : 127);
    }
}

/* Products that share what they multiply share its quantised form; what is no product of a weight is as it was. */
static void
test_dynamic (void)
{
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autoptr (DynoModel) model = load_in ("bert-tiny", "int8-dynamic");
  g_autofree char *single_path = prepare (single, "fp32", 1);
  g_autofree char *path = prepare (model, "int8-dynamic", 1);
  g_autoptr (Onnx__ModelProto) plain = read_proto (single_path);
  g_autoptr (Onnx__ModelProto) proto = read_proto (path);
  g_autoptr (GHashTable) binding = dyno_model_bind (single, 2, 16, NULL, NULL);
  gint64 flops, dynamic_flops;

  g_assert_cmpuint (proto->n_opset_import, ==, 1);
  g_assert_cmpuint (count_nodes (proto, "MatMul"), ==, 2 * 2); /* scores, and what they weigh */
  g_assert_cmpuint (count_nodes (proto, "MatMulInteger") + count_nodes (proto, "MatMul"), ==,
                    count_nodes (plain, "MatMul"));
  /* Queries, keys and values take the same, in each of two layers. */
  g_assert_cmpuint (count_nodes (proto, "DynamicQuantizeLinear"), ==,
                    count_nodes (proto, "MatMulInteger") - 2 * 2);
  assert_columns (plain, proto, "encoder.layer.1.attention.self.query.weight");
  assert_columns (plain, proto, "encoder.layer.0.output.dense.weight");
  g_assert_true (dyno_model_estimate_flops (single, binding, &flops));
  g_assert_true (dyno_model_estimate_flops (model, binding, &dynamic_flops));
  g_assert_cmpint (dynamic_flops, >, flops);
  g_assert_cmpfloat ((double)dynamic_flops, <, 1.05 * (double)flops);
}

/* A cache that several machines share holds both ranges of weights. */
static void
test_range_in_key (void)
{
  static const DynoQuantisation ranges[] = { { 8, 0, TRUE, 127 }, { 8, 0, TRUE, 64 } };
  const gint64 dims[] = { 8, 4 };
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  char *keys[G_N_ELEMENTS (ranges)];
  GPtrArray *weights;
  const char *value;

  dyno_graph_set_precision (graph, "int8-dynamic");
  value = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, "1, 8");
  value = dyno_product_add (graph, value, dyno_graph_add_weight (graph, "w", 0, 1, 2, dims), FALSE);
  dyno_graph_add_output (graph, "y", value, "1, 4");
  g_assert_true (dyno_graph_check (graph, NULL));
  weights = dyno_graph_get_initializers (graph);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      for (guint k = 0; k < weights->len; k++)
        ((DynoWeight *)weights->pdata[k])->quantisation = &ranges[i];
      keys[i] = dyno_onnx_writer_get_checksum (graph, 1, NULL);
    }
  g_assert_cmpstr (keys[0], !=, keys[1]);
  g_free (keys[0]);
  g_free (keys[1]);
}

/* A table of embeddings that is also the head: looked up as it is, multiplied with quantised. */
static void
test_tied (void)
{
  g_autofree char *path = g_build_filename (cache, "tied.json", NULL);
  g_autoptr (DynoModel) model = NULL;
  g_autofree char *onnx = NULL;
  g_autoptr (Onnx__ModelProto) proto = NULL;
  const Onnx__TensorProto *table, *quants, *scales;

  g_assert_true (g_file_set_contents (path,
                                      "{\"model_type\": \"gpt2\", \"vocab_size\": 11, \"n_embd\": 6, "
                                      "\"n_layer\": 1, \"n_head\": 2, \"n_positions\": 16}",
                                      -1, NULL));
  model = load_in (path, "int4-32");
  onnx = prepare (model, "int4-32", 1);
  proto = read_proto (onnx);
  table = find_tensor (proto, "transformer.wte.weight");
  quants = find_tensor (proto, "transformer.wte.weight.quants");
  scales = find_tensor (proto, "transformer.wte.weight.scales");
  g_assert_true (table != NULL && quants != NULL && scales != NULL);
  g_assert_cmpint (quants->dims[0], ==, 11);
  for (gint64 row = 0; row < 11; row++)
    for (gint64 k = 0; k < 6; k++)
      g_assert_cmpfloat_with_epsilon (dequantise (quants, scales, 4, row, k),
                                      ((const float *)table->raw_data.data)[row * 6 + k],
                                      fabsf (((const float *)scales->raw_data.data)[row]) * 1.01f);
}

static void
assert_refused (DynoModel *model, const char *precision, DynoError code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_prepare (model, precision, 1, NULL, &error));
  suite_assert_error (error, code, word);
}

static void
test_refused (void)
{
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autoptr (DynoModel) half = load_in ("bert-tiny", "fp16");
  g_autoptr (DynoModel) again = load_in ("bert-tiny", "fp32");
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_in_precision (single, "int3", &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "fp32, fp16");
  assert_refused (single, "fp16", DYNO_ERROR_INVALID_ARGUMENT, "fp32");
  assert_refused (half, "fp32", DYNO_ERROR_INVALID_ARGUMENT, "fp16");
  g_assert_true (dyno_model_check_precision (single, "fp16", NULL));
  g_assert_false (dyno_model_check_precision (single, "uint8", NULL));
}

/* A file stays in its precision, and no other can be requested. */
static void
test_files (void)
{
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autoptr (DynoModel) half = load_in ("bert-tiny", "fp16");
  g_autofree char *path = prepare (half, "fp16", 1);
  g_autofree char *single_path = prepare (single, "fp32", 1);
  g_autoptr (DynoModel) single_file = load_in (single_path, "fp32");
  g_autoptr (DynoModel) file = load_in (path, "fp16");
  g_autofree char *own_path = prepare (file, "fp16", 1);

  g_assert_cmpstr (own_path, ==, path);
  g_assert_cmpint (dyno_model_get_weight_bytes (file), ==, dyno_model_get_weight_bytes (half));
  g_assert_true (dyno_model_check_precision (file, "fp32", NULL));
  assert_refused (file, "bf16", DYNO_ERROR_UNSUPPORTED, "fp16 weights");
  assert_refused (single_file, "fp16", DYNO_ERROR_UNSUPPORTED, "fp32 weights");
}

static void
test_inputs (void)
{
  g_autoptr (DynoModel) single = load_in ("resnet-18", "fp32");
  g_autoptr (DynoModel) half = load_in ("resnet-18", "fp16");
  g_autoptr (GHashTable) binding = dyno_model_bind (single, 1, 0, "height=32,width=32", NULL);
  g_autoptr (GPtrArray) a = dyno_model_create_inputs (single, binding, NULL, 3, NULL);
  g_autoptr (GPtrArray) b = dyno_model_create_inputs (half, binding, NULL, 3, NULL);
  gint64 n = dyno_shape_count (dyno_tensor_get_shape (a->pdata[0]));

  g_assert_cmpint (n, ==, 3 * 32 * 32);
  g_assert_cmpint (dyno_tensor_get_shape (b->pdata[0])->type, ==, DYNO_DATA_TYPE_FLOAT16);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmphex (((guint16 *)dyno_tensor_get_data (b->pdata[0]))[i], ==,
                     dyno_float16_from_float ((float)dyno_tensor_get_number (a->pdata[0], i)));
}

/* Numbers that would become infinite are refused while the graph is built. */
static void
test_overflow (void)
{
  const gint64 width = 4;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
      g_autoptr (GError) error = NULL;

      dyno_graph_set_real_type (graph, DYNO_DATA_TYPE_FLOAT16);
      dyno_graph_add_real (graph, 65504);
      dyno_graph_add_weight (graph, "fits", 0, 37000, 1, &width);
      dyno_graph_add_float (graph, -1e9f);
      g_assert_true (dyno_graph_check (graph, NULL));
      if (i == 0)
        dyno_graph_add_real (graph, -1e9f);
      else if (i == 1)
        dyno_graph_add_weight (graph, "layer", 0, 38000, 1, &width);
      else
        dyno_graph_add_statistic (graph, "layer", 65600, 0, width);
      g_assert_false (dyno_graph_check (graph, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, i == 0 ? "-1e+09" : "“layer”");
    }
}

static const Onnx__TensorProto *
get_constant (const Onnx__NodeProto *node)
{
  return strcmp (node->op_type, "Constant") == 0 ? node->attribute[0]->t : NULL;
}

/* No constant of a built model is infinite, and the mask's is the lowest number there is. */
static void
test_mask (void)
{
  g_autofree char *llama = g_build_filename (cache, "llama.json", NULL);
  const char *const ids[] = { "bert-tiny", llama };

  g_assert_true (g_file_set_contents (llama,
                                      "{\"model_type\": \"llama\", \"vocab_size\": 10, \"hidden_size\": 8, "
                                      "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
                                      "\"intermediate_size\": 12, \"max_position_embeddings\": 16}",
                                      -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (DynoModel) model = load_in (ids[i], "fp16");
      g_autofree char *path = prepare (model, "fp16", 1);
      g_autoptr (Onnx__ModelProto) proto = read_proto (path);
      gboolean has_lowest = FALSE;

      for (gsize k = 0; k < proto->graph->n_node; k++)
        {
          const Onnx__TensorProto *constant = get_constant (proto->graph->node[k]);
          guint16 bits;

          if (constant == NULL || constant->data_type != DYNO_DATA_TYPE_FLOAT16)
            continue;
          memcpy (&bits, constant->raw_data.data, sizeof bits);
          g_assert_true (isfinite (dyno_float16_to_float (bits)));
          has_lowest = has_lowest || bits == 0xfbff;
        }
      g_assert_true (has_lowest);
    }
}

static DynoTensor *
answer_trial (double first)
{
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 2, 4 } };
  static const float right[] = { 0.267f, 0.092f, 0.389f, 0.251f, 0.438f, 0.194f, 0.118f, 0.250f };
  DynoTensor *tensor = dyno_tensor_new ("shares", &shape);

  memcpy (dyno_tensor_get_data (tensor), right, sizeof right);
  ((float *)dyno_tensor_get_data (tensor))[0] = (float)first;
  return tensor;
}

static void
test_trial_answers (void)
{
  static const double firsts[] = { 0.267, 0.3, NAN };

  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++)
    {
      g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
      g_autoptr (GError) error = NULL;

      g_ptr_array_add (outputs, answer_trial (firsts[i]));
      g_assert_true (dyno_trial_check_outputs (outputs, &error) == (i == 0));
      if (i > 0)
        suite_assert_error (error, DYNO_ERROR_WRONG_OUTPUT, "0.267");
      g_ptr_array_set_size (outputs, 0);
      g_assert_false (dyno_trial_check_outputs (outputs, NULL));
    }
}

/* The file of each trial model accepts its inputs. */
static void
test_trial_files (void)
{
  for (const char *const *name = dyno_trial_list (); *name != NULL; name++)
    {
      g_autofree char *folder = model_test_make_folder ();
      g_autoptr (GError) error = NULL;
      g_autofree char *path = dyno_trial_write (*name, folder, &error);
      g_autoptr (Onnx__ModelProto) proto = path != NULL ? read_proto (path) : NULL;
      g_autoptr (GPtrArray) inputs = dyno_trial_create_inputs (*name);

      g_assert_no_error (error);
      g_assert_cmpuint (proto->graph->n_input, ==, inputs->len);
      for (guint i = 0; i < inputs->len; i++)
        {
          const Onnx__ValueInfoProto *declared = proto->graph->input[i];

          g_assert_cmpstr (declared->name, ==, dyno_tensor_get_name (inputs->pdata[i]));
          g_assert_cmpint (declared->type->tensor_type->elem_type, ==,
                           dyno_tensor_get_shape (inputs->pdata[i])->type);
        }
      model_test_remove_folder (g_steal_pointer (&folder));
    }
}

static void
test_names (void)
{
  g_assert_cmpint (dyno_precision_get_type ("fp16"), ==, DYNO_DATA_TYPE_FLOAT16);
  g_assert_cmpint (dyno_precision_get_type ("uint8"), ==, DYNO_DATA_TYPE_UNDEFINED);
  g_assert_cmpstr (dyno_precision_from_type (DYNO_DATA_TYPE_BFLOAT16), ==, "bf16");
  g_assert_null (dyno_precision_from_type (DYNO_DATA_TYPE_INT8));
  g_assert_cmpuint (dyno_precision_get_quantisation ("int4-32")->bits, ==, 4);
  g_assert_cmpuint (dyno_precision_get_quantisation ("int4-32")->block, ==, 32);
  g_assert_null (dyno_precision_get_quantisation ("fp16"));
  g_assert_cmpstr (dyno_precision_get_computed ("int4-128"), ==, "fp32");
  g_assert_cmpstr (dyno_precision_get_computed ("int8"), ==, "int8");
  g_assert_cmpstr (dyno_precision_get_computed ("int8-dynamic"), ==, "int8");
  g_assert_cmpstr (dyno_precision_get_computed ("bf16"), ==, "bf16");
  g_assert_cmpstr (dyno_precision_get_computed ("fp16"), ==, "fp16");
  g_assert_cmpfloat (dyno_precision_get_largest (DYNO_DATA_TYPE_FLOAT16), ==, 65504);
  g_assert_cmpfloat (dyno_precision_get_largest (DYNO_DATA_TYPE_BFLOAT16), ==,
                     (double)dyno_float16_bfloat_to_float (0x7f7f));
}

static int
run_suite (int argc, char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  cache = model_test_make_folder ();
  dyno_paths_set_root (DYNO_PATH_CACHE, cache);
  g_test_add_func ("/precision/names", test_names);
  g_test_add_func ("/precision/bundled", test_bundled);
  g_test_add_func ("/precision/weights-are-rounded", test_weights_are_rounded);
  g_test_add_func ("/precision/quantised", test_quantised);
  g_test_add_func ("/precision/normal", test_normal);
  g_test_add_func ("/precision/normal-whole-blocks", test_normal_whole_blocks);
  g_test_add_func ("/precision/dynamic", test_dynamic);
  g_test_add_func ("/precision/range-in-key", test_range_in_key);
  g_test_add_func ("/precision/tied", test_tied);
  g_test_add_func ("/precision/refused", test_refused);
  g_test_add_func ("/precision/files", test_files);
  g_test_add_func ("/precision/inputs", test_inputs);
  g_test_add_func ("/precision/overflow", test_overflow);
  g_test_add_func ("/precision/mask", test_mask);
  g_test_add_func ("/precision/trial-answers", test_trial_answers);
  g_test_add_func ("/precision/trial-files", test_trial_files);
  result = g_test_run ();
  model_test_remove_folder (cache);
  return result;
}

SUITE (run_suite)

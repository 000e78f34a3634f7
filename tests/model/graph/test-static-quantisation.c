/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-graph-private.h"
#include "dyno-paths.h"
#include "dyno-precision.h"
#include "model-test.h"
#include "suite.h"

#define SMALL_RESNET                                                                                         \
  "{\"model_type\": \"resnet\", \"num_channels\": 3, \"embedding_size\": 8, \"hidden_sizes\": [16, 32], "    \
  "\"depths\": [1, 2], \"layer_type\": \"bottleneck\", \"hidden_act\": \"relu\", \"num_labels\": 10}"

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

static DynoModel *
load_small (const char *precision)
{
  g_autofree char *path = g_build_filename (cache, "small.json", NULL);

  g_assert_true (g_file_set_contents (path, SMALL_RESNET, -1, NULL));
  return load_in (path, precision);
}

/* Made-up ranges of all values but one, and how often they were asked for. */
typedef struct
{
  DynoModel *model;
  const char *without;
  guint n_calls;
} Ranges;

static char *
make_ranges (gpointer data, GError **error)
{
  Ranges *self = data;
  g_autoptr (GPtrArray) values = dyno_model_list_ranged (self->model, error);
  GString *text = g_string_new ("{\"graphs\": [");

  self->n_calls++;
  for (guint i = 0; i < values->len; i++)
    {
      GPtrArray *names = values->pdata[i];
      guint n = 0;

      g_string_append (text, i > 0 ? ", {" : "{");
      for (guint k = 0; k < names->len; k++)
        if (g_strcmp0 (names->pdata[k], self->without) != 0)
          g_string_append_printf (text, "%s\"%s\": [%s]", n++ > 0 ? ", " : "", (char *)names->pdata[k],
                                  g_str_equal (names->pdata[k], "pixel_values") ? "-1, 3" : "0, 6");
      g_string_append (text, "}");
    }
  g_string_append (text, "]}");
  return g_string_free (text, FALSE);
}

static char *
prepare (DynoModel *model, Ranges *ranges, const char *inputs, GError **error)
{
  const DynoModelCalibration calibration = { inputs, make_ranges, ranges };

  ranges->model = model;
  return dyno_model_prepare_with (model, &calibration, NULL, 1, NULL, error);
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

static Onnx__ModelProto *
read_quantised (DynoModel *model)
{
  Ranges ranges = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = prepare (model, &ranges, "", &error);

  g_assert_no_error (error);
  return read_proto (path);
}

static Onnx__ModelProto *
read_single (DynoModel *model)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = dyno_model_prepare (model, "fp32", 1, NULL, &error);

  g_assert_no_error (error);
  return read_proto (path);
}

static const Onnx__TensorProto *
find_tensor (const Onnx__ModelProto *proto, const char *name)
{
  for (gsize i = 0; i < proto->graph->n_initializer; i++)
    if (g_str_equal (proto->graph->initializer[i]->name, name))
      return proto->graph->initializer[i];
  return NULL;
}

static const Onnx__NodeProto *
find_maker (const Onnx__ModelProto *proto, const char *value)
{
  for (gsize i = 0; i < proto->graph->n_node; i++)
    for (gsize k = 0; k < proto->graph->node[i]->n_output; k++)
      if (g_str_equal (proto->graph->node[i]->output[k], value))
        return proto->graph->node[i];
  return NULL;
}

/* Returns the only node that reads the value. */
static const Onnx__NodeProto *
find_user (const Onnx__ModelProto *proto, const char *value)
{
  const Onnx__NodeProto *user = NULL;

  for (gsize i = 0; i < proto->graph->n_node; i++)
    for (gsize k = 0; k < proto->graph->node[i]->n_input; k++)
      if (g_str_equal (proto->graph->node[i]->input[k], value))
        {
          g_assert_null (user);
          user = proto->graph->node[i];
        }
  return user;
}

static guint
count_nodes (const Onnx__ModelProto *proto, const char *op_type)
{
  guint n = 0;

  for (gsize i = 0; i < proto->graph->n_node; i++)
    n += g_str_equal (proto->graph->node[i]->op_type, op_type);
  return n;
}

static void
assert_dequantised (const Onnx__ModelProto *proto, const char *value)
{
  const Onnx__NodeProto *maker = find_maker (proto, value);

  g_assert_nonnull (maker);
  g_assert_cmpstr (maker->op_type, ==, "DequantizeLinear");
}

/* Each convolution lies between pairs, with the activation function that follows, and so do sums and pools. */
static void
test_convolutions (void)
{
  g_autoptr (DynoModel) model = load_small ("int8");
  g_autoptr (DynoModel) single = load_small ("fp32");
  g_autoptr (Onnx__ModelProto) proto = read_quantised (model);
  g_autoptr (Onnx__ModelProto) plain = read_single (single);

  g_assert_cmpuint (count_nodes (proto, "Conv"), ==, count_nodes (plain, "Conv"));
  g_assert_cmpuint (count_nodes (proto, "BatchNormalization"), ==, 0);
  g_assert_cmpuint (count_nodes (proto, "Relu"), ==, count_nodes (plain, "Relu"));
  for (gsize i = 0; i < proto->graph->n_node; i++)
    {
      const Onnx__NodeProto *node = proto->graph->node[i];
      const Onnx__NodeProto *user;

      if (!g_str_equal (node->op_type, "Conv") && !g_str_equal (node->op_type, "Add"))
        continue;
      g_test_message ("%s", node->name);
      for (gsize k = 0; k < node->n_input; k++)
        assert_dequantised (proto, node->input[k]);
      user = find_user (proto, node->output[0]);
      if (g_str_equal (user->op_type, "Relu"))
        user = find_user (proto, user->output[0]);
      g_assert_cmpstr (user->op_type, ==, "QuantizeLinear");
    }
}

static float
get_number (const Onnx__ModelProto *proto, const char *name, gsize index)
{
  const Onnx__TensorProto *tensor = find_tensor (proto, name);

  g_assert_nonnull (tensor);
  return ((const float *)tensor->raw_data.data)[index];
}

/* What is stored is the weight times the factor of the normalisation that follows, rounded. */
static void
assert_layer (const Onnx__ModelProto *plain, const Onnx__ModelProto *proto, const char *layer)
{
  g_autofree char *name = g_strconcat (layer, ".convolution.weight", NULL);
  g_autofree char *quants_name = g_strconcat (name, ".quants", NULL);
  g_autofree char *scales_name = g_strconcat (name, ".scales", NULL);
  g_autofree char *bias_name = g_strconcat (name, ".bias_quants", NULL);
  g_autofree char *bias_scales_name = g_strconcat (name, ".bias_scales", NULL);
  g_autofree char *gain = g_strconcat (layer, ".normalization.weight", NULL);
  g_autofree char *shift = g_strconcat (layer, ".normalization.bias", NULL);
  g_autofree char *mean = g_strconcat (layer, ".normalization.running_mean", NULL);
  g_autofree char *variance = g_strconcat (layer, ".normalization.running_var", NULL);
  const Onnx__TensorProto *weight = find_tensor (plain, name);
  const Onnx__TensorProto *quants = find_tensor (proto, quants_name);
  const Onnx__TensorProto *biases = find_tensor (proto, bias_name);
  int largest = (int)dyno_precision_get_quantisation ("int8")->largest;
  gsize n_each;

  g_assert_true (weight != NULL && quants != NULL && biases != NULL);
  g_assert_null (find_tensor (proto, name));
  g_assert_null (find_tensor (proto, gain));
  g_assert_cmpint (quants->data_type, ==, DYNO_DATA_TYPE_INT8);
  g_assert_cmpint (biases->data_type, ==, DYNO_DATA_TYPE_INT32);
  g_assert_cmpuint (4 * quants->raw_data.len, ==, weight->raw_data.len);
  n_each = quants->raw_data.len / (gsize)quants->dims[0];
  for (gsize channel = 0; channel < (gsize)quants->dims[0]; channel++)
    {
      float scale = get_number (proto, scales_name, channel);
      float bias_scale = get_number (proto, bias_scales_name, channel);
      float factor =
          get_number (plain, gain, channel) / sqrtf (get_number (plain, variance, channel) + 1e-5f);
      float bias = get_number (plain, shift, channel) - get_number (plain, mean, channel) * factor;
      int farthest = 0;

      for (gsize i = channel * n_each; i < (channel + 1) * n_each; i++)
        {
          int quant = ((const gint8 *)quants->raw_data.data)[i];

          g_assert_cmpfloat_with_epsilon ((float)quant * scale,
                                          ((const float *)weight->raw_data.data)[i] * factor, 0.501f * scale);
          farthest = MAX (farthest, ABS (quant));
        }
      g_assert_cmpint (farthest, ==, largest);
      g_assert_cmpfloat_with_epsilon ((float)((const gint32 *)biases->raw_data.data)[channel] * bias_scale,
                                      bias, 1e-6f + 0.501f * bias_scale);
    }
}

static void
test_weights (void)
{
  g_autoptr (DynoModel) model = load_small ("int8");
  g_autoptr (DynoModel) single = load_small ("fp32");
  g_autoptr (Onnx__ModelProto) proto = read_quantised (model);
  g_autoptr (Onnx__ModelProto) plain = read_single (single);
  gint64 bytes = 0;

  assert_layer (plain, proto, "resnet.embedder.embedder");
  assert_layer (plain, proto, "resnet.encoder.stages.0.layers.0.shortcut");
  assert_layer (plain, proto, "resnet.encoder.stages.1.layers.1.layer.1");
  for (gsize k = 0; k < proto->graph->n_initializer; k++)
    bytes += (gint64)proto->graph->initializer[k]->raw_data.len;
  g_assert_cmpint (dyno_model_get_weight_bytes (model), ==, bytes);
  g_assert_cmpint (dyno_model_get_parameter_count (model), ==, dyno_model_get_parameter_count (single));
}

static float
get_scale (const Onnx__ModelProto *proto, const char *value, guint8 *zero)
{
  const Onnx__NodeProto *node = find_maker (proto, value);
  const Onnx__TensorProto *scale = find_maker (proto, node->input[1])->attribute[0]->t;
  const Onnx__TensorProto *zero_point = find_maker (proto, node->input[2])->attribute[0]->t;

  g_assert_cmpstr (node->op_type, ==, "QuantizeLinear");
  g_assert_cmpint (zero_point->data_type, ==, DYNO_DATA_TYPE_UINT8);
  *zero = zero_point->raw_data.data[0];
  return *(const float *)(gconstpointer)scale->raw_data.data;
}

/* 0 has an exact form, and after an activation function the largest number is not exceeded. */
static void
test_scales (void)
{
  g_autoptr (DynoModel) model = load_small ("int8");
  g_autoptr (Onnx__ModelProto) proto = read_quantised (model);
  guint8 zero;
  float scale = get_scale (proto, "pixel_values.quantised", &zero);

  g_assert_cmpfloat_with_epsilon (scale, 4.0f / 255, 1e-6f);
  g_assert_cmpuint (zero, ==, 64);
  for (gsize i = 0; i < proto->graph->n_node; i++)
    {
      const Onnx__NodeProto *node = proto->graph->node[i];

      if (!g_str_equal (node->op_type, "QuantizeLinear") || g_str_equal (node->input[0], "pixel_values"))
        continue;
      scale = get_scale (proto, node->output[0], &zero);
      g_assert_cmpuint (zero, ==, 0);
      g_assert_cmpfloat (scale * 255, <=, 6);
      g_assert_cmpfloat (scale * 255, >, 5.9999f);
    }
}

/* Products with weights take both sides quantised; those of two activations are as they were. */
static void
test_products (void)
{
  g_autoptr (DynoModel) single = load_in ("bert-tiny", "fp32");
  g_autoptr (DynoModel) model = load_in ("bert-tiny", "int8");
  g_autoptr (Onnx__ModelProto) plain = read_single (single);
  g_autoptr (Onnx__ModelProto) proto = read_quantised (model);
  guint n_products = 0, n_weights = 0;

  g_assert_cmpuint (proto->n_opset_import, ==, 1);
  /* That of the first token has a bias, with which it is one operator. */
  g_assert_cmpuint (count_nodes (proto, "Gemm"), ==, 1);
  g_assert_cmpuint (count_nodes (proto, "MatMul") + 1, ==, count_nodes (plain, "MatMul"));
  g_assert_cmpuint (count_nodes (proto, "Add") + 1, ==, count_nodes (plain, "Add"));
  for (gsize i = 0; i < proto->graph->n_node; i++)
    {
      const Onnx__NodeProto *node = proto->graph->node[i];
      const Onnx__NodeProto *right;

      if (!g_str_equal (node->op_type, "MatMul") && !g_str_equal (node->op_type, "Gemm"))
        continue;
      n_products++;
      right = find_maker (proto, node->input[1]);
      if (right == NULL || !g_str_equal (right->op_type, "DequantizeLinear"))
        continue;
      n_weights++;
      assert_dequantised (proto, node->input[0]);
    }
  g_assert_cmpuint (n_products - n_weights, ==, 2 * 2); /* scores, and what they weigh */
  /* Queries, keys and values take the same, in each of two layers. */
  g_assert_cmpuint (count_nodes (proto, "QuantizeLinear"), ==, n_weights - 2 * 2);
}

/* A table of embeddings that is also the head is looked up as it is, and multiplied with quantised. */
static void
test_tied (void)
{
  g_autofree char *path = g_build_filename (cache, "tied.json", NULL);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (Onnx__ModelProto) proto = NULL;
  const Onnx__TensorProto *quants;

  g_assert_true (g_file_set_contents (path,
                                      "{\"model_type\": \"gpt2\", \"vocab_size\": 11, \"n_embd\": 6, "
                                      "\"n_layer\": 1, \"n_head\": 2, \"n_positions\": 16}",
                                      -1, NULL));
  model = load_in (path, "int8");
  proto = read_quantised (model);
  quants = find_tensor (proto, "transformer.wte.weight.quants");
  g_assert_nonnull (quants);
  g_assert_cmpint (quants->dims[0], ==, 6);
  g_assert_cmpint (quants->dims[1], ==, 11);
  g_assert_nonnull (find_tensor (proto, "transformer.wte.weight"));
  g_assert_null (find_tensor (proto, "transformer.h.0.mlp.c_fc.weight"));
}

/* The cache has the ranges for each set of inputs, so they are measured once. */
static void
test_cache (void)
{
  g_autoptr (DynoModel) model = load_in ("bert-tiny", "int8");
  Ranges ranges = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *first = prepare (model, &ranges, "some", &error);
  g_autofree char *second = prepare (model, &ranges, "some", &error);
  g_autofree char *other = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpuint (ranges.n_calls, ==, 1);
  other = prepare (model, &ranges, "others", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ranges.n_calls, ==, 2);
}

static void
test_refused (void)
{
  g_autoptr (DynoModel) model = load_in ("bert-tiny", "int8");
  Ranges ranges = { NULL };
  g_autoptr (GPtrArray) values = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_prepare (model, "int8", 1, NULL, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "not measured");
  values = dyno_model_list_ranged (model, NULL);
  ranges.without = ((GPtrArray *)values->pdata[0])->pdata[1];
  g_assert_null (prepare (model, &ranges, "lacking", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, ranges.without);
}

/* Nearly a quarter of the bytes: the weights of convolutions, too. */
static void
test_sizes (void)
{
  static const struct
  {
    const char *id;
    double largest;
  } models[] = { { "resnet-50", 27e6 }, { "mobilenet_v2_1.0_224", 4e6 }, { "resnet-18", 12.5e6 } };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (DynoModel) model = load_in (models[i].id, "int8");
      g_autoptr (DynoModel) single = load_in (models[i].id, "fp32");
      g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 0, NULL, NULL);
      gint64 flops, single_flops;

      g_test_message ("%s: %" G_GINT64_FORMAT, models[i].id, dyno_model_get_weight_bytes (model));
      g_assert_cmpfloat ((double)dyno_model_get_weight_bytes (model), <, models[i].largest);
      g_assert_true (dyno_model_estimate_flops (model, binding, &flops));
      g_assert_true (dyno_model_estimate_flops (single, binding, &single_flops));
      g_assert_cmpfloat (fabs ((double)flops / (double)single_flops - 1), <, 0.1);
    }
}

static int
run_suite (int argc, char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  cache = model_test_make_folder ();
  dyno_paths_set_root (DYNO_PATH_CACHE, cache);
  g_test_add_func ("/static-quantisation/convolutions", test_convolutions);
  g_test_add_func ("/static-quantisation/weights", test_weights);
  g_test_add_func ("/static-quantisation/scales", test_scales);
  g_test_add_func ("/static-quantisation/products", test_products);
  g_test_add_func ("/static-quantisation/tied", test_tied);
  g_test_add_func ("/static-quantisation/cache", test_cache);
  g_test_add_func ("/static-quantisation/refused", test_refused);
  g_test_add_func ("/static-quantisation/sizes", test_sizes);
  result = g_test_run ();
  model_test_remove_folder (cache);
  return result;
}

SUITE (run_suite)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-module.h"
#include "suite.h"

#define CPU "CPUExecutionProvider"

static DynoOperator *
add_operator (DynoResult *result, const char *name, const char *type, const char *provider, gint64 time_ns)
{
  DynoOperator *op = dyno_operator_new (name, type, provider);

  dyno_operator_set_calls (op, 2);
  dyno_operator_set_time_ns (op, time_ns);
  dyno_result_take_operator (result, op);
  return op;
}

static DynoResult *
create_result (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");

  return dyno_result_new (kase, 0);
}

/* The path of the module of an operator with this name; NULL for none. */
static char *
find_path (const char *name)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoModule) root = NULL;
  const DynoModule *module;

  add_operator (result, name, "MatMul", CPU, 10);
  root = dyno_module_new (result);
  for (module = root; module->operators->len == 0; module = module->modules->pdata[0])
    g_assert_cmpuint (module->modules->len, ==, 1);
  return g_strdup (module->path);
}

static const struct
{
  const char *name;
  const char *path;
} paths[] = {
  /* exporters: of PyTorch, of TensorFlow; this program's own builders */
  { "/encoder/layer.0/attention/self/query/MatMul", "encoder.layer.0.attention.self.query" },
  { "encoder.layer.0.attention.MatMul_29", "encoder.layer.0.attention" },
  { "StatefulPartitionedCall/resnet50/conv1/Conv2D", "StatefulPartitionedCall.resnet50.conv1" },
  { "/features/features.0/features.0.0/Conv", "features.features.0.features.0.0" },
  /* the same after ONNX Runtime's optimisations */
  { "classifier.1.MatMul_68/MatMulAddFusion", "classifier.1" },
  { "model.norm.Mul_32/SimplifiedLayerNormFusion/", "model.norm" },
  { "/encoder/layer.0/Add/LayerNormFusion/GeluFusion/", "encoder.layer.0" },
  { "fused pooler.dense.Gemm_63", "pooler.dense" },
  { "conv_stem.first_conv.Clip_4_nchwc", "conv_stem.first_conv" },
  /* the same after OpenVINO's optimisations */
  { "resnet.pooler.Pool_66_acdb_abcd_classifier.Flatten_67", "resnet.pooler" },
  { "model.rotary_emb.Unsqueeze_1___model.layers.0.Mul_2", "model.rotary_emb" },
  { "pixel_values_abcd_aBcd16b_Multiply_12586", NULL },
  { "MVN_8399", NULL },
  /* no paths */
  { "MatMul", NULL },
  { "/MatMul", NULL },
  { "MatMul.3", NULL },
  { "/", NULL },
  { "", NULL },
};

static void
test_paths (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *path = find_path (paths[i].name);

      g_test_message ("%s", paths[i].name);
      g_assert_cmpstr (path, ==, paths[i].path);
    }
}

static DynoModule *
find_module (const DynoModule *parent, const char *name)
{
  for (guint i = 0; i < parent->modules->len; i++)
    {
      DynoModule *module = parent->modules->pdata[i];

      if (g_strcmp0 (module->name, name) == 0)
        return module;
    }
  g_assert_not_reached ();
}

static void
test_sums (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoModule) root = NULL;
  const DynoModule *layer;
  const DynoModuleProvider *provider;
  DynoOperator *product = add_operator (result, "net.layer.0.MatMul_1", "MatMul", "GPU", 100);
  DynoOperator *sum = add_operator (result, "net.layer.0.act.Add_2", "Add", CPU, 50);

  add_operator (result, "net.head.MatMul_3", "MatMul", "GPU", 250);
  add_operator (result, "Reorder", "Reorder", CPU, 100);
  dyno_operator_set_flops (product, 1000);
  dyno_operator_set_bytes (product, 10);
  dyno_operator_set_flops (sum, 3);
  root = dyno_module_new (result);

  g_assert_cmpuint (root->all.n_operators, ==, 4);
  g_assert_cmpint (root->all.time_ns, ==, 500);
  g_assert_cmpint (root->all.calls, ==, 8);
  layer = find_module (find_module (root, "net"), "layer.0");
  g_assert_cmpstr (layer->path, ==, "net.layer.0");
  g_assert_cmpfloat (dyno_module_get_share (layer), ==, 0.3);
  g_assert_cmpfloat (layer->all.flops, ==, 2 * 1003);
  g_assert_cmpfloat (layer->all.bytes, ==, 2 * 10);
  g_assert_cmpuint (layer->n_without_bytes, ==, 1);
  g_assert_cmpuint (layer->n_without_flops, ==, 0);
  g_assert_cmpint (layer->counted.time_ns, ==, 100);
  g_assert_cmpfloat (layer->counted.flops, ==, 2 * 1000);
  g_assert_cmpuint (layer->providers->len, ==, 2);
  provider = layer->providers->pdata[0];
  g_assert_cmpstr (provider->name, ==, "GPU");
  g_assert_cmpint (provider->work.time_ns, ==, 100);
}

/* The longest first; operators behind the parts of a module. */
static void
test_order (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoModule) root = NULL;
  const DynoModule *first, *homeless;

  add_operator (result, "a.x.Add", "Add", CPU, 1);
  add_operator (result, "b.x.Add", "Add", CPU, 3);
  add_operator (result, "b.x.Mul", "Mul", CPU, 5);
  add_operator (result, "Convert_1", "Convert", CPU, 1);
  add_operator (result, "Convert_2", "Convert", CPU, 1);
  add_operator (result, "MVN_3", "MVN", CPU, 4);
  root = dyno_module_new (result);

  g_assert_cmpuint (root->modules->len, ==, 3);
  first = root->modules->pdata[0];
  g_assert_cmpstr (first->path, ==, "b.x");
  g_assert_cmpstr (first->name, ==, "b.x");
  g_assert_cmpstr (dyno_operator_get_name (first->operators->pdata[0]), ==, "b.x.Mul");
  homeless = root->modules->pdata[1];
  g_assert_null (homeless->name);
  g_assert_cmpstr (((DynoModule *)homeless->modules->pdata[0])->name, ==, "MVN");
  g_assert_true (((DynoModule *)homeless->modules->pdata[0])->is_type);
  g_assert_cmpuint (((DynoModule *)homeless->modules->pdata[1])->operators->len, ==, 2);
}

/* Operators on a device that reports no times have no known share. */
static void
test_untimed (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoModule) root = NULL;

  add_operator (result, "a.Add", "Add", CPU, 1);
  add_operator (result, "b.Add", "Add", "NPU", -1);
  root = dyno_module_new (result);
  g_assert_cmpuint (root->n_untimed, ==, 1);
  g_assert_cmpint (root->all.time_ns, ==, 1);
  g_assert_true (isnan (dyno_module_get_share (root->modules->pdata[0])));
}

static void
add_layer (DynoResult *result, guint number, gint64 time_ns)
{
  g_autofree char *attention = g_strdup_printf ("body.layer.%u.attention.MatMul", number);
  g_autofree char *mlp = g_strdup_printf ("body.layer.%u.mlp.MatMul", number);

  add_operator (result, attention, "MatMul", CPU, time_ns / 2);
  add_operator (result, mlp, "MatMul", CPU, time_ns / 2);
}

/* If there are few layers, all are split into their parts; if there are many, each is one block. */
static void
test_blocks (void)
{
  const guint numbers[] = { 2, 9, 12 };
  const guint n_blocks[] = { 1 + 2 * 2, 1 + 2 * 9, 1 + 12 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (DynoResult) result = create_result ();
      g_autoptr (DynoModule) root = NULL;
      g_autoptr (GPtrArray) blocks = NULL;
      g_autofree char *stem = NULL;

      add_operator (result, "embedding.Gather", "Gather", CPU, 1);
      for (guint j = 0; j < numbers[i]; j++)
        add_layer (result, j, j == 0 ? 1200 : 1000);
      root = dyno_module_new (result);
      blocks = dyno_module_list_blocks (root);
      g_assert_cmpuint (blocks->len, ==, n_blocks[i]);
      stem = dyno_module_dup_stem (blocks->pdata[blocks->len - 1]);
      g_assert_cmpstr (stem, ==, i < 2 ? "body.layer.*.mlp" : "body.layer.*");
      g_assert_cmpstr (((DynoModule *)blocks->pdata[0])->path, ==, "embedding");
    }
}

/* A name may have any depth, and an empty list of operators is not an error. */
static void
test_strange (void)
{
  g_autoptr (DynoResult) result = create_result ();
  g_autoptr (DynoResult) empty = create_result ();
  g_autoptr (GString) name = g_string_new ("a");
  g_autoptr (DynoModule) root = NULL;
  g_autoptr (DynoModule) nothing = dyno_module_new (empty);
  g_autoptr (GPtrArray) blocks = dyno_module_list_blocks (nothing);

  for (guint i = 0; i < 100000; i++)
    g_string_append (name, i % 2 == 0 ? "/b" : ".c");
  add_operator (result, name->str, "Add", CPU, 1);
  root = dyno_module_new (result);
  g_assert_cmpuint (root->all.n_operators, ==, 1);
  g_assert_cmpuint (nothing->all.n_operators, ==, 0);
  g_assert_cmpuint (blocks->len, ==, 0);
}

static const SuiteTest tests[] = {
  { "/module/paths", test_paths },     { "/module/sums", test_sums },     { "/module/order", test_order },
  { "/module/untimed", test_untimed }, { "/module/blocks", test_blocks }, { "/module/strange", test_strange },
};

SUITE_TESTS (tests)

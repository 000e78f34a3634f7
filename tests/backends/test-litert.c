/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-engine-library.h"
#include "dyno-litert-private.h"
#include "dyno-operator-cost.h"
#include "library-tree.h"
#include "session-checks.h"

static void
set_up (LibraryTree *tree, gconstpointer data)
{
  library_tree_set_up (tree, data);
  g_unsetenv ("DYNO_LITERT");
}

static void
tear_down (LibraryTree *tree, gconstpointer data)
{
  dyno_engine_path_set ("DYNO_LITERT", NULL);
  library_tree_tear_down (tree, data);
}

/* A file is read by the engine, so without it the remedy is that of the engine. */
static void
test_nothing_found (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.tflite", NULL);
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (GError) error = NULL;

  library_tree_assert_unsupported ("litert", dyno_engine_library_get_remedy (DYNO_TYPE_LITERT_LIBRARY),
                                   "not found");
  g_assert_null (dyno_model_load (path, &error));
  suite_assert_error (error, DYNO_ERROR_NO_RUNTIME,
                      dyno_engine_library_get_remedy (DYNO_TYPE_LITERT_LIBRARY));
}

static void
test_no_library (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path = library_tree_add_no_library (tree->system, "libLiteRt.so");

  library_tree_assert_unsupported ("litert", dyno_engine_library_get_remedy (DYNO_TYPE_LITERT_LIBRARY),
                                   "libLiteRt.so");
}

/* Its functions may take other arguments, so none of them is called. */
static void
test_other_release (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path =
      library_tree_add_link (tree->system, "libLiteRt.so", g_getenv ("DYNO_TEST_NO_RUNTIME"));

  library_tree_assert_unsupported ("litert", dyno_engine_library_get_remedy (DYNO_TYPE_LITERT_LIBRARY),
                                   "is not LiteRT 2.2 or 2.3");
}

static DynoModel *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);
  g_autoptr (GError) error = NULL;
  DynoModel *model = dyno_model_load (path, &error);

  g_assert_no_error (error);
  return model;
}

static DynoSession *
open_file (const char *name, const DynoSessionOptions *options)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_on ("litert", name, options, &error);

  g_assert_no_error (error);
  return session;
}

static const DynoSessionOptions usual = { .precision = "fp32", .threads = 1, .optimise = TRUE };

static void
test_session (gconstpointer data)
{
  static void (*const checks[]) (DynoSession * session) = { check_outputs, check_slots_rotate,
                                                            check_wrong_inputs };

  if (get_available_or_skip ("litert") == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autoptr (DynoSession) session = open_file ("affine.tflite", &usual);

      checks[i](session);
    }
}

/* The numbers of picture.tflite by NumPy, as make-tflite.py prints them. */
static const float scores[] = { -0.913509F, -0.174374F, 0.375423F, 0.732635F, -0.464520F };
static const float shares[] = { 0.074202F, 0.155388F, 0.269273F, 0.384882F, 0.116255F };

static DynoTensor *
create_picture (void)
{
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 4, { 1, 8, 8, 3 } };
  DynoTensor *tensor = dyno_tensor_new ("picture", &shape);

  for (gint64 i = 0; i < dyno_shape_count (&shape); i++)
    dyno_tensor_set_number (tensor, i, (double)(i * 7919 % 23 - 11) / 16);
  return tensor;
}

static void
assert_picture (DynoSession *session)
{
  g_autoptr (DynoTensor) first = NULL;
  g_autoptr (DynoTensor) second = NULL;

  set_inputs (session, 0, create_picture (), NULL);
  run (session);
  first = dup_output (session, "scores");
  second = dup_output (session, "shares");
  for (guint i = 0; i < G_N_ELEMENTS (scores); i++)
    {
      g_assert_cmpfloat_with_epsilon (dyno_tensor_get_number (first, i), scores[i], 1e-5);
      g_assert_cmpfloat_with_epsilon (dyno_tensor_get_number (second, i), shares[i], 1e-5);
    }
}

/* Kernels and threads change the time and not the answer; a lane gives it after its session is gone. */
static void
test_picture (gconstpointer data)
{
  static const char *const kernels[] = { "xnnpack", "builtin", "reference" };
  DynoBackend *backend = get_available_or_skip ("litert");

  for (guint i = 0; backend != NULL && i < G_N_ELEMENTS (kernels); i++)
    {
      g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
      const DynoSessionOptions options = {
        .precision = "fp32", .threads = 1 + i, .optimise = TRUE, .engine = engine
      };
      g_autoptr (DynoSession) session = NULL;
      g_autoptr (DynoSession) lane = NULL;
      g_autoptr (GError) error = NULL;

      g_hash_table_insert (engine, (gpointer) "kernels", (gpointer)kernels[i]);
      g_assert_true (dyno_backend_check_option (backend, "kernels", kernels[i], NULL));
      session = open_file ("picture.tflite", &options);
      assert_picture (session);
      lane = dyno_session_open_lane (session, &error);
      g_assert_no_error (error);
      g_clear_object (&session);
      assert_picture (lane);
    }
}

/* 5.125, 1, -3.875 and -2.25, rounded. */
static void
test_whole_numbers (gconstpointer data)
{
  static const gint8 expected[] = { 5, 1, -4, -2 };
  const DynoShape shape = { DYNO_DATA_TYPE_INT8, 2, { 1, 8 } };
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoTensor) output = NULL;
  DynoTensor *tensor;

  if (get_available_or_skip ("litert") == NULL)
    return;
  session = open_file ("whole.tflite", &usual);
  tensor = dyno_tensor_new ("x", &shape);
  for (gint64 i = 0; i < shape.dims[1]; i++)
    dyno_tensor_set_integer (tensor, i, i - 4);
  set_inputs (session, 0, tensor, NULL);
  run (session);
  output = dup_output (session, "y");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (dyno_tensor_get_integer (output, i), ==, expected[i]);
}

static void
test_description (gconstpointer data)
{
  static const struct
  {
    const char *file;
    const char *precision;
    const char *mix;
    gint64 parameters;
    gint64 bytes;
  } rows[] = {
    { "affine.tflite", "fp32", "float 100 %", 8, 32 },
    { "picture.tflite", "fp32", "float 100 %", 112 + 40 + 85, 4 * (112 + 40 + 85) + 8 },
    { "whole.tflite", "int8", "int8 89 %, int32 11 %", 36, 32 + 16 },
    { "mixed.tflite", "int8-dynamic", "int8 100 %", 32, 32 },
    { "words.tflite", "fp32", "float 100 %", 200, 800 },
  };

  if (get_available_or_skip ("litert") == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoModel) model = load (rows[i].file);
      g_autoptr (JsonObject) object = dyno_model_to_json (model);
      g_autoptr (DynoModel) restored = dyno_model_new_from_json (dyno_model_get_id (model), object, NULL);

      g_test_message ("%s", rows[i].file);
      g_assert_cmpint (dyno_model_get_format (restored), ==,
                       dyno_backend_get_format (dyno_backend_lookup ("litert", NULL)));
      g_assert_cmpstr (dyno_model_get_family (restored), ==, "tflite");
      g_assert_cmpstr (dyno_model_get_architecture (restored), ==, "tflite");
      g_assert_cmpstr (dyno_model_get_file_precision (restored), ==, rows[i].precision);
      g_assert_cmpstr (dyno_model_get_weight_mix (restored), ==, rows[i].mix);
      g_assert_cmpint (dyno_model_get_parameter_count (restored), ==, rows[i].parameters);
      g_assert_cmpint (dyno_model_get_weight_bytes (restored), ==, rows[i].bytes);
    }
}

/* Random numbers must be rows of the table. */
static void
test_words (gconstpointer data)
{
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;

  if (get_available_or_skip ("litert") == NULL)
    return;
  model = load ("words.tflite");
  binding = dyno_model_bind (model, 1, 0, NULL, NULL);
  for (guint seed = 0; seed < 20; seed++)
    {
      g_autoptr (GPtrArray) inputs = dyno_model_create_inputs (model, binding, NULL, seed, NULL);

      for (gint64 i = 0; i < 6; i++)
        {
          g_assert_cmpint (dyno_tensor_get_integer (inputs->pdata[0], i), >=, 0);
          g_assert_cmpint (dyno_tensor_get_integer (inputs->pdata[0], i), <, 50);
        }
    }
}

/* By hand: 64 results of 27 products and a bias, cut off; 64 of 9, likewise; 16 means of four; 5 results of 16 products and a
 * bias; a softmax. */
static void
test_work (gconstpointer data)
{
  static const struct
  {
    const char *type;
    gint64 flops;
  } nodes[] = {
    { "Conv", 64 * (2 * 27 + 1) }, { "Clip", 64 },   { "Conv", 64 * (2 * 9 + 1) }, { "Relu", 64 },
    { "AveragePool", 16 * 4 },     { "Reshape", 0 }, { "Gemm", 5 * (2 * 16 + 1) }, { "Softmax", 5 * 5 },
  };
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .profile = TRUE };
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) found = NULL;

  if (get_available_or_skip ("litert") == NULL)
    return;
  model = load ("picture.tflite");
  session = open_file ("picture.tflite", &options);
  assert_picture (session);
  found = end_profile (session);
  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (nodes));
  for (guint i = 0; i < found->len; i++)
    {
      const DynoNodeProfile *node = found->pdata[i];
      const DynoNodeShapes shapes = {
        .op_type = node->op_type,
        .inputs = node->inputs,
        .outputs = node->outputs,
        .kernel_elements = dyno_model_get_window_elements (model, node->name),
      };
      gint64 flops = -1;

      g_test_message ("%s %s", node->name, node->op_type);
      g_assert_cmpstr (node->op_type, ==, nodes[i].type);
      g_assert_true (dyno_operator_cost_flops (&shapes, &flops));
      g_assert_cmpint (flops, ==, nodes[i].flops);
    }
}

/* The kernels that ran, each once for every run but the first. */
static gint64
sum_times (void)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE, .profile = TRUE };
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) found = NULL;
  guint n_products = 0;
  gint64 total_ns = 0;

  session = open_file ("picture.tflite", &options);
  for (guint i = 0; i < 50; i++)
    assert_picture (session);
  found = end_profile (session);
  for (guint i = 0; i < found->len; i++)
    {
      const DynoNodeProfile *node = found->pdata[i];

      g_test_message ("%s %s %s %" G_GINT64_FORMAT, node->name, node->op_type, node->provider, node->time_ns);
      g_assert_cmpstr (node->provider, ==, "CPU");
      g_assert_cmpstr (node->kernel, ==, "XNNPACK");
      g_assert_cmpint (node->calls, ==, 49);
      g_assert_cmpint (node->time_ns, >=, 0);
      total_ns += node->time_ns;
      if (g_str_equal (node->op_type, "Convolution") || g_str_equal (node->op_type, "FullyConnected"))
        {
          g_assert_cmpstr (node->precision, ==, "fp32");
          n_products++;
        }
    }
  g_assert_cmpuint (n_products, ==, 3);
  return total_ns;
}

/* LiteRT counts whole microseconds, which a kernel need not take. */
static void
test_times (gconstpointer data)
{
  gint64 total_ns = 0;

  if (get_available_or_skip ("litert") == NULL)
    return;
  for (guint i = 0; i < 100 && total_ns == 0; i++)
    total_ns = sum_times ();
  g_assert_cmpint (total_ns, >, 0);
}

/* XNNPACK has kernels for all operators of one file and for none of the other; without it there is nothing to tell. */
static void
test_delegated (gconstpointer data)
{
  static const struct
  {
    const char *file;
    const char *kernels;
    double percent; /* negative for no value */
    const char *source;
  } rows[] = {
    { "picture.tflite", "xnnpack", 100, "XNNPACK took 6 of 6 operators in the file" },
    { "words.tflite", "xnnpack", 0,
      "XNNPACK took 0 of 1 operators in the file; LiteRT's own kernels ran GATHER" },
    { "picture.tflite", "builtin", -1, NULL },
  };
  DynoBackend *backend = get_available_or_skip ("litert");

  for (guint i = 0; backend != NULL && i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
      const DynoSessionOptions options = {
        .precision = "fp32", .threads = 1, .optimise = TRUE, .profile = TRUE, .engine = engine
      };
      g_autoptr (DynoModel) model = load (rows[i].file);
      g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 0, NULL, NULL);
      g_autoptr (GPtrArray) inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
      g_autoptr (DynoSession) session = NULL;
      g_autoptr (GPtrArray) nodes = NULL;
      g_autoptr (GPtrArray) values = NULL;

      g_test_message ("%s %s", rows[i].file, rows[i].kernels);
      g_hash_table_insert (engine, (gpointer) "kernels", (gpointer)rows[i].kernels);
      session = open_file (rows[i].file, &options);
      g_assert_true (dyno_session_set_inputs (session, 0, inputs, NULL));
      for (guint k = 0; k < 3; k++)
        run (session);
      nodes = end_profile (session);
      values = dyno_session_get_profile_values (session);
      g_assert_cmpstr (dyno_session_get_provider (session), ==, "CPU");
      g_assert_cmpuint (values->len, ==, rows[i].percent < 0 ? 0 : 1);
      if (rows[i].percent < 0)
        continue;
      g_assert_cmpfloat (dyno_value_get_number (values->pdata[0]), ==, rows[i].percent);
      g_assert_nonnull (strstr (dyno_value_get_source (values->pdata[0]), rows[i].source));
    }
}

/* The processor emulates a GPU where there is none; an accelerator without a library is missing, with the reason. */
static void
test_accelerators (gconstpointer data)
{
  DynoBackend *backend = get_available_or_skip ("litert");
  g_autoptr (DynoProbe) probe = backend != NULL ? dyno_backend_probe (backend, NULL) : NULL;
  DynoSessionOptions options = usual;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GError) error = NULL;
  const char *gpu = NULL;

  for (guint i = 0; probe != NULL && i < g_list_model_get_n_items (dyno_probe_get_devices (probe)); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (dyno_probe_get_devices (probe), i);

      if (!g_str_equal (dyno_device_get_id (device), "cpu") && dyno_device_get_reason (device) == NULL)
        gpu = dyno_device_get_id (device);
    }
  if (gpu == NULL)
    {
      if (probe != NULL)
        g_test_skip ("LiteRT finds no GPU, not even an emulated one");
      return;
    }
  options.device = gpu;
  options.profile = TRUE;
  session = open_file ("picture.tflite", &options);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, "GPU");
  assert_picture (session);
  nodes = end_profile (session);
  g_assert_cmpuint (nodes->len, >, 5);
  for (guint i = 0; i < nodes->len; i++)
    g_assert_cmpstr (((const DynoNodeProfile *)nodes->pdata[i])->provider, ==, "GPU");
  g_assert_null (open_on ("litert", "words.tflite", &options, &error));
  suite_assert_error (error, DYNO_ERROR_FAILED, "cannot run all of");
}

/* A damaged file is refused by whoever opens it. */
static void
test_damaged (gconstpointer data)
{
  g_autofree char *whole =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "picture.tflite", NULL);
  g_autofree char *folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "cut.tflite", NULL);
  g_autofree char *contents = NULL;
  DynoBackend *backend = get_available_or_skip ("litert");
  guint n_refused = 0;
  gsize size;

  g_assert_true (g_file_get_contents (whole, &contents, &size, NULL));
  for (gsize length = 8; backend != NULL && length < size; length += 97)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) session_error = NULL;

      g_assert_true (g_file_set_contents (path, contents, (gssize)length, NULL));
      g_assert_null (dyno_model_load (path, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "cut.tflite");
      g_assert_null (dyno_backend_open (backend, path, &usual, &session_error));
      suite_assert_error (session_error, DYNO_ERROR_INVALID_DATA, "cut.tflite");
    }
  /* Bytes that are changed here and there make it another model, or none. */
  for (guint i = 0; backend != NULL && i < 200; i++)
    {
      g_autofree char *changed = g_memdup2 (contents, size);
      g_autoptr (DynoModel) model = NULL;
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < 1 + i % 3; k++)
        changed[8 + (i * 7919 + k * 104729) % (size - 8)] ^= (char)(1 << i % 8);
      g_assert_true (g_file_set_contents (path, changed, (gssize)size, NULL));
      model = dyno_model_load (path, &error);
      n_refused += model == NULL;
      if (model == NULL)
        suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "cut.tflite");
    }
  if (backend != NULL)
    g_assert_cmpuint (n_refused, >, 20);
  dyno_scratch_remove (folder);
}

static void
test_refused (gconstpointer data)
{
  const DynoSessionOptions elsewhere = { .precision = "fp32", .device = "moon" };
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GError) error = NULL;
  static const float numbers[6] = { 0 };

  if (get_available_or_skip ("litert") == NULL)
    return;
  g_assert_null (open_on ("litert", "affine.tflite", &elsewhere, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  session = open_file ("affine.tflite", &usual);
  set_inputs (session, 0, tensor_new ("x", 1, 3, numbers), NULL);
  set_inputs (session, 1, tensor_new ("x", 1, 3, numbers), NULL);
  {
    g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

    g_ptr_array_add (tensors, tensor_new ("x", 2, 3, numbers));
    g_assert_false (dyno_session_set_inputs (session, 1, tensors, &error));
    suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "one size of its inputs");
  }
  g_clear_error (&error);
  g_assert_false (dyno_session_carry (session, "y", "x", &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "single steps");
}

static const SuiteFixtureTest (LibraryTree) library_tests[] = {
  { "/litert/nothing-found", test_nothing_found },
  { "/litert/no-library", test_no_library },
  { "/litert/other-release", test_other_release },
};

static const struct
{
  const char *path;
  GTestDataFunc run;
} model_tests[] = {
  { "/litert/session", test_session },
  { "/litert/picture", test_picture },
  { "/litert/whole-numbers", test_whole_numbers },
  { "/litert/description", test_description },
  { "/litert/words", test_words },
  { "/litert/work", test_work },
  { "/litert/times", test_times },
  { "/litert/delegated", test_delegated },
  { "/litert/accelerators", test_accelerators },
  { "/litert/damaged", test_damaged },
  { "/litert/refused", test_refused },
};

static int
run_tests (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (library_tests); i++)
    g_test_add (library_tests[i].path, LibraryTree, NULL, set_up, library_tests[i].run, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (model_tests); i++)
    g_test_add_data_func (model_tests[i].path, NULL, model_tests[i].run);
  return g_test_run ();
}

SUITE (run_tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "dyno-clock.h"
#include "dyno-model.h"
#include "dyno-onnx-writer.h"
#include "session-checks.h"
#include "suite.h"

static const DynoSessionOptions plain = {
  .device = "CPU", .precision = "fp32", .threads = 1, .optimise = TRUE
};

static DynoSession *
open_fixture (const char *name, const DynoSessionOptions *options, GError **error)
{
  return open_on ("openvino", name, options, error);
}

static DynoSession *
open_fixture_or_fail (const char *name, const DynoSessionOptions *options)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_fixture (name, options, &error);

  g_assert_no_error (error);
  return session;
}

static void
test_probe (void)
{
  DynoBackend *backend = get_available_or_skip ("openvino");
  g_autoptr (DynoProbe) probe = NULL;
  g_autoptr (DynoDevice) processor = NULL;
  g_autoptr (DynoDevice) automatic = NULL;
  GListModel *devices;

  if (backend == NULL)
    return;
  probe = dyno_backend_probe (backend, NULL);
  devices = dyno_probe_get_devices (probe);
  g_assert_true (g_str_has_prefix (dyno_probe_get_runtime (probe), "OpenVINO 20"));
  processor = g_list_model_get_item (devices, 0);
  g_assert_cmpstr (dyno_device_get_id (processor), ==, "CPU");
  g_assert_cmpint (dyno_device_get_kind (processor), ==, DYNO_DEVICE_KIND_CPU);
  g_assert_cmpstr (dyno_device_get_name (processor), !=, "");
  g_assert_cmpstr (dyno_device_get_precisions (processor)[0], ==, "fp32");
  g_assert_true (g_strv_contains (dyno_device_get_precisions (processor), "int8"));
  automatic = g_list_model_get_item (devices, g_list_model_get_n_items (devices) - 1);
  g_assert_cmpstr (dyno_device_get_id (automatic), ==, "AUTO");
}

static void
test_session (gconstpointer data)
{
  const SessionCheck *check = data;
  g_autoptr (DynoSession) session = NULL;

  if (get_available_or_skip ("openvino") == NULL)
    return;
  session = open_fixture_or_fail (check->fixture, &plain);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, "OpenVINO CPU");
  g_assert_false (dyno_session_has_own_clock (session));
  check->check (session);
}

static DynoSession *
open_model (const char *backend, const char *device, DynoModel *model)
{
  DynoSessionOptions options = { .device = device, .precision = "fp32", .threads = 1, .optimise = TRUE };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) inputs = NULL;

  g_assert_no_error (error);
  session = dyno_backend_open (dyno_backend_lookup (backend, NULL), path, &options, &error);
  g_assert_no_error (error);
  binding = dyno_model_bind (model, 2, dyno_model_has_sequence (model) ? 24 : 0, NULL, &error);
  g_assert_no_error (error);
  inputs = dyno_model_create_inputs (model, binding, NULL, 7, &error);
  g_assert_no_error (error);
  dyno_session_set_inputs (session, 0, inputs, &error);
  g_assert_no_error (error);
  run (session);
  return g_steal_pointer (&session);
}

static double
find_largest (DynoTensor *tensor)
{
  const float *numbers = dyno_tensor_get_data (tensor);
  gint64 count = dyno_shape_count (dyno_tensor_get_shape (tensor));
  double largest = 0;

  for (gint64 i = 0; i < count; i++)
    largest = MAX (largest, fabs ((double)numbers[i]));
  return largest;
}

static void
assert_tensors_agree (DynoTensor *a, DynoTensor *b)
{
  const float *numbers = dyno_tensor_get_data (a);
  const float *others = dyno_tensor_get_data (b);
  gint64 count = dyno_shape_count (dyno_tensor_get_shape (a));
  double tolerance = 1e-4 * find_largest (a);

  g_assert_cmpint (dyno_shape_count (dyno_tensor_get_shape (b)), ==, count);
  g_assert_cmpfloat (tolerance, >, 0);
  for (gint64 i = 0; i < count; i++)
    g_assert_cmpfloat_with_epsilon ((double)numbers[i], (double)others[i], tolerance);
}

/* Outputs computed from weights that no other engine can reproduce. */
static void
test_agrees_with_cpu (gconstpointer data)
{
  const char *name = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoSession) reference = NULL;
  g_autoptr (GPtrArray) expected = NULL;

  if (get_available_or_skip ("openvino") == NULL || get_available_or_skip ("cpu") == NULL)
    return;
  model = dyno_model_load (name, &error);
  g_assert_no_error (error);
  session = open_model ("openvino", "CPU", model);
  reference = open_model ("cpu", "cpu", model);
  expected = get_outputs (reference);
  g_assert_cmpuint (expected->len, >, 0);
  for (guint i = 0; i < expected->len; i++)
    {
      g_autoptr (DynoTensor) given = dup_output (session, dyno_tensor_get_name (expected->pdata[i]));

      g_assert_nonnull (given);
      assert_tensors_agree (expected->pdata[i], given);
    }
}

static void
test_auto (void)
{
  static const float x[] = { 1, 0, 2 };
  static const float y[] = { 21, 34 };
  DynoSessionOptions options = { .device = "AUTO", .precision = "fp32", .threads = 1, .profile = TRUE };
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  session = open_fixture_or_fail ("affine.onnx", &options);
  set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  run (session);
  assert_output (session, "y", y, 2);
  nodes = end_profile (session);
  g_assert_cmpuint (nodes->len, >, 0);
  g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[0])->provider, ==, dyno_session_get_provider (session));
  g_assert_true (g_str_has_prefix (dyno_session_get_provider (session), "OpenVINO "));
  g_assert_null (strstr (dyno_session_get_provider (session), "AUTO"));
}

/* A chain of products, which takes measurable time; the caller frees the path. */
static char *
write_chain (const char *folder, guint n_products)
{
  static const gint64 dims[] = { 256, 256 };
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *value = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, "256, 256");

  for (guint i = 0; i < n_products; i++)
    {
      dyno_graph_push_scope (graph, "layer%u", i);
      value = dyno_graph_add (graph, "MatMul", NULL, value,
                              dyno_graph_add_weight (graph, "weight", 0, 1.0 / 16, 2, dims), NULL);
      value = dyno_graph_add (graph, "Softmax", "axis=-1", value, NULL);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_add_output (graph, "y", value, "256, 256");
  g_assert_true (dyno_graph_check (graph, &error));
  g_assert_true (dyno_onnx_writer_write (graph, folder, 1, NULL, &error));
  g_assert_no_error (error);
  return g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL);
}

typedef struct
{
  char *folder;
  char *path;
  DynoSession *session;
} Chain;

static void
open_chain (Chain *chain, guint n_products, const DynoSessionOptions *options)
{
  g_autofree float *numbers = g_new0 (float, 256 * 256);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 256 * 256; i++)
    numbers[i] = (float)(i % 13) / 13;
  chain->folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  chain->path = write_chain (chain->folder, n_products);
  chain->session = dyno_backend_open (dyno_backend_lookup ("openvino", NULL), chain->path, options, &error);
  g_assert_no_error (error);
  set_inputs (chain->session, 0, tensor_new ("x", 256, 256, numbers), NULL);
  run (chain->session);
}

static void
close_chain (Chain *chain)
{
  g_clear_object (&chain->session);
  g_assert_cmpint (g_unlink (chain->path), ==, 0);
  g_assert_cmpint (g_rmdir (chain->folder), ==, 0);
  g_free (chain->path);
  g_free (chain->folder);
}

static gint64
time_run (DynoSession *session)
{
  gint64 began = dyno_clock_now_ns ();

  run (session);
  return dyno_clock_now_ns () - began;
}

static void
test_profile (void)
{
  DynoSessionOptions options = { .precision = "fp32", .threads = 1, .profile = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  Chain chain;
  gboolean has_softmax = FALSE;
  gint64 elapsed, total = 0;

  open_chain (&chain, 6, &options);
  elapsed = time_run (chain.session) + time_run (chain.session);
  nodes = end_profile (chain.session);
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      g_test_message ("%s %s %s %g µs", node->op_type, node->name, node->kernel,
                      1e-3 * (double)node->time_ns);
      if (g_str_equal (node->op_type, "Softmax"))
        g_assert_nonnull (node->kernel);
      g_assert_cmpstr (node->provider, ==, dyno_session_get_provider (chain.session));
      g_assert_cmpint (node->calls, ==, 2); /* the first of three runs is left out */
      g_assert_cmpuint (node->inputs->len, ==, 0);
      has_softmax = has_softmax || g_str_equal (node->op_type, "Softmax");
      total += node->time_ns;
    }
  g_assert_true (has_softmax);
  g_assert_cmpint (3 * total, >, elapsed);
  /* Counters are means in whole µs: each node can be off by one of them in every run, the first included. */
  g_assert_cmpint (total, <=, elapsed + 3 * 1000 * (gint64)nodes->len);

  g_assert_null (dyno_session_end_profile (chain.session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  close_chain (&chain);
}

static gboolean
is_about_twice (gint64 twice, gint64 single)
{
  return 2 * twice > 3 * single && twice < 4 * single;
}

/* A run that returns before the work is done takes as long for twice the work. The bounds are wide, and the shortest of
 * many runs in turn is taken, for as long as it takes to become plausible, because other work only makes a run slower. */
static void
test_twice_the_work_takes_twice_the_time (void)
{
  gint64 shortest_single = G_MAXINT64, shortest_twice = G_MAXINT64;
  Chain single, twice;

  open_chain (&single, 4, &plain);
  open_chain (&twice, 8, &plain);
  for (guint i = 0; i < 200 || (i < 2000 && !is_about_twice (shortest_twice, shortest_single)); i++)
    {
      shortest_single = MIN (shortest_single, time_run (single.session));
      shortest_twice = MIN (shortest_twice, time_run (twice.session));
    }
  close_chain (&single);
  close_chain (&twice);
  g_test_message ("%g ms, twice the work %g ms", 1e-6 * (double)shortest_single,
                  1e-6 * (double)shortest_twice);
  g_assert_true (is_about_twice (shortest_twice, shortest_single));
}

static GHashTable *
engine_options (const char *name, const char *value)
{
  GHashTable *options = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (options, (gpointer)name, (gpointer)value);
  return options;
}

static void
assert_stages (GHashTable *engine, const char *const *names)
{
  DynoSessionOptions options = plain;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GArray) stages = NULL;

  options.engine = engine;
  session = open_fixture_or_fail ("affine.onnx", &options);
  stages = dyno_session_get_load_stages (session);
  g_assert_cmpuint (stages->len, ==, g_strv_length ((char **)names));
  for (guint i = 0; i < stages->len; i++)
    {
      g_assert_cmpstr (g_array_index (stages, DynoLoadStage, i).name, ==, names[i]);
      g_assert_cmpint (g_array_index (stages, DynoLoadStage, i).duration_ns, >, 0);
    }
}

static void
test_load_stages (void)
{
  static const char *const plain_stages[] = { "read", "compile", NULL };
  static const char *const cached_stages[] = { "read", "compile", "compile_cached", NULL };
  g_autoptr (GHashTable) cached = engine_options ("cache", "on");

  assert_stages (NULL, plain_stages);
  assert_stages (cached, cached_stages);
}

static void
test_options (void)
{
  DynoBackend *backend = dyno_backend_lookup ("openvino", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_backend_check_option (backend, "hint", "throughput", NULL));
  g_assert_true (dyno_backend_check_option (backend, "streams", "2", NULL));
  g_assert_false (dyno_backend_check_option (backend, "streams", "0", &error));
  g_assert_nonnull (strstr (error->message, "from 1"));
  g_clear_error (&error);
  g_assert_true (dyno_backend_check_option (backend, "inference-precision", "bf16", NULL));
  g_assert_false (dyno_backend_check_option (backend, "inference-precision", "int8", NULL));
  g_assert_true (dyno_backend_check_option (backend, "requests", "4", NULL));
  g_assert_false (dyno_backend_check_option (backend, "requests", "0", NULL));
  g_assert_false (dyno_backend_check_option (backend, "requests", "1025", NULL));
  g_assert_true (dyno_backend_check_option (backend, "cache", "on", NULL));
  g_assert_false (dyno_backend_check_option (backend, "hint", "speed", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (dyno_backend_check_option (backend, "turbo", "on", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "“turbo”");
}

static void
test_hints (void)
{
  static const char *const hints[] = { "latency", "throughput", "none" };
  static const float x[] = { 1, 0, 2 };
  static const float y[] = { 21, 34 };

  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    {
      DynoSessionOptions options = plain;
      g_autoptr (GHashTable) engine = engine_options ("hint", hints[i]);
      g_autoptr (DynoSession) session = NULL;

      options.engine = engine;
      session = open_fixture_or_fail ("affine.onnx", &options);
      set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
      run (session);
      assert_output (session, "y", y, 2);
    }
}

/* 1 and 2 to the power of −12 are one number in bfloat16, and two in single precision. */
static float
add_little (const char *precision)
{
  static const float x[] = { 1.000244140625f, 0, 0 };
  DynoSessionOptions options = plain;
  g_autoptr (GHashTable) engine = engine_options ("inference-precision", precision);
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  options.engine = engine;
  session = open_fixture_or_fail ("affine.onnx", &options);
  set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  run (session);
  outputs = dyno_session_get_outputs (session, NULL);
  return ((const float *)dyno_tensor_get_data (outputs->pdata[0]))[0];
}

static void
assert_settings (const DynoSessionOptions *options, const char *precision, const char *threads)
{
  g_autoptr (DynoSession) session = open_fixture_or_fail ("affine.onnx", options);
  g_autoptr (GHashTable) settings = dyno_session_read_settings (session);

  g_assert_cmpstr (g_hash_table_lookup (settings, "inference-precision"), ==, precision);
  if (threads != NULL)
    g_assert_cmpstr (g_hash_table_lookup (settings, "threads"), ==, threads);
  g_assert_nonnull (g_hash_table_lookup (settings, "threads"));
  g_assert_nonnull (g_hash_table_lookup (settings, "streams"));
  g_assert_cmpstr (g_hash_table_lookup (settings, "hint"), ==, "latency");
}

/* By default a processor computes in bf16 if it can; a model with an explicit precision reports that. */
static void
assert_default_precision (DynoProbe *probe)
{
  DynoSessionOptions left_alone = plain;
  gboolean has_bf16 =
      g_strv_contains (dyno_device_get_precisions (dyno_probe_find_device (probe, "CPU")), "bf16");

  left_alone.left_alone = TRUE;
  assert_settings (&plain, "fp32", "1");
  assert_settings (&left_alone, has_bf16 ? "bf16" : "fp32", NULL);
}

static void
test_inference_precision (void)
{
  DynoBackend *backend = get_available_or_skip ("openvino");
  g_autoptr (DynoProbe) probe = NULL;

  if (backend == NULL)
    return;
  probe = dyno_backend_probe (backend, NULL);
  g_assert_cmpfloat (add_little ("fp32"), ==, add_little ("model"));
  assert_default_precision (probe);
  if (!g_strv_contains (dyno_device_get_precisions (dyno_probe_find_device (probe, "CPU")), "bf16"))
    g_test_skip ("this processor does not compute in bf16");
  else
    g_assert_cmpfloat (add_little ("bf16"), !=, add_little ("fp32"));
}

static void
assert_request_output (DynoSession *session, guint request, const float *numbers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = dyno_session_get_request_outputs (session, request, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  g_assert_cmpmem (dyno_tensor_get_data (outputs->pdata[0]), dyno_tensor_get_size (outputs->pdata[0]),
                   numbers, 2 * sizeof (float));
}

/* Steps of three requests take four inputs in turn, and each request returns its own result. */
static void
test_requests (void)
{
  static const float x[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 2 } };
  static const float y[][2] = { { 11, 22 }, { 13, 24 }, { 15, 26 }, { 21, 34 } };
  DynoSessionOptions options = plain;
  g_autoptr (GHashTable) engine = engine_options ("requests", "3");
  g_autoptr (DynoSession) session = NULL;

  options.engine = engine;
  session = open_fixture_or_fail ("affine.onnx", &options);
  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    set_inputs (session, i, tensor_new ("x", 1, 3, x[i]), NULL);
  for (guint step = 0; step < 5; step++)
    {
      run (session);
      for (guint request = 0; request < 3; request++)
        assert_request_output (session, request, y[(3 * step + request) % 4]);
      assert_output (session, "y", y[3 * step % 4], 2);
    }
}

/* The counters of several requests would not be told apart. */
static void
test_profile_is_of_one_request (void)
{
  DynoSessionOptions options = plain;
  g_autoptr (GHashTable) engine = engine_options ("requests", "3");
  g_autoptr (DynoSession) session = NULL;

  options.engine = engine;
  options.profile = TRUE;
  session = open_fixture_or_fail ("affine.onnx", &options);
  g_assert_cmpuint (dyno_session_get_requests (session), ==, 1);
}

/* OpenVINO treats settings as hints; a deviation must be an error. */
static void
test_wishes_that_are_not_granted (void)
{
  DynoSessionOptions options = plain;
  g_autoptr (GHashTable) streams = engine_options ("streams", "100000");
  g_autoptr (GError) error = NULL;

  options.engine = streams;
  g_assert_null (open_fixture ("affine.onnx", &options, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "“NUM_STREAMS”");

  options.engine = NULL;
  options.threads = 100000;
  g_assert_null (open_fixture ("affine.onnx", &options, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "“INFERENCE_NUM_THREADS”");
}

static const BadModel bad_models[] = {
  { "missing.onnx", DYNO_ERROR_NOT_FOUND, "missing.onnx" },
  { "make-models.py", DYNO_ERROR_INVALID_DATA, "make-models.py" },
  { "empty.onnx", DYNO_ERROR_INVALID_DATA, "empty.onnx" },
  { "truncated.onnx", DYNO_ERROR_INVALID_DATA, "truncated.onnx" },
  { "unknown-operator.onnx", DYNO_ERROR_UNREADABLE, "Frobnicate" },
};

static void
test_bad_model (gconstpointer data)
{
  if (get_available_or_skip ("openvino") != NULL)
    assert_not_opened ("openvino", data, &plain);
}

static void
test_out_of_memory (void)
{
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("AddressSanitizer ends a process that asks for too much");
#else
  g_autoptr (DynoSession) session = NULL;

  if (get_available_or_skip ("openvino") == NULL)
    return;
  session = open_fixture_or_fail ("expand.onnx", &plain);
  assert_out_of_memory (session, 1 << 20, 1 << 20);
#endif
}

static void
test_unknown_precision_and_device (void)
{
  DynoSessionOptions precision = { .precision = "fp3", .threads = 1 };
  DynoSessionOptions device = { .device = "abacus", .precision = "fp32", .threads = 1 };
  g_autoptr (GError) error = NULL;

  g_assert_null (open_fixture ("affine.onnx", &precision, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "“fp3”");
  g_assert_null (open_fixture ("affine.onnx", &device, &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "“abacus”");
}

static void
run_with_engine (gconstpointer test)
{
  if (get_available_or_skip ("openvino") != NULL)
    ((void (*) (void))test) ();
}

/* Known without the engine. */
static void
test_limits (void)
{
  static const char *const blocks[] = { "Add", "com.microsoft.MatMulNBits", NULL };
  static const char *const normal[] = { "Add", "com.microsoft.MatMulBnb4", NULL };
  DynoBackend *backend = dyno_backend_lookup ("openvino", NULL);
  const DynoModelNeeds block_needs = { .device = "CPU", .operators = blocks };
  const DynoModelNeeds normal_needs = { .device = "CPU", .operators = normal };
  g_autofree char *none = dyno_backend_check_model (backend, &block_needs);
  g_autofree char *reason = dyno_backend_check_model (backend, &normal_needs);

  g_assert_null (none);
  g_assert_nonnull (strstr (reason, "MatMulBnb4"));
}

#define ADD(path, test) g_test_add_data_func (path, test, run_with_engine)

static void
add_tests (void)
{
  static const char *const models[] = { "bert-tiny", "resnet-18" };

  g_test_add_func ("/openvino/probe", test_probe);
  add_session_checks ("/openvino/", test_session);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *name = g_strconcat ("/openvino/agrees-with-cpu/", models[i], NULL);

      g_test_add_data_func (name, models[i], test_agrees_with_cpu);
    }
  ADD ("/openvino/auto", test_auto);
  ADD ("/openvino/profile", test_profile);
  ADD ("/openvino/twice-the-work", test_twice_the_work_takes_twice_the_time);
  ADD ("/openvino/load-stages", test_load_stages);
  g_test_add_func ("/openvino/options", test_options);
  g_test_add_func ("/openvino/limits", test_limits);
  ADD ("/openvino/hints", test_hints);
  g_test_add_func ("/openvino/inference-precision", test_inference_precision);
  ADD ("/openvino/requests", test_requests);
  ADD ("/openvino/profile-is-of-one-request", test_profile_is_of_one_request);
  ADD ("/openvino/wishes-that-are-not-granted", test_wishes_that_are_not_granted);
  for (guint i = 0; i < G_N_ELEMENTS (bad_models); i++)
    {
      g_autofree char *name = g_strconcat ("/openvino/bad-model/", bad_models[i].name, NULL);

      g_test_add_data_func (name, &bad_models[i], test_bad_model);
    }
  g_test_add_func ("/openvino/out-of-memory", test_out_of_memory);
  ADD ("/openvino/unknown-precision-and-device", test_unknown_precision_and_device);
}

SUITE_ADD (add_tests)

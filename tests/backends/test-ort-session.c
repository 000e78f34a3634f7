/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "session-checks.h"
#include "suite.h"

static const DynoSessionOptions plain = { .precision = "fp32", .threads = 1, .optimise = TRUE };

/* The same tests apply to every backend on ONNX Runtime; the environment selects it. */
static const char *
get_backend_id (void)
{
  const char *id = g_getenv ("DYNO_TEST_BACKEND");

  return id != NULL ? id : "cpu";
}

static gboolean
is_on_cpu (void)
{
  return g_str_equal (get_backend_id (), "cpu");
}

static const char *
get_provider (void)
{
  return is_on_cpu () ? "CPUExecutionProvider" : g_getenv ("DYNO_TEST_PROVIDER");
}

/* The backend, or NULL if the machine has no library to test with. */
static DynoBackend *
get_backend_or_skip (void)
{
  return get_available_or_skip (get_backend_id ());
}

static DynoSession *
open_fixture (const char *name, const DynoSessionOptions *options, GError **error)
{
  return open_on (get_backend_id (), name, options, error);
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
test_session (gconstpointer data)
{
  const SessionCheck *check = data;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture_or_fail (check->fixture, &plain);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, get_provider ());
  check->check (session);
}

/* The outputs' shapes differ though the inputs' are the same. */
static void
test_shapes_from_data (void)
{
  static const float x[][3] = { { 1, 0, 1 }, { 0, 0, 1 } };
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 1, { 3 } };
  g_autoptr (DynoSession) session = open_fixture_or_fail ("nonzero.onnx", &plain);

  for (guint i = 0; i < 2; i++)
    {
      DynoTensor *tensor = dyno_tensor_new ("x", &shape);

      memcpy (dyno_tensor_get_data (tensor), x[i], sizeof x[i]);
      set_inputs (session, i, tensor, NULL);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GPtrArray) outputs = NULL;

      run (session);
      outputs = get_outputs (session);
      g_assert_cmpint (dyno_tensor_get_shape (outputs->pdata[0])->dims[1], ==, i % 2 == 0 ? 2 : 1);
    }
}

static void
test_profile (void)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = FALSE, .profile = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  const DynoNodeProfile *product;
  const DynoShape *weights;

  session = open_fixture_or_fail ("affine.onnx", &options);
  set_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  run (session);
  run (session);
  run (session);
  nodes = end_profile (session);
  g_assert_cmpuint (nodes->len, ==, 2);

  product = nodes->pdata[0];
  g_assert_cmpstr (product->name, ==, "project");
  g_assert_cmpstr (product->op_type, ==, "MatMul");
  g_assert_cmpstr (product->provider, ==, get_provider ());
  g_assert_cmpint (product->calls, ==, 2); /* the first of three runs is left out */
  g_assert_cmpint (product->time_ns, >=, 0);
  g_assert_cmpuint (product->inputs->len, ==, 2);
  g_assert_cmpuint (product->outputs->len, ==, 1);
  weights = &g_array_index (product->inputs, DynoShape, 1);
  g_assert_cmpint (weights->type, ==, DYNO_DATA_TYPE_FLOAT);
  g_assert_cmpuint (weights->rank, ==, 2);
  g_assert_cmpint (weights->dims[0], ==, 3);
  g_assert_cmpint (weights->dims[1], ==, 2);
  g_assert_cmpint (g_array_index (product->outputs, DynoShape, 0).dims[0], ==, 2);
  g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[1])->op_type, ==, "Add");

  g_assert_null (dyno_session_end_profile (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static GHashTable *
tell (const char *option, const char *value)
{
  GHashTable *engine = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (engine, (gpointer)option, (gpointer)value);
  return engine;
}

static guint
count_nodes (gboolean optimise, const char *level)
{
  static const float numbers[] = { -1, 1 };
  g_autoptr (GHashTable) engine = tell ("graph-optimisation", level);
  DynoSessionOptions options = {
    .precision = "fp32", .threads = 1, .optimise = optimise, .profile = TRUE, .engine = engine
  };
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 1, { 2 } };
  g_autoptr (DynoSession) session = open_fixture_or_fail ("foldable.onnx", &options);
  g_autoptr (GPtrArray) nodes = NULL;
  DynoTensor *tensor = dyno_tensor_new ("x", &shape);

  memcpy (dyno_tensor_get_data (tensor), numbers, sizeof numbers);
  set_inputs (session, 0, tensor, NULL);
  run (session);
  nodes = end_profile (session);
  return nodes->len;
}

static void
test_optimise (void)
{
  g_assert_cmpuint (count_nodes (FALSE, "all"), ==, 3);
  g_assert_cmpuint (count_nodes (TRUE, "all"), <, 3);
  g_assert_cmpuint (count_nodes (TRUE, "basic"), <, 3);
  g_assert_cmpuint (count_nodes (TRUE, "none"), ==, 3);
}

static guint
count_threads (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n_threads = 0;

  while (g_dir_read_name (dir) != NULL)
    n_threads++;
  return n_threads;
}

/* The calling thread works as well, so a session starts one thread less than requested. */
static void
test_threads (void)
{
  DynoSessionOptions options = plain;
  guint n_before;

  g_clear_object (&(DynoSession *){ open_fixture ("affine.onnx", &plain, NULL) });
  n_before = count_threads ();
  for (options.threads = 1; options.threads <= 3; options.threads++)
    {
      g_autoptr (DynoSession) session = open_fixture_or_fail ("affine.onnx", &options);

      g_assert_cmpuint (count_threads (), ==, n_before + options.threads - 1);
    }
}

/* One operator after another needs no thread beside the caller's; several at once do. */
static void
test_inter_op_threads (void)
{
  static const char *const counts[] = { "1", "2", "3" };
  guint n_before;

  g_clear_object (&(DynoSession *){ open_fixture ("affine.onnx", &plain, NULL) });
  n_before = count_threads ();
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      DynoSessionOptions options = plain;
      g_autoptr (GHashTable) engine = tell ("inter-op-threads", counts[i]);
      g_autoptr (DynoSession) session = NULL;

      options.engine = engine;
      session = open_fixture_or_fail ("affine.onnx", &options);
      g_assert_cmpuint (count_threads (), ==, n_before + i);
    }
}

/* Fixed shapes allow no other sizes; without sizes, they stay free. */
static void
test_shapes_option (void)
{
  static const float numbers[] = { 1, 1, 1, 2, 2, 2 };
  const gint64 one = 1;
  g_autoptr (GHashTable) sizes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) engine = tell ("shapes", "fixed");

  if (get_backend_or_skip () == NULL)
    return;
  g_hash_table_insert (sizes, (gpointer) "batch", (gpointer)&one);
  for (guint i = 0; i < 2; i++)
    {
      DynoSessionOptions options = plain;
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoSession) session = NULL;
      g_autoptr (GPtrArray) larger = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

      options.engine = engine;
      options.sizes = i == 0 ? sizes : NULL;
      session = open_fixture_or_fail ("affine.onnx", &options);
      set_inputs (session, 0, tensor_new ("x", 1, 3, numbers), NULL);
      g_assert_true (dyno_session_run (session, &error));
      g_ptr_array_add (larger, tensor_new ("x", 2, 3, numbers));
      g_assert_true ((dyno_session_set_inputs (session, 0, larger, &error) &&
                      dyno_session_run (session, &error)) == (options.sizes == NULL));
    }
}

/* An impossible setting is refused with the possible ones. */
static void
test_bad_options (void)
{
  static const struct
  {
    const char *name;
    const char *value;
    const char *possible;
  } cases[] = { { "graph-optimisation", "most", "all, extended, basic, none" },
                { "inter-op-threads", "0", "from 1 to 256" },
                { "inter-op-threads", "many", "from 1 to 256" },
                { "library", "libonnxruntime.so", "the full path of a file" } };
  DynoBackend *backend = get_backend_or_skip ();

  for (guint i = 0; backend != NULL && i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (dyno_backend_check_option (backend, cases[i].name, cases[i].value, &error));
      g_assert_nonnull (strstr (error->message, cases[i].possible));
    }
  if (backend != NULL)
    g_assert_true (dyno_backend_check_option (backend, "library", "/opt/libonnxruntime.so", NULL));
}

static void
test_allocator_stats (void)
{
  static const float x[] = { 1, 0, 2 };
  g_autoptr (DynoSession) session = NULL;
  DynoAllocatorStats stats;

  session = open_fixture_or_fail ("affine.onnx", &plain);
  set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  run (session);
  if (!dyno_session_get_allocator_stats (session, &stats))
    {
      g_test_skip ("this ONNX Runtime, or the header of the build, is older than 1.23");
      return;
    }
  g_assert_cmpint (stats.in_use, >, 0);
  g_assert_cmpint (stats.peak, >=, stats.in_use);
  g_assert_cmpint (stats.held, >=, stats.in_use);
}

/* Without an arena there is no account of one. */
static void
test_arena (void)
{
  g_autoptr (GHashTable) engine = tell ("arena", "off");
  static const float x[] = { 1, 0, 2 };
  DynoSessionOptions options = plain;
  g_autoptr (DynoSession) session = NULL;
  DynoAllocatorStats stats;

  options.engine = engine;
  session = open_fixture_or_fail ("affine.onnx", &options);
  set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  run (session);
  g_assert_false (dyno_session_get_allocator_stats (session, &stats));
}

#define CHAIN_WIDTH 64

/* Numbers that do not grow through the chain. */
static DynoTensor *
create_numbers (const char *name, gint64 rows)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { rows, CHAIN_WIDTH } };
  DynoTensor *tensor = dyno_tensor_new (name, &shape);
  g_autoptr (GRand) random = g_rand_new_with_seed (1815);
  float *numbers = dyno_tensor_get_data (tensor);

  for (gint64 i = 0; i < rows * CHAIN_WIDTH; i++)
    numbers[i] = (float)g_rand_double_range (random, -0.2, 0.2);
  return tensor;
}

static DynoSession *
open_chain (const char *backend_id, const DynoSessionOptions *options, gint64 rows)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_on (backend_id, "chain.onnx", options, &error);

  g_assert_no_error (error);
  set_inputs (session, 0, create_numbers ("x", rows), create_numbers ("w", CHAIN_WIDTH));
  run (session);
  return session;
}

/* Returns the first number of the product of a denormal one with the identity, over and over. */
static float
multiply_denormal (const char *denormals, guint threads)
{
  g_autoptr (GHashTable) engine = tell ("denormals", denormals);
  DynoSessionOptions options = plain;
  g_autofree float *x = g_new (float, CHAIN_WIDTH *CHAIN_WIDTH);
  g_autofree float *w = g_new0 (float, CHAIN_WIDTH *CHAIN_WIDTH);
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  for (guint i = 0; i < CHAIN_WIDTH * CHAIN_WIDTH; i++)
    x[i] = 1e-39f;
  for (guint i = 0; i < CHAIN_WIDTH; i++)
    w[i * (CHAIN_WIDTH + 1)] = 1;
  options.engine = engine;
  options.threads = threads;
  session = open_fixture_or_fail ("chain.onnx", &options);
  set_inputs (session, 0, tensor_new ("x", CHAIN_WIDTH, CHAIN_WIDTH, x),
              tensor_new ("w", CHAIN_WIDTH, CHAIN_WIDTH, w));
  run (session);
  outputs = get_outputs (session);
  return *(float *)dyno_tensor_get_data (outputs->pdata[0]);
}

/* Sessions of one thread with either setting do not disturb each other. */
static void
test_denormals (void)
{
  for (guint i = 0; i < 2; i++)
    for (guint threads = 1; threads <= 2; threads++)
      {
        g_assert_cmpfloat (multiply_denormal ("kept", threads), >, 0);
        g_assert_cmpfloat (multiply_denormal ("zero", threads), ==, 0);
      }
}

static void
test_same_as_cpu (void)
{
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoSession) reference = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  const float *a, *b;

  session = open_chain (get_backend_id (), &plain, 64);
  reference = open_chain ("cpu", &plain, 64);
  outputs = dyno_session_get_outputs (session, NULL);
  expected = dyno_session_get_outputs (reference, NULL);
  a = dyno_tensor_get_data (outputs->pdata[0]);
  b = dyno_tensor_get_data (expected->pdata[0]);
  for (guint i = 0; i < 64 * CHAIN_WIDTH; i++)
    g_assert_cmpfloat_with_epsilon (a[i], b[i], 1e-4);
}

/* A run that returned before the device is done would take as long for much more work, which is as many nodes. The
 * shortest of several runs is the least disturbed. */
static void
test_more_work (void)
{
  enum
  {
    N_RUNS = 9,
    LITTLE = 64,
    MUCH = 8 * LITTLE
  };
  g_autoptr (DynoSession) little = NULL;
  g_autoptr (DynoSession) much = NULL;
  gint64 shortest[2] = { G_MAXINT64, G_MAXINT64 };

  little = open_chain (get_backend_id (), &plain, LITTLE);
  much = open_chain (get_backend_id (), &plain, MUCH);
  for (guint i = 0; i < N_RUNS; i++)
    for (guint j = 0; j < 2; j++)
      {
        gint64 start = dyno_clock_now_ns ();

        run (j == 0 ? little : much);
        shortest[j] = MIN (shortest[j], dyno_clock_now_ns () - start);
      }
  g_test_message ("%.3f ms, eight times the work: %.3f ms", (double)shortest[0] / 1e6,
                  (double)shortest[1] / 1e6);
  g_assert_cmpfloat ((double)shortest[1], >, 1.5 * (double)shortest[0]);
}

/* Transfers outside of a step are timed; on the processor there are none. */
static void
test_transfer_times (void)
{
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  DynoTransferTimes times = { 0 };

  session = open_chain (get_backend_id (), &plain, 64);
  g_assert_false (dyno_session_get_transfer_times (session, &times)); /* nothing has come back yet */
  outputs = dyno_session_get_outputs (session, NULL);
  g_assert_cmpuint (outputs->len, ==, 1);
  if (is_on_cpu ())
    {
      g_assert_false (dyno_session_get_transfer_times (session, &times));
      return;
    }
  g_assert_true (dyno_session_get_transfer_times (session, &times));
  g_test_message ("%" G_GINT64_FORMAT " ns there, %" G_GINT64_FORMAT " ns back", times.to_device_ns,
                  times.from_device_ns);
  g_assert_cmpint (times.to_device_ns, >, 0);
  g_assert_cmpint (times.from_device_ns, >, 0);
}

/* Where a device has a clock of its own, its times lie within those of the runs. */
static void
test_profile_of_chain (void)
{
  DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE, .profile = TRUE };
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  gint64 start, elapsed, last = 0, sum = 0;

  session = open_chain (get_backend_id (), &options, 64);
  start = dyno_clock_now_ns ();
  for (guint i = 0; i < 4; i++)
    run (session);
  elapsed = dyno_clock_now_ns () - start;
  nodes = end_profile (session);
  g_assert_cmpuint (nodes->len, ==, 16);
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      g_assert_cmpint (node->calls, ==, 4);
      g_assert_cmpint (node->time_ns, >, 0);
      last = node->time_ns;
      sum += node->time_ns;
    }
  g_assert_cmpint (sum, <=, elapsed);
  if (!is_on_cpu ())
    g_assert_cmpint (last, <, sum / 2); /* by the processor's clock, the last node includes all the waiting */
}

static const BadModel bad_models[] = {
  { "missing.onnx", DYNO_ERROR_NOT_FOUND, "missing.onnx" },
  { "make-models.py", DYNO_ERROR_INVALID_DATA, "make-models.py" },
  { "empty.onnx", DYNO_ERROR_INVALID_DATA, "empty.onnx" },
  { "truncated.onnx", DYNO_ERROR_INVALID_DATA, "truncated.onnx" },
  { "unknown-operator.onnx", DYNO_ERROR_UNREADABLE, "“Frobnicate”" },
  { "unimplemented-type.onnx", DYNO_ERROR_UNSUPPORTED, "“Relu” with types" },
  { "newer-opset.onnx", DYNO_ERROR_UNREADABLE, "newer-opset.onnx" },
  { "newer-ir.onnx", DYNO_ERROR_UNREADABLE, "newer-ir.onnx" },
};

static void
test_bad_model (gconstpointer data)
{
  if (get_backend_or_skip () != NULL)
    assert_not_opened (get_backend_id (), data, &plain);
}

static void
test_out_of_memory (void)
{
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("AddressSanitizer ends a process that asks for too much");
#else
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture_or_fail ("expand.onnx", &plain);
  assert_out_of_memory (session, 1 << 22, 1 << 24);
#endif
}

static void
test_unknown_precision (void)
{
  DynoSessionOptions options = { .precision = "fp3", .threads = 1 };
  g_autoptr (GError) error = NULL;

  g_assert_null (open_fixture ("affine.onnx", &options, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "“fp3”"));
}

static void
test_unknown_device (void)
{
  DynoSessionOptions options = { .device = "abacus", .precision = "fp32", .threads = 1 };
  g_autoptr (GError) error = NULL;

  g_assert_null (open_fixture ("affine.onnx", &options, &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "“abacus”");
}

static void
run_with_engine (gconstpointer test)
{
  if (get_backend_or_skip () != NULL)
    ((void (*) (void))test) ();
}

#define ADD(path, test) g_test_add_data_func (path, test, run_with_engine)

static void
add_tests (void)
{
  add_session_checks ("/ort-session/", test_session);
  ADD ("/ort-session/shapes-from-data", test_shapes_from_data);
  ADD ("/ort-session/profile", test_profile);
  ADD ("/ort-session/optimise", test_optimise);
  ADD ("/ort-session/same-as-cpu", test_same_as_cpu);
  ADD ("/ort-session/more-work", test_more_work);
  ADD ("/ort-session/profile-of-chain", test_profile_of_chain);
  ADD ("/ort-session/transfer-times", test_transfer_times);
  for (guint i = 0; i < G_N_ELEMENTS (bad_models); i++)
    {
      g_autofree char *name = g_strconcat ("/ort-session/bad-model/", bad_models[i].name, NULL);

      g_test_add_data_func (name, &bad_models[i], test_bad_model);
    }
  g_test_add_func ("/ort-session/unknown-precision", test_unknown_precision);
  g_test_add_func ("/ort-session/unknown-device", test_unknown_device);
  g_test_add_func ("/ort-session/bad-options", test_bad_options);
  if (is_on_cpu ())
    {
      ADD ("/ort-session/threads", test_threads);
      ADD ("/ort-session/inter-op-threads", test_inter_op_threads);
      ADD ("/ort-session/shapes", test_shapes_option);
      ADD ("/ort-session/allocator-stats", test_allocator_stats);
      ADD ("/ort-session/arena", test_arena);
      ADD ("/ort-session/denormals", test_denormals);
      g_test_add_func ("/ort-session/out-of-memory", test_out_of_memory);
    }
}

SUITE_ADD (add_tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-error.h"

static const DynoSessionOptions plain = { .precision = "fp32", .threads = 1, .optimise = TRUE };

/* The same tests go for every backend on ONNX Runtime; which one, the environment says. */
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

/* The backend, or NULL where the machine has no library to test with. */
static DynoBackend *
get_backend_or_skip (void)
{
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup (get_backend_id (), &error);
  g_autoptr (DynoProbe) probe = NULL;

  g_assert_no_error (error);
  probe = dyno_backend_probe (backend, NULL);
  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
    return backend;
  g_test_skip (dyno_probe_get_reason (probe));
  return NULL;
}

static DynoSession *
open_on (const char *backend_id, const char *name, const DynoSessionOptions *options, GError **error)
{
  DynoBackend *backend = dyno_backend_lookup (backend_id, NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);

  return dyno_backend_open (backend, path, options, error);
}

static DynoSession *
open_fixture (const char *name, const DynoSessionOptions *options, GError **error)
{
  return open_on (get_backend_id (), name, options, error);
}

static DynoTensor *
tensor_new (const char *name, gint64 rows, gint64 columns, const float *numbers)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { rows, columns } };
  DynoTensor *tensor = dyno_tensor_new (name, &shape);

  if (dyno_tensor_get_size (tensor) > 0)
    memcpy (dyno_tensor_get_data (tensor), numbers, dyno_tensor_get_size (tensor));
  return tensor;
}

static void
set_inputs (DynoSession *session, guint slot, DynoTensor *first, DynoTensor *second)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, first);
  if (second != NULL)
    g_ptr_array_add (tensors, second);
  dyno_session_set_inputs (session, slot, tensors, &error);
  g_assert_no_error (error);
}

static void
run (DynoSession *session)
{
  g_autoptr (GError) error = NULL;

  dyno_session_run (session, &error);
  g_assert_no_error (error);
}

static void
assert_output (DynoSession *session, const char *name, const float *numbers, gsize n_numbers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (session, &error);
  DynoTensor *found = NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < outputs->len; i++)
    if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), name))
      found = outputs->pdata[i];
  g_assert_nonnull (found);
  g_assert_cmpmem (dyno_tensor_get_data (found), dyno_tensor_get_size (found), numbers,
                   n_numbers * sizeof (float));
}

static void
test_outputs (void)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  static const float y[] = { 21, 34, 12, 22 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  const DynoShape *shape;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("affine.onnx", &plain, &error);
  g_assert_no_error (error);
  set_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  run (session);
  assert_output (session, "y", y, 4);

  outputs = dyno_session_get_outputs (session, &error);
  shape = dyno_tensor_get_shape (outputs->pdata[0]);
  g_assert_cmpint (shape->type, ==, DYNO_DATA_TYPE_FLOAT);
  g_assert_cmpuint (shape->rank, ==, 2);
  g_assert_cmpint (shape->dims[0], ==, 2);
  g_assert_cmpint (shape->dims[1], ==, 2);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, get_provider ());
}

static void
test_slots_rotate (void)
{
  static const float x[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  static const float y[][2] = { { 11, 22 }, { 13, 24 }, { 15, 26 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("affine.onnx", &plain, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    set_inputs (session, i, tensor_new ("x", 1, 3, x[i]), NULL);
  for (guint i = 0; i < 7; i++)
    {
      run (session);
      assert_output (session, "y", y[i % 3], 2);
    }
}

static void
test_slots_of_different_shapes (void)
{
  static const float x[] = { 1, 0, 0, 0, 1, 0 };
  static const float y[] = { 11, 22, 13, 24 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("affine.onnx", &plain, &error);
  g_assert_no_error (error);
  set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  set_inputs (session, 1, tensor_new ("x", 2, 3, x), NULL);
  for (guint i = 0; i < 5; i++)
    {
      run (session);
      assert_output (session, "y", y, i % 2 == 0 ? 2 : 4);
    }
}

/* The outputs' shapes differ though the inputs' are the same. */
static void
test_shapes_from_data (void)
{
  static const float x[][3] = { { 1, 0, 1 }, { 0, 0, 1 } };
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 1, { 3 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("nonzero.onnx", &plain, &error);
  g_assert_no_error (error);
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
      outputs = dyno_session_get_outputs (session, &error);
      g_assert_no_error (error);
      g_assert_cmpint (dyno_tensor_get_shape (outputs->pdata[0])->dims[1], ==, i % 2 == 0 ? 2 : 1);
    }
}

static void
test_carry (void)
{
  static const float steps[] = { 1, 2, 4, 8 };
  static const float totals[] = { 1, 3, 7, 15 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("cache.onnx", &plain, &error);
  g_assert_no_error (error);
  set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[0]), tensor_new ("past", 1, 0, NULL));
  run (session);
  for (guint i = 1; i < 4; i++)
    {
      assert_output (session, "total", &totals[i - 1], 1);
      dyno_session_carry (session, "present", "past", &error);
      g_assert_no_error (error);
      set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[i]), NULL);
      run (session);
    }
  assert_output (session, "total", &totals[3], 1);
  assert_output (session, "present", steps, 4);
}

/* The inputs of all steps lie ready in slots of their own; only the cache wanders. */
static void
test_carry_between_slots (void)
{
  static const float steps[] = { 1, 2, 4 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("cache.onnx", &plain, &error);
  g_assert_no_error (error);
  set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[0]), tensor_new ("past", 1, 0, NULL));
  set_inputs (session, 1, tensor_new ("x", 1, 1, &steps[1]), NULL);
  set_inputs (session, 2, tensor_new ("x", 1, 1, &steps[2]), NULL);
  run (session);
  for (guint i = 1; i < 3; i++)
    {
      dyno_session_carry (session, "present", "past", &error);
      g_assert_no_error (error);
      run (session);
    }
  assert_output (session, "present", steps, 3);

  run (session);
  assert_output (session, "present", steps, 1);
  g_assert_false (dyno_session_run (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“past”"));
}

static void
test_carry_of_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("cache.onnx", &plain, &error);
  g_assert_no_error (error);
  g_assert_false (dyno_session_carry (session, "present", "past", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (dyno_session_carry (session, "future", "past", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“future”"));
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

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("affine.onnx", &options, &error);
  g_assert_no_error (error);
  set_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  run (session);
  run (session);
  run (session);
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
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

static guint
count_nodes (gboolean optimise)
{
  static const float numbers[] = { -1, 1 };
  DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = optimise, .profile = TRUE };
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 1, { 2 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_fixture ("foldable.onnx", &options, &error);
  g_autoptr (GPtrArray) nodes = NULL;
  DynoTensor *tensor = dyno_tensor_new ("x", &shape);

  g_assert_no_error (error);
  memcpy (dyno_tensor_get_data (tensor), numbers, sizeof numbers);
  set_inputs (session, 0, tensor, NULL);
  run (session);
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  return nodes->len;
}

static void
test_optimise (void)
{
  if (get_backend_or_skip () == NULL)
    return;
  g_assert_cmpuint (count_nodes (FALSE), ==, 3);
  g_assert_cmpuint (count_nodes (TRUE), <, 3);
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

/* The calling thread works too, so a session starts one thread less than it is told. */
static void
test_threads (void)
{
  DynoSessionOptions options = plain;
  guint n_before;

  if (get_backend_or_skip () == NULL)
    return;
  g_clear_object (&(DynoSession *){ open_fixture ("affine.onnx", &plain, NULL) });
  n_before = count_threads ();
  for (options.threads = 1; options.threads <= 3; options.threads++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoSession) session = open_fixture ("affine.onnx", &options, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (count_threads (), ==, n_before + options.threads - 1);
    }
}

static void
test_allocator_stats (void)
{
  static const float x[] = { 1, 0, 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  DynoAllocatorStats stats;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("affine.onnx", &plain, &error);
  g_assert_no_error (error);
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

#define CHAIN_WIDTH 64

/* Numbers that do not grow on their way through the chain. */
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

static void
test_same_as_cpu (void)
{
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoSession) reference = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  const float *a, *b;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_chain (get_backend_id (), &plain, 64);
  reference = open_chain ("cpu", &plain, 64);
  outputs = dyno_session_get_outputs (session, NULL);
  expected = dyno_session_get_outputs (reference, NULL);
  a = dyno_tensor_get_data (outputs->pdata[0]);
  b = dyno_tensor_get_data (expected->pdata[0]);
  for (guint i = 0; i < 64 * CHAIN_WIDTH; i++)
    g_assert_cmpfloat_with_epsilon (a[i], b[i], 1e-4);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *)a, second = *(const gint64 *)b;

  return first < second ? -1 : first > second;
}

/* A run that returned before the device is done would take as long for twice the work, which is as many nodes. */
static void
test_twice_the_work (void)
{
  enum
  {
    N_RUNS = 21
  };
  g_autoptr (DynoSession) once = NULL;
  g_autoptr (DynoSession) twice = NULL;
  gint64 times[2][N_RUNS];
  double ratio;

  if (get_backend_or_skip () == NULL)
    return;
  once = open_chain (get_backend_id (), &plain, 64);
  twice = open_chain (get_backend_id (), &plain, 128);
  for (guint i = 0; i < N_RUNS; i++)
    for (guint j = 0; j < 2; j++)
      {
        gint64 start = dyno_clock_now_ns ();

        run (j == 0 ? once : twice);
        times[j][i] = dyno_clock_now_ns () - start;
      }
  qsort (times[0], N_RUNS, sizeof (gint64), compare_times);
  qsort (times[1], N_RUNS, sizeof (gint64), compare_times);
  ratio = (double)times[1][N_RUNS / 2] / (double)times[0][N_RUNS / 2];
  g_test_message ("%.3f ms, twice the work: %.3f ms", (double)times[0][N_RUNS / 2] / 1e6,
                  (double)times[1][N_RUNS / 2] / 1e6);
  g_assert_cmpfloat (ratio, >, 1.5);
  g_assert_cmpfloat (ratio, <, 3);
}

/* Where transfers are no part of a step, they take their time; on the processor there are none. */
static void
test_transfer_times (void)
{
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  DynoTransferTimes times = { 0 };

  if (get_backend_or_skip () == NULL)
    return;
  session = open_chain (get_backend_id (), &plain, 64);
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
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  gint64 start, elapsed, last = 0, sum = 0;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_chain (get_backend_id (), &options, 64);
  start = dyno_clock_now_ns ();
  for (guint i = 0; i < 4; i++)
    run (session);
  elapsed = dyno_clock_now_ns () - start;
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
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
    g_assert_cmpint (last, <,
                     sum / 2); /* by the processor's clock, the last one stands for all the waiting */
}

typedef struct
{
  const char *name;
  DynoError code;
  const char *part;
} BadModel;

static const BadModel bad_models[] = {
  { "missing.onnx", DYNO_ERROR_NOT_FOUND, "missing.onnx" },
  { "make-models.py", DYNO_ERROR_INVALID_DATA, "make-models.py" },
  { "empty.onnx", DYNO_ERROR_INVALID_DATA, "empty.onnx" },
  { "truncated.onnx", DYNO_ERROR_INVALID_DATA, "truncated.onnx" },
  { "unknown-operator.onnx", DYNO_ERROR_UNSUPPORTED, "“Frobnicate”" },
  { "newer-opset.onnx", DYNO_ERROR_UNSUPPORTED, "newer-opset.onnx" },
  { "newer-ir.onnx", DYNO_ERROR_UNSUPPORTED, "newer-ir.onnx" },
};

static void
test_bad_model (gconstpointer data)
{
  const BadModel *bad = data;
  g_autoptr (GError) error = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  g_assert_null (open_fixture (bad->name, &plain, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, (int)bad->code);
  g_assert_nonnull (strstr (error->message, bad->part));
}

static void
test_out_of_memory (void)
{
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("AddressSanitizer ends a process that asks for too much");
#else
  DynoShape one = { DYNO_DATA_TYPE_FLOAT, 1, { 1 } };
  DynoShape two = { DYNO_DATA_TYPE_INT64, 1, { 2 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  DynoTensor *x, *shape;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("expand.onnx", &plain, &error);
  g_assert_no_error (error);
  x = dyno_tensor_new ("x", &one);
  shape = dyno_tensor_new ("shape", &two);
  ((gint64 *)dyno_tensor_get_data (shape))[0] = 1 << 22;
  ((gint64 *)dyno_tensor_get_data (shape))[1] = 1 << 24;
  set_inputs (session, 0, x, shape);
  g_assert_false (dyno_session_run (session, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY);
#endif
}

static void
assert_refused (DynoSession *session, DynoTensor *tensor, const char *part)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, tensor);
  g_assert_false (dyno_session_set_inputs (session, 0, tensors, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_wrong_inputs (void)
{
  static const float numbers[4] = { 0 };
  DynoShape integers = { DYNO_DATA_TYPE_INT64, 2, { 1, 3 } };
  DynoShape flat = { DYNO_DATA_TYPE_FLOAT, 1, { 3 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (get_backend_or_skip () == NULL)
    return;
  session = open_fixture ("affine.onnx", &plain, &error);
  g_assert_no_error (error);
  g_assert_false (dyno_session_run (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“x”"));
  assert_refused (session, tensor_new ("x", 1, 4, numbers), "[1, 4]");
  assert_refused (session, tensor_new ("z", 1, 3, numbers), "“z”");
  assert_refused (session, dyno_tensor_new ("x", &integers), "“x”");
  assert_refused (session, dyno_tensor_new ("x", &flat), "[3]");
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
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“abacus”"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ort-session/outputs", test_outputs);
  g_test_add_func ("/ort-session/slots-rotate", test_slots_rotate);
  g_test_add_func ("/ort-session/slots-of-different-shapes", test_slots_of_different_shapes);
  g_test_add_func ("/ort-session/shapes-from-data", test_shapes_from_data);
  g_test_add_func ("/ort-session/carry", test_carry);
  g_test_add_func ("/ort-session/carry-between-slots", test_carry_between_slots);
  g_test_add_func ("/ort-session/carry-of-nothing", test_carry_of_nothing);
  g_test_add_func ("/ort-session/profile", test_profile);
  g_test_add_func ("/ort-session/optimise", test_optimise);
  g_test_add_func ("/ort-session/same-as-cpu", test_same_as_cpu);
  g_test_add_func ("/ort-session/twice-the-work", test_twice_the_work);
  g_test_add_func ("/ort-session/profile-of-chain", test_profile_of_chain);
  g_test_add_func ("/ort-session/transfer-times", test_transfer_times);
  for (guint i = 0; i < G_N_ELEMENTS (bad_models); i++)
    {
      g_autofree char *name = g_strconcat ("/ort-session/bad-model/", bad_models[i].name, NULL);

      g_test_add_data_func (name, &bad_models[i], test_bad_model);
    }
  g_test_add_func ("/ort-session/wrong-inputs", test_wrong_inputs);
  g_test_add_func ("/ort-session/unknown-precision", test_unknown_precision);
  g_test_add_func ("/ort-session/unknown-device", test_unknown_device);
  if (is_on_cpu ())
    {
      g_test_add_func ("/ort-session/threads", test_threads);
      g_test_add_func ("/ort-session/allocator-stats", test_allocator_stats);
      g_test_add_func ("/ort-session/out-of-memory", test_out_of_memory);
    }

  return g_test_run ();
}

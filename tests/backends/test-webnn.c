/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-browser.h"
#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-model.h"
#include "dyno-onnx-writer.h"
#include "dyno-paths.h"
#include "engines.h"
#include "suite.h"

#define TOLERANCE 1e-4

/* Many times as long as a scheduler lets a thread wait. */
#define LONG_RUN_NS G_GINT64_CONSTANT (100000000)

static DynoProbe *found;
/* The browser for all tests that are not about starting a browser; the first of them starts it. */
static DynoBrowserTrials *shared;

static DynoBackend *
get_backend (void)
{
  return dyno_backend_lookup ("webnn", NULL);
}

static gboolean
has_device (const char *id)
{
  GListModel *devices = dyno_probe_get_devices (found);

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      if (g_str_equal (dyno_device_get_id (device), id))
        return TRUE;
    }
  return FALSE;
}

/* Whether the browser of this machine has the device; if not, the test is skipped and says why. */
static gboolean
has_device_or_skip (const char *id)
{
  g_autofree char *reason = NULL;

  if (has_device (id))
    return TRUE;
  reason = dyno_probe_get_state (found) == DYNO_PROBE_AVAILABLE
               ? g_strdup_printf ("This browser has no device “%s”.", id)
               : g_strdup (dyno_probe_get_reason (found));
  if (dyno_probe_get_state (found) == DYNO_PROBE_AVAILABLE)
    g_test_skip (reason);
  else
    skip_without_engine ("webnn", reason);
  return FALSE;
}

static void
set_or_unset (const char *variable, const char *value)
{
  if (value != NULL)
    g_setenv (variable, value, TRUE);
  else
    g_unsetenv (variable);
}

/* A browser in PATH, alone there, and the one in the runtimes folder; and what there was before. */
typedef struct
{
  char *path;
  char *named;
  char *folder;
  char *link;
  char *unpacked; /* the one of the runtimes folder, %NULL to skip the test */
} Browsers;

static char *
find_unpacked (void)
{
  g_auto (GStrv) browsers = NULL;

  g_setenv ("PATH", "/missing", TRUE);
  browsers = dyno_browser_list (NULL);
  return browsers != NULL ? g_strdup (browsers[0]) : NULL;
}

static void
set_up_browsers (Browsers *browsers, gconstpointer script)
{
  g_autofree char *target = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", script, NULL);

  browsers->path = g_strdup (g_getenv ("PATH"));
  browsers->named = g_strdup (g_getenv ("DYNO_BROWSER"));
  browsers->folder = g_dir_make_tmp ("dyno-webnn-XXXXXX", NULL);
  browsers->link = g_build_filename (browsers->folder, "google-chrome", NULL);
  g_unsetenv ("DYNO_BROWSER");
  browsers->unpacked = has_device ("cpu") ? find_unpacked () : NULL;
  if (browsers->unpacked == NULL)
    skip_without_engine ("webnn", "There is no Chromium with WebNN in the runtimes folder.");
  set_or_unset ("DYNO_TEST_CHROMIUM", browsers->unpacked);
  g_assert_cmpint (symlink (target, browsers->link), ==, 0);
  g_setenv ("PATH", browsers->folder, TRUE);
  dyno_paths_set_root (DYNO_PATH_CACHE, browsers->folder);
}

static void
tear_down_browsers (Browsers *browsers, gconstpointer script)
{
  g_autofree char *choice = g_build_filename (browsers->folder, "browser", NULL);

  dyno_paths_set_root (DYNO_PATH_CACHE, NULL);
  set_or_unset ("PATH", browsers->path);
  set_or_unset ("DYNO_BROWSER", browsers->named);
  g_unlink (choice);
  g_unlink (browsers->link);
  g_assert_cmpint (g_rmdir (browsers->folder), ==, 0);
  g_free (browsers->path);
  g_free (browsers->named);
  g_free (browsers->folder);
  g_free (browsers->link);
  g_free (browsers->unpacked);
}

static DynoSession *
open_fixture (const char *device, const char *name, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);
  DynoSessionOptions options = { .device = device, .precision = "fp32", .threads = 1, .optimise = TRUE };

  return dyno_backend_open (get_backend (), path, &options, error);
}

static DynoSession *
open_fixture_or_fail (const char *device, const char *name)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_fixture (device, name, &error);

  g_assert_no_error (error);
  return session;
}

static DynoBrowserHost *
start_browser (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *browser = dyno_browser_survey_choose (&error);
  DynoBrowserHost *host;

  g_assert_no_error (error);
  host = dyno_browser_host_new (browser, NULL, G_MAXINT64, &error);
  g_assert_no_error (error);
  return host;
}

static const DynoBrowserTarget *
find_target (const char *device)
{
  static const DynoBrowserTarget targets[] = {
    { "cpu", "webnn", "cpu" },
    { "webgpu", "webgpu", NULL },
    { "wasm", "wasm", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    if (g_str_equal (targets[i].device, device))
      return &targets[i];
  g_assert_not_reached ();
}

/* In the browser that many models share: what another case opened in it cannot be used any more. */
static DynoSession *
share_path (const char *device, const char *path, gboolean optimise, gboolean profile, GError **error)
{
  DynoSessionOptions options = {
    .device = device, .precision = "fp32", .threads = 1, .optimise = optimise, .profile = profile
  };

  if (shared == NULL)
    {
      g_autoptr (DynoBrowserHost) host = start_browser ();

      shared = dyno_browser_trials_new (host, G_MAXINT64);
    }
  return dyno_browser_trials_open (shared, find_target (device), path, &options, error);
}

static DynoSession *
share_fixture (const char *device, const char *name, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);

  return share_path (device, path, TRUE, FALSE, error);
}

static DynoSession *
share_fixture_or_fail (const char *device, const char *name)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = share_fixture (device, name, &error);

  g_assert_no_error (error);
  return session;
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

static gboolean
set_inputs (DynoSession *session, guint slot, DynoTensor *first, DynoTensor *second, GError **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  g_ptr_array_add (tensors, first);
  if (second != NULL)
    g_ptr_array_add (tensors, second);
  return dyno_session_set_inputs (session, slot, tensors, error);
}

static void
put_inputs (DynoSession *session, guint slot, DynoTensor *first, DynoTensor *second)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (set_inputs (session, slot, first, second, &error));
  g_assert_no_error (error);
}

static gint64
run (DynoSession *session, guint steps)
{
  g_autoptr (GError) error = NULL;
  gint64 elapsed_ns = -1;

  dyno_session_run_timed (session, steps, &elapsed_ns, &error);
  g_assert_no_error (error);
  g_assert_cmpint (elapsed_ns, >, 0);
  return elapsed_ns;
}

static DynoTensor *
find_output (GPtrArray *outputs, const char *name)
{
  for (guint i = 0; i < outputs->len; i++)
    if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), name))
      return outputs->pdata[i];
  return NULL;
}

static void
assert_output (DynoSession *session, const char *name, const float *numbers, gsize n_numbers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (session, &error);
  DynoTensor *output;

  g_assert_no_error (error);
  output = find_output (outputs, name);
  g_assert_nonnull (output);
  g_assert_cmpuint (dyno_tensor_get_size (output), ==, n_numbers * sizeof (float));
  for (gsize i = 0; i < n_numbers; i++)
    g_assert_cmpfloat_with_epsilon (((float *)dyno_tensor_get_data (output))[i], numbers[i], TOLERANCE);
}

static void
test_probe (void)
{
  static const char *const known[] = { "cpu", "gpu", "npu", "webgpu", "wasm", NULL };
  GListModel *devices = dyno_probe_get_devices (found);

  if (dyno_probe_get_state (found) != DYNO_PROBE_AVAILABLE)
    {
      g_assert_nonnull (dyno_probe_get_remedy (found));
      skip_without_engine ("webnn", dyno_probe_get_reason (found));
      return;
    }
  g_assert_nonnull (strstr (dyno_probe_get_runtime (found), "ONNX Runtime Web"));
  g_assert_cmpuint (g_list_model_get_n_items (devices), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      g_test_message ("%s: %s, %s", dyno_device_get_id (device), dyno_device_get_name (device),
                      dyno_device_get_driver (device));
      g_assert_true (g_strv_contains (known, dyno_device_get_id (device)));
    }
}

/* A browser without WebNN hides none that has it, neither from the probe nor from what is opened after. */
static void
test_better_browser (Browsers *browsers, gconstpointer script)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = NULL;
  g_autofree char *chosen = NULL;

  if (browsers->unpacked == NULL)
    return;
  probe = dyno_backend_probe (get_backend (), NULL);
  g_assert_nonnull (dyno_probe_find_device (probe, "cpu"));
  g_assert_false (dyno_probe_is_provisional (probe));
  chosen = dyno_browser_survey_choose (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (chosen, ==, browsers->unpacked);
}

/* Another time the first browser may work, and is then used. */
static void
test_broken_browser (Browsers *browsers, gconstpointer script)
{
  g_autoptr (DynoProbe) probe = NULL;

  if (browsers->unpacked == NULL)
    return;
  probe = dyno_backend_probe (get_backend (), NULL);
  g_assert_nonnull (dyno_probe_find_device (probe, "cpu"));
  g_assert_true (dyno_probe_is_provisional (probe));
}

static void
assert_missing (DynoProbe *probe, const char *id)
{
  DynoDevice *device = dyno_probe_find_missing_device (probe, id);

  g_assert_nonnull (device);
  g_test_message ("%s: %s %s", id, dyno_device_get_reason (device), dyno_device_get_remedy (device));
  g_assert_nonnull (dyno_device_get_remedy (device));
  g_assert_null (dyno_probe_find_device (probe, id));
}

static void
assert_no_session (const char *device, int code, const char *words)
{
  static const float x[] = { 1, 0, 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_fixture (device, "affine.onnx", &error);

  if (session != NULL)
    g_assert_false (set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL, &error));
  g_test_message ("%s: %s", device, error->message);
  g_assert_error (error, DYNO_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (strstr (error->message, "--enable"));
}

/* A browser that was named is not replaced; the error says what it lacks. */
static void
test_named_browser (Browsers *browsers, gconstpointer script)
{
  g_autoptr (DynoProbe) probe = NULL;

  if (browsers->unpacked == NULL)
    return;
  g_setenv ("DYNO_BROWSER", browsers->link, TRUE);
  probe = dyno_backend_probe (get_backend (), NULL);
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_AVAILABLE);
  g_assert_nonnull (dyno_probe_find_device (probe, "wasm"));
  assert_missing (probe, "cpu");
  assert_missing (probe, "gpu");
  assert_missing (probe, "npu");
  assert_missing (probe, "webgpu");
  g_assert_nonnull (strstr (dyno_device_get_remedy (dyno_probe_find_missing_device (probe, "cpu")),
                            "engines install chromium"));
  assert_no_session ("cpu", DYNO_ERROR_UNSUPPORTED, "The browser has no WebNN");
  assert_no_session ("webgpu", DYNO_ERROR_FAILED, "no graphics adapter");
}

/* Each was tried; in WebAssembly there are no kernels for half precision, and the engine converts. */
static void
test_precisions (void)
{
  static const char *const ids[] = { "cpu", "webgpu", "wasm" };
  const char *const *precisions;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (has_device (ids[i]))
      {
        precisions = dyno_device_get_precisions (dyno_probe_find_device (found, ids[i]));
        g_assert_cmpstr (precisions[0], ==, "fp32");
        g_assert_false (g_strv_contains (precisions, "bf16"));
      }
  if (!has_device_or_skip ("wasm"))
    return;
  precisions = dyno_device_get_precisions (dyno_probe_find_device (found, "wasm"));
  g_assert_true (g_strv_contains (precisions, "int8"));
  g_assert_false (g_strv_contains (precisions, "fp16"));
}

static DynoSession *
try_affine (DynoBrowserTrials *trials, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };

  return dyno_browser_trials_open (trials, find_target ("wasm"), path, &options, error);
}

static void
assert_trial_runs (DynoBrowserTrials *trials)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  static const float y[] = { 21, 34, 12, 22 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = try_affine (trials, &error);

  g_assert_no_error (error);
  put_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  g_assert_true (dyno_session_run (session, &error));
  assert_output (session, "y", y, 4);
}

/* A call waits for its answer, which a crashing browser may still send, or for the end of the browser. */
static void
wait_for_end (DynoBrowserHost *host)
{
  g_autoptr (JsonNode) request = json_from_string ("{ \"call\": \"probe\" }", NULL);

  while (!dyno_browser_host_is_broken (host))
    {
      DynoBrowserMessage *answer = dyno_browser_host_call (host, request, NULL, NULL);

      g_clear_pointer (&answer, dyno_browser_message_free);
    }
}

/* One browser opens one model after another; if it crashes, a new one replaces it, but only a limited number of
 * times. */
static void
test_trials (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserHost) host = NULL;
  g_autoptr (DynoBrowserTrials) trials = NULL;

  if (!has_device_or_skip ("wasm"))
    return;
  host = start_browser ();
  trials = dyno_browser_trials_new (host, G_MAXINT64);
  assert_trial_runs (trials);
  assert_trial_runs (trials);
  g_assert_false (dyno_browser_trials_take_failure (trials));

  g_assert_cmpint (kill (dyno_browser_host_get_pid (host), SIGKILL), ==, 0);
  wait_for_end (host);
  assert_trial_runs (trials);
  g_assert_true (dyno_browser_trials_take_failure (trials));
  g_assert_false (dyno_browser_trials_take_failure (trials));

  dyno_browser_trials_free (g_steal_pointer (&trials));
  trials = dyno_browser_trials_new (host, g_get_monotonic_time ());
  g_assert_null (try_affine (trials, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT);
  g_assert_true (dyno_browser_trials_take_failure (trials));
}

static void
test_outputs (gconstpointer device)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  static const float y[] = { 21, 34, 12, 22 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  if (!has_device_or_skip (device))
    return;
  session = share_fixture_or_fail (device, "affine.onnx");
  put_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  assert_output (session, "y", y, 4);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_cmpuint (outputs->len, ==, 1);
  g_assert_cmpuint (dyno_tensor_get_shape (outputs->pdata[0])->rank, ==, 2);
  g_assert_cmpint (dyno_tensor_get_shape (outputs->pdata[0])->dims[1], ==, 2);
}

static void
test_slots_rotate (gconstpointer device)
{
  static const float x[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  static const float y[][2] = { { 11, 22 }, { 13, 24 }, { 15, 26 } };
  g_autoptr (DynoSession) session = NULL;

  if (!has_device_or_skip (device))
    return;
  session = share_fixture_or_fail (device, "affine.onnx");
  for (guint i = 0; i < 3; i++)
    put_inputs (session, i, tensor_new ("x", 1, 3, x[i]), NULL);
  for (guint i = 0; i < 4; i++)
    {
      run (session, 1);
      assert_output (session, "y", y[i % 3], 2);
    }
  run (session, 4);
  assert_output (session, "y", y[7 % 3], 2);
}

static void
test_carry (gconstpointer device)
{
  static const float steps[] = { 1, 2, 4, 8 };
  static const float totals[] = { 1, 3, 7, 15 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (!has_device_or_skip (device))
    return;
  session = share_fixture_or_fail (device, "cache.onnx");
  set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[0]), tensor_new ("past", 1, 1, &(float){ 0 }),
              &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      run (session, 1);
      assert_output (session, "total", &totals[i], 1);
      if (i + 1 == G_N_ELEMENTS (steps))
        break;
      g_assert_true (dyno_session_carry (session, "present", "past", &error));
      put_inputs (session, 0, tensor_new ("x", 1, 1, &steps[i + 1]), NULL);
    }
}

/* A model that WebNN compiled for one size is not silently compiled again for another. */
static void
test_fixed_sizes (void)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (!has_device_or_skip ("cpu"))
    return;
  session = share_fixture_or_fail ("cpu", "affine.onnx");
  put_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  g_assert_false (set_inputs (session, 1, tensor_new ("x", 1, 3, x), NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "batch"));
}

static void
test_wrong_inputs (void)
{
  static const float x[] = { 1, 0, 2, -1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  gint64 elapsed_ns;

  if (!has_device_or_skip ("wasm"))
    return;
  session = share_fixture_or_fail ("wasm", "affine.onnx");
  g_assert_false (dyno_session_run_timed (session, 1, &elapsed_ns, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (set_inputs (session, 0, tensor_new ("x", 1, 4, x), NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (set_inputs (session, 0, tensor_new ("z", 1, 3, x), NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“x”"));
}

static void
test_models_that_cannot_be_opened (void)
{
  g_autoptr (GError) error = NULL;

  if (!has_device_or_skip ("wasm"))
    return;
  g_assert_null (share_fixture ("wasm", "unknown-operator.onnx", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "unknown-operator.onnx"));
  g_assert_nonnull (strstr (error->message, "the operator “Frobnicate”"));
  g_clear_error (&error);
  g_assert_null (share_fixture ("wasm", "unimplemented-type.onnx", &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "“Relu” with types");
  g_assert_null (share_fixture ("wasm", "truncated.onnx", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_clear_error (&error);
  g_assert_null (open_fixture ("cuda", "affine.onnx", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

/* NonZero is none of WebNN's operators, so that the runtime would silently run it elsewhere. */
static void
test_nothing_falls_back (void)
{
  static const float x[] = { 1, 0, 1 };
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 1, { 3 } };
  DynoTensor *tensor = dyno_tensor_new ("x", &shape);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  memcpy (dyno_tensor_get_data (tensor), x, sizeof x);
  if (!has_device_or_skip ("cpu"))
    {
      dyno_tensor_unref (tensor);
      return;
    }
  session = share_fixture_or_fail ("cpu", "nonzero.onnx");
  g_assert_false (set_inputs (session, 0, tensor, NULL, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "“NonZero”");
}

/* What is known of WebNN and its page without starting either. */
static void
test_limits (void)
{
  static const char *const plain[] = { "Add", "com.microsoft.MultiHeadAttention", NULL };
  static const char *const quantised[] = { "Add", "com.microsoft.MatMulNBits", NULL };
  static const char *const normal[] = { "Add", "com.microsoft.MatMulBnb4", NULL };
  static const char *const fused[] = { "Add", "com.microsoft.GroupQueryAttention", NULL };
  static const struct
  {
    const char *named;
    DynoModelNeeds needs;
  } cases[] = {
    { NULL, { .device = "cpu", .threads = 1 } },
    { NULL, { .device = "cpu", .operators = plain } },
    { "MatMulNBits", { .device = "cpu", .operators = quantised } },
    { "MatMulBnb4", { .device = "cpu", .operators = normal } },
    { "attention=decomposed", { .device = "gpu", .operators = fused } },
    { NULL, { .device = "wasm", .operators = quantised } },
    { "told to use 2", { .device = "cpu", .threads = 2 } },
    { NULL, { .device = "wasm", .threads = 2 } },
    { "cannot generate tokens", { .device = "npu", .generate_tokens = 4 } },
    { NULL, { .device = "webgpu", .generate_tokens = 4 } },
    { "5.00 GB", { .device = "wasm", .weight_bytes = 5 * G_GINT64_CONSTANT (1000000000) } },
  };
  DynoBackend *backend = dyno_backend_lookup ("webnn", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *reason = dyno_backend_check_model (backend, &cases[i].needs);

      if (cases[i].named == NULL)
        g_assert_null (reason);
      else
        g_assert_nonnull (strstr (reason, cases[i].named));
    }
}

/* A device that the probe does not find is not replaced by another. */
static void
test_absent_devices (void)
{
  static const char *const devices[] = { "gpu", "npu" };
  static const float x[] = { 1, 0, 2 };

  if (!has_device_or_skip ("cpu"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoSession) session = NULL;

      if (has_device (devices[i]))
        continue;
      session = open_fixture (devices[i], "affine.onnx", &error);
      if (session != NULL)
        g_assert_false (set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL, &error));
      g_assert_nonnull (error);
      g_assert_cmpint (error->code, !=, DYNO_ERROR_WORKER_DIED);
      g_test_message ("%s", error->message);
    }
}

static const DynoNodeProfile *
find_node (GPtrArray *nodes, const char *type)
{
  for (guint i = 0; i < nodes->len; i++)
    if (g_str_equal (((DynoNodeProfile *)nodes->pdata[i])->op_type, type))
      return nodes->pdata[i];
  return NULL;
}

static GPtrArray *
profile_affine (const char *device, gboolean optimise, char **provider)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = share_path (device, path, optimise, TRUE, &error);
  GPtrArray *nodes;

  g_assert_no_error (error);
  put_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  run (session, 3);
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  *provider = g_strdup (dyno_session_get_provider (session));
  g_assert_null (dyno_session_end_profile (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  return nodes;
}

/* As given, every operator shows its shapes and where it ran, whatever the engine makes of the graph. */
static void
test_profile (gconstpointer device)
{
  g_autofree char *provider = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  const DynoNodeProfile *product;

  if (!has_device_or_skip (device))
    return;
  nodes = profile_affine (device, FALSE, &provider);
  g_assert_cmpuint (nodes->len, ==, 2);
  g_assert_nonnull (find_node (nodes, "Add"));
  product = find_node (nodes, "MatMul");
  g_assert_nonnull (product);
  g_assert_cmpstr (product->name, ==, "project");
  g_assert_cmpstr (product->provider, ==, provider);
  g_assert_cmpint (product->calls, ==, 2);
  /* An engine that works later than requested cannot be timed. */
  if (g_str_equal (device, "wasm"))
    g_assert_cmpint (product->time_ns, >=, 0);
  else
    g_assert_cmpint (product->time_ns, ==, -1);
  g_assert_cmpuint (product->inputs->len, ==, 2);
  g_assert_cmpint (g_array_index (product->inputs, DynoShape, 1).dims[0], ==, 3);
  g_assert_cmpint (g_array_index (product->outputs, DynoShape, 0).dims[1], ==, 2);
}

/* Operators that WebNN fused are reported as the original ones. */
static void
test_profile_fused (void)
{
  g_autofree char *provider = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  const DynoNodeProfile *member;

  if (!has_device_or_skip ("cpu"))
    return;
  nodes = profile_affine ("cpu", TRUE, &provider);
  g_assert_cmpstr (provider, ==, "WebNNExecutionProvider");
  g_assert_cmpuint (nodes->len, ==, 1);
  member = find_node (nodes, "Gemm");
  g_assert_nonnull (member);
  g_assert_cmpstr (member->provider, ==, provider);
  g_assert_cmpint (member->time_ns, ==, -1);
  g_assert_cmpuint (member->inputs->len, ==, 3);
}

/* WebNN has no setting for the number of threads, so a case with two would be wrong. */
static void
test_threads (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  DynoSessionOptions options = { .device = "cpu", .precision = "fp32", .threads = 2, .optimise = TRUE };
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_backend_open (get_backend (), path, &options, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "threads"));
}

static void
set_model_inputs (DynoSession *session, DynoModel *model, guint batch_size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind (model, batch_size, 64, NULL, &error);
  g_autoptr (GPtrArray) inputs = NULL;

  g_assert_no_error (error);
  inputs = dyno_model_create_inputs (model, binding, NULL, 1, &error);
  g_assert_no_error (error);
  g_assert_true (dyno_session_set_inputs (session, 0, inputs, &error));
  g_assert_no_error (error);
}

/* Small models keep their weights inside, unless their files may only be smaller still. */
static char *
prepare_model (DynoModel **model, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  char *path;

  *model = dyno_model_load ("bert-tiny", &error);
  g_assert_no_error (error);
  path = dyno_model_prepare (*model, "fp32", seed, NULL, &error);
  g_assert_no_error (error);
  return path;
}

static gboolean
is_about_twice (gint64 time, gint64 once)
{
  return (double)time > 1.3 * (double)once && (double)time < 3 * (double)once;
}

/* Returns the shortest of a few times, or @shortest; a long one needs no other. */
static gint64
find_shortest (DynoSession *session, guint steps, gint64 shortest)
{
  for (guint i = 0; i < 3 && (i == 0 || shortest < G_TIME_SPAN_SECOND * 1000 / 2); i++)
    shortest = MIN (shortest, run (session, steps));
  return shortest;
}

/* A clock that did not wait for the device would never see the difference. Other work and code that is still being
 * compiled can only make a step slower, so the best is taken, for as long as it takes to become plausible. On a busy machine
 * a short run may happen to have the processor for itself, and one of twice its length never, so runs are long. */
static void
test_twice_the_work (gconstpointer device)
{
  g_autoptr (DynoModel) model = NULL;
  g_autofree char *path = NULL;
  gint64 once = G_MAXINT64, twice_items = G_MAXINT64, twice_steps = G_MAXINT64;
  guint steps = 0;

  if (!has_device_or_skip (device))
    return;
  path = prepare_model (&model, 1);
  for (guint i = 0;
       i == 0 || (i < 60 && !(is_about_twice (twice_items, once) && is_about_twice (twice_steps, once))); i++)
    for (guint batch_size = 2; batch_size <= 4; batch_size += 2)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (DynoSession) session = share_path (device, path, TRUE, FALSE, &error);

        g_assert_no_error (error);
        set_model_inputs (session, model, batch_size);
        run (session, 1);
        if (steps == 0)
          steps = (guint)CLAMP (LONG_RUN_NS / run (session, 1), 1, 100);
        if (batch_size == 2)
          {
            once = find_shortest (session, steps, once);
            twice_steps = find_shortest (session, 2 * steps, twice_steps);
          }
        else
          twice_items = find_shortest (session, steps, twice_items);
      }
  g_test_message ("%.2f ms, twice the items %.2f ms, twice the steps %.2f ms", (double)once / 1e6,
                  (double)twice_items / 1e6, (double)twice_steps / 1e6);
  g_assert_true (is_about_twice (twice_items, once));
  g_assert_true (is_about_twice (twice_steps, once));
}

static void
assert_near (GPtrArray *outputs, GPtrArray *expected)
{
  for (guint i = 0; i < expected->len; i++)
    {
      DynoTensor *right = expected->pdata[i];
      DynoTensor *given = find_output (outputs, dyno_tensor_get_name (right));
      gsize n = dyno_tensor_get_size (right) / sizeof (float);

      g_assert_nonnull (given);
      g_assert_cmpuint (dyno_tensor_get_size (given), ==, dyno_tensor_get_size (right));
      for (gsize j = 0; j < n; j++)
        g_assert_cmpfloat (
            fabs (((float *)dyno_tensor_get_data (given))[j] - ((float *)dyno_tensor_get_data (right))[j]), <,
            1e-3);
    }
}

static void
compare_with_cpu (DynoSession *session, DynoModel *model, const char *path)
{
  DynoBackend *cpu = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (DynoProbe) probe = dyno_backend_probe (cpu, NULL);
  DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) reference = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (GPtrArray) expected = NULL;

  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    {
      skip_without_engine ("cpu", dyno_probe_get_reason (probe));
      return;
    }
  reference = dyno_backend_open (cpu, path, &options, &error);
  g_assert_no_error (error);
  set_model_inputs (session, model, 2);
  set_model_inputs (reference, model, 2);
  g_assert_true (dyno_session_run (session, NULL) && dyno_session_run (reference, NULL));
  outputs = dyno_session_get_outputs (session, NULL);
  expected = dyno_session_get_outputs (reference, NULL);
  g_assert_cmpuint (outputs->len, ==, expected->len);
  assert_near (outputs, expected);
}

static void
test_agrees_with_cpu (gconstpointer device)
{
  g_autoptr (DynoModel) model = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (!has_device_or_skip (device))
    return;
  path = prepare_model (&model, 1);
  session = share_path (device, path, TRUE, FALSE, &error);
  g_assert_no_error (error);
  compare_with_cpu (session, model, path);
}

static void
test_external_weights (gconstpointer device)
{
  g_autoptr (DynoModel) model = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autofree char *weights = NULL;

  if (!has_device_or_skip (device))
    return;
  dyno_onnx_writer_set_inline_limit (1000);
  path = prepare_model (&model, 2);
  dyno_onnx_writer_set_inline_limit (G_GINT64_CONSTANT (1900) * 1000 * 1000);
  weights = g_strconcat (path, ".data", NULL);
  g_assert_true (g_file_test (weights, G_FILE_TEST_IS_REGULAR));
  session = share_path (device, path, TRUE, FALSE, &error);
  g_assert_no_error (error);
  compare_with_cpu (session, model, path);
}

static gboolean
is_running (GPid pid)
{
  g_autofree char *name = g_strdup_printf ("%d", pid);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, name, "stat", NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, ") Z ") == NULL;
}

static void
assert_port_is_closed (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (
      g_socket_client_connect_to_host (client, "127.0.0.1", (guint16)g_uri_get_port (uri), NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
}

/* Closes the session and looks for leftovers. */
static void
assert_leaves_nothing (DynoSession *session, GArray *processes)
{
  DynoBrowserHost *host = dyno_browser_session_get_host (DYNO_BROWSER_SESSION (session));
  g_autofree char *folder = g_strdup (dyno_browser_host_get_folder (host));
  g_autofree char *url = g_strdup (dyno_browser_host_get_url (host));

  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
  g_object_unref (session);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  assert_port_is_closed (url);
  for (guint i = 0; i < processes->len; i++)
    while (is_running (g_array_index (processes, GPid, i)))
      g_thread_yield (); /* killed, but perhaps not yet reaped; the time limit of the test ends this */
}

static DynoSession *
open_with_inputs (GArray **processes)
{
  static const float x[] = { 1, 0, 2 };
  DynoSession *session = open_fixture_or_fail ("wasm", "affine.onnx");

  put_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  *processes = dyno_session_get_processes (session);
  g_assert_cmpuint ((*processes)->len, >, 1);
  return session;
}

static void
assert_load_stages (DynoSession *session)
{
  static const char *const names[] = { "browser_start", "page_load", "runtime_start", "transfer", "compile" };
  g_autoptr (GArray) stages = dyno_session_get_load_stages (session);

  g_assert_cmpuint (stages->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < stages->len; i++)
    {
      const DynoLoadStage *stage = &g_array_index (stages, DynoLoadStage, i);

      g_test_message ("%s: %.1f ms", stage->name, (double)stage->duration_ns / 1e6);
      g_assert_cmpstr (stage->name, ==, names[i]);
      g_assert_cmpint (stage->duration_ns, >, 0);
    }
}

/* It says how long each stage of loading took, and takes everything along when it goes. */
static void
test_leaves_nothing (void)
{
  g_autoptr (GArray) processes = NULL;
  DynoSession *session;

  if (!has_device_or_skip ("wasm"))
    return;
  session = open_with_inputs (&processes);
  assert_load_stages (session);
  run (session, 1);
  g_assert_true (dyno_session_has_own_clock (session));
  g_assert_cmpfloat (dyno_session_get_clock_resolution_ns (session), >, 0);
  g_assert_cmpfloat (dyno_session_get_clock_resolution_ns (session), <, 1e6);
  assert_leaves_nothing (session, processes);
}

static void
test_killed (void)
{
  g_autoptr (GArray) processes = NULL;
  g_autoptr (GArray) rest = NULL;
  g_autoptr (GError) error = NULL;
  DynoSession *session;
  gint64 elapsed_ns;

  if (!has_device_or_skip ("wasm"))
    return;
  session = open_with_inputs (&processes);
  g_assert_cmpint (kill (g_array_index (processes, GPid, 0), SIGKILL), ==, 0);
  while (dyno_session_run_timed (session, 1000, &elapsed_ns, &error))
    ;
  suite_assert_error (error, DYNO_ERROR_WORKER_DIED, "Killed");
  rest = dyno_session_get_processes (session);
  g_assert_cmpuint (rest->len, ==, 0);
  assert_leaves_nothing (session, processes);
}

/* Stopped processes do not answer, and do not end. */
static void
test_hangs (void)
{
  g_autoptr (GArray) processes = NULL;
  g_autoptr (GError) error = NULL;
  DynoSession *session;
  gint64 elapsed_ns;

  if (!has_device_or_skip ("wasm"))
    return;
  session = open_with_inputs (&processes);
  for (guint i = 0; i < processes->len; i++)
    g_assert_cmpint (kill (g_array_index (processes, GPid, i), SIGSTOP), ==, 0);
  dyno_browser_host_set_limits (60, 0.2);
  g_assert_false (dyno_session_run_timed (session, 1, &elapsed_ns, &error));
  dyno_browser_host_set_limits (60, 110);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT);
  assert_leaves_nothing (session, processes);
}

/* On the first @n_usual devices, WebNN before the others, and on the rest of them where all tests run. */
static void
add_for_devices (const char *name, guint n_usual, GTestDataFunc test)
{
  static const char *const devices[] = { "cpu", "webgpu", "wasm" };

  for (guint i = 0; i < (suite_is_thorough () ? G_N_ELEMENTS (devices) : n_usual); i++)
    {
      g_autofree char *path = g_strdup_printf ("/webnn/%s/%s", devices[i], name);

      g_test_add_data_func (path, devices[i], test);
    }
}

static int
run_suite (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  found = dyno_backend_probe (get_backend (), NULL);

  g_test_add_func ("/webnn/probe", test_probe);
  if (suite_is_thorough ())
    {
      g_test_add ("/webnn/better-browser", Browsers, "browser-plain.sh", set_up_browsers, test_better_browser,
                  tear_down_browsers);
      g_test_add ("/webnn/broken-browser", Browsers, "browser-killed.sh", set_up_browsers,
                  test_broken_browser, tear_down_browsers);
    }
  g_test_add ("/webnn/named-browser", Browsers, "browser-plain.sh", set_up_browsers, test_named_browser,
              tear_down_browsers);
  g_test_add_func ("/webnn/precisions", test_precisions);
  g_test_add_func ("/webnn/trials", test_trials);
  add_for_devices ("outputs", 3, test_outputs);
  add_for_devices ("slots-rotate", 1, test_slots_rotate);
  add_for_devices ("profile", 1, test_profile);
  add_for_devices ("agrees-with-cpu", 1, test_agrees_with_cpu);
  add_for_devices ("twice-the-work", 1, test_twice_the_work);
  g_test_add_data_func ("/webnn/cpu/external-weights", "cpu", test_external_weights);
  g_test_add_data_func ("/webnn/wasm/carry", "wasm", test_carry);
  if (suite_is_thorough ())
    {
      g_test_add_data_func ("/webnn/wasm/external-weights", "wasm", test_external_weights);
      g_test_add_data_func ("/webnn/webgpu/carry", "webgpu", test_carry);
    }
  g_test_add_func ("/webnn/profile-fused", test_profile_fused);
  g_test_add_func ("/webnn/limits", test_limits);
  g_test_add_func ("/webnn/threads", test_threads);
  g_test_add_func ("/webnn/fixed-sizes", test_fixed_sizes);
  g_test_add_func ("/webnn/wrong-inputs", test_wrong_inputs);
  g_test_add_func ("/webnn/models-that-cannot-be-opened", test_models_that_cannot_be_opened);
  g_test_add_func ("/webnn/nothing-falls-back", test_nothing_falls_back);
  g_test_add_func ("/webnn/absent-devices", test_absent_devices);
  g_test_add_func ("/webnn/leaves-nothing", test_leaves_nothing);
  g_test_add_func ("/webnn/killed", test_killed);
  g_test_add_func ("/webnn/hangs", test_hangs);

  status = g_test_run ();
  g_clear_pointer (&shared, dyno_browser_trials_free);
  g_object_unref (found);
  return status;
}

SUITE (run_suite)

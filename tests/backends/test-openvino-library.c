/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-openvino-private.h"
#include "dyno-tensor-info.h"
#include "engines.h"
#include "library-tree.h"
#include "session-checks.h"
#include "suite.h"

static void
set_up (LibraryTree *tree, gconstpointer data)
{
  library_tree_set_up (tree, data);
  g_unsetenv ("DYNO_OPENVINO");
}

static void
tear_down (LibraryTree *tree, gconstpointer data)
{
  dyno_engine_path_set ("DYNO_OPENVINO", NULL);
  library_tree_tear_down (tree, data);
}

static void
test_nothing_found (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (GListModel) found = dyno_engine_library_list_found (DYNO_TYPE_OV_LIBRARY);

  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 0);
  library_tree_assert_unsupported ("openvino", dyno_engine_library_get_remedy (DYNO_TYPE_OV_LIBRARY),
                                   "not found");
}

static void
test_text_file (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path = library_tree_add_no_library (tree->system, "libopenvino_c.so.2641");
  g_autoptr (GListModel) found = dyno_engine_library_list_found (DYNO_TYPE_OV_LIBRARY);
  g_autoptr (DynoOvLibrary) library = g_list_model_get_item (found, 0);

  library_tree_assert_unsupported ("openvino", dyno_engine_library_get_remedy (DYNO_TYPE_OV_LIBRARY),
                                   "libopenvino_c.so.2641");
  g_assert_false (dyno_ov_library_is_usable (library));
  g_assert_nonnull (dyno_engine_library_get_problem (DYNO_ENGINE_LIBRARY (library)));
  g_assert_null (dyno_ov_library_get_version (library));
}

static void
test_missing_function (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path =
      library_tree_add_link (tree->system, "libopenvino_c.so.1", g_getenv ("DYNO_TEST_PARTIAL_OPENVINO"));

  library_tree_assert_unsupported ("openvino", dyno_engine_library_get_remedy (DYNO_TYPE_OV_LIBRARY),
                                   "has no function ov_get_error_info");
}

static void
assert_found (GListModel *found, guint position, const char *path)
{
  g_autoptr (DynoOvLibrary) library = g_list_model_get_item (found, position);

  g_assert_nonnull (library);
  g_assert_cmpstr (dyno_ov_library_get_path (library), ==, path);
}

static void
test_order (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *environment = library_tree_add_folder (tree->root, "environment");
  g_autofree char *libs = library_tree_add_folder (environment, "lib/python3.11/site-packages/openvino/libs");
  g_autofree char *older = library_tree_add_folder (tree->runtimes, "openvino-2025.0.0/lib");
  g_autofree char *newer = library_tree_add_folder (tree->runtimes, "openvino-2026.4.1");
  g_autofree char *in_environment = library_tree_add_no_library (libs, "libopenvino_c.so.2600");
  g_autofree char *in_older = library_tree_add_no_library (older, "libopenvino_c.so.2500");
  g_autofree char *in_newer = library_tree_add_no_library (newer, "libopenvino_c.so.2641");
  g_autofree char *other = library_tree_add_no_library (newer, "libopenvino.so.2641");
  g_autofree char *in_system = library_tree_add_no_library (tree->system, "libopenvino_c.so.2520");
  g_autofree char *link = library_tree_add_link (tree->system, "libopenvino_c.so", in_system);
  g_autofree char *named = library_tree_add_no_library (tree->root, "named.so");
  g_autoptr (GListModel) found = NULL;

  g_setenv ("VIRTUAL_ENV", environment, TRUE);
  dyno_engine_path_set ("DYNO_OPENVINO", named);
  found = dyno_engine_library_list_found (DYNO_TYPE_OV_LIBRARY);
  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 5);
  assert_found (found, 0, named);
  assert_found (found, 1, in_newer);
  assert_found (found, 2, in_older);
  assert_found (found, 3, in_system);
  assert_found (found, 4, in_environment);
}

/* A library that is named is never replaced by another. */
static void
test_named (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *from_settings = library_tree_add_no_library (tree->root, "settings.so");
  g_autofree char *from_environment = library_tree_add_no_library (tree->root, "environment.so");

  dyno_engine_path_set ("DYNO_OPENVINO", from_settings);
  library_tree_assert_unsupported ("openvino", dyno_engine_library_get_remedy (DYNO_TYPE_OV_LIBRARY),
                                   "settings.so");
  g_setenv ("DYNO_OPENVINO", from_environment, TRUE);
  library_tree_assert_unsupported ("openvino", dyno_engine_library_get_remedy (DYNO_TYPE_OV_LIBRARY),
                                   "environment.so");
  g_setenv ("DYNO_OPENVINO", "missing.so", TRUE);
  library_tree_assert_unsupported ("openvino", dyno_engine_library_get_remedy (DYNO_TYPE_OV_LIBRARY),
                                   "“missing.so” does not exist");
  g_unsetenv ("DYNO_OPENVINO");
}

/* A broken library in the system's folder does not hide a usable one behind it. */
static void
test_broken_is_skipped (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *broken = library_tree_add_no_library (tree->system, "libopenvino_c.so.1");
  g_autoptr (GError) error = NULL;
  DynoOvLibrary *library;
  g_autofree char *version = NULL;

  dyno_paths_set_root (DYNO_PATH_RUNTIMES, g_getenv ("DYNO_RUNTIMES_DIR"));
  library = dyno_engine_library_get_default (DYNO_TYPE_OV_LIBRARY, &error);
  if (library == NULL)
    {
      skip_without_engine ("openvino", "the folder runtimes holds no usable OpenVINO");
      return;
    }
  g_assert_cmpstr (dyno_ov_library_get_path (library), !=, broken);
  g_object_get (library, "version", &version, NULL);
  g_assert_true (g_regex_match_simple ("^20[0-9]+\\.[0-9]+\\.[0-9]+$", version, 0, 0));
}

static DynoSession *
open_by_made_up (const DynoSessionOptions *options, GError **error)
{
  g_autofree char *model = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  DynoBackend *backend = dyno_backend_lookup ("openvino", NULL);

  dyno_engine_path_set ("DYNO_OPENVINO", g_getenv ("DYNO_TEST_OPENVINO"));
  return dyno_backend_start (backend, error) ? dyno_backend_open (backend, model, options, error) : NULL;
}

static DynoSession *
open_made_up_with (const char *precision, const char *takes, GHashTable *engine, GError **error)
{
  const DynoSessionOptions options = { .device = "GPU", .precision = precision, .engine = engine };

  if (takes != NULL)
    g_setenv ("DYNO_FAKE_OV_PRECISION", takes, TRUE);
  else
    g_unsetenv ("DYNO_FAKE_OV_PRECISION");
  return open_by_made_up (&options, error);
}

static DynoSession *
open_made_up (const char *precision, const char *takes, GError **error)
{
  return open_made_up_with (precision, takes, NULL, error);
}

typedef struct
{
  const char *precision;
  const char *told;
} Told;

/* Left alone, a graphics processor computes in half precision whatever the model is in. */
static void
test_precision_is_told (LibraryTree *tree, gconstpointer data)
{
  static const Told precisions[] = {
    { "fp32", "f32" }, { "fp16", "f16" }, { "bf16", "bf16" }, { "int8", "f32" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoSession) session = open_made_up (precisions[i].precision, precisions[i].told, &error);

      g_assert_no_error (error);
      g_assert_nonnull (session);
      g_assert_cmpstr (g_getenv ("DYNO_FAKE_OV_TOLD"), ==, precisions[i].told);
    }
}

static void
assert_not_computed_in (const char *precision, const char *takes, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_made_up (precision, takes, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, part);
}

/* Another precision must not be measured under the name of the requested one. */
static void
test_precision_is_checked (LibraryTree *tree, gconstpointer data)
{
  assert_not_computed_in ("fp32", "f16", "“f16” instead of the requested “f32”");
  assert_not_computed_in ("fp16", "bf16", "“bf16” instead of the requested “f16”");
  assert_not_computed_in ("fp32", "dynamic", "“dynamic” instead of the requested “f32”");
  assert_not_computed_in ("fp32", NULL, "does not report");
}

static DynoSession *
open_with_option (const char *name, const char *value, const char *takes, GError **error)
{
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (engine, (gpointer)name, (gpointer)value);
  return open_made_up_with ("fp32", takes, engine, error);
}

/* In any precision of the model. */
static void
test_precision_is_an_option (LibraryTree *tree, gconstpointer data)
{
  static const Told precisions[] = {
    { "model", "f32" }, { "fp32", "f32" }, { "bf16", "bf16" }, { "fp16", "f16" }
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      g_autoptr (DynoSession) session =
          open_with_option ("inference-precision", precisions[i].precision, precisions[i].told, &error);

      g_assert_no_error (error);
      g_assert_nonnull (session);
      g_assert_cmpstr (g_getenv ("DYNO_FAKE_OV_TOLD"), ==, precisions[i].told);
    }
  g_assert_null (open_with_option ("inference-precision", "bf16", "f32", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

/* The mock device reports its precision and nothing else. */
static void
test_wishes_are_read_back (LibraryTree *tree, gconstpointer data)
{
  static const char *const wishes[][2] = { { "streams", "2" },
                                           { "hint", "throughput" },
                                           { "hint", "latency" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_assert_null (open_with_option (wishes[i][0], wishes[i][1], "f32", &error));
      suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "does not report");
    }
  session = open_with_option ("hint", "none", "f32", &error);
  g_assert_no_error (error);
}

static void
assert_setting (GHashTable *settings, const char *name, const char *value)
{
  g_assert_cmpstr (g_hash_table_lookup (settings, name), ==, value);
}

/* The settings it chose are read back; settings that are not reported or undecided are left out. */
static void
test_left_alone (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
  DynoSessionOptions options = { .device = "GPU", .precision = "fp32", .threads = 1, .engine = engine };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GHashTable) settings = NULL;

  g_hash_table_insert (engine, (gpointer) "streams", (gpointer) "3");
  g_hash_table_insert (engine, (gpointer) "cache", (gpointer) "on");
  options.left_alone = TRUE;
  g_setenv ("DYNO_FAKE_OV_ALONE",
            "INFERENCE_PRECISION_HINT=f16,INFERENCE_NUM_THREADS=4,NUM_STREAMS=AUTO,PERFORMANCE_HINT=LATENCY",
            TRUE);
  session = open_by_made_up (&options, &error);
  g_assert_no_error (error);
  g_assert_null (g_getenv ("DYNO_FAKE_OV_TOLD"));
  settings = dyno_session_read_settings (session);
  assert_setting (settings, "inference-precision", "fp16");
  assert_setting (settings, "threads", "4");
  assert_setting (settings, "streams", NULL);
  assert_setting (settings, "hint", "latency");
  g_unsetenv ("DYNO_FAKE_OV_ALONE");
}

/* Inputs of a model, and what OpenVINO made of them. */
static const char *const named_inputs[][3] = {
  /* Of the names of an input, OpenVINO tells another than the model has. */
  { "/openvino-library/second-name", "second", NULL },
  /* OpenVINO removed an operator, and the name of the model's input with it. */
  { "/openvino-library/forgotten-name", "forgotten", NULL },
  /* OpenVINO removed an input whose value changes nothing. */
  { "/openvino-library/removed-input", "axes", "x" },
};

static void
test_named_input (LibraryTree *tree, gconstpointer data)
{
  static const float numbers[] = { 1, 2, 3 };
  const char *const *row = data;
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoSessionOptions options = { .device = "GPU", .precision = "fp32", .inputs = inputs };
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("DYNO_FAKE_OV_PRECISION", "f32", TRUE);
  for (guint i = 1; i < 3 && row[i] != NULL; i++)
    g_ptr_array_add (inputs, dyno_tensor_info_new (row[i], DYNO_DATA_TYPE_FLOAT));
  session = open_by_made_up (&options, &error);
  g_assert_no_error (error);
  set_inputs (session, 0, tensor_new (row[1], 1, 3, numbers),
              row[2] != NULL ? tensor_new (row[2], 1, 3, numbers) : NULL);
}

static DynoSession *
open_with_requests (const char *requests, GError **error)
{
  return open_with_option ("requests", requests, "f32", error);
}

/* Inputs that begin with 1, 2, 3 …, to identify requests. */
static DynoSession *
open_with_slots (const char *requests, guint n_slots)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_with_requests (requests, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n_slots; i++)
    {
      const float numbers[] = { (float)(i + 1), 0, 0 };

      set_inputs (session, i, tensor_new ("x", 1, 3, numbers), NULL);
    }
  g_unsetenv ("DYNO_FAKE_OV_CALLS");
  g_unsetenv ("DYNO_FAKE_OV_FAILS");
  return session;
}

static void
assert_step (DynoSession *session, const char *calls)
{
  run (session);
  g_assert_cmpstr (g_getenv ("DYNO_FAKE_OV_CALLS"), ==, calls);
  g_unsetenv ("DYNO_FAKE_OV_CALLS");
}

static void
assert_request_gave (DynoSession *session, guint request, float number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = dyno_session_get_request_outputs (session, request, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  g_assert_cmpfloat (((const float *)dyno_tensor_get_data (outputs->pdata[0]))[0], ==, number);
}

/* All requests are started before waiting for the first, each with its own inputs in turn. */
static void
test_requests (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (DynoSession) session = open_with_slots ("3", 4);

  g_assert_cmpuint (dyno_session_get_requests (session), ==, 3);
  assert_step (session, "start 1, start 2, start 3, wait 1, wait 2, wait 3, ");
  assert_step (session, "start 4, start 1, start 2, wait 4, wait 1, wait 2, ");
  assert_request_gave (session, 0, 4);
  assert_request_gave (session, 1, 1);
  assert_request_gave (session, 2, 2);
}

static void
test_one_request (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (DynoSession) session = open_with_slots ("1", 2);

  g_assert_cmpuint (dyno_session_get_requests (session), ==, 1);
  assert_step (session, "infer 1, ");
  assert_step (session, "infer 2, ");
  assert_request_gave (session, 0, 2);
}

/* Requests started before the failed one must have ended when the error is returned. */
static void
test_request_that_does_not_start (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (DynoSession) session = open_with_slots ("3", 3);
  g_autoptr (GError) error = NULL;

  g_setenv ("DYNO_FAKE_OV_FAILS", "3", TRUE);
  g_assert_false (dyno_session_run (session, &error));
  g_unsetenv ("DYNO_FAKE_OV_FAILS");
  g_assert_nonnull (error);
  g_assert_cmpstr (g_getenv ("DYNO_FAKE_OV_CALLS"), ==, "start 1, start 2, wait 1, wait 2, ");
}

static void
test_requests_without_inputs (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (DynoSession) session = open_with_slots ("3", 2);
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_session_run (session, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "inputs for 2");
  g_assert_null (g_getenv ("DYNO_FAKE_OV_CALLS"));
}

static void
test_requests_do_not_carry (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (DynoSession) session = open_with_slots ("2", 2);
  g_autoptr (GError) error = NULL;

  run (session);
  g_assert_false (dyno_session_carry (session, "y", "x", &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

static void
test_wrong_numbers_of_requests (LibraryTree *tree, gconstpointer data)
{
  static const char *const numbers[] = { "0", "1025" };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_with_requests (numbers[i], &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, numbers[i]);
    }
}

static const char *failure;

static const char *
get_failure (void)
{
  return failure;
}

static void
free_nothing (const char *text)
{
}

/* What OpenVINO has not got another engine may have; a file that it cannot parse is damaged. */
static void
test_reading (LibraryTree *tree, gconstpointer data)
{
  static const struct
  {
    const char *message;
    DynoError code;
  } cases[] = {
    { "Model wasn't fully converted. Failed operations detailed log:\n-- Loop-15", DYNO_ERROR_UNREADABLE },
    { "Loading input model\nUnsupported value_info type: y.", DYNO_ERROR_UNREADABLE },
    { "does not support the following ONNX operations: Frobnicate-17", DYNO_ERROR_UNREADABLE },
    { "Error during import of ONNX model", DYNO_ERROR_INVALID_DATA },
  };
  const OvApi api = { .get_last_err_msg = get_failure, .free = free_nothing };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      failure = cases[i].message;
      g_assert_false (dyno_ov_error_check_read (&api, "2026.4.1", "m.onnx", (OvStatus)-1, &error));
      suite_assert_error (error, cases[i].code, "Choose another engine");
    }
}

#define ADD(path, function) g_test_add (path, LibraryTree, NULL, set_up, function, tear_down)

static void
add_tests (void)
{
  ADD ("/openvino-library/reading", test_reading);
  ADD ("/openvino-library/nothing-found", test_nothing_found);
  ADD ("/openvino-library/text-file", test_text_file);
  ADD ("/openvino-library/missing-function", test_missing_function);
  ADD ("/openvino-library/order", test_order);
  ADD ("/openvino-library/named", test_named);
  ADD ("/openvino-library/broken-is-skipped", test_broken_is_skipped);
  ADD ("/openvino-library/precision-is-told", test_precision_is_told);
  ADD ("/openvino-library/precision-is-checked", test_precision_is_checked);
  ADD ("/openvino-library/precision-is-an-option", test_precision_is_an_option);
  ADD ("/openvino-library/wishes-are-read-back", test_wishes_are_read_back);
  ADD ("/openvino-library/left-alone", test_left_alone);
  for (guint i = 0; i < G_N_ELEMENTS (named_inputs); i++)
    g_test_add (named_inputs[i][0], LibraryTree, named_inputs[i], set_up, test_named_input, tear_down);
  ADD ("/openvino-library/requests", test_requests);
  ADD ("/openvino-library/one-request", test_one_request);
  ADD ("/openvino-library/request-that-does-not-start", test_request_that_does_not_start);
  ADD ("/openvino-library/requests-without-inputs", test_requests_without_inputs);
  ADD ("/openvino-library/requests-do-not-carry", test_requests_do_not_carry);
  ADD ("/openvino-library/wrong-numbers-of-requests", test_wrong_numbers_of_requests);
}

SUITE_ADD (add_tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-engine-library.h"
#include "dyno-llamacpp-private.h"
#include "library-tree.h"
#include "session-checks.h"
#include "tiny-gguf.h"

/* Sums of single numbers in another order. */
#define TOLERANCE 1e-3

#define HEAD_WIDTH (TINY_GGUF_WIDTH / TINY_GGUF_HEADS)

static void
set_up (LibraryTree *tree, gconstpointer data)
{
  library_tree_set_up (tree, data);
  g_unsetenv ("DYNO_LLAMA_CPP");
}

static void
tear_down (LibraryTree *tree, gconstpointer data)
{
  dyno_engine_path_set ("DYNO_LLAMA_CPP", NULL);
  library_tree_tear_down (tree, data);
}

static void
test_nothing_found (LibraryTree *tree, gconstpointer data)
{
  library_tree_assert_unsupported ("llamacpp", dyno_engine_library_get_remedy (DYNO_TYPE_LLAMA_LIBRARY),
                                   "not found");
}

static void
test_no_library (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path = library_tree_add_no_library (tree->system, "libllama.so");

  library_tree_assert_unsupported ("llamacpp", dyno_engine_library_get_remedy (DYNO_TYPE_LLAMA_LIBRARY),
                                   "libllama.so");
}

/* Older releases cannot say which they are. */
static void
test_old_library (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path =
      library_tree_add_link (tree->system, "libllama.so", g_getenv ("DYNO_TEST_NO_RUNTIME"));

  library_tree_assert_unsupported ("llamacpp", dyno_engine_library_get_remedy (DYNO_TYPE_LLAMA_LIBRARY),
                                   "has no function llama_version");
}

/* Its structures could overwrite memory, and none of its other functions is called. */
static void
test_odd_library (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path =
      library_tree_add_link (tree->system, "libllama.so", g_getenv ("DYNO_TEST_ODD_LLAMA"));

  library_tree_assert_unsupported ("llamacpp", dyno_engine_library_get_remedy (DYNO_TYPE_LLAMA_LIBRARY),
                                   "built from other sources");
}

typedef struct
{
  char *folder;
  char *path;
  DynoBackend *backend;
  DynoSession *session; /* NULL where the engine is missing */
} Fixture;

static DynoSession *
open_with (Fixture *fixture, const char *option, const char *value)
{
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .engine = engine };
  g_autoptr (GError) error = NULL;
  DynoSession *session;

  if (option != NULL)
    g_hash_table_insert (engine, (gpointer)option, (gpointer)value);
  session = dyno_backend_open (fixture->backend, fixture->path, &options, &error);
  g_assert_no_error (error);
  return session;
}

static void
set_up_model (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();

  fixture->folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "m.gguf", NULL);
  fixture->backend = get_available_or_skip ("llamacpp");
  tiny_gguf_save (file, fixture->path);
  if (fixture->backend != NULL)
    fixture->session = open_with (fixture, NULL, NULL);
}

static void
tear_down_model (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->session);
  dyno_scratch_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

/* Sets that many tokens of each item, from @first on, after a cache for @past tokens; a negative @past leaves it. */
static gboolean
set_tokens (DynoSession *session, guint n_items, guint first, guint n_tokens, int past, GError **error)
{
  const DynoShape shape = { DYNO_DATA_TYPE_INT64, 2, { n_items, n_tokens } };
  const DynoShape cache_shape = { DYNO_DATA_TYPE_FLOAT16, 4, { n_items, TINY_GGUF_HEADS, past, HEAD_WIDTH } };
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  DynoTensor *tokens = dyno_tensor_new ("input_ids", &shape);

  for (guint i = 0; i < n_items * n_tokens; i++)
    dyno_tensor_set_integer (tokens, i, (first + i % n_tokens) * 37 % TINY_GGUF_WORDS);
  g_ptr_array_add (tensors, tokens);
  if (past >= 0)
    g_ptr_array_add (tensors, dyno_tensor_new ("past_key_values.0.key", &cache_shape));
  return dyno_session_set_inputs (session, 0, tensors, error);
}

static GPtrArray *
run_on (DynoSession *session, guint n_items, guint first, guint n_tokens, int past)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *outputs;

  set_tokens (session, n_items, first, n_tokens, past, &error);
  g_assert_no_error (error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  return outputs;
}

static void
assert_same (GPtrArray *outputs, guint item, GPtrArray *expected)
{
  DynoTensor *logits = outputs->pdata[0];
  double spread = 0;

  g_assert_cmpint (dyno_tensor_get_shape (logits)->dims[2], ==, TINY_GGUF_WORDS);
  for (gint64 i = 0; i < TINY_GGUF_WORDS; i++)
    {
      double number = dyno_tensor_get_number (logits, item * TINY_GGUF_WORDS + i);
      double right = dyno_tensor_get_number (expected->pdata[0], i);

      g_assert_cmpfloat_with_epsilon (number, right, TOLERANCE);
      spread = fmax (spread, fabs (right));
    }
  g_assert_cmpfloat (spread, >, 0.01);
}

static void
test_probe (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) probe = NULL;

  if (fixture->session == NULL)
    return;
  probe = dyno_backend_probe (fixture->backend, NULL);
  g_assert_true (g_str_has_prefix (dyno_probe_get_runtime (probe), "llama.cpp 0."));
  g_assert_cmpint (dyno_device_get_kind (dyno_probe_find_device (probe, "cpu")), ==, DYNO_DEVICE_KIND_CPU);
}

/* A token after a prompt must see all of it. */
static void
test_generation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) whole = NULL;
  g_autoptr (GPtrArray) prompt = NULL;
  g_autoptr (GPtrArray) after = NULL;
  g_autoptr (GPtrArray) again = NULL;

  if (fixture->session == NULL)
    return;
  whole = run_on (fixture->session, 1, 0, 9, 0);
  prompt = run_on (fixture->session, 1, 0, 7, 0);
  g_assert_true (dyno_session_carry (fixture->session, "present.0.key", "past_key_values.0.key", NULL));
  after = run_on (fixture->session, 1, 7, 1, -1);
  g_assert_true (dyno_session_carry (fixture->session, "present.0.key", "past_key_values.0.key", NULL));
  g_clear_pointer (&after, g_ptr_array_unref);
  after = run_on (fixture->session, 1, 8, 1, -1);
  assert_same (after, 0, whole);
  again = run_on (fixture->session, 1, 0, 7, 0);
  assert_same (again, 0, prompt);
}

static void
test_items (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSession) lane = NULL;
  g_autoptr (GPtrArray) one = NULL;
  g_autoptr (GPtrArray) three = NULL;
  g_autoptr (GPtrArray) beside = NULL;

  if (fixture->session == NULL)
    return;
  one = run_on (fixture->session, 1, 5, 300, 0);
  three = run_on (fixture->session, 3, 5, 300, 0);
  for (guint item = 0; item < 3; item++)
    assert_same (three, item, one);
  lane = dyno_session_open_lane (fixture->session, NULL);
  g_clear_object (&fixture->session);
  beside = run_on (lane, 1, 5, 300, 0);
  assert_same (beside, 0, one);
}

/* A step in the middle of a text may be repeated, and each time it is the same one. */
static void
test_depth (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) first = NULL;
  g_autoptr (GPtrArray) second = NULL;

  if (fixture->session == NULL)
    return;
  first = run_on (fixture->session, 1, 0, 4, 200);
  g_assert_true (dyno_session_run (fixture->session, NULL));
  second = dyno_session_get_outputs (fixture->session, NULL);
  assert_same (second, 0, first);
}

static void
test_options (Fixture *fixture, gconstpointer data)
{
  static const char *const given[][2] = {
    { "load-mode", "none" },    { "load-mode", "mmap" },   { "flash-attn", "on" },
    { "flash-attn", "off" },    { "cache-type-k", "f32" }, { "cache-type-k", "q8_0" },
    { "cache-type-v", "bf16" }, { "ubatch-size", "8" },
  };
  g_autoptr (GPtrArray) expected = fixture->session != NULL ? run_on (fixture->session, 1, 0, 40, 0) : NULL;

  for (guint i = 0; expected != NULL && i < G_N_ELEMENTS (given); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoSession) session = NULL;
      g_autoptr (GPtrArray) outputs = NULL;

      dyno_backend_check_option (fixture->backend, given[i][0], given[i][1], &error);
      g_assert_no_error (error);
      session = open_with (fixture, given[i][0], given[i][1]);
      outputs = run_on (session, 1, 0, 40, 0);
      for (gint64 k = 0; k < TINY_GGUF_WORDS; k++)
        g_assert_cmpfloat_with_epsilon (dyno_tensor_get_number (outputs->pdata[0], k),
                                        dyno_tensor_get_number (expected->pdata[0], k), 0.05);
    }
}

static DynoModel *
load_tiny (Fixture *fixture, const char *model_type, guint width)
{
  g_autofree char *config = tiny_gguf_dup_config (model_type, width, "");
  g_autofree char *path = g_build_filename (fixture->folder, "config.json", NULL);
  g_autoptr (GError) error = NULL;
  DynoModel *model;

  g_file_set_contents (path, config, -1, &error);
  g_assert_no_error (error);
  model = dyno_model_load (path, &error);
  g_assert_no_error (error);
  return model;
}

#define N_ITEMS  2
#define N_TOKENS 40

/* Returns the scores of the next token of each item. */
static DynoTensor *
score (DynoBackend *backend, DynoModel *model, const DynoSessionOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind (model, N_ITEMS, N_TOKENS, NULL, &error);
  g_autoptr (GPtrArray) inputs = NULL;
  g_autofree char *path = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  g_assert_no_error (error);
  inputs = dyno_model_create_inputs (model, binding, NULL, 3, &error);
  g_assert_no_error (error);
  path = dyno_backend_prepare (backend, model, NULL, 1, &error);
  g_assert_no_error (error);
  session = dyno_backend_open (backend, path, options, &error);
  g_assert_no_error (error);
  dyno_session_set_inputs (session, 0, inputs, &error);
  g_assert_no_error (error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  return dyno_tensor_ref (outputs->pdata[0]);
}

/* Returns how far two directions are apart, 0 for the same one. */
static double
find_distance (DynoTensor *given, DynoTensor *all)
{
  const DynoShape *shape = dyno_tensor_get_shape (all);
  double dot = 0, square = 0, right_square = 0;

  for (gint64 item = 0; item < N_ITEMS; item++)
    for (gint64 i = 0; i < shape->dims[2]; i++)
      {
        double a = dyno_tensor_get_number (given, item * shape->dims[2] + i);
        double b = dyno_tensor_get_number (all, ((item + 1) * shape->dims[1] - 1) * shape->dims[2] + i);

        dot += a * b;
        square += a * a;
        right_square += b * b;
      }
  return sqrt (2 - 2 * fmin (dot / sqrt (square * right_square), 1));
}

/* A model that Dyno writes answers on llama.cpp as on ONNX Runtime, in each architecture. */
static void
test_own_models (Fixture *fixture, gconstpointer data)
{
  DynoBackend *cpu = get_available_or_skip ("cpu");
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
  const DynoSessionOptions exact = { .precision = "fp32", .threads = 1, .engine = engine };
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1 };

  if (fixture->session == NULL || cpu == NULL)
    return;
  g_hash_table_insert (engine, (gpointer) "cache-type-k", (gpointer) "f32");
  g_hash_table_insert (engine, (gpointer) "cache-type-v", (gpointer) "f32");
  g_hash_table_insert (engine, (gpointer) "flash-attn", (gpointer) "off");
  for (guint i = 0; i < TINY_GGUF_N_TYPES; i++)
    {
      g_autoptr (DynoModel) model = load_tiny (fixture, tiny_gguf_types[i], 32);
      g_autoptr (DynoModel) written = dyno_model_in_format (model, DYNO_MODEL_FORMAT_GGUF, "fp32", NULL);
      g_autoptr (DynoTensor) expected = score (cpu, model, &options);
      g_autoptr (DynoTensor) given = score (fixture->backend, written, &exact);

      g_test_message ("%s %g", tiny_gguf_types[i], find_distance (given, expected));
      g_assert_cmpfloat (find_distance (given, expected), <, TOLERANCE);
    }
}

/* Rounded weights turn the answer, and the fewer bits, the more. */
static void
test_rounded_models (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *precision;
    const char *type;
    double least;
    double most;
  } cases[] = {
    { "bf16", "BF16", 1e-4, 0.02 },
    { "fp16", "F16", 1e-5, 0.01 },
    { "q8_0", "Q8_0", 1e-3, 0.05 },
    { "q4_k_m", "Q4_K", 0.01, 0.5 },
  };
  DynoBackend *cpu = get_available_or_skip ("cpu");
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1 };
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoTensor) expected = NULL;

  if (fixture->session == NULL || cpu == NULL)
    return;
  model = load_tiny (fixture, "llama", 256);
  expected = score (cpu, model, &options);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) written =
          dyno_model_in_format (model, DYNO_MODEL_FORMAT_GGUF, cases[i].precision, &error);
      g_autoptr (DynoTensor) given = score (fixture->backend, written, &options);
      g_autofree char *path = dyno_backend_prepare (fixture->backend, written, NULL, 1, &error);
      g_autoptr (DynoModel) found = dyno_model_as_written (written, path, &error);

      g_assert_no_error (error);
      g_test_message ("%s %g %s", cases[i].precision, find_distance (given, expected),
                      dyno_model_get_weight_mix (found));
      g_assert_true (g_str_has_prefix (dyno_model_get_weight_mix (found), cases[i].type));
      g_assert_cmpfloat (find_distance (given, expected), >, cases[i].least);
      g_assert_cmpfloat (find_distance (given, expected), <, cases[i].most);
    }
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  const DynoSessionOptions elsewhere = { .precision = "fp32", .device = "moon" };
  const DynoSessionOptions options = { .precision = "fp32" };
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  const DynoShape shape = { DYNO_DATA_TYPE_INT64, 2, { 1, 1 } };
  DynoTensor *tokens = dyno_tensor_new ("input_ids", &shape);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, tokens);
  if (fixture->session == NULL)
    return;
  g_assert_null (dyno_backend_open (fixture->backend, fixture->path, &elsewhere, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (dyno_session_run (fixture->session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  dyno_tensor_set_integer (tokens, 0, TINY_GGUF_WORDS);
  g_assert_false (dyno_session_set_inputs (fixture->session, 0, tensors, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (dyno_session_run (fixture->session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (fixture->path, "GGUF is not enough", -1, NULL));
  g_assert_null (dyno_backend_open (fixture->backend, fixture->path, &options, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "cannot load"));
}

static const SuiteFixtureTest (LibraryTree) library_tests[] = {
  { "/llamacpp/nothing-found", test_nothing_found },
  { "/llamacpp/no-library", test_no_library },
  { "/llamacpp/old-library", test_old_library },
  { "/llamacpp/odd-library", test_odd_library },
};

static const SuiteFixtureTest (Fixture) model_tests[] = {
  { "/llamacpp/probe", test_probe },           { "/llamacpp/generation", test_generation },
  { "/llamacpp/items", test_items },           { "/llamacpp/depth", test_depth },
  { "/llamacpp/options", test_options },       { "/llamacpp/refused", test_refused },
  { "/llamacpp/own-models", test_own_models }, { "/llamacpp/rounded-models", test_rounded_models },
};

static int
run_tests (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (library_tests); i++)
    g_test_add (library_tests[i].path, LibraryTree, NULL, set_up, library_tests[i].run, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (model_tests); i++)
    g_test_add (model_tests[i].path, Fixture, NULL, set_up_model, model_tests[i].run, tear_down_model);
  return g_test_run ();
}

SUITE (run_tests)

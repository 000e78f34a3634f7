/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>

#include "dyno-model-spec.h"
#include "model-test.h"
#include "suite.h"

#define BERT_TINY "google/bert_uncased_L-2_H-128_A-2"

static void
assert_spec (const char *text, DynoModelSpecKind kind, const char *name, const char *path)
{
  g_autoptr (DynoModelSpec) spec = dyno_model_spec_parse (text);

  g_test_message ("%s", text);
  g_assert_cmpint (spec->kind, ==, kind);
  g_assert_cmpstr (spec->text, ==, text);
  g_assert_cmpstr (spec->name, ==, name);
  g_assert_cmpstr (spec->path, ==, path);
}

static void
test_names (void)
{
  assert_spec ("server:qwen3", DYNO_MODEL_SPEC_SERVED, "qwen3", NULL);
  assert_spec ("server:./model.onnx", DYNO_MODEL_SPEC_SERVED, "./model.onnx", NULL);
  assert_spec ("bert-tiny", DYNO_MODEL_SPEC_BUNDLED, "bert-tiny", NULL);
  assert_spec ("BERT-Tiny", DYNO_MODEL_SPEC_BUNDLED, "bert-tiny", NULL);
  assert_spec (BERT_TINY, DYNO_MODEL_SPEC_BUNDLED, "bert-tiny", NULL);
  assert_spec ("no-such-model", DYNO_MODEL_SPEC_UNKNOWN, NULL, NULL);
  assert_spec ("", DYNO_MODEL_SPEC_UNKNOWN, NULL, NULL);
}

static void
test_paths (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-spec-XXXXXX", NULL);

  assert_spec (folder, DYNO_MODEL_SPEC_FOLDER, NULL, folder);
  assert_spec (".", DYNO_MODEL_SPEC_FOLDER, NULL, ".");
  assert_spec ("no-such-config.json", DYNO_MODEL_SPEC_CONFIG, NULL, "no-such-config.json");
  assert_spec ("no-such-model.onnx", DYNO_MODEL_SPEC_ONNX, NULL, "no-such-model.onnx");
  assert_spec ("./bert-tiny", DYNO_MODEL_SPEC_ONNX, NULL, "./bert-tiny");
  assert_spec ("/bert-tiny", DYNO_MODEL_SPEC_ONNX, NULL, "/bert-tiny");
  model_test_remove_folder (g_steal_pointer (&folder));
}

static char *
fetch (const char *cache, const char *folder)
{
  g_autofree char *references = g_build_filename (cache, folder, "refs", NULL);
  g_autofree char *reference = g_build_filename (references, "main", NULL);
  char *snapshot = g_build_filename (cache, folder, "snapshots", "c0ffee", NULL);

  g_assert_cmpint (g_mkdir_with_parents (references, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (snapshot, 0700), ==, 0);
  g_assert_true (g_file_set_contents (reference, "c0ffee\n", -1, NULL));
  return snapshot;
}

/* A bundled model gives way to one that was fetched under its full name on the hub. */
static void
test_fetched (void)
{
  g_autofree char *cache = g_dir_make_tmp ("dyno-spec-XXXXXX", NULL);
  g_autofree char *full = fetch (cache, "models--google--bert_uncased_L-2_H-128_A-2");
  g_autofree char *bundled = fetch (cache, "models--bert-tiny");
  g_autofree char *plain = fetch (cache, "models--gpt3");
  g_autoptr (DynoModelSpec) spec = NULL;

  g_setenv ("HF_HUB_CACHE", cache, TRUE);
  assert_spec (BERT_TINY, DYNO_MODEL_SPEC_FOLDER, NULL, full);
  assert_spec ("bert-tiny", DYNO_MODEL_SPEC_BUNDLED, "bert-tiny", NULL);
  assert_spec ("gpt3", DYNO_MODEL_SPEC_FOLDER, NULL, plain);
  spec = dyno_model_spec_parse ("gpt3");
  g_assert_true (spec->is_fetched);
  g_clear_pointer (&spec, dyno_model_spec_free);
  spec = dyno_model_spec_parse (cache);
  g_assert_false (spec->is_fetched);
  g_unsetenv ("HF_HUB_CACHE");
  model_test_remove_folder (g_steal_pointer (&cache));
}

static const SuiteTest tests[] = {
  { "/model-spec/names", test_names },
  { "/model-spec/paths", test_paths },
  { "/model-spec/fetched", test_fetched },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-error.h"
#include "dyno-manifest.h"
#include "model-test.h"
#include "suite.h"

static DynoManifestStage *
add_stage (DynoManifest *self, const char *name, const char *input, const char *output)
{
  g_autofree char *file = g_strconcat (name, ".onnx", NULL);
  DynoManifestStage *stage = dyno_manifest_add_stage (self, name, file);

  dyno_manifest_stage_add_input (stage, input, -1);
  dyno_manifest_stage_add_output (stage, output);
  return stage;
}

static int
get_feeder (const DynoManifest *self, guint stage, guint input)
{
  const DynoManifestStage *of = self->stages->pdata[stage];

  return ((DynoManifestInput *)of->inputs->pdata[input])->feeder;
}

/* A written manifest is read back, and files are found relative to the manifest. */
static void
test_links (void)
{
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, DYNO_MANIFEST_FILE, NULL);
  g_autofree char *file = g_build_filename (folder, "last.onnx", NULL);
  g_autoptr (DynoManifest) written = dyno_manifest_new ();
  g_autoptr (DynoManifest) read = NULL;
  g_autoptr (GError) error = NULL;
  DynoManifestStage *stage;

  add_stage (written, "first", "x", "states");
  stage = add_stage (written, "middle", "x", "unused");
  dyno_manifest_stage_add_input (stage, "steps", 1);
  stage = add_stage (written, "last", "states", "y");
  dyno_manifest_stage_add_input (stage, "z", -1);
  g_assert_true (dyno_manifest_write (written, folder, &error));
  g_assert_no_error (error);
  read = dyno_manifest_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (read->stages->len, ==, 3);
  g_assert_cmpint (get_feeder (read, 0, 0), ==, -1);
  g_assert_cmpint (get_feeder (read, 1, 0), ==, -1);
  g_assert_cmpint (get_feeder (read, 2, 0), ==, 0);
  g_assert_cmpint (get_feeder (read, 2, 1), ==, -1);
  g_assert_true (dyno_manifest_is_taken (read, 0, "states"));
  g_assert_false (dyno_manifest_is_taken (read, 1, "unused"));
  g_assert_false (dyno_manifest_stage_repeats (read->stages->pdata[0]));
  g_assert_true (dyno_manifest_stage_repeats (read->stages->pdata[1]));
  g_assert_cmpstr (((DynoManifestStage *)read->stages->pdata[2])->file, ==, file);
  model_test_remove_folder (g_steal_pointer (&folder));
}

static void
test_names (void)
{
  g_autoptr (DynoManifest) self = dyno_manifest_new ();
  DynoManifestStage *stage = add_stage (self, "loop", "x", "next_x");
  g_autofree char *before = dyno_manifest_stage_dup_carried (stage, "x");
  g_autofree char *node = dyno_manifest_stage_dup_node_name (stage, "layer.0.MatMul_3");
  g_autofree char *fused = dyno_manifest_stage_dup_node_name (stage, "fused layer.0.Gemm_4");
  g_autofree char *carried = NULL;

  g_assert_null (before); /* it does not repeat yet */
  dyno_manifest_stage_add_input (stage, "steps", 0);
  carried = dyno_manifest_stage_dup_carried (stage, "x");
  g_assert_cmpstr (carried, ==, "next_x");
  g_assert_null (dyno_manifest_stage_dup_carried (stage, "steps"));
  g_assert_cmpstr (node, ==, "loop.layer.0.MatMul_3");
  g_assert_cmpstr (fused, ==, "fused loop.layer.0.Gemm_4");
  g_assert_true (dyno_manifest_is_node_of (node, "loop"));
  g_assert_true (dyno_manifest_is_node_of (fused, "loop"));
  g_assert_false (dyno_manifest_is_node_of (node, "loo"));
  g_assert_false (dyno_manifest_is_node_of ("loop", "loop"));
  g_assert_true (dyno_manifest_is_path ("/tmp/stages.json"));
  g_assert_false (dyno_manifest_is_path ("/tmp/stages.json.onnx"));
}

#define STAGE(name, inputs, outputs)                                                                         \
  "{\"name\": \"" name "\", \"file\": \"a.onnx\", \"inputs\": " inputs ", \"outputs\": " outputs "}"

static void
test_damaged (void)
{
  static const struct
  {
    const char *text;
    const char *word;
  } manifests[] = {
    { "", "no object" },
    { "{", "stages.json" },
    { "[]", "names no stages" },
    { "{\"stages\": 3}", "names no stages" },
    { "{\"stages\": []}", "names no stages" },
    { "{\"stages\": [7]}", "no name or no file" },
    { "{\"stages\": [{\"name\": \"a\"}]}", "no name or no file" },
    { "{\"stages\": [{\"name\": \"a\", \"file\": \"a.onnx\"}]}", "“a” has no inputs" },
    { "{\"stages\": [" STAGE ("a", "{}", "[]") "]}", "“a” takes nothing" },
    { "{\"stages\": [" STAGE ("a", "{\"x\": 99}", "[]") "]}", "“x” of the stage “a”" },
    { "{\"stages\": [" STAGE ("a", "{\"x\": \"y\"}", "[]") "]}", "“x” of the stage “a”" },
    { "{\"stages\": [" STAGE ("a", "{\"x\": -1}", "[1]") "]}", "output without a name" },
    { "{\"stages\": [" STAGE ("a", "{\"x\": -1}", "[]") ", " STAGE ("a", "{\"x\": -1}", "[]") "]}",
      "two stages are called “a”" },
    { "{\"stages\": [" STAGE ("a", "{\"x\": -1}", "[\"y\"]") ", " STAGE ("b", "{\"x\": -1}", "[\"y\"]") "]}",
      "two stages give “y”" },
  };
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, DYNO_MANIFEST_FILE, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_manifest_read (path, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "stages.json");
  for (guint i = 0; i < G_N_ELEMENTS (manifests); i++)
    {
      g_test_message ("%s", manifests[i].text);
      g_assert_true (g_file_set_contents (path, manifests[i].text, -1, NULL));
      g_assert_null (dyno_manifest_read (path, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, manifests[i].word);
    }
  model_test_remove_folder (g_steal_pointer (&folder));
}

static const SuiteTest tests[] = {
  { "/manifest/links", test_links },
  { "/manifest/names", test_names },
  { "/manifest/damaged", test_damaged },
};

SUITE_TESTS (tests)

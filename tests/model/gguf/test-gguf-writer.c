/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-error.h"
#include "dyno-model-gguf-private.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-weights-private.h"
#include "dyno-model.h"
#include "model-test.h"
#include "suite.h"
#include "tiny-gguf.h"

#define SEED 5

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  model_test_remove_folder (fixture->folder);
}

/* Returns the model of a config, with a few of its members replaced. */
static DynoModel *
load_config (Fixture *fixture, const char *config)
{
  g_autofree char *path = g_build_filename (fixture->folder, "config.json", NULL);
  g_autoptr (GError) error = NULL;
  DynoModel *model;

  g_file_set_contents (path, config, -1, &error);
  g_assert_no_error (error);
  model = dyno_model_load (path, &error);
  g_assert_no_error (error);
  return model;
}

static DynoModel *
load_tiny (Fixture *fixture, const char *model_type, const char *more)
{
  g_autofree char *config = tiny_gguf_dup_config (model_type, 32, more);

  return load_config (fixture, config);
}

static DynoModel *
write_in (DynoModel *model, const char *precision, char **path)
{
  g_autoptr (GError) error = NULL;
  DynoModel *written = dyno_model_in_format (model, DYNO_MODEL_FORMAT_GGUF, precision, &error);

  g_assert_no_error (error);
  *path = dyno_model_prepare (written, precision, SEED, NULL, &error);
  g_assert_no_error (error);
  return written;
}

/* What is written is, byte by byte, what was written before; `DYNO_WRITE_EXPECTED=1` writes it again. */
static void
test_golden (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < TINY_GGUF_N_TYPES; i++)
    {
      g_autofree char *name = g_strconcat (tiny_gguf_types[i], ".gguf", NULL);
      g_autofree char *golden = g_test_build_filename (G_TEST_DIST, "model", "fixtures", "gguf", name, NULL);
      g_autoptr (DynoModel) model = load_tiny (fixture, tiny_gguf_types[i], "");
      g_autofree char *path = NULL;
      g_autoptr (DynoModel) written = write_in (model, "q8_0", &path);
      g_autofree char *bytes = NULL;
      g_autofree char *expected = NULL;
      gsize size = 0, expected_size = 0;

      g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
      if (g_getenv ("DYNO_WRITE_EXPECTED") != NULL)
        g_assert_true (g_file_set_contents (golden, bytes, (gssize)size, NULL));
      g_assert_true (g_file_get_contents (golden, &expected, &expected_size, NULL));
      g_assert_cmpmem (bytes, size, expected, expected_size);
    }
}

/* The model that is to be written is the one that the file then holds. */
static void
test_described (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *precision;
    const char *of_file;
    const char *mix;
    double bits;
  } cases[] = {
    { "fp32", "fp32", "F32 100 %", 32 },
    { "fp16", "fp16", "F16", 16 },
    { "bf16", "bf16", "BF16", 16 },
    { "q8_0", "int8-weights", "Q8_0", 8.5 },
  };
  g_autoptr (DynoModel) model = load_tiny (fixture, "llama", "");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = NULL;
      g_autoptr (DynoModel) written = write_in (model, cases[i].precision, &path);
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) file = dyno_model_load (path, &error);
      gint64 n = dyno_model_get_parameter_count (model);

      g_assert_no_error (error);
      g_assert_cmpint (dyno_model_get_format (written), ==, DYNO_MODEL_FORMAT_GGUF);
      g_assert_cmpstr (dyno_model_get_family (written), ==, "decoder");
      g_assert_cmpstr (dyno_model_get_architecture (written), ==, "llama");
      g_assert_cmpstr (dyno_model_get_weights_origin (written), ==, "random");
      g_assert_cmpint (dyno_model_get_parameter_count (written), ==, n);
      g_assert_cmpint (dyno_model_get_parameter_count (file), ==, n);
      g_assert_cmpint (dyno_model_get_weight_bytes (written), ==, dyno_model_get_weight_bytes (file));
      g_assert_true (g_str_has_prefix (dyno_model_get_weight_mix (file), cases[i].mix));
      g_assert_cmpstr (dyno_model_get_weight_mix (written), ==, dyno_model_get_weight_mix (file));
      g_assert_cmpstr (dyno_model_get_case_precision (file, "fp32"), ==, cases[i].of_file);
      g_assert_cmpfloat (
          fabs (8 * (double)dyno_model_get_weight_bytes (file) / (double)n / cases[i].bits - 1), <, 0.05);
      g_assert_cmpint (dyno_model_get_max_sequence_length (file), ==,
                       dyno_model_get_max_sequence_length (model));
      g_assert_cmpint (dyno_model_get_cache_bytes (written, 1, 10), ==,
                       dyno_model_get_cache_bytes (file, 1, 10));
    }
}

static const DynoWeight *
find_weight (DynoGraph *graph, const char *name)
{
  GPtrArray *weights = dyno_graph_get_initializers (graph);

  for (guint i = 0; i < weights->len; i++)
    if (g_str_equal (((const DynoWeight *)weights->pdata[i])->name, name))
      return weights->pdata[i];
  g_assert_not_reached ();
}

/* Returns the numbers of a tensor in single precision. */
static const float *
find_numbers (const char *bytes, gsize size, const DynoGgufHeader *header, const char *name)
{
  gsize offset = size;

  for (guint i = header->tensors->len; i > 0; i--)
    {
      const DynoGgufTensor *tensor = header->tensors->pdata[i - 1];

      offset -= ((gsize)tensor->n_bytes + 31) / 32 * 32;
      if (g_str_equal (tensor->name, name))
        return (const float *)(const void *)(bytes + offset);
    }
  g_assert_not_reached ();
}

/* The weights are those of the graph: rows are outputs, and llama's rotated pairs are neighbours. */
static void
test_weights (Fixture *fixture, gconstpointer data)
{
  static const guint width = 32, head = 16;
  g_autoptr (DynoModel) model = load_tiny (fixture, "llama", "");
  g_autofree char *path = NULL;
  g_autoptr (DynoModel) written = write_in (model, "fp32", &path);
  g_autofree char *bytes = NULL;
  gsize size = 0;
  g_autoptr (GError) error = NULL;
  g_autofree char *config = tiny_gguf_dup_config ("llama", width, "");
  g_autoptr (JsonNode) node = json_from_string (config, NULL);
  g_autoptr (DynoConfig) read = dyno_config_new (json_node_get_object (node));
  g_autoptr (GPtrArray) graphs = dyno_architecture_build (dyno_architecture_find (read, NULL), read, NULL,
                                                          "fp32", NULL, FALSE, 1, FALSE, &error);
  g_autoptr (DynoGgufHeader) header = dyno_gguf_header_read (path, NULL);
  float weights[32 * 32];
  const float *rows, *turned;

  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  dyno_weights_fill (find_weight (graphs->pdata[0], "model.layers.0.self_attn.v_proj.weight"), SEED, 0,
                     weights, width * head);
  rows = find_numbers (bytes, size, header, "blk.0.attn_v.weight");
  for (guint output = 0; output < head; output++)
    for (guint input = 0; input < width; input++)
      g_assert_cmpfloat (rows[output * width + input], ==, weights[input * head + output]);

  dyno_weights_fill (find_weight (graphs->pdata[0], "model.layers.0.self_attn.q_proj.weight"), SEED, 0,
                     weights, width * width);
  turned = find_numbers (bytes, size, header, "blk.0.attn_q.weight");
  for (guint row = 0; row < width; row++)
    {
      guint output = row / head * head + row % head / 2 + row % 2 * head / 2;

      g_assert_cmpfloat (turned[row * width], ==, weights[output]);
    }
}

static void
assert_refused (DynoModel *model, const char *precision, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) written = dyno_model_in_format (model, DYNO_MODEL_FORMAT_GGUF, precision, &error);

  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

/* A file could not express these, so none is written. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *model_type;
    const char *more;
    const char *words;
  } cases[] = {
    { "llama", ", \"mlp_bias\": true", "mlp_bias" },
    { "llama", ", \"attention_bias\": true", "attention_bias" },
    { "llama", ", \"hidden_act\": \"relu\"", "hidden_act" },
    { "llama", ", \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2.0}", "rope_scaling" },
    { "mistral", ", \"sliding_window\": 8", "sliding_window" },
    { "qwen2",
      ", \"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": 2.0, "
      "\"original_max_position_embeddings\": 8}",
      "rope_scaling" },
    { "gemma2", ", \"query_pre_attn_scalar\": 7", "query_pre_attn_scalar" },
    { "gemma2", ", \"final_logit_softcapping\": 30.0", "attn_logit_softcapping" },
    { "olmo2", "", "“olmo2”" },
  };
  g_autoptr (DynoModel) llama = load_tiny (fixture, "llama", "");
  g_autoptr (DynoModel) bert = model_test_load ("bert-tiny");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoModel) model = load_tiny (fixture, cases[i].model_type, cases[i].more);

      assert_refused (model, "fp16", cases[i].words);
    }
  assert_refused (bert, "fp16", "“bert”");
  assert_refused (llama, "int4-32", "q4_k_m");
  g_assert_true (dyno_model_may_have_format (llama, DYNO_MODEL_FORMAT_GGUF));
  g_assert_false (dyno_model_may_have_format (bert, DYNO_MODEL_FORMAT_GGUF));
  g_assert_true (dyno_model_may_have_precision (llama, DYNO_MODEL_FORMAT_GGUF, "q8_0"));
  g_assert_false (dyno_model_may_have_precision (llama, DYNO_MODEL_FORMAT_ONNX, "q8_0"));
}

typedef struct
{
  char *from;
  guint n_times;
} Copied;

static gboolean
copy_cb (const char *from, const char *to, const char *precision, gpointer data, GError **error)
{
  g_autofree char *bytes = NULL;
  gsize size = 0;
  Copied *self = data;

  self->n_times++;
  g_free (self->from);
  self->from = g_strdup (from);
  g_assert_cmpstr (precision, ==, "q4_k_m");
  return g_file_get_contents (from, &bytes, &size, error) &&
         g_file_set_contents (to, bytes, (gssize)size, error);
}

/* An engine quantises the file in half precision, once for each of its versions; nothing else needs that file. */
static void
test_by_engine (Fixture *fixture, gconstpointer data)
{
  static const char *const versions[] = { "0.1", "0.1", "0.2" };
  g_autoptr (DynoModel) model = load_tiny (fixture, "llama", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) alone = dyno_model_in_format (model, DYNO_MODEL_FORMAT_GGUF, "q4_k_m", &error);
  Copied copied = { NULL };

  g_assert_no_error (error);
  g_assert_null (dyno_model_prepare (alone, "q4_k_m", SEED, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      /* The cache outlives the test, and the name of the folder is new each time. */
      g_autofree char *version = g_strconcat (fixture->folder, versions[i], NULL);
      const DynoModelQuantiser quantiser = { version, copy_cb, &copied };
      g_autoptr (DynoModel) written = dyno_model_in_format (model, DYNO_MODEL_FORMAT_GGUF, "q4_k_m", &error);
      g_autofree char *path = dyno_model_prepare_with (written, NULL, &quantiser, SEED, NULL, &error);
      g_autoptr (DynoModel) found = NULL;

      g_assert_no_error (error);
      found = dyno_model_as_written (written, path, &error);
      g_assert_no_error (error);
      g_assert_true (g_str_has_prefix (dyno_model_get_weight_mix (found), "F16"));
      g_assert_cmpstr (dyno_model_get_weights_origin (found), ==, "random");
      g_assert_cmpint (g_unlink (copied.from), ==, i == 1 ? -1 : 0);
    }
  g_assert_cmpuint (copied.n_times, ==, 2);
  g_free (copied.from);
}

static void
test_scaled_rotation (Fixture *fixture, gconstpointer data)
{
  const char *more =
      ", \"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": 8.0, \"low_freq_factor\": 1.0, "
      "\"high_freq_factor\": 4.0, \"original_max_position_embeddings\": 32}";
  g_autoptr (DynoModel) model = load_tiny (fixture, "llama", more);
  g_autofree char *path = NULL;
  g_autoptr (DynoModel) written = write_in (model, "fp32", &path);
  g_autoptr (DynoGgufHeader) header = dyno_gguf_header_read (path, NULL);
  g_autofree char *bytes = NULL;
  gsize size = 0;
  const float *divisors;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  divisors = find_numbers (bytes, size, header, "rope_freqs.weight");
  /* The first pair turns 32 / 2π times, more than four, and the last ones less than once. */
  g_assert_cmpfloat (divisors[0], ==, 1);
  g_assert_cmpfloat (divisors[7], ==, 8);
  g_assert_cmpint (dyno_model_get_parameter_count (written), ==, dyno_model_get_parameter_count (model));
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/gguf-writer/golden", test_golden },       { "/gguf-writer/described", test_described },
  { "/gguf-writer/weights", test_weights },     { "/gguf-writer/refused", test_refused },
  { "/gguf-writer/by-engine", test_by_engine }, { "/gguf-writer/scaled-rotation", test_scaled_rotation },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-graph.h"
#include "dyno-model-gguf-private.h"
#include "dyno-model.h"
#include "model-test.h"
#include "suite.h"
#include "tiny-gguf.h"

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
  fixture->path = g_build_filename (fixture->folder, "m.gguf", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->path);
  model_test_remove_folder (fixture->folder);
}

static DynoModelDescription *
describe_or_fail (const char *path)
{
  g_autoptr (GError) error = NULL;
  DynoModelDescription *description = dyno_gguf_file_describe (path, &error);

  g_assert_no_error (error);
  return description;
}

static void
assert_refused (const char *path, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModelDescription) description = dyno_gguf_file_describe (path, &error);

  g_assert_error (error, DYNO_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (description);
}

static void
assert_saved_refused (Fixture *fixture, TinyGguf *file, int code, const char *words)
{
  tiny_gguf_save (file, fixture->path);
  assert_refused (fixture->path, code, words);
}

static char *
dup_info (GPtrArray *infos, guint index)
{
  return dyno_tensor_info_to_string (infos->pdata[index]);
}

static void
test_llama (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();
  g_autoptr (DynoModelDescription) description = NULL;
  g_autofree char *tokens = NULL;
  g_autofree char *key = NULL;
  g_autofree char *logits = NULL;

  tiny_gguf_save (file, fixture->path);
  description = describe_or_fail (fixture->path);
  g_assert_cmpstr (description->architecture, ==, "llama");
  g_assert_cmpint (description->parameter_count, ==, TINY_GGUF_PARAMETERS);
  g_assert_cmpint (description->weight_bytes, ==, 4 * TINY_GGUF_PARAMETERS);
  g_assert_cmpuint (description->max_sequence_length, ==, TINY_GGUF_CONTEXT);
  g_assert_cmpstr (description->weight_mix, ==, "F32 100 %");
  g_assert_cmpint (description->real_type, ==, DYNO_DATA_TYPE_FLOAT);
  g_assert_null (description->quantisation);
  g_assert_cmpuint (description->inputs->len, ==, 1 + 2 * TINY_GGUF_LAYERS);
  tokens = dup_info (description->inputs, 0);
  key = dup_info (description->inputs, 1);
  logits = dup_info (description->outputs, 0);
  g_assert_cmpstr (tokens, ==, "input_ids: int64 [batch, sequence]");
  g_assert_cmpstr (key, ==, "past_key_values.0.key: float16 [batch, 2, past_sequence, 32]");
  g_assert_cmpstr (logits, ==, "logits: float [batch, 1, 512]");
}

/* The type of most weights is the precision; factors of rotary positions are no parameters. */
static void
test_mix (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();
  g_autoptr (DynoModelDescription) description = NULL;
  const guint64 wide[] = { 256, 4096 }, narrow[] = { 32, 4096 }, factors[] = { 8 };

  tiny_gguf_add_tensor (file, "blk.0.ffn_gate_exps.weight", TINY_GGUF_Q4_K, 2, wide, 4096 * 144);
  tiny_gguf_add_tensor (file, "blk.0.ffn_up_exps.weight", TINY_GGUF_Q8_0, 2, narrow, 4096 * 34);
  tiny_gguf_add_tensor (file, "rope_freqs.weight", TINY_GGUF_F32, 1, factors, 32);
  tiny_gguf_save (file, fixture->path);
  description = describe_or_fail (fixture->path);
  g_assert_cmpstr (description->weight_mix, ==, "Q4_K 79 %, F32 11 %, Q8_0 10 %");
  g_assert_cmpstr (description->quantisation, ==, "int4");
  g_assert_cmpint (description->parameter_count, ==, TINY_GGUF_PARAMETERS + 4096 * (256 + 32));
  g_assert_cmpint (description->weight_bytes, ==, 4 * TINY_GGUF_PARAMETERS + 4096 * (144 + 34) + 32);
}

static void
test_split (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) first = tiny_gguf_new_llama ();
  g_autoptr (TinyGguf) second = tiny_gguf_new ();
  g_autofree char *first_path = g_build_filename (fixture->folder, "m-00001-of-00002.gguf", NULL);
  g_autofree char *second_path = g_build_filename (fixture->folder, "m-00002-of-00002.gguf", NULL);
  g_autoptr (DynoModelDescription) description = NULL;
  const guint64 dims[] = { 64, 10 };

  tiny_gguf_add_number (first, "split.count", 2);
  tiny_gguf_add_number (first, "split.no", 0);
  tiny_gguf_add_text (second, "general.architecture", "llama");
  tiny_gguf_add_number (second, "split.count", 2);
  tiny_gguf_add_number (second, "split.no", 1);
  tiny_gguf_add_tensor (second, "more.weight", TINY_GGUF_F32, 2, dims, 64 * 10 * 4);
  tiny_gguf_save (first, first_path);
  assert_refused (first_path, DYNO_ERROR_NOT_FOUND, "m-00002-of-00002.gguf");
  tiny_gguf_save (second, second_path);
  assert_refused (second_path, DYNO_ERROR_INVALID_ARGUMENT, "Name the first of them");
  tiny_gguf_save (first, fixture->path);
  assert_refused (fixture->path, DYNO_ERROR_INVALID_ARGUMENT, "Name the first of them");
  description = describe_or_fail (first_path);
  g_assert_cmpint (description->parameter_count, ==, TINY_GGUF_PARAMETERS + 640);
  g_assert_true (g_hash_table_contains (description->external_files, "m-00002-of-00002.gguf"));
}

/* The first file may have only settings, and the second the table of tokens, which is the output as well. */
static void
test_split_without_tensors (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) first = tiny_gguf_new ();
  g_autoptr (TinyGguf) second = tiny_gguf_new ();
  g_autofree char *first_path = g_build_filename (fixture->folder, "m-00001-of-00002.gguf", NULL);
  g_autofree char *second_path = g_build_filename (fixture->folder, "m-00002-of-00002.gguf", NULL);
  g_autoptr (DynoModelDescription) description = NULL;
  g_autofree char *logits = NULL;
  const guint64 dims[] = { 64, 10 };

  tiny_gguf_add_text (first, "general.architecture", "llama");
  tiny_gguf_add_number (first, "llama.embedding_length", 64);
  tiny_gguf_add_number (first, "llama.block_count", 1);
  tiny_gguf_add_number (first, "split.count", 2);
  tiny_gguf_add_number (first, "split.no", 0);
  tiny_gguf_add_tensor (second, "token_embd.weight", TINY_GGUF_F32, 2, dims, 64 * 10 * 4);
  tiny_gguf_save (first, first_path);
  tiny_gguf_save (second, second_path);
  description = describe_or_fail (first_path);
  logits = dup_info (description->outputs, 0);
  g_assert_cmpstr (logits, ==, "logits: float [batch, 1, 10]");
  g_assert_cmpfloat (description->product_weights[DYNO_WEIGHT_USE_LAST], ==, 640);
  g_assert_cmpfloat (description->product_bytes[DYNO_WEIGHT_USE_LAST], ==, 4 * 640);
}

/* They have the same form, but write no text. */
static void
test_other_kinds (Fixture *fixture, gconstpointer data)
{
  static const char *const architectures[] = { "clip", "nomic-bert", "t5encoder" };
  g_autoptr (TinyGguf) adapter = tiny_gguf_new_llama ();
  g_autoptr (TinyGguf) nameless = tiny_gguf_new ();
  g_autoptr (TinyGguf) empty = tiny_gguf_new ();

  for (guint i = 0; i < G_N_ELEMENTS (architectures); i++)
    {
      g_autoptr (TinyGguf) file = tiny_gguf_new ();

      tiny_gguf_add_text (file, "general.architecture", architectures[i]);
      assert_saved_refused (fixture, file, DYNO_ERROR_UNSUPPORTED, architectures[i]);
    }
  tiny_gguf_add_text (adapter, "general.type", "adapter");
  assert_saved_refused (fixture, adapter, DYNO_ERROR_UNSUPPORTED, "token by token");
  assert_saved_refused (fixture, nameless, DYNO_ERROR_INVALID_DATA, "names no architecture");
  tiny_gguf_add_text (empty, "general.architecture", "llama");
  assert_saved_refused (fixture, empty, DYNO_ERROR_INVALID_DATA, "how many tokens");
  tiny_gguf_add_number (empty, "llama.vocab_size", 9);
  assert_saved_refused (fixture, empty, DYNO_ERROR_INVALID_DATA, "how many layers");
}

static void
test_cut_short (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();
  g_autoptr (GByteArray) bytes = tiny_gguf_to_bytes (file);

  for (guint length = 0; length < bytes->len; length += length < 2500 ? 13 : 40009)
    {
      g_assert_true (g_file_set_contents (fixture->path, (const char *)bytes->data, (gssize)length, NULL));
      g_assert_cmpint (dyno_file_has_magic (fixture->path, 0, DYNO_GGUF_MAGIC), ==, length >= 4);
      assert_refused (fixture->path, DYNO_ERROR_INVALID_DATA, "m.gguf");
    }
  g_assert_false (dyno_file_has_magic (fixture->folder, 0, DYNO_GGUF_MAGIC));
}

/* A file that is newer than Dyno is not broken, so nobody is asked to download it again. */
static int
get_code (const char *words)
{
  return strcmp (words, "does not know") == 0 || strcmp (words, "of an unknown type") == 0
             ? DYNO_ERROR_UNSUPPORTED
             : DYNO_ERROR_INVALID_DATA;
}

static void
test_hostile_tensors (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint32 type;
    guint n_dims;
    guint64 dims[5];
    const char *words;
  } tensors[] = {
    { TINY_GGUF_F32, 0, { 0 }, "dimensions" },
    { TINY_GGUF_F32, 5, { 1, 1, 1, 1, 1 }, "dimensions" },
    { TINY_GGUF_F32, 1, { 0 }, "not possible" },
    { TINY_GGUF_F32, 2, { 4, G_MAXUINT64 }, "not possible" },
    { TINY_GGUF_F32, 4, { 1 << 20, 1 << 20, 1 << 20, 1 << 20 }, "not possible" },
    { TINY_GGUF_F32, 2, { G_MAXINT64 / 2, 1 }, "not possible" },
    { TINY_GGUF_F32, 1, { 1 << 30 }, "not possible" },
    { TINY_GGUF_Q4_K, 1, { 255 }, "not possible" },
    { 4, 1, { 32 }, "does not know" },
    { G_MAXUINT32, 1, { 32 }, "does not know" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();

      tiny_gguf_add_tensor (file, "hostile", tensors[i].type, tensors[i].n_dims, tensors[i].dims, 4);
      assert_saved_refused (fixture, file, get_code (tensors[i].words), tensors[i].words);
    }
}

static void
test_hostile_headers (Fixture *fixture, gconstpointer data)
{
  /* An array of arrays, one of an unknown type, one with far too many elements, a value of an unknown type, and a key
   * that is no text. */
  static const char *const entries[][2] = {
    { "\1\0\0\0\0\0\0\0a\x09\0\0\0\x09\0\0\0\1\0\0\0\0\0\0\0", "of an unknown type" },
    { "\1\0\0\0\0\0\0\0a\x09\0\0\0\x0d\0\0\0\1\0\0\0\0\0\0\0", "of an unknown type" },
    { "\1\0\0\0\0\0\0\0a\x09\0\0\0\x08\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", "too long" },
    { "\1\0\0\0\0\0\0\0a\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "of an unknown type" },
    { "\1\0\0\0\0\0\0\0\xff\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "no text" },
  };
  static const guint32 versions[] = { 0, 1, 4, G_MAXUINT32 };
  static const guint32 alignments[] = { 0, 3, 1u << 31 };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();

      g_byte_array_append (file->entries, (const guint8 *)entries[i][0], 25);
      file->n_entries++;
      assert_saved_refused (fixture, file, get_code (entries[i][1]), entries[i][1]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();

      file->version = versions[i];
      /* No other program has versions like these. */
      assert_saved_refused (fixture, file,
                            versions[i] == 0 || versions[i] == G_MAXUINT32 ? DYNO_ERROR_INVALID_DATA
                                                                           : DYNO_ERROR_UNSUPPORTED,
                            "version");
    }
  for (guint i = 0; i < G_N_ELEMENTS (alignments); i++)
    {
      g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();

      tiny_gguf_add_number (file, "general.alignment", alignments[i]);
      assert_saved_refused (fixture, file, DYNO_ERROR_INVALID_DATA, "alignment");
    }
}

static void
test_hostile_counts (Fixture *fixture, gconstpointer data)
{
  static const guint64 counts[] = { 1000, G_MAXUINT32, G_MAXUINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (TinyGguf) many_entries = tiny_gguf_new_llama ();
      g_autoptr (TinyGguf) many_tensors = tiny_gguf_new_llama ();
      g_autoptr (TinyGguf) layers = tiny_gguf_new_llama ();

      many_entries->n_entries = counts[i];
      many_tensors->n_tensors = counts[i];
      assert_saved_refused (fixture, many_entries, DYNO_ERROR_INVALID_DATA, "m.gguf");
      assert_saved_refused (fixture, many_tensors, DYNO_ERROR_INVALID_DATA, "m.gguf");
      tiny_gguf_add_number (layers, "llama.block_count", G_MAXUINT32);
      assert_saved_refused (fixture, layers, DYNO_ERROR_INVALID_DATA, "how many layers");
    }
}

/* By hand: the matrices of the layers with each of 4 tokens, the output with the last one, and both products of
 * attention, in which each of them sees 10 tokens. A row of the table of positions is only looked up. */
static void
test_work (Fixture *fixture, gconstpointer data)
{
  const gint64 layers = 2 * (4 * 64 * 64 + 3 * 64 * 128), output = 64 * TINY_GGUF_WORDS;
  const guint64 positions[] = { 64, 32 };
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GArray) products = NULL;
  gint64 flops;
  double bytes = 0;

  tiny_gguf_add_tensor (file, "position_embd.weight", TINY_GGUF_F32, 2, positions, 64 * 32 * 4);
  tiny_gguf_save (file, fixture->path);
  model = dyno_model_load (fixture->path, NULL);
  binding = dyno_model_bind (model, 1, 4, "past_sequence=6", NULL);
  g_assert_true (dyno_model_estimate_flops (model, binding, &flops));
  g_assert_cmpint (flops, ==, 2 * (4 * layers + output + 4 * 10 * 2 * TINY_GGUF_LAYERS * TINY_GGUF_WIDTH));
  products = dyno_model_list_products (model, binding);
  for (guint i = 0; i < products->len; i++)
    bytes += g_array_index (products, DynoGraphProduct, i).bytes;
  g_assert_cmpfloat (bytes, ==,
                     4 * (double)(layers + output) + 4 * 8 + 6 * 2 * 2 * TINY_GGUF_LAYERS * TINY_GGUF_WIDTH);
}

/* The last layer predicts further tokens, which no step does. */
static void
test_layers_for_prediction (Fixture *fixture, gconstpointer data)
{
  const gint64 layer = 4 * 64 * 64 + 3 * 64 * 128, output = 64 * TINY_GGUF_WORDS;
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;
  gint64 flops;

  tiny_gguf_add_number (file, "llama.nextn_predict_layers", 1);
  tiny_gguf_save (file, fixture->path);
  model = dyno_model_load (fixture->path, NULL);
  binding = dyno_model_bind (model, 1, 1, "past_sequence=0", NULL);
  g_assert_true (dyno_model_estimate_flops (model, binding, &flops));
  g_assert_cmpint (flops, ==, 2 * (layer + output + 2 * TINY_GGUF_WIDTH));
  g_assert_cmpint (dyno_model_get_parameter_count (model), ==, TINY_GGUF_PARAMETERS);
  g_assert_cmpint (dyno_model_get_cache_bytes (model, 1, 10), ==, 10 * 2 * TINY_GGUF_WIDTH * 2);
}

static void
test_model (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TinyGguf) file = tiny_gguf_new_llama ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoModel) restored = NULL;
  g_autoptr (JsonObject) json = NULL;
  g_autofree char *prepared = NULL;

  tiny_gguf_save (file, fixture->path);
  model = dyno_model_load (fixture->path, &error);
  g_assert_no_error (error);
  json = dyno_model_to_json (model);
  restored = dyno_model_new_from_json (fixture->path, json, &error);
  g_assert_no_error (error);
  g_assert_cmpint (dyno_model_get_format (restored), ==, DYNO_MODEL_FORMAT_GGUF);
  g_assert_cmpstr (dyno_model_get_family (restored), ==, "gguf");
  g_assert_cmpstr (dyno_model_get_architecture (restored), ==, "llama");
  g_assert_cmpstr (dyno_model_get_weight_mix (restored), ==, "F32 100 %");
  g_assert_cmpstr (dyno_model_get_weights_origin (restored), ==, "file");
  g_assert_cmpstr (dyno_model_get_file_precision (restored), ==, "fp32");
  g_assert_true (dyno_model_has_cache (restored));
  /* Keys and values of two layers, in half precision. */
  g_assert_cmpint (dyno_model_get_cache_bytes (restored, 1, 10), ==, 10 * 2 * 2 * TINY_GGUF_WIDTH * 2);
  prepared = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  g_assert_cmpstr (prepared, ==, fixture->path);
  g_assert_false (dyno_model_check_precision (model, "int4-32", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "GGUF file"));
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/gguf-file/llama", test_llama },
  { "/gguf-file/mix", test_mix },
  { "/gguf-file/split", test_split },
  { "/gguf-file/split-without-tensors", test_split_without_tensors },
  { "/gguf-file/other-kinds", test_other_kinds },
  { "/gguf-file/cut-short", test_cut_short },
  { "/gguf-file/hostile-tensors", test_hostile_tensors },
  { "/gguf-file/hostile-headers", test_hostile_headers },
  { "/gguf-file/hostile-counts", test_hostile_counts },
  { "/gguf-file/work", test_work },
  { "/gguf-file/layers-for-prediction", test_layers_for_prediction },
  { "/gguf-file/model", test_model },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)

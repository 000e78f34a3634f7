/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-weights-private.h"
#include "model-test.h"
#include "suite.h"

#define FILE_NAME "model.safetensors"

static char *folder;

static void
write_bytes (const char *name, const char *header, guint64 length, gsize n_data)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  length = GUINT64_TO_LE (length);
  g_byte_array_append (bytes, (const guint8 *)&length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *)header, (guint)strlen (header));
  for (gsize i = 0; i < n_data; i++)
    {
      guint8 byte = (guint8)(i % 0x3c);

      g_byte_array_append (bytes, &byte, 1);
    }
  g_assert_true (g_file_set_contents (path, (const char *)bytes->data, bytes->len, NULL));
}

static void
write_file (const char *name, const char *header, gsize n_data)
{
  write_bytes (name, header, strlen (header), n_data);
}

static void
remove_file (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_remove (path);
}

/* Malicious files: each is refused, naming the file and, if it is about one, the tensor. */
static void
test_hostile (void)
{
#define A "{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"
  static const struct
  {
    const char *header;
    gsize n_data;
    const char *word;
  } files[] = {
    { "", 0, "header" },
    { "[]", 0, "not a JSON object" },
    { "{\"a\":" A, 8, "not a JSON object" },
    { "{\"a\":3}", 8, "“a”" },
    { "{\"a\":{}}", 8, "“a”" },
    { "{\"a\":" A "}", 7, "“a”" },
    { "{\"a\":" A "}", 9, "does not end" },
    { "{\"a\":" A ",\"a\":" A "}", 8, "twice" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "twice" },
    { "{\"a\":" A ",\"b\":" A "}", 8, "“b”" },
    { "{\"a\":" A ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[6,10]}}", 10, "“b”" },
    { "{\"a\":" A ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[9,13]}}", 13, "“b”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8,16]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8.0]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,99999999999999999999]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387906],\"data_offsets\":[0,8]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,2],\"data_offsets\":[0,8]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":\"2\",\"data_offsets\":[0,8]}}", 8, "“a”" },
    { "{\"a\":{\"dtype\":7,\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "“a”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (DynoCheckpoint) self = NULL;
      g_autoptr (GError) error = NULL;

      write_file (FILE_NAME, files[i].header, files[i].n_data);
      self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error);
      g_test_message ("%s: %s", files[i].header, error != NULL ? error->message : "taken");
      g_assert_null (self);
      g_assert_nonnull (strstr (error->message, FILE_NAME));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, files[i].word);
    }
}

static void
assert_refused (DynoError code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error));
  suite_assert_error (error, code, word);
}

static void
test_lengths (void)
{
  static const guint64 lengths[] = {
    3, 100, G_MAXUINT64, G_MAXUINT64 - 7, G_GUINT64_CONSTANT (1) << 63, 200 * 1000 * 1000
  };
  g_autofree char *path = g_build_filename (folder, FILE_NAME, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      write_bytes (FILE_NAME, "{}", lengths[i], 0);
      assert_refused (DYNO_ERROR_INVALID_DATA, "header");
    }
  g_assert_true (g_file_set_contents (path, "1234567", 7, NULL));
  assert_refused (DYNO_ERROR_INVALID_DATA, "header");
  g_remove (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_refused (DYNO_ERROR_INVALID_DATA, "not a file");
  g_remove (path);
}

/* One weight of two rows and three columns, and a bias. */
static DynoGraph *
create_graph (DynoDataType type, gboolean is_turned)
{
  const gint64 dims[] = { 2, 3 };
  DynoGraph *graph = dyno_graph_new (NULL);
  const char *weight;

  dyno_graph_set_real_type (graph, type);
  weight = dyno_graph_add_weight (graph, "body.dense.weight", 0, 1, 2, dims);
  if (is_turned)
    dyno_graph_turn_weight (graph, weight);
  dyno_graph_add_weight (graph, "body.dense.bias", 0, 1, 1, dims);
  dyno_graph_add_weight (graph, "head.bias", 0, 1, 1, dims);
  return graph;
}

#define BIAS(NAME) "\"" NAME "\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}"
#define LIKE(NAME, TYPE, SHAPE)                                                                              \
  "\"" NAME "\":{\"dtype\":\"" TYPE "\",\"shape\":" SHAPE ",\"data_offsets\":[0,24]}"

static void
test_names (void)
{
  static const DynoNamePair pairs[] = { { "dense.", "linear." }, { NULL } };
  static const char *const optional[] = { "head.", NULL };
  static const DynoNaming naming = { "body", pairs, optional };
  static const char *const headers[] = {
    "{" LIKE ("body.dense.weight", "F32", "[2,3]") "," BIAS ("body.dense.bias") "}",
    "{" LIKE ("dense.weight", "F32", "[2,3]") "," BIAS ("dense.bias") "}",
    "{" LIKE ("body.linear.weight", "F32", "[2,3]") "," BIAS ("body.dense.bias") "}",
    "{" LIKE ("linear.weight", "F32", "[2,3]") "," BIAS ("body.linear.bias") "}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autoptr (DynoGraph) graph = create_graph (DYNO_DATA_TYPE_FLOAT, FALSE);
      g_autoptr (GPtrArray) lacking = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (DynoCheckpoint) self = NULL;
      g_autoptr (GError) error = NULL;

      write_file (FILE_NAME, headers[i], 32);
      self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error);
      g_assert_no_error (error);
      g_assert_true (dyno_checkpoint_bind (self, &naming, graph, lacking, &error));
      g_assert_cmpuint (lacking->len, ==, 1);
      g_assert_cmpstr (lacking->pdata[0], ==, "head.bias");
      g_assert_false (dyno_checkpoint_bind (self, NULL, graph, NULL, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "lack the tensor “");
    }
}

static void
test_misfits (void)
{
  static const char *const optional[] = { "body.dense.bias", "head.", NULL };
  static const DynoNaming naming = { .optional = optional };
  static const struct
  {
    const char *header;
    gboolean is_turned;
    DynoError code;
    const char *word;
  } files[] = {
    { "{" LIKE ("body.dense.weight", "F32", "[3,2]") "}", FALSE, DYNO_ERROR_INVALID_DATA, "float [2, 3]" },
    { "{" LIKE ("body.dense.weight", "F32", "[2,3]") "}", TRUE, DYNO_ERROR_INVALID_DATA, "float [3, 2]" },
    { "{" LIKE ("body.dense.weight", "F32", "[6]") "}", FALSE, DYNO_ERROR_INVALID_DATA, "float [6]" },
    { "{" LIKE ("body.dense.weight", "I32", "[2,3]") "}", FALSE, DYNO_ERROR_UNSUPPORTED, "type I32" },
    { "{" LIKE ("body.dense.weight", "F8_E4M3", "[2,3]") "}", FALSE, DYNO_ERROR_UNSUPPORTED,
      "do not fit one another" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (DynoGraph) graph = create_graph (DYNO_DATA_TYPE_FLOAT, files[i].is_turned);
      g_autoptr (DynoCheckpoint) self = NULL;
      g_autoptr (GError) error = NULL;

      write_file (FILE_NAME, files[i].header, 24);
      self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error);
      g_assert_no_error (error);
      g_assert_false (dyno_checkpoint_bind (self, &naming, graph, NULL, &error));
      g_assert_nonnull (strstr (error->message, "“body.dense.weight”"));
      g_assert_nonnull (strstr (error->message, FILE_NAME));
      suite_assert_error (error, files[i].code, files[i].word);
    }
}

static void
write_index (const char *text)
{
  g_autofree char *path = g_build_filename (folder, FILE_NAME ".index.json", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
make_part (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
}

/* The weights of a pipeline are in subfolders: in one file, in half precision or in shards. */
static void
test_pipeline (void)
{
  static const char *const optional[] = { "head.", NULL };
  static const DynoNaming naming = { .optional = optional };
  static const struct
  {
    const char *file;
    const char *index;
  } files[] = {
    { "body/diffusion_pytorch_model.safetensors", NULL },
    { "body/model.fp16.safetensors", NULL },
    { "body/diffusion_pytorch_model-1.safetensors", "body/diffusion_pytorch_model.safetensors.index.json" },
  };
  g_autofree char *list = g_build_filename (folder, "model_index.json", NULL);

  make_part ("body");
  make_part ("other");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (DynoGraph) graph = create_graph (DYNO_DATA_TYPE_FLOAT, FALSE);
      g_autofree char *index =
          files[i].index != NULL ? g_build_filename (folder, files[i].index, NULL) : NULL;
      g_autoptr (DynoCheckpoint) self = NULL;
      g_autoptr (GError) error = NULL;

      write_file (files[i].file, "{" LIKE ("dense.weight", "F32", "[2,3]") "," BIAS ("dense.bias") "}", 32);
      if (index != NULL)
        g_assert_true (g_file_set_contents (
            index,
            "{\"weight_map\": {\"dense.weight\": \"diffusion_pytorch_model-1.safetensors\","
            "\"dense.bias\": \"diffusion_pytorch_model-1.safetensors\"}}",
            -1, NULL));
      g_assert_false (dyno_checkpoint_exists (folder));
      g_assert_true (g_file_set_contents (list, "{}", -1, NULL));
      g_assert_true (dyno_checkpoint_exists (folder));
      self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error);
      g_assert_no_error (error);
      g_assert_true (dyno_checkpoint_bind (self, &naming, graph, NULL, &error));
      g_assert_cmpstr (dyno_checkpoint_list_files (self)->pdata[0], ==,
                       index != NULL ? files[i].index : files[i].file);
      remove_file (files[i].file);
      if (index != NULL)
        g_remove (index);
      g_remove (list);
    }
  g_assert_true (g_file_set_contents (list, "{}", -1, NULL));
  write_file ("other/model.safetensors", "{" LIKE ("dense.weight", "F32", "[2,3]") "}", 24);
  {
    g_autoptr (DynoGraph) graph = create_graph (DYNO_DATA_TYPE_FLOAT, FALSE);
    g_autoptr (DynoCheckpoint) self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, NULL);
    g_autoptr (GError) error = NULL;

    g_assert_false (dyno_checkpoint_bind (self, &naming, graph, NULL, &error));
    suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "none for “body”");
  }
  remove_file ("other/model.safetensors");
  remove_file ("model_index.json");
  remove_file ("body");
  remove_file ("other");
}

static void
test_shards (void)
{
  static const char *const optional[] = { "head.", NULL };
  static const DynoNaming naming = { .optional = optional };
  g_autoptr (DynoGraph) graph = create_graph (DYNO_DATA_TYPE_FLOAT, FALSE);
  g_autoptr (DynoCheckpoint) self = NULL;
  g_autoptr (GError) error = NULL;

  remove_file (FILE_NAME);
  write_file ("a.safetensors", "{" LIKE ("body.dense.weight", "F32", "[2,3]") "}", 24);
  write_file ("b.safetensors", "{\"body.dense.bias\":" A "}", 8);
  write_index (
      "{\"weight_map\":{\"body.dense.weight\":\"a.safetensors\",\"body.dense.bias\":\"b.safetensors\"}}");
  self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error);
  g_assert_no_error (error);
  g_assert_true (dyno_checkpoint_bind (self, &naming, graph, NULL, &error));
  g_assert_cmpuint (dyno_checkpoint_list_files (self)->len, ==, 3);
  write_index ("{\"weight_map\":{\"body.dense.weight\":\"b.safetensors\"}}");
  assert_refused (DYNO_ERROR_INVALID_DATA, "“body.dense.weight” is not in “b.safetensors”");
  write_index ("{\"weight_map\":{\"body.dense.weight\":\"../a.safetensors\"}}");
  assert_refused (DYNO_ERROR_INVALID_DATA, "“body.dense.weight” is not beside");
  write_index ("{\"weight_map\":{\"body.dense.weight\":\"/etc/passwd\"}}");
  assert_refused (DYNO_ERROR_INVALID_DATA, "“body.dense.weight” is not beside");
  write_index ("{\"weight_map\":{\"body.dense.weight\":7}}");
  assert_refused (DYNO_ERROR_INVALID_DATA, "“body.dense.weight” is not beside");
  write_index ("{\"weight_map\":{\"body.dense.weight\":\"c.safetensors\"}}");
  assert_refused (DYNO_ERROR_NOT_FOUND, "c.safetensors");
  write_index ("{}");
  assert_refused (DYNO_ERROR_INVALID_DATA, "names no files");
  remove_file (FILE_NAME ".index.json");
  assert_refused (DYNO_ERROR_NOT_FOUND, "no weights");
}

static float
value_at (const DynoSafetensor *tensor, gsize index)
{
  guint16 bits;
  float value;

  if (tensor->shape.type == DYNO_DATA_TYPE_FLOAT)
    {
      memcpy (&value, tensor->data + 4 * index, sizeof value);
      return value;
    }
  memcpy (&bits, tensor->data + 2 * index, sizeof bits);
  return tensor->shape.type == DYNO_DATA_TYPE_FLOAT16 ? dyno_float16_to_float (bits)
                                                      : dyno_float16_bfloat_to_float (bits);
}

/* In any type of the file, each value is in the right place, alone or with the rest. */
static void
test_values (void)
{
  static const char *const headers[] = {
    "{" LIKE ("w", "F32", "[3,2]") "}",
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}",
    "{\"w\":{\"dtype\":\"BF16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}",
  };
  const gint64 dims[] = { 2, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
      g_autoptr (DynoCheckpoint) self = NULL;
      const DynoWeight *weight;
      float whole[6], row[3];

      write_file (FILE_NAME, headers[i], i == 0 ? 24 : 12);
      self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, NULL);
      dyno_graph_turn_weight (graph, dyno_graph_add_weight (graph, "w", 0, 1, 2, dims));
      g_assert_true (dyno_checkpoint_bind (self, NULL, graph, NULL, NULL));
      weight = dyno_graph_get_weights (graph)->pdata[0];
      dyno_weights_fill (weight, 1, 0, whole, 6);
      dyno_weights_fill (weight, 1, 3, row, 3);
      for (guint k = 0; k < 6; k++)
        g_assert_cmpfloat (whole[k], ==, value_at (weight->tensor, k % 3 * 2 + k / 3));
      g_assert_cmpmem (whole + 3, sizeof row, row, sizeof row);
    }
}

/* Tensors that follow from others do not count as left over. */
static void
test_unused (void)
{
#define ONE(NAME, TYPE, PLACE)                                                                               \
  "\"" NAME "\":{\"dtype\":\"" TYPE "\",\"shape\":[1],\"data_offsets\":" PLACE "}"
  g_autofree char *header = g_strconcat (
      "{", LIKE ("body.dense.weight", "F32", "[2,3]"), ",", BIAS ("body.dense.bias"), ",",
      "\"head.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[32,40]},",
      ONE ("score.weight", "F32", "[40,44]"), ",", ONE ("other.weight", "BF16", "[44,46]"), ",",
      ONE ("lm_head.weight", "F32", "[46,50]"), ",", ONE ("position_ids", "I64", "[50,58]"), "}", NULL);
#undef ONE
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_graph_free);
  g_autoptr (GPtrArray) unused = NULL;
  g_autoptr (DynoCheckpoint) self = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (graphs, create_graph (DYNO_DATA_TYPE_FLOAT, FALSE));
  write_file (FILE_NAME, header, 58);
  self = dyno_checkpoint_open (folder, &(DynoPackedFormat){ 0 }, &error);
  g_assert_no_error (error);
  g_assert_true (dyno_checkpoint_bind (self, NULL, graphs->pdata[0], NULL, &error));
  unused = dyno_checkpoint_list_unused (self, graphs);
  g_assert_cmpuint (unused->len, ==, 2);
  g_assert_cmpstr (unused->pdata[0], ==, "other.weight");
  g_assert_cmpstr (unused->pdata[1], ==, "score.weight");
}

static int
run_suite (int argc, char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = model_test_make_folder ();
  g_test_add_func ("/checkpoint/hostile", test_hostile);
  g_test_add_func ("/checkpoint/lengths", test_lengths);
  g_test_add_func ("/checkpoint/names", test_names);
  g_test_add_func ("/checkpoint/misfits", test_misfits);
  g_test_add_func ("/checkpoint/shards", test_shards);
  g_test_add_func ("/checkpoint/pipeline", test_pipeline);
  g_test_add_func ("/checkpoint/unused", test_unused);
  g_test_add_func ("/checkpoint/values", test_values);
  result = g_test_run ();
  model_test_remove_folder (folder);
  return result;
}

SUITE (run_suite)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-onnx-file.h"
#include "model-test.h"

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

static Onnx__ModelProto *
embedding_model (void)
{
  Onnx__ModelProto *model = model_test_onnx_new ();

  model_test_onnx_add_input (model, "ids", DYNO_DATA_TYPE_INT64, "batch, ?");
  model_test_onnx_add_input (model, "scale", DYNO_DATA_TYPE_FLOAT, "1, 4");
  model_test_onnx_add_input (model, "table", DYNO_DATA_TYPE_FLOAT, "50, 4");
  model_test_onnx_add_weight (model, "table", DYNO_DATA_TYPE_FLOAT, 50, 4);
  model_test_onnx_add_weight (model, "gamma", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_weight (model, "mean", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_weight (model, "shape", DYNO_DATA_TYPE_INT64, 3, 0);
  model_test_onnx_add_weight (model, "half", DYNO_DATA_TYPE_FLOAT, 1, 0);
  model_test_onnx_add_node (model, "Cast", "cast", "ids", NULL);
  model_test_onnx_add_node (model, "Gather", "rows", "table", "cast", NULL);
  model_test_onnx_add_node (model, "BatchNormalization", "norm", "rows", "gamma", "gamma", "mean", "mean",
                            NULL);
  model_test_onnx_add_node (model, "Mul", "y", "norm", "scale", NULL);
  model_test_onnx_add_output (model, "y", "batch, ?, 4");
  return model;
}

static void
test_describe (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autofree char *path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModelDescription) description = dyno_onnx_file_describe (path, &error);
  const gint64 *limit;

  g_assert_no_error (error);
  g_assert_cmpuint (description->inputs->len, ==, 2);
  g_assert_cmpuint (description->outputs->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_info_get_symbol (description->inputs->pdata[0], 0), ==, "batch");
  g_assert_cmpstr (dyno_tensor_info_get_symbol (description->inputs->pdata[0], 1), ==, "ids:1");
  g_assert_cmpint (dyno_tensor_info_get_size (description->inputs->pdata[1], 1), ==, 4);
  g_assert_cmpint (description->parameter_count, ==, 200 + 4);
  g_assert_cmpint (description->weight_bytes, ==, 4 * (200 + 4 + 4 + 1) + 8 * 3);
  limit = g_hash_table_lookup (description->row_limits, "ids");
  g_assert_true (limit != NULL && *limit == 50);
  g_assert_false (g_hash_table_contains (description->row_limits, "scale"));
}

static void
assert_refused (const char *path, DynoError code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_onnx_file_describe (path, &error));
  model_test_assert_error (error, code, word);
}

static void
assert_contents_refused (Fixture *fixture, const char *contents, gsize size, const char *word)
{
  g_autofree char *path = g_build_filename (fixture->folder, "bad.onnx", NULL);

  g_assert_true (g_file_set_contents (path, contents, size, NULL));
  assert_refused (path, DYNO_ERROR_INVALID_DATA, word);
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  static const char text[] = "<!doctype html><title>Not found</title>";
  static const char random[] = "\x0a\x03xyz\x12\x00";
  g_autofree char *missing = g_build_filename (fixture->folder, "missing.onnx", NULL);

  assert_refused (missing, DYNO_ERROR_NOT_FOUND, "missing.onnx");
  assert_refused (fixture->folder, DYNO_ERROR_INVALID_DATA, "not a file");
  assert_contents_refused (fixture, "", 0, "empty");
  assert_contents_refused (fixture, text, sizeof text, "not an ONNX model");
  assert_contents_refused (fixture, random, sizeof random, "not an ONNX model");
}

/* Each is known by its first bytes, and the user is told what to do. */
static void
test_foreign (Fixture *fixture, gconstpointer data)
{
#define FOREIGN(contents, advice) assert_contents_refused (fixture, contents, sizeof contents, advice)
  FOREIGN ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull");
  FOREIGN ("GGUF\3\0\0\0", "llama-server");
  FOREIGN ("PK\3\4\x14\0", "ZIP archive");
  FOREIGN ("\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.", "PyTorch file");
  FOREIGN ("\x1c\0\0\0TFL3\0", "TensorFlow Lite");
  FOREIGN ("\x89HDF\r\n\x1a\n", "HDF5");
  FOREIGN ("\x40\0\0\0\0\0\0\0{\"w\":", "safetensors");
  FOREIGN ("<?xml version=\"1.0\"?>\n<net name=\"m\">", "OpenVINO");
  FOREIGN ("GGU", "not an ONNX model, or");
#undef FOREIGN
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autofree char *path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  g_autofree char *contents = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  for (gsize part = 1; part < size; part += 31)
    assert_contents_refused (fixture, contents, part, "cut short");
}

static void
test_no_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = model_test_onnx_new ();
  g_autofree char *path = NULL;

  model_test_onnx_add_node (model, "RandomNormal", "y", NULL);
  model_test_onnx_add_output (model, "y", "4");
  path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  assert_refused (path, DYNO_ERROR_UNSUPPORTED, "no inputs");
}

static void
test_impossible_weight (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autofree char *path = NULL;

  model->graph->initializer[0]->dims[0] = G_MAXINT64;
  path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  assert_refused (path, DYNO_ERROR_INVALID_DATA, "impossible shape");
}

static void
test_unreadable_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autofree char *path = NULL;

  model->graph->output[0]->name[0] = (char)0xff;
  path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  assert_refused (path, DYNO_ERROR_INVALID_DATA, "not text");
}

/* Nothing about a node is taken for granted: here an attribute has no name. */
static void
test_nameless_attribute (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  g_autoptr (DynoModelDescription) description = NULL;
  g_autofree char *path = NULL;
  Onnx__NodeProto *gather = model->graph->node[1];

  gather->n_attribute = 1;
  gather->attribute = g_new0 (Onnx__AttributeProto *, 1);
  gather->attribute[0] = g_new0 (Onnx__AttributeProto, 1);
  onnx__attribute_proto__init (gather->attribute[0]);
  path = model_test_onnx_save (model, fixture->folder, "m.onnx");
  description = dyno_onnx_file_describe (path, NULL);
  g_assert_nonnull (description);
}

static char *
save_external (Fixture *fixture, const char *location, const char *offset)
{
  g_autoptr (Onnx__ModelProto) model = embedding_model ();
  Onnx__TensorProto *tensor = model->graph->initializer[0];

  g_clear_pointer (&tensor->raw_data.data, g_free);
  tensor->raw_data.len = 0;
  tensor->has_raw_data = FALSE;
  model_test_onnx_add_external (tensor, "location", location);
  model_test_onnx_add_external (tensor, "offset", offset);
  model_test_onnx_add_external (tensor, "length", "800");
  return model_test_onnx_save (model, fixture->folder, "m.onnx");
}

static void
assert_external_refused (
    Fixture *fixture, const char *location, const char *offset, DynoError code, const char *word)
{
  g_autofree char *path = save_external (fixture, location, offset);

  assert_refused (path, code, word);
}

static void
test_external (Fixture *fixture, gconstpointer data)
{
  g_autofree char *weights = g_build_filename (fixture->folder, "m.data", NULL);
  g_autofree char *zeros = g_malloc0 (1000);
  g_autofree char *path = NULL;
  g_autoptr (DynoModelDescription) description = NULL;
  g_autoptr (GError) error = NULL;

  assert_external_refused (fixture, "m.data", "200", DYNO_ERROR_NOT_FOUND, "m.data");
  g_assert_true (g_file_set_contents (weights, zeros, 1000, NULL));
  assert_external_refused (fixture, "m.data", "201", DYNO_ERROR_INVALID_DATA, "too short");
  assert_external_refused (fixture, "m.data", "18446744073709551615", DYNO_ERROR_INVALID_DATA, "too short");
  assert_external_refused (fixture, "../m.data", "200", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, "a/../../m.data", "200", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, weights, "200", DYNO_ERROR_INVALID_DATA, "outside");
  assert_external_refused (fixture, "", "200", DYNO_ERROR_INVALID_DATA, "in which file");

  path = save_external (fixture, "m.data", "200");
  description = dyno_onnx_file_describe (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (description->parameter_count, ==, 204);
}

static void
add (const char *path, void (*test) (Fixture *fixture, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/onnx-file/describe", test_describe);
  add ("/onnx-file/damaged", test_damaged);
  add ("/onnx-file/foreign", test_foreign);
  add ("/onnx-file/truncated", test_truncated);
  add ("/onnx-file/no-inputs", test_no_inputs);
  add ("/onnx-file/impossible-weight", test_impossible_weight);
  add ("/onnx-file/unreadable-names", test_unreadable_names);
  add ("/onnx-file/nameless-attribute", test_nameless_attribute);
  add ("/onnx-file/external", test_external);
  return g_test_run ();
}

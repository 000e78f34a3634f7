/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-model-needs.h"
#include "dyno-model.h"
#include "dyno-onnx-writer.h"
#include "dyno-paths.h"
#include "model-test.h"
#include "suite.h"

#define TINY "bert-tiny"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
  dyno_paths_set_root (DYNO_PATH_CACHE, fixture->folder);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_CACHE, NULL);
  model_test_remove_folder (fixture->folder);
}

static char *
prepare (DynoModel *model, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  char *path = dyno_model_prepare (model, "fp32", seed, NULL, &error);

  g_assert_no_error (error);
  return path;
}

static DynoBinding *
bind (DynoModel *model, guint batch_size, guint sequence_length, const char *overrides)
{
  g_autoptr (GError) error = NULL;
  DynoBinding *binding = dyno_model_bind (model, batch_size, sequence_length, overrides, &error);

  g_assert_no_error (error);
  return binding;
}

static void
assert_same_signature (GPtrArray *a, GPtrArray *b)
{
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      g_autofree char *first = dyno_tensor_info_to_string (a->pdata[i]);
      g_autofree char *second = dyno_tensor_info_to_string (b->pdata[i]);

      g_assert_cmpstr (first, ==, second);
    }
}

/* A model is read back unchanged. */
static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { TINY, "mobilenet_v2_1.0_224", "deit-tiny-patch16-224" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (DynoModel) built = model_test_load (ids[i]);
      g_autofree char *path = prepare (built, 1);
      g_autoptr (DynoModel) file = model_test_load (path);
      g_autofree char *own_path = prepare (file, 1);

      g_assert_cmpstr (own_path, ==, path);
      g_assert_cmpstr (dyno_model_get_family (file), ==, "onnx");
      g_assert_cmpstr (dyno_model_get_id (file), ==, path);
      g_assert_cmpint (dyno_model_get_parameter_count (file), ==, dyno_model_get_parameter_count (built));
      g_assert_cmpint (dyno_model_get_weight_bytes (file), ==, dyno_model_get_weight_bytes (built));
      assert_same_signature (dyno_model_get_inputs (file), dyno_model_get_inputs (built));
      assert_same_signature (dyno_model_get_outputs (file), dyno_model_get_outputs (built));
    }
}

static gboolean
holds (const char *contents, gsize size, const char *part, gsize part_size)
{
  return memmem (contents, size, part, part_size) != NULL;
}

/* The same numbers, in a file of their own beside the model. */
static void
test_external_weights (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autofree char *inline_path = prepare (model, 1);
  g_autofree char *path = NULL;
  g_autofree char *weights_path = NULL;
  g_autofree char *inline_bytes = NULL;
  g_autofree char *weights = NULL;
  g_autoptr (DynoModel) file = NULL;
  gsize inline_size, size;

  g_assert_true (g_file_get_contents (inline_path, &inline_bytes, &inline_size, NULL));
  dyno_onnx_writer_set_inline_limit (1000);
  weights_path = g_build_filename (fixture->folder, "other", NULL);
  dyno_paths_set_root (DYNO_PATH_CACHE, weights_path);
  path = prepare (model, 1);
  g_free (weights_path);
  weights_path = g_strconcat (path, ".data", NULL);
  g_assert_true (g_file_get_contents (weights_path, &weights, &size, NULL));
  g_assert_cmpuint (size, >=, (gsize)dyno_model_get_weight_bytes (model));
  g_assert_true (holds (inline_bytes, inline_size, weights, 4096));
  g_assert_true (holds (inline_bytes, inline_size, weights + size - 4096, 128));
  file = model_test_load (path);
  g_assert_cmpint (dyno_model_get_parameter_count (file), ==, dyno_model_get_parameter_count (model));
  dyno_onnx_writer_set_inline_limit (G_GINT64_CONSTANT (1900) * 1000 * 1000);
}

/* Engines map the weights of a cached model unless they are small; an export is one file, with the rights of any new one. */
static void
test_mapped_weights (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("all-MiniLM-L6-v2");
  g_autofree char *path = prepare (model, 1);
  g_autofree char *weights = g_strconcat (path, ".data", NULL);
  g_autofree char *exported = g_build_filename (fixture->folder, "one.onnx", NULL);
  g_autoptr (DynoModel) read = model_test_load (path);
  g_autoptr (GError) error = NULL;
  GStatBuf whole, part;
  mode_t before;

  g_assert_cmpint (g_stat (path, &part), ==, 0);
  g_assert_cmpint (part.st_size, <, 1000000);
  g_assert_cmpint (g_stat (weights, &part), ==, 0);
  g_assert_cmpint (part.st_size, >=, dyno_model_get_weight_bytes (model));
  g_assert_cmpint (dyno_model_get_parameter_count (read), ==, dyno_model_get_parameter_count (model));
  g_assert_true (dyno_model_export (model, NULL, 1, exported, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (exported, &whole), ==, 0);
  g_assert_cmpint (whole.st_size, >=, dyno_model_get_weight_bytes (model));
  before = umask (0022);
  umask (before);
  g_assert_cmpint (whole.st_mode & 0777, ==, 0666 & ~before);
}

static void
test_decoder_signature (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("SmolLM2-135M");
  GPtrArray *inputs = dyno_model_get_inputs (model);
  GPtrArray *outputs = dyno_model_get_outputs (model);
  g_autofree char *key = dyno_tensor_info_to_string (inputs->pdata[3]);
  g_autofree char *logits = dyno_tensor_info_to_string (outputs->pdata[0]);
  g_autofree char *present = dyno_tensor_info_to_string (outputs->pdata[2]);

  g_assert_cmpuint (inputs->len, ==, 3 + 2 * 30);
  g_assert_cmpuint (outputs->len, ==, 1 + 2 * 30);
  g_assert_cmpstr (key, ==, "past_key_values.0.key: float [batch, 3, past, 64]");
  g_assert_cmpstr (logits, ==, "logits: float [batch, sequence, 49152]");
  g_assert_cmpstr (present, ==, "present.0.value: float [batch, 3, past + sequence, 64]");
  g_assert_true (dyno_model_has_batch (model) && dyno_model_has_sequence (model) &&
                 dyno_model_has_cache (model));
  g_assert_cmpuint (dyno_model_get_max_sequence_length (model), ==, 8192);
}

static void
write_text (Fixture *fixture, const char *part, const char *name, const char *text)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "pipeline", part, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

#define BERT                                                                                                 \
  "{\"model_type\": \"bert\", \"vocab_size\": 9, \"hidden_size\": 8, \"num_hidden_layers\": 1, "             \
  "\"num_attention_heads\": 2, \"intermediate_size\": 8, \"max_position_embeddings\": 8}"

/* The parts of a pipeline are in separate folders: here those of a bundled one. */
static void
write_pipeline (Fixture *fixture, const char *id)
{
  g_autofree char *file = g_strconcat (id, ".json", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "models", file, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *config;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  config = json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "config");
  json_object_iter_init (&iter, config);
  while (json_object_iter_next (&iter, &name, &node))
    if (JSON_NODE_HOLDS_OBJECT (node))
      {
        g_autofree char *text = dyno_json_text_write (node, FALSE);

        write_text (fixture, name, g_str_equal (name, "scheduler") ? "scheduler_config.json" : "config.json",
                    text);
      }
}

/* A pipeline that is known is a model of the parts beside its index. */
static void
test_known_pipeline (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "pipeline", NULL);
  g_autofree char *unet = g_build_filename (folder, "unet", "config.json", NULL);
  g_autoptr (DynoModel) bundled = model_test_load ("tiny-stable-diffusion");
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GError) error = NULL;

  write_text (fixture, "", "model_index.json",
              "{\"_class_name\": \"StableDiffusionPipeline\", \"scheduler\": [\"diffusers\", \"x\"], "
              "\"text_encoder\": [\"transformers\", \"x\"], \"unet\": [\"diffusers\", \"x\"], "
              "\"vae\": [\"diffusers\", \"x\"], \"safety_checker\": [null, null], \"..\": [\"a\", \"b\"]}");
  write_pipeline (fixture, "tiny-stable-diffusion");
  model = model_test_load (folder);
  g_assert_cmpstr (dyno_model_get_architecture (model), ==, "StableDiffusionPipeline");
  g_assert_cmpint (dyno_model_get_parameter_count (model), ==, dyno_model_get_parameter_count (bundled));
  write_text (fixture, "unet", "config.json", "{");
  g_assert_null (dyno_model_load (folder, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "unet/config.json");
  write_text (fixture, "unet", "config.json", BERT);
  g_assert_null (dyno_model_load (folder, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "block_out_channels");
  g_remove (unet);
  g_assert_null (dyno_model_load (folder, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "unet");
}

static void
assert_levels (GPtrArray *inputs, const gint64 *expected, gsize n)
{
  for (guint i = 0; i < inputs->len; i++)
    if (g_str_equal (dyno_tensor_get_name (inputs->pdata[i]), "noise_levels"))
      {
        g_assert_cmpmem (dyno_tensor_get_data (inputs->pdata[i]), n * sizeof *expected, expected,
                         n * sizeof *expected);
        return;
      }
  g_assert_not_reached ();
}

/* Steps go from the most noise to none, at the distances and with the offset of the config, and each counts as work. */
static void
test_steps (Fixture *fixture, gconstpointer data)
{
  static const gint64 expected[] = { 752, 502, 502, 252, 252, 2, 2, 0 };
  g_autoptr (DynoModel) model = model_test_load ("tiny-stable-diffusion");
  g_autoptr (GPtrArray) inputs = NULL;
  gint64 flops[5];

  for (guint n = 1; n <= 4; n++)
    {
      g_autofree char *steps = g_strdup_printf ("steps=%u", n);
      g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 8, steps, NULL);

      g_assert_true (dyno_model_estimate_flops (model, binding, &flops[n]));
      g_clear_pointer (&inputs, g_ptr_array_unref);
      inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
    }
  g_assert_false (dyno_model_counts_tokens (model));
  g_assert_cmpint (flops[2], >, flops[1]);
  g_assert_cmpint (flops[3] - flops[2], ==, flops[2] - flops[1]);
  g_assert_cmpint (flops[4] - flops[3], ==, flops[2] - flops[1]);
  assert_levels (inputs, expected, G_N_ELEMENTS (expected));
}

/* The second step of PNDM starts where the first did. */
static void
test_levels_of_pair (Fixture *fixture, gconstpointer data)
{
  static const gint64 expected[] = {
    668, 335, 668, 0, 335, 335, 668, 1, 335, 2, 335, 2, 2, 0, 2, 3,
  };
  g_autoptr (DynoModel) model = model_test_load ("stable-diffusion-v1-5");
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 8, "steps=4", NULL);
  g_autoptr (GPtrArray) inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);

  assert_levels (inputs, expected, G_N_ELEMENTS (expected));
}

/* An unknown pipeline is not a model, but the error names its parts, each of which is a model. */
static void
test_pipeline (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "pipeline", NULL);
  g_autofree char *index = g_build_filename (folder, "model_index.json", NULL);
  g_autofree char *part = g_build_filename (folder, "text_encoder", NULL);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GError) error = NULL;

  write_text (fixture, "", "model_index.json",
              "{\"_class_name\": \"DreamPipeline\", \"text_encoder\": [\"transformers\", \"BertModel\"], "
              "\"scheduler\": [\"diffusers\", \"PNDMScheduler\"], \"feature_extractor\": [null, null]}");
  g_assert_null (dyno_model_load (folder, &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "(DreamPipeline), but none");
  write_text (fixture, "scheduler", "scheduler_config.json", "{}");
  write_text (fixture, "text_encoder", "config.json", BERT);
  g_assert_null (dyno_model_load (folder, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "put it together: text_encoder. ");
  g_assert_null (dyno_model_load (index, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "pipeline/text_encoder");
  model = model_test_load (part);
  g_assert_cmpstr (dyno_model_get_architecture (model), ==, "bert");
}

static void
test_seeds (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autoptr (DynoModel) again = model_test_load (TINY);
  g_autofree char *first = prepare (model, 1);
  g_autofree char *same = prepare (again, 1);
  g_autofree char *other = prepare (model, 2);
  g_autofree char *first_bytes = NULL;
  g_autofree char *other_bytes = NULL;
  gsize first_size, other_size;

  g_assert_cmpstr (first, ==, same);
  g_assert_cmpstr (first, !=, other);
  g_assert_true (g_file_get_contents (first, &first_bytes, &first_size, NULL));
  g_assert_true (g_file_get_contents (other, &other_bytes, &other_size, NULL));
  g_assert_cmpuint (first_size, ==, other_size);
  g_assert_cmpint (memcmp (first_bytes, other_bytes, first_size), !=, 0);
}

static void
test_finite_weights (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autofree char *path = prepare (model, 1);
  g_autofree char *bytes = NULL;
  Onnx__ModelProto *proto;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  proto = onnx__model_proto__unpack (NULL, size, (guint8 *)bytes);
  g_assert_nonnull (proto);
  g_assert_cmpint (proto->ir_version, ==, 8);
  g_assert_cmpint (proto->opset_import[0]->version, ==, 17);
  for (gsize i = 0; i < proto->graph->n_initializer; i++)
    {
      const ProtobufCBinaryData *raw = &proto->graph->initializer[i]->raw_data;

      g_assert_cmpuint (raw->len, >, 0);
      for (gsize k = 0; k < raw->len; k += sizeof (float))
        {
          float value;

          memcpy (&value, raw->data + k, sizeof value);
          g_assert_true (isfinite (value) && fabsf (value) < 4);
        }
    }
  onnx__model_proto__free_unpacked (proto, NULL);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (dyno_model_prepare (model, "fp32", 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_precision (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_prepare (model, "int3", 1, NULL, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "int3");
}

/* @type is that of the weight, which is quantised together with what it is multiplied with. */
static DynoModel *
load_quantised (Fixture *fixture, DynoDataType type)
{
  g_autoptr (Onnx__ModelProto) file = model_test_onnx_new ();
  g_autofree char *path = NULL;

  model_test_onnx_add_input (file, "x", DYNO_DATA_TYPE_FLOAT, "batch, 50");
  model_test_onnx_add_weight (file, "w", type, 50, 4);
  model_test_onnx_add_weight (file, "scale", DYNO_DATA_TYPE_FLOAT, 4, 0);
  model_test_onnx_add_node (file, "DynamicQuantizeLinear", "q", "x", NULL);
  model_test_onnx_add_node (file, "DequantizeLinear", "y", "w", "scale", NULL);
  model_test_onnx_add_output (file, "y", "50, 4");
  path = model_test_onnx_save (file, fixture->folder, "quantised.onnx");
  return model_test_load (path);
}

/* A quantised file has the precision of its weights, whether nothing or what it computes in is asked for. */
static void
test_file_precision (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = load_quantised (fixture, DYNO_DATA_TYPE_UINT8);
  g_autoptr (DynoModel) built = model_test_load (TINY);
  g_autoptr (DynoModel) same = NULL;
  g_autoptr (GArray) needs = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_get_file_precision (built));
  g_assert_cmpstr (dyno_model_get_case_precision (built, "fp16"), ==, "fp16");
  g_assert_cmpstr (dyno_model_get_file_precision (model), ==, "uint8");
  g_assert_cmpstr (dyno_model_get_case_precision (model, "fp32"), ==, "uint8");
  g_assert_cmpstr (dyno_model_get_case_precision (model, "int8"), ==, "uint8");
  g_assert_cmpstr (dyno_model_get_case_precision (model, "fp16"), ==, "fp16");
  same = dyno_model_in_precision (model, "uint8", &error);
  g_assert_no_error (error);
  g_assert_true (same == model);
  g_assert_null (dyno_model_in_precision (model, "fp16", &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "uint8 weights");
  needs = dyno_model_needs_list (model, 1, 0, NULL);
  g_assert_cmpuint (needs->len, ==, 1);
  g_assert_cmpstr (g_array_index (needs, DynoModelNeed, 0).precision, ==, "uint8");
}

/* A limit on file sizes stands in for a full disk. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autoptr (GError) error = NULL;
  struct rlimit before, small;
  g_autofree char *path = NULL;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 100000;
  setrlimit (RLIMIT_FSIZE, &small);
  path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  setrlimit (RLIMIT_FSIZE, &before);
  g_assert_null (path);
  suite_assert_error (error, DYNO_ERROR_FAILED, "no room");
  path = prepare (model, 1);
}

static void
save (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_config_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "config.json", NULL);
  g_autoptr (DynoModel) by_path = NULL;
  g_autoptr (DynoModel) by_folder = NULL;

  save (fixture, "config.json",
        "{\"model_type\": \"distilbert\", \"vocab_size\": 10, \"dim\": 8, \"n_layers\": 1, \"n_heads\": 2, "
        "\"hidden_dim\": 12, \"max_position_embeddings\": 16, \"_name_or_path\": \"mine\"}");
  by_path = model_test_load (path);
  by_folder = model_test_load (fixture->folder);
  g_assert_cmpint (dyno_model_get_parameter_count (by_path), ==,
                   80 + 128 + 16 + 4 * 72 + 16 + 108 + 104 + 16);
  g_assert_cmpint (dyno_model_get_parameter_count (by_folder), ==, dyno_model_get_parameter_count (by_path));
  g_assert_cmpstr (dyno_model_get_architecture (by_path), ==, "distilbert");
  g_assert_cmpstr (dyno_model_get_name (by_path), ==, "mine");
}

#define LLAMA                                                                                                \
  "\"model_type\": \"llama\", \"vocab_size\": 10, \"hidden_size\": 8, \"intermediate_size\": 12, "           \
  "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, \"max_position_embeddings\": 16, "                  \
  "\"_name_or_path\": \"mine\""

/* As GPTQ, AWQ, bitsandbytes (old and new) and FP8 write it, in a part, and with a number of bits that cannot be. */
static const struct
{
  const char *member;
  const char *quantisation;
} quantisations[] = {
  { "", NULL },
  { ", \"quantization_config\": null", NULL },
  { ", \"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128}",
    "gptq, 4 bits" },
  { ", \"quantization_config\": {\"quant_method\": \"awq\", \"bits\": 4, \"version\": \"gemm\"}",
    "awq, 4 bits" },
  { ", \"quantization_config\": {\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true}",
    "bitsandbytes, 4 bits" },
  { ", \"quantization_config\": {\"load_in_8bit\": true, \"load_in_4bit\": false}", "bitsandbytes, 8 bits" },
  { ", \"quantization_config\": {\"quant_method\": \"fp8\", \"fmt\": \"e4m3\"}", "fp8" },
  { ", \"quantization_config\": {\"quant_method\": \"mxfp4\", \"modules_to_not_convert\": []}", "mxfp4" },
  { ", \"quantization_config\": {\"quant_method\": \"modelopt\", \"quant_algo\": \"NVFP4\"}",
    "modelopt NVFP4" },
  { ", \"quantization_config\": {\"quant_method\": \"compressed-tensors\", \"format\": \"float-quantized\"}",
    "compressed-tensors float-quantized" },
  { ", \"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": -3}", "gptq" },
  { ", \"quantization_config\": {}", "quantization_config" },
  { ", \"vision_config\": {\"quantization_config\": {\"quant_method\": \"awq\", \"bits\": \"four\"}}",
    "awq" },
};

/* What is measured otherwise than a config says is told. */
static void
test_quantised_configs (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (quantisations); i++)
    {
      g_autofree char *text = g_strconcat ("{" LLAMA, quantisations[i].member, "}", NULL);
      g_autoptr (DynoModel) model = NULL;
      g_autofree char *quantisation = NULL;
      g_autofree char *note = NULL;

      save (fixture, "config.json", text);
      model = model_test_load (fixture->folder);
      quantisation = dyno_model_dup_quantisation (model);
      note = dyno_model_dup_note (model);
      g_assert_cmpstr (quantisation, ==, quantisations[i].quantisation);
      g_assert_cmpint (note != NULL, ==, quantisation != NULL);
      g_assert_true (note == NULL ||
                     (strstr (note, "“mine”") != NULL && strstr (note, quantisation) != NULL));
    }
}

/* Older tools say it in a file of its own. */
static void
test_quantised_beside (Fixture *fixture, gconstpointer data)
{
  static const char *const files[] = { "{\"quantization\": {\"quant_algo\": \"FP8\"}}",
                                       "{\"quantization\": 8}", "[" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (DynoModel) model = NULL;
      g_autofree char *quantisation = NULL;

      save (fixture, "config.json", "{" LLAMA "}");
      save (fixture, "hf_quant_config.json", files[i]);
      model = model_test_load (fixture->folder);
      quantisation = dyno_model_dup_quantisation (model);
      g_assert_cmpstr (quantisation, ==, i == 0 ? "modelopt FP8" : NULL);
    }
}

/* Of a model that cannot be built either. */
static void
test_quantised_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  save (fixture, "config.json",
        "{\"model_type\": \"minicpm3\", \"quantization_config\": {\"quant_method\": \"awq\", \"bits\": 4}}");
  g_assert_null (dyno_model_load (fixture->folder, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "Its weights are quantised (awq, 4 bits).");
}

/* A folder of PEFT has no config of a model, but tells which model it belongs to. */
static void
test_adapter (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  save (fixture, "adapter_config.json",
        "{\"peft_type\": \"LORA\", \"base_model_name_or_path\": \"org/chat-8b\", \"r\": 16}");
  g_assert_null (dyno_model_load (fixture->folder, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "is an adapter (LORA) of the model “org/chat-8b”");
}

/* Packed weights cannot be read, which is not the same as weights of another model. */
static void
test_quantised_weights (Fixture *fixture, gconstpointer data)
{
  static const char header[] = "{\"model.embed_tokens.qweight\":{\"dtype\":\"I32\",\"shape\":[1],"
                               "\"data_offsets\":[0,4]}}";
  g_autofree char *path = g_build_filename (fixture->folder, "model.safetensors", NULL);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint64 size = GUINT64_TO_LE (strlen (header));

  g_byte_array_append (file, (const guint8 *)&size, sizeof size);
  g_byte_array_append (file, (const guint8 *)header, strlen (header));
  g_byte_array_append (file, (const guint8 *)"\0\0\0", 4);
  g_assert_true (g_file_set_contents (path, (const char *)file->data, (gssize)file->len, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = g_strconcat ("{" LLAMA, quantisations[2 * i].member, "}", NULL);
      g_autoptr (GError) error = NULL;

      save (fixture, "config.json", text);
      g_assert_null (dyno_model_load (fixture->folder, &error));
      suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, i == 0 ? "do not fit one another" : "gptq, 4 bits");
    }
}

#define T5                                                                                                   \
  "{\"model_type\": \"t5\", \"vocab_size\": 10, \"d_model\": 8, \"d_kv\": 3, \"d_ff\": 12, \"num_layers\": " \
  "1, "                                                                                                      \
  "\"num_heads\": 2, \"n_positions\": 16}"

/* Each stage has a file; shared weights count once, but are loaded twice. */
static void
test_stages (Fixture *fixture, gconstpointer data)
{
  static const char *const stages[] = { "encoder", "decoder", NULL };
  gint64 attention = 4 * 8 * 6, feed = 2 * 8 * 12, norms = 8 * (2 + 1 + 3 + 1);
  gint64 n_weights = 80 + 2 * 32 * 2 + 3 * attention + 2 * feed + norms;
  g_autofree char *config = g_build_filename (fixture->folder, "config.json", NULL);
  g_autofree char *target = g_build_filename (fixture->folder, "t5.onnx", NULL);
  g_autofree char *encoder = g_build_filename (fixture->folder, "t5.encoder.onnx", NULL);
  g_autofree char *decoder = g_build_filename (fixture->folder, "t5.decoder.onnx", NULL);
  g_autofree char *path = NULL;
  g_autofree char *arithmetic = NULL;
  g_autofree char *twice = g_format_size (4 * (guint64)(n_weights + 80));
  g_auto (GStrv) names = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GError) error = NULL;

  save (fixture, "config.json", T5);
  model = model_test_load (config);
  names = dyno_model_dup_stages (model);
  g_assert_cmpstrv (names, stages);
  g_assert_cmpint (dyno_model_get_parameter_count (model), ==, n_weights);
  g_assert_cmpint (dyno_model_get_weight_bytes (model), ==, 4 * n_weights);
  binding = dyno_model_bind (model, 1, 4, NULL, &error);
  g_assert_no_error (error);
  dyno_model_estimate_memory (model, binding, &arithmetic);
  g_assert_nonnull (strstr (arithmetic, twice));
  path = prepare (model, 1);
  g_assert_true (g_str_has_suffix (path, "/stages.json"));
  g_assert_true (dyno_model_export (model, NULL, 1, target, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (encoder, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (decoder, G_FILE_TEST_IS_REGULAR));
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
}

static gint64
count_flops (DynoModel *model, DynoBinding *binding)
{
  gint64 flops;

  g_assert_true (dyno_model_estimate_flops (model, binding, &flops));
  return flops;
}

/* The decoder reads passages and the question before the first token of the answer, and nothing of them afterwards. */
static void
test_retrieval (Fixture *fixture, gconstpointer data)
{
  const guint n_found = 3 * 32;
  g_autoptr (DynoModel) model = model_test_load ("rag-tiny");
  g_autoptr (GHashTable) first = NULL;
  g_autoptr (GHashTable) next = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *past = g_strdup_printf ("past=%u,decoder_sequence=1", n_found + 8);
  guint most;

  g_assert_true (dyno_model_has_prompt (model));
  g_assert_cmpuint (dyno_model_count_positions (model, 7, 3), ==, n_found + 7 + 3);
  g_assert_cmpuint (dyno_model_count_prompt (model, 7), ==, n_found + 7);
  g_assert_true (dyno_model_takes_tokens (model, 2048 - n_found - 3, 3, &most));
  g_assert_false (dyno_model_takes_tokens (model, 2048 - n_found - 2, 3, &most));
  g_assert_cmpuint (most, ==, 2048 - n_found);
  inputs = dyno_model_create_decode_inputs (model, 2, n_found + 8, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (inputs->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_get_name (inputs->pdata[0]), ==, "decoder_input_ids");
  first = dyno_model_bind_prompt (model, 1, 7, NULL, &error);
  g_assert_no_error (error);
  next = dyno_model_bind (model, 1, 7, past, &error);
  g_assert_no_error (error);
  /* 2 · (2 · (3 · 64 · 64 + 3 · 64 · 128) + 64 · 2000) for each position, and its attention */
  g_assert_cmpint (count_flops (model, first) - count_flops (model, next), >, (n_found + 7) * 403456);
  g_assert_cmpint (count_flops (model, first) - count_flops (model, next), <, (n_found + 7) * 500000);
}

/* The prompt is the encoder's, and the answer begins with one token. */
static void
test_answer (Fixture *fixture, gconstpointer data)
{
  g_autofree char *config = g_build_filename (fixture->folder, "config.json", NULL);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoModel) decoder = model_test_load ("gpt2");
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (GError) error = NULL;
  gint64 size;

  save (fixture, "config.json", T5);
  model = model_test_load (config);
  g_assert_true (dyno_model_has_prompt (model));
  g_assert_cmpuint (dyno_model_count_positions (model, 7, 3), ==, 3);
  g_assert_cmpuint (dyno_model_count_positions (decoder, 7, 3), ==, 9);
  g_assert_cmpuint (dyno_model_count_prompt (decoder, 7), ==, 7);
  binding = dyno_model_bind_prompt (model, 2, 7, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (dyno_binding_get (binding, "sequence", &size));
  g_assert_cmpint (size, ==, 7);
  g_assert_true (dyno_binding_get (binding, "decoder_sequence", &size));
  g_assert_cmpint (size, ==, 1);
  inputs = dyno_model_create_decode_inputs (model, 2, 3, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (inputs->len, ==, 1);
  g_assert_cmpstr (dyno_tensor_get_name (inputs->pdata[0]), ==, "decoder_input_ids");
}

static void
assert_load_refused (const char *spec, DynoError code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_load (spec, &error));
  suite_assert_error (error, code, word);
}

static void
test_bad_specs (Fixture *fixture, gconstpointer data)
{
  g_autofree char *broken = g_build_filename (fixture->folder, "broken.json", NULL);
  g_autofree char *list = g_build_filename (fixture->folder, "list.json", NULL);
  g_autofree char *gone = g_build_filename (fixture->folder, "gone.json", NULL);

  save (fixture, "broken.json", "{\"model_type\": ");
  save (fixture, "list.json", "[1, 2]");
  assert_load_refused (broken, DYNO_ERROR_INVALID_DATA, "not a config");
  assert_load_refused (list, DYNO_ERROR_INVALID_DATA, "no object");
  assert_load_refused (gone, DYNO_ERROR_NOT_FOUND, "gone.json");
  assert_load_refused (fixture->folder, DYNO_ERROR_NOT_FOUND, "no config.json");
  assert_load_refused ("nothing-like.onnx", DYNO_ERROR_NOT_FOUND, "nothing-like.onnx");
  assert_load_refused ("bert-base-uncasd", DYNO_ERROR_NOT_FOUND, "bert-base-uncased");
  assert_load_refused ("", DYNO_ERROR_NOT_FOUND, "Similar");
}

static void
assert_bind_refused (
    const char *id, guint batch_size, guint length, const char *overrides, DynoError code, const char *word)
{
  g_autoptr (DynoModel) model = model_test_load (id);
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_bind (model, batch_size, length, overrides, &error));
  suite_assert_error (error, code, word);
}

static void
test_bind (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) fixed = model_test_onnx_new ();
  g_autofree char *path = NULL;

  assert_bind_refused (TINY, 1, 513, NULL, DYNO_ERROR_INVALID_ARGUMENT, "512");
  assert_bind_refused ("gpt2", 1, 1, "past=1024", DYNO_ERROR_INVALID_ARGUMENT, "1024");
  assert_bind_refused (TINY, 0, 16, NULL, DYNO_ERROR_INVALID_ARGUMENT, "batch");
  model_test_onnx_add_input (fixed, "x", DYNO_DATA_TYPE_FLOAT, "1, 4");
  model_test_onnx_add_node (fixed, "Relu", "y", "x", NULL);
  model_test_onnx_add_output (fixed, "y", "1, 4");
  path = model_test_onnx_save (fixed, fixture->folder, "fixed.onnx");
  assert_bind_refused (path, 2, 1, NULL, DYNO_ERROR_UNSUPPORTED, "batch size 1");
}

static DynoTensor *
find_tensor (GPtrArray *tensors, const char *name)
{
  for (guint i = 0; i < tensors->len; i++)
    if (g_str_equal (dyno_tensor_get_name (tensors->pdata[i]), name))
      return tensors->pdata[i];
  return NULL;
}

static void
assert_all (DynoTensor *tensor, gint64 least, gint64 most)
{
  const gint64 *values = dyno_tensor_get_data (tensor);

  for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (tensor)); i++)
    {
      g_assert_cmpint (values[i], >=, least);
      g_assert_cmpint (values[i], <=, most);
    }
}

static void
test_encoder_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load (TINY);
  g_autoptr (GHashTable) binding = bind (model, 3, 40, NULL);
  g_autoptr (GPtrArray) inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  g_autoptr (GPtrArray) same = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  g_autoptr (GPtrArray) other = dyno_model_create_inputs (model, binding, NULL, 2, NULL);
  DynoTensor *ids = find_tensor (inputs, "input_ids");
  gsize size = dyno_tensor_get_size (ids);

  g_assert_cmpuint (inputs->len, ==, 3);
  g_assert_cmpuint (size, ==, 3 * 40 * sizeof (gint64));
  assert_all (ids, 0, 30521);
  assert_all (find_tensor (inputs, "attention_mask"), 1, 1);
  assert_all (find_tensor (inputs, "token_type_ids"), 0, 1);
  g_assert_cmpmem (dyno_tensor_get_data (ids), size, dyno_tensor_get_data (find_tensor (same, "input_ids")),
                   size);
  g_assert_cmpint (
      memcmp (dyno_tensor_get_data (ids), dyno_tensor_get_data (find_tensor (other, "input_ids")), size), !=,
      0);
}

static void
test_decoder_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("gpt2");
  g_autoptr (GHashTable) binding = bind (model, 2, 5, NULL);
  g_autoptr (GPtrArray) prefill = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  g_autoptr (GPtrArray) step = dyno_model_create_decode_inputs (model, 2, 9, 1, NULL);
  DynoTensor *key = find_tensor (prefill, "past_key_values.0.key");
  const gint64 *positions = dyno_tensor_get_data (find_tensor (prefill, "position_ids"));

  g_assert_cmpuint (prefill->len, ==, 3 + 24);
  g_assert_cmpint (dyno_tensor_get_shape (key)->dims[2], ==, 0);
  g_assert_cmpuint (dyno_tensor_get_size (key), ==, 0);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (positions[i], ==, i % 5);

  g_assert_cmpuint (step->len, ==, 3);
  g_assert_cmpint (dyno_tensor_get_shape (find_tensor (step, "input_ids"))->dims[1], ==, 1);
  g_assert_cmpint (dyno_tensor_get_shape (find_tensor (step, "attention_mask"))->dims[1], ==, 10);
  assert_all (find_tensor (step, "attention_mask"), 1, 1);
  assert_all (find_tensor (step, "position_ids"), 9, 9);
}

/* A text begins with the tokens of its image, a step with a cache has none, and both are valid. */
static void
test_picture_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("llava-miniature");
  g_autoptr (GHashTable) binding = bind (model, 2, 20, NULL);
  g_autoptr (GPtrArray) prefill = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  g_autoptr (GPtrArray) step = dyno_model_create_decode_inputs (model, 2, 20, 1, NULL);
  const gint64 *ids = dyno_tensor_get_data (find_tensor (prefill, "input_ids"));
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2 * 20; i++)
    if (i % 20 < 16)
      g_assert_cmpint (ids[i], ==, 2000);
  g_assert_cmpuint (prefill->len, ==, 4 + 2 * 4);
  g_assert_cmpuint (step->len, ==, 3);
  g_assert_cmpuint (dyno_model_get_usual_sequence_length (model), ==, 128 + 16);
  g_assert_null (dyno_model_bind (model, 1, 16, NULL, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "17 tokens");
}

static void
test_image_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("mobilenet_v2_1.0_224");
  g_autoptr (GHashTable) binding = bind (model, 2, 1, "height=64,width=32");
  g_autoptr (GPtrArray) inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  const float *pixels = dyno_tensor_get_data (inputs->pdata[0]);
  gint64 n_pixels = dyno_shape_count (dyno_tensor_get_shape (inputs->pdata[0]));
  double sum = 0, squares = 0;

  g_assert_cmpint (n_pixels, ==, 2 * 3 * 64 * 32);
  for (gint64 i = 0; i < n_pixels; i++)
    {
      sum += pixels[i];
      squares += pixels[i] * pixels[i];
    }
  g_assert_cmpfloat_with_epsilon (sum / (double)n_pixels, 0, 0.05);
  g_assert_cmpfloat_with_epsilon (squares / (double)n_pixels, 1, 0.05);
}

/* Ids stay below the rows of the table a file looks them up in, and low where no table is found. */
static void
test_file_inputs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) proto = model_test_onnx_new ();
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autofree char *path = NULL;

  model_test_onnx_add_input (proto, "ids", DYNO_DATA_TYPE_INT64, "batch, seq");
  model_test_onnx_add_input (proto, "codes", DYNO_DATA_TYPE_INT64, "batch, seq");
  model_test_onnx_add_input (proto, "lengths", DYNO_DATA_TYPE_INT64, "batch");
  model_test_onnx_add_input (proto, "half", DYNO_DATA_TYPE_FLOAT16, "batch, seq");
  model_test_onnx_add_input (proto, "flag", DYNO_DATA_TYPE_BOOL, "1");
  model_test_onnx_add_weight (proto, "table", DYNO_DATA_TYPE_FLOAT, 5, 4);
  model_test_onnx_add_node (proto, "Gather", "y", "table", "ids", NULL);
  model_test_onnx_add_output (proto, "y", "batch, seq, 4");
  path = model_test_onnx_save (proto, fixture->folder, "m.onnx");
  model = model_test_load (path);
  binding = bind (model, 2, 100, NULL);
  inputs = dyno_model_create_inputs (model, binding, NULL, 1, NULL);
  g_assert_cmpuint (inputs->len, ==, 5);
  assert_all (inputs->pdata[0], 0, 4);
  assert_all (inputs->pdata[1], 0, 15);
  assert_all (inputs->pdata[2], 100, 100);
  for (guint i = 0; i < 200; i++)
    g_assert_cmpuint (((guint16 *)dyno_tensor_get_data (inputs->pdata[3]))[i] & 0x7c00, <, 0x4400);
  g_assert_cmpuint (*(guint8 *)dyno_tensor_get_data (inputs->pdata[4]), ==, 0);
}

static void
test_string_input (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) proto = model_test_onnx_new ();
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  model_test_onnx_add_input (proto, "text", DYNO_DATA_TYPE_STRING, "1");
  model_test_onnx_add_node (proto, "StringNormalizer", "y", "text", NULL);
  model_test_onnx_add_output (proto, "y", "1");
  path = model_test_onnx_save (proto, fixture->folder, "m.onnx");
  model = model_test_load (path);
  binding = bind (model, 1, 1, NULL);
  g_assert_null (dyno_model_create_inputs (model, binding, NULL, 1, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "text");
}

static void
test_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("gpt2");
  g_autoptr (GHashTable) one = bind (model, 1, 16, NULL);
  g_autoptr (GHashTable) many = bind (model, 8, 512, NULL);
  g_autofree char *arithmetic = NULL;
  gint64 little = dyno_model_estimate_memory (model, one, NULL);
  gint64 much = dyno_model_estimate_memory (model, many, &arithmetic);

  g_assert_cmpint (little, >, 2 * dyno_model_get_weight_bytes (model));
  g_assert_cmpint (much, >, little + G_GINT64_CONSTANT (8) * 511 * 50257 * 4);
  g_assert_nonnull (strstr (arithmetic, "logits 8 × 512 × 50257 × 4 B"));
}

/* With global attention of 12 heads at 64 × 64 positions, SAM holds three arrays of 12 × 4096 × 4096 floats at once, and a
 * runtime plans a block as large beside them. ONNX Runtime 1.32 was measured at 5.915 GB. */
static void
test_memory_of_scores (Fixture *fixture, gconstpointer data)
{
  const gint64 scores = G_GINT64_CONSTANT (4) * 12 * 4096 * 4096, measured = 5915000000;
  g_autoptr (DynoModel) model = model_test_load ("sam-vit-base");
  g_autoptr (GHashTable) binding = bind (model, 1, 1, "points=1");
  gint64 needed = dyno_model_estimate_memory (model, binding, NULL);
  gint64 on_device = dyno_model_estimate_device_memory (model, binding, NULL);
  gint64 weights = dyno_model_get_weight_bytes (model);

  g_assert_cmpint (on_device, >, weights + 3 * scores);
  g_assert_cmpint (on_device, <, weights + 4 * scores);
  g_assert_cmpint (needed, >, 2 * weights + 6 * scores);
  g_assert_cmpfloat_with_epsilon ((double)needed, (double)measured, 0.1 * (double)measured);
}

/* What is given back outlives a step, and a transposed table of embeddings is made while loading: no place is planned for
 * either. */
static void
test_planned_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("gpt2");
  g_autoptr (GHashTable) binding = bind (model, 1, 512, NULL);
  g_autofree char *arithmetic = NULL;
  gint64 logits = G_GINT64_CONSTANT (4) * 512 * 50257;
  gint64 needed = dyno_model_estimate_memory (model, binding, &arithmetic);
  gint64 once =
      dyno_model_estimate_device_memory (model, binding, NULL) + dyno_model_get_weight_bytes (model);

  g_assert_cmpint (needed, >, once);
  g_assert_cmpint (needed - once, <, logits);
  g_assert_nonnull (strstr (arithmetic, "planned for them from the second step on"));
}

/* Sizes that the engine would refuse deep in the graph are refused earlier, with the minimum. */
static void
test_least_size (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("wav2vec2-base");
  g_autoptr (DynoModel) half = dyno_model_in_precision (model, "fp16", NULL);
  g_autoptr (GHashTable) least = bind (model, 1, 1, "samples=400");
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_bind (model, 1, 1, "samples=399", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "at least 400 in the dimension “samples”, not 399");
  g_assert_null (dyno_model_bind (half, 1, 1, "samples=399", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "400");
}

/* Audio is given in samples or in seconds, and other models have no seconds. */
static void
test_seconds (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "seconds=0", "seconds=-1", "seconds=two", "seconds=1e9",
                                       "seconds=nan" };
  g_autoptr (DynoModel) model = model_test_load ("wav2vec2-base");
  g_autoptr (DynoModel) text = model_test_load (TINY);
  g_autoptr (GHashTable) binding = bind (model, 1, 1, "seconds=2.5");
  g_autoptr (GError) error = NULL;
  gint64 size = 0;

  g_assert_true (dyno_binding_get (binding, "samples", &size));
  g_assert_cmpint (size, ==, 40000);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (dyno_model_bind (model, 1, 1, wrong[i], &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "above 0, of at most 134218");
    }
  g_assert_null (dyno_model_bind (text, 1, 1, "seconds=2", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "no free dimension “seconds”");
}

/* Sizes that follow from others within the graph are reported, too. */
static void
test_largest_output (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("wav2vec2-base");
  g_autoptr (GHashTable) binding = bind (model, 2, 1, "samples=16000");
  g_autofree char *arithmetic = NULL;

  dyno_model_estimate_memory (model, binding, &arithmetic);
  g_assert_nonnull (strstr (arithmetic, "(largest output: last_hidden_state 2 × 49 × 768 × 4 B)"));
}

static void
test_unknown_output (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Onnx__ModelProto) proto = model_test_onnx_new ();
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autofree char *path = NULL;
  g_autofree char *arithmetic = NULL;

  model_test_onnx_add_input (proto, "x", DYNO_DATA_TYPE_FLOAT, "batch, 8");
  model_test_onnx_add_node (proto, "NonZero", "y", "x", NULL);
  model_test_onnx_add_output (proto, "y", "2, found");
  path = model_test_onnx_save (proto, fixture->folder, "m.onnx");
  model = model_test_load (path);
  binding = bind (model, 1, 1, NULL);
  dyno_model_estimate_memory (model, binding, &arithmetic);
  g_assert_null (strstr (arithmetic, "largest"));
}

static void
test_needs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("gpt2");
  g_autoptr (GArray) needs = dyno_model_needs_list (model, 1, 16, NULL);
  g_autoptr (GArray) too_long = dyno_model_needs_list (model, 1, 1025, NULL);
  const DynoModelNeed *first = &g_array_index (needs, DynoModelNeed, 0);
  const DynoModelNeed *second = &g_array_index (needs, DynoModelNeed, 1);

  g_assert_cmpuint (needs->len, >=, 5);
  g_assert_cmpstr (first->precision, ==, "fp32");
  g_assert_cmpint (first->weight_bytes, ==, dyno_model_get_weight_bytes (model));
  g_assert_cmpint (first->memory_bytes, >, 2 * first->weight_bytes);
  g_assert_cmpstr (second->precision, ==, "fp16");
  g_assert_cmpint (2 * second->weight_bytes, ==, first->weight_bytes);
  g_assert_true (dyno_model_need_fits (first, first->memory_bytes));
  g_assert_false (dyno_model_need_fits (first, first->memory_bytes - 1));
  g_assert_cmpint (g_array_index (too_long, DynoModelNeed, 0).memory_bytes, ==, 0);
  g_assert_false (dyno_model_need_fits (&g_array_index (too_long, DynoModelNeed, 0), G_MAXINT64));
}

static void
test_origin (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoModel) model = model_test_load ("gpt2");
  g_autoptr (DynoModel) half = dyno_model_in_precision (model, "fp16", NULL);
  g_autoptr (DynoModel) short_one = model_test_load ("clip-vit-base-patch32");

  g_assert_cmpstr (dyno_model_get_source (half), ==, "openai-community/gpt2");
  g_assert_cmpstr (dyno_model_get_licence (half), ==, "MIT");
  g_assert_cmpuint (dyno_model_get_usual_sequence_length (model), ==, 128);
  g_assert_cmpuint (dyno_model_get_usual_sequence_length (short_one), ==, 77);
}

static void
add (const char *path, void (*test) (Fixture *fixture, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

static void
test_short_name (void)
{
  static const struct
  {
    const char *spec;
    const char *name;
  } names[] = {
    { "bert-tiny", "bert-tiny" },
    { "/home/me/resnet50.onnx", "resnet50" },
    { "/home/me/resnet50/model.onnx", "resnet50" },
    { "/home/me/bert/config.json", "bert" },
    { "/home/me/bert/", "bert" },
    { "server:org/small:1b", "org/small:1b" },
    { "server:/home/me/small-q4_0.gguf", "small-q4_0" },
    { "server:/home/me/small/model.gguf", "small" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = dyno_model_dup_short_name (names[i].spec);

      g_assert_cmpstr (name, ==, names[i].name);
    }
}

static void
add_tests (void)
{
  add ("/model/round-trip", test_round_trip);
  add ("/model/external-weights", test_external_weights);
  add ("/model/mapped-weights", test_mapped_weights);
  add ("/model/decoder-signature", test_decoder_signature);
  add ("/model/pipeline", test_pipeline);
  add ("/model/known-pipeline", test_known_pipeline);
  add ("/model/steps", test_steps);
  add ("/model/levels-of-pair", test_levels_of_pair);
  add ("/model/seeds", test_seeds);
  add ("/model/finite-weights", test_finite_weights);
  add ("/model/cancelled", test_cancelled);
  add ("/model/precision", test_precision);
  add ("/model/file-precision", test_file_precision);
  add ("/model/no-room", test_no_room);
  add ("/model/config-files", test_config_files);
  add ("/model/quantised-configs", test_quantised_configs);
  add ("/model/quantised-beside", test_quantised_beside);
  add ("/model/quantised-weights", test_quantised_weights);
  add ("/model/quantised-unknown", test_quantised_unknown);
  add ("/model/adapter", test_adapter);
  add ("/model/stages", test_stages);
  add ("/model/answer", test_answer);
  add ("/model/retrieval", test_retrieval);
  add ("/model/bad-specs", test_bad_specs);
  add ("/model/bind", test_bind);
  add ("/model/encoder-inputs", test_encoder_inputs);
  add ("/model/decoder-inputs", test_decoder_inputs);
  add ("/model/picture-inputs", test_picture_inputs);
  add ("/model/image-inputs", test_image_inputs);
  add ("/model/file-inputs", test_file_inputs);
  add ("/model/string-input", test_string_input);
  add ("/model/memory", test_memory);
  add ("/model/memory-of-scores", test_memory_of_scores);
  add ("/model/planned-memory", test_planned_memory);
  add ("/model/least-size", test_least_size);
  add ("/model/seconds", test_seconds);
  add ("/model/largest-output", test_largest_output);
  add ("/model/unknown-output", test_unknown_output);
  add ("/model/needs", test_needs);
  add ("/model/origin", test_origin);
  g_test_add_func ("/model/short-name", test_short_name);
}

SUITE_ADD (add_tests)

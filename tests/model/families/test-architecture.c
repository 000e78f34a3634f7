/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-private.h"
#include "model-test.h"
#include "suite.h"

/* Four times the longest pattern of layers that published mixtures have. */
#define FEW_LAYERS 16

/* Trainable parameters as in the checkpoints, tied ones counted once. */
static const struct
{
  const char *id;
  const char *family;
  gint64 n_parameters;
} published[] = {
  { "bert-base-uncased", "encoder", 109482240 },
  { "distilbert-base-uncased", "encoder", 66362880 },
  { "roberta-base", "encoder", 124645632 },
  { "sentence-transformers/all-MiniLM-L6-v2", "encoder", 22713216 },
  { "albert/albert-base-v2", "encoder", 11683584 },
  { "google/electra-small-discriminator", "encoder", 13483008 },
  { "microsoft/deberta-v3-base", "encoder", 183831552 },
  { "microsoft/deberta-v3-small", "encoder", 141304320 },
  { "FacebookAI/xlm-roberta-base", "encoder", 278043648 },
  { "sentence-transformers/all-mpnet-base-v2", "encoder", 109486464 },
  { "gpt2", "decoder", 124439808 },
  { "gpt2-medium", "decoder", 354823168 },
  { "meta-llama/Llama-3.2-1B", "decoder", 1235814400 },
  { "meta-llama/Llama-2-7b-hf", "decoder", 6738415616 },
  { "TinyLlama/TinyLlama-1.1B-Chat-v1.0", "decoder", 1100048384 },
  { "mistralai/Mistral-7B-v0.1", "decoder", 7241732096 },
  { "Qwen/Qwen2.5-0.5B", "decoder", 494032768 },
  { "HuggingFaceTB/SmolLM2-135M", "decoder", 134515008 },
  { "facebook/opt-125m", "decoder", 125239296 },
  { "facebook/opt-350m", "decoder", 331196416 },
  { "facebook/opt-1.3b", "decoder", 1315758080 },
  { "bigscience/bloom-560m", "decoder", 559214592 },
  { "bigscience/bloom-1b1", "decoder", 1065314304 },
  { "bigscience/bloom-7b1", "decoder", 7069016064 },
  { "EleutherAI/pythia-70m", "decoder", 70426624 },
  { "EleutherAI/pythia-160m", "decoder", 162322944 },
  { "EleutherAI/pythia-410m", "decoder", 405334016 },
  { "Qwen/Qwen3-0.6B", "decoder", 596049920 },
  { "Qwen/Qwen3-1.7B", "decoder", 1720574976 },
  { "Qwen/Qwen3-4B", "decoder", 4022468096 },
  { "google/gemma-2-2b", "decoder", 2614341888 },
  { "google/gemma-2-9b", "decoder", 9241705984 },
  { "google/gemma-3-270m", "decoder", 268098176 },
  { "google/gemma-3-1b-pt", "decoder", 999885952 },
  { "microsoft/Phi-3-mini-4k-instruct", "decoder", 3821079552 },
  { "microsoft/phi-4", "decoder", 14659507200 },
  { "tiiuae/falcon-rw-1b", "decoder", 1311625216 },
  { "tiiuae/falcon-7b", "decoder", 6921720704 },
  { "tiiuae/falcon-40b", "decoder", 41303293952 },
  { "HuggingFaceTB/SmolLM3-3B", "decoder", 3075098624 },
  { "mistralai/Mixtral-8x7B-v0.1", "mixture-of-experts", 46702792704 },
  { "Qwen/Qwen1.5-MoE-A2.7B", "mixture-of-experts", 14315784192 },
  { "allenai/OLMoE-1B-7B-0924", "mixture-of-experts", 6919161856 },
  { "Isotonic/smol_llama-4x220M-MoE", "mixture-of-experts", 595391488 },
  { "google-t5/t5-small", "encoder-decoder", 60506624 },
  { "google-t5/t5-base", "encoder-decoder", 222903552 },
  { "google/flan-t5-small", "encoder-decoder", 76961152 },
  { "google/flan-t5-base", "encoder-decoder", 247577856 },
  { "facebook/bart-base", "encoder-decoder", 139420416 },
  { "Helsinki-NLP/opus-mt-en-de", "encoder-decoder", 74410496 },
  { "state-spaces/mamba-130m-hf", "state-space", 129135360 },
  { "state-spaces/mamba-370m-hf", "state-space", 371516416 },
  { "state-spaces/mamba-790m-hf", "state-space", 793204224 },
  { "mistralai/Mamba-Codestral-7B-v0.1", "state-space", 7285403648 },
  { "google/vit-base-patch16-224", "vision", 86567656 },
  { "facebook/deit-tiny-patch16-224", "vision", 5717416 },
  { "facebook/convnext-tiny-224", "vision", 28589128 },
  { "google/efficientnet-b0", "vision", 5288548 },
  { "microsoft/swin-tiny-patch4-window7-224", "vision", 28288354 },
  { "answerdotai/ModernBERT-base", "encoder", 149014272 },
  { "facebook/dinov2-base", "vision", 86580480 },
  { "openai/clip-vit-base-patch32", "vision-text", 151277313 },
  { "facebook/detr-resnet-50", "vision", 41524768 },
  { "nvidia/segformer-b0-finetuned-ade-512-512", "vision", 3752694 },
  { "nvidia/segformer-b5-finetuned-ade-640-640", "vision", 84708694 },
  { "google/siglip-base-patch16-224", "vision-text", 203155970 },
  { "stable-diffusion-v1-5-unet", "diffusion", 859520964 },
  { "stable-diffusion-v1-5-vae-decoder", "diffusion", 49490199 },
  { "stable-diffusion-v1-5-text-encoder", "vision-text", 123060480 },
  { "stable-diffusion-xl-base-1.0-unet", "diffusion", 2567463684 },
  { "DiT-XL-2-256-transformer", "diffusion", 749826464 },
  { "rag-minilm-smollm2-100k", "retrieval", 22713216 + 134515008 },
  { "rag-minilm-qwen2.5-1m", "retrieval", 22713216 + 494032768 },
  { "stable-diffusion-v1-5/stable-diffusion-v1-5", "diffusion", 859520964 + 123060480 + 49490199 },
  { "stabilityai/stable-diffusion-xl-base-1.0", "diffusion", 2567463684 + 123060480 + 694659840 + 49490199 },
  { "facebook/DiT-XL-2-256", "diffusion", 749826464 + 49490199 },
  { "google/siglip-so400m-patch14-384", "vision-text", 877960498 },
  { "facebook/sam-vit-base", "vision", 93735472 },
  { "sam-vit-base-box-mask", "vision", 93735472 },
  { "wkcn/TinyCLIP-ViT-8M-16-Text-3M-YFCC15M", "vision-text", 23446017 },
  { "Salesforce/blip2-opt-2.7b", "vision-text", 3744679936 + 32 * 2560 }, /* 32 tokens were added later */
  { "Salesforce/blip2-flan-t5-xl", "vision-text", 3942446592 },
  { "llava-hf/llava-1.5-7b-hf", "multimodal", 7063427072 },
  { "llava-hf/llava-1.5-13b-hf", "multimodal", 13351494656 },
  { "google/gemma-3-4b-it", "multimodal", 4300079472 },
  { "facebookresearch/imagebind_huge", "multimodal", 1200781057 },
  { "openai/whisper-tiny", "speech", 37760640 },
  { "openai/whisper-small", "speech", 241734912 },
  { "facebook/wav2vec2-base", "speech", 94371712 },
  { "facebook/hubert-base-ls960", "speech", 94371712 },
  { "microsoft/resnet-18", "vision", 11689512 },
  { "microsoft/resnet-50", "vision", 25557032 },
  { "google/mobilenet_v2_1.0_224", "vision", 3504872 },
};

/* Multiply-adds of one picture of 224 × 224 in 10⁹, as torchvision publishes them with its weights: those of convolutions
 * and products of matrices alone. */
static const struct
{
  const char *id;
  double gmacs;
} published_work[] = {
  { "resnet-18", 1.814 },
  { "resnet-50", 4.089 },
  { "convnext-tiny-224", 4.456 },
  { "efficientnet-b0", 0.386 },
  { "mobilenet_v2_1.0_224", 0.301 },
  { "swin-tiny-patch4-window7-224", 4.491 },
  { "vit-base-patch16-224", 17.564 },
};

static void
test_parameters (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (published); i++)
    {
      g_autoptr (DynoModel) model = model_test_load (published[i].id);

      g_test_message ("%s", published[i].id);
      g_assert_cmpstr (dyno_model_get_family (model), ==, published[i].family);
      g_assert_cmpint (dyno_model_get_parameter_count (model), ==, published[i].n_parameters);
      g_assert_cmpint (dyno_model_get_weight_bytes (model), >=, 4 * published[i].n_parameters);
      g_assert_null (dyno_model_dup_note (model));
    }
}

static gint64
count_saved (const char *folder, JsonNode *config)
{
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *json = dyno_json_text_write (config, FALSE);
  g_autoptr (DynoModel) model = NULL;

  g_assert_true (g_file_set_contents (path, json, -1, NULL));
  model = model_test_load (folder);
  g_assert_null (dyno_model_dup_note (model));
  return dyno_model_get_parameter_count (model);
}

static JsonNode *
load_others (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "model", "families", "published.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_parser_steal_root (parser);
}

/* Configs that are not bundled: published.json holds them with the counts that are published with them. Where not all tests run,
 * each sixth of them is built. */
static void
test_others (void)
{
  g_autofree char *folder = model_test_make_folder ();
  g_autoptr (JsonNode) others = load_others ();
  JsonArray *models = json_node_get_array (others);

  g_assert_cmpuint (json_array_get_length (models), >, 30);
  for (guint i = 0; i < json_array_get_length (models); i += suite_is_thorough () ? 1 : 6)
    {
      JsonObject *model = json_array_get_object_element (models, i);

      g_test_message ("%s", json_object_get_string_member (model, "name"));
      g_assert_cmpint (count_saved (folder, json_object_get_member (model, "config")), ==,
                       json_object_get_int_member (model, "parameters"));
    }
  model_test_remove_folder (g_steal_pointer (&folder));
}

static gint64
count_flops (const char *id, guint batch_size, guint sequence_length, const char *overrides)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (id, &error);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, batch_size, sequence_length, overrides, &error);
  gint64 flops = 0;

  g_assert_no_error (error);
  g_assert_true (dyno_model_estimate_flops (model, binding, &flops));
  return flops;
}

static double
count_product_flops (const char *id, guint sequence_length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (id, &error);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, sequence_length, NULL, &error);
  g_autoptr (GArray) products = dyno_model_list_products (model, binding);
  double flops = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < products->len; i++)
    flops += g_array_index (products, DynoGraphProduct, i).flops;
  return flops;
}

/* Other work of a model, such as activations and norms, is small compared with its products. */
static void
test_work (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (published_work); i++)
    {
      double expected = 2e9 * published_work[i].gmacs;
      double products = count_product_flops (published_work[i].id, 1);
      gint64 flops = count_flops (published_work[i].id, 1, 1, NULL);

      g_test_message ("%s: %g of %" G_GINT64_FORMAT, published_work[i].id, products, flops);
      g_assert_cmpfloat_with_epsilon (products, expected, 0.002 * expected);
      g_assert_cmpfloat ((double)flops, >, products);
      g_assert_cmpfloat ((double)flops, <, 1.025 * products);
      g_assert_cmpint (count_flops (published_work[i].id, 3, 1, NULL), ==, 3 * flops);
    }
}

#define EFFICIENTNET_B7                                                                                      \
  "\"model_type\": \"efficientnet\", \"width_coefficient\": 2.0, \"depth_coefficient\": 3.1, "               \
  "\"kernel_sizes\": [3, "                                                                                   \
  "3, 5, 3, 5, 5, 3], \"in_channels\": [32, 16, 24, 40, 80, 112, 192], \"out_channels\": [16, 24, 40, 80, "  \
  "112, "                                                                                                    \
  "192, 320], \"strides\": [1, 2, 2, 2, 1, 2, 1], \"num_block_repeats\": [1, 2, 2, 3, 3, 4, 1], "            \
  "\"expand_ratios\": [1, 6, 6, 6, 6, 6, 6], \"depthwise_padding\": [18], \"num_labels\": 1000, "

/* The usual size of a picture is that of the config. The work of EfficientNet-B7 is what torchvision publishes. */
static void
test_usual_sides (void)
{
  static const struct
  {
    const char *config;
    gint64 height;
    gint64 width;
  } models[] = {
    { "{" EFFICIENTNET_B7 "\"image_size\": 600}", 600, 600 },
    { "{\"model_type\": \"convnext\", \"hidden_sizes\": [8], \"depths\": [1], \"image_size\": [64, 96]}", 64,
      96 },
    { "{\"model_type\": \"convnext\", \"hidden_sizes\": [8], \"depths\": [1]}", 224, 224 },
    { "{\"model_type\": \"detr\"}", 800, 800 },
  };
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) model = NULL;
      g_autoptr (GHashTable) binding = NULL;
      gint64 height = 0, width = 0;

      g_assert_true (g_file_set_contents (path, models[i].config, -1, NULL));
      model = model_test_load (folder);
      binding = dyno_model_bind (model, 1, 0, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (dyno_binding_get (binding, "height", &height));
      g_assert_true (dyno_binding_get (binding, "width", &width));
      g_assert_cmpint (height, ==, models[i].height);
      g_assert_cmpint (width, ==, models[i].width);
    }
  g_assert_true (g_file_set_contents (path, models[0].config, -1, NULL));
  g_assert_cmpfloat_with_epsilon (count_product_flops (folder, 0), 2 * 37.75e9, 0.002 * 2 * 37.75e9);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* Multiply-adds of one step in 10⁹, as PyTorch's FlopCounterMode counts the models of Diffusers with the same configs: at
 * 64 × 64 latents and 77 tokens, and what DiT was trained with. The 339 that are published of the first leave out the
 * products within attention. */
static const struct
{
  const char *id;
  double gmacs;
} diffusion_work[] = {
  { "stable-diffusion-v1-5-unet", 401.637 },
  { "stable-diffusion-v1-5-vae-decoder", 1257.259 },
  { "DiT-XL-2-256-transformer", 118.667 },
};

static void
test_diffusion_work (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (diffusion_work); i++)
    {
      double expected = 2e9 * diffusion_work[i].gmacs;
      double products = count_product_flops (diffusion_work[i].id, 77);

      g_test_message ("%s: %g", diffusion_work[i].id, products);
      g_assert_cmpfloat_with_epsilon (products, expected, 0.001 * expected);
    }
}

/* As PyTorch's FlopCounterMode counts transformers' model, products alone. The 86 of the paper are a mean over pictures of
 * COCO, most of which are smaller. */
static void
test_detection_work (void)
{
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  gint64 flops = count_flops ("detr-resnet-50", 1, 1, "height=800,width=1199");

  g_test_message ("%" G_GINT64_FORMAT, flops);
  g_assert_cmpfloat_with_epsilon ((double)flops, 2 * 91.07e9, 0.02 * 2 * 91.07e9);
  g_assert_true (g_file_set_contents (
      path, "{\"model_type\": \"detr\", \"dilation\": true, \"num_labels\": 91}", -1, NULL));
  flops = count_flops (folder, 1, 1, "height=800,width=1199");
  g_test_message ("%" G_GINT64_FORMAT, flops);
  g_assert_cmpfloat_with_epsilon ((double)flops, 2 * 198.42e9, 0.02 * 2 * 198.42e9);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* Two per weight of a product and token, and the attention on top. */
static void
test_decoder_work (void)
{
  gint64 prefill = count_flops ("gpt2", 1, 64, NULL);
  gint64 step = count_flops ("gpt2", 1, 1, "past=64");
  double products = 2.0 * (12 * 12 * 768 * 768 + 768 * 50257);

  g_assert_cmpfloat ((double)step, >, products);
  g_assert_cmpfloat ((double)step, <, 1.05 * products);
  g_assert_cmpint (prefill, >, 60 * step);
  g_assert_cmpint (prefill, <, 64 * step);
}

static GPtrArray *
build_in (JsonObject *object, const char *precision, gboolean is_fused, gboolean is_outline, GError **error)
{
  g_autoptr (DynoConfig) config = dyno_config_new (object);
  const DynoArchitecture *architecture = dyno_architecture_find (config, error);

  return architecture != NULL ? dyno_architecture_build (architecture, config, NULL, precision, NULL,
                                                         is_fused, 1, is_outline, error)
                              : NULL;
}

static GPtrArray *
build_config (JsonObject *object, GError **error)
{
  return build_in (object, "fp32", FALSE, FALSE, error);
}

/* The configs in this file have single quotes. */
static JsonNode *
parse (const char *json)
{
  g_autofree char *text = g_strdelimit (g_strdup (json), "'", '"');

  return json_from_string (text, NULL);
}

static GPtrArray *
build (const char *json, GError **error)
{
  g_autoptr (JsonNode) node = parse (json);

  return build_config (json_node_get_object (node), error);
}

static JsonNode *
load_bundled (const char *id)
{
  g_autofree char *name = g_path_get_basename (id);
  g_autofree char *file = g_strconcat (name, ".json", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "models", file, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_node_copy (
      json_object_get_member (json_node_get_object (json_parser_get_root (parser)), "config"));
}

static GPtrArray *
build_bundled (const char *id, GError **error)
{
  g_autoptr (JsonNode) config = load_bundled (id);

  return build_config (json_node_get_object (config), error);
}

static double
sum_products (DynoGraph *graph, double flops_per_byte)
{
  GArray *products = dyno_graph_get_products (graph);
  double sum = 0;

  for (guint i = 0; i < products->len; i++)
    {
      const DynoGraphProduct *product = &g_array_index (products, DynoGraphProduct, i);

      sum += MAX (product->flops, product->bytes * flops_per_byte);
    }
  return sum;
}

static void
compare_infos (GPtrArray *whole, GPtrArray *outline)
{
  g_assert_cmpuint (outline->len, ==, whole->len);
  for (guint i = 0; i < whole->len; i++)
    {
      g_autofree char *text = dyno_tensor_info_to_string (whole->pdata[i]);
      g_autofree char *other = dyno_tensor_info_to_string (outline->pdata[i]);

      g_assert_cmpstr (other, ==, text);
    }
}

/* The two have the same, in all that is asked of a graph that does not run. */
static void
compare_graphs (DynoGraph *whole, DynoGraph *outline)
{
  GPtrArray *outputs = dyno_graph_get_outputs (whole);
  gint64 flops = 0, outlined = 0, planned, outline_planned;

  g_assert_true (dyno_graph_get_flops (whole, &flops));
  g_assert_true (dyno_graph_get_flops (outline, &outlined));
  g_assert_cmpint (outlined, ==, flops);
  g_assert_cmpfloat_with_epsilon (sum_products (outline, 10), sum_products (whole, 10),
                                  1 + 1e-9 * sum_products (whole, 10));
  g_assert_cmpint (dyno_graph_get_peak_bytes (outline, &outline_planned), ==,
                   dyno_graph_get_peak_bytes (whole, &planned));
  g_assert_cmpint (outline_planned, ==, planned);
  compare_infos (dyno_graph_get_inputs (whole), dyno_graph_get_inputs (outline));
  compare_infos (outputs, dyno_graph_get_outputs (outline));
  for (guint i = 0; i < outputs->len; i++)
    {
      const char *name = dyno_tensor_info_get_name (outputs->pdata[i]);
      const DynoShape *shape = dyno_graph_get_shape (whole, name);
      const DynoShape *other = dyno_graph_get_shape (outline, name);

      g_assert_cmpmem (other->dims, other->rank * sizeof (gint64), shape->dims,
                       shape->rank * sizeof (gint64));
    }
}

static DynoModelDescription *
describe (JsonObject *config, GPtrArray *graphs)
{
  g_autoptr (DynoConfig) read = dyno_config_new (config);
  const DynoArchitecture *architecture = dyno_architecture_find (read, NULL);
  g_autoptr (GError) error = NULL;
  DynoModelDescription *description = architecture->stages != NULL
                                          ? dyno_stages_describe (architecture->stages, graphs, &error)
                                          : dyno_graph_describe (graphs->pdata[0]);

  g_assert_no_error (error);
  return description;
}

/* A table of operators has no order of its own. */
static guint
count_common (GHashTable *first, GHashTable *second)
{
  GHashTableIter iter;
  gpointer key;
  guint n = 0;

  g_hash_table_iter_init (&iter, first);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    n += g_hash_table_contains (second, key);
  return n;
}

static void
compare_outline (JsonObject *config, const char *precision, gboolean is_fused)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) wholes = build_in (config, precision, is_fused, FALSE, &error);
  g_autoptr (GPtrArray) outlines = build_in (config, precision, is_fused, TRUE, &error);
  g_autoptr (DynoModelDescription) whole = NULL;
  g_autoptr (DynoModelDescription) outline = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (outlines->len, ==, wholes->len);
  for (guint i = 0; i < wholes->len; i++)
    compare_graphs (wholes->pdata[i], outlines->pdata[i]);
  whole = describe (config, wholes);
  outline = describe (config, outlines);
  g_assert_cmpint (outline->parameter_count, ==, whole->parameter_count);
  g_assert_cmpint (outline->weight_bytes, ==, whole->weight_bytes);
  g_assert_cmpint (outline->duplicate_bytes, ==, whole->duplicate_bytes);
  g_assert_cmpuint (count_common (outline->operators, whole->operators), ==,
                    g_hash_table_size (whole->operators));
}

/* What a config says of each layer, in a list. */
static void
keep_few_entries (JsonObject *config, guint n_layers)
{
  g_autoptr (GList) names = json_object_get_members (config);

  for (GList *name = names; name != NULL; name = name->next)
    {
      JsonNode *node = json_object_get_member (config, name->data);
      JsonArray *list = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

      if (list != NULL && json_array_get_length (list) == n_layers)
        for (guint i = n_layers; i > FEW_LAYERS; i--)
          json_array_remove_element (list, i - 1);
    }
}

/* The whole graph of hundreds of experts in each of sixty layers takes seconds. */
static void
keep_few_layers (JsonObject *config)
{
  guint n_layers;

  if (!json_object_has_member (config, "num_experts_per_tok") &&
      !json_object_has_member (config, "top_k_experts"))
    return;
  n_layers = (guint)json_object_get_int_member (config, "num_hidden_layers");
  keep_few_entries (config, n_layers);
  json_object_set_int_member (config, "num_hidden_layers", MIN (n_layers, FEW_LAYERS));
}

/* Nobody notices the difference between an outline and the whole graph, except by the time that it takes. */
static void
test_outlines (void)
{
  g_autoptr (JsonNode) others = load_others ();
  JsonArray *models = json_node_get_array (others);
  guint step = suite_is_thorough () ? 1 : 6;

  for (guint i = 0; i < G_N_ELEMENTS (published); i += step)
    {
      g_autoptr (JsonNode) config = load_bundled (published[i].id);

      g_test_message ("%s", published[i].id);
      compare_outline (json_node_get_object (config), "fp32", FALSE);
      compare_outline (json_node_get_object (config), "int8-dynamic", TRUE);
    }
  for (guint i = 0; i < json_array_get_length (models); i += step)
    {
      JsonObject *model = json_array_get_object_element (models, i);
      JsonObject *config = json_object_get_object_member (model, "config");

      g_test_message ("%s", json_object_get_string_member (model, "name"));
      keep_few_layers (config);
      compare_outline (config, "fp32", FALSE);
    }
}

/* Only a typing error names another architecture: a similar name is no similar model. */
static void
test_unknown (void)
{
  static const struct
  {
    const char *type;
    const char *meant;
  } unknown[] = {
    { "minicpm3", NULL },
    { "zamba", NULL },
    { "gemma3n", "“gemma3n_text”" },
    { "vits", NULL },
    { "kosmos-2", NULL },
    { "rwkv6", NULL },
    { "moondream1", NULL },
    { "mllama", NULL },
    { "lama", "“llama”" },
    { "lllama", "“llama”" },
    { "olmo9", NULL },
    { "qwen4", NULL },
    { "gtp_neox", "“gpt_neox”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      g_autofree char *json = g_strdup_printf ("{'model_type': '%s'}", unknown[i].type);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) graphs = build (json, &error);

      g_test_message ("%s", unknown[i].type);
      g_assert_null (graphs);
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "dyno-cli models fetch ID --onnx"));
      g_assert_true ((strstr (error->message, "Did you mean") != NULL) == (unknown[i].meant != NULL));
      g_assert_true (unknown[i].meant == NULL || strstr (error->message, unknown[i].meant) != NULL);
    }
}

static void
check_modules (DynoGraph *graph)
{
  GPtrArray *nodes = dyno_graph_get_nodes (graph);

  for (guint i = 0; i < nodes->len; i++)
    {
      const Onnx__NodeProto *node = nodes->pdata[i];

      g_test_message ("%s", node->name);
      g_assert_true (g_str_equal (node->op_type, "Constant") || strchr (node->name, '.') != NULL);
    }
}

/* Every operator names its module, except constants, which are not executed. */
static void
test_modules (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (published); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) graphs = build_bundled (published[i].id, &error);

      g_assert_no_error (error);
      g_test_message ("%s", published[i].id);
      for (guint j = 0; j < graphs->len; j++)
        check_modules (graphs->pdata[j]);
    }
}

#define BERT                                                                                                 \
  "'vocab_size': 9, 'hidden_size': 8, 'num_hidden_layers': 1, 'num_attention_heads': 2, "                    \
  "'intermediate_size': 8, 'max_position_embeddings': 8"

#define WAVE                                                                                                 \
  "'hidden_size': 8, 'num_hidden_layers': 1, 'num_attention_heads': 2, 'intermediate_size': 8, "             \
  "'num_conv_pos_embeddings': 4, "
#define WHISPER                                                                                              \
  "'vocab_size': 9, 'd_model': 8, 'encoder_layers': 1, 'encoder_attention_heads': 2, 'encoder_ffn_dim': 8, " \
  "'decoder_layers': 1, 'decoder_attention_heads': 2, 'decoder_ffn_dim': 8, 'max_source_positions': 8, "     \
  "'max_target_positions': 8"
#define SMALL                                                                                                \
  "'vocab_size': 10, 'hidden_size': 8, 'num_hidden_layers': 2, 'num_attention_heads': 2, "                   \
  "'intermediate_size': 12, 'max_position_embeddings': 16"
#define READER(encoder, decoder, rest)                                                                       \
  "{'model_type': 'vision-encoder-decoder', 'encoder': {'model_type': '" encoder "', " PATCHES               \
  "}, 'decoder': {'model_type': '" decoder                                                                   \
  "', 'vocab_size': 9, 'd_model': 8, 'decoder_layers': 1, 'decoder_attention_heads': 2, 'decoder_ffn_dim': " \
  "8, 'max_position_embeddings': 8" rest "}}"
#define FLORENCE(rest, vision, text)                                                                         \
  "{'model_type': 'florence2', 'image_token_id': 9, " rest                                                   \
  "'vision_config': {'projection_dim': 8, 'model_type': 'florence_vision'" vision                            \
  "}, 'text_config': {'model_type': 'bart', 'vocab_size': 10, 'd_model': 8, 'encoder_layers': 1, "           \
  "'decoder_layers': 1, 'encoder_attention_heads': 2, 'decoder_attention_heads': 2, 'encoder_ffn_dim': 8, "  \
  "'decoder_ffn_dim': 8, 'max_position_embeddings': 800" text "}}"
#define RT_DETR(rest, backbone)                                                                              \
  "{'model_type': 'rt_detr', " rest "'backbone_config': {'model_type': 'rt_detr_resnet'" backbone "}}"
#define SAM2(vision, backbone, decoder)                                                                      \
  "{'model_type': 'sam2', 'vision_config': {" vision "'backbone_config': {" backbone                         \
  "}}, 'prompt_encoder_config': {}, 'mask_decoder_config': {" decoder "}}"
#define DEPTH(layers, widths, rest)                                                                          \
  "{'model_type': 'depth_anything', 'reassemble_hidden_size': 768, 'neck_hidden_sizes': " widths             \
  ", 'reassemble_factors': [4, 2, 1, 0.5], 'backbone_config': {'model_type': 'dinov2', "                     \
  "'reshape_hidden_states': false, 'out_indices': [" layers "]}" rest "}"
#define GEMMA3N(rest)                                                                                        \
  "{'model_type': 'gemma3n_text', " SMALL ", 'num_key_value_heads': 1, 'num_kv_shared_layers': 0" rest "}"
#define GEMMA4(rest)                                                                                         \
  "{'model_type': 'gemma4_text', " SMALL                                                                     \
  ", 'num_key_value_heads': 1, 'rope_parameters': {'full_attention': {'rope_type': 'proportional'}}" rest    \
  "}"
#define T5GEMMA(type, rest)                                                                                  \
  "{'model_type': 't5gemma', 'encoder': {'model_type': 't5_gemma_module', 'num_key_value_heads': 1, " SMALL  \
  "}, 'decoder': {'model_type': '" type "', 'num_key_value_heads': 1, " SMALL rest "}}"
#define ZAMBA(rest)                                                                                          \
  "{'model_type': 'zamba2', " SMALL ", 'n_mamba_heads': 4, 'layers_block_type': ['mamba', 'hybrid']" rest "}"
#define QWEN_TEXT(sections)                                                                                  \
  SMALL                                                                                                      \
  ", 'num_key_value_heads': 1, 'rope_scaling': {'type': 'mrope', 'mrope_section': [" sections "]}"
#define QWEN2_5_VL(sections, vision)                                                                         \
  "{'model_type': 'qwen2_5_vl', 'image_token_id': 4, " QWEN_TEXT (                                           \
      sections) ", 'vision_config': {'depth': 1, 'num_heads': 2, 'hidden_size': 8, 'out_hidden_size': "      \
                "8" vision "}}"
#define QWEN3_VL(vision)                                                                                     \
  "{'model_type': 'qwen3_vl', 'image_token_id': 4, 'text_config': {'model_type': 'qwen3_vl_text', "          \
  "'head_dim': 4, " QWEN_TEXT ("1, 1, 0") "}, 'vision_config': {'depth': 2, 'num_heads': 2, 'hidden_size': " \
                                          "8, 'out_hidden_size': 8, 'deepstack_visual_indexes': [0]" vision  \
                                          "}}"
#define PALI(type, rest)                                                                                     \
  "{'model_type': 'paligemma', 'image_token_index': 4, 'vision_config': {'model_type': "                     \
  "'siglip_vision_model', 'vision_use_head': false}, 'text_config': {'model_type': '" type                   \
  "', 'num_key_value_heads': 1, " SMALL "}" rest "}"
#define SWIN2(windows)                                                                                       \
  "{'model_type': 'swinv2', 'embed_dim': 8, 'depths': [1, 1], 'num_heads': [2, 2], 'image_size': 32, "       \
  "'window_size': 4, 'pretrained_window_sizes': " windows "}"
#define PATCHES "'hidden_size': 8, 'num_hidden_layers': 2, 'num_attention_heads': 2, 'intermediate_size': 12"
#define LATENT                                                                                               \
  ", 'kv_lora_rank': 4, 'qk_nope_head_dim': 2, 'qk_rope_head_dim': 2, 'v_head_dim': 2, 'n_routed_experts': " \
  "4, 'num_experts_per_tok': 2"

#define GPT2(rest)                                                                                           \
  "{'model_type': 'gpt2', 'vocab_size': 9, 'n_embd': 8, 'n_positions': 8, 'n_layer': 1, " rest "}"

#define STAGES                                                                                               \
  "'hidden_sizes': [8, 12], 'depths': [1, 1], 'sr_ratios': [2, 1], 'strides': [4, 2], 'mlp_ratios': [2, 2]"

#define UNET "'_class_name': 'UNet2DConditionModel', 'norm_num_groups': 4, "
#define UNET_STAGES                                                                                          \
  UNET "'block_out_channels': [8, 16], 'down_block_types': ['CrossAttnDownBlock2D', 'DownBlock2D'], "        \
       "'up_block_types': ['UpBlock2D', 'CrossAttnUpBlock2D']"
#define DECODER   "'_class_name': 'AutoencoderKL', 'norm_num_groups': 4, 'block_out_channels': [8, 16]"
#define DIT       "'_class_name': 'DiTTransformer2DModel', 'num_attention_heads': 2, 'attention_head_dim': 4"
#define FLUX      "'_class_name': 'FluxTransformer2DModel', 'num_attention_heads': 2, 'attention_head_dim': 8"
#define SD3       "'_class_name': 'SD3Transformer2DModel', 'num_attention_heads': 2, 'attention_head_dim': 8"
#define CLIP_TEXT "'model_type': 'clip_text_model', 'hidden_size': 64, 'num_attention_heads': 2"
#define T5_TEXT                                                                                              \
  "'model_type': 't5', 'd_model': 32, 'd_kv': 8, 'd_ff': 8, 'num_layers': 1, 'num_heads': 2, 'vocab_size': " \
  "9"
#define FLUX_PIPELINE(clip, t5, transformer, vae, scheduler)                                                 \
  "{'_class_name': 'FluxPipeline', 'text_encoder': {" CLIP_TEXT clip "}, 'text_encoder_2': {" T5_TEXT t5     \
  "}, 'transformer': {" FLUX                                                                                 \
  ", 'axes_dims_rope': [2, 2, 4], 'pooled_projection_dim': 64, 'joint_attention_dim': 32" transformer        \
  "}, 'vae': {" DECODER ", 'up_block_types': ['UpDecoderBlock2D', 'UpDecoderBlock2D']" vae                   \
  "}, 'scheduler': {'_class_name': 'FlowMatchEulerDiscreteScheduler'" scheduler "}}"
#define PIXART(rest)                                                                                         \
  "{'_class_name': 'PixArtTransformer2DModel', 'num_attention_heads': 2, 'attention_head_dim': 6, "          \
  "'sample_size': 8" rest "}"
#define PIXART_PIPELINE(transformer)                                                                         \
  "{'_class_name': 'PixArtSigmaPipeline', 'text_encoder': {" T5_TEXT "}, 'scheduler': {}, 'vae': {" DECODER  \
  ", 'up_block_types': ['UpDecoderBlock2D', 'UpDecoderBlock2D']}, 'transformer': " transformer "}"
#define CONFORMER(rest)                                                                                      \
  "{'model_type': 'wav2vec2-bert', 'hidden_size': 8, 'num_attention_heads': 2, " rest "}"
#define MOONSHINE(rest)                                                                                      \
  "{'model_type': 'moonshine', 'hidden_size': 32, 'partial_rotary_factor': 1.0, " rest "}"
#define CLAP(rest) "{'model_type': 'clap', 'text_config': {" BERT "}, 'audio_config': {" rest "}}"
#define LLAVA(rest)                                                                                          \
  "{'model_type': 'llava', 'vision_config': {'num_hidden_layers': 3}, 'text_config': {'model_type': "        \
  "'llama', " SMALL "}, " rest "}"
#define GEMMA3(text, vision, rest)                                                                           \
  "{'model_type': 'gemma3', 'vision_config': {'image_size': 56, 'patch_size': 14, 'hidden_size': 8, "        \
  "'intermediate_size': 8, 'num_attention_heads': 2, 'num_hidden_layers': 1" vision                          \
  "}, 'text_config': {'model_type': 'gemma3_text', 'num_key_value_heads': 1, " SMALL text                    \
  "}, 'image_token_index': 4" rest "}"
#define BLIP2(rest, former)                                                                                  \
  "{'model_type': 'blip-2', 'vision_config': {}, 'text_config': {'model_type': 'opt'}, 'qformer_config': "   \
  "{" former "}, " rest "}"
#define IMAGEBIND(rest)                                                                                      \
  "{'model_type': 'imagebind', 'vision_embed_dim': 8, 'vision_num_blocks': 1, 'vision_num_heads': 2, "       \
  "'text_embed_dim': 8, 'text_num_blocks': 1, 'text_num_heads': 2, 'audio_embed_dim': 8, "                   \
  "'audio_num_blocks': 1, 'audio_num_heads': 2, 'out_embed_dim': 4, " rest "}"
#define SAM(vision, prompt, decoder)                                                                         \
  "{'model_type': 'sam', 'vision_config': {" vision "}, 'prompt_encoder_config': {" prompt                   \
  "}, 'mask_decoder_config': {" decoder "}}"

#define RETRIEVAL(encoder, index, decoder)                                                                   \
  "{'_class_name': 'DynoRetrievalPipeline', 'encoder': {'model_type': '" encoder "', " SMALL                 \
  ", 'type_vocab_size': 2}, 'index': {" index "}, 'decoder': {'model_type': '" decoder "', " SMALL "}}"
#define PIPELINE(text, unet, vae, scheduler)                                                                 \
  "{'_class_name': 'StableDiffusionPipeline', 'text_encoder': {'model_type': 'clip_text_model', "            \
  "'hidden_size': 64, 'num_attention_heads': 2" text "}, 'unet': {" UNET_STAGES                              \
  ", 'cross_attention_dim': 64" unet "}, 'vae': {" DECODER                                                   \
  ", 'up_block_types': ['UpDecoderBlock2D', 'UpDecoderBlock2D']" vae "}, 'scheduler': {" scheduler "}}"

#define SAM_PROMPTS(kinds)                                                                                   \
  "{'model_type': 'sam', 'prompts': [" kinds                                                                 \
  "], 'vision_config': {}, 'prompt_encoder_config': {}, 'mask_decoder_config': {}}"

static const struct
{
  const char *json;
  const char *word;
  DynoError code; /* DYNO_ERROR_INVALID_DATA unless another is given */
} bad_configs[] = {
  { RETRIEVAL ("bert", "'entries': 9, 'top_k': 2", "llama"), "index.passage_tokens" },
  { RETRIEVAL ("bert", "'entries': 0, 'top_k': 2, 'passage_tokens': 2", "llama"), "index.entries" },
  { RETRIEVAL ("bert", "'entries': 9, 'top_k': 10, 'passage_tokens': 1", "llama"), "top_k" },
  { RETRIEVAL ("bert", "'entries': 9, 'top_k': 4, 'passage_tokens': 4", "llama"), "16 positions" },
  { RETRIEVAL ("llama", "'entries': 9, 'top_k': 2, 'passage_tokens': 2", "llama"), "“encoder”" },
  { RETRIEVAL ("bert", "'entries': 9, 'top_k': 2, 'passage_tokens': 2", "t5"), "“decoder”" },
  { FLUX_PIPELINE (", 'model_type': 't5'", "", "", "", ""), "clip_text_model" },
  { FLUX_PIPELINE ("", ", 'model_type': 'mt5'", "", "", ""), "text_encoder_2" },
  { FLUX_PIPELINE ("", ", 'd_model': 16", "", "", ""), "joint_attention_dim" },
  { FLUX_PIPELINE (", 'hidden_size': 32", "", "", "", ""), "pooled_projection_dim" },
  { FLUX_PIPELINE ("", "", ", 'in_channels': 128, 'out_channels': 64", "", ""), "out_channels" },
  { FLUX_PIPELINE ("", "", "", ", 'latent_channels': 4", ""), "latent_channels" },
  { FLUX_PIPELINE ("", "", "", ", 'latent_channels': 16", ", '_class_name': 'DDIMScheduler'"),
    "FlowMatchEulerDiscreteScheduler" },
  { FLUX_PIPELINE ("", "", "", "", ", 'shift': 0"), "shift" },
  { FLUX_PIPELINE ("", "", "", "", ", 'time_shift_type': 'cosine'"), "time_shift_type" },
  { FLUX_PIPELINE ("", "", "", "", ", 'max_image_seq_len': 256"), "max_image_seq_len" },
  { FLUX_PIPELINE ("", "", "", "", ", 'use_karras_sigmas': true"), "use_karras_sigmas" },
  { "{'_class_name': 'StableDiffusion3Pipeline', 'text_encoder': {" CLIP_TEXT "}}",
    "CLIPTextModelWithProjection" },
  { CONFORMER ("'position_embeddings_type': 'rotary'"), "position_embeddings_type" },
  { CONFORMER ("'add_adapter': true"), "add_adapter" },
  { CONFORMER ("'conv_depthwise_kernel_size': 4"), "conv_depthwise_kernel_size" },
  { CONFORMER ("'hidden_size': 9"), "hidden_size" },
  { CONFORMER ("'left_max_position_embeddings': 1000000"),
    "“left_max_position_embeddings” is 1000000, but must be at most 100000" },
  { CONFORMER ("'right_max_position_embeddings': 100001"), "“right_max_position_embeddings” is 100001" },
  { MOONSHINE ("'encoder_num_key_value_heads': 2"), "encoder_num_key_value_heads" },
  { MOONSHINE ("'decoder_num_attention_heads': 4"), "decoder_num_attention_heads" },
  { MOONSHINE ("'attention_bias': true"), "attention_bias" },
  { MOONSHINE ("'partial_rotary_factor': 0.3"), "partial_rotary_factor" },
  { MOONSHINE ("'decoder_hidden_act': 'snake'"), "decoder_hidden_act" },
  { "{'model_type': 'bert', " BERT ", 'position_embedding_type': 'alibi'}", "feed_forward_type" },
  { "{'model_type': 'bert', " BERT
    ", 'position_embedding_type': 'alibi', 'feed_forward_type': 'geglu', 'auto_map': {'AutoModel': "
    "'jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertModel'}}",
    "auto_map" },
  { "{'model_type': 'roberta', " BERT ", 'position_embedding_type': 'alibi', 'feed_forward_type': 'geglu'}",
    "position_embedding_type" },
  { QWEN2_5_VL ("1, 1, 0", ", 'fullatt_block_indexes': [1]"), "fullatt_block_indexes" },
  { QWEN2_5_VL ("1, 1, 0", ", 'window_size': 1"), "“window_size” is 1, but must be at least 28" },
  { SAM2 ("'fpn_top_down_levels': [4], ", "", ""), "fpn_top_down_levels" },
  { SAM2 ("", "'global_attention_blocks': [5, 12]", ""),
    "global_attention_blocks” lists 12, but must list numbers from 0 to 11" },
  { SAM2 ("", "'mlp_ratio': 0.001", ""), "mlp_ratio" },
  { SAM ("'mlp_ratio': 1000", "", ""), "mlp_ratio" },
  { FLORENCE ("", ", 'mlp_ratio': 0.001", ""), "mlp_ratio" },
  { RT_DETR ("'hidden_expansion': 1000, ", ""), "hidden_expansion" },
  { "{" SD3 ", 'caption_projection_dim': 16, 'dual_attention_layers': [0, 18]}", "dual_attention_layers" },
  { "{'model_type': 'qwen3_moe', " SMALL
    ", 'num_experts': 4, 'num_experts_per_tok': 2, 'mlp_only_layers': [2]}",
    "mlp_only_layers" },
  { "{'model_type': 'llama4_text', " SMALL
    ", 'num_local_experts': 4, 'num_experts_per_tok': 1, 'moe_layers': [-1]}",
    "moe_layers" },
  { "{'model_type': 'lfm2', " SMALL ", 'full_attn_idxs': [2]}", "full_attn_idxs" },
  { "{'model_type': 'lfm2', " SMALL ", 'block_ffn_dim_multiplier': 0.001}", "block_ffn_dim_multiplier" },
  { "{'model_type': 'mobilevit', 'mlp_ratio': 0.001}", "mlp_ratio" },
  { "{'model_type': 'mobilevitv2', 'ffn_multiplier': 1000}", "ffn_multiplier" },
  { "{'model_type': 'dinov2', " PATCHES ", 'mlp_ratio': 0.001}", "mlp_ratio" },
  { CLAP ("'enable_fusion': true"), "enable_fusion" },
  { CLAP ("'patch_stride': [2, 2]"), "patch_stride" },
  { CLAP ("'hidden_size': 96"), "patch_embeds_hidden_size" },
  { CLAP ("'num_mel_bins': 60"), "num_mel_bins" },
  { CLAP ("'window_size': 7"), "window_size" },
  { CLAP ("}, 'projection_hidden_act': 'snake', 'other': {"), "projection_hidden_act" },
  { CLAP ("'spec_size': 1048576"), "image_size" },
  { CLAP ("'mlp_ratio': 0.001"), "mlp_ratio" },
  { PIXART (", 'caption_channels': 4"), "cross_attention_dim" },
  { PIXART (", 'norm_elementwise_affine': true"), "norm_elementwise_affine" },
  { PIXART (", 'attention_type': 'gated'"), "attention_type" },
  { PIXART (", 'interpolation_scale': 0"), "interpolation_scale" },
  { PIXART (", 'num_attention_heads': 4, 'attention_head_dim': 4, 'use_additional_conditions': true"),
    "use_additional_conditions" },
  { PIXART_PIPELINE ("{" DIT ", 'patch_size': 2}"), "norm_type" },
  { PIXART_PIPELINE (PIXART (", 'cross_attention_dim': 12, 'caption_channels': 8")), "caption_channels" },
  { "{" FLUX "}", "axes_dims_rope" },
  { "{" FLUX ", 'axes_dims_rope': [2, 6]}", "axes_dims_rope" },
  { "{" FLUX ", 'axes_dims_rope': [2, 3, 3]}", "odd" },
  { "{" FLUX ", 'axes_dims_rope': [2, 2, 4], 'in_channels': 6}", "in_channels" },
  { "{" FLUX ", 'axes_dims_rope': [2, 2, 4], 'patch_size': 2}", "patch_size" },
  { "{" SD3 "}", "caption_projection_dim" },
  { "{" SD3 ", 'caption_projection_dim': 16, 'qk_norm': 'layer_norm'}", "qk_norm" },
  { "{" SD3 ", 'caption_projection_dim': 16, 'pos_embed_max_size': 9}", "pos_embed_max_size" },
  { "{" SD3 ", 'caption_projection_dim': 16, 'patch_size': 3}", "patch_size" },
  { "{'_class_name': 'StableDiffusionPipeline'}", "text_encoder" },
  { "{'_class_name': 'StableDiffusionXLPipeline', 'text_encoder': {'model_type': 'clip_text_model'}}",
    "text_encoder_2" },
  { SAM_PROMPTS ("'text'"), "“text” of its “prompts”" },
  { SAM_PROMPTS ("'masks'"), "neither “points” nor “boxes”" },
  { PIPELINE (", 'model_type': 't5'", "", "", ""), "clip_text_model" },
  { PIPELINE ("", ", 'cross_attention_dim': 32", "", ""), "cross_attention_dim" },
  { PIPELINE ("", ", 'in_channels': 9", "", ""), "out_channels" },
  { PIPELINE ("", ", 'time_cond_proj_dim': 8", "", ""), "time_cond_proj_dim" },
  { PIPELINE ("", "", ", 'latent_channels': 16", ""), "latent_channels" },
  { PIPELINE ("", "", ", 'scaling_factor': 0", ""), "scaling_factor" },
  { PIPELINE ("", "", "", "'beta_schedule': 'sigmoid'"), "“sigmoid”" },
  { PIPELINE ("", "", "", "'timestep_spacing': 'dense'"), "“dense”" },
  { PIPELINE ("", "", "", "'prediction_type': 'sample'"), "prediction_type" },
  { PIPELINE ("", "", "", "'num_train_timesteps': 1000000"), "num_train_timesteps" },
  { PIPELINE ("", "", "", "'beta_end': 2"), "beta_end" },
  { PIPELINE ("", "", "", "'clip_sample': true"), "clip_sample" },
  { PIPELINE ("", "", "", "'_class_name': 'HeunDiscreteScheduler'"), "scheduler “HeunDiscreteScheduler”" },
  { PIPELINE ("", "", "", "'_class_name': 'PNDMScheduler', 'skip_prk_steps': false"), "skip_prk_steps" },
  { PIPELINE ("", "", "", "'_class_name': 'DPMSolverMultistepScheduler', 'solver_order': 3"),
    "solver_order" },
  { PIPELINE ("", "", "", "'_class_name': 'EulerDiscreteScheduler', 'use_exponential_sigmas': true"),
    "use_exponential_sigmas" },
  { "{" UNET "'sample_size': 8}", "block_out_channels" },
  { "{" UNET "'block_out_channels': []}", "“block_out_channels” is empty" },
  { "{" UNET
    "'block_out_channels': [10], 'down_block_types': ['DownBlock2D'], 'up_block_types': ['UpBlock2D']}",
    "norm_num_groups" },
  { "{" UNET "'block_out_channels': [8, 16]}", "down_block_types" },
  { "{" UNET "'block_out_channels': [8], 'down_block_types': ['AttnDownBlock2D']}", "AttnDownBlock2D" },
  { "{" UNET "'block_out_channels': [8], 'down_block_types': [3]}",
    "“down_block_types” is not a list of texts" },
  { "{" UNET_STAGES ", 'attention_head_dim': 3}", "attention_head_dim" },
  { "{" UNET_STAGES ", 'attention_head_dim': [2, 2, 2]}", "attention_head_dim" },
  { "{" UNET_STAGES ", 'layers_per_block': 1000}", "2000 layers" },
  { "{" UNET_STAGES ", 'mid_block_type': 'UNetMidBlock2D'}", "“UNetMidBlock2D” of its “mid_block_type”" },
  { "{" UNET_STAGES ", 'class_embed_type': 'timestep'}", "class_embed_type" },
  { "{" UNET_STAGES ", 'mid_block_scale_factor': 2}", "mid_block_scale_factor" },
  { "{" UNET_STAGES ", 'act_fn': 'sin'}", "“sin”" },
  { "{" UNET_STAGES ", 'freq_shift': 4}", "freq_shift" },
  { "{" UNET_STAGES ", 'addition_embed_type': 'image'}", "addition_embed_type" },
  { "{" UNET_STAGES ", 'addition_embed_type': 'text_time'}", "addition_time_embed_dim" },
  { "{" UNET_STAGES ", 'addition_embed_type': 'text_time', 'addition_time_embed_dim': 8, "
    "'projection_class_embeddings_input_dim': 48}",
    "projection_class_embeddings_input_dim" },
  { "{" DECODER "}", "up_block_types" },
  { "{" DECODER ", 'up_block_types': ['UpDecoderBlock2D', 'AttnUpDecoderBlock2D']}", "AttnUpDecoderBlock2D" },
  { "{" DECODER ", 'up_block_types': ['UpDecoderBlock2D', 'UpDecoderBlock2D'], 'layers_per_block': 9999}",
    "layers" },
  { "{" DIT "}", "patch_size" },
  { "{" DIT ", 'patch_size': 3}", "sample_size" },
  { "{" DIT ", 'patch_size': 1, 'sample_size': 1048576, 'num_attention_heads': 1048576}", "sample_size" },
  { "{" DIT ", 'patch_size': 2, 'norm_type': 'ada_norm_single'}", "norm_type" },
  { "{" DIT ", 'patch_size': 2, 'attention_head_dim': 3}", "attention_head_dim" },
  { "{'model_type': 'clip_text_model', 'num_attention_heads': 7}", "heads" },
  { "{'model_type': 'clip_text_model', 'architectures': 'x'}", "architectures" },
  { "{}", "model_type" },
  { "{'model_type': [1]}", "model_type" },
  { "{'model_type': 'rwkv6'}", "rwkv", DYNO_ERROR_UNSUPPORTED },
  { "{'model_type': 'bert'}", "vocab_size" },
  { "{'_class_name': 'UNet9DModel'}", "“UNet9DModel”", DYNO_ERROR_UNSUPPORTED },
  { "{'_class_name': 'UNet9DModel', 'model_type': 'bert'}", "vocab_size" },
  { "{'model_type': 'bert-large'}", "“bert-large”", DYNO_ERROR_UNSUPPORTED },
  { "{'model_type': 'bert', 'vocab_size': 9, 'hidden_size': -8}", "hidden_size" },
  { "{'model_type': 'bert', 'vocab_size': 9.5}", "vocab_size" },
  { "{'model_type': 'bert', 'vocab_size': {}}", "vocab_size" },
  { "{'model_type': 'bert', 'vocab_size': 'many'}", "vocab_size" },
  { "{'model_type': 'bert', 'vocab_size': 9, 'hidden_size': 0}", "hidden_size" },
  { "{'model_type': 'bert', 'vocab_size': 9, 'hidden_size': 99999999999}", "hidden_size" },
  { "{'model_type': 'bert', 'vocab_size': 9, 'hidden_size': 10, 'num_hidden_layers': 1, "
    "'num_attention_heads': 3, 'intermediate_size': 8, 'max_position_embeddings': 8}",
    "multiple" },
  { "{'model_type': 'bert', 'vocab_size': 9, 'hidden_size': 8, 'num_hidden_layers': 1000000, "
    "'num_attention_heads': 2, 'intermediate_size': 8, 'max_position_embeddings': 8}",
    "1000000 layers" },
  { "{'model_type': 'bert', " BERT ", 'hidden_act': 'x'}", "activation" },
  { "{'model_type': 'albert', " BERT ", 'num_hidden_groups': 2}", "groups" },
  { "{'model_type': 'deberta-v2', " BERT ", 'relative_attention': true}", "pos_att_type" },
  { "{'model_type': 'deberta-v2', " BERT
    ", 'relative_attention': true, 'pos_att_type': 'c2p', 'position_buckets': 1000000}",
    "position_buckets" },
  { "{'model_type': 'albert', " BERT ", 'inner_group_num': 1048576}", "inner_group_num" },
  { "{'model_type': 'roberta', " BERT ", 'pad_token_id': 8}", "pad_token_id" },
  { "{'model_type': 'mpnet', " BERT ", 'relative_attention_num_buckets': 1}",
    "relative_attention_num_buckets" },
  { "{'model_type': 'deberta-v2', " BERT
    ", 'relative_attention': true, 'pos_att_type': 'c2p', 'max_relative_positions': 3}",
    "max_relative_positions" },
  { "{'model_type': 'convnext', 'hidden_sizes': [8], 'depths': [2.5]}",
    "“depths” is not a list of whole numbers" },
  { "{'model_type': 'convnext', 'hidden_sizes': [8], 'depths': [1001]}", "1001 layers" },
  { "{'model_type': 'convnext', 'hidden_sizes': [8], 'depths': [1], 'id2label': {}}", "id2label" },
  { "{'model_type': 'llama', 'vocab_size': 9, 'hidden_size': 8, 'num_hidden_layers': 1, "
    "'num_attention_heads': 2, 'num_key_value_heads': 3, 'intermediate_size': 8, 'max_position_embeddings': "
    "8}",
    "heads" },
  { "{'model_type': 'llama', " BERT ", 'rope_scaling': {'rope_type': 'spiral'}}", "spiral" },
  { "{'model_type': 'llama', " SMALL ", 'rope_theta': 0}", "rope_theta" },
  { "{'model_type': 'mistral', " SMALL ", 'sliding_window': 1}", "sliding_window" },
  { "{'model_type': 'gemma2', " SMALL ", 'layer_types': ['full_attention']}", "layer_types" },
  { "{'model_type': 'gemma3_text', " SMALL ", 'layer_types': ['full_attention', 'round']}", "round" },
  { "{'model_type': 'smollm3', " SMALL ", 'no_rope_layers': [1]}", "no_rope_layers" },
  { "{'model_type': 'smollm3', " SMALL ", 'no_rope_layers': 1}", "no_rope_layers" },
  { "{'model_type': 'phi3', " SMALL ", 'rope_scaling': {'type': 'su', 'short_factor': [1, 1]}}",
    "long_factor" },
  { "{'model_type': 'phi3', " SMALL
    ", 'rope_scaling': {'type': 'longrope', 'short_factor': [1], 'long_factor': [1, 2]}}",
    "short_factor" },
  { "{'model_type': 'gpt_neox', " SMALL ", 'rotary_pct': 0.1}", "rotary_pct" },
  { "{'model_type': 'opt', " SMALL "}", "ffn_dim" },
  { "{'model_type': 'bloom', 'vocab_size': 10, 'n_layer': 2, 'n_head': 2}", "hidden_size" },
  { "{'model_type': 'falcon', " SMALL ", 'new_decoder_architecture': true, 'num_kv_heads': 3}", "heads" },
  { "{'model_type': 'mixtral', " SMALL ", 'num_experts_per_tok': 2}", "“num_local_experts” is missing" },
  { "{'model_type': 'mixtral', " SMALL ", 'num_local_experts': 2, 'num_experts_per_tok': 3}",
    "num_experts_per_tok" },
  { "{'model_type': 'mixtral', " SMALL ", 'num_local_experts': 1048576, 'num_experts_per_tok': 3}",
    "1048576 experts" },
  { "{'model_type': 'qwen3_moe', " SMALL
    ", 'num_experts': 2, 'num_experts_per_tok': 1, 'mlp_only_layers': [{}]}",
    "mlp_only_layers" },
  { "{'model_type': 'smollm3', " SMALL ", 'no_rope_layers': [1, 'x']}", "no_rope_layers" },
  { "{'model_type': 'mamba', " SMALL "}", "state_size" },
  { "{'model_type': 'granite', " SMALL ", 'logits_scaling': 0}", "logits_scaling" },
  { "{'model_type': 'cohere', " SMALL ", 'use_qk_norm': true}", "use_qk_norm" },
  { "{'model_type': 'stablelm', " SMALL ", 'qk_layernorm': true}", "qk_layernorm" },
  { "{'model_type': 'deepseek_v2', " SMALL LATENT ", 'topk_method': 'best'}", "topk_method" },
  { "{'model_type': 'deepseek_v3', " SMALL LATENT ", 'n_group': 3}", "n_group" },
  { "{'model_type': 'deepseek_v3', " SMALL "}", "kv_lora_rank" },
  { "{'model_type': 'ernie4_5_moe', " SMALL ", 'moe_num_experts': 4, 'moe_k': 2, 'moe_norm_min': 0.5}",
    "moe_norm_min" },
  { "{'model_type': 'lfm2', " SMALL ", 'conv_L_cache': 1}", "conv_L_cache" },
  { "{'model_type': 'lfm2', " SMALL ", 'block_ffn_dim_multiplier': -1}", "block_ffn_dim_multiplier" },
  { "{'model_type': 'lfm2', " SMALL ", 'layer_types': ['conv', 'chunked_attention']}", "chunked_attention" },
  { "{'model_type': 'qwen3_5_text', " SMALL ", 'linear_num_key_heads': 3}", "linear_num_key_heads" },
  { "{'model_type': 'qwen3_5_text', " SMALL ", 'linear_conv_kernel_dim': 1}", "linear_conv_kernel_dim" },
  { "{'model_type': 'qwen3_next', " SMALL "}", "num_experts" },
  { "{'model_type': 'falcon_mamba', 'vocab_size': 9, 'hidden_size': 8, 'num_hidden_layers': 1, 'state_size': "
    "4, 'mixer_rms_eps': 0}",
    "mixer_rms_eps" },
  { "{'model_type': 'beit', " PATCHES
    ", 'use_relative_position_bias': true, 'use_shared_relative_position_bias': true}",
    "use_shared_relative_position_bias" },
  { "{'model_type': 'beit', " PATCHES
    ", 'use_relative_position_bias': true, 'image_size': 100000, 'patch_size': 1}",
    "100000 patches" },
  { "{'model_type': 'beit', " PATCHES ", 'architectures': ['BeitForMaskedImageModeling']}",
    "BeitForMaskedImageModeling" },
  { "{'model_type': 'yolos', " PATCHES ", 'image_size': [32, 40]}", "use_mid_position_embeddings" },
  { "{'model_type': 'audio-spectrogram-transformer', " PATCHES ", 'num_mel_bins': 8}", "num_mel_bins" },
  { "{'model_type': 'esm', " BERT ", 'position_embedding_type': 'relative_key'}",
    "“relative_key” of its “position_embedding_type”" },
  { "{'model_type': 'esm', " BERT ", 'is_folding_model': true}", "is_folding_model" },
  { "{'model_type': 'esm', " BERT ", 'pad_token_id': 7}", "pad_token_id" },
  { "{'model_type': 'wavlm', " WAVE "'conv_dim': [8], 'conv_kernel': [3], 'conv_stride': [2], 'num_buckets': "
    "320, 'max_bucket_distance': 100}",
    "max_bucket_distance" },
  { READER ("swin", "trocr", ""), "in its “encoder”" },
  { READER ("vit", "gpt2", ", 'scale_attn_by_inverse_layer_idx': true"), "scale_attn_by_inverse_layer_idx" },
  { READER ("vit", "gpt2", ", 'add_cross_attention': false"), "add_cross_attention" },
  { READER ("vit", "gpt2", ", 'n_head': 5"), "5 heads (“n_head”)" },
  { READER ("vit", "bert", ""), "in its “decoder”" },
  { READER ("vit", "trocr", ", 'use_learned_position_embeddings': false"),
    "use_learned_position_embeddings" },
  { READER ("vit", "trocr", ", 'cross_attention_hidden_size': 6"), "cross_attention_hidden_size" },
  { "{'architecture': 'vit_base_patch16_clip_224'}", "vit_base_patch16_clip_224" },
  { "{'architecture': 'vit_huge_patch14_224'}", "vit_huge_patch14_224" },
  { "{'architecture': 'deit_base_patch16_224', 'global_pool': 'avg'}", "“avg” of its “global_pool”" },
  { "{'architecture': 'vit_base_patch16_224', 'model_args': {'class_token': false}}", "model_args" },
  { "{'architecture': 'vit_base_patch16_224', 'pretrained_cfg': {'input_size': [3, 224, 256]}}", "square" },
  { "{'architecture': 'resnet18', 'pretrained_cfg': {'input_size': [1, 224, 224]}}", "three channels" },
  { "{'architecture': 'swin_tiny_patch4_window7_224_extra'}", "swin_tiny_patch4_window7_224_extra" },
  { "{'architecture': 'swin_base_patch4_window12_224'}", "56 × 56 places" },
  { "{'architecture': 'swin_tiny_patch4_window07_224'}", "window07" },
  { "{'architecture': 'swin_tiny_patch4_window7_0'}", "image_size" },
  { "{'architecture': 'vit_giant_patch14_dinov2'}", "vit_giant_patch14_dinov2" },
  { "{'architecture': 'vit_base_patch14_reg4_dinov2'}", "vit_base_patch14_reg4_dinov2" },
  { "{'architecture': 'efficientnet_b9'}", "efficientnet_b9" },
  { "{'architecture': 'mobilenetv3_large_075'}", "mobilenetv3_large_075" },
  { "{'architecture': 'efficientnet_b0', 'global_pool': 'max'}", "“max” of its “global_pool”" },
  { "{'architecture': 'resnet50d'}", "resnet50d" },
  { "{'architecture': 'convnext_atto'}", "convnext_atto" },
  { "{'architecture': 'regnety_032'}", "regnety_032", DYNO_ERROR_UNSUPPORTED },
  { "{'architecture': 'convnextv2_tiny'}", "convnextv2_tiny", DYNO_ERROR_UNSUPPORTED },
  { "{'model_type': 'smolvlm', 'image_token_id': 4, 'scale_factor': 3, 'vision_config': {}, 'text_config': "
    "{'model_type': 'llama', " SMALL "}}",
    "scale_factor" },
  { "{'model_type': 'llama4_text', " SMALL ", 'num_local_experts': 4, 'num_experts_per_tok': 1, "
    "'layer_types': ['full_attention', 'sliding_attention']}",
    "“sliding_attention”" },
  { "{'model_type': 'llama4_text', " SMALL
    ", 'num_local_experts': 4, 'num_experts_per_tok': 1, 'no_rope_layers': [1]}",
    "no_rope_layers" },
  { DEPTH ("3, 6, 12", "[8, 8, 8, 8]", ""), "out_indices" },
  { DEPTH ("3, 6, 9, 11", "[8, 8, 8, 8]", ""), "out_indices" },
  { DEPTH ("3, 6, 9, 12", "[8, 8, 8]", ""), "neck_hidden_sizes" },
  { DEPTH ("3, 6, 9, 12", "[8, 8, 8, 8]", ", 'depth_estimation_type': 'inverse'"),
    "“inverse” of its “depth_estimation_type”" },
  { DEPTH ("3, 6, 9, 12", "[8, 8, 8, 8]", ", 'reassemble_factors': [4, 2, 1.5, 1]"), "reassemble_factors" },
  { DEPTH ("3, 6, 9, 12", "[8, 8, 8, 8]", ", 'head_in_index': 0"), "head_in_index" },
  { DEPTH ("3, 6, 9, 12", "[8, 8, 8, 8]", ", 'patch_size': 16"), "backbone_config" },
  { "{'model_type': 'layoutlmv3', " BERT "}", "coordinate_size" },
  { "{'model_type': 'layoutlmv3', " BERT ", 'coordinate_size': 1, 'shape_size': 2, 'visual_embed': false}",
    "visual_embed" },
  { "{'model_type': 'layoutlmv3', " BERT
    ", 'coordinate_size': 1, 'shape_size': 2, 'has_relative_attention_bias': false}",
    "has_spatial_attention_bias" },
  { "{'model_type': 'layoutlmv3', " BERT ", 'coordinate_size': 1, 'shape_size': 2, 'max_rel_pos': 16}",
    "max_rel_pos" },
  { "{'model_type': 'layoutlmv3', " BERT ", 'coordinate_size': 1, 'shape_size': 2, 'input_size': 8}",
    "input_size" },
  { PALI ("llama", ""), "“model_type” is not \"gemma\"" },
  { PALI ("gemma", ", 'projection_dim': 9"), "projection_dim" },
  { "{'model_type': 'minimax', " SMALL
    ", 'num_local_experts': 4, 'num_experts_per_tok': 1, 'mlp_beta_factor': 0}",
    "mlp_beta_factor" },
  { "{'model_type': 'minimax', " SMALL ", 'num_local_experts': 4, 'num_experts_per_tok': 1, 'rotary_dim': 6}",
    "rotary_dim" },
  { "{'model_type': 'minimax_m2', " SMALL
    ", 'num_local_experts': 4, 'num_experts_per_tok': 1, 'rotary_dim': 3}",
    "“rotary_dim” is 3, but must be an even number up to 4, the width of a head" },
  { GEMMA3N (", 'num_kv_shared_layers': 2"), "num_kv_shared_layers" },
  { GEMMA3N (", 'altup_active_idx': 1"), "altup_active_idx" },
  { GEMMA3N (", 'altup_correct_scale': false"), "altup_correct_scale" },
  { GEMMA3N (", 'altup_num_inputs': 1"), "altup_num_inputs" },
  { GEMMA3N (", 'altup_num_inputs': 65"), "altup_num_inputs" },
  { GEMMA3N (", 'vocab_size_per_layer_input': 0"), "vocab_size_per_layer_input" },
  { GEMMA3N (", 'activation_sparsity_pattern': ['x', 0, 0]"), "activation_sparsity_pattern" },
  { GEMMA3N (", 'activation_sparsity_pattern': [0.5, 1]"), "activation_sparsity_pattern" },
  { GEMMA3N (", 'activation_sparsity_pattern': [0.5, []]"), "activation_sparsity_pattern" },
  { GEMMA3N (", 'activation_sparsity_pattern': [0.5]"), "activation_sparsity_pattern" },
  { GEMMA3N (", 'intermediate_size': [8]"), "intermediate_size" },
  { GEMMA4 (", 'enable_moe_block': true, 'num_experts': 4, 'top_k_experts': 100, 'moe_intermediate_size': 8"),
    "top_k_experts" },
  { GEMMA4 (", 'use_bidirectional_attention': 'all'"), "use_bidirectional_attention" },
  { GEMMA4 (", 'per_layer_config': {}"), "per_layer_config" },
  { GEMMA4 (", 'num_kv_shared_layers': 1"), "num_kv_shared_layers" },
  { GEMMA4 (", 'attention_k_eq_v': true, 'num_global_key_value_heads': 3"), "num_global_key_value_heads" },
  { GEMMA4 (", 'rope_parameters': null"), "rope_parameters" },
  { GEMMA4 (", 'enable_moe_block': true"), "num_experts" },
  { T5GEMMA ("t5_gemma_module",
             ", 'sliding_window': 4, 'layer_types': ['sliding_attention', 'sliding_attention']"),
    "layer_types" },
  { T5GEMMA ("gemma2", ""), "“model_type” is not" },
  { T5GEMMA ("t5_gemma_module", ", 'num_key_value_heads': 3"), "num_key_value_heads" },
  { "{'model_type': 't5gemma'}", "encoder" },
  { "{'model_type': 'rwkv', 'vocab_size': 9, 'num_hidden_layers': 1}", "hidden_size" },
  { "{'model_type': 'rwkv', 'vocab_size': 9, 'hidden_size': 8, 'num_hidden_layers': 2000}",
    "num_hidden_layers" },
  { ZAMBA (", 'use_long_context': true"), "use_long_context" },
  { ZAMBA (", 'tie_word_embeddings': false"), "tie_word_embeddings" },
  { ZAMBA (", 'layers_block_type': ['hybrid']"), "layers_block_type" },
  { ZAMBA (", 'layers_block_type': ['hybrid', 'round']"), "round" },
  { ZAMBA (", 'n_mamba_heads': 3"), "n_mamba_heads" },
  { ZAMBA (", 'mamba_ngroups': 3"), "mamba_ngroups" },
  { ZAMBA (", 'mamba_d_conv': 1"), "mamba_d_conv" },
  { ZAMBA (", 'num_key_value_heads': 3"), "num_key_value_heads" },
  { QWEN2_5_VL ("1, 1", ""), "mrope_section" },
  { QWEN2_5_VL ("1, 1, 1", ""), "mrope_section" },
  { QWEN2_5_VL ("1, 1, 0", ", 'image_size': 450"), "image_size" },
  { QWEN2_5_VL ("1, 1, 0", ", 'window_size': 140"), "windows of the same size" },
  { QWEN2_5_VL ("1, 1, 0", ", 'num_heads': 4"), "rows and columns" },
  { QWEN2_5_VL ("1, 1, 0", ", 'out_hidden_size': 9"), "out_hidden_size" },
  { QWEN2_5_VL ("1, 1, 0", ", 'rope_parameters': {'rope_type': 'linear'}"), "rope_type" },
  { QWEN3_VL (", 'deepstack_visual_indexes': [1, 0]"), "deepstack_visual_indexes" },
  { QWEN3_VL (", 'num_position_embeddings': 2300"), "num_position_embeddings" },
  { QWEN3_VL (", 'image_size': 64"), "num_position_embeddings" },
  { "{'model_type': 'jamba', " SMALL ", 'num_experts': 4, 'num_experts_per_tok': 1, 'mamba_d_conv': 1}",
    "mamba_d_conv" },
  { FLORENCE ("", ", 'model_type': 'davit'", ""), "“model_type” is not \"florence_vision\"" },
  { FLORENCE ("'tie_word_embeddings': false, ", "", ""), "tie_word_embeddings" },
  { FLORENCE ("", "", ", 'tie_word_embeddings': false"), "tie_word_embeddings" },
  { FLORENCE ("'image_token_id': 10, ", "", ""), "language model has 10 tokens" },
  { FLORENCE ("", ", 'patch_prenorm': [true, true, true, true]", ""), "patch_prenorm" },
  { FLORENCE ("", ", 'patch_prenorm': [false]", ""), "equally long" },
  { FLORENCE ("", ", 'patch_padding': [3, 1, 1, 0]", ""), "patch_padding" },
  { FLORENCE ("", ", 'patch_padding': null", ""), "patch_padding" },
  { FLORENCE ("", ", 'patch_padding': 3", ""), "patch_padding" },
  { RT_DETR ("'encode_proj_layers': null, ", ""), "encode_proj_layers" },
  { SAM2 ("", "'global_attention_blocks': null", ""), "global_attention_blocks" },
  { SAM2 ("'fpn_top_down_levels': null, ", "", ""), "fpn_top_down_levels" },
  { "{" FLUX ", 'num_attention_heads': 1048576}", "attention_head_dim" },
  { QWEN2_5_VL ("1, 1, 0", ", 'image_size': 1048576"), "image_size" },
  { GEMMA4 (
        ", 'rope_parameters': {'full_attention': {'rope_type': 'proportional', 'partial_rotary_factor': 0}}"),
    "partial_rotary_factor" },
  { FLORENCE ("", ", 'patch_stride': [4]", ""), "equally long" },
  { FLORENCE ("", ", 'num_groups': [4, 8, 16, 33]", ""), "num_groups" },
  { FLORENCE ("", ", 'mlp_ratio': 0", ""), "mlp_ratio" },
  { FLORENCE ("", ", 'max_position_embeddings': 23", ""), "max_position_embeddings" },
  { FLORENCE ("", ", 'image_size': 5000", ""), "image_size" },
  { FLORENCE ("", ", 'projection_dim': 9", ""), "projection_dim" },
  { RT_DETR ("", ", 'model_type': 'hgnet_v2'"), "rt_detr_resnet" },
  { RT_DETR ("", ", 'out_indices': [1, 2, 3]"), "out_indices" },
  { RT_DETR ("", ", 'layer_type': 'wide'"), "“wide”" },
  { RT_DETR ("", ", 'layer_type': 'basic'"), "embedding_size" },
  { RT_DETR ("", ", 'hidden_sizes': [512, 1024, 2048], 'depths': [1, 1, 1]"), "must be 4" },
  { RT_DETR ("'encoder_in_channels': [512, 1024, 2049], ", ""), "encoder_in_channels" },
  { RT_DETR ("'encoder_hidden_dim': 128, ", ""), "decoder_in_channels" },
  { RT_DETR ("'encode_proj_layers': [3], ", ""), "encode_proj_layers" },
  { RT_DETR ("'image_size': 648, ", ""), "multiple of 32" },
  { RT_DETR ("'image_size': 96, ", ""), "fewer places than “num_queries”" },
  { RT_DETR ("'hidden_expansion': 0, ", ""), "hidden_expansion" },
  { RT_DETR ("'decoder_layers': 0, ", ""), "decoder_layers" },
  { RT_DETR ("'learn_initial_query': true, ", ""), "learn_initial_query" },
  { RT_DETR ("'anchor_image_size': [640, 640], ", ""), "anchor_image_size" },
  { RT_DETR ("'decoder_method': 'discrete', ", ""), "decoder_method" },
  { RT_DETR ("'decoder_attention_heads': 7, ", ""), "decoder_attention_heads" },
  { RT_DETR ("'encoder_activation_function': 'foo', ", ""), "encoder_activation_function" },
  { SAM2 ("'num_feature_levels': 4, ", "", ""), "num_feature_levels" },
  { SAM2 ("'backbone_channel_list': [96, 192, 384, 768], ", "", ""), "backbone_channel_list" },
  { SAM2 ("'backbone_feature_sizes': [[256, 256], [128, 128], [64, 65]], ", "", ""),
    "backbone_feature_sizes" },
  { SAM2 ("'fpn_hidden_size': 128, ", "", ""), "fpn_hidden_size" },
  { SAM2 ("", "'model_type': 'hiera'", ""), "sam2_hiera_det_model" },
  { SAM2 ("", "'num_query_pool_stages': 2", ""), "num_query_pool_stages" },
  { SAM2 ("", "'blocks_per_stage': [1, 2, 7]", ""), "4 elements" },
  { SAM2 ("", "'embed_dim_per_stage': [96, 96, 384, 768]", ""), "must rise" },
  { SAM2 ("", "'window_size_per_stage': [8, 4, 7, 7]", ""), "cannot be halved" },
  { SAM2 ("", "'num_attention_heads_per_stage': [1, 2, 5, 8]", ""), "num_attention_heads_per_stage" },
  { SAM2 ("", "'patch_padding': [2, 2]", ""), "patch_padding" },
  { SAM2 ("", "'image_size': [1024, 512]", ""), "square" },
  { SAM2 ("", "'image_size': 1020", ""), "stages and windows" },
  { SAM2 ("", "'image_size': 4096", ""), "stages and windows" },
  { SAM2 ("", "'hidden_size': 97", ""), "hidden_size" },
  { SAM2 ("", "'window_positional_embedding_background_size': [7]", ""), "height and width" },
  { SAM2 ("", "", "'num_hidden_layers': 3"), "num_hidden_layers" },
  { "{'model_type': 'mobilevit', 'output_stride': 16}", "output_stride" },
  { "{'model_type': 'mobilevit', 'image_size': 224}", "multiple of 64" },
  { "{'model_type': 'mobilevit', 'hidden_sizes': [144, 192]}", "must be 3" },
  { "{'model_type': 'mobilevit', 'num_attention_heads': 5}", "num_attention_heads" },
  { "{'model_type': 'mobilevit', 'conv_kernel_size': 2}", "conv_kernel_size" },
  { "{'model_type': 'mobilevit', 'mlp_ratio': 0}", "mlp_ratio" },
  { "{'model_type': 'mobilevitv2', 'width_multiplier': 0.01}", "width_multiplier" },
  { "{'model_type': 'mobilevitv2', 'base_attn_unit_dims': [4, 4, 4], 'ffn_multiplier': 1}",
    "base_attn_unit_dims" },
  { "{'model_type': 'mobilevitv2', 'expand_ratio': 1000}", "expand_ratio" },
  { "{'model_type': 'vision-encoder-decoder', 'encoder': {'model_type': 'donut-swin', 'embed_dim': 8, "
    "'depths': [1], 'num_heads': [2], 'image_size': [28, 40]}, 'decoder': {'model_type': 'mbart', "
    "'vocab_size': 9, 'd_model': 8, 'decoder_layers': 1, 'decoder_attention_heads': 2, 'decoder_ffn_dim': 8, "
    "'max_position_embeddings': 8}}",
    "7 × 10 places" },
  { "{'model_type': 'dinov3_convnext', 'layer_norm_eps': 1e-5}", "layer_norm_eps" },
  { "{'model_type': 'dinov3_convnext', 'depths': [3, 3]}", "hidden_sizes" },
  { SWIN2 ("[0, 1]"), "pretrained_window_sizes" },
  { SWIN2 ("[0]"), "has 2 stages" },
  { "{'model_type': 'phimoe', " SMALL
    ", 'num_local_experts': 4, 'num_experts_per_tok': 2, 'rope_scaling': {'type': 'longrope', "
    "'short_factor': [1, 1], 'long_factor': [1, 1], 'short_mscale': 1, 'long_mscale': 2}}",
    "long_mscale" },
  { "{'model_type': 'detr', 'backbone': 'vgg16'}", "vgg16" },
  { "{'model_type': 'detr', 'use_timm_backbone': false}", "backbone_config" },
  { "{'model_type': 'detr', 'd_model': 250}", "d_model" },
  { "{'model_type': 'bert', " BERT ", 'position_embedding_type': 'relative_key'}",
    "“position_embedding_type” is not \"absolute\"" },
  { "{'model_type': 'electra', " BERT ", 'position_embedding_type': 'relative_key_query'}",
    "position_embedding_type" },
  { "{'model_type': 'roberta', " BERT ", 'is_decoder': true}", "is_decoder" },
  { "{'model_type': 'bert', " BERT ", 'add_cross_attention': true}", "add_cross_attention" },
  { GPT2 ("'n_head': 2, 'scale_attn_by_inverse_layer_idx': true"), "scale_attn_by_inverse_layer_idx" },
  { GPT2 ("'n_head': 2, 'reorder_and_upcast_attn': true"), "reorder_and_upcast_attn" },
  { GPT2 ("'n_head': 2, 'scale_attn_weights': false"), "scale_attn_weights" },
  { GPT2 ("'n_head': 2, 'n_layer': 100000"), "100000 layers (“n_layer”)" },
  { GPT2 ("'n_head': 5"), "width 8 (“n_embd”) is not a multiple of its 5 heads (“n_head”)" },
  { GPT2 ("'n_head': 2, 'activation_function': 'foo'"), "“foo” of its “activation_function”" },
  { "{'model_type': 'bert', " BERT ", 'hidden_act': 'foo'}", "“hidden_act”" },
  { "{'model_type': 'distilbert', 'vocab_size': 9, 'dim': 8, 'n_layers': 1, 'n_heads': 5, 'hidden_dim': 8, "
    "'max_position_embeddings': 8}",
    "(“dim”) is not a multiple of its 5 heads (“n_heads”)" },
  { "{'model_type': 'llama', " SMALL ", 'num_key_value_heads': 3}", "“num_key_value_heads”" },
  { "{'model_type': 'falcon', " SMALL ", 'new_decoder_architecture': true, 'num_kv_heads': 3}",
    "“num_kv_heads”" },
  { "{'model_type': 'gemma', " SMALL ", 'hidden_activation': 'foo'}", "“hidden_activation”" },
  { "{'model_type': 'bart', 'vocab_size': 9, 'd_model': 8, 'encoder_layers': 1, 'encoder_attention_heads': "
    "2, 'encoder_ffn_dim': 8, 'decoder_layers': 1, 'decoder_attention_heads': 5, 'decoder_ffn_dim': 8, "
    "'max_position_embeddings': 8}",
    "(“d_model”) is not a multiple of its 5 heads (“decoder_attention_heads”)" },
  { "{'model_type': 'vit', 'hidden_size': 8, 'num_hidden_layers': 1, 'num_attention_heads': 2, "
    "'intermediate_size': 8, 'image_size': 8}",
    "patches (“patch_size”)" },
  { "{'model_type': 'wav2vec2', " WAVE "'conv_dim': 'x', 'conv_kernel': [1], 'conv_stride': [1]}",
    "“conv_dim” is not a list" },
  { "{'model_type': 'resnet', 'embedding_size': 8, 'hidden_sizes': [8], 'depths': [1], 'layer_type': 'foo'}",
    "“layer_type” is “foo”" },
  { "{'model_type': 'llama', " SMALL ", 'rope_scaling': {'type': 'linear'}}", "“factor” is missing" },
  { "{'model_type': 'llama', " SMALL ", 'rms_norm_eps': 'NaN'}", "“rms_norm_eps” is not a number" },
  { SAM ("'global_attn_indexes': [99]", "", ""), "global_attn_indexes" },
  { "{'model_type': 'detr', 'use_timm_backbone': false, 'dilation': true, 'backbone_config': "
    "{'hidden_sizes': [8], 'depths': [1]}}",
    "dilation" },
  { "{'model_type': 'detr', 'position_embedding_type': 'learned'}", "position_embedding_type" },
  { "{'model_type': 'segformer'}", "hidden_sizes" },
  { "{'model_type': 'segformer', " STAGES ", 'num_attention_heads': [1], 'patch_sizes': [7, 3]}",
    "num_attention_heads" },
  { "{'model_type': 'segformer', " STAGES ", 'num_attention_heads': [1, 5], 'patch_sizes': [7, 3]}",
    "num_attention_heads" },
  { "{'model_type': 'segformer', " STAGES ", 'num_attention_heads': [1, 2], 'patch_sizes': [7, 4]}",
    "patch_sizes" },
  { "{'model_type': 'sam', 'vision_config': {}}", "prompt_encoder_config" },
  { "{'model_type': 'llava', 'vision_config': {}}", "text_config" },
  { LLAVA ("'vision_feature_layer': -5"), "vision_feature_layer" },
  { LLAVA ("'vision_feature_layer': [-2, -5]"), "vision_feature_layer" },
  { LLAVA ("'vision_feature_select_strategy': 'none'"), "vision_feature_select_strategy" },
  { LLAVA ("'image_token_index': 10"), "image_token_index" },
  { LLAVA ("'projector_hidden_act': 'x'"), "activation" },
  { "{'model_type': 'llava', 'vision_config': {'model_type': 'vit'}, 'text_config': {'model_type': 'llama'}}",
    "“vit”" },
  { "{'model_type': 'llava', 'vision_config': {}, 'text_config': {'model_type': 't5'}}", "“t5”" },
  { "{'model_type': 'llava', 'vision_config': {}, 'text_config': {'model_type': 'qwen3'}}",
    "text_config.vocab_size" },
  { GEMMA3 ("", "", ", 'mm_tokens_per_image': 5"), "mm_tokens_per_image" },
  { GEMMA3 ("", "", ", 'mm_tokens_per_image': 9"), "mm_tokens_per_image" },
  { GEMMA3 ("", "", ", 'mm_tokens_per_image': 0"), "mm_tokens_per_image" },
  { GEMMA3 (", 'sliding_window': 3", "", ", 'mm_tokens_per_image': 4"), "sliding_window" },
  { GEMMA3 ("", ", 'vision_use_head': true", ", 'mm_tokens_per_image': 4"), "vision_use_head" },
  { BLIP2 ("'num_query_tokens': 4", ""), "image_token_index" },
  { BLIP2 ("'image_token_index': 4, 'num_query_tokens': 0", ""), "num_query_tokens" },
  { BLIP2 ("'image_token_index': 4", "'encoder_hidden_size': 9"), "encoder_hidden_size" },
  { BLIP2 ("'image_token_index': 4", "'num_attention_heads': 7"), "in its “qformer_config”" },
  { BLIP2 ("'image_token_index': 4", "'use_qformer_text_input': true"), "use_qformer_text_input" },
  { "{'model_type': 'imagebind', 'vision_embed_dim': 8}", "vision_num_blocks" },
  { IMAGEBIND ("'kernel_size': [2, 14, 7]"), "kernel_size" },
  { IMAGEBIND ("'audio_target_len': 9"), "audio_target_len" },
  { IMAGEBIND ("'image_size': 9"), "patches" },
  { IMAGEBIND ("'image_size': 15"), "depth_kernel_size" },
  { IMAGEBIND ("'thermal_num_heads': 7"), "thermal_num_heads" },
  { IMAGEBIND ("'imu_target_len': 2001"), "imu_target_len" },
  { SAM ("'hidden_size': -1", "", ""), "vision_config.hidden_size" },
  { SAM ("'image_size': 1000000", "", ""), "image_size" },
  { SAM ("'image_size': 8", "", ""), "image_size" },
  { SAM ("'window_size': 100000", "", ""), "window_size" },
  { SAM ("'global_attn_indexes': ['x']", "", ""), "global_attn_indexes" },
  { SAM ("'num_pos_feats': 64", "", ""), "num_pos_feats" },
  { SAM ("'output_channels': 64", "", ""), "output_channels" },
  { SAM ("", "'image_size': 512", ""), "image_size" },
  { SAM ("", "'hidden_size': 128", ""), "hidden_size" },
  { SAM ("", "'num_point_embeddings': 1", ""), "num_point_embeddings" },
  { SAM ("", "'mask_input_channels': 6", ""), "mask_input_channels" },
  { SAM ("", "", "'num_attention_heads': 7"), "num_attention_heads" },
  { SAM ("", "", "'num_multimask_outputs': 5000"), "num_multimask_outputs" },
  { SAM ("", "", "'iou_head_depth': 1"), "iou_head_depth" },
  { "{'model_type': 'siglip', 'text_config': {}}", "vision_config" },
  { "{'model_type': 'siglip', 'text_config': {'projection_size': 8}, 'vision_config': {}}",
    "projection_size" },
  { "{'model_type': 'siglip', 'text_config': {}, 'vision_config': {'vision_use_head': false}}",
    "vision_use_head" },
  { "{'model_type': 'mamba', " SMALL ", 'state_size': 4, 'conv_kernel': 1}", "conv_kernel" },
  { "{'model_type': 'mamba2', " SMALL ", 'state_size': 4, 'num_heads': 3, 'head_dim': 4}", "num_heads" },
  { "{'model_type': 'mamba2', " SMALL ", 'state_size': 4, 'num_heads': 4, 'head_dim': 4, 'n_groups': 3}",
    "n_groups" },
  { "{'model_type': 'qwen2_moe', " SMALL ", 'num_experts': 2, 'num_experts_per_tok': 1}",
    "shared_expert_intermediate_size" },
  { "{'model_type': 't5', 'vocab_size': 9, 'd_model': 8, 'd_kv': 4, 'd_ff': 8, 'num_layers': 1, 'num_heads': "
    "2, 'feed_forward_proj': 'gated-x'}",
    "activation" },
  { "{'model_type': 't5', 'vocab_size': 9, 'd_model': 8, 'd_kv': 4, 'd_ff': 8, 'num_layers': 1, 'num_heads': "
    "2, 'relative_attention_max_distance': 8}",
    "relative_attention_max_distance" },
  { "{'model_type': 'bart', 'vocab_size': 9, 'd_model': 8, 'encoder_layers': 1, 'encoder_attention_heads': "
    "3, 'encoder_ffn_dim': 8, 'decoder_layers': 1, 'decoder_attention_heads': 2, 'decoder_ffn_dim': 8, "
    "'max_position_embeddings': 8}",
    "multiple" },
  { "{'model_type': 'resnet', 'embedding_size': 64, 'hidden_sizes': [64, 128], 'depths': [2]}", "depths" },
  { "{'model_type': 'resnet', 'embedding_size': 64, 'hidden_sizes': [64, []], 'depths': [2, 2]}",
    "hidden_sizes" },
  { "{'model_type': 'swin', 'embed_dim': 8, 'depths': [2], 'num_heads': [2], 'image_size': 40}",
    "window_size" },
  { "{'model_type': 'convnext', 'hidden_sizes': [8, 8], 'depths': [2]}", "depths" },
  { "{'model_type': 'efficientnet', 'in_channels': [32], 'out_channels': [16], 'kernel_sizes': [3], "
    "'strides': [1, 2], 'num_block_repeats': [1], 'expand_ratios': [1]}",
    "in_channels" },
  { "{'model_type': 'clip', 'text_config': {}, 'vision_config': {'hidden_size': 0}}",
    "vision_config.hidden_size" },
  { "{'model_type': 'wav2vec2', " WAVE "'conv_dim': [4, 4], 'conv_kernel': [3], 'conv_stride': [2]}",
    "conv_kernel" },
  { "{'model_type': 'wav2vec2', " WAVE "'conv_dim': [4], 'conv_kernel': [3], 'conv_stride': [0]}",
    "conv_stride" },
  { "{'model_type': 'wav2vec2', " WAVE "'conv_dim': [4], 'conv_kernel': [3], 'conv_stride': [1], "
    "'num_conv_pos_embedding_groups': 4, 'feat_extract_norm': 'batch'}",
    "feat_extract_norm" },
  { "{'model_type': 'hubert', " WAVE
    "'conv_dim': [4], 'conv_kernel': [3], 'conv_stride': [1], 'num_conv_pos_embedding_groups': 3}",
    "num_conv_pos_embedding_groups" },
  { "{'model_type': 'wav2vec2', " WAVE "'conv_dim': [4], 'conv_kernel': [3], 'conv_stride': [1], "
    "'num_conv_pos_embedding_groups': 4, 'add_adapter': true}",
    "add_adapter" },
  { "{'model_type': 'whisper', 'd_model': 8}", "encoder_layers" },
  { "{'model_type': 'whisper', " WHISPER ", 'num_mel_bins': -80}", "num_mel_bins" },
  { "{'model_type': 'mobilenet_v2', 'depth_multiplier': 1e300}", "depth_multiplier" },
  { "{'model_type': 'vit', 'hidden_size': 8, 'num_hidden_layers': 1, 'num_attention_heads': 2, "
    "'intermediate_size': 8, 'image_size': 8, 'patch_size': 16}",
    "patches" },
};

static void
test_bad_configs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_configs); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", bad_configs[i].json);
      g_assert_null (build (bad_configs[i].json, &error));
      suite_assert_error (error, bad_configs[i].code != 0 ? bad_configs[i].code : DYNO_ERROR_INVALID_DATA,
                          bad_configs[i].word);
    }
}

/* An error in a part is reported with its path. */
static void
test_parts (void)
{
  static const struct
  {
    const char *json;
    const char *reason;
  } configs[] = {
    { "{}", "its “text_config” is missing" },
    { "{'text_config': null}", "its “text_config” is missing" },
    { "{'text_config': [1]}", "its “text_config” is not an object" },
    { "{'text_config': {}}", "its “text_config.inner” is missing" },
    { "{'text_config': {'inner': {}}}", "its “text_config.inner.size” is missing" },
    { "{'text_config': {'inner': {'size': 0}}}", "its “text_config.inner.size” is 0, but must" },
    { "{'text_config': {'inner': {'size': 1, 'eps': -1}}}", "its “text_config.inner.eps” is -1, but" },
    { "{'text_config': {'inner': {'size': 1, 'eps': 1e300}}}", "its “text_config.inner.eps” is 1e+300" },
    { "{'text_config': {'inner': {'size': 1, 'sizes': 4}}}", "its “text_config.inner.sizes” is not a list" },
    { "{'text_config': {'inner': {'size': 1, 'sizes': [1, -1]}}}", "its “text_config.inner.sizes” is -1" },
    { "{'text_config': {'inner': {'size': 1, 'sizes': [1]}}}", "in its “text_config.inner”, it is odd" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (configs); i++)
    {
      g_autoptr (JsonNode) node = parse (configs[i].json);
      g_autoptr (DynoConfig) config = dyno_config_new (json_node_get_object (node));
      DynoConfig *inner = dyno_config_get_child (dyno_config_get_child (config, "text_config"), "inner");
      g_autoptr (GArray) sizes = NULL;
      g_autoptr (GError) error = NULL;

      dyno_config_get_int (inner, "size");
      dyno_config_get_double_or (inner, "eps", 1);
      sizes = dyno_config_get_ints (inner, "sizes");
      dyno_config_fail (inner, "it is odd");
      g_assert_false (dyno_config_check (inner, NULL));
      g_assert_false (dyno_config_check (config, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, configs[i].reason);
    }
}

static gint64
count_parameters (const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) graphs = build (json, &error);
  g_autoptr (DynoModelDescription) description = NULL;

  g_assert_no_error (error);
  description = dyno_graph_describe (graphs->pdata[0]);
  return description->parameter_count;
}

/* Options that the bundled configs do not set. */
static void
test_options (void)
{
#define LLAMA                                                                                                \
  "{'model_type': 'llama', 'vocab_size': 10, 'hidden_size': 8, 'num_hidden_layers': 1, "                     \
  "'num_attention_heads': 2, 'intermediate_size': 12, 'max_position_embeddings': 16"
  gint64 plain = count_parameters (LLAMA "}");

  g_assert_cmpint (plain, ==, 2 * 80 + 4 * 64 + 3 * 96 + 3 * 8);
  g_assert_cmpint (count_parameters (LLAMA ", 'tie_word_embeddings': true}"), ==, plain - 80);
  g_assert_cmpint (count_parameters (LLAMA ", 'attention_bias': true}"), ==, plain + 4 * 8);
  g_assert_cmpint (count_parameters (LLAMA ", 'num_key_value_heads': 1}"), ==, plain - 2 * 32);
  g_assert_cmpint (count_parameters (LLAMA ", 'head_dim': 8}"), ==, plain + 4 * 64);
#undef LLAMA
  /* The share 30 / 44 of a head of 44 numbers is just below 30 in floating-point numbers. */
  g_assert_cmpint (
      count_parameters (
          "{'model_type': 'minimax_m2', " SMALL
          ", 'num_local_experts': 4, 'num_experts_per_tok': 1, 'head_dim': 44, 'rotary_dim': 30}"),
      >, 0);
}

static char *
describe_input (const char *json, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) graphs = build (json, &error);
  GPtrArray *inputs = graphs != NULL ? dyno_graph_get_inputs (graphs->pdata[0]) : NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < inputs->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (inputs->pdata[i]), name))
      return dyno_tensor_info_to_string (inputs->pdata[i]);
  return NULL;
}

/* A cache has the shared heads, and no more positions than the window of its layer. */
static void
test_caches (void)
{
#define GEMMA "{'model_type': 'gemma2', 'num_key_value_heads': 1, 'sliding_window': 5, " SMALL "}"
  g_autofree char *windowed = describe_input (GEMMA, "past_key_values.0.key");
  g_autofree char *full = describe_input (GEMMA, "past_key_values.1.key");
#undef GEMMA
  g_autofree char *wide = describe_input ("{'model_type': 'mistral', 'sliding_window': 16, " SMALL "}",
                                          "past_key_values.0.value");

  g_assert_cmpstr (windowed, ==, "past_key_values.0.key: float [batch, 1, min(past,4), 4]");
  g_assert_cmpstr (full, ==, "past_key_values.1.key: float [batch, 1, past, 4]");
  g_assert_cmpstr (wide, ==, "past_key_values.0.value: float [batch, 2, past, 4]");
}

/* A state has a constant size, while work grows with the number of tokens. */
static void
test_state (void)
{
  g_autoptr (DynoModel) model = model_test_load ("mamba-130m-hf");
  gint64 expected = 2 * 24 * 1536 * (16 + 3) * (gint64)sizeof (float);
  gint64 one, many;

  g_assert_cmpint (dyno_model_get_cache_bytes (model, 2, 1), ==, expected);
  g_assert_cmpint (dyno_model_get_cache_bytes (model, 2, 1000), ==, expected);
  one = count_flops ("mamba-130m-hf", 1, 1, NULL);
  many = count_flops ("mamba-130m-hf", 1, 64, NULL);
  g_assert_cmpfloat_with_epsilon ((double)many / (double)one, 64, 0.5);
}

/* Layers with a window stop growing. */
static void
test_cache_bytes (void)
{
  g_autoptr (DynoModel) model = model_test_load ("gemma-3-1b-pt");
  gint64 position = 2 * 256 * (gint64)sizeof (float);

  g_assert_cmpint (dyno_model_get_cache_bytes (model, 1, 100), ==, 26 * 100 * position);
  g_assert_cmpint (dyno_model_get_cache_bytes (model, 1, 1000), ==, (22 * 511 + 4 * 1000) * position);
}

/* Each token uses one of four experts: a quarter of the work of all. */
static void
test_expert_work (void)
{
#define MIXTRAL(chosen)                                                                                      \
  "{'model_type': 'mixtral', 'vocab_size': 16, 'hidden_size': 256, 'num_hidden_layers': 1, "                 \
  "'num_attention_heads': 2, 'intermediate_size': 2048, 'max_position_embeddings': 16, "                     \
  "'num_local_experts': 4, 'num_experts_per_tok': " chosen "}"
  gint64 one, all;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sparse = build (MIXTRAL ("1"), &error);
  g_autoptr (GPtrArray) dense = build (MIXTRAL ("4"), &error);
#undef MIXTRAL

  g_assert_no_error (error);
  g_assert_true (dyno_graph_get_flops (sparse->pdata[0], &one));
  g_assert_true (dyno_graph_get_flops (dense->pdata[0], &all));
  g_assert_cmpfloat ((double)one / (double)all, >, 0.25);
  g_assert_cmpfloat ((double)one / (double)all, <, 0.33);
}

static gpointer
read_again_and_again (gpointer object)
{
  for (guint i = 0; i < 100000; i++)
    {
      g_autoptr (DynoConfig) config = dyno_config_new (object);

      g_assert_cmpint (dyno_config_get_int (dyno_config_get_child (config, "text_config"), "size"), ==, 4);
    }
  return NULL;
}

/* Threads share a bundled model, and with it the object that its config is read from. */
static void
test_config_of_threads (void)
{
  g_autoptr (JsonNode) node = json_from_string ("{\"text_config\": {\"size\": 4}}", NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, read_again_and_again, json_node_get_object (node));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (json_object_has_member (json_node_get_object (node), "text_config"));
}

static const SuiteTest tests[] = {
  { "/architecture/parameters", test_parameters },
  { "/architecture/others", test_others },
  { "/architecture/outlines", test_outlines },
  { "/architecture/work", test_work },
  { "/architecture/usual-sides", test_usual_sides },
  { "/architecture/detection-work", test_detection_work },
  { "/architecture/diffusion-work", test_diffusion_work },
  { "/architecture/decoder-work", test_decoder_work },
  { "/architecture/modules", test_modules },
  { "/architecture/unknown", test_unknown },
  { "/architecture/bad-configs", test_bad_configs },
  { "/architecture/parts", test_parts },
  { "/architecture/options", test_options },
  { "/architecture/caches", test_caches },
  { "/architecture/cache-bytes", test_cache_bytes },
  { "/architecture/state", test_state },
  { "/architecture/expert-work", test_expert_work },
  { "/architecture/config-of-threads", test_config_of_threads },
};

SUITE_TESTS (tests)

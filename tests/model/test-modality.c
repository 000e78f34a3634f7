/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-model-needs.h"
#include "dyno-model-spec.h"
#include "dyno-model.h"
#include "suite.h"

#define CLIP "TinyCLIP-ViT-8M-16-Text-3M-YFCC15M"

static DynoModel *
load (const char *spec)
{
  g_autoptr (GError) error = NULL;
  DynoModel *model = dyno_model_load (spec, &error);

  g_assert_no_error (error);
  return model;
}

static gboolean
has_input (DynoModel *model, const char *name)
{
  GPtrArray *inputs = dyno_model_get_inputs (model);

  for (guint i = 0; i < inputs->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (inputs->pdata[i]), name))
      return TRUE;
  return FALSE;
}

static void
assert_stages (DynoModel *model, const char *expected)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (model);
  g_autofree char *joined = g_strjoinv (" ", stages);

  g_assert_cmpstr (joined, ==, expected);
}

/* Each tower is a model of its own, with its own inputs and parameters. */
static void
test_towers (void)
{
  g_autoptr (DynoModel) whole = load (CLIP);
  g_autoptr (DynoModel) both = load (CLIP "@image+text");
  g_autoptr (DynoModel) text = load (CLIP "@text");
  g_autoptr (DynoModel) image = load (CLIP "@image");
  g_autofree char *name = g_strdup_printf ("%s (text)", dyno_model_get_name (whole));
  g_autofree char *title = dyno_model_dup_title (CLIP "@text");
  gint64 apart = dyno_model_get_parameter_count (text) + dyno_model_get_parameter_count (image);

  assert_stages (both, "text vision similarity");
  assert_stages (text, "text");
  assert_stages (image, "vision");
  g_assert_true (has_input (text, "input_ids"));
  g_assert_false (has_input (text, "pixel_values"));
  g_assert_true (has_input (image, "pixel_values"));
  g_assert_false (has_input (image, "input_ids"));
  /* The similarity has one parameter more. */
  g_assert_cmpint (apart + 1, ==, dyno_model_get_parameter_count (whole));
  g_assert_cmpint (dyno_model_get_parameter_count (both), ==, dyno_model_get_parameter_count (whole));
  g_assert_cmpstr (dyno_model_get_name (text), ==, name);
  g_assert_cmpstr (title, ==, name);
  g_assert_cmpstr (dyno_model_get_id (text), ==, CLIP "@text");
}

/* Those of ImageBind as published: square maps of 16 × 16 pixels in a patch, and 250 stretches of a motion. */
static void
test_imagebind (void)
{
  static const struct
  {
    const char *modality;
    gint64 n_parameters;
    const char *input;
    gint64 n_values;
  } towers[] = {
    { "depth", 21871872, "depth_values", 224 * 224 },
    { "thermal", 86211072, "thermal_values", 224 * 224 },
    { "imu", 19600384, "imu_values", 6 * 2000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (towers); i++)
    {
      g_autofree char *spec = g_strconcat ("imagebind_huge@", towers[i].modality, NULL);
      g_autoptr (DynoModel) model = load (spec);
      g_autoptr (GHashTable) binding = dyno_model_bind (model, 2, 0, NULL, NULL);
      DynoTensorInfo *input = dyno_model_get_inputs (model)->pdata[0];
      DynoShape shape;
      gint64 n_values = 1;

      assert_stages (model, towers[i].modality);
      g_assert_cmpint (dyno_model_get_parameter_count (model), ==, towers[i].n_parameters);
      g_assert_cmpuint (dyno_model_get_inputs (model)->len, ==, 1);
      g_assert_cmpstr (dyno_tensor_info_get_name (input), ==, towers[i].input);
      g_assert_true (dyno_binding_get_shape (binding, input, &shape));
      for (guint axis = 0; axis < shape.rank; axis++)
        n_values *= shape.dims[axis];
      g_assert_cmpint (n_values, ==, 2 * towers[i].n_values);
    }
}

/* A text without a picture has no tokens for it. */
static void
test_text_alone (void)
{
  g_autoptr (DynoModel) whole = load ("llava-miniature");
  g_autoptr (DynoModel) text = load ("llava-miniature@text");
  g_autoptr (DynoModel) image = load ("llava-miniature@image");

  assert_stages (whole, "vision projector fusion decoder");
  assert_stages (text, "fusion decoder");
  assert_stages (image, "vision projector");
  g_assert_false (has_input (text, "pixel_values"));
  g_assert_false (has_input (text, "image_features"));
  g_assert_true (dyno_model_has_cache (text));
  g_assert_false (dyno_model_has_cache (image));
  g_assert_cmpuint (dyno_model_get_usual_sequence_length (text), <,
                    dyno_model_get_usual_sequence_length (whole));
  g_assert_cmpint (dyno_model_get_parameter_count (text) + dyno_model_get_parameter_count (image), ==,
                   dyno_model_get_parameter_count (whole));
}

static void
test_json (void)
{
  g_autoptr (DynoModel) text = load (CLIP "@text");
  g_autoptr (JsonObject) object = dyno_model_to_json (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) read = dyno_model_new_from_json (CLIP "@text", object, &error);

  g_assert_no_error (error);
  assert_stages (read, "text");
  g_assert_cmpstr (dyno_model_get_name (read), ==, dyno_model_get_name (text));
  g_assert_cmpstr (dyno_model_get_id (read), ==, dyno_model_get_id (text));
  g_assert_cmpint (dyno_model_get_parameter_count (read), ==, dyno_model_get_parameter_count (text));
}

static DynoModel *
load_with_images (const char *spec, guint n_images)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = load (spec);
  DynoModel *seeing = dyno_model_with_images (model, n_images, &error);

  g_assert_no_error (error);
  return seeing;
}

/* Every prompt begins with its pictures, with a token of text between two of them; the pictures of all prompts are one
 * input. */
static void
test_images (void)
{
  g_autoptr (DynoModel) whole = load ("llava-miniature");
  g_autoptr (DynoModel) same = dyno_model_with_images (whole, 1, NULL);
  g_autoptr (DynoModel) three = load_with_images ("llava-miniature", 3);
  g_autoptr (GHashTable) binding = dyno_model_bind (three, 2, 60, NULL, NULL);
  g_autoptr (GPtrArray) inputs = NULL;
  guint n_found = 0;

  g_assert_true (same == whole);
  g_assert_nonnull (binding);
  inputs = dyno_model_create_inputs (three, binding, NULL, 1, NULL);
  assert_stages (three, "vision projector fusion decoder");
  g_assert_cmpint (dyno_model_get_parameter_count (three), ==, dyno_model_get_parameter_count (whole));
  g_assert_cmpuint (dyno_model_get_usual_sequence_length (three), ==, 128 + 3 * 16 + 2);
  for (guint i = 0; i < inputs->len; i++)
    {
      const char *name = dyno_tensor_get_name (inputs->pdata[i]);
      const gint64 *ids = dyno_tensor_get_data (inputs->pdata[i]);

      n_found += g_str_equal (name, "pixel_values") || g_str_equal (name, "input_ids");
      if (g_str_equal (name, "pixel_values"))
        g_assert_cmpint (dyno_tensor_get_shape (inputs->pdata[i])->dims[0], ==, 2 * 3);
      for (guint k = 0; g_str_equal (name, "input_ids") && k < 2 * 60; k++)
        if (k % 60 < 3 * 17 - 1)
          g_assert_true ((ids[k] == 2000) == (k % 60 % 17 < 16));
    }
  g_assert_cmpuint (n_found, ==, 2);
}

/* Each picture adds the work of the tower and of its tokens. */
static void
test_images_work (void)
{
  gint64 flops[3], alone;
  g_autoptr (DynoModel) tower = load ("llava-miniature@image");
  g_autoptr (GHashTable) one = dyno_model_bind (tower, 1, 0, NULL, NULL);

  g_assert_true (dyno_model_estimate_flops (tower, one, &alone));
  for (guint n = 0; n < 3; n++)
    {
      g_autoptr (DynoModel) model = load_with_images ("llava-miniature", n);
      g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 100, NULL, NULL);

      g_assert_true (dyno_model_estimate_flops (model, binding, &flops[n]));
    }
  /* Texts of the same length differ in the tower alone, and in how few operations insert its tokens. */
  for (guint n = 0; n < 2; n++)
    g_assert_cmpfloat_with_epsilon ((double)(flops[n + 1] - flops[n]) / (double)alone, 1, 0.05);
}

static void
test_no_image (void)
{
  g_autoptr (DynoModel) text = load_with_images ("llava-miniature", 0);
  g_autoptr (DynoModel) again = dyno_model_with_images (text, 0, NULL);

  g_assert_true (again == text);
  assert_stages (text, "fusion decoder");
  g_assert_false (has_input (text, "pixel_values"));
  g_assert_cmpuint (dyno_model_get_usual_sequence_length (text), ==, 128);
}

static void
test_images_refused (void)
{
  static const char *const fixed[] = { CLIP, "resnet-18", "llava-miniature@text", "blip2-opt-2.7b" };
  g_autoptr (DynoModel) many = load_with_images ("llava-miniature", 1000);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    {
      g_autoptr (DynoModel) model = load (fixed[i]);
      g_autoptr (GError) refusal = NULL;

      g_assert_null (dyno_model_with_images (model, 2, &refusal));
      suite_assert_error (refusal, DYNO_ERROR_UNSUPPORTED, "does not take any number of images");
    }
  g_assert_null (
      dyno_model_bind (many, 1, dyno_model_get_usual_sequence_length (many), "pictures=7", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "--images");
  g_clear_error (&error);
  g_assert_null (dyno_model_bind (many, 1, dyno_model_get_usual_sequence_length (many), NULL, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "but 1000 images and a text need at least 17000");
}

static void
assert_refused (const char *spec, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_load (spec, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, words);
}

static void
test_refused (void)
{
  assert_refused (CLIP "@audio", "has no part for “audio”. It has: “image”, “text”, “image+text”.");
  assert_refused ("imagebind_huge@image+text", "“thermal”, “audio+depth+image+imu+text+thermal”.");
  assert_refused ("resnet-18@image", "has no parts for single modalities. Leave out “image”.");
}

static gint64
get_bytes (DynoModel *model)
{
  g_autoptr (GArray) weights = dyno_model_list_stage_weights (model);
  gint64 bytes = 0;

  for (guint i = 0; i < weights->len; i++)
    bytes += g_array_index (weights, gint64, i);
  return bytes;
}

/* Each stage alone can be in another precision than those that feed it and that it feeds. */
static void
test_precisions (void)
{
  static const char *const ids[] = { CLIP,
                                     "llava-miniature",
                                     "whisper-tiny",
                                     "t5-small",
                                     "bart-base",
                                     "opus-mt-en-de",
                                     "tiny-stable-diffusion",
                                     "rag-tiny",
                                     "blip2-opt-2.7b",
                                     "imagebind_huge",
                                     "stable-diffusion-v1-5" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (DynoModel) whole = load (ids[i]);
      g_auto (GStrv) stages = dyno_model_dup_stages (whole);

      for (char **stage = stages; *stage != NULL; stage++)
        {
          g_autoptr (GHashTable) own = g_hash_table_new (g_str_hash, g_str_equal);
          g_autoptr (DynoModel) model = NULL;
          g_autoptr (GError) error = NULL;

          g_test_message ("%s, %s", ids[i], *stage);
          g_hash_table_insert (own, *stage, (gpointer) "fp16");
          model = dyno_model_with_stages (whole, "fp32", own, &error);
          g_assert_no_error (error);
          g_assert_cmpint (dyno_model_get_parameter_count (model), ==,
                           dyno_model_get_parameter_count (whole));
          g_assert_cmpuint (dyno_model_get_inputs (model)->len, ==, dyno_model_get_inputs (whole)->len);
          g_assert_cmpint (get_bytes (model), <=, get_bytes (whole));
        }
    }
}

/* Only the stage of the precision takes its pictures in it, and the next one casts what it is given. */
static void
test_cast (void)
{
  g_autoptr (DynoModel) whole = load (CLIP);
  g_autoptr (GHashTable) own = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoModel) again = NULL;
  g_autoptr (DynoModel) single = NULL;
  GPtrArray *inputs;

  g_hash_table_insert (own, (gpointer) "vision", (gpointer) "fp16");
  model = dyno_model_with_stages (whole, "fp32", own, NULL);
  inputs = dyno_model_get_inputs (model);
  for (guint i = 0; i < inputs->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (inputs->pdata[i]), "pixel_values"))
      g_assert_cmpint (dyno_tensor_info_get_data_type (inputs->pdata[i]), ==, DYNO_DATA_TYPE_FLOAT16);
  g_assert_true (has_input (model, "pixel_values"));
  g_assert_cmpint (get_bytes (model), <, get_bytes (whole));
  again = dyno_model_with_stages (model, "fp32", own, NULL);
  g_assert_true (again == model);
  single = dyno_model_in_precision (model, "fp32", NULL);
  g_assert_cmpint (get_bytes (single), ==, get_bytes (whole));
}

/* The words that may follow “@” in its name, all of which load; a part has none. */
static void
test_listed (void)
{
  static const struct
  {
    const char *model;
    const char *expected;
  } rows[] = { { "bert-tiny", "" },
               { CLIP, "image text jpeg png" },
               { CLIP "@image", "" },
               { "llava-miniature", "image text" },
               { "mobilenet_v2_1.0_224", "jpeg png" },
               { "whisper-tiny", "waveform" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoModel) model = load (rows[i].model);
      g_auto (GStrv) modalities = dyno_model_dup_modalities (model);
      g_autofree char *joined = g_strjoinv (" ", modalities);

      g_test_message ("%s", rows[i].model);
      g_assert_cmpstr (joined, ==, rows[i].expected);
      for (char **modality = modalities; *modality != NULL; modality++)
        {
          g_autofree char *spec = g_strdup_printf ("%s@%s", rows[i].model, *modality);

          g_object_unref (load (spec));
        }
    }
}

static const SuiteTest tests[] = {
  { "/modality/listed", test_listed },
  { "/modality/towers", test_towers },
  { "/modality/imagebind", test_imagebind },
  { "/modality/text-alone", test_text_alone },
  { "/modality/json", test_json },
  { "/modality/refused", test_refused },
  { "/modality/images", test_images },
  { "/modality/images-work", test_images_work },
  { "/modality/no-image", test_no_image },
  { "/modality/images-refused", test_images_refused },
  { "/modality/precisions", test_precisions },
  { "/modality/cast", test_cast },
};

SUITE_TESTS (tests)

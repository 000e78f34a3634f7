/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-error.h"
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
  assert_refused (CLIP "@audio", "has no part for “audio”. Choose one of “image+text”");
  assert_refused ("imagebind_huge@image+text", "Choose one of “audio+image+text”");
  assert_refused ("resnet-18@image", "has no parts for single modalities. Leave out “image”.");
}

static const SuiteTest tests[] = {
  { "/modality/towers", test_towers },
  { "/modality/text-alone", test_text_alone },
  { "/modality/json", test_json },
  { "/modality/refused", test_refused },
};

SUITE_TESTS (tests)

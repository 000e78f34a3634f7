/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-inputs.h"
#include "dyno-model-needs.h"
#include "suite.h"

static double
get_seconds (const char *id, const char *dimensions, char **source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (id, &error);
  g_autoptr (GHashTable) sizes = NULL;

  g_assert_no_error (error);
  sizes = dyno_model_bind_prompt (model, 2, dyno_model_get_usual_sequence_length (model), dimensions, &error);
  g_assert_no_error (error);
  return dyno_sound_get_seconds (model, sizes, source);
}

/* A spectrogram of Whisper has 3000 frames; of samples there are as many as are given. */
static void
test_seconds (void)
{
  g_autofree char *frames = NULL;
  g_autofree char *samples = NULL;
  g_autofree char *none = NULL;

  g_assert_cmpfloat_with_epsilon (get_seconds ("whisper-tiny", NULL, &frames), 30, 1e-9);
  g_assert_cmpstr (frames, ==, "3000 frames of input_features at 100 in a second");
  g_assert_cmpfloat_with_epsilon (get_seconds ("wav2vec2-base", "seconds=2.5", &samples), 2.5, 1e-9);
  g_assert_cmpstr (samples, ==, "40000 samples at 16000 Hz, the usual rate of speech models");
  g_assert_cmpfloat (get_seconds ("resnet-18", NULL, &none), ==, 0);
  g_assert_null (none);
}

static gint64
sum_weights (DynoModel *model, guint n_stages)
{
  g_autoptr (GArray) weights = dyno_model_list_stage_weights (model);
  gint64 sum = 0;

  g_assert_cmpuint (weights->len, ==, n_stages);
  for (guint i = 0; i < weights->len; i++)
    {
      g_assert_cmpint (g_array_index (weights, gint64, i), >, 0);
      sum += g_array_index (weights, gint64, i);
    }
  return sum;
}

/* The stages of Whisper share no weights. */
static void
test_stage_weights (void)
{
  g_autoptr (DynoModel) whisper = dyno_model_load ("whisper-tiny", NULL);
  g_autoptr (DynoModel) half = dyno_model_in_precision (whisper, "fp16", NULL);
  g_autoptr (DynoModel) resnet = dyno_model_load ("resnet-18", NULL);

  g_assert_cmpint (sum_weights (whisper, 2), ==, dyno_model_get_weight_bytes (whisper));
  g_assert_cmpint (sum_weights (half, 2), ==, dyno_model_get_weight_bytes (half));
  g_assert_cmpint (sum_weights (half, 2), <, dyno_model_get_weight_bytes (whisper));
  g_assert_cmpint (sum_weights (resnet, 0), ==, 0);
}

static const SuiteTest tests[] = {
  { "/sound/seconds", test_seconds },
  { "/sound/stage-weights", test_stage_weights },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-model-needs.h"
#include "model-test.h"
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
  return dyno_sound_get_seconds (model, sizes, dimensions, source);
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

/* A chunk is padded to a window of fixed length; other inputs are as long as the chunk. */
static void
test_chunks (void)
{
  static const struct
  {
    const char *model;
    const char *dimensions;
    double seconds;
    const char *source;
  } rows[] = {
    { "whisper-tiny", "seconds=5", 5,
      "a chunk of 5 s, padded to 3000 frames of input_features at 100 in a second" },
    { "whisper-tiny", "batch=2, seconds=0.5", 0.5,
      "a chunk of 0.5 s, padded to 3000 frames of input_features at 100 in a second" },
    { "whisper-tiny", "seconds=30", 30, "3000 frames of input_features at 100 in a second" },
    { "whisper-tiny@waveform", "seconds=2", 2,
      "a chunk of 2 s, padded to 480000 samples at 16000 Hz, the usual rate of speech models" },
    { "wav2vec2-base", "seconds=0.5", 0.5, "8000 samples at 16000 Hz, the usual rate of speech models" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *source = NULL;

      g_test_message ("%s, %s", rows[i].model, rows[i].dimensions);
      g_assert_cmpfloat_with_epsilon (get_seconds (rows[i].model, rows[i].dimensions, &source),
                                      rows[i].seconds, 1e-9);
      g_assert_cmpstr (source, ==, rows[i].source);
    }
}

static void
test_frames (void)
{
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *source = NULL;
  const char *config = "{\"model_type\": \"wav2vec2-bert\", \"hidden_size\": 24, \"num_hidden_layers\": 2, "
                       "\"num_attention_heads\": 3, \"intermediate_size\": 36}";

  g_assert_true (g_file_set_contents (path, config, -1, NULL));
  g_assert_cmpfloat_with_epsilon (get_seconds (path, "seconds=1.5", &source), 1.5, 1e-9);
  g_assert_cmpstr (source, ==, "75 frames of input_features at 50 in a second");
  model_test_remove_folder (g_steal_pointer (&folder));
}

static void
test_chunks_refused (void)
{
  static const struct
  {
    const char *model;
    const char *dimensions;
    const char *words;
  } rows[] = {
    { "whisper-tiny", "seconds=31", "a chunk of “31” seconds: give a number above 0, of at most 30" },
    { "whisper-tiny", "seconds=0", "a chunk of “0” seconds" },
    { "whisper-tiny", "seconds=two", "a chunk of “two” seconds" },
    { "wav2vec2-base", "seconds=-1", "cannot last “-1” seconds" },
    { "wav2vec2-base", "seconds=0.01", "at least 400" },
    { "resnet-18", "seconds=1", "no free dimension “seconds”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoModel) model = dyno_model_load (rows[i].model, NULL);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s, %s", rows[i].model, rows[i].dimensions);
      g_assert_null (dyno_model_bind (model, 1, 1, rows[i].dimensions, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, rows[i].words);
    }
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
  { "/sound/chunks", test_chunks },
  { "/sound/frames", test_frames },
  { "/sound/chunks-refused", test_chunks_refused },
  { "/sound/stage-weights", test_stage_weights },
};

SUITE_TESTS (tests)

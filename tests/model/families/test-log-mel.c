/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-json.h"
#include "dyno-manifest.h"
#include "dyno-model-needs.h"
#include "dyno-model-weights-private.h"
#include "dyno-paths.h"
#include "engine-probe.h"
#include "model-test.h"
#include "suite.h"

/* Of the largest number of the features, which engines compute in single precision and from there on logarithms of. */
#define TOLERANCE 2e-3

static char *cache;

static void
write_member (JsonObject *document, const char *member, const char *folder, const char *name)
{
  g_autofree char *text = dyno_json_text_write (json_object_get_member (document, member), FALSE);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* make_sound() in the script. */
static float
sample (gint64 i, gint64 n, double rate)
{
  double noise = (double)(dyno_weights_mix ((guint64)i) >> 11) / 4503599627370496.0 - 1;
  double turns = 2 * G_PI * (double)i / rate;

  if (3 * i / n == 0)
    return (float)(0.5 * sin (440 * turns) + 0.2 * sin (3000 * turns) + 0.001 * noise);
  return 3 * i / n == 1 ? 0 : (float)(0.05 * noise);
}

static DynoModel *
load (JsonObject *document)
{
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *spec = g_strconcat (folder, "@waveform", NULL);
  DynoModel *model;

  write_member (document, "config", folder, "config.json");
  if (json_object_has_member (document, "preprocessor"))
    write_member (document, "preprocessor", folder, "preprocessor_config.json");
  model = model_test_load (spec);
  model_test_remove_folder (g_steal_pointer (&folder));
  return model;
}

/* Two items: the sound, and the same half as loud. */
static DynoTensor *
create_sound (JsonObject *document)
{
  gint64 n = json_object_get_int_member (document, "samples");
  double rate = json_object_get_double_member (document, "rate");
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 2, n } };
  DynoTensor *tensor = dyno_tensor_new ("waveform", &shape);

  for (gint64 i = 0; i < n; i++)
    {
      dyno_tensor_set_number (tensor, i, (double)sample (i, n, rate));
      dyno_tensor_set_number (tensor, n + i, (double)sample (i, n, rate) / 2);
    }
  return tensor;
}

static DynoTensor *
run_features (DynoModel *model, DynoTensor *sound, const char *engine)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = dyno_model_prepare (model, "fp32", 0, NULL, &error);
  g_autoptr (DynoManifest) manifest = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) outputs = NULL;

  g_assert_no_error (error);
  manifest = dyno_manifest_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (((DynoManifestStage *)manifest->stages->pdata[0])->name, ==, "features");
  session = dyno_backend_open (dyno_backend_lookup (engine, NULL),
                               ((DynoManifestStage *)manifest->stages->pdata[0])->file, &options, &error);
  g_assert_no_error (error);
  g_ptr_array_add (inputs, sound);
  dyno_session_set_inputs (session, 0, inputs, &error);
  g_assert_no_error (error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  return dyno_tensor_ref (outputs->pdata[0]);
}

static void
check_features (DynoTensor *features, JsonObject *document)
{
  JsonArray *values = json_object_get_array_member (document, "values");
  gint64 n_frames = json_object_get_int_member (document, "frames");
  gint64 every = json_object_get_int_member (document, "every");
  gint64 n_mels = json_array_get_length (json_array_get_array_element (values, 0));
  const DynoShape *shape = dyno_tensor_get_shape (features);
  gboolean are_rows = shape->dims[shape->rank - 1] == n_mels;
  double largest = 0;

  g_assert_cmpint (dyno_shape_count (shape), ==, 2 * n_frames * n_mels);
  g_assert_cmpint (shape->dims[shape->rank - (are_rows ? 2 : 1)], ==, n_frames);
  for (guint i = 0; i < json_array_get_length (values); i++)
    for (guint mel = 0; mel < n_mels; mel++)
      largest =
          MAX (largest, fabs (json_array_get_double_element (json_array_get_array_element (values, i), mel)));
  for (guint i = 0; i < json_array_get_length (values); i++)
    for (gint64 mel = 0; mel < n_mels; mel++)
      {
        gint64 frame = i * every;
        double expected =
            json_array_get_double_element (json_array_get_array_element (values, i), (guint)mel);
        double value =
            dyno_tensor_get_number (features, are_rows ? frame * n_mels + mel : mel * n_frames + frame);

        if (!(fabs (value - expected) <= TOLERANCE * largest))
          g_error ("Triangle %" G_GINT64_FORMAT " of frame %" G_GINT64_FORMAT " is %g instead of %g.", mel,
                   frame, value, expected);
      }
}

static JsonObject *
read_document (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "model", "families", "log-mel", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  JsonObject *document;

  g_file_get_contents (path, &text, &size, &error);
  g_assert_no_error (error);
  document = dyno_json_try_object (text, (gssize)size);
  g_assert_nonnull (document);
  return document;
}

static void
check (const char *name, const char *engine)
{
  g_autoptr (JsonObject) document = read_document (name);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoTensor) sound = NULL;
  g_autoptr (DynoTensor) features = NULL;

  if (!has_engine_or_skip (engine))
    return;
  model = load (document);
  sound = create_sound (document);
  /* The stage after it takes them, so they are no input of the model any more. */
  for (guint i = 0; i < dyno_model_get_inputs (model)->len; i++)
    g_assert_cmpstr (dyno_tensor_info_get_name (dyno_model_get_inputs (model)->pdata[i]), !=,
                     json_object_get_string_member (document, "output"));
  features = run_features (model, sound, engine);
  check_features (features, document);
}

static const char *const documents[] = { "audio-spectrogram-transformer.json", "clap.json", "voxtral.json",
                                         "whisper.json", "whisper-other.json" };

static void
test_cpu (gconstpointer data)
{
  check (data, "cpu");
}

static void
test_openvino (gconstpointer data)
{
  check (data, "openvino");
}

/* The model is the same with one stage more, hears as long, and its steps have the work of the transform on top. */
static void
test_whole (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) plain = model_test_load ("whisper-tiny");
  g_autoptr (DynoModel) hearing = model_test_load ("whisper-tiny@waveform");
  g_autoptr (GHashTable) sizes = dyno_model_bind (hearing, 1, 1, NULL, &error);
  g_autoptr (GHashTable) plain_sizes = dyno_model_bind (plain, 1, 1, NULL, NULL);
  g_auto (GStrv) stages = dyno_model_dup_stages (hearing);
  g_autofree char *joined = g_strjoinv (" ", stages);
  g_autofree char *source = NULL;
  gint64 flops, plain_flops, n_bins = 201, n_frames = 3000;

  g_assert_no_error (error);
  g_assert_cmpstr (joined, ==, "features encoder decoder");
  g_assert_cmpstr (dyno_model_get_name (hearing), ==, "Whisper tiny (waveform)");
  g_assert_cmpint (dyno_model_get_parameter_count (hearing), ==, dyno_model_get_parameter_count (plain));
  g_assert_cmpint (dyno_model_get_weight_bytes (hearing), ==, dyno_model_get_weight_bytes (plain));
  g_assert_cmpfloat_with_epsilon (dyno_sound_get_seconds (hearing, sizes, NULL, &source), 30, 1e-9);
  g_assert_cmpstr (source, ==, "480000 samples at 16000 Hz, the usual rate of speech models");
  g_assert_true (dyno_model_estimate_flops (hearing, sizes, &flops));
  g_assert_true (dyno_model_estimate_flops (plain, plain_sizes, &plain_flops));

  /* Sines and cosines; their squares and the sums of these; triangles; the largest, logarithms, and six more. */
  g_assert_cmpint (flops - plain_flops, ==,
                   n_frames * (2 * 2 * n_bins * 400 + 3 * n_bins + 2 * 80 * n_bins + 80 * 7) + 1);
}

static void
test_rate (void)
{
  g_autoptr (JsonObject) document = read_document ("whisper-other.json");
  g_autoptr (DynoModel) model = load (document);
  g_autoptr (GHashTable) sizes = dyno_model_bind (model, 1, 1, NULL, NULL);
  g_autofree char *source = NULL;

  g_assert_cmpfloat_with_epsilon (dyno_sound_get_seconds (model, sizes, NULL, &source), 1.2, 1e-9);
  g_assert_cmpstr (source, ==, "28800 samples at 24000 Hz, the rate of its config");
}

static void
assert_refused (const char *published, const char *words)
{
  g_autoptr (JsonObject) document = read_document ("whisper-other.json");
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "preprocessor_config.json", NULL);
  g_autofree char *spec = g_strconcat (folder, "@waveform", NULL);
  g_autoptr (DynoModel) plain = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GError) error = NULL;

  write_member (document, "config", folder, "config.json");
  g_assert_true (g_file_set_contents (path, published, -1, NULL));
  plain = model_test_load (folder);
  model = dyno_model_load (spec, &error);
  g_assert_null (model);
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, words);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* What a stranger's file says of sound is refused where it cannot be, and ignored by who takes features. */
static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;

  assert_refused ("{\"sampling_rate\": 24000, \"n_fft\": 1000000}", "must be even and from 16 to 4096");
  assert_refused ("{\"sampling_rate\": 24000, \"n_fft\": 401}", "must be even");
  assert_refused ("{\"sampling_rate\": 8000}", "describes no features of sound that Dyno can compute");
  assert_refused ("{\"sampling_rate\": 24000, \"hop_length\": 1000000}", "describes no features of sound");
  assert_refused ("{\"sampling_rate\": 24000, \"hop_length\": 0}", "hop_length");
  g_assert_null (dyno_model_load ("resnet-18@waveform", &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "Leave out “waveform”");
}

static int
run_suite (int argc, char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  cache = model_test_make_folder ();
  dyno_paths_set_root (DYNO_PATH_CACHE, cache);
  for (guint i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autofree char *cpu = g_strconcat ("/log-mel/cpu/", documents[i], NULL);
      g_autofree char *openvino = g_strconcat ("/log-mel/openvino/", documents[i], NULL);

      g_test_add_data_func (cpu, documents[i], test_cpu);
      g_test_add_data_func (openvino, documents[i], test_openvino);
    }
  g_test_add_func ("/log-mel/whole", test_whole);
  g_test_add_func ("/log-mel/rate", test_rate);
  g_test_add_func ("/log-mel/refused", test_refused);
  result = g_test_run ();
  model_test_remove_folder (cache);
  return result;
}

SUITE (run_suite)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-worker-private.h"
#include "stub-session.h"
#include "suite.h"
#include "timed-session.h"
#include "workload-fixture.h"

/* make-pictures.py draws squares of these colours from the upper left corner of a picture of this size. */
#define WIDTH     500.0
#define HEIGHT    375.0
#define SQUARE    60.0
#define N_COLOURS 5

static const double colours[N_COLOURS][3] = {
  { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 }, { 0, 0, 0 }
};
static const double mean[] = { 0.485, 0.456, 0.406 }, deviation[] = { 0.229, 0.224, 0.225 };

static void
check_colours (const char *spec, const DynoShape *shape, double tolerance)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (spec, &error);
  g_autoptr (DynoPicture) picture = NULL;
  g_autoptr (DynoTensor) pixels = dyno_tensor_new ("pixel_values", shape);
  gint64 height = shape->dims[2], width = shape->dims[3], y = (gint64)(SQUARE / 2 / HEIGHT * (double)height);

  g_assert_no_error (error);
  picture = dyno_picture_new (model, &error);
  g_assert_no_error (error);
  g_assert_true (dyno_picture_prepare (picture, pixels, &error));
  g_assert_no_error (error);
  for (gint64 item = 0; item < shape->dims[0]; item++)
    for (guint i = 0; i < N_COLOURS; i++)
      for (guint channel = 0; channel < 3; channel++)
        {
          gint64 x = (gint64)((i + 0.5) * SQUARE / WIDTH * (double)width);
          gint64 place = ((item * 3 + channel) * height + y) * width + x;
          double expected = (colours[i][channel] - mean[channel]) / deviation[channel];

          g_assert_cmpfloat_with_epsilon (dyno_tensor_get_number (pixels, place), expected, tolerance);
        }
}

/* The middle of a square keeps its colour at any size, exactly so in a file without losses. */
static void
test_colours (void)
{
  static const DynoShape usual = { DYNO_DATA_TYPE_FLOAT, 4, { 2, 3, 224, 224 } };
  static const DynoShape large = { DYNO_DATA_TYPE_FLOAT, 4, { 1, 3, 640, 512 } };
  static const DynoShape half = { DYNO_DATA_TYPE_FLOAT16, 4, { 1, 3, 224, 224 } };

  check_colours ("resnet-18@png", &usual, 1e-5);
  check_colours ("resnet-18@png", &large, 1e-5);
  check_colours ("resnet-18@png", &half, 2e-3);
  check_colours ("resnet-18@jpeg", &usual, 0.05);
}

static DynoWorkload *
create_workload (const char *spec)
{
  g_autoptr (DynoCase) kase = dyno_case_new (spec, "cpu");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (spec, &error);
  DynoWorkload *workload;

  g_assert_no_error (error);
  g_object_set (kase, "batch-size", 2, NULL);
  workload = dyno_workload_new (kase, model, &error);
  g_assert_no_error (error);
  return workload;
}

/* Each step reads the file again, and gives its pixels to the engine before it runs. */
static void
test_step (void)
{
  static const char *const calls[] = { "set pixel_values:2x3x224x224", "run", "set pixel_values:2x3x224x224",
                                       "run", NULL };
  g_autoptr (DynoWorkload) workload = create_workload ("resnet-18@jpeg");
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (DynoSamples) samples = dyno_samples_new (2);
  DynoTensor *pixels;
  float *numbers, before;

  prepare_workload (workload, session);
  g_assert_cmpuint (stub_session_get_n_slots (STUB_SESSION (session)), ==, 1);
  pixels = stub_session_get_inputs (STUB_SESSION (session), 0)->pdata[0];
  numbers = dyno_tensor_get_data (pixels);
  before = numbers[0];
  numbers[0] = 1234;
  stub_session_forget_calls (STUB_SESSION (session));
  take_sample (workload, samples, 2);
  g_assert_cmpstrv (stub_session_get_calls (STUB_SESSION (session)), calls);
  g_assert_cmpfloat (numbers[0], ==, before);
  g_assert_cmpint (samples->durations[0], >, 0);
}

static const DynoStageSamples *
get_stage (DynoMeasurement *measurement, guint index, const char *name)
{
  const DynoStageSamples *stage = &g_array_index (measurement->stages, DynoStageSamples, index);

  g_assert_cmpstr (stage->name, ==, name);
  return stage;
}

/* The step is its two parts and nothing else, also where the engine has a clock of its own. */
static void
test_parts (void)
{
  g_autoptr (DynoWorkload) workload = create_workload ("resnet-18@jpeg");
  g_autoptr (DynoSession) session = timed_session_new ();
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  const DynoStageSamples *prepare, *model;

  measurement->session = g_object_ref (session);
  measurement->samples = dyno_samples_new (4);
  prepare_workload (workload, session);
  dyno_workload_reserve (workload, 4, measurement);
  dyno_measurement_reserve_stages (measurement, 4);
  g_assert_cmpuint (measurement->stages->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      take_sample (workload, measurement->samples, 3);
      dyno_measurement_record_stages (measurement);
      prepare = get_stage (measurement, 0, "prepare");
      model = get_stage (measurement, 1, "model");
      g_assert_cmpint (model->samples->durations[i], ==, 3 * TIMED_STEP_NS);
      g_assert_cmpint (prepare->samples->durations[i], >, 0);
      g_assert_cmpint (prepare->samples->durations[i] + model->samples->durations[i], ==,
                       measurement->samples->durations[i]);
    }
}

/* Those of the file beside the config come before those of ImageNet. */
static void
test_published (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-picture-XXXXXX", NULL);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *published = g_build_filename (folder, "preprocessor_config.json", NULL);
  g_autofree char *spec = g_strconcat (folder, "@png", NULL);
  double means[3], deviations[3];
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = NULL;

  g_assert_true (
      g_file_set_contents (config,
                           "{\"model_type\": \"resnet\", \"embedding_size\": 8, \"hidden_sizes\": [8, 8], "
                           "\"depths\": [1, 1], \"layer_type\": \"basic\"}",
                           -1, NULL));
  g_assert_true (g_file_set_contents (
      published, "{\"image_mean\": [0.5, 0.25, 0], \"image_std\": [0.5, 0, 0.125]}", -1, NULL));
  model = dyno_model_load (spec, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_model_get_picture (model, means, deviations), ==, "png");
  g_assert_cmpfloat (means[1], ==, 0.25);
  g_assert_cmpfloat (deviations[0], ==, 0.5);
  /* Nothing can be divided by 0. */
  g_assert_cmpfloat (deviations[1], ==, deviation[1]);
  g_assert_cmpfloat (deviations[2], ==, 0.125);
  g_remove (config);
  g_remove (published);
  g_rmdir (folder);
}

static void
test_refused (void)
{
  static const char *const others[] = { "bert-tiny@jpeg", "llava-miniature@png", "whisper-tiny@jpeg" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_model_load (others[i], &error));
      suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "cannot be given a picture file");
    }
}

/* A machine without the library says so; the program that looks for it must not have found it before. */
static void
test_missing (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) model = dyno_model_load ("resnet-18@jpeg", NULL);

      g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
      g_assert_null (dyno_picture_new (model, &error));
      suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "libgdk-pixbuf-2.0-0");
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

static const SuiteTest tests[] = {
  { "/picture/colours", test_colours }, { "/picture/step", test_step },
  { "/picture/parts", test_parts },     { "/picture/published", test_published },
  { "/picture/refused", test_refused }, { "/picture/missing", test_missing },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-difference.h"
#include "run-fixture.h"

static GPtrArray *
make_runs (double scale)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (runs, run_fixture_make ("One", 1, 1));
  g_ptr_array_add (runs, run_fixture_make ("Other", 2, scale));
  return runs;
}

/* Of the four cases of a run, the last has failed. */
static void
test_matches (void)
{
  g_autoptr (GPtrArray) runs = make_runs (1.5);
  g_autoptr (GListModel) differences = dyno_difference_list (runs, 0);

  g_assert_cmpuint (g_list_model_get_n_items (differences), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (DynoDifference) difference = g_list_model_get_item (differences, i);
      g_assert_true (dyno_difference_get_run (difference) == g_ptr_array_index (runs, 1));
      g_assert_cmpfloat_with_epsilon (dyno_difference_get_baseline (difference), 1 << i, 1e-9);
      g_assert_cmpfloat_with_epsilon (dyno_difference_get_median (difference), 1.5 * (1 << i), 1e-9);
      g_assert_cmpfloat_with_epsilon (dyno_difference_get_ratio (difference), 1.5, 1e-9);
    }
}

static void
test_baseline (void)
{
  g_autoptr (GPtrArray) runs = make_runs (2);
  g_autoptr (GListModel) differences = dyno_difference_list (runs, 1);
  g_autoptr (DynoDifference) difference = g_list_model_get_item (differences, 0);

  g_assert_true (dyno_difference_get_run (difference) == g_ptr_array_index (runs, 0));
  g_assert_cmpfloat_with_epsilon (dyno_difference_get_ratio (difference), 0.5, 1e-9);
}

static void
test_interval (void)
{
  g_autoptr (GPtrArray) runs = make_runs (1.015);
  g_autoptr (GListModel) differences = dyno_difference_list (runs, 0);
  g_autoptr (DynoDifference) difference = g_list_model_get_item (differences, 0);
  g_autofree char *text = dyno_difference_dup_median_text (difference);

  g_assert_cmpstr (text, ==, "1.01\u00a0ms (1.00\u00a0ms – 1.03\u00a0ms)");
}

static DynoRun *
make_bare_run (const char *model, guint batch_size, double median)
{
  DynoRun *run = dyno_run_new (NULL);
  g_autoptr (DynoCase) kase = dyno_case_new (model, "cpu");
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "batch-size", batch_size, NULL);
  result = dyno_result_new (kase, 0);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "made up");
  dyno_run_add_result (run, result);
  return run;
}

static guint
count_matches (DynoRun *one, DynoRun *other)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GListModel) differences = NULL;

  g_ptr_array_add (runs, one);
  g_ptr_array_add (runs, other);
  differences = dyno_difference_list (runs, 0);
  return g_list_model_get_n_items (differences);
}

/* The same file may lie elsewhere on another machine; another size or name is another case. */
static void
test_what_is_the_same (void)
{
  g_assert_cmpuint (count_matches (make_bare_run ("/a/net.onnx", 1, 1), make_bare_run ("/b/net.onnx", 1, 1)),
                    ==, 1);
  g_assert_cmpuint (count_matches (make_bare_run ("net.onnx", 1, 1), make_bare_run ("net.onnx", 2, 1)), ==,
                    0);
  g_assert_cmpuint (count_matches (make_bare_run ("net.onnx", 1, 1), make_bare_run ("web.onnx", 1, 1)), ==,
                    0);
  g_assert_cmpuint (count_matches (make_bare_run ("net.onnx", 1, 0), make_bare_run ("net.onnx", 1, 1)), ==,
                    0);
}

/* How an engine was told to work, and where, makes another case. */
static void
test_told_otherwise (void)
{
  static const char *const properties[] = { "options", "pinning" };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      DynoRun *told = make_bare_run ("net.onnx", 1, 1);
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (told), 0);

      g_object_set (dyno_result_get_case (result), properties[i], "compact", NULL);
      g_assert_cmpuint (count_matches (make_bare_run ("net.onnx", 1, 1), told), ==, 0);
    }
}

static void
add_on_device (DynoRun *run, const char *device, double median)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net.onnx", "openvino");
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "device", device, NULL);
  result = dyno_result_new (kase, dyno_run_get_n_cases (run));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "made up");
  dyno_run_add_result (run, result);
}

static double
get_baseline_of (GListModel *differences, guint position)
{
  g_autoptr (DynoDifference) difference = g_list_model_get_item (differences, position);

  g_assert_nonnull (difference);
  return dyno_difference_get_baseline (difference);
}

/* A device is compared with itself; with another one only where there is no doubt which. */
static void
test_devices (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GListModel) with_two = NULL;
  g_autoptr (GListModel) with_one = NULL;

  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (runs, dyno_run_new (NULL));
  add_on_device (g_ptr_array_index (runs, 0), "CPU", 1);
  add_on_device (g_ptr_array_index (runs, 0), "AUTO", 2);
  add_on_device (g_ptr_array_index (runs, 1), "AUTO", 4);
  add_on_device (g_ptr_array_index (runs, 1), "CPU", 3);
  add_on_device (g_ptr_array_index (runs, 2), "GPU", 5);

  with_two = dyno_difference_list (runs, 0);
  g_assert_cmpuint (g_list_model_get_n_items (with_two), ==, 2);
  g_assert_cmpfloat (get_baseline_of (with_two, 0), ==, 2);
  g_assert_cmpfloat (get_baseline_of (with_two, 1), ==, 1);
  with_one = dyno_difference_list (runs, 2);
  g_assert_cmpuint (g_list_model_get_n_items (with_one), ==, 4);
  g_assert_cmpfloat (get_baseline_of (with_one, 0), ==, 5);
}

static void
test_no_interval (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GListModel) differences = NULL;
  g_autoptr (DynoDifference) difference = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_add (runs, make_bare_run ("net.onnx", 1, 1));
  g_ptr_array_add (runs, make_bare_run ("net.onnx", 1, 3));
  differences = dyno_difference_list (runs, 0);
  difference = g_list_model_get_item (differences, 0);
  text = dyno_difference_dup_median_text (difference);
  g_assert_cmpstr (text, ==, "3\u00a0ms");
}

/* Its numbers are shown with the mark, on whichever side they stand; no difference follows from them. */
static void
test_unsteady (void)
{
  for (guint unsteady = 0; unsteady < 2; unsteady++)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
      g_autoptr (DynoResult) result = NULL;
      g_autoptr (GListModel) differences = NULL;
      g_autoptr (DynoDifference) difference = NULL;
      g_autofree char *baseline = NULL;
      g_autofree char *median = NULL;

      g_ptr_array_add (runs, make_bare_run ("net.onnx", 1, 1));
      g_ptr_array_add (runs, make_bare_run ("net.onnx", 1, 3));
      result = g_list_model_get_item (dyno_run_get_results (runs->pdata[unsteady]), 0);
      dyno_result_take_diagnostic (
          result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "It never became steady."));
      differences = dyno_difference_list (runs, 0);
      difference = g_list_model_get_item (differences, 0);
      baseline = dyno_difference_dup_baseline_text (difference);
      median = dyno_difference_dup_median_text (difference);
      g_assert_true (dyno_difference_is_unsteady (difference));
      g_assert_true (isnan (dyno_difference_get_ratio (difference)));
      g_assert_cmpstr (baseline, ==, unsteady == 0 ? "1\u00a0ms, unsteady" : "1\u00a0ms");
      g_assert_cmpstr (median, ==, unsteady == 1 ? "3\u00a0ms, unsteady" : "3\u00a0ms");
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/difference/matches", test_matches);
  g_test_add_func ("/difference/baseline", test_baseline);
  g_test_add_func ("/difference/interval", test_interval);
  g_test_add_func ("/difference/what-is-the-same", test_what_is_the_same);
  g_test_add_func ("/difference/told-otherwise", test_told_otherwise);
  g_test_add_func ("/difference/devices", test_devices);
  g_test_add_func ("/difference/no-interval", test_no_interval);
  g_test_add_func ("/difference/unsteady", test_unsteady);
  return g_test_run ();
}

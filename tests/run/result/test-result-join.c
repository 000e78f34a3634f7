/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-latency-interval.h"
#include "dyno-result-samples.h"
#include "suite.h"

#define N_SAMPLES 40

static DynoResult *
create_case (guint n_invocations)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_object_set (method, "invocations", n_invocations, NULL);
  g_object_set (kase, "method", method, NULL);
  return dyno_result_new (kase, 0);
}

/* Steps around @median, of which every one is an item. */
static DynoResult *
create_part (DynoResult *result, double median)
{
  DynoResult *part = dyno_result_new (dyno_result_get_case (result), 0);
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);

  for (guint i = 0; i < N_SAMPLES; i++)
    dyno_trace_add (trace, (i + 1) * 1000000, median * (1 + 0.001 * ((int)(i % 3) - 1)));
  dyno_result_take_trace (part, trace);
  dyno_result_add_measured (part, "latency_p50_ms", median, "ms", "clock");
  dyno_result_add_measured (part, "latency_mean_ms", median, "ms", "clock");
  dyno_result_take_value (part, dyno_value_new_unsupported ("latency_p90_ms", "ms", "Too few."));
  dyno_result_add_measured (part, "latency_samples", N_SAMPLES, "", "count");
  dyno_result_add_measured (part, "latency_batched_steps", 1, "", "count");
  dyno_result_add_measured (part, "throughput_items_per_sec", 1000 / median, "1/s", "items");
  dyno_result_add_measured (part, "memory_peak_mb", 100 * median, "MB", "kernel");
  dyno_result_add_measured (part, "load_time_ms", 10 * median, "ms", "clock");
  dyno_result_add_measured (part, "throttled_periods", 2, "", "kernel");
  dyno_result_set_status (part, DYNO_STATUS_OK, NULL);
  return part;
}

static void
add_diagnostic (DynoResult *result, DynoSeverity severity, const char *code, const char *message)
{
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (severity, code, message));
}

/* Takes @part. */
static void
join (DynoResult *result, guint number, DynoResult *part)
{
  g_autoptr (DynoResult) joined = dyno_result_join (result, number, part);

  dyno_result_become (result, joined);
  g_object_unref (part);
}

static DynoResult *
create_joined (const double *medians, guint n)
{
  DynoResult *result = create_case (n);

  for (guint i = 0; i < n; i++)
    join (result, i, create_part (result, medians[i]));
  return result;
}

static void
test_values (void)
{
  const double medians[] = { 1, 2, 4 };
  g_autoptr (DynoResult) result = create_joined (medians, G_N_ELEMENTS (medians));

  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, 3);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "latency_p50_ms"), 2, 0.01);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "latency_mean_ms"), 7.0 / 3, 0.01);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_samples"), ==, 3 * N_SAMPLES);
  /* Total work over total time, not the mean of the rates. */
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "throughput_items_per_sec"), 3000.0 / 7,
                                  1e-6);
  g_assert_cmpfloat (dyno_result_get_number (result, "memory_peak_mb"), ==, 400);
  g_assert_cmpfloat (dyno_result_get_number (result, "load_time_ms"), ==, 20);
  g_assert_cmpfloat (dyno_result_get_number (result, "throttled_periods"), ==, 6);
  /* None has enough samples for it, but all together have. */
  g_assert_true (isfinite (dyno_result_get_number (result, "latency_p90_ms")));
}

/* Windows of four steps, of which every second one is disturbed and takes twice as long. */
static DynoResult *
create_disturbed_part (DynoResult *result, double median, gboolean is_undisturbed)
{
  DynoResult *part = create_part (result, median);
  DynoTrace *latency = dyno_result_get_trace (part, "latency");
  g_autoptr (DynoTrace) slow = dyno_trace_new ("latency", "ms", 0);
  DynoTrace *windows = dyno_trace_new ("undisturbed", "", 0);

  for (guint i = 0; i < N_SAMPLES; i++)
    dyno_trace_add (slow, dyno_trace_get_times (latency)[i],
                    dyno_trace_get_values (latency)[i] * (i / 4 % 2 == 0 ? 1 : 2));
  for (guint i = 4; i <= N_SAMPLES; i += 4)
    dyno_trace_add (windows, i * 1000000 + 500000, i / 4 % 2 == 1);
  g_ptr_array_set_size (dyno_result_get_traces (part), 0);
  dyno_result_take_trace (part, g_steal_pointer (&slow));
  dyno_result_take_trace (part, windows);
  if (is_undisturbed)
    dyno_result_add_measured (part, "latency_all_p50_ms", 1.5 * median, "ms", "clock");
  return part;
}

/* The median is of undisturbed steps if as many processes have them as an interval needs. */
static void
test_undisturbed (void)
{
  static const struct
  {
    guint n, n_undisturbed;
    double median, over_all;
  } rows[] = {
    { 1, 1, 4, 6 }, { 3, 3, 4, 6 }, { 3, 2, 6, NAN }, { 5, 5, 4, 6 }, { 7, 5, 4, 6 }, { 7, 4, 6, NAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoResult) result = create_case (rows[i].n);
      g_autofree double *medians = NULL;
      double over_all, low, high;
      guint n;

      g_test_message ("row %u", i);
      for (guint j = 0; j < rows[i].n; j++)
        join (result, j, create_disturbed_part (result, 4, j < rows[i].n_undisturbed));
      over_all = dyno_result_get_number (result, "latency_all_p50_ms");
      g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "latency_p50_ms"), rows[i].median, 0.1);
      g_assert_true (dyno_result_is_undisturbed (result) == !isnan (rows[i].over_all));
      if (!isnan (rows[i].over_all))
        g_assert_cmpfloat_with_epsilon (over_all, rows[i].over_all, 0.1);
      medians = dyno_result_dup_process_medians (result, &n);
      g_assert_cmpuint (n, ==, isnan (rows[i].over_all) ? rows[i].n : rows[i].n_undisturbed);
      low = dyno_result_get_number (result, "latency_median_low_ms");
      high = dyno_result_get_number (result, "latency_median_high_ms");
      if (rows[i].n >= DYNO_INTERVAL_MIN_PROCESSES && dyno_result_is_undisturbed (result))
        {
          g_assert_cmpfloat_with_epsilon (low, 4, 0.1);
          g_assert_cmpfloat_with_epsilon (high, 4, 0.1);
        }
    }
}

static void
test_undisturbed_words (void)
{
  static const struct
  {
    double percent[2];
    const char *words;
  } rows[] = {
    { { 100, 100 }, "range of the medians of 2 processes" },
    { { 61, 61 }, "range of the medians of 2 processes, in the undisturbed 61 % of the time" },
    { { 93, 61 }, "range of the medians of 2 processes, in the undisturbed 61 to 93 % of the time" },
    { { 61, NAN }, "range of the medians of 2 processes, of some cases in the undisturbed 61 % of the time" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
      g_autofree char *words = NULL;

      for (guint j = 0; j < 2; j++)
        {
          DynoResult *result = create_case (2);

          for (guint k = 0; k < 2; k++)
            {
              DynoResult *part = create_disturbed_part (result, 4, !isnan (rows[i].percent[j]));

              dyno_result_add_measured (part, "undisturbed_percent", rows[i].percent[j], "%", "windows");
              join (result, k, part);
            }
          g_ptr_array_add (results, result);
        }
      words = dyno_latency_interval_dup_common_words (results);
      g_assert_cmpstr (words, ==, rows[i].words);
    }
}

/* Samples that resemble the ones before them count for less: 120 of them are worth 30 here, too few for a p90. */
static void
test_correlated (void)
{
  g_autoptr (DynoResult) result = create_case (3);
  DynoValue *value;

  for (guint i = 0; i < 3; i++)
    {
      DynoResult *part = create_part (result, 2);

      dyno_result_add_measured (part, "latency_effective_samples", 10, "", "count");
      join (result, i, part);
    }
  value = dyno_result_get_value (result, "latency_p90_ms");
  g_assert_false (dyno_value_is_number (value));
  g_assert_cmpstr (
      dyno_value_get_source (value), ==,
      "This percentile needs 44 independent samples; the 120 samples of its processes count as 30.");
}

static void
test_single (void)
{
  const double medians[] = { 3 };
  g_autoptr (DynoResult) result = create_joined (medians, 1);

  g_assert_cmpstr (dyno_value_get_source (dyno_result_get_value (result, "latency_p50_ms")), ==, "clock");
  g_assert_cmpint (dyno_latency_interval_get_kind (result), ==, DYNO_INTERVAL_WITHIN_PROCESS);
  g_assert_true (dyno_result_is_complete (result));
}

static void
test_only_first (void)
{
  g_autoptr (DynoResult) result = create_case (2);
  DynoResult *part = create_part (result, 1);

  dyno_result_take_value (part, dyno_value_new ("flops", 5e6, "FLOP", DYNO_QUALITY_ESTIMATED, "rules"));
  dyno_result_take_value (part,
                          dyno_value_new ("flops_per_sec", 5e9, "FLOP/s", DYNO_QUALITY_ESTIMATED, "rules"));
  join (result, 0, part);
  join (result, 1, create_part (result, 3));
  g_assert_cmpfloat (dyno_result_get_number (result, "flops"), ==, 5e6);
  /* By the median of all. */
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "flops_per_sec"),
                                  5e9 / dyno_result_get_number (result, "latency_p50_ms"), 1e3);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "flops")), ==,
                   DYNO_QUALITY_ESTIMATED);
}

static void
test_intervals (void)
{
  const double medians[] = { 1.0, 1.1, 0.9, 1.05, 0.95 };
  g_autoptr (DynoResult) few = create_joined (medians, 3);
  g_autoptr (DynoResult) enough = create_joined (medians, 5);
  g_autofree char *range = dyno_latency_interval_dup_words (few);
  g_autofree char *interval = dyno_latency_interval_dup_words (enough);
  g_autofree char *single = NULL;
  g_autoptr (DynoResult) old = create_case (1);

  dyno_result_set_status (old, DYNO_STATUS_OK, NULL);
  single = dyno_latency_interval_dup_words (old);
  g_assert_nonnull (strstr (range, "range"));
  g_assert_null (strstr (range, "95"));
  g_assert_nonnull (strstr (interval, "5 processes"));
  g_assert_nonnull (strstr (single, "within this process"));
  g_assert_cmpfloat (dyno_result_get_number (few, "latency_median_low_ms"), ==, 0.9);
  g_assert_cmpfloat (dyno_result_get_number (few, "latency_median_high_ms"), ==, 1.1);
  g_assert_cmpfloat (dyno_result_get_number (enough, "latency_median_low_ms"), <, 0.96);
  g_assert_cmpfloat (dyno_result_get_number (enough, "latency_median_high_ms"), >, 1.04);
}

/* The median of one process is no range. */
static void
test_no_range (void)
{
  g_autoptr (DynoResult) result = create_case (2);
  DynoResult *part = create_part (result, 4);

  g_ptr_array_remove_index (dyno_result_get_values (part), 0);
  dyno_result_take_value (part, dyno_value_new_unsupported ("latency_p50_ms", "ms", "It grew throughout."));
  join (result, 0, create_part (result, 1));
  join (result, 1, part);
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, 2);
  g_assert_false (dyno_value_is_number (dyno_result_get_value (result, "latency_median_low_ms")));
  g_assert_false (dyno_value_is_number (dyno_result_get_value (result, "latency_median_high_ms")));
}

static void
test_diagnostics (void)
{
  g_autoptr (DynoResult) result = create_case (3);

  for (guint i = 0; i < 3; i++)
    {
      DynoResult *part = create_part (result, 1 + i);
      g_autofree char *outliers = g_strdup_printf ("%u outliers.", i + 1);

      add_diagnostic (part, DYNO_SEVERITY_INFO, "placement", "CPUs used: 0.");
      add_diagnostic (part, DYNO_SEVERITY_INFO, "outliers", outliers);
      if (i == 0)
        add_diagnostic (part, DYNO_SEVERITY_WARNING, "unknown-operators", "Not counted: Frobnicate.");
      if (i == 1)
        add_diagnostic (part, DYNO_SEVERITY_WARNING, "no-steady-state", "Never steady.");
      join (result, i, part);
    }
  g_assert_cmpstr (dyno_result_find_message (result, "placement"), ==, "CPUs used: 0.");
  g_assert_nonnull (strstr (dyno_result_find_message (result, "outliers"), "1 outliers."));
  g_assert_nonnull (strstr (dyno_result_find_message (result, "outliers"), "3 of 3"));
  /* Only the first looks for them. */
  g_assert_cmpstr (dyno_result_find_message (result, "unknown-operators"), ==, "Not counted: Frobnicate.");
  /* One of three is told of, but does not make the case unsteady. */
  g_assert_null (dyno_result_find_message (result, "no-steady-state"));
  g_assert_nonnull (dyno_result_find_message (result, "unsteady-processes"));
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_DOUBTFUL);
}

static void
test_unsteady (void)
{
  g_autoptr (DynoResult) result = create_case (3);

  for (guint i = 0; i < 3; i++)
    {
      DynoResult *part = create_part (result, 1 + i);

      if (i > 0)
        {
          add_diagnostic (part, DYNO_SEVERITY_WARNING, "no-steady-state", "Never steady.");
          g_ptr_array_remove_index (dyno_result_get_values (part), 0);
          dyno_result_take_value (
              part, dyno_value_new ("latency_p50_ms", 1 + i, "ms", DYNO_QUALITY_UNSTEADY, "clock"));
        }
      join (result, i, part);
    }
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_UNSTEADY);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "latency_p50_ms")), ==,
                   DYNO_QUALITY_UNSTEADY);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "latency_p90_ms")), ==,
                   DYNO_QUALITY_UNSTEADY);
  g_assert_false (dyno_value_is_number (dyno_result_get_value (result, "latency_median_low_ms")));
}

static void
test_failures (void)
{
  g_autoptr (DynoResult) result = create_case (4);
  g_autoptr (DynoResult) failed = NULL;

  join (result, 0, create_part (result, 1));
  failed = dyno_result_join_failure (result, 1, "It crashed.");
  dyno_result_become (result, failed);
  join (result, 2, create_part (result, 3));
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, 2);
  g_assert_nonnull (strstr (dyno_result_find_message (result, "invocation-failed"), "It crashed."));
  g_assert_null (dyno_result_find_message (result, "invocations-missing"));
  dyno_result_judge_invocations (result, TRUE);
  g_assert_nonnull (dyno_result_find_message (result, "invocations-missing"));
  g_assert_false (dyno_result_is_complete (result));
}

static void
test_json (void)
{
  const double medians[] = { 1, 2, 4 };
  g_autoptr (DynoResult) result = create_joined (medians, G_N_ELEMENTS (medians));
  g_autoptr (JsonNode) node = dyno_result_to_json (result, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) again = dyno_result_new_from_json (json_node_get_object (node), &error);
  g_autoptr (JsonNode) node_again = NULL;

  g_assert_no_error (error);
  node_again = dyno_result_to_json (again, TRUE);
  g_assert_true (json_node_equal (node, node_again));
  g_assert_cmpuint (dyno_result_get_steady (again, 2).n, ==, N_SAMPLES);
  g_assert_cmpfloat (dyno_result_get_steady (again, 2).values[1], ==, 4);
}

/* Time and samples are divided, but not to nothing. */
static void
test_share_out (void)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();
  g_autoptr (DynoMethod) part = NULL;
  g_autoptr (DynoMethod) single = NULL;

  g_object_set (method, "invocations", 5, "min-seconds", 10.0, "max-seconds", 20.0, "min-samples", 20,
                "interval-percent", 1.0, NULL);
  part = dyno_method_share_out (method);
  g_assert_cmpfloat (dyno_method_get_min_seconds (part), ==, 2);
  g_assert_cmpfloat (dyno_method_get_max_seconds (part), ==, 4);
  g_assert_cmpuint (dyno_method_get_min_samples (part), ==, 10);
  g_assert_cmpfloat_with_epsilon (dyno_method_get_interval_percent (part), sqrt (5), 0.01);
  g_object_set (method, "invocations", 1, NULL);
  single = dyno_method_share_out (method);
  g_assert_cmpfloat (dyno_method_get_min_seconds (single), ==, 10);
  g_assert_cmpuint (dyno_method_get_min_samples (single), ==, 20);
  g_assert_cmpfloat (dyno_method_get_interval_percent (single), ==, 1);
}

/* People read the method in a command: few digits, and no more demanded of a process than before. */
static void
test_change_invocations (void)
{
  for (guint n = 1; n <= 20; n++)
    {
      g_autoptr (DynoMethod) method = dyno_method_new ();
      g_autoptr (DynoMethod) whole = NULL;
      g_autofree char *text = NULL;
      double percent;

      g_object_set (method, "invocations", 1, "interval-percent", 100.0, NULL);
      whole = dyno_method_change_invocations (method, n);
      percent = dyno_method_get_interval_percent (whole);
      text = g_strdup_printf ("%.15g", percent);
      g_assert_cmpuint (strlen (text), <=, strlen ("12.34"));
      g_assert_cmpfloat (percent * sqrt (n), >=, 100 - 1e-6);
      g_assert_cmpfloat (percent * sqrt (n), <, 100.1);
    }
}

/* A case from before invocations existed has one. */
static void
test_case_of_then (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (JsonNode) node = dyno_case_to_json (kase);
  JsonObject *members = json_node_get_object (node);
  g_autoptr (DynoCase) now = dyno_case_new_from_json (members, NULL);
  g_autoptr (DynoCase) then = NULL;

  json_object_remove_member (json_object_get_object_member (members, "method"), "invocations");
  then = dyno_case_new_from_json (members, NULL);
  g_assert_cmpuint (dyno_method_get_invocations (dyno_case_get_method (now)), ==, 5);
  g_assert_cmpuint (dyno_method_get_invocations (dyno_case_get_method (then)), ==, 1);
}

static const SuiteTest tests[] = {
  { "/run/result-join/values", test_values },
  { "/run/result-join/undisturbed", test_undisturbed },
  { "/run/result-join/undisturbed-words", test_undisturbed_words },
  { "/run/result-join/correlated", test_correlated },
  { "/run/result-join/single", test_single },
  { "/run/result-join/only-first", test_only_first },
  { "/run/result-join/intervals", test_intervals },
  { "/run/result-join/no-range", test_no_range },
  { "/run/result-join/diagnostics", test_diagnostics },
  { "/run/result-join/unsteady", test_unsteady },
  { "/run/result-join/failures", test_failures },
  { "/run/result-join/json", test_json },
  { "/run/result-join/share-out", test_share_out },
  { "/run/result-join/change-invocations", test_change_invocations },
  { "/run/result-join/case-of-then", test_case_of_then },
};

SUITE_TESTS (tests)

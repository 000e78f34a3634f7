/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-case-check.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "suite.h"

static DynoRun *
create_run (const char *title, const char *machine)
{
  return g_object_new (DYNO_TYPE_RUN, "title", title, "machine", machine, NULL);
}

static DynoResult *
add_case (DynoRun *run, const char *model, const char *backend, guint batch_size, double median)
{
  g_autoptr (DynoCase) kase = dyno_case_new (model, backend);
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  g_object_set (kase, "batch-size", batch_size, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "clock");
  dyno_run_add_result (run, result);
  return result;
}

static void
say (DynoResult *result, DynoSeverity severity, const char *code, const char *message)
{
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (severity, code, message));
}

static DynoComparison *
compare (DynoRun *baseline, DynoRun *other)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoComparisonOptions options = { NULL };
  g_autoptr (GError) error = NULL;
  DynoComparison *comparison;

  g_ptr_array_add (runs, baseline);
  if (other != NULL)
    g_ptr_array_add (runs, other);
  comparison = dyno_comparison_new (runs, &options, &error);
  g_assert_no_error (error);
  return comparison;
}

static const DynoComparedCase *
get_case (const DynoComparison *comparison, guint i)
{
  g_assert_cmpuint (i, <, comparison->cases->len);
  return comparison->cases->pdata[i];
}

static const char *
get_reason (const DynoComparison *comparison, guint i)
{
  g_assert_cmpuint (i, <, comparison->left_out->len);
  return ((DynoLeftOutCase *)comparison->left_out->pdata[i])->reason;
}

/* The times of an emulated device are compared with those of no other. */
static void
test_emulated (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (DynoComparison) comparison = NULL;

  g_object_set (add_case (before, "net", "qnn", 1, 10), "device-kind", "emulated", NULL);
  g_object_set (add_case (after, "net", "qnn", 1, 5), "device-kind", "npu", NULL);
  g_object_set (add_case (before, "net", "qnn", 2, 10), "device-kind", "emulated", NULL);
  g_object_set (add_case (after, "net", "qnn", 2, 5), "device-kind", "emulated", NULL);
  comparison = compare (before, after);
  g_assert_cmpuint (comparison->cases->len, ==, 1);
  g_assert_nonnull (strstr (get_reason (comparison, 0), "emulated"));
}

/* Two processes claim nothing, however large their difference is, but say what it looks like. */
static void
test_one_process (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *answer = NULL;

  add_case (before, "net", "cpu", 1, 10);
  add_case (after, "net", "cpu", 1, 5);
  comparison = compare (before, after);
  g_assert_cmpint (get_case (comparison, 0)->verdict, ==, DYNO_VERDICT_NOT_ENOUGH_DATA);
  g_assert_cmpfloat (get_case (comparison, 0)->ratio, ==, 0.5);
  g_assert_true (isnan (get_case (comparison, 0)->low));
  g_assert_cmpuint (get_case (comparison, 0)->n_needed, ==, 5);
  answer = dyno_comparison_dup_answer (comparison);
  g_assert_cmpstr (
      answer, ==,
      "After looks 2.0 times faster than Before, but that is not certain. Each side was measured in "
      "one process, and "
      "the next process may differ by more. Measure with 5 processes per case.");
}

/* Cases that are not compared are listed, each with the reason. */
static void
test_left_out (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *answer = NULL;

  add_case (before, "net", "cpu", 1, 10);
  dyno_result_set_status (add_case (after, "net", "cpu", 1, NAN), DYNO_STATUS_FAILED, "It crashed.");
  add_case (before, "net", "cpu", 2, 10);
  say (add_case (after, "net", "cpu", 2, 10), DYNO_SEVERITY_WARNING, "no-steady-state", "Never.");
  add_case (before, "net", "cpu", 4, 10);
  dyno_result_add_measured (add_case (after, "other", "cpu", 4, 10), "latency_p50_ms", 10, "ms", "clock");
  comparison = compare (before, after);
  g_assert_cmpuint (comparison->cases->len, ==, 0);
  g_assert_cmpuint (comparison->left_out->len, ==, 4);
  g_assert_cmpstr (get_reason (comparison, 0), ==, "Failed in After: It crashed.");
  g_assert_nonnull (strstr (get_reason (comparison, 1), "Never steady in After."));
  g_assert_cmpstr (get_reason (comparison, 2), ==, "Only in Before.");
  g_assert_cmpstr (get_reason (comparison, 3), ==, "Only in After.");
  answer = dyno_comparison_dup_answer (comparison);
  g_assert_cmpstr (answer, ==,
                   "No case of After has a number to compare with Before. Failed in After: It crashed.");
}

/* Cases of different models are not compared; a value has its unit even then. */
static void
test_nothing_shared (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *headline = NULL;
  g_autofree char *summary = NULL;

  add_case (before, "net", "cpu", 4, 10);
  add_case (after, "other", "cpu", 4, 10);
  comparison = compare (before, after);
  g_assert_cmpuint (comparison->cases->len, ==, 0);
  g_assert_cmpstr (comparison->unit, ==, "ms");
  answer = dyno_comparison_dup_answer (comparison);
  g_assert_cmpstr (answer, ==,
                   "After and Before have no case to compare: none was measured on both with the same model "
                   "and sizes. Measure such a case.");
  headline = dyno_comparison_dup_headline (comparison);
  summary = dyno_comparison_dup_summary (comparison);
  g_assert_cmpstr (headline, ==, "No case can be compared");
  g_assert_true (g_str_has_prefix (summary, "After and Before have no case to compare"));
}

static void
test_units (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoComparisonOptions options = { .metric = "memory_peak_mb" };
  g_autoptr (DynoComparison) comparison = NULL;

  dyno_result_add_measured (add_case (before, "net", "cpu", 1, 10), "memory_peak_mb", 10, "MB", "kernel");
  dyno_result_add_measured (add_case (after, "net", "cpu", 1, 10), "memory_peak_mb", 10, "MiB", "kernel");
  g_ptr_array_add (runs, before);
  g_ptr_array_add (runs, after);
  comparison = dyno_comparison_new (runs, &options, NULL);
  g_assert_nonnull (comparison);
  g_assert_nonnull (
      strstr (get_reason (comparison, 0), "The units do not match: MB in Before, MiB in After."));
}

/* A precision that another tool did not tell of is no name. */
static void
test_imported_title (void)
{
  g_autoptr (DynoRun) own = create_run ("Own", NULL);
  g_autoptr (DynoRun) imported = create_run ("other.json", NULL);
  g_autoptr (DynoOrigin) origin = dyno_origin_new ();
  g_autoptr (DynoComparison) comparison = NULL;
  DynoResult *result = add_case (imported, "net", "other", 1, 5);

  add_case (own, "net", "cpu", 1, 10);
  add_case (own, "net", "fast", 1, 10);
  g_object_set (dyno_result_get_case (result), "precision", "unknown", NULL);
  dyno_run_set_origin (imported, origin);
  comparison = compare (own, imported);
  g_assert_cmpstr (dyno_comparison_get_side_title (comparison, 0), ==, "Own");
  g_assert_cmpstr (dyno_comparison_get_side_title (comparison, 1), ==, "other.json");
}

/* Runs of one backend each are named after it; other differences are listed. */
static void
test_differences (void)
{
  g_autoptr (DynoRun) before = create_run (
      "Quick", "{\"kernel\":{\"release\":\"6.1\"},\"backends\":[{\"id\":\"cpu\",\"runtime\":\"A 1\"}]}");
  g_autoptr (DynoRun) after = create_run (
      "Quick", "{\"kernel\":{\"release\":\"6.2\"},\"backends\":[{\"id\":\"fast\",\"runtime\":\"B 2\"}]}");
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (GString) list = g_string_new (NULL);

  add_case (before, "net", "cpu", 1, 10);
  add_case (after, "net", "fast", 1, 5);
  comparison = compare (before, after);
  g_assert_cmpstr (dyno_comparison_get_side_title (comparison, 0), ==, "ONNX Runtime (CPU)");
  g_assert_cmpstr (((DynoComparisonSide *)comparison->sides->pdata[0])->id, ==, "cpu");
  g_assert_cmpstr (dyno_comparison_get_side_title (comparison, 1), ==, "fast");
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const DynoSideDifference *difference = comparison->differences->pdata[i];

      g_string_append_printf (list, "%s: %s → %s\n", difference->name, difference->baseline,
                              difference->value);
    }
  g_assert_cmpstr (list->str, ==,
                   "Engine: ONNX Runtime (CPU) → fast\nRuntime: A 1 → B 2\nKernel: 6.1 → 6.2\n");
}

static void
check_confounded (DynoRun *before, DynoRun *after, const char *reason)
{
  g_autoptr (DynoComparison) comparison = compare (before, after);

  g_assert_cmpint (get_case (comparison, 0)->verdict, ==, DYNO_VERDICT_CONFOUNDED);
  g_assert_nonnull (strstr (get_case (comparison, 0)->reason, reason));
}

/* Each of these alone could have made the difference. */
static void
test_confounded (void)
{
  static const struct
  {
    const char *name;
    double before;
    double after;
    const char *reason;
  } unequal[] = {
    { "clock_avg_mhz", 2000, 2100, "The clocks were 5 % apart." },
    { "placement_percent", 100, 80, "100 % and 80 % of the work ran on the requested device" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (unequal); i++)
    {
      g_autoptr (DynoRun) before = create_run ("Before", NULL);
      g_autoptr (DynoRun) after = create_run ("After", NULL);

      dyno_result_add_measured (add_case (before, "net", "cpu", 1, 10), unequal[i].name, unequal[i].before,
                                "", "sensor");
      dyno_result_add_measured (add_case (after, "net", "cpu", 1, 10), unequal[i].name, unequal[i].after, "",
                                "sensor");
      check_confounded (before, after, unequal[i].reason);
    }
}

static void
test_throttled (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);

  add_case (before, "net", "cpu", 1, 10);
  say (add_case (after, "net", "cpu", 1, 10), DYNO_SEVERITY_WARNING, "throttled-window", "It was throttled.");
  check_confounded (before, after, "After: It was throttled.");
}

/* Clocks that are close enough, and those of other machines, are no reason. */
static void
test_clocks (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", "{\"cpu\":{\"name\":\"Slow\"}}");
  g_autoptr (DynoRun) after = create_run ("After", "{\"cpu\":{\"name\":\"Fast\"}}");
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *remark = NULL;

  dyno_result_add_measured (add_case (before, "net", "cpu", 1, 10), "clock_avg_mhz", 2000, "MHz", "sensor");
  dyno_result_add_measured (add_case (after, "net", "cpu", 1, 10), "clock_avg_mhz", 4000, "MHz", "sensor");
  comparison = compare (before, after);
  g_assert_cmpint (get_case (comparison, 0)->verdict, !=, DYNO_VERDICT_CONFOUNDED);
  remark = dyno_comparison_dup_remark (comparison);
  g_assert_nonnull (strstr (remark, "machines differ"));
}

/* The name of a file says nothing of the model. */
static void
test_unnamed_models (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *remark = NULL;

  add_case (before, "times", "tensorrt", 1, 10);
  say (add_case (after, "times", "tensorrt", 1, 10), DYNO_SEVERITY_INFO, DYNO_ORIGIN_UNNAMED_CODE,
       "Unnamed.");
  comparison = compare (before, after);
  remark = dyno_comparison_dup_remark (comparison);
  g_assert_nonnull (strstr (remark, "make sure that these are of the same model"));
}

/* Dyno shuffles its cases; in which order another tool measured, nobody knows. */
static void
test_order (void)
{
  g_autoptr (DynoRun) run = create_run ("Both", NULL);
  g_autoptr (DynoOrigin) origin = dyno_origin_new ();
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *own = NULL;
  g_autofree char *imported = NULL;

  add_case (run, "net", "cpu", 1, 10);
  add_case (run, "net", "openvino", 1, 5);
  comparison = compare (run, NULL);
  own = dyno_comparison_dup_remark (comparison);
  g_assert_cmpstr (own, ==, "Measured in one run, in shuffled order.");
  origin->tool = g_strdup ("llama-bench");
  dyno_run_set_origin (run, origin);
  imported = dyno_comparison_dup_remark (comparison);
  g_assert_cmpstr (
      imported, ==,
      "The cases are of one file of llama-bench; in which order they were measured is not known.");
}

/* The others are alive together, and yet take no turns with a baseline that cannot be. */
static void
test_baseline_alone (void)
{
  g_autoptr (DynoRun) run = create_run ("Both", NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *remark = NULL;

  add_case (run, "net", "cpu", 1, 10);
  add_case (run, "net", "openvino", 1, 5);
  comparison = compare (run, NULL);
  say (get_case (comparison, 0)->baseline, DYNO_SEVERITY_INFO, DYNO_SIDE_GROUP_CODE, "It leaves no room.");
  remark = dyno_comparison_dup_remark (comparison);
  g_assert_cmpstr (remark, ==, "It leaves no room.");
}

/* The cases of one run are compared by what they differ in, with the named baseline. */
static void
test_one_run (void)
{
  g_autoptr (DynoRun) run = create_run ("Alone", NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoComparisonOptions options = { .baseline = "fast" };
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (DynoComparison) none = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (runs, run);
  add_case (run, "net", "cpu", 1, 10);
  add_case (run, "net", "fast", 1, 5);
  add_case (run, "net", "cpu", 2, 20);
  add_case (run, "net", "fast", 2, 10);
  comparison = dyno_comparison_new (runs, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (comparison->baseline, ==, 1);
  g_assert_cmpuint (comparison->cases->len, ==, 2);
  g_assert_cmpfloat (get_case (comparison, 0)->ratio, ==, 2);
  g_assert_true (get_case (comparison, 0)->in_blocks);
  options.by = DYNO_CASE_THREADS;
  none = dyno_comparison_new (runs, &options, &error);
  g_assert_null (none);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* The error names values that there are. */
static void
test_no_such (void)
{
  static const struct
  {
    DynoComparisonOptions options;
    DynoError code;
    const char *words;
    const char *end;
  } rows[] = {
    { { .baseline = "Gone" }, DYNO_ERROR_NOT_FOUND, "Before, After", "" },
    { { .metric = "throughput_items_per_sec" },
      DYNO_ERROR_INVALID_ARGUMENT,
      "“throughput_items_per_sec”",
      "such as latency_p50_ms." },
  };
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  g_ptr_array_add (runs, before);
  g_ptr_array_add (runs, after);
  add_case (before, "net", "cpu", 1, 10);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_comparison_new (runs, &rows[i].options, &error));
      g_test_message ("%s", error->message);
      g_assert_true (g_str_has_suffix (error->message, rows[i].end));
      suite_assert_error (error, rows[i].code, rows[i].words);
    }
}

/* The sentences, of verdicts as they may come. */

static void
add_verdict (DynoComparison *comparison, DynoRun *run, guint number, DynoVerdict verdict, double ratio)
{
  DynoResult *result = add_case (run, "net", "cpu", number, 10);
  DynoComparedCase *kase = dyno_comparison_add_case (comparison, 1, result, result);

  kase->verdict = verdict;
  kase->ratio = ratio;
  kase->low = ratio * 0.98;
  kase->high = ratio * 1.02;
}

/* The headline and the line below it, of verdicts as they may come. */

static guint
count_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  return g_strv_length (words);
}

static DynoVerdict
get_verdict (char letter)
{
  static const char letters[] =
      "bwBWsnoc"; /* better, worse, the same probably, same, noise, open, confounded */

  return (DynoVerdict)(strchr (letters, letter) - letters);
}

/* Compares @after with @before. Each letter of @verdicts is that of a case: see get_verdict(). */
static DynoComparison *
create_judged (
    const char *metric, const char *verdicts, const double *ratios, const char *before, const char *after)
{
  g_autoptr (DynoRun) run = create_run ("Run", NULL);
  DynoComparison *comparison = dyno_comparison_new_empty (metric, "ms", 0.02);

  dyno_comparison_add_side (comparison, run, before);
  dyno_comparison_add_side (comparison, run, after);
  for (guint i = 0; verdicts[i] != '\0'; i++)
    add_verdict (comparison, run, i + 1, get_verdict (verdicts[i]), ratios[i]);
  return comparison;
}

static void
test_answer (void)
{
  static const struct
  {
    const char *metric;
    const char *verdicts;
    const double ratios[3];
    const char *answer;
  } rows[] = {
    { "latency_p50_ms",
      "bbs",
      { 0.5, 0.55, 1 },
      "openvino is 1.9 times faster than cpu in 2 of 3 cases (1.8 to 2.0 times); net\u00a0· ONNX Runtime "
      "(CPU)\u00a0· batch 3: the same within 2 %." },
    { "latency_p50_ms",
      "bbs",
      { 0.97, 0.96, 1 },
      "openvino is 3.6 % faster than cpu in 2 of 3 cases (3.1 to 4.2 %); net\u00a0· ONNX Runtime "
      "(CPU)\u00a0· batch 3: the same within 2 %." },
    { "latency_p50_ms", "w", { 1.03 }, "openvino is 3.0 % slower than cpu (0.9 to 5.1 %)." },
    { "latency_p50_ms", "W", { 1.03 }, "openvino is probably 3.0 % slower than cpu (0.9 to 5.1 %)." },
    { "memory_peak_mb", "W", { 1.03 }, "Peak memory: openvino is probably 3.0 % above cpu (0.9 to 5.1 %)." },
    { "latency_p50_ms",
      "no",
      { 0.55, 1 },
      "net\u00a0· ONNX Runtime (CPU)\u00a0· batch 2: no difference shown; net\u00a0· ONNX Runtime "
      "(CPU)\u00a0· batch 1: no difference shown." },
    { "latency_p50_ms", "s", { 0.5 }, "openvino and cpu are the same within 2 %." },
    { "memory_peak_mb", "b", { 0.5 }, "Peak memory: openvino is 2.0 times below cpu (2.0 to 2.0 times)." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoComparison) comparison =
          create_judged (rows[i].metric, rows[i].verdicts, rows[i].ratios, "cpu", "openvino");
      g_autofree char *answer = dyno_comparison_dup_answer (comparison);

      g_assert_cmpstr (answer, ==, rows[i].answer);
    }
}

typedef struct
{
  const char *metric;
  const char *verdicts;
  const double ratios[4];
  const char *headline;
  const char *summary;
} Headline;

static const Headline headlines[] = {
  { "latency_p50_ms", "b", { 0.5 }, "After is 2.0 times faster", "2.0 to 2.0 times; one case" },
  { "latency_p50_ms",
    "bbs",
    { 0.9, 0.85, 1 },
    "After is 14 % faster",
    "11 to 18 %; 2 of 3 cases, none slower" },
  { "latency_p50_ms",
    "bbo",
    { 0.9, 0.85, 1 },
    "After is 14 % faster",
    "11 to 18 %; 2 of 3 cases, 1 not certain" },
  { "latency_p50_ms",
    "bss",
    { 0.9, 1, 1 },
    "After: 1 of 3 cases faster",
    "faster: 8.9 to 13 %; none slower" },
  { "latency_p50_ms", "ww", { 1.1, 1.2 }, "After is 15 % slower", "10 to 20 %; all 2 cases" },
  { "latency_p50_ms", "W", { 1.03 }, "After is probably 3.0 % slower", "0.9 to 5.1 %; one case" },
  { "latency_p50_ms", "W", { 1.01 }, "After is probably 1.0 % slower", "one case" },
  { "latency_p50_ms",
    "bbwo",
    { 0.9, 0.8, 1.1, 1 },
    "After: 2 cases faster, 1 slower",
    "faster: 1.1 to 1.2 times; slower: 7.8 to 12 %; 1 not certain" },
  { "latency_p50_ms",
    "Bw",
    { 0.9, 1.1 },
    "After: 1 case probably faster, 1 slower",
    "slower: 7.8 to 12 %; probably faster: 8.9 to 13 %" },
  { "latency_p50_ms", "ss", { 1, 1 }, "Both sides are the same within 2 %", "all 2 cases" },
  { "latency_p50_ms",
    "sn",
    { 1, 1.03 },
    "No difference beyond the noise of this machine",
    "1 of 2 cases the same, 1 not certain" },
  { "latency_p50_ms",
    "o",
    { 0.5 },
    "No difference shown",
    "After looks 2.0 times faster than Before, but that is not certain." },
  { "latency_p50_ms", "so", { 1, 1 }, "No difference shown", "1 of 2 cases the same, 1 not certain" },
  { "latency_p50_ms", "c", { 1.1 }, "No verdict: the conditions differ too", "" },
  { "memory_peak_mb", "b", { 0.8 }, "After: Peak memory 1.2 times lower", "1.2 to 1.3 times; one case" },
  { "memory_peak_mb", "W", { 1.2 }, "After: Peak memory probably 20 % higher", "18 to 22 %; one case" },
  { "throughput_items_per_sec", "b", { 1.2 }, "After is 20 % faster", "18 to 22 %; one case" },
};

static void
test_headline (gconstpointer data)
{
  const Headline *row = data;
  g_autoptr (DynoComparison) comparison =
      create_judged (row->metric, row->verdicts, row->ratios, "Before", "After");
  g_autofree char *headline = dyno_comparison_dup_headline (comparison);
  g_autofree char *summary = dyno_comparison_dup_summary (comparison);

  g_assert_cmpstr (headline, ==, row->headline);
  g_assert_cmpstr (summary, ==, row->summary);
}

/* However long the titles are, a headline has twelve words at most. */
static void
test_headline_length (void)
{
  const char *title = "A title of a run that nobody shortened, and that names everything";

  for (guint i = 0; i < G_N_ELEMENTS (headlines); i++)
    {
      g_autoptr (DynoComparison) comparison =
          create_judged (headlines[i].metric, headlines[i].verdicts, headlines[i].ratios, title, title);
      g_autofree char *headline = dyno_comparison_dup_headline (comparison);

      g_assert_cmpuint (count_words (headline), <=, 12);
    }
}

/* Of many sides, those that are better throughout are counted. */
static void
test_headline_of_many (void)
{
  g_autoptr (DynoRun) run = create_run ("Run", NULL);
  g_autoptr (DynoComparison) comparison = dyno_comparison_new_empty ("latency_p50_ms", "ms", 0.02);
  DynoResult *result = add_case (run, "net", "cpu", 1, 10);
  const char *const expected[] = { "No difference to cpu is certain", "1 of 3 is faster than cpu",
                                   "1 of 3 are faster than cpu, 1 slower" };
  const DynoVerdict verdicts[] = { DYNO_VERDICT_SAME, DYNO_VERDICT_BETTER, DYNO_VERDICT_WORSE };

  dyno_comparison_add_side (comparison, run, "cpu");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    dyno_comparison_add_side (comparison, run, "other");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *headline = NULL;

      dyno_comparison_add_case (comparison, i + 1, result, result)->verdict = verdicts[i];
      headline = dyno_comparison_dup_headline (comparison);
      g_assert_cmpstr (headline, ==, expected[i]);
    }
}

/* A sweep over settings of which nothing is known says so once, behind what is known. */
static void
test_undecided (void)
{
  static const char *const options[] = { "", "a=1", "a=2", "a=3", "a=4" };
  g_autoptr (DynoRun) run = create_run ("Run", NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *answer = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    g_object_set (dyno_result_get_case (add_case (run, "net", "cpu", 1, 10)), "options", options[i], NULL);
  comparison = compare (run, NULL);
  answer = dyno_comparison_dup_answer (comparison);
  g_assert_true (g_str_has_prefix (answer, "No difference is shown of 4 others to default. "));
  g_assert_null (strstr (answer + 10, "No difference"));
}

static void
test_answer_order (void)
{
  g_autoptr (DynoRun) run = create_run ("Run", NULL);
  g_autoptr (DynoComparison) comparison = dyno_comparison_new_empty ("latency_p50_ms", "ms", 0.02);
  g_autofree char *answer = NULL;
  DynoResult *result = add_case (run, "net", "cpu", 1, 10);

  dyno_comparison_add_side (comparison, run, "cpu");
  dyno_comparison_add_side (comparison, run, "openvino");
  dyno_comparison_add_side (comparison, run, "webgpu");
  dyno_comparison_add_side (comparison, run, "webnn");
  dyno_comparison_add_case (comparison, 1, result, result)->verdict = DYNO_VERDICT_NOT_ENOUGH_DATA;
  dyno_comparison_add_case (comparison, 2, result, result)->verdict = DYNO_VERDICT_NOT_ENOUGH_DATA;
  dyno_comparison_add_case (comparison, 3, result, result)->verdict = DYNO_VERDICT_SAME;
  answer = dyno_comparison_dup_answer (comparison);
  g_assert_cmpstr (answer, ==,
                   "webnn and cpu are the same within 2 %. No difference is shown of openvino, webgpu to "
                   "cpu.");
}

/* Sizes are other work, and no rivals. */
static void
test_other_work (void)
{
  g_autoptr (DynoRun) run = create_run ("Run", NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoComparisonOptions how = { NULL };
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (runs, run);
  add_case (run, "net", "cpu", 1, 10);
  g_object_set (dyno_result_get_case (add_case (run, "net", "cpu", 1, 11)), "dimensions", "n_depth=512",
                NULL);
  g_object_set (dyno_result_get_case (add_case (run, "net", "cpu", 1, 12)), "sequence-length", 512, NULL);
  g_object_set (dyno_result_get_case (add_case (run, "net", "cpu", 1, 13)), "generate-tokens", 128, NULL);
  g_assert_null (dyno_comparison_new (runs, &how, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* Cases that are measured again are told apart. */
static void
test_repeated (void)
{
  g_autoptr (DynoRun) before = create_run ("Before", NULL);
  g_autoptr (DynoRun) after = create_run ("After", NULL);
  g_autoptr (DynoComparison) comparison = NULL;

  for (guint i = 0; i < 3; i++)
    {
      add_case (before, "net", "cpu", 1, 10);
      add_case (after, "net", "cpu", 1, 11);
    }
  comparison = compare (before, after);
  g_assert_cmpuint (comparison->cases->len, ==, 3);
  g_assert_cmpstr (get_case (comparison, 0)->label, ==, "net\u00a0· batch 1");
  g_assert_cmpstr (get_case (comparison, 1)->label, ==, "net\u00a0· batch 1 (2)");
  g_assert_cmpstr (get_case (comparison, 2)->label, ==, "net\u00a0· batch 1 (3)");
}

static void
assert_evidence (const DynoComparison *comparison, const char *expected)
{
  g_autofree char *evidence = dyno_comparison_dup_evidence (comparison);

  g_assert_cmpstr (evidence, ==, expected);
}

/* One line says how many processes of each side there are, and what the verdicts are held against. */
static void
test_evidence (void)
{
  g_autoptr (DynoRun) run = create_run ("One", NULL);
  DynoResult *first = add_case (run, "bert-tiny", "cpu", 1, 10);
  DynoResult *second = add_case (run, "bert-tiny", "cpu", 2, 11);
  g_autoptr (DynoComparison) comparison = dyno_comparison_new_empty ("latency_p50_ms", "ms", 0.02);
  DynoComparedCase *kase;

  dyno_comparison_add_side (comparison, run, "One");
  dyno_comparison_add_side (comparison, run, "Two");
  assert_evidence (comparison, NULL);
  kase = dyno_comparison_add_case (comparison, 1, first, first);
  assert_evidence (comparison, "Evidence: n = 1 + 1 processes, one run after the other, no interval.");
  kase->n_baseline = kase->n = 5;
  kase->low = kase->high = 1;
  kase->noise_floor = 0.012;
  kase->in_blocks = TRUE;
  kase->n_rounds = 100;
  assert_evidence (comparison, "Evidence: n = 5 + 5 processes, in turns, interval 95 %, floor 1.2 %.");
  kase = dyno_comparison_add_case (comparison, 1, second, second);
  kase->n_baseline = 10;
  kase->n = 7;
  assert_evidence (comparison, "Evidence: n = 5 to 10 + 5 to 7 processes, interval 95 %, floor 1.2 %.");
}

static void
add_tests (void)
{
  g_test_add_func ("/insight/comparison/emulated", test_emulated);
  g_test_add_func ("/insight/comparison/one-process", test_one_process);
  g_test_add_func ("/insight/comparison/left-out", test_left_out);
  g_test_add_func ("/insight/comparison/nothing-shared", test_nothing_shared);
  g_test_add_func ("/insight/comparison/units", test_units);
  g_test_add_func ("/insight/comparison/imported-title", test_imported_title);
  g_test_add_func ("/insight/comparison/undecided", test_undecided);
  g_test_add_func ("/insight/comparison/answer-order", test_answer_order);
  g_test_add_func ("/insight/comparison/other-work", test_other_work);
  g_test_add_func ("/insight/comparison/repeated", test_repeated);
  g_test_add_func ("/insight/comparison/differences", test_differences);
  g_test_add_func ("/insight/comparison/confounded", test_confounded);
  g_test_add_func ("/insight/comparison/throttled", test_throttled);
  g_test_add_func ("/insight/comparison/clocks", test_clocks);
  g_test_add_func ("/insight/comparison/unnamed-models", test_unnamed_models);
  g_test_add_func ("/insight/comparison/order", test_order);
  g_test_add_func ("/insight/comparison/baseline-alone", test_baseline_alone);
  g_test_add_func ("/insight/comparison/one-run", test_one_run);
  g_test_add_func ("/insight/comparison/no-such", test_no_such);
  g_test_add_func ("/insight/comparison/answer", test_answer);
  for (guint i = 0; i < G_N_ELEMENTS (headlines); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/insight/comparison/headline/%u-%s", i, headlines[i].verdicts);

      g_test_add_data_func (path, &headlines[i], test_headline);
    }
  g_test_add_func ("/insight/comparison/headline-length", test_headline_length);
  g_test_add_func ("/insight/comparison/headline-of-many", test_headline_of_many);
  g_test_add_func ("/insight/comparison/evidence", test_evidence);
}

SUITE_ADD (add_tests)

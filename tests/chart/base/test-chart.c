/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

#define WIDTH  720
#define HEIGHT 420

static void
render (DynoChart *chart)
{
  fixture_render (chart, WIDTH, HEIGHT, dyno_chart_style_get_light ());
}

/* --- findings --- */

static void
assert_finding (DynoChartKind kind, GPtrArray *runs, const char *expected)
{
  g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);

  fixture_assert_finding (chart, expected);
}

static void
test_finding_scaling (void)
{
  g_autoptr (GPtrArray) sweep = fixture_list (fixture_create_sweep ("Laptop", 1, 5), NULL);
  g_autoptr (GPtrArray) three = fixture_list (fixture_create_sweep ("Laptop", 3, 5), NULL);

  assert_finding (DYNO_CHART_SCALING_THROUGHPUT, sweep,
                  "Throughput grows 4.4× from batch size 1 to 16, and stops growing at 8.");
  assert_finding (DYNO_CHART_SCALING_LATENCY, sweep,
                  "Latency grows 3.7× from batch size 1 to 16, while the work grows 16×.");
  assert_finding (DYNO_CHART_SCALING_THROUGHPUT, three,
                  "Throughput grows most for BERT base uncased: 4.3× from batch 1 to 16.");
  assert_finding (DYNO_CHART_SCALING_LATENCY, three,
                  "Latency grows most for ResNet-18: 3.7× for 16× the batch.");
}

/* One of several lines of a model is named. */
static void
test_finding_scaling_lines (void)
{
  static const FixtureCase cases[] = {
    { "GPT-2", "cpu", 1, 0, 2, 0.01, 60, 0 },      { "GPT-2", "cpu", 4, 0, 4, 0.01, 60, 0 },
    { "GPT-2", "openvino", 1, 0, 2, 0.01, 60, 0 }, { "GPT-2", "openvino", 4, 0, 8, 0.01, 60, 0 },
    { "BERT", "cpu", 1, 0, 2, 0.01, 60, 0 },       { "BERT", "cpu", 4, 0, 6, 0.01, 60, 0 },
  };
  DynoRun *run = fixture_create_run ("Two backends");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    fixture_add_case (run, &cases[i]);
  assert_finding (DYNO_CHART_SCALING_THROUGHPUT, runs,
                  "Throughput grows most for GPT-2 · ONNX Runtime (CPU): 2.0× from batch 1 to 4.");
  assert_finding (DYNO_CHART_SCALING_LATENCY, runs,
                  "Latency grows most for GPT-2 · OpenVINO (CPU): 4.0× for 4× the batch.");
}

static DynoRun *
create_pair (double first_ms, double second_ms, guint second_batch)
{
  FixtureCase first = { "GPT-2", "cpu", 1, 0, first_ms, 0.01, 60, 0 };
  FixtureCase second = { "GPT-2", "cpu", second_batch, 0, second_ms, 0.01, 60, 0 };
  DynoRun *run = fixture_create_run ("Pair");

  fixture_add_case (run, &first);
  fixture_add_case (run, &second);
  return run;
}

static void
test_finding_scaling_flat (void)
{
  g_autoptr (GPtrArray) flat = fixture_list (create_pair (2, 8, 4), NULL);
  g_autoptr (GPtrArray) falling = fixture_list (create_pair (2, 16, 4), NULL);
  g_autoptr (GPtrArray) growing = fixture_list (create_pair (2, 4, 4), NULL);
  DynoRun *partly = create_pair (4, 2, 1);
  g_autoptr (GPtrArray) twice = fixture_list (partly, NULL);
  g_autoptr (DynoCase) other = dyno_case_new ("BERT", "cpu");
  g_autoptr (DynoResult) rate = dyno_result_new (other, 2);

  assert_finding (DYNO_CHART_SCALING_THROUGHPUT, flat, "Throughput hardly changes from batch size 1 to 4.");
  assert_finding (DYNO_CHART_SCALING_THROUGHPUT, falling, "Throughput falls by 50 % from batch size 1 to 4.");
  assert_finding (DYNO_CHART_SCALING_THROUGHPUT, growing, "Throughput grows 2.0× from batch size 1 to 4.");
  assert_finding (DYNO_CHART_SCALING_LATENCY, twice,
                  "The cases have one size. “Latency of all cases” compares them.");
  g_object_set (other, "batch-size", 8, NULL);
  dyno_result_set_status (rate, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (rate, "throughput_items_per_sec", 100, "1/s", "clock");
  dyno_run_add_result (partly, rate);
  assert_finding (DYNO_CHART_SCALING_LATENCY, twice,
                  "Latency is 2.02\u00a0ms to 4.03\u00a0ms. Measure several sizes to see how it grows.");
}

/* Over sequence lengths, an image model is left out. Cases of one size have no axis of sizes, but one case says what to do. */
static void
test_scaling_without_sequence (void)
{
  FixtureCase pictures = { "ResNet-18", "cpu", 1, 0, 5, 0.01, 60, 0 };
  FixtureCase text = { "GPT-2", "cpu", 1, 32, 2, 0.01, 60, 0 };
  DynoRun *run = fixture_create_run ("Mixed");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) alone = NULL;
  g_autoptr (DynoChart) same = NULL;
  g_autoptr (DynoChart) swept = NULL;

  fixture_add_case (run, &pictures);
  alone = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_null (dyno_chart_get_empty_message (alone));
  g_assert_cmpstr (dyno_chart_get_title (alone), ==, "Latency by batch size");
  fixture_add_case (run, &text);
  same = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_cmpstr (dyno_chart_get_empty_message (same), ==,
                   "The cases have one size. “Latency of all cases” compares them.");
  text.sequence = 64;
  fixture_add_case (run, &text);
  swept = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_cmpstr (dyno_chart_get_title (swept), ==, "Latency by sequence length");
  g_assert_cmpuint (dyno_chart_get_n_series (swept), ==, 1);
}

/* A case of another tool cannot be measured again, and one of an unknown size has no place on an axis of sizes. */
static void
test_scaling_imported (void)
{
  FixtureCase what = { "resnet50", "cpu", 1, 0, 1, 0.01, 60, 0 };
  DynoRun *run = fixture_create_run ("Of another tool");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  DynoResult *result = fixture_add_case (run, &what);
  g_autoptr (DynoChart) unknown = NULL;

  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, DYNO_ORIGIN_CODE, "Another tool measured it."));
  assert_finding (DYNO_CHART_SCALING_LATENCY, runs, "Latency is 1.01\u00a0ms.");
  g_object_set (dyno_result_get_case (result), "batch-size", 0, NULL);
  unknown = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_cmpstr (dyno_chart_get_title (unknown), ==, "Latency by batch size");
  g_assert_cmpstr (dyno_chart_get_empty_message (unknown), ==,
                   "The sizes of the cases are not known. “Latency of all cases” compares them.");
}

static void
add_generation (DynoRun *run, guint n_tokens, double step_ms)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 32, step_ms, 0.01, 60, 0 };

  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "generate-tokens", n_tokens, NULL);
}

/* Over generated tokens, what generates none is left out; over another size, it is called what it is. */
static void
test_scaling_generated (void)
{
  DynoRun *run = fixture_create_run ("Generated");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) generated = NULL;
  g_autoptr (DynoChart) bars = NULL;

  add_generation (run, 0, 2);
  add_generation (run, 16, 20);
  add_generation (run, 64, 90);
  generated = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  bars = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  g_assert_cmpstr (dyno_chart_get_title (generated), ==, "Latency by generated tokens");
  fixture_assert_finding (generated, "Latency grows 4.5× from 16 to 64 generated tokens, 4 times as many.");
  g_assert_nonnull (strstr (dyno_chart_get_finding (bars), "Prompt alone"));
}

static void
add_seen (DynoRun *run, guint n_images, guint n_tokens, double step_ms)
{
  FixtureCase what = { "LLaVA", "cpu", 1, n_tokens, step_ms, 0.01, 60, 0 };

  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "images", n_images, NULL);
}

/* The usual length follows from the images, which are the axis; a text without any is a point of it. */
static void
test_scaling_images (void)
{
  DynoRun *run = fixture_create_run ("Images");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) seen = NULL;

  add_seen (run, 0, 128, 2);
  add_seen (run, 1, 704, 20);
  add_seen (run, 4, 2432, 90);
  seen = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_assert_cmpstr (dyno_chart_get_title (seen), ==, "Latency by images");
  fixture_assert_finding (seen, "Latency grows 45.0× from 0 to 4 images.");
}

static void
test_finding_comparison (void)
{
  g_autoptr (GPtrArray) apart = fixture_list (create_pair (2, 5, 4), NULL);

  assert_finding (DYNO_CHART_COMPARISON, apart,
                  "The median latency ranges from 2.02\u00a0ms (batch 1) to 2.5× that (batch 4).");
}

static void
test_finding_single (void)
{
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);

  assert_finding (DYNO_CHART_MEMORY, single, "Memory peaks at 512\u00a0MB while measuring.");
  assert_finding (DYNO_CHART_DISTRIBUTION, single,
                  "Half of the steps take between 3.16\u00a0ms and 3.31\u00a0ms; the slowest takes "
                  "13.7\u00a0ms.");
  assert_finding (DYNO_CHART_LATENCY, single,
                  "The first step takes 18.6\u00a0ms; after warm-up, the median is 3.23\u00a0ms.");
  assert_finding (DYNO_CHART_OPERATORS, single,
                  "MatMul takes 38 % of the time, the first three types together 76 %.");
}

/* The case that needs the most memory is found among both sizes of both models. */
static void
test_memory_of_two (void)
{
  g_autoptr (DynoRun) run = fixture_create_sweep ("Laptop", 2, 2);
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      fixture_add_memory (result, 48, 500);
      dyno_result_add_measured (result, "memory_peak_mb", 500 + 100 * (i % 3), "MB", "made up");
    }
  assert_finding (DYNO_CHART_MEMORY_MODELS, runs, "BERT base uncased needs the most memory, 700\u00a0MB.");
}

/* The peak that the kernel kept is reported even if no reading showed it. */
static void
test_finding_memory_peak (void)
{
  g_autoptr (DynoRun) run = fixture_create_single ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (GPtrArray) single = fixture_list (g_object_ref (run), NULL);

  assert_finding (DYNO_CHART_MEMORY_MODELS, single, "BERT base uncased needs up to 512\u00a0MB.");
  dyno_result_add_measured (result, "memory_peak_mb", 600, "MB", "made up");
  assert_finding (DYNO_CHART_MEMORY_MODELS, single, "BERT base uncased needs up to 600\u00a0MB.");
  assert_finding (DYNO_CHART_MEMORY, single,
                  "Memory peaks at 512\u00a0MB while measuring. Between readings it reached 600\u00a0MB.");
}

/* --- tables --- */

static void
test_tables (void)
{
  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (GPtrArray) runs = fixture_create_runs_for (kind);
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);
      GPtrArray *table = dyno_chart_get_table (chart);
      guint n_columns = g_strv_length (g_ptr_array_index (table, 0));

      g_assert_cmpuint (table->len, >=, 2);
      g_assert_cmpuint (table->len, <=, 1002);
      for (guint i = 0; i < table->len; i++)
        g_assert_cmpuint (g_strv_length (g_ptr_array_index (table, i)), ==, n_columns);
    }
}

static void
test_table_scaling (void)
{
  g_autoptr (GPtrArray) sweep = fixture_list (fixture_create_sweep ("Laptop", 2, 3), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, sweep);
  GPtrArray *table = dyno_chart_get_table (chart);

  g_assert_cmpuint (table->len, ==, 7);
  fixture_assert_cell (chart, 6, "Model", "BERT base uncased");
  fixture_assert_cell (chart, 6, "Batch size", "4");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 6, "Throughput"), 510, 10);
}

static guint
count_table_steps (DynoChart *chart)
{
  guint n_steps = 0;

  for (guint i = 1; i < dyno_chart_get_table (chart)->len; i++)
    n_steps += (guint)g_ascii_strtoull (fixture_get_cell (chart, i, "Steps"), NULL, 10);
  return n_steps;
}

/* The bins of the histogram contain every step, including those beyond the edge. */
static void
test_table_distribution (void)
{
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_DISTRIBUTION, single);
  GPtrArray *table = dyno_chart_get_table (chart);

  g_assert_cmpuint (count_table_steps (chart), ==, 800);
  fixture_assert_cell (chart, table->len - 1, "Steps", "3");
}

/* The first steps of the measurement may have counted as warm-up; the median is of the others, and so is the chart. */
static void
test_table_distribution_steady (void)
{
  g_autoptr (DynoRun) run = fixture_create_single ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (GPtrArray) single = fixture_list (g_object_ref (run), NULL);
  g_autoptr (DynoChart) chart = NULL;

  dyno_result_add_measured (result, "latency_samples", 500, "", "made up");
  chart = dyno_chart_new (DYNO_CHART_DISTRIBUTION, single);
  g_assert_cmpuint (count_table_steps (chart), ==, 500);
}

/* One column for each property in which cases differ, no empty column, and machine-readable numbers in the text. */
static void
test_table_text (void)
{
  g_autoptr (GPtrArray) sweep = fixture_list (fixture_create_sweep ("Laptop, on \"battery\"", 2, 2),
                                              fixture_create_sweep ("Desktop", 2, 2), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_COMPARISON, sweep);
  g_autofree char *csv = dyno_chart_dup_table (chart, ',');
  g_autofree char *tabs = dyno_chart_dup_table (chart, '\t');
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  g_assert_cmpstr (lines[0], ==,
                   "Model,Batch size,Run,Median latency (ms),95 % interval from (ms),95 % interval to (ms)");
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 8 + 1);
  g_assert_nonnull (strstr (csv, "\r\nResNet-18,1,\"Laptop, on \"\"battery\"\"\",3.2"));
  g_assert_nonnull (strstr (tabs, "ResNet-18\t2\tDesktop\t3.5"));
  fixture_assert_cell (chart, 1, "Precision", "");
  fixture_assert_cell (chart, 1, "State", "");
}

/* Unsteady cases are shown and marked, without an interval of their rate. */
static void
test_unsteady (void)
{
  g_autoptr (DynoRun) run = fixture_create_sweep ("Laptop", 1, 3);
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 1);
  g_autoptr (DynoChart) steady = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, runs);
  g_autoptr (DynoChart) chart = NULL;

  g_assert_null (strstr (dyno_chart_get_note (steady), "unsteady"));
  g_assert_cmpstr (fixture_get_cell (steady, 2, "95 % interval from"), !=, "");
  fixture_make_unsteady (result);
  chart = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, runs);
  g_assert_nonnull (strstr (dyno_chart_get_note (chart), "unsteady"));
  fixture_assert_cell (chart, 2, "State", "unsteady");
  fixture_assert_cell (chart, 2, "95 % interval from", "");
  fixture_assert_cell (chart, 3, "State", "");
  /* The other cases keep the intervals of their latencies, too. */
  g_set_object (&chart, NULL);
  chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  fixture_assert_cell (chart, 2, "95 % interval from", "");
  g_assert_cmpstr (fixture_get_cell (chart, 1, "95 % interval from"), !=, "");
  g_assert_nonnull (strstr (dyno_chart_get_note (chart), "none where it is not known"));
}

/* Disturbed cases are mentioned with the most frequent reason. */
static void
test_doubtful (void)
{
  g_autoptr (DynoRun) run = fixture_create_sweep ("Laptop", 1, 3);
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 1);
  const DynoChartKind kinds[] = { DYNO_CHART_SCALING_LATENCY, DYNO_CHART_COMPARISON };

  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "The CPU was hot."));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kinds[i], runs);

      g_assert_nonnull (strstr (dyno_chart_get_note (chart),
                                "1 of 3 cases is doubtful: the hardware was throttled by heat."));
      g_assert_null (strstr (dyno_chart_get_note (chart), "unsteady"));
      fixture_assert_cell (chart, 2, "State", "doubtful");
      fixture_assert_cell (chart, 3, "State", "");
    }
}

/* Every kind of chart says that its only case is doubtful, in the note and in the table. */
static void
test_doubt_everywhere (void)
{
  g_autoptr (DynoRun) run = fixture_create_single ();
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);

  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "The CPU was hot."));
  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);

      g_test_message ("%s", dyno_chart_kind_to_string (kind));
      if (dyno_chart_get_table (chart)->len == 0)
        continue;
      g_assert_nonnull (strstr (dyno_chart_get_note (chart), "This case is doubtful"));
      fixture_assert_cell (chart, 1, "State", "doubtful");
    }
}

/* Without points to mark, the name of the series says it; memory is not unsteady because latency is. */
static void
test_doubtful_names (void)
{
  g_autoptr (DynoRun) run = fixture_create_run ("Laptop");
  g_autoptr (GPtrArray) runs = fixture_list (g_object_ref (run), NULL);
  const DynoChartKind kinds[] = { DYNO_CHART_LATENCY, DYNO_CHART_MEMORY };
  static const char *const names[][3] = { { "GPT-2", "BERT (doubtful)", "ViT (unsteady)" },
                                          { "GPT-2", "BERT (doubtful)", "ViT" } };
  static const char *const models[] = { "GPT-2", "BERT", "ViT" };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      FixtureCase what = { models[i], "cpu", 1, 0, 4, 0.05, 60, 0 };

      fixture_add_memory (fixture_add_case (run, &what), 100, 200);
    }
  fixture_disturb (run);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kinds[i], runs);

      for (guint j = 0; j < G_N_ELEMENTS (models); j++)
        g_assert_cmpstr (dyno_chart_get_series_name (chart, j), ==, names[i][j]);
    }
}

/* What another tool measured is told apart, and is not taken for doubtful. */
static void
test_imported (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_take_value (result, dyno_value_new ("energy_joules", 5, "J", DYNO_QUALITY_MEASURED, "sensor"));
  dyno_result_take_value (result,
                          dyno_value_new ("latency_p50_ms", 5, "ms", DYNO_QUALITY_IMPORTED, "a tool"));
  g_assert_cmpint (dyno_chart_cases_get_doubt (result, "latency_p50_ms"), ==, DYNO_DOUBT_IMPORTED);
  g_assert_cmpint (dyno_chart_cases_get_doubt (result, "energy_joules"), ==, DYNO_DOUBT_NONE);
}

/* --- looks --- */

static gboolean
look_alike (DynoChart *a, const char *a_name, DynoChart *b, const char *b_name)
{
  DynoChart *charts[] = { a, b };
  const char *names[] = { a_name, b_name };
  cairo_surface_t *swatches[2];
  gboolean alike;

  for (guint i = 0; i < 2; i++)
    {
      cairo_t *cr;
      guint series = 0;

      while (!g_str_equal (dyno_chart_get_series_name (charts[i], series), names[i]))
        series++;
      swatches[i] = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 32, 16);
      cr = cairo_create (swatches[i]);
      dyno_chart_render_swatch (charts[i], series, cr, 32, 16, dyno_chart_style_get_light ());
      cairo_destroy (cr);
      cairo_surface_flush (swatches[i]);
    }
  alike = memcmp (cairo_image_surface_get_data (swatches[0]), cairo_image_surface_get_data (swatches[1]),
                  (gsize)cairo_image_surface_get_stride (swatches[0]) * 16) == 0;
  cairo_surface_destroy (swatches[0]);
  cairo_surface_destroy (swatches[1]);
  return alike;
}

static DynoRun *
create_backends (const char *first, const char *second, const char *third, double joules)
{
  const char *backends[] = { first, second, third };
  DynoRun *run = fixture_create_run ("Backends");

  for (guint i = 0; i < G_N_ELEMENTS (backends); i++)
    for (guint batch = 1; backends[i] != NULL && batch <= 2; batch++)
      {
        FixtureCase what = { "GPT-2", backends[i], batch, 0,   2 + i, 0.02,
                             60,      0,           0,     1e9, 1e8,   i > 0 ? joules : 0 };

        fixture_add_case (run, &what);
      }
  return run;
}

/* A backend has its colour, marker and dash in every chart, whatever cases have the value that a chart shows and
 * whichever backends are beside it. */
static void
test_looks (void)
{
  g_autoptr (GPtrArray) all = fixture_list (create_backends ("cpu", "openvino", "cuda", 0.1), NULL);
  g_autoptr (GPtrArray) two = fixture_list (create_backends ("cuda", "openvino", NULL, 0.1), NULL);
  g_autoptr (DynoChart) latency = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, all);
  g_autoptr (DynoChart) throughput = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, all);
  g_autoptr (DynoChart) efficiency = dyno_chart_new (DYNO_CHART_EFFICIENCY, all);
  g_autoptr (DynoChart) bars = dyno_chart_new (DYNO_CHART_COMPARISON, all);
  g_autoptr (DynoChart) other = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, two);

  g_assert_cmpuint (dyno_chart_get_n_series (efficiency), ==, 2);
  g_assert_true (look_alike (efficiency, "ONNX Runtime (CUDA)", bars, "ONNX Runtime (CUDA)"));
  g_assert_true (look_alike (efficiency, "OpenVINO (CPU)", bars, "OpenVINO (CPU)"));
  g_assert_false (look_alike (efficiency, "ONNX Runtime (CUDA)", bars, "OpenVINO (CPU)"));
  g_assert_true (look_alike (latency, "ONNX Runtime (CUDA)", throughput, "ONNX Runtime (CUDA)"));
  g_assert_true (look_alike (latency, "ONNX Runtime (CUDA)", other, "ONNX Runtime (CUDA)"));
  g_assert_true (look_alike (latency, "OpenVINO (CPU)", other, "OpenVINO (CPU)"));
}

/* --- cursor --- */

static void
test_cursor (void)
{
  g_autoptr (GPtrArray) sweep =
      fixture_list (fixture_create_sweep ("Laptop", 1, 3), fixture_create_sweep ("Desktop", 1, 3), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, sweep);

  g_assert_null (dyno_chart_get_cursor_text (chart));
  g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "Laptop. Batch size 1: 311"));
  g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "Laptop. Batch size 2: "));
  g_assert_true (dyno_chart_move_cursor (chart, 0, 1));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "Desktop. Batch size 2: "));
  g_assert_true (dyno_chart_move_cursor (chart, 5, 0));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "Desktop. Batch size 4: "));
  g_assert_false (dyno_chart_move_cursor (chart, 1, 0));
  dyno_chart_set_series_visible (chart, 1, FALSE);
  g_assert_null (dyno_chart_get_cursor_text (chart));
  dyno_chart_move_cursor (chart, 1, 0);
  g_assert_false (dyno_chart_move_cursor (chart, 0, 1));
}

/* From panel to panel, with pointer and keys; one entry of the legend hides a series in all of them. */
static void
test_cursor_panels (void)
{
  g_autoptr (GPtrArray) runs =
      fixture_list (fixture_create_sweep ("Laptop", 2, 3), fixture_create_sweep ("Desktop", 2, 3), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, runs);

  g_assert_cmpuint (dyno_chart_get_n_panels (chart), ==, 2);
  g_assert_cmpstr (dyno_chart_get_panel_title (chart, 1), ==, "BERT base uncased · Throughput (items/s)");
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  render (chart);
  g_assert_true (dyno_chart_hover (chart, WIDTH * 0.25, HEIGHT / 2.0));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "ResNet-18 · "));
  g_assert_true (dyno_chart_hover (chart, WIDTH * 0.75, HEIGHT / 2.0));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "BERT base uncased · "));
  dyno_chart_zoom (chart, 2, WIDTH * 0.75, HEIGHT / 2.0);
  g_assert_true (dyno_chart_is_zoomed (chart));
  dyno_chart_reset_zoom (chart);
  g_assert_false (dyno_chart_is_zoomed (chart));
  dyno_chart_set_series_visible (chart, 0, FALSE);
  dyno_chart_unhover (chart);
  for (guint i = 0; i < 8; i++)
    {
      dyno_chart_move_cursor (chart, 0, 1);
      g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "Desktop"));
    }
}

/* In rows the cursor goes from the top row to the bottom one, across series. */
static void
test_cursor_rows (void)
{
  g_autoptr (GPtrArray) two =
      fixture_list (fixture_create_sweep ("Laptop", 1, 3), fixture_create_sweep ("Desktop", 1, 3), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_COMPARISON, two);
  guint n_moves = 0;

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  while (dyno_chart_move_cursor (chart, 0, 1))
    n_moves++;
  g_assert_cmpuint (n_moves, ==, 6);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "batch 4"));
  g_assert_true (dyno_chart_move_cursor (chart, -1, 0));
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
test_hover (void)
{
  guint n_changes = 0;

  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (GPtrArray) runs = fixture_create_runs_for (kind);
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);

      /* Its panels lie below each other, with words between them. */
      if (kind == DYNO_CHART_SUSTAINED)
        continue;
      g_signal_connect_swapped (chart, "changed", G_CALLBACK (count_cb), &n_changes);
      g_assert_false (dyno_chart_hover (chart, WIDTH * 0.4, HEIGHT / 2));
      render (chart);
      n_changes = 0;
      g_assert_true (dyno_chart_hover (chart, WIDTH * 0.4, HEIGHT / 2));
      g_assert_nonnull (dyno_chart_get_cursor_text (chart));
      g_assert_true (dyno_chart_hover (chart, WIDTH * 0.4, HEIGHT / 2));
      g_assert_cmpuint (n_changes, ==, 1);
      render (chart);
      g_assert_false (dyno_chart_hover (chart, 1, 1));
      g_assert_null (dyno_chart_get_cursor_text (chart));
      g_assert_cmpuint (n_changes, ==, 2);
    }
}

/* --- zoom --- */

static void
test_zoom (void)
{
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_LATENCY, single);

  render (chart);
  g_assert_false (dyno_chart_is_zoomed (chart));
  dyno_chart_zoom (chart, 4, WIDTH / 2, HEIGHT / 2);
  g_assert_true (dyno_chart_is_zoomed (chart));
  dyno_chart_pan (chart, WIDTH / 2, HEIGHT / 2, 50, 0);
  render (chart);
  dyno_chart_refresh (chart);
  g_assert_true (dyno_chart_is_zoomed (chart));
  dyno_chart_reset_zoom (chart);
  g_assert_false (dyno_chart_is_zoomed (chart));
}

/* The point under the pointer stays in place when zooming in or out. */
static void
test_zoom_about (void)
{
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_LATENCY, single);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  render (chart);
  dyno_chart_hover (chart, 500, 330);
  before = g_strndup (dyno_chart_get_cursor_text (chart), strlen ("Time 2.55"));
  dyno_chart_zoom (chart, 1.5, 500, 330);
  render (chart);
  dyno_chart_hover (chart, 500, 330);
  after = g_strndup (dyno_chart_get_cursor_text (chart), strlen ("Time 2.55"));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (before + strlen ("Time "), NULL),
                                  g_ascii_strtod (after + strlen ("Time "), NULL), 0.05);
}

/* Rows that do not fit are reached by panning. */
static void
test_pan_rows (void)
{
  g_autoptr (GPtrArray) many = fixture_list (fixture_create_sweep ("Laptop", 1, 40), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_COMPARISON, many);
  g_autofree char *before = NULL;

  render (chart);
  dyno_chart_hover (chart, 400, 200);
  before = g_strdup (dyno_chart_get_cursor_text (chart));
  dyno_chart_pan (chart, 400, 200, 0, -200);
  render (chart);
  dyno_chart_hover (chart, 400, 200);
  g_assert_cmpstr (dyno_chart_get_cursor_text (chart), !=, before);
  g_assert_true (dyno_chart_is_zoomed (chart));
}

/* --- odd data --- */

static void
test_empty (void)
{
  g_autoptr (GPtrArray) none = fixture_list (fixture_create_run ("Nothing"), NULL);

  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, none);

      g_assert_nonnull (dyno_chart_get_empty_message (chart));
      g_assert_cmpstr (dyno_chart_get_finding (chart), ==, dyno_chart_get_empty_message (chart));
      g_assert_false (dyno_chart_move_cursor (chart, 1, 0));
      dyno_chart_zoom (chart, 2, 10, 10);
      dyno_chart_pan (chart, 10, 10, 2, 2);
      dyno_chart_reset_zoom (chart);
      dyno_chart_refresh (chart);
      render (chart);
    }
}

/* Cases of a file of another tool that told one value of each. */
static GPtrArray *
create_imported (const char *value, const char *unit, double least)
{
  DynoRun *run = fixture_create_run ("Imported");

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("model", "tool");
      g_autoptr (DynoResult) result = NULL;

      g_object_set (kase, "batch-size", 1u << i, NULL);
      result = dyno_result_new (kase, i);
      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
      dyno_result_take_value (
          result, dyno_value_new (value, least * (i + 1), unit, DYNO_QUALITY_IMPORTED, "the file"));
      dyno_run_add_result (run, result);
    }
  return fixture_list (run, NULL);
}

static const char *
get_finding_of (DynoChart *chart)
{
  g_test_message ("%s: %s", dyno_chart_get_title (chart), dyno_chart_get_finding (chart));
  return dyno_chart_get_finding (chart);
}

/* Who has no median shows the mean, and says so. */
static void
test_mean_only (void)
{
  g_autoptr (GPtrArray) runs = create_imported ("latency_mean_ms", "ms", 2);
  g_autoptr (DynoChart) bars = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  g_autoptr (DynoChart) lines = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_autoptr (DynoChart) rates = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, runs);

  g_assert_null (dyno_chart_get_empty_message (bars));
  g_assert_nonnull (strstr (get_finding_of (bars), "The mean latency ranges from 2\u00a0ms"));
  fixture_assert_cell (bars, 1, "Mean latency (ms)", "2");
  render (bars);
  g_assert_null (dyno_chart_get_empty_message (lines));
  fixture_assert_cell (lines, 3, "Mean latency (ms)", "6");
  render (lines);
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (rates), "These results hold no throughput."));
}

/* A panel for each bar would compare nothing, and names of settings would not tell what each is. */
static void
test_models_alone (void)
{
  static const struct
  {
    const char *name;
    const char *value;
    double number;
    const char *unit;
  } tests[] = { { "Test 0", "latency_mean_ms", 1e-5, "ms" },
                { "Test 1", "latency_mean_ms", 1000, "ms" },
                { "Test 2", "result_value", 5, "Points" } };
  DynoRun *run = fixture_create_run ("Imported");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) bars = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new (tests[i].name, "tool");
      g_autoptr (DynoResult) result = dyno_result_new (kase, i);

      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
      dyno_result_take_value (result, dyno_value_new (tests[i].value, tests[i].number, tests[i].unit,
                                                      DYNO_QUALITY_IMPORTED, "the file"));
      dyno_run_add_result (run, result);
    }
  bars = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  g_assert_cmpuint (dyno_chart_get_n_panels (bars), ==, 1);
  g_assert_cmpstr (dyno_chart_get_title (bars), ==, "Latency of 2 of 3 cases");
  g_assert_nonnull (strstr (get_finding_of (bars), "from 10\u00a0ns (Test 0"));
  g_assert_nonnull (strstr (get_finding_of (bars), "to 1\u00a0s (Test 1"));
  render (bars);
}

/* Who has only a rate of tokens shows that; the other charts do not call it unmeasured. */
static void
test_rate_only (void)
{
  g_autoptr (GPtrArray) runs = create_imported ("throughput_tokens_per_sec", "tokens/s", 100);
  g_autoptr (DynoChart) bars = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  g_autoptr (DynoChart) lines = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  g_autoptr (DynoChart) rates = dyno_chart_new (DYNO_CHART_SCALING_THROUGHPUT, runs);

  g_assert_nonnull (strstr (get_finding_of (bars), "These results hold no latency."));
  g_assert_nonnull (strstr (get_finding_of (lines), "These results hold no latency."));
  g_assert_null (dyno_chart_get_empty_message (rates));
  fixture_assert_cell (rates, 2, "Throughput (tokens/s)", "200");
  render (rates);
}

static void
test_one_step (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 2, 0, 1, 0, 0, 1e9, 1e8, 0.1 };
  DynoRun *run = fixture_create_run ("One step");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  DynoResult *result = fixture_add_case (run, &what);

  fixture_add_memory (result, 1, 1);
  fixture_add_operators (result, 1, TRUE);
  fixture_add_power (result);
  fixture_add_usage (result, "cpu", 10, 90);
  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new_for_result (kind, run, result);

      /* A single step has no scaling, no trend, no load and no other node, its energy per item is unknown, and its model
       * is one graph. */
      if (kind == DYNO_CHART_NODES || kind == DYNO_CHART_THREADS || kind == DYNO_CHART_SUSTAINED ||
          kind == DYNO_CHART_STAGES || kind == DYNO_CHART_PARETO || fixture_is_of_load (kind))
        continue;
      g_assert_null (dyno_chart_get_empty_message (chart));
      render (chart);
      g_assert_true (dyno_chart_move_cursor (chart, 1, 0));
      render (chart);
    }
}

static void
test_names (void)
{
  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      DynoChartKind same;

      g_assert_true (dyno_chart_kind_from_string (dyno_chart_kind_to_string (kind), &same));
      g_assert_cmpint (same, ==, kind);
    }
  g_assert_false (dyno_chart_kind_from_string ("pie", &(DynoChartKind){ 0 }));
}

/* A picture is high enough for all bars, those of several runs that share a row included, and for all panels. */
static void
test_height (void)
{
  g_autoptr (GPtrArray) one = fixture_list (fixture_create_sweep ("Laptop", 1, 3), NULL);
  g_autoptr (GPtrArray) three =
      fixture_list (fixture_create_sweep ("Laptop", 1, 3), fixture_create_sweep ("Desktop", 1, 3),
                    fixture_create_sweep ("Server", 1, 3), NULL);
  g_autoptr (GPtrArray) models = fixture_list (fixture_create_sweep ("Laptop", 3, 3), NULL);
  g_autoptr (DynoChart) few_bars = dyno_chart_new (DYNO_CHART_COMPARISON, one);
  g_autoptr (DynoChart) many_bars = dyno_chart_new (DYNO_CHART_COMPARISON, three);
  g_autoptr (DynoChart) lines = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, one);
  g_autoptr (DynoChart) panels = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, models);

  g_assert_cmpfloat (dyno_chart_get_natural_height (lines, 900), ==, 0);
  g_assert_cmpfloat (dyno_chart_get_natural_height (few_bars, 900), >, 0);
  g_assert_cmpfloat (dyno_chart_get_natural_height (many_bars, 900), >,
                     dyno_chart_get_natural_height (few_bars, 900) + 5 * 20);
  g_assert_cmpfloat (dyno_chart_get_natural_height (panels, 360), >,
                     2.5 * dyno_chart_get_natural_height (panels, 900));
  /* Names that do not fit beside their bars have two lines. */
  g_assert_cmpfloat (dyno_chart_get_natural_height (few_bars, 104), >,
                     dyno_chart_get_natural_height (few_bars, 106) + 3 * 12);
}

/* Runs of the same plan have the same title, and are not one. */
static void
test_same_titles (void)
{
  g_autoptr (GPtrArray) runs =
      fixture_list (fixture_create_sweep ("Again", 1, 3), fixture_create_sweep ("Again", 1, 3),
                    fixture_create_sweep ("Again (2)", 1, 3), NULL);
  static const DynoChartKind kinds[] = { DYNO_CHART_COMPARISON, DYNO_CHART_SCALING_LATENCY };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kinds[i], runs);

      g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 3);
      g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "Again");
      g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "Again (2)");
      g_assert_cmpstr (dyno_chart_get_series_name (chart, 2), ==, "Again (2) (2)");
    }
}

/* Neither are runs without a title. */
static void
test_no_titles (void)
{
  DynoRun *one = fixture_create_sweep (NULL, 1, 3);
  DynoRun *other = fixture_create_sweep ("", 1, 3);
  g_autoptr (GPtrArray) runs = fixture_list (one, other, NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_COMPARISON, runs);

  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, dyno_run_get_id (one));
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, dyno_run_get_id (other));
}

/* --- words in the picture --- */

/* The height of a line includes room that letters leave empty; only the inner part counts. */
static gboolean
boxes_touch (const DynoTextBox *a, const DynoTextBox *b)
{
  return dyno_text_box_touches (a, b, 0.12 * MIN (a->height, b->height));
}

static void
check_boxes (GArray *boxes, const char *where, double width, double height)
{
  for (guint i = 0; i < boxes->len; i++)
    {
      const DynoTextBox *box = &g_array_index (boxes, DynoTextBox, i);
      double left, top, right, bottom;

      dyno_text_box_get_extents (box, &left, &top, &right, &bottom);
      if (left < -1 || top < -1 || right > width + 1 || bottom > height + 1)
        g_error ("%s: “%s” leaves the picture", where, box->text);
      for (guint j = 0; j < i; j++)
        if (boxes_touch (box, &g_array_index (boxes, DynoTextBox, j)))
          g_error ("%s: “%s” meets “%s”", where, box->text, g_array_index (boxes, DynoTextBox, j).text);
    }
}

static void
check_layout (GPtrArray *runs, const char *name)
{
  static const double sizes[][2] = { { 300, 200 }, { 360, 240 }, { 480, 320 },
                                     { 720, 420 }, { 960, 540 }, { 1600, 900 } };

  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (int with_title = 0; with_title < 2; with_title++)
        {
          g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);
          g_autofree char *where = g_strdup_printf ("%s of %s at %g × %g", dyno_chart_kind_to_string (kind),
                                                    name, sizes[i][0], sizes[i][1]);
          DynoChartStyle style = *dyno_chart_style_get_light ();
          g_autoptr (GArray) boxes = NULL;

          fixture_set_ceilings (chart, runs);
          if (dyno_chart_get_n_aspects (chart) > 1)
            dyno_chart_set_aspect (chart, with_title);
          style.with_title = with_title;
          boxes = fixture_record (chart, sizes[i][0], sizes[i][1], &style);
          check_boxes (boxes, where, sizes[i][0], sizes[i][1]);
        }
}

static void
test_layout (void)
{
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);
  g_autoptr (GPtrArray) three = fixture_list (fixture_create_sweep ("Laptop", 3, 6), NULL);
  g_autoptr (GPtrArray) twelve = fixture_list (fixture_create_sweep ("Laptop", 12, 5), NULL);
  g_autoptr (GPtrArray) two = fixture_list (
      fixture_create_sweep ("Laptop on battery, in the power saver profile", 2, 5),
      fixture_create_sweep ("Workstation after the upgrade of the runtime to 1.23", 2, 5), NULL);

  g_autoptr (GPtrArray) threads = fixture_list (fixture_create_threads (), NULL);
  g_autoptr (GPtrArray) energies = fixture_list (fixture_create_energies (), NULL);

  g_autoptr (GPtrArray) nodes = fixture_create_nodes (6);

  check_layout (nodes, "nodes");
  check_layout (threads, "threads");
  check_layout (energies, "energies");
  check_layout (single, "one case");
  check_layout (three, "three models");
  check_layout (twelve, "twelve models");
  check_layout (two, "two runs");
}

static void
test_layout_magnitudes (void)
{
  static const double scales[] = { 1e-5, 1e-2, 1e3, 1e6 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autoptr (GPtrArray) runs = fixture_list (create_pair (2 * scales[i], 7 * scales[i], 64), NULL);
      g_autofree char *name = g_strdup_printf ("steps of %g ms", scales[i]);

      check_layout (runs, name);
    }
}

static gboolean
is_written (GArray *boxes, const char *text)
{
  for (guint i = 0; i < boxes->len; i++)
    if (strstr (g_array_index (boxes, DynoTextBox, i).text, text) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_words (void)
{
  g_autoptr (GPtrArray) three = fixture_list (fixture_create_sweep ("Laptop", 3, 6), NULL);
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) scaling = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, three);
  g_autoptr (DynoChart) memory = dyno_chart_new (DYNO_CHART_MEMORY, single);
  g_autoptr (GArray) lines = fixture_record (scaling, 960, 540, dyno_chart_style_get_light ());
  g_autoptr (GArray) phases = fixture_record (memory, 960, 540, dyno_chart_style_get_light ());

  g_assert_true (is_written (lines, "Latency by batch size"));
  g_assert_true (is_written (lines, "Latency (ms)"));
  g_assert_true (is_written (lines, "Batch size"));
  g_assert_true (is_written (lines, "MobileNetV2"));
  g_assert_true (is_written (lines, "32"));
  g_assert_true (is_written (lines, dyno_chart_get_finding (scaling)));
  g_assert_true (is_written (lines, "AMD Ryzen 7 7840U · 8 cores · 34.4\u00a0GB · 10 September 2026"));
  g_assert_true (is_written (phases, "Load"));
  g_assert_true (is_written (phases, "First run"));
  g_assert_true (is_written (phases, "Warm-up"));
  g_assert_true (is_written (phases, "Measurement"));
}

/* The window shows the title and caption itself. */
static void
test_words_in_window (void)
{
  g_autoptr (GPtrArray) three = fixture_list (fixture_create_sweep ("Laptop", 3, 6), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, three);
  DynoChartStyle style = *dyno_chart_style_get_dark ();
  g_autoptr (GArray) boxes = NULL;

  style.with_title = FALSE;
  boxes = fixture_record (chart, 960, 540, &style);
  g_assert_false (is_written (boxes, "Latency by batch size"));
  g_assert_false (is_written (boxes, "AMD Ryzen"));
  g_assert_true (is_written (boxes, "Latency (ms)"));
}

static const SuiteTest tests[] = {
  { "/chart/finding/scaling", test_finding_scaling },
  { "/chart/finding/scaling-lines", test_finding_scaling_lines },
  { "/chart/finding/scaling-flat", test_finding_scaling_flat },
  { "/chart/scaling-without-sequence", test_scaling_without_sequence },
  { "/chart/scaling-imported", test_scaling_imported },
  { "/chart/scaling-generated", test_scaling_generated },
  { "/chart/scaling-images", test_scaling_images },
  { "/chart/finding/comparison", test_finding_comparison },
  { "/chart/finding/single", test_finding_single },
  { "/chart/finding/memory-peak", test_finding_memory_peak },
  { "/chart/finding/memory-of-two", test_memory_of_two },
  { "/chart/table/all", test_tables },
  { "/chart/table/scaling", test_table_scaling },
  { "/chart/table/distribution", test_table_distribution },
  { "/chart/table/distribution-steady", test_table_distribution_steady },
  { "/chart/table/text", test_table_text },
  { "/chart/looks", test_looks },
  { "/chart/unsteady", test_unsteady },
  { "/chart/doubtful", test_doubtful },
  { "/chart/doubt-everywhere", test_doubt_everywhere },
  { "/chart/doubtful-names", test_doubtful_names },
  { "/chart/imported", test_imported },
  { "/chart/cursor/lines", test_cursor },
  { "/chart/cursor/panels", test_cursor_panels },
  { "/chart/cursor/rows", test_cursor_rows },
  { "/chart/cursor/hover", test_hover },
  { "/chart/zoom/reset", test_zoom },
  { "/chart/zoom/about", test_zoom_about },
  { "/chart/zoom/rows", test_pan_rows },
  { "/chart/odd/empty", test_empty },
  { "/chart/odd/mean-only", test_mean_only },
  { "/chart/models-alone", test_models_alone },
  { "/chart/odd/rate-only", test_rate_only },
  { "/chart/odd/one-step", test_one_step },
  { "/chart/names", test_names },
  { "/chart/height", test_height },
  { "/chart/titles/same", test_same_titles },
  { "/chart/titles/none", test_no_titles },
  { "/chart/words/layout", test_layout },
  { "/chart/words/magnitudes", test_layout_magnitudes },
  { "/chart/words/present", test_words },
  { "/chart/words/window", test_words_in_window },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-ceiling.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "suite.h"

#define WIDTH  960
#define HEIGHT 540

/* The machine of the fixture reads 24 GB/s from DRAM with one thread and computes 80 GFLOP/s in fp32. */

static GArray *
record (DynoChart *chart)
{
  return fixture_record (chart, WIDTH, HEIGHT, dyno_chart_style_get_light ());
}

static const DynoTextBox *
find_box (GArray *boxes, const char *text)
{
  for (guint i = 0; i < boxes->len; i++)
    if (g_str_has_prefix (g_array_index (boxes, DynoTextBox, i).text, text))
      return &g_array_index (boxes, DynoTextBox, i);
  return NULL;
}

static guint
count_boxes (GArray *boxes, const char *text)
{
  guint n_boxes = 0;

  for (guint i = 0; i < boxes->len; i++)
    n_boxes += g_str_has_prefix (g_array_index (boxes, DynoTextBox, i).text, text);
  return n_boxes;
}

static DynoChart *
create_chart (DynoChartKind kind, GPtrArray *runs)
{
  DynoChart *chart = dyno_chart_new (kind, runs);

  fixture_set_ceilings (chart, runs);
  return chart;
}

static GPtrArray *
create_case (double step_ms, double flops, double bytes, guint threads)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, step_ms, 0, 60, 0 };
  DynoRun *run = fixture_create_run ("One case");

  what.threads = threads;
  what.flops = flops;
  what.bytes = bytes;
  fixture_add_case (run, &what);
  return fixture_list (run, NULL);
}

/* 40 GFLOP/s are half of what a thread computes, at 10 FLOP/byte right of the ridge of 3.33. */
static void
test_compute_bound (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 40e6, 4e6, 1);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);

  fixture_assert_finding (chart, "GPT-2 reaches 50 % of the fp32 AVX2 roof. It is compute-bound.");
  fixture_assert_cell (chart, 1, "Roof", "fp32 AVX2");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "% of roofline"), 50, 0.1);
  fixture_assert_cell (chart, 1, "Bound by", "compute");
}

/* A small share is not shown as zero. */
static void
test_little (void)
{
  g_autoptr (GPtrArray) runs = create_case (100, 4e6, 4e5, 1);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);

  fixture_assert_finding (chart, "GPT-2 reaches 0.05 % of the fp32 AVX2 roof. It is far below both roofs.");
  fixture_assert_cell (chart, 1, "Bound by", "neither");
}

/* 1 FLOP/byte: DRAM allows 24 GFLOP/s of which 12 are reached. */
static void
test_memory_bound (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 12e6, 12e6, 1);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);

  fixture_assert_finding (chart, "GPT-2 reaches 50 % of the DRAM read roof. It is memory-bound.");
}

static void
test_above (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 120e6, 4e6, 1);
  g_autoptr (GPtrArray) barely = create_case (1, 83e6, 4e6, 1);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (DynoChart) fine = create_chart (DYNO_CHART_ROOFLINE, barely);

  fixture_assert_finding (chart, "GPT-2 is above its roof: the roof or the FLOP count is wrong.");
  fixture_assert_caption (chart, "1 ringed point is above its roof");
  dyno_chart_move_cursor (chart, 1, 0);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "the roof or the FLOP count is wrong"));
  fixture_assert_no_caption (fine, "ringed");
}

static void
add_backend (DynoRun *run, const char *backend)
{
  FixtureCase what = { "GPT-2", backend, 1, 0, 1, 0, 60, 0 };

  what.threads = 1;
  what.flops = 12e6;
  what.bytes = 4e6;
  fixture_add_case (run, &what);
}

/* The name of the series appears once. */
static void
test_said_once (void)
{
  DynoRun *run = fixture_create_run ("Two backends");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  add_backend (run, "cpu");
  add_backend (run, "openvino");
  chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  dyno_chart_move_cursor (chart, 1, 0);
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "ONNX Runtime (CPU). GPT-2: "));
}

/* A share of an uncertain roof is uncertain as well, and beyond a fifth it does not tell what bounds the case. */
static void
test_disturbed (void)
{
  static const char *const words = "Other programs ran while roofs were measured: ";
  g_autoptr (GPtrArray) runs = create_case (1, 12e6, 12e6, 1);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (DynoChart) bandwidth = dyno_chart_new (DYNO_CHART_BANDWIDTH, runs);
  g_autoptr (DynoChart) calm = create_chart (DYNO_CHART_ROOFLINE, runs);

  fixture_set_disturbed_ceilings (chart, runs, 0.24);
  fixture_set_disturbed_ceilings (bandwidth, runs, 0.24);
  fixture_assert_finding (chart, "GPT-2 reaches 50 % of the DRAM read roof, which varies by 24 %.");
  fixture_assert_cell (chart, 0, "Bound by", "");
  fixture_assert_caption (chart, words);
  fixture_assert_caption (chart, "fp32 AVX2 varies by 24 %, DRAM read varies by 24 %.");
  fixture_assert_finding (
      bandwidth,
      "GPT-2 has the highest bandwidth: 12\u00a0GB/s, 50 % of the memory roof of 24\u00a0GB/s, which "
      "varies by 24 %.");
  fixture_assert_caption (bandwidth, "DRAM read varies by 24 %.");
  fixture_assert_no_caption (calm, words);
  fixture_set_disturbed_ceilings (calm, runs, 0.06);
  fixture_assert_caption (calm, "DRAM read varies by 6.0 %");
  fixture_assert_finding (
      calm, "GPT-2 reaches 50 % of the DRAM read roof, which varies by 6.0 %. It is memory-bound.");
}

/* Points are also drawn without roofs. */
static void
test_without_ceilings (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 40e6, 4e6, 1);
  g_autoptr (GPtrArray) many = create_case (1, 40e6, 4e6, 3);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (DynoChart) three = create_chart (DYNO_CHART_ROOFLINE, many);
  g_autoptr (GPtrArray) halves = create_case (1, 40e6, 4e6, 1);
  g_autoptr (DynoResult) half = g_list_model_get_item (dyno_run_get_results (halves->pdata[0]), 0);
  g_autoptr (DynoChart) other = NULL;

  g_object_set (dyno_result_get_case (half), "precision", "fp16", NULL); /* of which there is no roof */
  other = create_chart (DYNO_CHART_ROOFLINE, halves);
  g_assert_null (dyno_chart_get_empty_message (chart));
  fixture_assert_finding (
      chart, "GPT-2 has the highest performance, 40\u00a0GFLOP/s. Some roofs are missing. Measure them on "
             "the Hardware page or "
             "with “dyno-cli ceilings --measure --threads 1”.");
  g_assert_cmpuint (dyno_chart_get_n_aspects (chart), ==, 0);
  fixture_assert_finding (other, "GPT-2 has the highest performance, 40\u00a0GFLOP/s.");
  fixture_assert_caption (
      three, "Some roofs are missing. Measure them with “dyno-cli ceilings --measure --threads 3”.");
}

/* The remedy is for the device on which the work ran, and the window's page is one only where it can measure. */
static void
test_remedies (void)
{
  static const DynoChartKind kinds[] = { DYNO_CHART_ROOFLINE, DYNO_CHART_BANDWIDTH };
  FixtureCase what = { "GPT-2", "webgpu", 1, 0, 1, 0, 60, 0, 0, 40e6, 4e6 };
  DynoRun *run = fixture_create_run ("Devices");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);

  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "device", "0", NULL);
  what.backend = "cpu";
  what.threads = 3;
  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "pinning", "compact", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = create_chart (kinds[i], runs);
      const char *caption = dyno_chart_get_caption (chart);

      g_assert_nonnull (strstr (caption,
                                "Some roofs are missing. Measure them on the Hardware page or with “dyno-cli "
                                "ceilings --measure --device webgpu:0”."));
      g_assert_nonnull (strstr (caption, "Measure the other missing roofs with “dyno-cli ceilings --measure "
                                         "--threads 3 --pinning compact”."));
    }
}

/* What brings its results back: it multiplies 80 GFLOP/s, and its memory cannot be measured. */
static DynoChart *
create_without_memory (DynoChartKind kind, double step_ms)
{
  FixtureCase what = { "GPT-2", "webnn", 1, 0, step_ms, 0, 60, 0, 0, 40e6, 4e6 };
  DynoRun *run = fixture_create_run ("In a page");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  DynoChart *chart = dyno_chart_new (kind, runs);

  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "device", "gpu", NULL);
  g_ptr_array_add (ceilings, g_object_new (DYNO_TYPE_CEILING, "id", "fp32-gemm", "device", "webnn:gpu",
                                           "kind", DYNO_CEILING_COMPUTE, "precision", "fp32",
                                           "instruction-set", "products", "value", 80e9, "unit", "FLOP/s",
                                           "derivation", "Its memory has no roof: results come back.", NULL));
  dyno_chart_set_ceilings (chart, run, ceilings);
  return chart;
}

/* A roof that cannot be measured is not requested; the other one is drawn without a ridge. */
static void
test_without_memory (void)
{
  const char *why = "webnn:gpu: Its memory has no roof: results come back.";
  g_autoptr (DynoChart) chart = create_without_memory (DYNO_CHART_ROOFLINE, 1);
  g_autoptr (DynoChart) above = create_without_memory (DYNO_CHART_ROOFLINE, 0.4);
  g_autoptr (DynoChart) bandwidth = create_without_memory (DYNO_CHART_BANDWIDTH, 1);
  g_autoptr (GArray) boxes = record (chart);
  g_autofree char *finding = g_strdup_printf ("GPT-2 has the highest performance, 40\u00a0GFLOP/s. %s", why);

  g_assert_nonnull (find_box (boxes, "fp32 products · 80\u00a0GFLOP/s"));
  g_assert_null (find_box (boxes, "ridge"));
  fixture_assert_finding (chart, finding);
  g_assert_true (g_str_has_suffix (dyno_chart_get_caption (chart), why));
  fixture_assert_no_caption (chart, "ridge");
  fixture_assert_no_caption (chart, "missing");
  g_assert_true (g_str_has_suffix (dyno_chart_get_caption (bandwidth), why));
  fixture_assert_no_caption (bandwidth, "missing");
  fixture_assert_finding (above, "GPT-2 is above its roof: the roof or the FLOP count is wrong.");
}

/* With several numbers of threads every point is judged by its own roofs, and the roofs are labelled. */
static void
test_threads (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_threads (), NULL);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (GArray) boxes = record (chart);

  g_assert_nonnull (find_box (boxes, "fp32 AVX2 · 80\u00a0GFLOP/s · 1 thread"));
  g_assert_nonnull (find_box (boxes, "fp32 AVX2 · 640\u00a0GFLOP/s · 8 threads"));
  fixture_assert_caption (chart,
                          "Measure them with “dyno-cli ceilings --measure --threads N” where N is 2, 4.");
}

static DynoCeiling *
copy_changed (DynoCeiling *ceiling, const char *device, const char *pinning, double spread)
{
  g_autoptr (JsonObject) members = dyno_ceiling_to_json (ceiling);

  json_object_set_string_member (members, "device", device);
  json_object_set_string_member (members, "pinning", pinning);
  json_object_set_double_member (members, "value", dyno_ceiling_get_value (ceiling) / 2);
  json_object_set_double_member (members, "spread", spread);
  return dyno_ceiling_from_json (members);
}

/* The processor's roofs, and others of half their values. */
static GPtrArray *
create_mixed_ceilings (const char *device, const char *pinning)
{
  GPtrArray *ceilings = fixture_create_ceilings ();
  guint n_ceilings = ceilings->len;

  for (guint i = 0; i < n_ceilings; i++)
    if (dyno_ceiling_get_threads (ceilings->pdata[i]) == 1)
      g_ptr_array_add (ceilings, copy_changed (ceilings->pdata[i], device, pinning, 0.32));
  return ceilings;
}

static DynoChart *
create_mixed (const char *backend, const char *device, const char *pinning, GPtrArray *ceilings)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 1, 0, 60, 0, 1, 12e6, 12e6 };
  DynoRun *run = fixture_create_run ("Mixed");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  DynoChart *chart = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);

  fixture_add_case (run, &what);
  what.backend = backend;
  what.step_ms = 4;
  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "device", device, "pinning", pinning,
                NULL);
  dyno_chart_set_ceilings (chart, run, ceilings);
  return chart;
}

/* With several placements, roofs say which is theirs, in the picture and in the caption. */
static void
test_placements (void)
{
  g_autoptr (GPtrArray) ceilings = create_mixed_ceilings ("cpu", "compact");
  g_autoptr (DynoChart) chart = create_mixed ("cpu", "", "compact", ceilings);
  g_autoptr (GArray) boxes = record (chart);
  const char *caption = dyno_chart_get_caption (chart);

  g_assert_nonnull (find_box (boxes, "fp32 AVX2 · 80\u00a0GFLOP/s · default pinning"));
  g_assert_nonnull (find_box (boxes, "fp32 AVX2 · 40\u00a0GFLOP/s · compact"));
  g_assert_nonnull (find_box (boxes, "DRAM read · 24\u00a0GB/s · default pinning"));
  g_assert_cmpuint (count_boxes (boxes, "fp32 AVX2, theoretical · 88"), ==, 1); /* the same for both */
  g_assert_nonnull (strstr (caption, "DRAM read (compact) varies by 32 %"));
  g_assert_null (strstr (caption, "DRAM read varies"));
}

/* With several devices, roofs are labelled. */
static void
test_several_devices (void)
{
  g_autoptr (GPtrArray) ceilings = create_mixed_ceilings ("cuda:0", "");
  g_autoptr (DynoChart) chart = NULL;
  g_autoptr (GArray) boxes = NULL;

  g_ptr_array_add (ceilings, g_object_new (DYNO_TYPE_CEILING, "id", "device-copy", "device", "cuda:0", "kind",
                                           DYNO_CEILING_BANDWIDTH, "level", "device", "mix", "copy", "value",
                                           10e9, "unit", "B/s", NULL));
  chart = create_mixed ("cuda", "0", "", ceilings);
  boxes = record (chart);
  g_assert_nonnull (find_box (boxes, "fp32 AVX2 · 80\u00a0GFLOP/s · processor"));
  g_assert_nonnull (find_box (boxes, "fp32 AVX2 · 40\u00a0GFLOP/s · cuda:0"));
  g_assert_null (find_box (boxes, "fp32 AVX2 · 80\u00a0GFLOP/s · 1 thread"));
}

/* With two precisions, the faster one has its ridge at a higher intensity. */
static void
test_ridges (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 1, 0, 60, 0, 1, 12e6, 12e6 };
  DynoRun *run = fixture_create_run ("Precisions");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;
  g_autoptr (GArray) boxes = NULL;

  fixture_add_case (run, &what);
  what.step_ms = 0.9;
  g_object_set (dyno_result_get_case (fixture_add_case (run, &what)), "precision", "bf16", NULL);
  chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  boxes = record (chart);
  g_assert_nonnull (find_box (boxes, "ridge 3.33"));
  g_assert_nonnull (find_box (boxes, "ridge 6.67"));
}

/* Slopes are labelled along the line; only relevant roofs are shown at first, and all on demand. */
static void
test_roofs (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 12e6, 12e6, 1);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (GArray) few = record (chart);
  g_autoptr (GArray) all = NULL;

  g_assert_nonnull (find_box (few, "DRAM read · 24\u00a0GB/s"));
  g_assert_cmpfloat (find_box (few, "DRAM read · 24\u00a0GB/s")->angle, <, -0.1);
  g_assert_cmpfloat (find_box (few, "fp32 AVX2 · 80\u00a0GFLOP/s")->angle, ==, 0);
  g_assert_nonnull (find_box (few, "fp32 AVX2, theoretical · 88\u00a0GFLOP/s"));
  g_assert_nonnull (find_box (few, "ridge 3.33"));
  g_assert_null (find_box (few, "L2 read"));
  g_assert_null (find_box (few, "bf16"));
  g_assert_cmpuint (dyno_chart_get_n_aspects (chart), ==, 2);
  dyno_chart_set_aspect (chart, 1);
  g_assert_cmpuint (dyno_chart_get_aspect (chart), ==, 1);
  all = record (chart);
  g_assert_nonnull (find_box (all, "L2 read"));
  g_assert_nonnull (find_box (all, "bf16 AVX512-BF16"));
  g_assert_nonnull (find_box (all, "fp32 SSE"));
}

/* Two runs on one machine bring its roofs twice, read from a store by each; they are drawn once. */
static void
test_same_machine (void)
{
  static const char *const roofs[] = { "DRAM read ·", "fp32 AVX2 ·", "ridge" };
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 1, 0, 60, 0, 1, 12e6, 12e6 };
  DynoRun *before = fixture_create_run ("Before");
  DynoRun *after = fixture_create_run ("After");
  g_autoptr (GPtrArray) runs = fixture_list (before, after, NULL);
  g_autoptr (GPtrArray) some = fixture_create_ceilings ();
  g_autoptr (GPtrArray) same = fixture_create_ceilings ();
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (GArray) boxes = NULL;

  fixture_add_case (before, &what);
  what.step_ms = 0.8;
  fixture_add_case (after, &what);
  dyno_chart_set_ceilings (chart, before, some);
  dyno_chart_set_ceilings (chart, after, same);
  boxes = record (chart);
  for (guint i = 0; i < G_N_ELEMENTS (roofs); i++)
    g_assert_cmpuint (count_boxes (boxes, roofs[i]), ==, 1);
}

static void
test_intervals (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 2, 0.1, 60, 0, 1, 40e6, 4e6 };
  DynoRun *run = fixture_create_run ("Interval");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;
  double rate;

  fixture_add_case (run, &what);
  chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  rate = fixture_get_number (chart, 1, "Performance");
  g_assert_cmpfloat (fixture_get_number (chart, 1, "95 % interval from"), <, rate);
  g_assert_cmpfloat (fixture_get_number (chart, 1, "95 % interval to"), >, rate);
}

/* --- operators --- */

static void
add_operator (DynoResult *result, const char *type, gint64 calls, double ms, double flops, double bytes)
{
  DynoOperator *op = dyno_operator_new (type, type, "CPUExecutionProvider");

  dyno_operator_set_calls (op, calls);
  dyno_operator_set_time_ns (op, (gint64)(ms * 1e6));
  dyno_operator_set_flops (op, (gint64)flops);
  dyno_operator_set_bytes (op, (gint64)bytes);
  dyno_result_take_operator (result, op);
}

/* Work and traffic are those of a call, times those of all calls. */
static DynoRun *
create_operators (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 10, 0, 60, 0, 1 };
  DynoRun *run = fixture_create_run ("Operators");
  DynoResult *result = fixture_add_case (run, &what);

  add_operator (result, "MatMul", 10, 36, 144e6, 4e6);
  add_operator (result, "MatMul", 10, 36, 144e6, 4e6);
  add_operator (result, "LayerNormalization", 10, 20, 18e6, 36e6);
  add_operator (result, "Reshape", 10, 8, 0, 4e6);
  return run;
}

static void
test_operators (void)
{
  DynoRun *run = create_operators ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = dyno_chart_new_for_result (DYNO_CHART_ROOFLINE_OPERATORS, run, result);
  GPtrArray *table;

  fixture_set_ceilings (chart, runs);
  fixture_assert_finding (
      chart, "72 % of the time in MatMul at 50 % of the fp32 AVX2 roof. LayerNormalization is DRAM-bound, at "
             "75 %.");
  table = dyno_chart_get_table (chart);
  g_assert_cmpuint (table->len, ==, 3);
  g_assert_cmpstr (((char **)g_ptr_array_index (table, 2))[0], ==, "MatMul ×2");
  fixture_assert_caption (chart, "1 operator without FLOPs, bytes or a time, 8.0 % of the time");
}

/* A module is the sum of its operators, including data movement but not uncounted operators. */
static void
test_modules (void)
{
  DynoRun *run = fixture_create_modules ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = dyno_chart_new_for_result (DYNO_CHART_ROOFLINE_MODULES, run, result);

  g_assert_nonnull (
      g_strstr_len (dyno_chart_get_finding (chart), -1, "39 % of the time in encoder.layer.*.output"));
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 4);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 1), ==, "encoder.layer.*.attention");
  fixture_assert_cell (chart, 1, "Module", "embeddings");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Share"), 500.0 / 94, 0.01);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 1, "Intensity"), 0.1, 1e-9);
  fixture_assert_cell (chart, 2, "Module", "encoder.layer.0.attention");
  fixture_assert_caption (chart, "1 operator without FLOPs, bytes or a time, 6.4 % of the time");
}

/* A CUDA profile without device times: 72 products and normalisations were submitted, two minor operators have
 * times. */
static DynoRun *
create_handed_over (void)
{
  FixtureCase what = { "GPT-2", "cuda", 1, 0, 10, 0, 60, 0, 1 };
  DynoRun *run = fixture_create_run ("Handed over");
  DynoResult *result = fixture_add_case (run, &what);

  for (guint i = 0; i < 72; i++)
    {
      DynoOperator *op =
          dyno_operator_new ("node", i % 3 == 0 ? "LayerNormalization" : "MatMul", "CUDAExecutionProvider");

      dyno_operator_set_calls (op, 10);
      dyno_operator_set_time_ns (op, -1);
      dyno_operator_set_flops (op, 144000000);
      dyno_operator_set_bytes (op, 4000000);
      dyno_result_take_operator (result, op);
    }
  add_operator (result, "Gather", 10, 0.08, 1e3, 4e6);
  add_operator (result, "Shape", 10, 0.02, 1e3, 4e6);
  return run;
}

static const DynoChartKind operator_kinds[] = { DYNO_CHART_OPERATORS, DYNO_CHART_ROOFLINE_OPERATORS,
                                                DYNO_CHART_ROOFLINE_MODULES };

/* Without a known time there are no shares. */
static void
test_untimed (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (create_handed_over (), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (operator_kinds); i++)
    {
      g_autoptr (DynoChart) chart = create_chart (operator_kinds[i], runs);

      fixture_assert_empty (
          chart, "72 of 74 operators have no time: they are handed over to CUDAExecutionProvider, and "
                 "the engine does not report how long each takes there. Shares of the time are therefore "
                 "unknown.");
      g_assert_cmpstr (dyno_chart_get_finding (chart), ==, dyno_chart_get_empty_message (chart));
      g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 0);
    }
}

/* If a case is left out, the chart says so. */
static void
test_left_out (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (create_operators (), create_handed_over (), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (operator_kinds); i++)
    {
      g_autoptr (DynoChart) chart = create_chart (operator_kinds[i], runs);
      const char *caption = dyno_chart_get_caption (chart);

      g_assert_null (dyno_chart_get_empty_message (chart));
      g_assert_true (
          g_str_has_prefix (dyno_chart_get_finding (chart), i == 0 ? "MatMul takes 72 %" : "72 %"));
      g_assert_nonnull (strstr (caption, "1 case is left out. 72 of 74 operators have no time"));
    }
}

/* An operator that is too short for the clock still has a device. */
static void
test_providers (void)
{
  DynoRun *run = create_operators ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) one = create_chart (DYNO_CHART_OPERATORS, runs);
  g_autoptr (DynoChart) two = NULL;
  DynoOperator *op = dyno_operator_new ("short", "Shape", "XnnpackExecutionProvider");

  dyno_operator_set_time_ns (op, 0);
  dyno_result_take_operator (result, op);
  two = create_chart (DYNO_CHART_OPERATORS, runs);
  fixture_assert_caption (one, "All operators ran on CPUExecutionProvider.");
  fixture_assert_no_caption (two, "All operators");
}

static void
test_subject (void)
{
  DynoRun *run = create_operators ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) operators = create_chart (DYNO_CHART_ROOFLINE_OPERATORS, runs);
  g_autoptr (GPtrArray) cases_runs = create_case (1, 40e6, 4e6, 1);
  g_autoptr (DynoChart) cases = create_chart (DYNO_CHART_ROOFLINE, cases_runs);

  g_assert_null (dyno_chart_get_cursor_subject (operators));
  dyno_chart_move_cursor (operators, 1, 0);
  g_assert_true (DYNO_IS_OPERATOR (dyno_chart_get_cursor_subject (operators)));
  g_assert_cmpstr (dyno_operator_get_op_type (DYNO_OPERATOR (dyno_chart_get_cursor_subject (operators))), ==,
                   "MatMul");
  dyno_chart_move_cursor (cases, 1, 0);
  g_assert_true (DYNO_IS_RESULT (dyno_chart_get_cursor_subject (cases)));
}

/* The pointer finds the operator it is on: the view that is clicked gives that one. */
static void
test_pointer (void)
{
  DynoRun *run = create_operators ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE_OPERATORS, runs);
  g_autoptr (GArray) boxes = record (chart);
  const DynoTextBox *name = find_box (boxes, "LayerNormalization");

  g_assert_nonnull (name);
  g_assert_true (dyno_chart_hover (chart, name->x - 8, name->y + name->height / 2));
  g_assert_true (DYNO_IS_OPERATOR (dyno_chart_get_cursor_subject (chart)));
  g_assert_cmpstr (dyno_operator_get_op_type (DYNO_OPERATOR (dyno_chart_get_cursor_subject (chart))), ==,
                   "LayerNormalization");
}

/* A caption says how to read lines, where there are some. */
static void
test_explained (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 40e6, 4e6, 1);
  g_autoptr (DynoChart) with = create_chart (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (DynoChart) without = dyno_chart_new (DYNO_CHART_ROOFLINE, runs);

  fixture_assert_caption (with, "memory left of the ridge");
  fixture_assert_no_caption (without, "ridge");
  fixture_assert_no_caption (with, "\n\n");
}

static void
test_kinds (void)
{
  g_assert_cmpint (dyno_operator_kind_from_type ("FusedMatMul"), ==, DYNO_OPERATOR_KIND_MATRIX);
  g_assert_cmpint (dyno_operator_kind_from_type ("Conv"), ==, DYNO_OPERATOR_KIND_CONVOLUTION);
  g_assert_cmpint (dyno_operator_kind_from_type ("GroupQueryAttention"), ==, DYNO_OPERATOR_KIND_ATTENTION);
  g_assert_cmpint (dyno_operator_kind_from_type ("SkipLayerNormalization"), ==,
                   DYNO_OPERATOR_KIND_NORMALISATION);
  g_assert_cmpint (dyno_operator_kind_from_type ("BiasGelu"), ==, DYNO_OPERATOR_KIND_ELEMENTWISE);
  g_assert_cmpint (dyno_operator_kind_from_type ("GlobalAveragePool"), ==, DYNO_OPERATOR_KIND_REDUCTION);
  g_assert_cmpint (dyno_operator_kind_from_type ("Unsqueeze"), ==, DYNO_OPERATOR_KIND_MOVEMENT);
  g_assert_cmpint (dyno_operator_kind_from_type ("Mystery"), ==, DYNO_OPERATOR_KIND_OTHER);
}

/* --- bandwidth --- */

static void
test_bandwidth (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 12e6, 12e6, 1);
  g_autoptr (GPtrArray) cached = create_case (1, 12e6, 48e6, 1);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_BANDWIDTH, runs);
  g_autoptr (DynoChart) faster = create_chart (DYNO_CHART_BANDWIDTH, cached);

  fixture_assert_finding (
      chart, "GPT-2 has the highest bandwidth: 12\u00a0GB/s, 50 % of the memory roof of 24\u00a0GB/s.");
  fixture_assert_cell (chart, 1, "Memory roof", "24");
  fixture_assert_cell (chart, 1, "Theoretical", "68");
  fixture_assert_cell (chart, 1, "% of theoretical", "17.6");
  fixture_assert_finding (
      faster,
      "GPT-2 reaches 48\u00a0GB/s, above the memory roof of 24\u00a0GB/s: the data comes from caches.");
}

static DynoChart *
create_judged (double modelled, double percent)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 1, 0, 60, 0, 1, 12e6, 12e6 };
  DynoRun *run = fixture_create_run ("Judged");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  DynoResult *result;

  what.modelled = modelled;
  result = fixture_add_case (run, &what);
  dyno_result_add_measured (result, "bandwidth_utilization_percent", percent, "%", "roofs of then");
  dyno_result_add_measured (result, "bandwidth_utilization_theoretical_percent", percent / 2, "%",
                            "roofs of then");
  return create_chart (DYNO_CHART_BANDWIDTH, runs);
}

/* The stored value is shown, not one computed again or from later roofs. */
static void
test_stored (void)
{
  g_autoptr (DynoChart) chart = create_judged (10, 40);
  g_autoptr (DynoChart) unknown = create_judged (NAN, 40);

  fixture_assert_finding (
      chart, "GPT-2 has the highest bandwidth: 10\u00a0GB/s, 40 % of the memory roof of 25\u00a0GB/s.");
  fixture_assert_cell (chart, 1, "Estimated", "10");
  fixture_assert_cell (chart, 1, "Memory roof", "25");
  fixture_assert_cell (chart, 1, "Theoretical", "50");
  fixture_assert_cell (chart, 1, "% of roof", "40");
  fixture_assert_cell (chart, 1, "% of theoretical", "20");
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (unknown), "Nobody knows the operators."));
}

/* A counter's value takes precedence over the model, and is another series. */
static void
test_counters (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 1, 0, 60, 0, 1, 12e6, 12e6 };
  DynoRun *run = fixture_create_run ("Counted");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  what.counted = 6;
  dyno_result_add_measured (fixture_add_case (run, &what), "peak_bandwidth_gbps", 9, "GB/s",
                            "uncore counters");
  chart = create_chart (DYNO_CHART_BANDWIDTH, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 4);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "Memory traffic (measured)");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "6\u00a0GB/s, 25 %"));
  dyno_chart_move_cursor (chart, 1, 0);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "on average, 9\u00a0GB/s peak"));
}

/* Values are drawn apart from the limits, to avoid confusion with them. */
static void
test_values_aside (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_threads (), NULL);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_BANDWIDTH, runs);
  g_autoptr (GArray) boxes = record (chart);
  const DynoTextBox *most = find_box (boxes, "28.8\u00a0GB/s");
  const DynoTextBox *least = find_box (boxes, "2.77\u00a0GB/s");

  g_assert_nonnull (most);
  g_assert_nonnull (least);
  g_assert_cmpfloat_with_epsilon (most->x + most->width, least->x + least->width, 0.5);
}

/* A generation is two points, each under a roof of its own; beside other cases nothing is said of all. */
static void
test_generations (void)
{
  DynoRun *run = fixture_create_generations ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  g_autoptr (DynoChart) mixed = NULL;

  fixture_assert_finding (
      chart, "Qwen2 0.5B · prefill reaches 83 % of the fp32 AVX2 roof. Prefill is compute-bound, decoding "
             "memory-bound.");
  fixture_assert_cell (chart, 1, "Steps", "decode");
  fixture_assert_cell (chart, 1, "Roof", "DRAM read");
  fixture_assert_cell (chart, 1, "Bound by", "memory");
  fixture_assert_cell (chart, 4, "Steps", "prefill");
  fixture_assert_cell (chart, 4, "Bound by", "compute");
  dyno_chart_move_cursor (chart, 1, 0);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "decode: "));
  add_backend (run, "cpu");
  mixed = create_chart (DYNO_CHART_ROOFLINE, runs);
  g_assert_null (strstr (dyno_chart_get_finding (mixed), "bound"));
}

static void
add_stage (DynoResult *result, const char *stage, double ms, double flops, double bytes)
{
  static const char *const suffixes[] = { "p50_ms", "percent", "flops", "bytes" };
  const double numbers[] = { ms, 100 * ms, flops, bytes };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strdup_printf ("stage_%s_%s", stage, suffixes[i]);

      dyno_result_add_measured (result, name, numbers[i], "", "test");
    }
}

/* A stage is a point of its own, below the roofs of its own threads; one that also decodes is no point. */
static void
test_stages (void)
{
  g_autoptr (GPtrArray) runs = create_case (1, 40e6, 4e6, 1);
  DynoRun *run = g_ptr_array_index (runs, 0);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = NULL;
  g_autoptr (DynoChart) mixed = NULL;

  add_stage (result, "vision", 0.5, 30e6, 1e6);
  add_stage (result, "projector", 0.05, 1e6, 1e6);
  add_stage (result, "decoder", 0.45, 9e6, 2e6);
  dyno_result_add_measured (result, "stage_decoder_decode_bytes", 1e6, "B", "test");
  chart = create_chart (DYNO_CHART_ROOFLINE, runs);
  fixture_assert_finding (chart, "GPT-2 reaches 50 % of the fp32 AVX2 roof. It is compute-bound.");
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 4);
  fixture_assert_cell (chart, 1, "Part", "projector");
  fixture_assert_cell (chart, 1, "Bound by", "memory");
  fixture_assert_cell (chart, 2, "Part", "");
  fixture_assert_cell (chart, 3, "Part", "vision");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 3, "% of roofline"), 75, 0.1);

  g_object_set (dyno_result_get_case (result), "options", "vision.threads=8", NULL);
  mixed = create_chart (DYNO_CHART_ROOFLINE, runs);
  fixture_assert_cell (mixed, 1, "Bound by", "memory");
  fixture_assert_cell (mixed, 2, "Roof", "");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (mixed, 3, "% of roofline"), 100 * 60 / 640.0, 0.1);
}

/* Eight threads compute 640 GFLOP/s in fp32 and 1280 in bf16, and read 55 GB/s; SSE is slower than AVX2. */
static void
test_alone (void)
{
  g_autoptr (GPtrArray) ceilings = fixture_create_ceilings ();
  g_autoptr (DynoChart) chart = dyno_roofs_chart_new (ceilings, 8);
  g_autoptr (GArray) boxes = record (chart);
  g_autoptr (GArray) all = NULL;

  fixture_assert_finding (chart,
                          "fp32 AVX2 reaches 640 GFLOP/s; below 11.6 FLOP/byte, DRAM read is the limit.");
  fixture_assert_cell (chart, 2, "Roof", "fp32 AVX2");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 2, "Ridge"), 640 / 55.0, 0.1);
  fixture_assert_cell (chart, 7, "Roof", "DRAM read");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 7, "Bandwidth"), 0.055, 1e-4);
  g_assert_cmpuint (count_boxes (boxes, "bf16 AVX512-BF16"), ==, 1);
  g_assert_cmpuint (count_boxes (boxes, "L1 read"), ==, 1);
  g_assert_cmpuint (count_boxes (boxes, "fp32 SSE"), ==, 0);
  dyno_chart_move_cursor (chart, 1, 0);
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "below 0.267 FLOP/byte, L1 read is"));
  dyno_chart_set_aspect (chart, 1);
  all = record (chart);
  g_assert_cmpuint (count_boxes (all, "fp32 SSE"), ==, 1);
}

/* Copies are no reads, and without memory there is no ridge. */
static void
test_alone_without_memory (void)
{
  g_autoptr (GPtrArray) ceilings = fixture_create_ceilings ();
  g_autoptr (DynoChart) chart = NULL;

  for (guint i = ceilings->len; i > 0; i--)
    if (dyno_ceiling_get_kind (ceilings->pdata[i - 1]) == DYNO_CEILING_BANDWIDTH)
      g_ptr_array_remove_index (ceilings, i - 1);
  chart = dyno_roofs_chart_new (ceilings, 8);
  fixture_assert_empty (
      chart, "A roofline needs a compute roof and a memory roof. Measure the roofs of this device.");
}

static const SuiteTest tests[] = {
  { "/chart/roofline/compute-bound", test_compute_bound },
  { "/chart/roofline/memory-bound", test_memory_bound },
  { "/chart/roofline/little", test_little },
  { "/chart/roofline/above", test_above },
  { "/chart/roofline/said-once", test_said_once },
  { "/chart/roofline/disturbed", test_disturbed },
  { "/chart/roofline/without-ceilings", test_without_ceilings },
  { "/chart/roofline/remedies", test_remedies },
  { "/chart/roofline/without-memory", test_without_memory },
  { "/chart/roofline/threads", test_threads },
  { "/chart/roofline/placements", test_placements },
  { "/chart/roofline/several-devices", test_several_devices },
  { "/chart/roofline/ridges", test_ridges },
  { "/chart/roofline/roofs", test_roofs },
  { "/chart/roofline/same-machine", test_same_machine },
  { "/chart/roofline/intervals", test_intervals },
  { "/chart/roofline/generations", test_generations },
  { "/chart/roofline/stages", test_stages },
  { "/chart/roofline/operators", test_operators },
  { "/chart/roofline/modules", test_modules },
  { "/chart/roofline/untimed", test_untimed },
  { "/chart/roofline/left-out", test_left_out },
  { "/chart/roofline/providers", test_providers },
  { "/chart/roofline/subject", test_subject },
  { "/chart/roofline/pointer", test_pointer },
  { "/chart/roofline/explained", test_explained },
  { "/chart/roofline/operator-kinds", test_kinds },
  { "/chart/roofline/bandwidth", test_bandwidth },
  { "/chart/roofline/stored", test_stored },
  { "/chart/roofline/counters", test_counters },
  { "/chart/roofline/values-aside", test_values_aside },
  { "/chart/roofline/alone", test_alone },
  { "/chart/roofline/alone-without-memory", test_alone_without_memory },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "suite.h"

static GPtrArray *
create_energies (void)
{
  return fixture_list (fixture_create_energies (), NULL);
}

static GPtrArray *
create_without (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 2, 0, 60, 0 };
  DynoRun *run = fixture_create_run ("No energy");

  fixture_add_case (run, &what);
  return fixture_list (run, NULL);
}

static int
find_series (DynoChart *chart, const char *name)
{
  for (guint i = 0; i < dyno_chart_get_n_series (chart); i++)
    if (g_str_equal (dyno_chart_get_series_name (chart, i), name))
      return (int)i;
  return -1;
}

/* Every chart of energy says why there is none. */
static void
test_empty (void)
{
  static const DynoChartKind kinds[] = { DYNO_CHART_EFFICIENCY, DYNO_CHART_POWER, DYNO_CHART_ENERGY };
  g_autoptr (GPtrArray) runs = create_without ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kinds[i], runs);

      g_assert_nonnull (
          strstr (dyno_chart_get_empty_message (chart), "The kernel shows no energy counters."));
    }
}

/* Estimates are a separate series, and are not compared with measurements. */
static void
test_efficiency (void)
{
  g_autoptr (GPtrArray) runs = create_energies ();
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_EFFICIENCY, runs);
  GPtrArray *table;

  g_assert_cmpint (find_series (chart, "ONNX Runtime (CPU)"), >=, 0);
  g_assert_cmpint (find_series (chart, "OpenVINO (CPU)"), ==, -1);
  g_assert_cmpint (find_series (chart, "OpenVINO (CPU), estimated"), >=, 0);
  fixture_assert_finding (
      chart, "ONNX Runtime (CUDA) · batch 8 is the most efficient: 12.5\u00a0items/J, 4.2× as efficient as "
             "ONNX Runtime (CPU) · batch 1. Estimates are left out.");
  fixture_assert_caption (chart, "1 case has no energy values. The kernel shows no energy");
  table = dyno_chart_get_table (chart);
  g_assert_cmpuint (table->len, ==, 7);
  fixture_assert_cell (chart, 6, "Power", "not measured");
  fixture_assert_cell (chart, 6, "Source", "The kernel shows no energy counters.");
}

static void
test_quantities (void)
{
  g_autoptr (GPtrArray) runs = create_energies ();
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_EFFICIENCY, runs);

  g_assert_cmpuint (dyno_chart_get_n_aspects (chart), ==, 3);
  g_assert_cmpstr (dyno_chart_get_aspect_name (chart, 2), ==, "Energy per item");
  dyno_chart_set_aspect (chart, 2);
  fixture_assert_finding (
      chart, "ONNX Runtime (CUDA) · batch 8 is the most efficient: 80\u00a0mJ, 4.2× as efficient as "
             "ONNX Runtime (CPU) · batch 1. "
             "Estimates are left out.");
  dyno_chart_set_aspect (chart, 1);
  fixture_assert_caption (chart, "FLOPs are calculated");
}

/* Only cases that have the chosen quantity are shown, and counted as doubtful. */
static void
test_quantities_of_doubtful (void)
{
  const FixtureCase without_work = { "GPT-2", "cpu", 1, 0, 9, 0.02, 60, 0, 0, 0, 0, 0.34, FALSE };
  DynoRun *run = fixture_create_run ("No work");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  dyno_result_take_diagnostic (
      fixture_add_case (run, &without_work),
      dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "The CPU was hot."));
  g_ptr_array_add (runs, fixture_create_energies ());
  chart = dyno_chart_new (DYNO_CHART_EFFICIENCY, runs);
  g_assert_nonnull (strstr (dyno_chart_get_note (chart), "1 of 6 cases is doubtful"));
  dyno_chart_set_aspect (chart, 1);
  g_assert_cmpstr (dyno_chart_get_note (chart), ==, "");
}

static void
test_timeline (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_POWER, runs);

  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 3);
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "CPU");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 2), ==, "Temperature: k10temp");
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "rises from 48 °C to 83 °C."));
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "is throttled for 19 % of the measurement."));
}

/* Whether the text stands anywhere in the picture. */
static gboolean
writes (DynoChart *chart, const char *text)
{
  g_autoptr (GArray) boxes = fixture_record (chart, 960, 540, dyno_chart_style_get_light ());
  gboolean found = FALSE;

  for (guint i = 0; i < boxes->len; i++)
    found |= g_str_equal (g_array_index (boxes, DynoTextBox, i).text, text);
  return found;
}

/* The pointer finds the readings of the panel it is in; a picture too small for two panels shows the first. */
static void
test_panels (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_POWER, runs);

  fixture_render (chart, 800, 600, dyno_chart_style_get_light ());
  g_assert_true (dyno_chart_hover (chart, 400, 250));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (chart), "\u00a0W"));
  g_assert_true (dyno_chart_hover (chart, 400, 460));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "Temperature: k10temp. Time "));
  fixture_render (chart, 360, 200, dyno_chart_style_get_light ());
  g_assert_false (dyno_chart_hover (chart, 200, 190));
}

/* Placements are distinguished, and the default one is only named if there are others. */
static void
test_pinning (void)
{
  static const char *const policies[] = { "", "compact" };
  DynoRun *run = fixture_create_run ("Placements");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  for (guint i = 0; i < 4; i++)
    {
      FixtureCase what = { "GPT-2", "cpu", 1, 0, 8.0 / (1 + i / 2), 0, 60, 0 };
      DynoResult *result;

      what.threads = 1 + i / 2;
      result = fixture_add_case (run, &what);
      g_object_set (dyno_result_get_case (result), "pinning", policies[i % 2], NULL);
    }
  chart = dyno_chart_new (DYNO_CHART_THREADS, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  g_assert_cmpint (find_series (chart, "default pinning"), >=, 0);
  g_assert_cmpint (find_series (chart, "compact"), >=, 0);
  fixture_assert_no_caption (chart, "usual");
}

/* Faster with more energy, and slower with less: only cases between which there is a choice are on the front. */
static void
test_front (void)
{
  g_autoptr (GPtrArray) runs = create_energies ();
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_ENERGY, runs);
  GPtrArray *table = dyno_chart_get_table (chart);

  g_assert_cmpuint (table->len, ==, 6);
  for (guint i = 1; i < table->len; i++)
    {
      const char *engine = fixture_get_cell (chart, i, "Engine");

      fixture_assert_cell (chart, i, "On the Pareto front",
                           g_str_equal (engine, "ONNX Runtime (CUDA)") ? "yes" : "no");
    }
  fixture_assert_finding (
      chart, "The fastest is ONNX Runtime (CUDA) · batch 1, 2.23\u00a0ms; the most efficient is ONNX "
             "Runtime (CUDA) · batch 8, "
             "80\u00a0mJ per item. Estimates are left out.");
}

static void
assert_says (DynoChart *chart, const char *title, const char *heading, const char *finding)
{
  g_autofree char *caption = g_strdup (dyno_chart_get_caption (chart));

  g_assert_cmpstr (dyno_chart_get_title (chart), ==, title);
  g_assert_nonnull (strstr (caption, "Power is estimated, not measured: fixture."));
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), finding));
  g_assert_true (writes (chart, heading));
}

/* Title, axis, finding and caption of each chart say that nothing was measured. */
static void
test_estimated (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_estimates (), NULL);
  g_autoptr (DynoChart) efficiency = dyno_chart_new (DYNO_CHART_EFFICIENCY, runs);
  g_autoptr (DynoChart) timeline = dyno_chart_new (DYNO_CHART_POWER, runs);
  g_autoptr (DynoChart) latency = dyno_chart_new (DYNO_CHART_ENERGY, runs);

  assert_says (efficiency, "Energy efficiency, estimated", "Items per joule, estimated (items/J)",
               "the most efficient: an estimated 5\u00a0items/J");
  assert_says (timeline, "Power over time, estimated", "Power, estimated (W)", "an estimated 20\u00a0W");
  assert_says (latency, "Energy against latency, estimated", "Energy per item, estimated",
               "an estimated 200\u00a0mJ per item");
  g_assert_cmpstr (dyno_chart_get_series_name (efficiency, 0), ==, "ONNX Runtime (CPU), estimated");
  g_assert_true (g_str_has_suffix (dyno_chart_get_series_name (timeline, 0), ", estimated"));
  g_assert_true (g_str_has_suffix (dyno_chart_get_series_name (latency, 0), ", estimated"));
}

/* The parts of one case are named, and only measured ones are drawn as filled areas. */
static void
test_estimated_timeline (void)
{
  DynoRun *run = fixture_create_estimates ();
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoChart) chart = dyno_chart_new_for_result (DYNO_CHART_POWER, run, result);

  g_assert_cmpstr (dyno_chart_get_title (chart), ==, "Power over time, estimated");
  g_assert_cmpstr (dyno_chart_get_series_name (chart, 0), ==, "CPU, estimated");
  fixture_assert_finding (chart, "Power is an estimated 20\u00a0W on average and 26\u00a0W at its peak.");
}

static gboolean
is_background (cairo_surface_t *surface, double x, double y, const DynoColor *background)
{
  const guint8 *row =
      cairo_image_surface_get_data (surface) + (gsize)y * (gsize)cairo_image_surface_get_stride (surface);
  guint32 pixel = ((const guint32 *)(const void *)row)[(int)x];

  return ABS ((int)(pixel >> 16 & 255) - (int)(background->red * 255)) < 3 &&
         ABS ((int)(pixel >> 8 & 255) - (int)(background->green * 255)) < 3 &&
         ABS ((int)(pixel & 255) - (int)(background->blue * 255)) < 3;
}

static void
check_backing (cairo_surface_t *surface, const DynoTextBox *box, const DynoColor *background)
{
  for (double y = box->y + box->height * 0.2; y < box->y + box->height * 0.8; y++)
    {
      g_assert_true (is_background (surface, box->x - 1, y, background));
      g_assert_true (is_background (surface, box->x + box->width + 1, y, background));
    }
}

/* In a narrow picture the value stands in the hatched bar, and not on the hatches. */
static void
test_backing (void)
{
  const DynoChartStyle *style = dyno_chart_style_get_dark ();
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_estimates (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_EFFICIENCY, runs);
  g_autoptr (GArray) boxes = fixture_record (chart, 360, 300, style);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 360, 300);
  cairo_t *cr = cairo_create (surface);
  guint n_found = 0;

  dyno_chart_render (chart, cr, 360, 300, style);
  cairo_surface_flush (surface);
  for (guint i = 0; i < boxes->len; i++)
    if (g_str_equal (g_array_index (boxes, DynoTextBox, i).text, "5\u00a0items/J"))
      {
        check_backing (surface, &g_array_index (boxes, DynoTextBox, i), &style->background);
        n_found++;
      }
  g_assert_cmpuint (n_found, ==, 1);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Next to measurements, an estimate is marked and left out of the comparison. */
static void
test_mixed (void)
{
  g_autoptr (GPtrArray) runs = create_energies ();
  g_autoptr (DynoChart) efficiency = dyno_chart_new (DYNO_CHART_EFFICIENCY, runs);
  g_autoptr (DynoChart) latency = dyno_chart_new (DYNO_CHART_ENERGY, runs);

  g_assert_cmpstr (dyno_chart_get_title (efficiency), ==, "Energy efficiency, partly estimated");
  g_assert_cmpstr (dyno_chart_get_title (latency), ==, "Energy against latency, partly estimated");
  fixture_assert_caption (efficiency, "The power of 1 case is estimated, not measured: fixture.");
}

static void
test_threads (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_threads (), NULL);
  g_autoptr (GPtrArray) one = create_without ();
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_THREADS, runs);
  g_autoptr (DynoChart) empty = dyno_chart_new (DYNO_CHART_THREADS, one);

  g_assert_cmpuint (dyno_chart_get_n_panels (chart), ==, 2);
  fixture_assert_cell (chart, 4, "Threads", "8");
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 4, "Speed-up"), 6.9, 0.15);
  g_assert_cmpfloat_with_epsilon (fixture_get_number (chart, 4, "Parallel"), 86.4, 2);
  g_assert_nonnull (strstr (dyno_chart_get_finding (chart), "MobileNetV2 worst, to 44 %"));
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (empty), "with several"));
}

/* Nothing is said about scaling if there is only one number of threads. */
static void
test_threads_alone (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 2, 0.02, 60, 0 };
  DynoRun *run = fixture_create_run ("Threads");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) chart = NULL;

  for (what.threads = 1; what.threads <= 2; what.threads++)
    fixture_add_case (run, &what);
  what.threads = 8;
  what.backend = "openvino";
  fixture_add_case (run, &what);
  what.model = "T5 small";
  fixture_add_case (run, &what);
  chart = dyno_chart_new (DYNO_CHART_THREADS, runs);
  g_assert_cmpuint (dyno_chart_get_n_panels (chart), ==, 1);
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 4);
  fixture_assert_cell (chart, 3, "Engine", "OpenVINO (CPU)");
  fixture_assert_cell (chart, 3, "Threads", "8");
  fixture_assert_cell (chart, 3, "Speed-up", "");
  fixture_assert_cell (chart, 3, "Parallel efficiency", "");
  g_assert_true (dyno_chart_move_cursor (chart, 1, 0)); /* onto the first point of the first line */
  g_assert_true (dyno_chart_move_cursor (chart, 0, 1));
  g_assert_true (g_str_has_prefix (dyno_chart_get_cursor_text (chart), "OpenVINO (CPU). 8 threads: "));
  g_assert_null (strstr (dyno_chart_get_cursor_text (chart), "%"));
}

/* The default number of threads differs between machines, which is not scaling. */
static void
test_threads_of_machines (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 2, 0.02, 60, 0 };
  DynoRun *small = fixture_create_run ("Laptop");
  DynoRun *large = fixture_create_run ("Workstation");
  g_autoptr (GPtrArray) runs = fixture_list (small, large, NULL);
  g_autoptr (DynoChart) chart = NULL;
  g_autoptr (DynoChart) scaled = NULL;

  fixture_add_case (small, &what);
  g_object_set (large, "machine", "{\"cpu\": {\"cores\": 32}}", NULL);
  fixture_add_case (large, &what);
  chart = dyno_chart_new (DYNO_CHART_THREADS, runs);
  g_assert_nonnull (strstr (dyno_chart_get_empty_message (chart), "more than one thread count"));
  what.threads = 4;
  what.step_ms = 3.4;
  fixture_add_case (small, &what);
  scaled = dyno_chart_new (DYNO_CHART_THREADS, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (scaled), ==, 2);
  g_assert_true (g_str_has_prefix (dyno_chart_get_finding (scaled), "From 4 to 8 threads, throughput grows"));
}

/* Two devices of one backend are told apart, one device says no more than its backend; software is named. */
static void
test_devices (void)
{
  FixtureCase what = { "GPT-2", "webgpu", 1, 0, 2, 0, 60, 0 };
  FixtureCase other = { "GPT-2", "cpu", 1, 0, 3, 0, 60, 0 };
  DynoRun *run = fixture_create_run ("Devices");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autoptr (DynoChart) same = NULL;
  g_autoptr (DynoChart) several = NULL;

  what.device = "Radeon 780M";
  other.device = "Ryzen 7";
  g_object_set (run, "machine",
                "{\"backends\": [{\"id\": \"webgpu\", \"devices\": [{\"id\": \"0\", \"name\": \"llvmpipe\", "
                "\"kind\": \"software\"}]}]}",
                NULL);
  fixture_add_case (run, &what);
  fixture_add_case (run, &other);
  same = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  g_assert_cmpstr (dyno_chart_get_series_name (same, 0), ==, "ONNX Runtime (WebGPU)");
  what.device = "llvmpipe";
  fixture_add_case (run, &what);
  several = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  g_assert_cmpuint (dyno_chart_get_n_series (several), ==, 3);
  g_assert_cmpint (find_series (several, "ONNX Runtime (WebGPU) · Radeon 780M"), >=, 0);
  g_assert_cmpint (find_series (several, "ONNX Runtime (WebGPU) · llvmpipe (software)"), >=, 0);
}

static const SuiteTest tests[] = {
  { "/chart/energy/empty", test_empty },
  { "/chart/energy/efficiency", test_efficiency },
  { "/chart/energy/quantities", test_quantities },
  { "/chart/energy/quantities-of-doubtful", test_quantities_of_doubtful },
  { "/chart/energy/timeline", test_timeline },
  { "/chart/energy/panels", test_panels },
  { "/chart/energy/pinning", test_pinning },
  { "/chart/energy/front", test_front },
  { "/chart/energy/estimated", test_estimated },
  { "/chart/energy/estimated-timeline", test_estimated_timeline },
  { "/chart/energy/backing", test_backing },
  { "/chart/energy/mixed", test_mixed },
  { "/chart/energy/threads", test_threads },
  { "/chart/energy/threads-alone", test_threads_alone },
  { "/chart/energy/threads-of-machines", test_threads_of_machines },
  { "/chart/energy/devices", test_devices },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-subject-charts.h"
#include "suite.h"

/* Pictures against those committed in golden/, without a display. Fonts differ between systems, and with them the
 * shapes and the widths of all letters: so the style draws text as bars of a fixed width per letter, and the layout is
 * the same everywhere. Rasterizers differ too, in the shades along edges: so what is compared are the means of blocks
 * of 4 × 4 pixels, which may differ a little everywhere and much in a few places only. For every picture a check shows
 * that the comparison works: it fails when the series, or the marks of what is doubtful, are drawn in the colour of the
 * background. The words are tested in test-chart. DYNO_UPDATE_GOLDEN=1 draws the golden pictures again. */

#define WIDTH      480
#define HEIGHT     320
#define BLOCK      4
#define N_COLUMNS  (WIDTH / BLOCK)
#define N_BLOCKS   (N_COLUMNS * (HEIGHT / BLOCK))
#define MEAN_LIMIT 0.6
#define MUCH       24.0
#define MUCH_SHARE 0.001

typedef struct
{
  const char *name;
  DynoChartKind kind;
  GPtrArray *(*create_runs) (void);
  const DynoChartStyle *(*get_style) (void);
  gboolean disturbed;
  DynoChart *(*create_chart) (void);
  gboolean doubtful;
} Golden;

static GPtrArray *
create_single (void)
{
  return fixture_list (fixture_create_single (), NULL);
}

static GPtrArray *
create_memories (void)
{
  DynoRun *run = fixture_create_sweep ("Laptop", 2, 2);
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      fixture_add_memory (result, 48 + 16 * i, 512);
    }
  return fixture_list (run, NULL);
}

static GPtrArray *
create_three (void)
{
  return fixture_list (fixture_create_sweep ("Laptop", 3, 6), NULL);
}

static GPtrArray *
create_two (void)
{
  return fixture_list (fixture_create_sweep ("Laptop", 2, 4), fixture_create_sweep ("Desktop", 2, 4), NULL);
}

static GPtrArray *
create_threads (void)
{
  return fixture_list (fixture_create_threads (), NULL);
}

static GPtrArray *
create_energies (void)
{
  return fixture_list (fixture_create_energies (), NULL);
}

static GPtrArray *
create_stages (void)
{
  return fixture_list (fixture_create_stages (), NULL);
}

static GPtrArray *
create_estimates (void)
{
  return fixture_list (fixture_create_estimates (), NULL);
}

static GPtrArray *
create_disturbed_sweep (void)
{
  return fixture_list (fixture_disturb (fixture_create_sweep ("Laptop", 1, 6)), NULL);
}

static GPtrArray *
create_disturbed_threads (void)
{
  return fixture_list (fixture_disturb (fixture_create_threads ()), NULL);
}

static GPtrArray *
create_disturbed_energies (void)
{
  return fixture_list (fixture_disturb (fixture_create_energies ()), NULL);
}

static GPtrArray *
create_long (void)
{
  FixtureCase what = { "BERT base uncased", "cpu", 1, 128, 0.4, 0.06, 60000, 40 };
  DynoRun *run = fixture_create_run ("A long run");

  fixture_add_case (run, &what);
  return fixture_list (run, NULL);
}

static DynoChart *
create_forest (void)
{
  g_autoptr (DynoComparison) comparison = fixture_create_comparison ("latency_p50_ms", "ms");

  return dyno_forest_chart_new (comparison);
}

static GPtrArray *
create_modules (void)
{
  return fixture_list (fixture_create_modules (), NULL);
}

static DynoChart *
create_matrix (void)
{
  g_autoptr (DynoRecommendation) recommendation = fixture_create_recommendation ();

  return dyno_matrix_chart_new (recommendation);
}

static DynoChart *
create_roofs (void)
{
  g_autoptr (GPtrArray) ceilings = fixture_create_ceilings ();

  return dyno_roofs_chart_new (ceilings, 8);
}

static DynoChart *
create_history (void)
{
  g_autoptr (DynoHistory) history = fixture_create_history ();

  return dyno_history_chart_new (history);
}

static GPtrArray *
create_generations (void)
{
  return fixture_list (fixture_create_generations (), NULL);
}

static GPtrArray *
create_sustained (void)
{
  return fixture_list (fixture_create_sustained (), NULL);
}

static GPtrArray *
create_load_energies (void)
{
  return fixture_list (fixture_create_load_energies (), NULL);
}

static GPtrArray *
create_endpoints (void)
{
  return fixture_list (fixture_create_endpoints (), NULL);
}

static GPtrArray *
create_loads (void)
{
  return fixture_list (fixture_create_loads (), NULL);
}

static GPtrArray *
create_two_nodes (void)
{
  return fixture_create_nodes (2);
}

static GPtrArray *
create_six_nodes (void)
{
  return fixture_create_nodes (6);
}

static const Golden goldens[] = {
  { "scaling-latency", DYNO_CHART_SCALING_LATENCY, create_three, dyno_chart_style_get_light },
  { "scaling-throughput-dark", DYNO_CHART_SCALING_THROUGHPUT, create_three, dyno_chart_style_get_dark },
  { "scaling-high-contrast", DYNO_CHART_SCALING_LATENCY, create_two, dyno_chart_style_get_high_contrast },
  { "comparison", DYNO_CHART_COMPARISON, create_two, dyno_chart_style_get_light },
  { "nodes-two", DYNO_CHART_NODES, create_two_nodes, dyno_chart_style_get_light },
  { "nodes-six", DYNO_CHART_NODES, create_six_nodes, dyno_chart_style_get_dark },
  { "memory-models", DYNO_CHART_MEMORY_MODELS, create_memories, dyno_chart_style_get_light },
  { "memory", DYNO_CHART_MEMORY, create_single, dyno_chart_style_get_light },
  { "distribution", DYNO_CHART_DISTRIBUTION, create_single, dyno_chart_style_get_light },
  { "distribution-several", DYNO_CHART_DISTRIBUTION, create_two, dyno_chart_style_get_light },
  { "latency-time", DYNO_CHART_LATENCY, create_single, dyno_chart_style_get_dark },
  { "latency-time-decimated", DYNO_CHART_LATENCY, create_long, dyno_chart_style_get_light },
  { "operators", DYNO_CHART_OPERATORS, create_single, dyno_chart_style_get_light },
  { "sustained", DYNO_CHART_SUSTAINED, create_sustained, dyno_chart_style_get_light },
  { "stages", DYNO_CHART_STAGES, create_stages, dyno_chart_style_get_light },
  { "stages-dark", DYNO_CHART_STAGES, create_stages, dyno_chart_style_get_dark },
  { "placement", DYNO_CHART_PLACEMENT, create_modules, dyno_chart_style_get_light },
  { "placement-dark", DYNO_CHART_PLACEMENT, create_modules, dyno_chart_style_get_dark },
  { "roofline", DYNO_CHART_ROOFLINE, create_threads, dyno_chart_style_get_light },
  { "roofline-dark", DYNO_CHART_ROOFLINE, create_energies, dyno_chart_style_get_dark },
  { "roofline-generations", DYNO_CHART_ROOFLINE, create_generations, dyno_chart_style_get_light },
  { "roofline-disturbed", DYNO_CHART_ROOFLINE, create_threads, dyno_chart_style_get_dark, TRUE },
  { "roofline-operators", DYNO_CHART_ROOFLINE_OPERATORS, create_single, dyno_chart_style_get_light },
  { "roofline-modules", DYNO_CHART_ROOFLINE_MODULES, create_modules, dyno_chart_style_get_light },
  { "roofs", 0, NULL, dyno_chart_style_get_light, FALSE, create_roofs },
  { "roofs-dark", 0, NULL, dyno_chart_style_get_dark, FALSE, create_roofs },
  { "bandwidth", DYNO_CHART_BANDWIDTH, create_threads, dyno_chart_style_get_light },
  { "power-efficiency", DYNO_CHART_EFFICIENCY, create_energies, dyno_chart_style_get_light },
  { "power-timeline", DYNO_CHART_POWER, create_single, dyno_chart_style_get_light },
  { "utilisation-timeline", DYNO_CHART_UTILISATION, create_single, dyno_chart_style_get_light },
  { "power-efficiency-estimated", DYNO_CHART_EFFICIENCY, create_estimates, dyno_chart_style_get_dark },
  { "power-timeline-estimated", DYNO_CHART_POWER, create_estimates, dyno_chart_style_get_dark },
  { "energy-latency", DYNO_CHART_ENERGY, create_energies, dyno_chart_style_get_light },
  { "thread-scaling", DYNO_CHART_THREADS, create_threads, dyno_chart_style_get_light },
  { "load-latency", DYNO_CHART_LOAD_LATENCY, create_loads, dyno_chart_style_get_light },
  { "load-latency-dark", DYNO_CHART_LOAD_LATENCY, create_loads, dyno_chart_style_get_dark },
  { "goodput", DYNO_CHART_GOODPUT, create_loads, dyno_chart_style_get_light },
  { "client-scaling", DYNO_CHART_CLIENTS, create_loads, dyno_chart_style_get_light },
  { "system-and-user-rate", DYNO_CHART_ENDPOINTS, create_endpoints, dyno_chart_style_get_light },
  { "energy-rate", DYNO_CHART_ENERGY_RATE, create_load_energies, dyno_chart_style_get_light },
  { "queue-time", DYNO_CHART_QUEUE, create_loads, dyno_chart_style_get_light },
  { "queue-service", DYNO_CHART_QUEUE_SPLIT, create_loads, dyno_chart_style_get_light },
  { "forest", 0, NULL, dyno_chart_style_get_light, FALSE, create_forest },
  { "forest-dark", 0, NULL, dyno_chart_style_get_dark, FALSE, create_forest },
  { "forest-high-contrast", 0, NULL, dyno_chart_style_get_high_contrast, FALSE, create_forest },
  { "pareto", DYNO_CHART_PARETO, create_energies, dyno_chart_style_get_light },
  { "pareto-dark", DYNO_CHART_PARETO, create_energies, dyno_chart_style_get_dark },
  { "matrix", 0, NULL, dyno_chart_style_get_light, FALSE, create_matrix },
  { "matrix-dark", 0, NULL, dyno_chart_style_get_dark, FALSE, create_matrix },
  { "matrix-high-contrast", 0, NULL, dyno_chart_style_get_high_contrast, FALSE, create_matrix },
  { "history", 0, NULL, dyno_chart_style_get_light, FALSE, create_history },
  { "history-dark", 0, NULL, dyno_chart_style_get_dark, FALSE, create_history },
  { "doubtful-scaling", DYNO_CHART_SCALING_LATENCY, create_disturbed_sweep, dyno_chart_style_get_light,
    .doubtful = TRUE },
  { "doubtful-comparison", DYNO_CHART_COMPARISON, create_disturbed_sweep, dyno_chart_style_get_dark,
    .doubtful = TRUE },
  { "doubtful-threads", DYNO_CHART_THREADS, create_disturbed_threads, dyno_chart_style_get_high_contrast,
    .doubtful = TRUE },
  { "doubtful-roofline", DYNO_CHART_ROOFLINE, create_disturbed_threads, dyno_chart_style_get_light,
    .doubtful = TRUE },
  { "doubtful-bandwidth", DYNO_CHART_BANDWIDTH, create_disturbed_threads, dyno_chart_style_get_light,
    .doubtful = TRUE },
  { "doubtful-efficiency", DYNO_CHART_EFFICIENCY, create_disturbed_energies, dyno_chart_style_get_light,
    .doubtful = TRUE },
  { "doubtful-energy", DYNO_CHART_ENERGY, create_disturbed_energies, dyno_chart_style_get_dark,
    .doubtful = TRUE },
};

static DynoChart *
create_chart (const Golden *golden)
{
  g_autoptr (GPtrArray) runs = NULL;
  DynoChart *chart;

  if (golden->create_chart != NULL)
    return golden->create_chart ();
  runs = golden->create_runs ();
  chart = dyno_chart_new (golden->kind, runs);
  if (golden->disturbed)
    fixture_set_disturbed_ceilings (chart, runs, 0.24);
  else
    fixture_set_ceilings (chart, runs);
  return chart;
}

static cairo_surface_t *
draw (const Golden *golden, gboolean broken)
{
  g_autoptr (DynoChart) chart = create_chart (golden);
  DynoChartStyle style = *golden->get_style ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  style.blank_text = TRUE;
  style.font = "Sans 10";
  if (broken && golden->doubtful)
    style.doubt = style.background;
  for (guint i = 0; broken && !golden->doubtful && i < G_N_ELEMENTS (style.series); i++)
    style.series[i] = style.background;
  dyno_chart_render (chart, cr, WIDTH, HEIGHT, &style);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* The mean of each channel in each block. */
static double *
shrink (cairo_surface_t *surface)
{
  double *means = g_new0 (double, 3 * N_BLOCKS);
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guint32 *row = (const guint32 *)(const void *)(data + (gsize)y * stride);
        double *mean = means + 3 * (y / BLOCK * N_COLUMNS + x / BLOCK);

        for (guint channel = 0; channel < 3; channel++)
          mean[channel] += (row[x] >> (8 * channel) & 255) / (double)(BLOCK * BLOCK);
      }
  return means;
}

static gboolean
look_alike (cairo_surface_t *a, cairo_surface_t *b)
{
  g_autofree double *a_means = shrink (a);
  g_autofree double *b_means = shrink (b);
  double sum = 0;
  guint n_much = 0;

  for (guint i = 0; i < 3 * N_BLOCKS; i++)
    {
      double difference = fabs (a_means[i] - b_means[i]);

      sum += difference;
      n_much += difference > MUCH;
    }
  g_test_message ("mean difference %.3f, %u of %d much different", sum / (3 * N_BLOCKS), n_much,
                  3 * N_BLOCKS);
  return sum / (3 * N_BLOCKS) <= MEAN_LIMIT && n_much <= MUCH_SHARE * 3 * N_BLOCKS;
}

static cairo_surface_t *
load (const char *path)
{
  cairo_surface_t *file = cairo_image_surface_create_from_png (path);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  g_assert_cmpstr (cairo_status_to_string (cairo_surface_status (file)), ==,
                   cairo_status_to_string (CAIRO_STATUS_SUCCESS));
  g_assert_cmpint (cairo_image_surface_get_width (file), ==, WIDTH);
  g_assert_cmpint (cairo_image_surface_get_height (file), ==, HEIGHT);
  cairo_set_source_surface (cr, file, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (file);
  cairo_surface_flush (surface);
  return surface;
}

static void
test_golden (gconstpointer data)
{
  const Golden *golden = data;
  g_autofree char *file = g_strconcat (golden->name, ".png", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "chart", "golden", file, NULL);
  cairo_surface_t *drawn = draw (golden, FALSE);
  cairo_surface_t *broken = draw (golden, TRUE);
  cairo_surface_t *expected;

  if (g_getenv ("DYNO_UPDATE_GOLDEN") != NULL)
    g_assert_cmpint (cairo_surface_write_to_png (drawn, path), ==, CAIRO_STATUS_SUCCESS);
  expected = load (path);
  g_assert_true (look_alike (drawn, expected));
  g_assert_false (look_alike (broken, expected));
  cairo_surface_destroy (drawn);
  cairo_surface_destroy (broken);
  cairo_surface_destroy (expected);
}

static void
add_tests (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (goldens); i++)
    {
      g_autofree char *path = g_strconcat ("/chart/golden/", goldens[i].name, NULL);

      g_test_add_data_func (path, &goldens[i], test_golden);
    }
}

SUITE_ADD (add_tests)

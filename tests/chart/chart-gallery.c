/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-export.h"
#include "dyno-store.h"
#include "dyno-subject-charts.h"

/* Draws every chart in every style and size into a folder, to be looked at: of made-up runs, or of runs in a store. */

static const struct
{
  const char *name;
  double width;
  double height;
} sizes[] = { { "small", 360, 300 }, { "middle", 720, 420 }, { "large", 1600, 900 } };

static void
draw (DynoChart *chart,
      const char *folder,
      const char *name,
      guint size,
      const char *style_name,
      const DynoChartStyle *style)
{
  g_autofree char *file = g_strdup_printf ("%s-%s-%s.png", name, sizes[size].name, style_name);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (GError) error = NULL;

  if (!dyno_chart_export (chart, path, DYNO_IMAGE_PNG, sizes[size].width, sizes[size].height, style, &error))
    g_error ("%s", error->message);
}

static void
draw_chart (DynoChart *chart, const char *full, const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    draw (chart, folder, full, i, "light", dyno_chart_style_get_light ());
  draw (chart, folder, full, 0, "dark", dyno_chart_style_get_dark ());
  draw (chart, folder, full, 1, "dark", dyno_chart_style_get_dark ());
  draw (chart, folder, full, 1, "contrast", dyno_chart_style_get_high_contrast ());
  dyno_chart_hover (chart, 400, 250);
  draw (chart, folder, full, 1, "hover", dyno_chart_style_get_light ());
  dyno_chart_unhover (chart);
  g_print ("%s: %s\n", full, dyno_chart_get_finding (chart));
  for (guint i = 1; i < dyno_chart_get_n_aspects (chart); i++)
    {
      g_autofree char *aspect = g_strdup_printf ("%s-%u", full, i);

      dyno_chart_set_aspect (chart, i);
      draw (chart, folder, aspect, 1, "light", dyno_chart_style_get_light ());
      g_print ("%s: %s\n", aspect, dyno_chart_get_finding (chart));
    }
}

static void
draw_disturbed (const char *folder, GPtrArray *runs)
{
  static const DynoChartKind kinds[] = { DYNO_CHART_ROOFLINE, DYNO_CHART_ROOFLINE_OPERATORS };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kinds[i], runs);
      g_autofree char *full = g_strdup_printf ("%s-disturbed", dyno_chart_kind_to_string (kinds[i]));

      fixture_set_disturbed_ceilings (chart, runs, 0.24);
      draw_chart (chart, full, folder);
    }
}

static void
take_ceilings (DynoChart *chart, GPtrArray *runs, DynoStore *store)
{
  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) ceilings =
          dyno_store_load_ceilings (store, dyno_run_get_machine (runs->pdata[i]), &error);

      if (ceilings == NULL)
        g_error ("%s", error->message);
      dyno_chart_set_ceilings (chart, runs->pdata[i], ceilings);
    }
}

/* With the ceilings that @store keeps, or made-up ones. */
static void
draw_runs (const char *name, const char *folder, GPtrArray *runs, DynoStore *store)
{
  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);
      g_autofree char *full = g_strdup_printf ("%s-%s", dyno_chart_kind_to_string (kind), name);

      if (store == NULL)
        fixture_set_ceilings (chart, runs);
      else
        take_ceilings (chart, runs, store);
      if (dyno_chart_get_empty_message (chart) == NULL)
        draw_chart (chart, full, folder);
      else
        g_print ("%s: %s\n", full, dyno_chart_get_empty_message (chart));
    }
}

static int
draw_stored (const char *folder, const char *path, char **ids)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) store = dyno_store_open (path, &error);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (char **id = ids; store != NULL && *id != NULL; id++)
    {
      DynoRun *run = dyno_store_load_run (store, *id, &error);

      if (run == NULL)
        g_error ("%s", error->message);
      g_ptr_array_add (runs, run);
    }
  if (store == NULL)
    g_error ("%s", error->message);
  draw_runs ("stored", folder, runs, store);
  return EXIT_SUCCESS;
}

static void
draw_comparison (const char *folder)
{
  g_autoptr (DynoComparison) comparison = fixture_create_comparison ("latency_p50_ms", "ms");
  g_autoptr (DynoChart) chart = dyno_forest_chart_new (comparison);

  draw_chart (chart, "forest", folder);
}

static void
draw_recommendation (const char *folder)
{
  g_autoptr (DynoRecommendation) recommendation = fixture_create_recommendation ();
  g_autoptr (DynoChart) chart = dyno_matrix_chart_new (recommendation);

  draw_chart (chart, "matrix", folder);
}

static void
draw_roofs (const char *folder)
{
  g_autoptr (GPtrArray) ceilings = fixture_create_ceilings ();
  g_autoptr (DynoChart) chart = dyno_roofs_chart_new (ceilings, 8);

  draw_chart (chart, "roofs", folder);
}

static void
draw_fixtures (const char *folder)
{
  g_autoptr (GPtrArray) single = fixture_list (fixture_create_single (), NULL);
  g_autoptr (GPtrArray) three = fixture_list (fixture_create_sweep ("Laptop", 3, 6), NULL);
  g_autoptr (GPtrArray) twelve = fixture_list (fixture_create_sweep ("Laptop", 12, 5), NULL);
  g_autoptr (GPtrArray) two =
      fixture_list (fixture_create_sweep ("Laptop on battery, power saver profile", 2, 5),
                    fixture_create_sweep ("Workstation after the upgrade of the runtime", 2, 5), NULL);
  g_autoptr (GPtrArray) again =
      fixture_list (fixture_create_sweep ("Again", 1, 3), fixture_create_sweep ("Again", 2, 3),
                    fixture_create_sweep ("Again", 3, 2), NULL);
  g_autoptr (GPtrArray) modules = fixture_list (fixture_create_modules (), NULL);
  g_autoptr (GPtrArray) sustained = fixture_list (fixture_create_sustained (), NULL);
  g_autoptr (GPtrArray) threads = fixture_list (fixture_create_threads (), NULL);
  g_autoptr (GPtrArray) energies = fixture_list (fixture_create_energies (), NULL);
  g_autoptr (GPtrArray) stages = fixture_list (fixture_create_stages (), NULL);
  g_autoptr (GPtrArray) estimates = fixture_list (fixture_create_estimates (), NULL);
  g_autoptr (GPtrArray) nodes = fixture_create_nodes (6);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (DynoResult) result =
          g_list_model_get_item (dyno_run_get_results (g_ptr_array_index (three, 0)), i * 4);

      fixture_add_memory (result, 40, 200 + 90 * i);
      fixture_add_operators (result, 6, i % 2 == 1);
    }
  draw_runs ("single", folder, single, NULL);
  draw_runs ("modules", folder, modules, NULL);
  draw_runs ("sustained", folder, sustained, NULL);
  draw_disturbed (folder, single);
  draw_runs ("three", folder, three, NULL);
  draw_runs ("twelve", folder, twelve, NULL);
  draw_runs ("two", folder, two, NULL);
  draw_runs ("again", folder, again, NULL);
  draw_runs ("threads", folder, threads, NULL);
  draw_runs ("energies", folder, energies, NULL);
  draw_runs ("stages", folder, stages, NULL);
  draw_runs ("estimates", folder, estimates, NULL);
  draw_runs ("nodes", folder, nodes, NULL);
  draw_comparison (folder);
  draw_recommendation (folder);
  draw_roofs (folder);
}

/* chart-gallery FOLDER [STORE RUN…] */
int
main (int argc, char **argv)
{
  if (argc != 2 && argc < 4)
    return EXIT_FAILURE;
  if (argc > 2)
    return draw_stored (argv[1], argv[2], argv + 3);
  draw_fixtures (argv[1]);
  return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-bootstrap.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-layers-private.h"
#include "dyno-latency-interval.h"
#include "dyno-run.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

/* A fixed seed: the same medians always give the same interval. */
#define SEED 1

/* The margin around the values, as a share of their range; and the ratio of the values from which on the axis
 * is logarithmic. */
#define MARGIN 0.08

/* The distance of the points of a row, for moving the cursor with keys. */
#define PLACE 1e-4

/* The runs of a case on one node: usually only one. */
typedef struct
{
  char *name;
  GPtrArray *cases;
  double median;
} Node;

/* A case and its nodes, from the fastest to the slowest. The same device of the plan usually has another name
 * on another node. */
typedef struct
{
  char *name;
  GPtrArray *nodes;
  double median;
  double low;
  double high;
} Row;

static void
free_node (gpointer data)
{
  Node *node = data;

  g_free (node->name);
  g_ptr_array_unref (node->cases);
  g_free (node);
}

static void
free_row (gpointer data)
{
  Row *row = data;

  g_ptr_array_unref (row->nodes);
  g_free (row->name);
  g_free (row);
}

static double
get_latency (const DynoChartCase *kase)
{
  return dyno_result_get_number (kase->result, "latency_p50_ms");
}

static gboolean
has_latency (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "latency_p50_ms"));
}

static const Node *
get_node (const Row *row, guint index)
{
  return g_ptr_array_index (row->nodes, index);
}

static const Node *
get_slowest (const Row *row)
{
  return get_node (row, row->nodes->len - 1);
}

static const DynoChartCase *
get_case (const Row *row)
{
  return get_node (row, 0)->cases->pdata[0];
}

static double
get_spread (const Row *row)
{
  return get_slowest (row)->median / get_node (row, 0)->median - 1;
}

/* Collecting */

static char *
dup_words (const DynoChartCase *kase, guint dimensions)
{
  g_autofree char *name = dyno_chart_cases_dup_name (kase, dimensions & ~(guint)DYNO_DIMENSION_DEVICE);
  const char *device = dyno_case_get_device (dyno_result_get_case (kase->result));

  return *device != '\0' ? g_strdup_printf ("%s · %s", name, device) : g_steal_pointer (&name);
}

static GPtrArray *
collect_rows (GPtrArray *cases)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);
  /* By run, so that each machine record is read once. */
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) by_identity = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cases->len; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (cases, i);
      g_autofree char *identity = dup_words (kase, DYNO_ALL_DIMENSIONS & ~(guint)DYNO_DIMENSION_RUN);
      Row *row = g_hash_table_lookup (by_identity, identity);

      if (row == NULL)
        {
          row = g_new0 (Row, 1);
          row->nodes = g_ptr_array_new_with_free_func (free_node);
          g_ptr_array_add (rows, row);
          g_hash_table_insert (by_identity, g_steal_pointer (&identity), row);
        }
      if (!g_hash_table_contains (names, kase->run))
        {
          g_autoptr (DynoRunPlace) place = dyno_run_place_new (kase->run);

          g_hash_table_insert (names, kase->run, g_strdup (place->node));
        }
      const char *name = g_hash_table_lookup (names, kase->run);
      Node *node = NULL;
      for (guint k = 0; node == NULL && k < row->nodes->len; k++)
        if (g_str_equal (get_node (row, k)->name, name))
          node = row->nodes->pdata[k];
      if (node == NULL)
        {
          node = g_new0 (Node, 1);
          node->name = g_strdup (name);
          node->cases = g_ptr_array_new ();
          g_ptr_array_add (row->nodes, node);
        }
      g_ptr_array_add (node->cases, kase);
    }
  return rows;
}

/* Computing */

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  double left = (*(Node *const *)a)->median;
  double right = (*(Node *const *)b)->median;

  return (left > right) - (left < right);
}

static void
complete_row (Row *row)
{
  guint n = row->nodes->len;
  g_autofree double *medians = g_new (double, n);
  DynoInterval interval;

  for (guint i = 0; i < n; i++)
    {
      Node *node = row->nodes->pdata[i];
      g_autofree double *latencies = g_new (double, node->cases->len);

      for (guint k = 0; k < node->cases->len; k++)
        latencies[k] = get_latency (node->cases->pdata[k]);
      dyno_stats_sort (latencies, node->cases->len);
      node->median = dyno_stats_percentile (latencies, node->cases->len, 50);
    }
  g_ptr_array_sort (row->nodes, compare_nodes);
  for (guint i = 0; i < n; i++)
    medians[i] = get_node (row, i)->median;
  row->median = dyno_stats_percentile (medians, n, 50);

  /* As with processes: a few of them give a range, more of them an interval. The chart shows nodes, not the
   * steps within them, because nodes differ far more. */
  row->low = medians[0];
  row->high = medians[n - 1];
  if (n < DYNO_INTERVAL_MIN_PROCESSES)
    return;
  g_autofree DynoSample *samples = g_new (DynoSample, n);
  for (guint i = 0; i < n; i++)
    samples[i] = (DynoSample){ &medians[i], 1 };
  g_autoptr (DynoBootstrap) bootstrap = dyno_bootstrap_new_median (samples, n, SEED);
  dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
  row->low = interval.low;
  row->high = interval.high;
}

static gboolean
has_several_devices (const Row *row)
{
  const char *device = dyno_result_get_device (get_case (row)->result);

  for (guint i = 1; i < row->nodes->len; i++)
    {
      const DynoChartCase *kase = get_node (row, i)->cases->pdata[0];

      if (g_strcmp0 (dyno_result_get_device (kase->result), device) != 0)
        return TRUE;
    }
  return FALSE;
}

/* Words */

/* Returns NULL if rows have different numbers of nodes. */
static char *
dup_common_words (GPtrArray *rows)
{
  guint n = ((const Row *)rows->pdata[0])->nodes->len;

  for (guint i = 1; i < rows->len; i++)
    if (((const Row *)rows->pdata[i])->nodes->len != n)
      return NULL;
  if (n < DYNO_INTERVAL_MIN_PROCESSES)
    /* Translators: from the lowest to the highest; there are two nodes or more */
    return g_strdup_printf (_ ("range over %u nodes"), n);
  /* Translators: there are five nodes or more */
  return g_strdup_printf (_ ("95 %% interval of the median over %u nodes"), n);
}

static char *
describe (GPtrArray *rows)
{
  const Row *widest = rows->pdata[0];

  for (guint i = 1; i < rows->len; i++)
    widest = get_spread (rows->pdata[i]) > get_spread (widest) ? rows->pdata[i] : widest;
  g_autofree char *least = dyno_unit_format (get_node (widest, 0)->median, "ms");
  g_autofree char *most = dyno_unit_format (get_slowest (widest)->median, "ms");
  g_autofree char *percent = dyno_unit_format_percent (get_spread (widest) * 100);
  if (rows->len == 1)
    /* Translators: a case; its lowest latency and the node of that; its highest one, with the node, and by how much that
     * is higher */
    return g_strdup_printf (_ ("%s takes from %s on %s to %s on %s, %s %% more."), widest->name, least,
                            get_node (widest, 0)->name, most, get_slowest (widest)->name, percent);
  /* Translators: a case; its lowest latency and the node of that; its highest one, with the node, and by how much that is
   * higher */
  return g_strdup_printf (_ ("%s spreads most: from %s on %s to %s on %s, %s %% more."), widest->name, least,
                          get_node (widest, 0)->name, most, get_slowest (widest)->name, percent);
}

/* Drawing */

static void
get_range (GPtrArray *rows, double *least, double *most)
{
  *least = INFINITY;
  *most = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = rows->pdata[i];

      *least = MIN (*least, MIN (get_node (row, 0)->median, row->low));
      *most = MAX (*most, MAX (get_slowest (row)->median, row->high));
    }
}

static void
add_node (DynoSeries *points, const Node *node, double place)
{
  g_autofree char *value = dyno_unit_format (node->median, "ms");
  g_autofree char *text = g_strdup_printf ("%s: %s", node->name, value);
  guint index = dyno_series_get_length (points);

  if (!dyno_series_add_with_text (points, place, node->median, text))
    return;
  for (guint i = node->cases->len; i > 0; i--)
    {
      const DynoChartCase *kase = node->cases->pdata[i - 1];
      DynoDoubt doubt = dyno_chart_cases_get_doubt (kase->result, "latency_p50_ms");

      dyno_series_set_subject (points, index, kase->subject);
      dyno_series_set_doubt (points, index, MAX (doubt, dyno_series_get_doubt (points, index)));
    }
}

static void
draw_rows (DynoChart *chart, GPtrArray *rows)
{
  g_autoptr (DynoSeries) points = dyno_series_new (_ ("Node"), 0);
  g_autoptr (DynoSeries) medians = dyno_series_new (_ ("Median of the nodes"), 1);
  DynoAxis *names = dyno_category_axis_new (_ ("Case"));
  double least, most;

  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = rows->pdata[i];
      guint number = dyno_category_axis_add (DYNO_CATEGORY_AXIS (names), row->name);
      g_autofree char *median = dyno_unit_format (row->median, "ms");
      g_autofree char *low = dyno_unit_format (row->low, "ms");
      g_autofree char *high = dyno_unit_format (row->high, "ms");
      /* Translators: a case, its median latency, and the 95 % interval of that */
      g_autofree char *text = g_strdup_printf (_ ("%s: %s, between %s and %s"), row->name, median, low, high);
      guint index = dyno_series_get_length (medians);

      if (dyno_series_add_with_band (medians, number, row->median, row->low, row->high))
        dyno_series_set_text (medians, index, text);
      for (guint k = 0; k < row->nodes->len; k++)
        add_node (points, get_node (row, k), number + (k + 1) * PLACE);
    }
  /* Small differences are only visible if zero is not on the axis. */
  get_range (rows, &least, &most);
  DynoAxis *axis = dyno_log_axis_new_around (_ ("Median latency"), "ms", least, most, MARGIN, MARGIN);
  dyno_axis_set_zoomable (axis, TRUE);
  dyno_chart_take_axes (chart, axis, names);
  dyno_chart_add_series (chart, medians);
  dyno_chart_add_series (chart, points);
  dyno_chart_take_layer (chart, dyno_spread_layer_new (points));
  dyno_chart_take_layer (chart, dyno_spread_layer_new (medians));
}

/* The table */

static void
add_rows (DynoChart *chart, GPtrArray *rows, GPtrArray *cases)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  guint n_ranges = 0;
  double least, most;
  const char *from, *to;

  for (guint i = 0; i < rows->len; i++)
    n_ranges += ((const Row *)rows->pdata[i])->nodes->len < DYNO_INTERVAL_MIN_PROCESSES;
  if (n_ranges == 0)
    {
      from = /* xgettext:no-c-format */ _ ("95 % interval from");
      to = /* xgettext:no-c-format */ _ ("95 % interval to");
    }
  else
    {
      gboolean mixed = n_ranges < rows->len;

      from = mixed ? /* xgettext:no-c-format */ _ ("95 % interval or range from") : _ ("Range from");
      to = mixed ? /* xgettext:no-c-format */ _ ("95 % interval or range to") : _ ("Range to");
    }
  dyno_chart_table_add_case_columns (table, cases, 0);
  dyno_chart_table_add_column (table, _ ("Node"));
  get_range (rows, &least, &most);
  dyno_chart_table_add_quantity (table, _ ("Median latency"), "ms", least, most);
  dyno_chart_table_add_quantity (table, _ ("Median of the nodes"), "ms", least, most);
  dyno_chart_table_add_quantity (table, from, "ms", least, most);
  dyno_chart_table_add_quantity (table, to, "ms", least, most);
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = rows->pdata[i];

      for (guint k = 0; k < row->nodes->len; k++)
        for (guint m = 0; m < get_node (row, k)->cases->len; m++)
          {
            const Node *node = get_node (row, k);
            const DynoChartCase *kase = node->cases->pdata[m];

            dyno_chart_table_begin_row (table, kase);
            dyno_chart_table_add_text (table, node->name);
            dyno_chart_table_add_number (table, get_latency (kase));
            dyno_chart_table_add_number (table, row->median);
            dyno_chart_table_add_number (table, row->low);
            dyno_chart_table_add_number (table, row->high);
          }
    }
}

static void
fill_chart (DynoChart *chart, GPtrArray *rows, guint n_left_out)
{
  g_autoptr (GPtrArray) cases = g_ptr_array_new ();
  g_autofree char *words = dup_common_words (rows);
  gboolean mix_devices = FALSE;

  for (guint i = 0; i < rows->len; i++)
    for (guint k = 0; k < ((Row *)rows->pdata[i])->nodes->len; k++)
      g_ptr_array_extend (cases, get_node (rows->pdata[i], k)->cases, NULL, NULL);
  guint varying = dyno_chart_cases_get_varying (cases) & ~(guint)DYNO_DIMENSION_RUN;
  /* If a row has several devices, no row names its device. */
  for (guint i = 0; i < rows->len && varying & DYNO_DIMENSION_DEVICE; i++)
    mix_devices = mix_devices || has_several_devices (rows->pdata[i]);
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = rows->pdata[i];

      row->name = mix_devices ? dup_words (get_case (row), varying)
                              : dyno_chart_cases_dup_name (get_case (row), varying);
    }
  draw_rows (chart, rows);
  g_autofree char *caption = dyno_chart_cases_dup_caption (cases, 0);
  g_autofree char *left_out =
      g_strdup_printf (ngettext ("%u case was measured on one node only and is not drawn.",
                                 "%u cases were measured on one node only and are not drawn.", n_left_out),
                       n_left_out);
  dyno_chart_take_caption (
      chart, n_left_out == 0 ? g_strdup (caption)
                             : g_strdup_printf ("%s%s%s", caption, *caption != '\0' ? "\n" : "", left_out));
  if (words == NULL)
    words = g_strdup (
        /* xgettext:no-c-format */ _ (
            "95 % interval of the median over the nodes; range of fewer than five"));
  /* Translators: %s is what the whiskers are, such as “95 % interval of the median over 5 processes” */
  dyno_chart_take_note (chart, g_strdup_printf (_ ("Whiskers: %s."), words));
  dyno_chart_tell_doubtful (chart, cases);
  dyno_chart_take_finding (chart, describe (rows));
  add_rows (chart, rows, cases);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) measured = dyno_chart_cases_select (cases, has_latency, G_MAXUINT);

  dyno_chart_take_title (chart, g_strdup (_ ("Latency by node")));
  dyno_chart_set_empty_message (chart,
                                _ ("This chart compares the same cases on several nodes of a cluster."));
  if (!dyno_run_place_is_shared (dyno_chart_get_runs (chart)))
    return;
  g_autoptr (GPtrArray) rows = collect_rows (measured);
  guint n_rows = rows->len;
  for (guint i = n_rows; i > 0; i--)
    if (((Row *)rows->pdata[i - 1])->nodes->len < 2)
      g_ptr_array_remove_index (rows, i - 1);
  for (guint i = 0; i < rows->len; i++)
    complete_row (rows->pdata[i]);
  if (rows->len > 0)
    fill_chart (chart, rows, n_rows - rows->len);
}

const DynoChartInfo dyno_nodes_chart = {
  .name = "nodes",
  .label = N_ ("Latency by node"),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_IS_WIDE,
  .build = build,
};

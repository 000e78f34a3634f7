/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-roofline.h"
#include "dyno-unit.h"

/* A straight line is a curve on an axis of doublings; this many points look like one. */
#define N_IDEAL 64

static const DynoLoadColumn columns[] = {
  { N_ ("Clients"), G_STRUCT_OFFSET (DynoLoadMark, clients) },
  { N_ ("Answered (1/s)"), G_STRUCT_OFFSET (DynoLoadMark, answered) },
  { N_ ("Median (ms)"), G_STRUCT_OFFSET (DynoLoadMark, p50) },
  { N_ ("99th percentile (ms)"), G_STRUCT_OFFSET (DynoLoadMark, p99) },
};

/* Creates the ideal line: the throughput per client at the lowest number of clients, times the number of
 * clients, as far as there is room. */
static DynoSeries *
create_ideal (DynoSeries *throughput, double most)
{
  DynoSeries *ideal = dyno_series_new (dyno_series_get_name (throughput), dyno_series_get_slot (throughput));
  double first = dyno_series_get_x (throughput)[0];
  double last = dyno_series_get_x (throughput)[dyno_series_get_length (throughput) - 1];
  double each = dyno_series_get_y (throughput)[0] / first;
  double ratio = MAX (MIN (last, most / each) / first, 1);

  for (guint i = 0; i <= N_IDEAL && isfinite (ratio); i++)
    {
      double clients = first * pow (ratio, (double)i / N_IDEAL);

      dyno_series_add (ideal, clients, clients * each);
    }
  dyno_series_set_leader (ideal, throughput);
  return ideal;
}

static void
add_rule (DynoLayer *rules, GArray *known, const DynoChartCase *kase)
{
  const char *machine = dyno_run_get_machine (kase->run);
  g_autofree char *device = dyno_roofline_dup_device (dyno_result_get_case (kase->result), machine);
  double clients = 0;

  /* So many clients have a core for each of their threads, if that is a whole number on the processor. */
  if (g_str_equal (device, "cpu") && kase->n_threads > 0 &&
      dyno_roofline_count_cores (machine) % kase->n_threads == 0)
    clients = (double)dyno_roofline_count_cores (machine) / kase->n_threads;
  for (guint i = 0; i < known->len; i++)
    if (g_array_index (known, double, i) == clients)
      return;
  g_array_append_val (known, clients);
  if (clients <= 0)
    return;
  g_autofree char *label = g_strdup_printf (
      /* Translators: the threads of so many clients are as many as there are cores */
      ngettext ("%g client has all cores", "%g clients have all cores", (guint)clients), clients);
  dyno_rule_layer_add (DYNO_RULE_LAYER (rules), clients, label);
}

static double
set_axes (DynoChart *chart, GPtrArray *cases, GArray *marks)
{
  DynoAxis *x_axis = dyno_log_axis_new (_ ("Clients"), "", 2);
  double most = 0, longest = 0;

  for (guint i = 0; i < marks->len; i++)
    {
      most = MAX (most, g_array_index (marks, DynoLoadMark, i).answered);
      longest = MAX (longest, g_array_index (marks, DynoLoadMark, i).p50);
    }
  most *= 1.3;
  dyno_axis_set_range (x_axis, g_array_index (marks, DynoLoadMark, 0).clients,
                       g_array_index (marks, DynoLoadMark, marks->len - 1).clients);
  dyno_chart_take_axes (
      chart, x_axis,
      dyno_linear_axis_new_nice (_ ("Throughput"), dyno_chart_cases_get_unit (cases, "1/s"), 0, most));
  dyno_chart_take_lower_axis (chart, dyno_linear_axis_new_nice (_ ("Median latency"), "ms", 0, longest));
  return most;
}

static void
create_series (GPtrArray *cases, GArray *marks, GPtrArray *throughputs, GPtrArray *latencies)
{
  for (guint i = 0; i < marks->len; i++)
    {
      const DynoLoadMark *mark = &g_array_index (marks, DynoLoadMark, i);
      DynoSeries *throughput = dyno_load_points_find_series (throughputs, cases, mark, _ ("closed loops"), 0);
      DynoSeries *latency = dyno_load_points_find_series (latencies, cases, mark, _ ("closed loops"), 0);
      g_autofree char *answered = dyno_load_points_format (mark, mark->answered);
      g_autofree char *median = dyno_unit_format (mark->p50, "ms");
      g_autofree char *text =
          g_strdup_printf (ngettext ("%g client: %s, median latency %s", "%g clients: %s, median latency %s",
                                     (guint)mark->clients),
                           mark->clients, answered, median);

      if (!dyno_series_has_leader (latency))
        dyno_series_set_leader (latency, throughput);
      if (dyno_series_add_with_text (throughput, mark->clients, mark->answered, text))
        {
          dyno_series_set_subject (throughput, dyno_series_get_length (throughput) - 1, mark->kase->subject);
          dyno_series_add (latency, mark->clients, mark->p50);
        }
    }
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GArray) marks = dyno_load_points_list (cases, FALSE, G_STRUCT_OFFSET (DynoLoadMark, clients));
  g_autoptr (GPtrArray) throughputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) latencies = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (double));
  DynoLayer *rules = dyno_rule_layer_new ();

  create_series (cases, marks, throughputs, latencies);
  double most = set_axes (chart, cases, marks);
  /* A rule marks the number of clients beyond which they share cores. */
  for (guint i = 0; i < marks->len; i++)
    add_rule (rules, known, g_array_index (marks, DynoLoadMark, i).kase);
  dyno_chart_take_layer (chart, rules);
  for (guint i = 0; i < throughputs->len; i++)
    {
      g_autoptr (DynoSeries) ideal = create_ideal (throughputs->pdata[i], most);

      dyno_chart_add_series (chart, throughputs->pdata[i]);
      dyno_chart_take_layer (chart, dyno_guide_layer_new (ideal, FALSE));
      dyno_chart_take_layer (chart, dyno_line_layer_new (throughputs->pdata[i]));
      dyno_chart_take_lower_layer (chart, dyno_line_layer_new (latencies->pdata[i]));
    }
  dyno_load_points_add_rows (chart, cases, columns, G_N_ELEMENTS (columns), marks, NULL);
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, DYNO_DIMENSION_LOAD));
  const DynoLoadMark *best = &g_array_index (marks, DynoLoadMark, 0);
  for (guint i = 1; i < marks->len; i++)
    if (g_array_index (marks, DynoLoadMark, i).answered > best->answered)
      best = &g_array_index (marks, DynoLoadMark, i);
  g_autofree char *highest = dyno_load_points_format (best, best->answered);
  dyno_chart_take_finding (
      chart, g_strdup_printf (ngettext ("Throughput is highest with %g client: %s.",
                                        "Throughput is highest with %g clients: %s.", (guint)best->clients),
                              best->clients, highest));
  dyno_chart_take_note (chart, dyno_load_points_dup_note (cases));
}

const DynoChartInfo dyno_clients_chart = {
  .name = "client-scaling",
  .label = N_ ("Concurrency scaling"),
  .empty = N_ ("No clients were measured at the same time. Choose a load such as “concurrent=1,2,4”."),
  .group = DYNO_CHART_GROUP_SPEED,
  .has_data = dyno_load_points_has_loops,
  .build = build,
};

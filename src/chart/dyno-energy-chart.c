/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-bubble-layer.h"
#include "dyno-chart-cases.h"
#include "dyno-energy-chart.h"
#include "dyno-guide-layer.h"
#include "dyno-linear-axis.h"
#include "dyno-log-axis.h"
#include "dyno-unit.h"

/* Beyond this ratio of the greatest to the least, equal ratios get equal room. */
#define LOG_RATIO 8
/* Room around the points, as a share. */
#define ROOM 0.12

static double
get_latency (const DynoChartCase *kase)
{
  return dyno_result_get_number (kase->result, "latency_p50_ms");
}

static double
get_energy (const DynoChartCase *kase)
{
  return dyno_result_get_number (kase->result, "energy_per_item_joules");
}

static gboolean
has_both (DynoResult *result)
{
  return dyno_result_get_number (result, "latency_p50_ms") > 0 &&
         dyno_result_get_number (result, "energy_per_item_joules") > 0;
}

static gboolean
is_estimated (const DynoChartCase *kase)
{
  return dyno_chart_cases_is_estimated (kase->result, "energy_per_item_joules");
}

static int
compare_latencies (gconstpointer a, gconstpointer b)
{
  const DynoChartCase *left = *(DynoChartCase *const *)a;
  const DynoChartCase *right = *(DynoChartCase *const *)b;

  if (get_latency (left) != get_latency (right))
    return get_latency (left) < get_latency (right) ? -1 : 1;
  return get_energy (left) < get_energy (right) ? -1 : get_energy (left) > get_energy (right);
}

/* Those of the sorted cases to which none is better in one and no worse in the other. What was measured is not
 * compared with what was estimated, which has no front where both are shown. */
static GPtrArray *
find_front (GPtrArray *sorted)
{
  GPtrArray *front = g_ptr_array_new ();
  gboolean any_measured = FALSE;
  double least = INFINITY;

  for (guint i = 0; i < sorted->len; i++)
    any_measured |= !is_estimated (g_ptr_array_index (sorted, i));
  for (guint i = 0; i < sorted->len; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (sorted, i);

      if (get_energy (kase) >= least || (any_measured && is_estimated (kase)))
        continue;
      least = get_energy (kase);
      g_ptr_array_add (front, kase);
    }
  return front;
}

static DynoAxis *
create_axis (GPtrArray *cases, double (*get) (const DynoChartCase *kase), const char *title, const char *unit)
{
  DynoAxis *axis;
  double least = INFINITY;
  double most = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      least = MIN (least, get (g_ptr_array_index (cases, i)));
      most = MAX (most, get (g_ptr_array_index (cases, i)));
    }
  if (most / least > LOG_RATIO)
    {
      axis = dyno_log_axis_new (title, unit, 10);
      dyno_axis_set_range (axis, least / pow (most / least, ROOM), most * pow (most / least, ROOM));
    }
  else
    {
      axis = dyno_linear_axis_new (title, unit);
      dyno_linear_axis_set_nice_range (axis, 0, most * (1 + ROOM));
    }
  dyno_axis_set_zoomable (axis, TRUE);
  return axis;
}

static DynoSeries *
find_series (GPtrArray *all, const DynoChartCase *kase, guint dimensions)
{
  g_autofree char *plain = dyno_chart_cases_dup_name (kase, dimensions);
  /* Translators: a series of points, whose energy was estimated, not measured */
  g_autofree char *name =
      is_estimated (kase) ? g_strdup_printf (_ ("%s, estimated"), plain) : g_strdup (plain);

  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (dyno_series_get_name (g_ptr_array_index (all, i)), name))
      return g_ptr_array_index (all, i);
  g_ptr_array_add (all, dyno_series_new (name, all->len));
  return g_ptr_array_index (all, all->len - 1);
}

static void
add_point (GPtrArray *all, const DynoChartCase *kase, guint varying, guint dimensions)
{
  DynoSeries *series = find_series (all, kase, dimensions);
  g_autofree char *name = dyno_chart_cases_dup_name (kase, varying);
  g_autofree char *label =
      varying & ~dimensions ? dyno_chart_cases_dup_label (kase, varying & ~dimensions) : NULL;
  g_autofree char *latency = dyno_unit_format (get_latency (kase), "ms");
  g_autofree char *energy = dyno_unit_format (get_energy (kase), "J");
  /* Translators: a case, its latency, and the energy it needs for an item */
  g_autofree char *text = g_strdup_printf (_ ("%s: %s, %s an item"), name, latency, energy);
  guint index = dyno_series_get_length (series);

  dyno_series_add_with_text (series, get_latency (kase), get_energy (kase), text);
  dyno_series_set_label (series, index, label);
  dyno_series_set_subject (series, index, kase->result);
}

static DynoSeries *
create_front (GPtrArray *front, guint slot)
{
  DynoSeries *series = dyno_series_new (_ ("Best trade-offs (Pareto front)"), slot);

  for (guint i = 0; i < front->len; i++)
    dyno_series_add (series, get_latency (g_ptr_array_index (front, i)),
                     get_energy (g_ptr_array_index (front, i)));
  return series;
}

static char *
describe (GPtrArray *cases, GPtrArray *front, guint varying)
{
  const DynoChartCase *fastest = g_ptr_array_index (front, 0);
  const DynoChartCase *thriftiest = g_ptr_array_index (front, front->len - 1);
  g_autofree char *fast = dyno_chart_cases_dup_name (fastest, varying);
  g_autofree char *thrifty = dyno_chart_cases_dup_name (thriftiest, varying);
  g_autofree char *latency = dyno_unit_format (get_latency (fastest), "ms");
  g_autofree char *energy = dyno_unit_format (get_energy (thriftiest), "J");

  if (cases->len == 1)
    return g_strdup_printf (_ ("A step of %s takes %s, an item %s."), fast, latency, energy);
  if (front->len == 1)
    return g_strdup_printf (_ ("%s is both the fastest, %s, and the thriftiest, %s an item."), fast, latency,
                            energy);
  return g_strdup_printf (_ ("The fastest is %s, %s; the thriftiest is %s, %s an item."), fast, latency,
                          thrifty, energy);
}

static gboolean
is_on_front (GPtrArray *front, const DynoChartCase *kase)
{
  return g_ptr_array_find (front, kase, NULL);
}

static void
add_rows (DynoChart *chart, GPtrArray *sorted, GPtrArray *front, guint varying)
{
  dyno_chart_add_row (chart, _ ("Case"), _ ("Median latency (ms)"), _ ("Energy per item (J)"), _ ("Power"),
                      _ ("On the Pareto front"), NULL);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_chart_cases_dup_name (kase, varying);
      g_autofree char *latency = dyno_unit_format_significant (get_latency (kase));
      g_autofree char *energy = dyno_unit_format_significant (get_energy (kase));

      dyno_chart_add_row (chart, name, latency, energy,
                          is_estimated (kase) ? _ ("estimated") : _ ("measured"),
                          is_on_front (front, kase) ? _ ("yes") : _ ("no"), NULL);
    }
}

static void
fill_chart (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (cases, NULL, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  guint varying = dyno_chart_cases_get_varying (cases);
  guint common = varying & (DYNO_DIMENSION_RUN | DYNO_DIMENSION_BACKEND | DYNO_DIMENSION_DEVICE);
  guint dimensions = common != 0 ? common : DYNO_DIMENSION_BACKEND;
  g_autoptr (GPtrArray) front = NULL;
  g_autoptr (DynoSeries) line = NULL;

  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_latencies);
  front = find_front (sorted);
  for (guint i = 0; i < cases->len; i++)
    find_series (all, g_ptr_array_index (cases, i), dimensions);
  for (guint i = 0; i < sorted->len; i++)
    add_point (all, g_ptr_array_index (sorted, i), varying, dimensions);
  line = create_front (front, all->len);
  dyno_chart_take_axes (chart, create_axis (cases, get_latency, _ ("Median latency"), "ms"),
                        create_axis (cases, get_energy, _ ("Energy per item"), "J"));
  for (guint i = 0; i < all->len; i++)
    dyno_chart_add_series (chart, g_ptr_array_index (all, i));
  if (front->len > 1)
    {
      dyno_chart_add_series (chart, line);
      dyno_chart_take_layer (chart, dyno_guide_layer_new (line, TRUE));
    }
  for (guint i = 0; i < all->len; i++)
    dyno_chart_take_layer (chart, dyno_bubble_layer_new (g_ptr_array_index (all, i)));
  add_rows (chart, sorted, front, varying);
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_labelled_caption (cases));
  dyno_chart_take_finding (chart, describe (cases, front, varying));
}

void
dyno_energy_chart_build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) measured = dyno_chart_cases_select (cases, has_both, G_MAXUINT);
  g_autofree char *message = dyno_chart_cases_dup_no_energy (cases);

  dyno_chart_take_title (chart, g_strdup (_ ("Energy against latency")));
  dyno_chart_set_empty_message (chart, message);
  if (measured->len > 0)
    fill_chart (chart, measured);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-verdict.h"

/* Beyond this ratio of the largest to the smallest value, the axis is logarithmic. */
#define LOG_RATIO 8
/* Room around the points, as a share. */
#define ROOM 0.12

double
dyno_pareto_get_number (const DynoChartCase *kase, const DynoParetoMetric *metric)
{
  return dyno_result_get_number (kase->result, metric->value);
}

typedef struct
{
  const DynoParetoMetric *x;
  const DynoParetoMetric *y;
  gboolean more_of_y;
} Pair;

/* Sorts by ascending x; of equal cases, the one with the better y comes first. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Pair *pair = data;
  const DynoChartCase *left = *(DynoChartCase *const *)a;
  const DynoChartCase *right = *(DynoChartCase *const *)b;
  double dx = dyno_pareto_get_number (left, pair->x) - dyno_pareto_get_number (right, pair->x);
  double dy = dyno_pareto_get_number (left, pair->y) - dyno_pareto_get_number (right, pair->y);

  if (dx != 0)
    return dx < 0 ? -1 : 1;
  return pair->more_of_y ? (dy < 0) - (dy > 0) : (dy > 0) - (dy < 0);
}

GPtrArray *
dyno_pareto_sort (GPtrArray *cases, const DynoParetoMetric *x, const DynoParetoMetric *y)
{
  GPtrArray *sorted = dyno_chart_cases_copy (cases);

  g_ptr_array_sort_with_data (sorted, compare, &(Pair){ x, y, dyno_verdict_more_is_better (y->value) });
  return sorted;
}

GPtrArray *
dyno_pareto_find_front (GPtrArray *sorted, const DynoParetoMetric *x, const DynoParetoMetric *y)
{
  GPtrArray *front = g_ptr_array_new ();
  gboolean more_of_x = dyno_verdict_more_is_better (x->value);
  gboolean more_of_y = dyno_verdict_more_is_better (y->value);
  double best = more_of_y ? -INFINITY : INFINITY;

  /* Going from the better end of x, only points with a better y than all before are on the front. */
  for (guint i = 0; i < sorted->len; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (sorted, more_of_x ? sorted->len - 1 - i : i);
      double number = dyno_pareto_get_number (kase, y);

      if (!(more_of_y ? number > best : number < best))
        continue;
      best = number;
      g_ptr_array_insert (front, more_of_x ? 0 : -1, kase);
    }
  return front;
}

DynoAxis *
dyno_pareto_create_axis (GPtrArray *cases, const DynoParetoMetric *metric, const char *title)
{
  const char *unit = dyno_chart_cases_get_unit (cases, metric->unit);
  double least = INFINITY;
  double most = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      double number = dyno_pareto_get_number (g_ptr_array_index (cases, i), metric);

      least = MIN (least, number);
      most = MAX (most, number);
    }
  DynoAxis *axis = dyno_log_axis_new_around (title, unit, least, most, ROOM, ROOM);
  dyno_axis_set_zoomable (axis, TRUE);
  return axis;
}

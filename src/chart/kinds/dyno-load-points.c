/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

static double
read_number (DynoResult *result, const char *name, guint invocation, gsize point)
{
  DynoTrace *trace = dyno_result_get_invocation_trace (result, name, invocation);

  return trace != NULL && point < dyno_trace_get_length (trace) ? dyno_trace_get_values (trace)[point] : 0;
}

static gsize
count_points (DynoResult *result)
{
  DynoTrace *rates = dyno_result_get_trace (result, "load_rate");

  return rates != NULL ? dyno_trace_get_length (rates) : 0;
}

/* Counts the processes with the same requested load. Processes that search for their own capacity request
 * different rates. */
static guint
count_processes (DynoResult *result)
{
  guint n = 1;

  while (count_points (result) == 1 && dyno_result_get_invocation_trace (result, "load_rate", n) != NULL)
    n++;
  return n;
}

static double
read_median (DynoResult *result, const char *name, gsize point)
{
  guint n = count_processes (result);
  g_autofree double *numbers = g_new (double, n);

  for (guint i = 0; i < n; i++)
    numbers[i] = read_number (result, name, i, point);
  dyno_stats_sort (numbers, n);
  return dyno_stats_percentile (numbers, n, 50);
}

/* For a case with a single stretch, uses the number that it has everywhere else. */
static double
read_joined (DynoResult *result, const char *value, double otherwise)
{
  double number = count_points (result) == 1 ? dyno_result_get_number (result, value) : NAN;

  return isfinite (number) ? number : otherwise;
}

/* Returns NaN if there are too few requests for it; for a case with a single stretch, its value says so. */
static double
read_percentile (DynoResult *result, const char *value, const char *trace, gsize point, double percent)
{
  if (count_points (result) == 1 && dyno_result_get_value (result, value) != NULL)
    return dyno_result_get_number (result, value);
  /* Older runs do not record how many requests a stretch has; accept their percentiles. */
  return (dyno_result_get_trace (result, "load_requests") == NULL ||
          dyno_stats_percentile_is_supported ((gsize)read_median (result, "load_requests", point), percent))
             ? read_median (result, trace, point)
             : NAN;
}

static gboolean
has_limit (DynoResult *result)
{
  DynoLoad load;

  return dyno_load_parse (dyno_case_get_load (dyno_result_get_case (result)), &load, NULL) &&
         load.limit_percent > 0;
}

static DynoLoadMark
read_mark (const DynoChartCase *kase, gsize point)
{
  DynoResult *result = kase->result;
  double items = dyno_case_get_batch_size (dyno_result_get_case (result));
  double answered = items * read_median (result, "load_answered", point);
  DynoLoadMark mark = {
    .kase = kase,
    .rate = items * read_median (result, "load_rate", point),
    .clients = read_median (result, "load_clients", point),
    .answered = read_joined (result, "throughput_items_per_sec", answered),
    .good = items * read_median (result, "load_good", point),
    .user_tokens = read_joined (result, "user_tokens_per_sec", 0),
    .system_tokens = read_joined (result, "output_tokens_per_sec", 0),
    .has_limit = has_limit (result),
  };
  guint n = count_processes (result);

  /* A problem is one of at least half of the processes, as with diagnostics. */
  for (guint bit = 1; bit <= DYNO_LOAD_NOT_LITTLE; bit <<= 1)
    {
      guint n_with = 0;

      for (guint i = 0; i < n; i++)
        n_with += ((guint)read_number (result, "load_problems", i, point) & bit) != 0;
      mark.problems |= 2 * n_with >= n ? bit : 0;
    }

  mark.p50 = mark.p90 = mark.p99 = NAN;
  if (!dyno_load_points_is_overloaded (&mark))
    {
      mark.p50 = read_joined (result, "latency_p50_ms", read_median (result, "load_p50", point));
      mark.p90 = read_percentile (result, "latency_p90_ms", "load_p90", point, 90);
      mark.p99 = read_percentile (result, "latency_p99_ms", "load_p99", point, 99);
    }
  return mark;
}

static gboolean
is_of_kind (DynoResult *result, gsize point, gboolean are_rates)
{
  DynoLoad load;

  if (!dyno_load_parse (dyno_case_get_load (dyno_result_get_case (result)), &load, NULL))
    return FALSE;
  if (load.shape != DYNO_LOAD_RATE && load.shape != DYNO_LOAD_CONCURRENT)
    return FALSE;
  return (read_number (result, "load_rate", 0, point) > 0) == are_rates;
}

static gboolean
has_kind (DynoResult *result, gboolean are_rates)
{
  for (gsize i = 0; i < count_points (result); i++)
    if (is_of_kind (result, i, are_rates))
      return TRUE;
  return FALSE;
}

gboolean
dyno_load_points_has_rates (DynoResult *result)
{
  return has_kind (result, TRUE);
}

gboolean
dyno_load_points_has_loops (DynoResult *result)
{
  return has_kind (result, FALSE);
}

gboolean
dyno_load_points_has_any (DynoResult *result)
{
  return dyno_load_points_has_rates (result) || dyno_load_points_has_loops (result);
}

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer number)
{
  double left = G_STRUCT_MEMBER (double, a, GPOINTER_TO_SIZE (number));
  double right = G_STRUCT_MEMBER (double, b, GPOINTER_TO_SIZE (number));

  return (left > right) - (left < right);
}

GArray *
dyno_load_points_list (GPtrArray *cases, gboolean are_rates, gsize number)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (DynoLoadMark));

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = cases->pdata[i];

      for (gsize point = 0; point < count_points (kase->result); point++)
        if (is_of_kind (kase->result, point, are_rates))
          {
            DynoLoadMark mark = read_mark (kase, point);

            g_array_append_val (marks, mark);
          }
    }
  g_array_sort_with_data (marks, compare_numbers, GSIZE_TO_POINTER (number));
  return marks;
}

char *
dyno_load_points_dup_note (GPtrArray *cases)
{
  guint most = 1;

  for (guint i = 0; i < cases->len; i++)
    {
      DynoResult *result = ((const DynoChartCase *)cases->pdata[i])->result;
      guint n = 1;

      while (count_points (result) > 1 && dyno_result_get_invocation_trace (result, "load_rate", n) != NULL)
        n++;
      most = MAX (most, n);
    }
  return most > 1 ? g_strdup_printf (
                        _ ("Each of %u processes looked for the capacity; the first one is shown."), most)
                  : NULL;
}

gboolean
dyno_load_points_is_overloaded (const DynoLoadMark *mark)
{
  return (mark->problems & DYNO_LOAD_OVERLOADED) != 0;
}

gboolean
dyno_load_points_has_too_few (const DynoLoadMark *mark)
{
  return !dyno_load_points_is_overloaded (mark) && !(isfinite (mark->p90) && isfinite (mark->p99));
}

gboolean
dyno_load_points_is_kept (const DynoLoadMark *mark)
{
  return (mark->problems & ~(guint)DYNO_LOAD_NOT_LITTLE) == 0;
}

DynoSeries *
dyno_load_points_find_series (
    GPtrArray *all, GPtrArray *cases, const DynoLoadMark *mark, const char *what, guint first_slot)
{
  guint dimensions = dyno_chart_cases_get_varying (cases) & ~(guint)DYNO_DIMENSION_LOAD;
  g_autofree char *plain = dyno_chart_cases_dup_name (mark->kase, dimensions);
  g_autofree char *name =
      dimensions != 0 && *plain != '\0' ? g_strdup_printf ("%s, %s", plain, what) : g_strdup (what);

  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (dyno_series_get_name (all->pdata[i]), name))
      return all->pdata[i];
  g_ptr_array_add (all, dyno_series_new (name, first_slot + all->len));
  return all->pdata[all->len - 1];
}

char *
dyno_load_points_format (const DynoLoadMark *mark, double rate)
{
  return dyno_unit_format (rate, dyno_item_unit_get (mark->kase->result, "1/s"));
}

void
dyno_load_points_add_rows (DynoChart *chart,
                           GPtrArray *cases,
                           const DynoLoadColumn *columns,
                           guint n_columns,
                           GArray *marks,
                           GArray *more)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  GArray *both[] = { marks, more };

  dyno_chart_table_add_case_columns (table, cases, 0);
  for (guint k = 0; k < n_columns; k++)
    dyno_chart_table_add_column (table, _ (columns[k].heading));
  for (guint part = 0; part < G_N_ELEMENTS (both) && both[part] != NULL; part++)
    for (guint i = 0; i < both[part]->len; i++)
      {
        const DynoLoadMark *mark = &g_array_index (both[part], DynoLoadMark, i);

        dyno_chart_table_begin_row (table, mark->kase);
        for (guint k = 0; k < n_columns; k++)
          {
            if (columns[k].holds != NULL)
              {
                dyno_chart_table_add_text (table, columns[k].holds (mark) ? _ ("yes") : _ ("no"));
                continue;
              }

            double number = G_STRUCT_MEMBER (double, mark, columns[k].number);
            gboolean is_missing = columns[k].number == G_STRUCT_OFFSET (DynoLoadMark, rate) && number <= 0;

            dyno_chart_table_add_number (table, is_missing ? NAN : number);
          }
      }
}

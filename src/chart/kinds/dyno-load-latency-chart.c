/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

/* The margin between the outermost latencies and the edges, as a factor; applied again above the highest for
 * points that have no latency. */
#define MARGIN 1.2
/* The minimum ratio of the highest to the lowest latency on the axis; a smaller range would have hardly any
 * labels. */
#define LEAST_SPAN 3.0

/* The knee is where the 99th percentile is this many times that at the lowest rate. Relative to the median it
 * is high at any rate: at 30 % of its capacity, even a server with constant service times has it at nearly
 * three times the median. */
#define KNEE_FACTOR 2.0

static const DynoLoadColumn columns[] = {
  { N_ ("Requested rate (1/s)"), G_STRUCT_OFFSET (DynoLoadMark, rate) },
  { N_ ("Clients"), G_STRUCT_OFFSET (DynoLoadMark, clients) },
  { N_ ("Answered (1/s)"), G_STRUCT_OFFSET (DynoLoadMark, answered) },
  { N_ ("Median (ms)"), G_STRUCT_OFFSET (DynoLoadMark, p50) },
  { N_ ("90th percentile (ms)"), G_STRUCT_OFFSET (DynoLoadMark, p90) },
  { N_ ("99th percentile (ms)"), G_STRUCT_OFFSET (DynoLoadMark, p99) },
  { N_ ("Overloaded"), .holds = dyno_load_points_is_overloaded },
};

static char *
describe_mark (const DynoLoadMark *mark)
{
  g_autofree char *asked = dyno_load_points_format (mark, mark->rate);
  g_autofree char *answered = dyno_load_points_format (mark, mark->answered);
  g_autofree char *median = dyno_unit_format (mark->p50, "ms");
  g_autofree char *tail = dyno_unit_format (mark->p99, "ms");
  gboolean has_few = !dyno_load_points_is_overloaded (mark) && !isfinite (mark->p99);

  if (has_few && mark->rate > 0)
    return g_strdup_printf (
        _ ("%s requested: %s answered, median %s, too few requests for the 99th percentile"), asked, answered,
        median);
  if (has_few)
    return g_strdup_printf (ngettext ("%g client: %s, median %s, too few requests for the 99th percentile",
                                      "%g clients: %s, median %s, too few requests for the 99th percentile",
                                      (guint)mark->clients),
                            mark->clients, answered, median);
  if (mark->rate <= 0)
    return g_strdup_printf (ngettext ("%g client: %s, median %s, 99th percentile %s",
                                      "%g clients: %s, median %s, 99th percentile %s", (guint)mark->clients),
                            mark->clients, answered, median, tail);
  if (dyno_load_points_is_overloaded (mark))
    return g_strdup_printf (_ ("%s requested: overloaded, %s answered"), asked, answered);
  return g_strdup_printf (_ ("%s requested: %s answered, median %s, 99th percentile %s"), asked, answered,
                          median, tail);
}

/* The common properties of the points of a series. */
typedef struct
{
  GPtrArray *cases;
  GArray *loops;
  double level; /* of points without a latency, NaN of all others */
} Ground;

static void
add_mark (const Ground *ground, DynoSeries *series, const DynoLoadMark *mark)
{
  g_autofree char *text = describe_mark (mark);
  g_autofree char *label = NULL;
  guint index = dyno_series_get_length (series);
  double capacity = 0;
  double y = isfinite (ground->level) ? ground->level : mark->p50;

  /* A closed loop is labelled by its clients, a rate by its share of the capacity if that was searched. */
  for (guint i = 0; i < ground->loops->len; i++)
    if (g_array_index (ground->loops, DynoLoadMark, i).kase == mark->kase)
      capacity = MAX (capacity, g_array_index (ground->loops, DynoLoadMark, i).answered);
  if (mark->rate <= 0)
    label = g_strdup_printf (ngettext ("%g client", "%g clients", (guint)mark->clients), mark->clients);
  else if (capacity > 0)
    /* Translators: so many per cent of the capacity */
    label = g_strdup_printf (_ ("%.0f %%"), 100 * mark->rate / capacity);

  if (!dyno_series_add (series, mark->answered, y))
    return;
  dyno_series_set_text (series, index, text);
  dyno_series_set_label (series, index, label);
  dyno_series_set_subject (series, index, mark->kase->subject);
  dyno_series_set_hollow (series, index, isfinite (ground->level));
}

static void
add_90th (const Ground *ground, DynoSeries *series, const DynoLoadMark *mark)
{
  dyno_series_add (series, mark->answered, mark->p90);
}

static void
add_99th (const Ground *ground, DynoSeries *series, const DynoLoadMark *mark)
{
  dyno_series_add (series, mark->answered, mark->p99);
}

static GPtrArray *
create_series (const Ground *ground,
               GArray *marks,
               const char *what,
               guint first_slot,
               void (*add) (const Ground *ground, DynoSeries *series, const DynoLoadMark *mark))
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < marks->len; i++)
    {
      const DynoLoadMark *mark = &g_array_index (marks, DynoLoadMark, i);

      if (dyno_load_points_is_overloaded (mark) == isfinite (ground->level))
        add (ground, dyno_load_points_find_series (all, ground->cases, mark, what, first_slot), mark);
    }
  return all;
}

/* Returns the knee of the rates of the first case; NaN if there is none, or if too few requests leave it
 * unknown. */
static double
find_knee (GArray *rates, gboolean *is_known)
{
  const DynoChartCase *kase = g_array_index (rates, DynoLoadMark, 0).kase;
  double lowest = NAN;

  for (guint i = 0; i < rates->len; i++)
    {
      const DynoLoadMark *mark = &g_array_index (rates, DynoLoadMark, i);

      if (mark->kase != kase || dyno_load_points_is_overloaded (mark))
        continue;
      *is_known = isfinite (mark->p99);
      if (!*is_known)
        return NAN;
      if (mark->p99 > KNEE_FACTOR * lowest)
        return mark->answered;
      lowest = isfinite (lowest) ? lowest : mark->p99;
    }
  return NAN;
}

/* Returns the level above all others at which points without a latency are drawn. */
static double
set_axes (DynoChart *chart, GPtrArray *cases, GArray *rates, GArray *loops)
{
  DynoAxis *x_axis;
  DynoAxis *y_axis = dyno_log_axis_new (_ ("Latency"), "ms", 10);
  GArray *both[] = { rates, loops };
  double least = INFINITY, most = 0, furthest = 0;
  gboolean has_overloaded = FALSE;

  for (guint k = 0; k < G_N_ELEMENTS (both); k++)
    for (guint i = 0; i < both[k]->len; i++)
      {
        const DynoLoadMark *mark = &g_array_index (both[k], DynoLoadMark, i);

        furthest = MAX (furthest, mark->answered);
        if (dyno_load_points_is_overloaded (mark))
          {
            has_overloaded |= both[k] == rates;
            continue;
          }
        least = fmin (least, mark->p50);
        most = fmax (most, mark->p50);
        if (mark->rate > 0)
          most = fmax (most, fmax (mark->p90, mark->p99));
      }
  double widen = sqrt (MAX (LEAST_SPAN * least / most, 1));
  least /= widen;
  most *= widen;
  x_axis =
      dyno_linear_axis_new_nice (_ ("Throughput"), dyno_chart_cases_get_unit (cases, "1/s"), 0, furthest);
  dyno_axis_set_range (y_axis, least / MARGIN, most * MARGIN * (has_overloaded ? MARGIN : 1));
  dyno_axis_set_zoomable (x_axis, TRUE);
  dyno_axis_set_zoomable (y_axis, TRUE);
  dyno_chart_take_axes (chart, x_axis, y_axis);
  return most * MARGIN;
}

static void
add_tails (DynoChart *chart, GPtrArray *rates, GPtrArray *tails)
{
  for (guint i = 0; i < rates->len; i++)
    {
      dyno_series_set_leader (tails->pdata[i], rates->pdata[i]);
      dyno_chart_take_layer (chart, dyno_guide_layer_new (tails->pdata[i], FALSE));
    }
}

static void
add_layers (DynoChart *chart, GPtrArray *rates, GPtrArray *loops, double knee)
{
  if (isfinite (knee))
    {
      DynoLayer *rule = dyno_rule_layer_new ();

      dyno_rule_layer_add (DYNO_RULE_LAYER (rule), knee, _ ("knee"));
      dyno_chart_take_layer (chart, rule);
    }
  for (guint i = 0; i < rates->len; i++)
    {
      dyno_chart_add_series (chart, rates->pdata[i]);
      dyno_chart_take_layer (chart, dyno_line_layer_new_labelled (rates->pdata[i]));
    }
  for (guint i = 0; i < loops->len; i++)
    {
      dyno_series_set_mark (loops->pdata[i], DYNO_MARK_DOT);
      dyno_chart_add_series (chart, loops->pdata[i]);
      dyno_chart_take_layer (chart, dyno_bubble_layer_new (loops->pdata[i]));
    }
}

/* Returns the highest throughput that has a latency. */
static double
find_furthest (GArray *marks)
{
  double furthest = 0;

  for (guint i = 0; i < marks->len; i++)
    if (!dyno_load_points_is_overloaded (&g_array_index (marks, DynoLoadMark, i)))
      furthest = MAX (furthest, g_array_index (marks, DynoLoadMark, i).answered);
  return furthest;
}

static char *
describe (GPtrArray *cases, GArray *rates, GArray *loops, double knee, gboolean is_known)
{
  const char *unit = dyno_chart_cases_get_unit (cases, "1/s");
  double furthest = find_furthest (rates);
  g_autofree char *most = dyno_unit_format (furthest > 0 ? furthest : find_furthest (loops), unit);
  g_autofree char *bend = isfinite (knee) ? dyno_unit_format (knee, unit) : NULL;

  if (bend != NULL)
    return g_strdup_printf (_ ("The knee is at %s: from there on, one request in a hundred takes more than "
                               "twice as long as at the lowest rate."),
                            bend);
  if (rates->len == 0)
    return g_strdup_printf (_ ("At most %s were answered. Only rates show where the latency begins to rise."),
                            most);
  if (!is_known)
    return g_strdup_printf (
        _ ("Whether there is a knee is not known: the 99th percentile takes %zu requests at each rate."),
        dyno_stats_percentile_min_samples (99));
  return g_strdup_printf (_ ("Up to %s, there is no knee."), most);
}

static char *
dup_note (GPtrArray *cases, GArray *rates, GPtrArray *of_rates, GPtrArray *overloaded)
{
  g_autoptr (GString) note = g_string_new (NULL);
  g_autofree char *few =
      g_strdup_printf (_ ("Percentiles of too few requests are left out: the 90th takes %zu, the 99th %zu."),
                       dyno_stats_percentile_min_samples (90), dyno_stats_percentile_min_samples (99));
  g_autofree char *processes = dyno_load_points_dup_note (cases);
  gboolean has_few = FALSE;

  for (guint i = 0; i < rates->len; i++)
    has_few |= dyno_load_points_has_too_few (&g_array_index (rates, DynoLoadMark, i));
  if (of_rates->len > 0)
    dyno_sentences_append (note, _ ("Dashed lines: the 90th percentile, and above it the 99th."));
  if (has_few)
    dyno_sentences_append (note, few);
  if (overloaded->len > 0)
    dyno_sentences_append (note, _ ("Hollow points at the top are overloaded: the latency grew throughout, "
                                    "so they only have a throughput."));
  dyno_sentences_append (note, processes);
  return note->len > 0 ? g_strdup (note->str) : NULL;
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GArray) rates = dyno_load_points_list (cases, TRUE, G_STRUCT_OFFSET (DynoLoadMark, answered));
  g_autoptr (GArray) loops = dyno_load_points_list (cases, FALSE, G_STRUCT_OFFSET (DynoLoadMark, answered));

  if (find_furthest (rates) > 0 || find_furthest (loops) > 0)
    {
      const char *what = _ ("rates");
      gboolean is_known = TRUE;
      double knee = rates->len > 0 ? find_knee (rates, &is_known) : NAN;
      const Ground ground = { cases, loops, NAN };
      const Ground above = { cases, loops, set_axes (chart, cases, rates, loops) };
      g_autoptr (GPtrArray) of_rates = create_series (&ground, rates, what, 0, add_mark);
      g_autoptr (GPtrArray) of_90th = create_series (&ground, rates, what, 0, add_90th);
      g_autoptr (GPtrArray) of_99th = create_series (&ground, rates, what, 0, add_99th);
      g_autoptr (GPtrArray) of_loops =
          create_series (&ground, loops, _ ("closed loops"), of_rates->len, add_mark);
      g_autoptr (GPtrArray) overloaded =
          create_series (&above, rates, _ ("overloaded"), of_rates->len + of_loops->len, add_mark);

      add_layers (chart, of_rates, of_loops, knee);
      add_tails (chart, of_rates, of_90th);
      add_tails (chart, of_rates, of_99th);
      /* Points without a level are not joined to points that have one. */
      for (guint i = 0; i < overloaded->len; i++)
        {
          dyno_series_set_mark (overloaded->pdata[i], DYNO_MARK_DOT);
          dyno_series_set_off_scale (overloaded->pdata[i], TRUE);
          dyno_chart_add_series (chart, overloaded->pdata[i]);
          dyno_chart_take_layer (chart, dyno_bubble_layer_new (overloaded->pdata[i]));
        }
      dyno_load_points_add_rows (chart, cases, columns, G_N_ELEMENTS (columns), rates, loops);
      dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, DYNO_DIMENSION_LOAD));
      dyno_chart_take_finding (chart, describe (cases, rates, loops, knee, is_known));
      dyno_chart_take_note (chart, dup_note (cases, rates, of_rates, overloaded));
    }
  else
    dyno_chart_set_empty_message (chart, _ ("Every rate was overloaded, so the latency grew throughout and "
                                            "has no level. Choose lower rates."));
}

const DynoChartInfo dyno_load_latency_chart = {
  .name = "load-latency",
  .label = N_ ("Latency against throughput"),
  .empty = N_ ("Nothing was measured under load. Choose the load “rate=auto”, or several rates or numbers of "
               "clients."),
  .group = DYNO_CHART_GROUP_SPEED,
  .has_data = dyno_load_points_has_any,
  .build = build,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

static const DynoLoadColumn columns[] = {
  { N_ ("Requested rate (1/s)"), G_STRUCT_OFFSET (DynoLoadMark, rate) },
  { N_ ("Answered (1/s)"), G_STRUCT_OFFSET (DynoLoadMark, answered) },
  { N_ ("Goodput (1/s)"), G_STRUCT_OFFSET (DynoLoadMark, good) },
  { N_ ("Kept"), .holds = dyno_load_points_is_kept },
};

static gboolean
has_limit (GArray *marks)
{
  for (guint i = 0; i < marks->len; i++)
    if (g_array_index (marks, DynoLoadMark, i).has_limit)
      return TRUE;
  return FALSE;
}

static GPtrArray *
create_series (GPtrArray *cases, GArray *marks)
{
  const char *title = has_limit (marks) ? _ ("answered within the limit") : _ ("answered");
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < marks->len; i++)
    {
      const DynoLoadMark *mark = &g_array_index (marks, DynoLoadMark, i);
      DynoSeries *series = dyno_load_points_find_series (all, cases, mark, title, 0);
      g_autofree char *asked = dyno_load_points_format (mark, mark->rate);
      g_autofree char *good = dyno_load_points_format (mark, mark->good);
      g_autofree char *text = g_strdup_printf (mark->has_limit ? _ ("%s requested: %s within the limit")
                                                               : _ ("%s requested: %s answered"),
                                               asked, good);
      guint index = dyno_series_get_length (series);

      if (!dyno_series_add_with_text (series, mark->rate, mark->good, text))
        continue;
      dyno_series_set_subject (series, index, mark->kase->subject);
      dyno_series_set_hollow (series, index, dyno_load_points_is_overloaded (mark));
    }
  return all;
}

static void
add_layers (DynoChart *chart, GPtrArray *all, double most, double best, gboolean is_limited)
{
  g_autoptr (DynoSeries) ideal =
      dyno_series_new (is_limited ? _ ("all within the limit") : _ ("all answered"), all->len);

  dyno_series_add (ideal, 0, 0);
  dyno_series_add (ideal, most, most);
  dyno_series_set_mark (ideal, DYNO_MARK_GUIDE);
  if (isfinite (best))
    {
      DynoLayer *rule = dyno_rule_layer_new ();

      dyno_rule_layer_add (DYNO_RULE_LAYER (rule), best, _ ("highest rate"));
      dyno_chart_take_layer (chart, rule);
    }
  for (guint i = 0; i < all->len; i++)
    dyno_chart_add_series (chart, all->pdata[i]);
  dyno_chart_add_series (chart, ideal);
  dyno_chart_set_labels_lines (chart, TRUE);
  dyno_chart_take_layer (chart, dyno_guide_layer_new (ideal, FALSE));
  for (guint i = 0; i < all->len; i++)
    dyno_chart_take_layer (chart, dyno_line_layer_new (all->pdata[i]));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GArray) marks = dyno_load_points_list (cases, TRUE, G_STRUCT_OFFSET (DynoLoadMark, rate));
  const char *unit = dyno_chart_cases_get_unit (cases, "1/s");
  gboolean is_limited = has_limit (marks);
  GString *note = g_string_new (NULL);
  g_autofree char *processes = dyno_load_points_dup_note (cases);
  gboolean is_overloaded = FALSE;

  g_autoptr (GPtrArray) all = create_series (cases, marks);
  double most = g_array_index (marks, DynoLoadMark, marks->len - 1).rate;
  double best = NAN;

  /* The largest rate of the first case that is kept together with all rates below it. */
  for (guint i = 0; i < marks->len; i++)
    {
      const DynoLoadMark *mark = &g_array_index (marks, DynoLoadMark, i);

      if (mark->kase != g_array_index (marks, DynoLoadMark, 0).kase)
        continue;
      if (!dyno_load_points_is_kept (mark))
        break;
      best = mark->rate;
    }
  dyno_chart_take_axes (chart, dyno_linear_axis_new_nice (_ ("Requested rate"), unit, 0, most),
                        dyno_linear_axis_new_nice (_ ("Goodput"), unit, 0, most));
  add_layers (chart, all, most, best, is_limited);
  dyno_load_points_add_rows (chart, cases, columns, G_N_ELEMENTS (columns), marks, NULL);
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, DYNO_DIMENSION_LOAD));
  g_autofree char *rate = dyno_unit_format (best, unit);
  if (isfinite (best))
    dyno_chart_take_finding (
        chart, g_strdup_printf (
                   is_limited ? _ ("The highest rate that was delivered and stayed within the limit is %s.")
                              : _ ("The highest rate that was delivered is %s."),
                   rate));
  else
    dyno_chart_take_finding (chart,
                             g_strdup (is_limited ? _ ("No rate was delivered and stayed within the limit.")
                                                  : _ ("No rate was delivered.")));
  for (guint i = 0; i < marks->len; i++)
    is_overloaded |= dyno_load_points_is_overloaded (&g_array_index (marks, DynoLoadMark, i));
  if (is_overloaded)
    dyno_sentences_append (note, _ ("Hollow points are overloaded: the queue grew throughout."));
  dyno_sentences_append (note, processes);
  dyno_chart_take_note (chart, g_string_free (note, FALSE));
}

/* Returns whether the result distinguishes good requests. */
static gboolean
has_goodput (DynoResult *result)
{
  return dyno_load_points_has_rates (result) && dyno_result_get_trace (result, "load_good") != NULL;
}

const DynoChartInfo dyno_goodput_chart = {
  .name = "goodput",
  .label = N_ ("Goodput against rate"),
  .empty =
      N_ ("No rates were measured. Choose the load “rate=auto”, or several rates such as “rate=50,100/s”."),
  .group = DYNO_CHART_GROUP_SPEED,
  .has_data = has_goodput,
  .build = build,
};

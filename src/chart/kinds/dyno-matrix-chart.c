/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-recommendation.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

/* The height of a row, in lines of text. */
#define N_LANES 3

/* Cells with at least this margin have the deepest shade. */
#define MOST_MARGIN 0.5

/* The look of each state: the slot of its colour (green, slate, blue, ochre) and its mark. */
static const struct
{
  guint slot;
  DynoMark mark;
} looks[DYNO_N_RECOMMENDATION_STATES] = {
  [DYNO_RECOMMENDATION_CLEAR] = { 2, DYNO_MARK_BAR },
  [DYNO_RECOMMENDATION_TIE] = { 15, DYNO_MARK_HATCH },
  [DYNO_RECOMMENDATION_UNPROVEN] = { 6, DYNO_MARK_HATCH },
  [DYNO_RECOMMENDATION_ALONE] = { 0, DYNO_MARK_BAR },
  [DYNO_RECOMMENDATION_REFUSED] = { 7, DYNO_MARK_HATCH },
  [DYNO_RECOMMENDATION_NO_DATA] = { 7, DYNO_MARK_GUIDE },
};

static const DynoCandidate *
get_candidate (const DynoRecommendationCell *cell, guint place)
{
  return place < cell->candidates->len ? cell->candidates->pdata[place] : NULL;
}

static char *
dup_evidence (const DynoRecommendationCell *cell, guint place)
{
  const DynoCandidate *candidate = get_candidate (cell, place);

  return candidate != NULL ? dyno_candidate_dup_evidence (candidate) : g_strdup ("");
}

static char *
join_sentences (char *text, const char *more)
{
  g_autofree char *first = text;

  /* Translators: two sentences */
  return more != NULL && *more != '\0' ? g_strdup_printf (_ ("%s. %s"), first, more)
                                       : g_steal_pointer (&first);
}

/* Gives the text of the cell and its label: the answer, and below it its certainty. */
static char *
describe_cell (
    DynoRecommendation *self, const DynoRecommendationCell *cell, guint row, guint column, char **label)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (&self->goal));
  const DynoCandidate *best = get_candidate (cell, 0);
  g_autofree char *answer = dyno_recommendation_dup_answer (cell);
  g_autofree char *margin = dyno_recommendation_dup_margin (self, cell);
  g_autofree char *evidence = dup_evidence (cell, 0);
  DynoValue *value = best != NULL ? dyno_result_get_value (best->result, metric) : NULL;
  g_autofree char *number =
      value != NULL ? dyno_unit_format (dyno_value_get_number (value), dyno_value_get_unit (value)) : NULL;
  /* Translators: a row, a column, and the best choice there */
  char *text = g_strdup_printf (_ ("%s, %s: %s"), (char *)self->rows->pdata[row],
                                (char *)self->columns->pdata[column], answer);

  if (*margin == '\0')
    *label = g_strdup (answer);
  else
    *label =
        g_strdup_printf ("%s%s%s\n%s%s", answer, number != NULL ? " · " : "", number != NULL ? number : "",
                         margin, best != NULL && best->doubt != NULL ? _ (" · doubtful") : "");
  text = join_sentences (text, margin);
  text = join_sentences (text, evidence);
  return join_sentences (text, best != NULL ? best->doubt : NULL);
}

static DynoAxis *
create_axis (const char *axis, GPtrArray *names)
{
  g_autofree char *title = dyno_recommendation_axis_dup_title (axis);
  DynoAxis *created = dyno_category_axis_new (title);

  for (guint i = 0; i < names->len; i++)
    dyno_category_axis_add (DYNO_CATEGORY_AXIS (created), names->pdata[i]);
  return created;
}

static GPtrArray *
create_series (DynoRecommendation *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (DynoRecommendationState state = 0; state < DYNO_N_RECOMMENDATION_STATES; state++)
    {
      DynoSeries *series = dyno_series_new (dyno_recommendation_state_get_label (state), looks[state].slot);

      dyno_series_set_mark (series, looks[state].mark);
      g_ptr_array_add (all, series);
    }
  for (guint row = 0; row < self->rows->len; row++)
    for (guint column = 0; column < self->columns->len; column++)
      {
        const DynoRecommendationCell *cell = dyno_recommendation_get_cell (self, row, column);

        if (cell->state != DYNO_RECOMMENDATION_NO_SUCH_SIZE)
          {
            DynoSeries *series = g_ptr_array_index (all, cell->state);
            const DynoCandidate *best = get_candidate (cell, 0);
            g_autofree char *label = NULL;
            g_autofree char *text = describe_cell (self, cell, row, column, &label);
            guint index = dyno_series_get_length (series);
            const DynoCandidate *next = get_candidate (cell, 1);

            dyno_series_add_with_text (series, column, row, text);
            dyno_series_set_label (series, index, label);
            dyno_series_set_weight (series, index,
                                    cell->state == DYNO_RECOMMENDATION_CLEAR && next != NULL
                                        ? CLAMP (fabs (log (next->margin->ratio)) / -log (MOST_MARGIN), 0, 1)
                                        : 0);
            if (best != NULL)
              dyno_series_set_subject (series, index, best->result);
          }
      }
  return all;
}

static void
add_rows (DynoChart *chart, DynoRecommendation *self)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  g_autofree char *rows = dyno_recommendation_axis_dup_title (self->row_axis);
  g_autofree char *columns = dyno_recommendation_axis_dup_title (self->column_axis);

  dyno_chart_table_add_columns (table, rows, columns, _ ("Best"), _ ("State"), _ ("Next"), _ ("Ratio"),
                                _ ("95 % interval from"), _ ("95 % interval to"), _ ("Measured in"),
                                _ ("Next in"), _ ("Doubt"), NULL);
  for (guint row = 0; row < self->rows->len; row++)
    for (guint column = 0; column < self->columns->len; column++)
      {
        const DynoRecommendationCell *cell = dyno_recommendation_get_cell (self, row, column);
        const DynoCandidate *best = get_candidate (cell, 0);
        const DynoCandidate *next = get_candidate (cell, 1);
        g_autofree char *answer = dyno_recommendation_dup_answer (cell);
        g_autofree char *evidence = dup_evidence (cell, 0);
        g_autofree char *next_evidence = dup_evidence (cell, 1);

        dyno_chart_table_begin_row (table, NULL);
        dyno_chart_table_add_text (table, self->rows->pdata[row]);
        dyno_chart_table_add_text (table, self->columns->pdata[column]);
        dyno_chart_table_add_text (table, answer);
        dyno_chart_table_add_text (table, dyno_recommendation_state_get_label (cell->state));
        dyno_chart_table_add_text (table, next != NULL ? next->label : "");
        dyno_chart_table_add_number (table, next != NULL ? next->margin->ratio : NAN);
        dyno_chart_table_add_number (table, next != NULL ? next->margin->low : NAN);
        dyno_chart_table_add_number (table, next != NULL ? next->margin->high : NAN);
        dyno_chart_table_add_text (table, evidence);
        dyno_chart_table_add_text (table, next_evidence);
        dyno_chart_table_add_text (table, best != NULL && best->doubt != NULL ? best->doubt : "");
      }
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  DynoRecommendation *self = dyno_chart_get_subject (chart);
  g_autoptr (GPtrArray) all = create_series (self);
  DynoAxis *rows = create_axis (self->row_axis, self->rows);
  g_autoptr (GString) caption = g_string_new (NULL);
  g_autofree char *basis = dyno_recommendation_dup_basis (self);

  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    if (isfinite (self->goal.limits[i]))
      {
        g_autofree char *limit = dyno_limit_dup_text (i, self->goal.limits[i]);

        g_string_append_printf (caption, "%s%s", caption->len > 0 ? " · " : "", limit);
      }
  g_string_append_printf (caption, "%s%s", caption->len > 0 ? "\n" : "", basis);
  dyno_chart_take_title (chart, dyno_goal_dup_label (&self->goal));
  dyno_chart_take_caption (chart, g_strdup (caption->str));
  dyno_chart_set_empty_message (chart, _ ("Nothing was measured yet."));

  add_rows (chart, self);
  if (self->cells->len == 0)
    {
      g_object_unref (rows);
      return;
    }
  dyno_category_axis_set_n_lanes (DYNO_CATEGORY_AXIS (rows), N_LANES);
  dyno_chart_take_axes (chart, create_axis (self->column_axis, self->columns), rows);
  for (guint i = 0; i < all->len; i++)
    if (dyno_series_get_length (g_ptr_array_index (all, i)) > 0)
      {
        dyno_chart_add_series (chart, g_ptr_array_index (all, i));
        dyno_chart_take_layer (chart, dyno_matrix_layer_new (g_ptr_array_index (all, i)));
      }
}

DynoChart *
dyno_matrix_chart_new (DynoRecommendation *recommendation)
{
  static const DynoChartInfo info = { .name = "recommendation", .build = build };

  g_return_val_if_fail (recommendation != NULL, NULL);
  return dyno_chart_create_for (&info, dyno_recommendation_ref (recommendation),
                                (GDestroyNotify)dyno_recommendation_unref);
}

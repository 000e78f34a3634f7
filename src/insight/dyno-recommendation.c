/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-comparison-builder.h"
#include "dyno-comparison-differences.h"
#include "dyno-error.h"
#include "dyno-grade.h"
#include "dyno-insight-private.h"
#include "dyno-recommendation.h"
#include "dyno-unit.h"

/* The parts that make up the work, beside the model; all others make a case a candidate. The batch is also
 * a choice, unless an axis has it. */
#define WORK (DYNO_CASE_SEQUENCE | DYNO_CASE_GENERATE | DYNO_CASE_IMAGES | DYNO_CASE_DIMENSIONS)

static void
cell_free (DynoRecommendationCell *cell)
{
  g_ptr_array_unref (cell->candidates);
  g_ptr_array_unref (cell->refused);
  g_free (cell->guess_value);
  g_free (cell);
}

/* Which cases */

/* A case, and the run that measured it. */
typedef struct
{
  DynoRun *run;
  DynoResult *result;
} Measured;

/* Imported runs are left out beside runs that were measured here. If there is nothing else, they are
 * refused with a reason. */
static void
part_runs (DynoRecommendation *self, GPtrArray *runs)
{
  DynoRun *measured = NULL;
  DynoRun *first;

  for (guint i = 0; i < runs->len && measured == NULL; i++)
    if (!dyno_run_is_imported (runs->pdata[i]))
      measured = runs->pdata[i];
  first = measured != NULL || runs->len == 0 ? measured : runs->pdata[0];
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      GPtrArray *part = measured != NULL && dyno_run_is_imported (run)          ? self->imported_runs
                        : dyno_comparison_differences_same_machine (first, run) ? self->runs
                                                                                : self->other_runs;

      g_ptr_array_add (part, g_object_ref (run));
    }
}

/* Ranks states, the most reliable one first. */
static int
rank_state (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);

  DynoGrade grade = dyno_result_get_grade (result);

  if (state == DYNO_CASE_STATE_MEASURED)
    return grade == DYNO_GRADE_NONE || grade == DYNO_GRADE_ROUGH ? 1 : 0;
  if (state == DYNO_CASE_STATE_DOUBTFUL)
    return 2;
  if (state == DYNO_CASE_STATE_UNSTEADY)
    return 3;
  return state == DYNO_CASE_STATE_IMPORTED ? 4 : 5;
}

/* Each setting counts once: its most reliable measurement, and the latest of equals. */
static GPtrArray *
collect_cases (DynoRecommendation *self)
{
  g_autoptr (GHashTable) latest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < self->runs->len; i++)
    {
      DynoRun *run = self->runs->pdata[i];
      GListModel *results = dyno_run_get_results (run);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);
          DynoCaseState state = dyno_result_get_state (result);
          /* The identity of a setting of a model does not tell when it was measured. */
          g_autofree char *setting = dyno_case_parts_dup_ids (result, DYNO_CASE_ALL);
          g_autofree char *identity =
              g_strdup_printf ("%s\n%s", dyno_case_get_model (dyno_result_get_case (result)), setting);
          Measured *known = g_hash_table_lookup (latest, identity);
          int rank = rank_state (result);
          gboolean is_over = dyno_case_state_has_numbers (state) || state == DYNO_CASE_STATE_FAILED ||
                             state == DYNO_CASE_STATE_SKIPPED;

          if (!is_over ||
              (known != NULL && (rank > rank_state (known->result) ||
                                 (rank == rank_state (known->result) &&
                                  dyno_run_get_started_at (run) <= dyno_run_get_started_at (known->run)))))
            continue;
          if (known == NULL)
            {
              known = g_new0 (Measured, 1);
              g_hash_table_insert (latest, g_steal_pointer (&identity), known);
            }
          *known = (Measured){ run, result };
        }
    }

  GPtrArray *cases = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GList) identities = g_list_sort (g_hash_table_get_keys (latest), (GCompareFunc)g_strcmp0);

  for (GList *l = identities; l != NULL; l = l->next)
    g_ptr_array_add (cases, g_memdup2 (g_hash_table_lookup (latest, l->data), sizeof (Measured)));
  return cases;
}

/* Places */

/* The order has facts that a case without numbers does not have yet, so the key tells places apart. */
typedef struct
{
  char *key;
  char *order;
  char *name;
} Place;

static void
place_free (Place *place)
{
  g_free (place->key);
  g_free (place->order);
  g_free (place->name);
  g_free (place);
}

/* Tells the cells of a matrix apart. */
typedef struct
{
  DynoRecommendation *recommendation;
  GPtrArray *cases; /* of Measured */
  DynoCaseParts varying;
  DynoCaseParts beside; /* work that no axis covers, which is part of the row */
  gboolean has_model;   /* whether an axis covers the model */
} Layout;

static char *
join_words (const char *first, const char *second)
{
  if (*first == '\0' || *second == '\0')
    return g_strdup (*first == '\0' ? second : first);
  return g_strdup_printf ("%s · %s", first, second);
}

/* If no axis covers the model or the work, each model and work has its own row. */
static Place *
place_in_row (const Layout *layout, DynoResult *result)
{
  const char *axis = layout->recommendation->row_axis;
  Place *place = g_new (Place, 1);
  g_autofree char *order = dyno_recommendation_axis_dup_order (axis, result);
  g_autofree char *model_order = dyno_recommendation_axis_dup_order ("model", result);
  g_autofree char *name = dyno_recommendation_axis_dup_place (axis, result, layout->varying);
  g_autofree char *model = dyno_recommendation_axis_dup_place ("model", result, layout->varying);
  g_autofree char *work = dyno_case_parts_dup_text (result, layout->beside);
  g_autofree char *named = join_words (layout->has_model ? "" : model, name);

  place->key = g_strdup_printf ("%s\n%s\n%s", layout->has_model ? "" : model,
                                g_str_equal (axis, "model") ? name : order, work);
  place->order = g_strdup_printf ("%s\n%s\n%s", layout->has_model ? "" : model_order, order, work);
  place->name = join_words (named, work);
  return place;
}

static Place *
place_in_column (const Layout *layout, DynoResult *result)
{
  const char *axis = layout->recommendation->column_axis;
  Place *place = g_new (Place, 1);

  place->order = dyno_recommendation_axis_dup_order (axis, result);
  place->name = dyno_recommendation_axis_dup_place (axis, result, layout->varying);
  place->key = g_strdup (g_str_equal (axis, "model") ? place->name : place->order);
  return place;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 ((*(Place *const *)a)->order, (*(Place *const *)b)->order);
}

/* Lists the distinct places in order, and puts their names into @names. The last of equal ones has the most facts. */
static GPtrArray *
list_places (const Layout *layout, Place *(*get) (const Layout *layout, DynoResult *result), GPtrArray *names)
{
  GPtrArray *places = g_ptr_array_new_with_free_func ((GDestroyNotify)place_free);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < layout->cases->len; i++)
    g_ptr_array_add (places, get (layout, ((Measured *)layout->cases->pdata[i])->result));
  g_ptr_array_sort (places, compare_places);
  for (guint i = places->len; i > 0; i--)
    if (g_hash_table_contains (keys, ((Place *)places->pdata[i - 1])->key))
      g_ptr_array_remove_index (places, i - 1);
    else
      g_hash_table_add (keys, ((Place *)places->pdata[i - 1])->key);
  for (guint i = 0; i < places->len; i++)
    g_ptr_array_add (names, g_strdup (((Place *)places->pdata[i])->name));
  return places;
}

static guint
find_place (GPtrArray *places, Place *place)
{
  guint found = 0;

  while (found + 1 < places->len && !g_str_equal (((Place *)places->pdata[found])->key, place->key))
    found++;
  place_free (place);
  return found;
}

static void
fill_cells (const Layout *layout, GPtrArray *rows, GPtrArray *columns)
{
  DynoRecommendation *self = layout->recommendation;
  DynoCaseParts told = dyno_recommendation_axis_get_parts (self->row_axis) |
                       dyno_recommendation_axis_get_parts (self->column_axis) | WORK;
  /* The choice is the parts that differ between the cases beside the axes, and always the place. */
  DynoCaseParts choice = (layout->varying & ~told) | (DYNO_CASE_BACKEND & ~told);

  for (guint i = 0; i < rows->len * columns->len; i++)
    {
      DynoRecommendationCell *cell = g_new0 (DynoRecommendationCell, 1);

      cell->state = DYNO_RECOMMENDATION_NO_DATA;
      cell->candidates = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_candidate_free);
      cell->refused = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_candidate_free);
      g_ptr_array_add (self->cells, cell);
    }
  for (guint i = 0; i < layout->cases->len; i++)
    {
      const Measured *measured = layout->cases->pdata[i];
      guint row = find_place (rows, place_in_row (layout, measured->result));
      guint column = find_place (columns, place_in_column (layout, measured->result));
      DynoRecommendationCell *cell = self->cells->pdata[row * columns->len + column];
      DynoCandidate *candidate = g_new0 (DynoCandidate, 1);
      g_auto (GStrv) doubts = dyno_result_dup_doubts (measured->result);

      candidate->run = g_object_ref (measured->run);
      candidate->result = g_object_ref (measured->result);
      candidate->label = dyno_case_parts_dup_text (measured->result, choice);
      if (*candidate->label == '\0')
        {
          g_free (candidate->label);
          candidate->label = dyno_case_parts_dup_text (measured->result, DYNO_CASE_PLACE);
        }
      candidate->cost = dyno_goal_get_cost (&self->goal, measured->result);
      candidate->reason = dyno_goal_explain (&self->goal, measured->result);
      candidate->doubt = g_strdup (doubts[0]);
      g_ptr_array_add (candidate->reason != NULL ? cell->refused : cell->candidates, candidate);
      self->n_cases += dyno_case_state_has_numbers (dyno_result_get_state (measured->result));
    }
}

/* The best */

static int
compare_costs (gconstpointer a, gconstpointer b)
{
  double left = (*(DynoCandidate *const *)a)->cost;
  double right = (*(DynoCandidate *const *)b)->cost;

  return (left > right) - (left < right);
}

/* Compares the best one with each of the others by one value; the comparison is not judged yet. */
static DynoComparison *
compare_by (const DynoRecommendationCell *cell, DynoObjective objective)
{
  const DynoCandidate *best = cell->candidates->pdata[0];
  DynoComparison *comparison = dyno_comparison_new_empty (
      dyno_objective_get_metric (objective), dyno_objective_get_unit (objective), DYNO_COMPARISON_THRESHOLD);

  comparison->baseline = dyno_comparison_add_side (comparison, best->run, best->label);
  for (guint i = 1; i < cell->candidates->len; i++)
    {
      const DynoCandidate *other = cell->candidates->pdata[i];
      const DynoCasePair pair = { best->result, other->result };
      guint side = dyno_comparison_add_side (comparison, other->run, other->label);
      DynoComparedCase *kase = dyno_comparison_add_case (comparison, side, other->result, best->result);

      kase->reason =
          dyno_comparison_differences_dup_confounding (comparison, side, &pair, DYNO_CASE_ALTERNATIVES);
      if (kase->reason != NULL)
        kase->verdict = DYNO_VERDICT_CONFOUNDED;
    }
  return comparison;
}

/* Adds one of several values: the box of their intervals, which is wider than the interval of the mean
 * would be. */
static void
add_weighed (DynoComparedCase *sum, const DynoComparedCase *part, const char *metric, double share)
{
  gboolean turned = dyno_verdict_more_is_better (metric);

  sum->low *= pow (turned ? 1 / part->high : part->low, share);
  sum->high *= pow (turned ? 1 / part->low : part->high, share);
  sum->noise_floor = (1 + sum->noise_floor) * pow (1 + part->noise_floor, share) - 1;
  if (part->verdict == DYNO_VERDICT_CONFOUNDED && sum->verdict != DYNO_VERDICT_CONFOUNDED)
    {
      sum->verdict = DYNO_VERDICT_CONFOUNDED;
      sum->reason = g_strdup (part->reason);
    }
}

static void
judge_weighed (DynoComparedCase *sum)
{
  if (sum->verdict == DYNO_VERDICT_CONFOUNDED)
    return;
  if (sum->high < 1 / (1 + DYNO_COMPARISON_THRESHOLD))
    sum->verdict = sum->ratio > 1 / (1 + sum->noise_floor) ? DYNO_VERDICT_WITHIN_NOISE : DYNO_VERDICT_BETTER;
  else if (sum->low >= 1 / (1 + DYNO_COMPARISON_THRESHOLD) && sum->high <= 1 + DYNO_COMPARISON_THRESHOLD)
    sum->verdict = DYNO_VERDICT_SAME;
}

/* Compares the costs by several values. The claims come from boxes, which have no p-value. */
static DynoComparison *
compare_weighed (DynoRecommendation *self, const DynoRecommendationCell *cell)
{
  DynoComparison *comparison = compare_by (cell, dyno_goal_get_main (&self->goal));
  double weights = 0;

  dyno_comparison_judge (comparison);
  for (guint k = 0; k < DYNO_N_OBJECTIVES; k++)
    weights += self->goal.weights[k];
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      DynoComparedCase *sum = comparison->cases->pdata[i];

      sum->value = ((DynoCandidate *)cell->candidates->pdata[0])->cost;
      sum->baseline_value = ((DynoCandidate *)cell->candidates->pdata[i + 1])->cost;
      sum->ratio = sum->value / sum->baseline_value;
      sum->low = sum->high = 1;
      sum->noise_floor = 0;
      sum->verdict = DYNO_VERDICT_NOT_ENOUGH_DATA;
    }
  for (guint k = 0; k < DYNO_N_OBJECTIVES; k++)
    if (self->goal.weights[k] > 0)
      {
        g_autoptr (DynoComparison) part = compare_by (cell, k);

        dyno_comparison_judge (part);
        for (guint i = 0; i < part->cases->len; i++)
          add_weighed (comparison->cases->pdata[i], part->cases->pdata[i], part->metric,
                       self->goal.weights[k] / weights);
      }
  g_ptr_array_foreach (comparison->cases, (GFunc)judge_weighed, NULL);
  return comparison;
}

/* Where nothing may be recommended, people still want the best of what was seen; under a limit nothing is guessed. */
static void
find_guess (const DynoGoal *goal, DynoRecommendationCell *cell)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  gboolean more_is_better = dyno_verdict_more_is_better (metric);
  double best = NAN;
  gboolean is_limited = FALSE;

  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    is_limited |= isfinite (goal->limits[i]) != 0;
  for (guint i = 0; !is_limited && i < cell->refused->len; i++)
    {
      const DynoCandidate *candidate = cell->refused->pdata[i];
      double value = dyno_result_get_number (candidate->result, metric);

      if (!isfinite (value) || dyno_result_is_emulated (candidate->result) ||
          !dyno_case_state_has_numbers (dyno_result_get_state (candidate->result)) ||
          (cell->guess != NULL && (value > best) != more_is_better))
        continue;
      best = value;
      cell->guess = candidate;
    }
  if (cell->guess == NULL)
    return;
  cell->guess_value =
      dyno_unit_format (best, dyno_value_get_unit (dyno_result_get_value (cell->guess->result, metric)));
}

/* Readers look at all cells together, so their tests are corrected together. */
static void
compare_cells (DynoRecommendation *self)
{
  g_ptr_array_set_size (self->comparisons, 0);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];
      DynoComparison *comparison;

      if (cell->candidates->len < 2)
        continue;
      comparison = dyno_goal_is_weighted (&self->goal) ? compare_weighed (self, cell)
                                                       : compare_by (cell, dyno_goal_get_main (&self->goal));
      g_ptr_array_add (self->comparisons, comparison);
      for (guint k = 0; k < cell->candidates->len; k++)
        ((DynoCandidate *)cell->candidates->pdata[k])->margin =
            k > 0 ? comparison->cases->pdata[k - 1] : NULL;
    }
  if (!dyno_goal_is_weighted (&self->goal))
    dyno_comparison_judge_together ((DynoComparison *const *)self->comparisons->pdata,
                                    self->comparisons->len);
}

/* The ratio within blocks ranks better than the medians of all steps, which the state of the machine blurs: the case that is
 * ahead of the first one by it comes first. Returns whether there is one. */
static gboolean
rank_within_blocks (const DynoRecommendation *self, const DynoRecommendationCell *cell)
{
  gboolean more_is_better =
      dyno_verdict_more_is_better (dyno_objective_get_metric (dyno_goal_get_main (&self->goal)));
  guint ahead = 0;
  double most = 1;

  for (guint k = 1; k < cell->candidates->len && !dyno_goal_is_weighted (&self->goal); k++)
    {
      const DynoComparedCase *margin = ((DynoCandidate *)cell->candidates->pdata[k])->margin;
      double ratio = more_is_better ? 1 / margin->ratio : margin->ratio;

      if (!margin->in_blocks || margin->verdict == DYNO_VERDICT_CONFOUNDED || !(ratio > most))
        continue;
      most = ratio;
      ahead = k;
    }
  if (ahead > 0)
    g_ptr_array_insert (cell->candidates, 0, g_ptr_array_steal_index (cell->candidates, ahead));
  return ahead > 0;
}

static void
decide (DynoRecommendation *self)
{
  gboolean is_ranked_anew = FALSE;

  for (guint i = 0; i < self->cells->len; i++)
    g_ptr_array_sort (((DynoRecommendationCell *)self->cells->pdata[i])->candidates, compare_costs);
  compare_cells (self);
  for (guint i = 0; i < self->cells->len; i++)
    is_ranked_anew |= rank_within_blocks (self, self->cells->pdata[i]);
  if (is_ranked_anew)
    compare_cells (self);
  for (guint i = 0; i < self->cells->len; i++)
    {
      DynoRecommendationCell *cell = self->cells->pdata[i];
      DynoCandidate *const *candidates = (DynoCandidate *const *)cell->candidates->pdata;
      gboolean is_tie = FALSE;

      for (guint k = 1; k < cell->candidates->len; k++)
        is_tie = is_tie || dyno_candidate_is_tied (candidates[k]);
      if (cell->candidates->len == 0)
        cell->state = cell->refused->len > 0 ? DYNO_RECOMMENDATION_REFUSED : DYNO_RECOMMENDATION_NO_DATA;
      else if (cell->candidates->len == 1)
        cell->state = DYNO_RECOMMENDATION_ALONE;
      else if (is_tie)
        cell->state = DYNO_RECOMMENDATION_TIE;
      else
        cell->state = candidates[1]->margin->verdict == DYNO_VERDICT_BETTER ? DYNO_RECOMMENDATION_CLEAR
                                                                            : DYNO_RECOMMENDATION_UNPROVEN;
      if (cell->state == DYNO_RECOMMENDATION_REFUSED)
        find_guess (&self->goal, cell);
    }
}

/* The recommendation */

/* Returns whether any case of a row or a column has a sequence. */
static gboolean
has_sequence (const DynoRecommendation *self, guint first, guint step, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[first + i * step];
      GPtrArray *candidates = cell->candidates->len > 0 ? cell->candidates : cell->refused;

      if (candidates->len > 0)
        return dyno_case_get_sequence_length (
                   dyno_result_get_case (((DynoCandidate *)candidates->pdata[0])->result)) > 0;
    }
  return FALSE;
}

static void
lay_out (DynoRecommendation *self, GPtrArray *cases, GPtrArray *results)
{
  DynoCaseParts told = dyno_recommendation_axis_get_parts (self->row_axis) |
                       dyno_recommendation_axis_get_parts (self->column_axis);
  DynoCaseParts varying = dyno_case_parts_find_varying_in (results);
  const Layout layout = { .recommendation = self,
                          .cases = cases,
                          .varying = varying,
                          .beside = WORK & varying & ~told,
                          .has_model = g_str_equal (self->row_axis, "model") ||
                                       g_str_equal (self->column_axis, "model") };
  g_autoptr (GPtrArray) rows = list_places (&layout, place_in_row, self->rows);
  g_autoptr (GPtrArray) columns = list_places (&layout, place_in_column, self->columns);
  guint n_columns = self->columns->len;

  fill_cells (&layout, rows, columns);
  decide (self);
  /* A model without a sequence cannot be measured at one. */
  for (guint i = 0; i < self->cells->len; i++)
    {
      DynoRecommendationCell *cell = self->cells->pdata[i];

      if (dyno_recommendation_axis_get_parts (self->column_axis) & DYNO_CASE_SEQUENCE &&
          cell->state == DYNO_RECOMMENDATION_NO_DATA &&
          has_sequence (self, i - i % n_columns, 1, n_columns) !=
              has_sequence (self, i % n_columns, n_columns, self->rows->len))
        cell->state = DYNO_RECOMMENDATION_NO_SUCH_SIZE;
    }
}

DynoRecommendation *
dyno_recommendation_new (
    GPtrArray *runs, const DynoGoal *goal, const char *row_axis, const char *column_axis, GError **error)
{
  g_autoptr (DynoRecommendation) self = g_new0 (DynoRecommendation, 1);
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GPtrArray) results = g_ptr_array_new ();

  g_atomic_ref_count_init (&self->ref_count);
  self->goal = *goal;
  self->row_axis = g_strdup (row_axis);
  self->column_axis = g_strdup (column_axis);
  self->rows = g_ptr_array_new_with_free_func (g_free);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  self->cells = g_ptr_array_new_with_free_func ((GDestroyNotify)cell_free);
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->other_runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->imported_runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->comparisons = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_comparison_unref);
  part_runs (self, runs);
  cases = collect_cases (self);
  for (guint i = 0; i < cases->len; i++)
    g_ptr_array_add (results, ((Measured *)cases->pdata[i])->result);
  if (!dyno_recommendation_axis_check (row_axis, results, error) ||
      !dyno_recommendation_axis_check (column_axis, results, error))
    return NULL;
  if (g_str_equal (row_axis, column_axis))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("Rows and columns are both “%s”. Choose two different axes."), row_axis);
      return NULL;
    }
  lay_out (self, cases, results);
  return g_steal_pointer (&self);
}

DynoRecommendation *
dyno_recommendation_ref (DynoRecommendation *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_recommendation_unref (DynoRecommendation *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->row_axis);
  g_free (self->column_axis);
  g_ptr_array_unref (self->cells);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->runs);
  g_ptr_array_unref (self->other_runs);
  g_ptr_array_unref (self->imported_runs);
  g_ptr_array_unref (self->comparisons);
  g_free (self);
}

const DynoRecommendationCell *
dyno_recommendation_get_cell (const DynoRecommendation *self, guint row, guint column)
{
  g_return_val_if_fail (row < self->rows->len && column < self->columns->len, NULL);
  return self->cells->pdata[row * self->columns->len + column];
}

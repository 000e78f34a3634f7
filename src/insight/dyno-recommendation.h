/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cases.h"
#include "dyno-comparison.h"
#include "dyno-goal.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/* dyno-candidate */

/**
 * DynoCandidate:
 * @run: the run that measured it
 * @result: the case
 * @label: the choice in words, such as “openvino · bf16”
 * @cost: its cost by the goal; less is better
 * @doubt: (nullable): why its numbers are doubtful
 * @reason: (nullable): why it may not be recommended
 * @margin: (nullable): the best one compared with this one; NULL for the best one and for one that may not be
 *   recommended
 *
 * One way to do the work of a cell.
 */
typedef struct
{
  DynoRun *run;
  DynoResult *result;
  char *label;
  double cost;
  char *doubt;
  char *reason;
  DynoComparedCase *margin;
} DynoCandidate;

void dyno_candidate_free (DynoCandidate *self);
/* Returns whether it was shown to be as good as the best one, or differs by less than the machine's noise.
 **/
gboolean dyno_candidate_is_tied (const DynoCandidate *self);
/* Returns how much better the best one is, with its interval, and whether that was shown. */
char *dyno_candidate_dup_margin (const DynoCandidate *self, const DynoGoal *goal);
/* Returns the case and its run, in the form that the command line accepts. */
char *dyno_candidate_dup_evidence (const DynoCandidate *self);

/* dyno-recommendation-axis */

/* Returns the names of the axes that always exist. */
const char *const *dyno_recommendation_axis_list (void);
/* Returns the parts of a case that its place on the axis determines, beside the model. */
DynoCaseParts dyno_recommendation_axis_get_parts (const char *axis);
/* Returns whether the axis exists: a fixed one, or an engine option in one of the cases. @results holds
 * DynoResult. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_recommendation_axis_check (const char *axis, GPtrArray *results, GError **error);
/* Returns its name for people; an engine option keeps its own name. */
char *dyno_recommendation_axis_dup_title (const char *axis);
/* Returns the name of the result's place on the axis. */
char *dyno_recommendation_axis_dup_place (const char *axis, DynoResult *result, DynoCaseParts varying);
/* Returns a key for g_strcmp0() that sorts and distinguishes places on the axis: models of one architecture
 * by their size, numbers from the smallest. */
char *dyno_recommendation_axis_dup_order (const char *axis, DynoResult *result);

/**
 * DynoRecommendationState:
 * @DYNO_RECOMMENDATION_CLEAR: one is shown to be better than all others
 * @DYNO_RECOMMENDATION_TIE: the first and the next differ by less than their noise
 * @DYNO_RECOMMENDATION_UNPROVEN: one leads, but the data do not suffice to exclude chance
 * @DYNO_RECOMMENDATION_ALONE: only one may be recommended, so there is nothing to compare it with
 * @DYNO_RECOMMENDATION_REFUSED: cases were measured, but none may be recommended
 * @DYNO_RECOMMENDATION_NO_DATA: no case was measured
 * @DYNO_RECOMMENDATION_NO_SUCH_SIZE: impossible: the model has no sequence, or requires one
 *
 * The state of a recommendation.
 */
typedef enum
{
  DYNO_RECOMMENDATION_CLEAR,
  DYNO_RECOMMENDATION_TIE,
  DYNO_RECOMMENDATION_UNPROVEN,
  DYNO_RECOMMENDATION_ALONE,
  DYNO_RECOMMENDATION_REFUSED,
  DYNO_RECOMMENDATION_NO_DATA,
  DYNO_RECOMMENDATION_NO_SUCH_SIZE,
} DynoRecommendationState;

#define DYNO_N_RECOMMENDATION_STATES (DYNO_RECOMMENDATION_NO_SUCH_SIZE + 1)

/**
 * DynoRecommendationCell:
 * @state: its state
 * @candidates: (element-type DynoCandidate): the candidates that may be recommended, the best first
 * @refused: (element-type DynoCandidate): the others, each with the reason
 * @guess: (nullable): where none may be recommended, the one of @refused that looks best
 * @guess_value: its number for the goal, for people
 *
 * The best choice at one place of a matrix.
 */
typedef struct
{
  DynoRecommendationState state;
  GPtrArray *candidates;
  GPtrArray *refused;
  const DynoCandidate *guess;
  char *guess_value;
} DynoRecommendationCell;

/**
 * DynoRecommendation:
 * @goal: the goal
 * @row_axis: the axis of the rows
 * @column_axis: the axis of the columns
 * @rows: (element-type utf8): the names of the rows
 * @columns: (element-type utf8): the names of the columns
 * @cells: (element-type DynoRecommendationCell): row by row
 * @runs: (element-type DynoRun): the runs that were used
 * @other_runs: (element-type DynoRun): runs of other machines, not used
 * @imported_runs: (element-type DynoRun): imported runs, not used, as another tool's numbers support no
 *   recommendation here
 * @n_cases: the number of measured cases that were used
 *
 * A recommendation from measured results only.
 */
typedef struct
{
  DynoGoal goal;
  char *row_axis;
  char *column_axis;
  GPtrArray *rows;
  GPtrArray *columns;
  GPtrArray *cells;
  GPtrArray *runs;
  GPtrArray *other_runs;
  GPtrArray *imported_runs;
  guint n_cases;

  /*< private >*/
  GPtrArray *comparisons;
  gatomicrefcount ref_count;
} DynoRecommendation;

/* Returns its stable name, for files. */
const char *dyno_recommendation_state_to_string (DynoRecommendationState state);
/* Returns the state in a few words, for a legend. */
const char *dyno_recommendation_state_get_label (DynoRecommendationState state);

/* Returns a recommendation: the best case for each model and work. Of several measurements of a case, the
 * most reliable one counts, and the latest of equals. A cell has a winner only if a test shows it. Takes a
 * while, so it belongs on a thread. @runs: runs with their results; runs of another machine than the first
 * run's are left out, and so are imported runs beside runs that were measured here. @row_axis: the axis of
 * the rows: one of dyno_recommendation_axis_list(), or an option of an engine. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT. */
DynoRecommendation *dyno_recommendation_new (
    GPtrArray *runs, const DynoGoal *goal, const char *row_axis, const char *column_axis, GError **error);
DynoRecommendation *dyno_recommendation_ref (DynoRecommendation *self);
void dyno_recommendation_unref (DynoRecommendation *self);

const DynoRecommendationCell *
dyno_recommendation_get_cell (const DynoRecommendation *self, guint row, guint column);

/* Returns the runs and cases that it is based on, in one to three sentences. */
char *dyno_recommendation_dup_basis (const DynoRecommendation *self);
/* Returns a sentence about the noise floor of the machine, or how to find it; NULL if nothing was compared.
 **/
char *dyno_recommendation_dup_noise (const DynoRecommendation *self);
/* Returns the answer in a few words: the best choice, the equals, or that there is none. */
char *dyno_recommendation_dup_answer (const DynoRecommendationCell *cell);
/* Returns the lead of the best one, or why there is none, in a few words; possibly empty. */
char *dyno_recommendation_dup_margin (const DynoRecommendation *self, const DynoRecommendationCell *cell);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRecommendation, dyno_recommendation_unref)

/* dyno-recommendation-plan */

/* Returns a plan that measures this cell with every backend that may be recommended anywhere; NULL if the
 * cell's work is unknown. */
DynoPlan *dyno_recommendation_plan_new (const DynoRecommendation *self, guint row, guint column);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-candidate.h"

G_BEGIN_DECLS

/**
 * DynoRecommendationState:
 * @DYNO_RECOMMENDATION_CLEAR: one is better than all others, and not by chance
 * @DYNO_RECOMMENDATION_TIE: the first and the next differ by less than their noise
 * @DYNO_RECOMMENDATION_UNPROVEN: one leads, but the data do not suffice to say that it is not by chance
 * @DYNO_RECOMMENDATION_ALONE: only one may be recommended, so there is nothing to compare it with
 * @DYNO_RECOMMENDATION_REFUSED: cases were measured, but none may be recommended
 * @DYNO_RECOMMENDATION_NO_DATA: no case was measured there
 * @DYNO_RECOMMENDATION_NO_SUCH_SIZE: there can be none: the model has no sequence, or has one
 *
 * How a recommendation stands.
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
 * @state: how it stands
 * @candidates: (element-type DynoCandidate): those that may be recommended, the best first
 * @refused: (element-type DynoCandidate): those that may not, each with the reason
 *
 * What is best at one place of a matrix.
 */
typedef struct
{
  DynoRecommendationState state;
  GPtrArray *candidates;
  GPtrArray *refused;
} DynoRecommendationCell;

/**
 * DynoRecommendation:
 * @goal: what is wanted
 * @row_axis: what the rows are
 * @column_axis: what the columns are
 * @rows: (element-type utf8): their names
 * @columns: (element-type utf8): their names
 * @cells: (element-type DynoRecommendationCell): row by row
 * @runs: (element-type DynoRun): on which it rests
 * @other_runs: (element-type DynoRun): left out, because they are from another machine
 * @imported_runs: (element-type DynoRun): left out, because another tool measured them, which can recommend nothing here
 * @n_cases: how many measured cases it rests on
 *
 * What to use, from measured results only.
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

/* Finds the best case for each model and work. Of a case that was measured several times the last one
 * counts that nothing speaks against. A cell has a winner only where a test shows it; takes a while, so it
 * belongs on a thread. Returns a recommendation. @runs: runs with their results; those of another machine
 * than the first's are left out, and beside runs that were measured here those of other tools. @row_axis:
 * what the rows are: one of dyno_recommendation_axis_list(), or an option of an engine. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT. */
DynoRecommendation *dyno_recommendation_new (
    GPtrArray *runs, const DynoGoal *goal, const char *row_axis, const char *column_axis, GError **error);
DynoRecommendation *dyno_recommendation_ref (DynoRecommendation *self);
void dyno_recommendation_unref (DynoRecommendation *self);

const DynoRecommendationCell *
dyno_recommendation_get_cell (const DynoRecommendation *self, guint row, guint column);

/* Returns on what it rests, in one to three sentences. */
char *dyno_recommendation_dup_basis (const DynoRecommendation *self);
/* Returns how far the machine differs from itself, or how to find out: a sentence; NULL where nothing was
 * compared. */
char *dyno_recommendation_dup_noise (const DynoRecommendation *self);
/* Returns what it comes to in a few words: the best choice, the equals, or that there is none. */
char *dyno_recommendation_dup_answer (const DynoRecommendationCell *cell);
/* Returns how far the best one is ahead, or why there is none, in a few words; possibly empty. */
char *dyno_recommendation_dup_margin (const DynoRecommendation *self, const DynoRecommendationCell *cell);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRecommendation, dyno_recommendation_unref)

G_END_DECLS

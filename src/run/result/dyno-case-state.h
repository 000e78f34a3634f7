/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoCaseState:
 * @DYNO_CASE_STATE_WAITING: waits for its turn in a run that goes on
 * @DYNO_CASE_STATE_RUNNING: is being measured
 * @DYNO_CASE_STATE_MEASURED: measured, without doubts about its numbers; their precision is a DynoGrade
 * @DYNO_CASE_STATE_IMPORTED: measured by another tool, without doubts about its numbers
 * @DYNO_CASE_STATE_DOUBTFUL: measured, but its numbers may be wrong: see dyno_result_dup_doubts()
 * @DYNO_CASE_STATE_UNSTEADY: measured, but its latency never became steady
 * @DYNO_CASE_STATE_FAILED: could not be measured; the reason says why
 * @DYNO_CASE_STATE_SKIPPED: not tried; the reason says why
 * @DYNO_CASE_STATE_NOT_RUN: the run was stopped or killed before this case was over
 *
 * The state of a case, as dyno_result_get_state() judges it.
 */
typedef enum
{
  DYNO_CASE_STATE_WAITING,
  DYNO_CASE_STATE_RUNNING,
  DYNO_CASE_STATE_MEASURED,
  DYNO_CASE_STATE_IMPORTED,
  DYNO_CASE_STATE_DOUBTFUL,
  DYNO_CASE_STATE_UNSTEADY,
  DYNO_CASE_STATE_FAILED,
  DYNO_CASE_STATE_SKIPPED,
  DYNO_CASE_STATE_NOT_RUN,
} DynoCaseState;

#define DYNO_N_CASE_STATES   (DYNO_CASE_STATE_NOT_RUN + 1)
#define DYNO_TYPE_CASE_STATE (dyno_case_state_get_type ())

GType dyno_case_state_get_type (void);
/* Returns the word that the store, reports and JSON use. */
const char *dyno_case_state_to_string (DynoCaseState state);
/* Returns the word for people. */
const char *dyno_case_state_get_label (DynoCaseState state);
/* Returns whether a case in that state was measured, here or elsewhere, even if doubtful or unsteady. */
gboolean dyno_case_state_has_numbers (DynoCaseState state);
/* Returns whether a case in that state was measured, here or elsewhere, and there are no doubts about its
 * numbers. */
gboolean dyno_case_state_is_clean (DynoCaseState state);

/**
 * DynoCaseCounts:
 * @n_cases: how many cases the run was to have
 * @of: how many of them are in each DynoCaseState; they add up to @n_cases
 *
 * The number of cases in each state in a run, as dyno_run_count_cases() counts them.
 */
typedef struct
{
  guint n_cases;
  guint of[DYNO_N_CASE_STATES];
} DynoCaseCounts;

/* Returns the number of measured cases, including doubtful and unsteady ones. */
guint dyno_case_counts_get_n_with_numbers (const DynoCaseCounts *self);
/* Returns the states that occur, for people, such as “6 measured · 2 doubtful · 1 failed”. */
char *dyno_case_counts_dup_text (const DynoCaseCounts *self);

G_END_DECLS

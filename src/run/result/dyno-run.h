/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-origin.h"
#include "dyno-plan.h"
#include "dyno-result.h"
#include "dyno-self-test.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN (dyno_run_get_type ())

/**
 * DynoRun:
 *
 * A plan carried out once: when, where, by which Dyno, and its results. Properties, read-write: `id` (UUID
 * string, construct-only, made when NULL), `title`, `notes`, `started-at` and `finished-at` (int64, µs since
 * 1970 UTC, 0 for not yet), `deleted-at` (likewise: when it went to the bin), `plan` and `machine` (JSON
 * strings), `source` (string: `dyno`, `self-test`, or the file or tool it was imported from), `app-version`,
 * `n-cases` (uint: how many cases it was to have) and, for runs that are only listed, `summary` (string:
 * which models and backends) and `cluster` (JSON: the submission in the machine's state, see
 * DynoRunPlace); read-only `results`.
 */
G_DECLARE_FINAL_TYPE (DynoRun, dyno_run, DYNO, RUN, GObject)

/* Returns a run without results. @id: a UUID, or NULL for a fresh one. */
DynoRun *dyno_run_new (const char *id);

const char *dyno_run_get_id (DynoRun *self);
const char *dyno_run_get_title (DynoRun *self);
void dyno_run_set_title (DynoRun *self, const char *title);
const char *dyno_run_get_notes (DynoRun *self);
void dyno_run_set_notes (DynoRun *self, const char *notes);
gint64 dyno_run_get_started_at (DynoRun *self);
gint64 dyno_run_get_finished_at (DynoRun *self);
/* Returns when it went to the bin, in µs since 1970 UTC; 0 for a run that is kept. */
gint64 dyno_run_get_deleted_at (DynoRun *self);
const char *dyno_run_get_plan (DynoRun *self);
const char *dyno_run_get_machine (DynoRun *self);
const char *dyno_run_get_source (DynoRun *self);
const char *dyno_run_get_app_version (DynoRun *self);
/* Counts the cases by state, from the results if they are loaded, else as counted when the run was listed.
 * Planned cases without a record are *not run*, unless a process is still measuring the run; so are waiting
 * cases of a run that is over. */
void dyno_run_count_cases (DynoRun *self, DynoCaseCounts *counts);
void dyno_run_set_counts (DynoRun *self, const DynoCaseCounts *counts);
void dyno_run_set_running (DynoRun *self, gboolean is_running);
/* Returns whether a process was measuring it when it was listed or loaded. */
gboolean dyno_run_is_running (DynoRun *self);
/* Returns whether it was stopped or killed before all of its cases were over, or had all their invocations;
 * FALSE for a run that is still being measured. */
gboolean dyno_run_is_interrupted (DynoRun *self);
/* Returns the states of its cases, for people, and whether it is being measured or was interrupted. */
char *dyno_run_dup_state_text (DynoRun *self);
/* Returns the number of its cases, planned or recorded. */
guint dyno_run_get_n_cases (DynoRun *self);
/* Returns the number of its measured cases, including doubtful and unsteady ones. */
guint dyno_run_get_n_ok (DynoRun *self);
const char *dyno_run_get_summary (DynoRun *self);
const char *dyno_run_get_cluster (DynoRun *self);

/* Returns the file of another tool from which it was imported; NULL for a run that Dyno measured. */
DynoOrigin *dyno_run_get_origin (DynoRun *self);
/* Returns whether another tool measured it, according to its file or, if that is unknown, its first case. */
gboolean dyno_run_is_imported (DynoRun *self);
/* @origin may be NULL. */
void dyno_run_set_origin (DynoRun *self, DynoOrigin *origin);
/* Returns the files of power meters whose readings its cases have. Elements are DynoOrigin. */
GPtrArray *dyno_run_get_meters (DynoRun *self);
/* Returns the tool that measured it, with its version if known: Dyno, or the tool whose file was imported. */
char *dyno_run_dup_tool (DynoRun *self);

/* Returns the command line that repeats it; NULL for a run without its plan, such as one of another tool. */
char *dyno_run_dup_command (DynoRun *self);

/* Returns whether it compares the machine with itself, and so is no measurement of the user's. */
gboolean dyno_run_is_self_test (DynoRun *self);
/* Returns the newest self-test of its machine that was known when the run was loaded; NULL if there is
 * none. */
DynoSelfTest *dyno_run_get_self_test (DynoRun *self);
/* @self_test may be NULL. */
void dyno_run_set_self_test (DynoRun *self, DynoSelfTest *self_test);

/* Returns a list of DynoResult, empty for a run that is only listed. */
GListModel *dyno_run_get_results (DynoRun *self);
void dyno_run_add_result (DynoRun *self, DynoResult *result);

/* dyno-remaining-plan */

/* A case that failed or was skipped is over, because it would end in the same way again. One that lacks
 * invocations is not, because its interval does not cover all requested invocations. Returns whether the case
 * needs no other run. */
gboolean dyno_remaining_plan_is_over (DynoResult *result);
/* The plan of the cases that @run did not reach, or did not measure in all processes, because it was stopped
 * or killed. Returns the plan of @run, reduced to those cases. Fails with DYNO_ERROR_NOT_FOUND if no case
 * remains or there is no plan, and with DYNO_ERROR_INVALID_ARGUMENT while the run is being measured. */
DynoPlan *dyno_remaining_plan_new (DynoRun *run, GError **error);
/* The plan to repeat the doubtful, unsteady and rough cases. Returns the plan of @run, reduced to those cases, which waits
 * for an idle machine, for two minutes unless it waits longer. Fails with DYNO_ERROR_NOT_FOUND if no case is doubtful or
 * there is no plan. */
DynoPlan *dyno_remaining_plan_new_in_doubt (DynoRun *run, GError **error);

/* dyno-run-place */

/**
 * DynoRunPlace:
 * @submission: the id of a submission to other machines
 * @node: the node that measured the run
 * @target: (nullable): where the submission was sent
 * @title: (nullable): the title of the plan
 *
 * The submission to which a run belongs. Its runs are a group: the same plan on several nodes.
 */
typedef struct
{
  char *submission;
  char *node;
  char *target;
  char *title;
} DynoRunPlace;

/* Returns the place; NULL if the run was not submitted. @run: a run, loaded or only listed. */
DynoRunPlace *dyno_run_place_new (DynoRun *run);
/* Returns whether there are several, all of the same submission. @runs holds DynoRun. */
gboolean dyno_run_place_is_shared (GPtrArray *runs);
void dyno_run_place_free (DynoRunPlace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRunPlace, dyno_run_place_free)

G_END_DECLS

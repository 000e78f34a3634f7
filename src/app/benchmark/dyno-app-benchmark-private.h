/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-app-session-private.h"
#include "dyno-backend.h"
#include "dyno-cluster-driver.h"
#include "dyno-cluster-follower.h"
#include "dyno-method.h"
#include "dyno-model.h"
#include "dyno-plan.h"
#include "dyno-prober.h"
#include "dyno-result.h"
#include "dyno-runner.h"

G_BEGIN_DECLS

/* dyno-plan-count */

/**
 * DynoPlanBlock:
 * @engine: its index in the engines of the plan
 * @seconds: the expected time
 *
 * A case of a plan.
 */
typedef struct
{
  guint engine;
  double seconds;
} DynoPlanBlock;

/**
 * DynoPlanPart:
 * @spec: the model, as dyno_model_load() takes it
 * @title: its name for people
 * @blocks: its cases: DynoPlanBlock
 * @seconds: the expected time of all of them
 *
 * The cases of a model.
 */
typedef struct
{
  char *spec;
  char *title;
  GArray *blocks;
  double seconds;
} DynoPlanPart;

/**
 * DynoPlanCount:
 * @n_cases: the number of cases
 * @seconds: the expected time
 * @machine: (nullable): a snapshot of this machine, as JSON
 * @forecast: (nullable): memory and time of the steps, as sentences
 * @engines: the names of the engines
 * @parts: the models: DynoPlanPart
 *
 * What a plan comes to before it runs.
 */
typedef struct
{
  guint n_cases;
  double seconds;
  char *machine;
  char *forecast;
  GPtrArray *engines;
  GPtrArray *parts;
} DynoPlanCount;

/* Reads models, so it belongs on a thread. Returns the count without its forecast; NULL if the plan is wrong.
 * @store (nullable): knows earlier durations. @machine (nullable): a snapshot, if there is one. @cases (nullable,
 * out): the cases. */
DynoPlanCount *dyno_plan_count_new (
    DynoPlan *plan, DynoStore *store, const char *machine, GPtrArray **cases, GError **error);
/* Builds graphs, so it belongs on a thread. */
void dyno_plan_count_add_forecast (DynoPlanCount *self,
                                   GPtrArray *cases,
                                   DynoStore *store,
                                   GCancellable *cancellable);
/* Returns “12 cases · about 1 min 20 s”. */
char *dyno_plan_count_dup_text (const DynoPlanCount *self);
void dyno_plan_count_free (DynoPlanCount *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPlanCount, dyno_plan_count_free)

/* dyno-benchmark-page */

#define DYNO_TYPE_BENCHMARK_PAGE (dyno_benchmark_page_get_type ())

/**
 * DynoBenchmarkPage:
 *
 * The page on which the user fills in a plan, presses Run and watches the run, which stays after its end; during a run, plans
 * are added to the queue. It belongs to the
 * application (dyno_application_start_run()), so every window shows the same one. Read-only
 * properties: `running` (boolean) and `runner` (DynoRunner or NULL).
 *
 * Signal `run-finished` (DynoRun): a run has ended, complete or stopped, and has results.
 *
 * Signal `show-results (const char *id)`: the user asks for the run or submission with that id.
 *
 * Actions: `benchmark.run`, `benchmark.run-when-idle`, `benchmark.run-quick`, `benchmark.every-engine`,
 * `benchmark.find-settings`, `benchmark.reset`, `benchmark.pause`, `benchmark.skip`, `benchmark.stop`, `benchmark.back`,
 * `benchmark.show-run`, `benchmark.open-model`,
 * `benchmark.add-from-hub`, `benchmark.load-suite` (the name of a bundled suite), `benchmark.open-suite`,
 * `benchmark.save-suite`, `benchmark.cancel-submission`, `benchmark.show-submission` (its id).
 */
G_DECLARE_FINAL_TYPE (DynoBenchmarkPage, dyno_benchmark_page, DYNO, BENCHMARK_PAGE, DynoPage)

/* Adds a model to the list and ticks it. @file: an ONNX or GGUF file, or a Hugging Face `config.json`. */
void dyno_benchmark_page_add_model_file (DynoBenchmarkPage *self, GFile *file);
/* Fills the form from @plan. During a run, the form appears afterwards. */
void dyno_benchmark_page_show_plan (DynoBenchmarkPage *self, DynoPlan *plan);
/* Starts a run of @plan, or says why it cannot start; during a run, adds it to the queue. The form does not change. */
void dyno_benchmark_page_run_plan (DynoBenchmarkPage *self, DynoPlan *plan);
/* Starts to analyse the cases that an earlier run did not, or says why it cannot start. @run: with its results.
 * @rest (nullable): a plan to run after that. */
void dyno_benchmark_page_analyse_run (DynoBenchmarkPage *self, DynoRun *run, DynoPlan *rest);
gboolean dyno_benchmark_page_get_running (DynoBenchmarkPage *self);
/* Returns the current runner; NULL if nothing runs. */
DynoRunner *dyno_benchmark_page_get_runner (DynoBenchmarkPage *self);
/* Puts the column beside the rest of the page, or below it. @halves: holds both. */
void dyno_benchmark_column_place (GtkWidget *column, GtkOrientable *halves, gboolean narrow);

/* dyno-forecast-view */

#define DYNO_TYPE_FORECAST_VIEW (dyno_forecast_view_get_type ())

/**
 * DynoForecastView:
 *
 * A plan before it runs: a strip for each model with a block for each case, as long as it takes, in the colour
 * of its engine; the memory it needs; and, while it is shown, whether other programs keep the machine busy.
 *
 * Its button activates `benchmark.run-when-idle` of an ancestor.
 */
G_DECLARE_FINAL_TYPE (DynoForecastView, dyno_forecast_view, DYNO, FORECAST_VIEW, AdwBin)

/* @count may be NULL. @is_here: whether this machine is to measure. */
void dyno_forecast_view_show (DynoForecastView *self, const DynoPlanCount *count, gboolean is_here);

/* dyno-hub-window */

#define DYNO_TYPE_HUB_WINDOW (dyno_hub_window_get_type ())

/**
 * DynoHubWindow:
 *
 * Fetches a model from the Hugging Face Hub. Closing it ends the download; the part that has arrived is kept.
 *
 * Signal `fetched` (string): a model has arrived and can be measured; the argument suits
 * dyno_model_load(). The window closes afterwards.
 *
 * Actions: `hub.fetch`, `hub.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoHubWindow, dyno_hub_window, DYNO, HUB_WINDOW, AdwWindow)

/* Returns a window that asks for a model to fetch. */
GtkWidget *dyno_hub_window_new (void);

/* dyno-live-page */

#define DYNO_TYPE_LIVE_PAGE (dyno_live_page_get_type ())

/**
 * DynoLivePage:
 *
 * The current run: its results as they come, as the Results page shows them, and beside them its progress, the newest
 * latency and memory of the current case, and the grid of cases.
 *
 * Its buttons activate `benchmark.pause`, `benchmark.skip`, `benchmark.stop` and, after the end, `benchmark.back` of an
 * ancestor.
 */
G_DECLARE_FINAL_TYPE (DynoLivePage, dyno_live_page, DYNO, LIVE_PAGE, AdwBin)

/* @runner may be NULL. @store (nullable without a runner): takes in its results. */
void dyno_live_page_set_runner (DynoLivePage *self, DynoRunner *runner, DynoStore *store);
/* The runner has ended: its run stays as a finished one, in place, until dyno_live_page_set_runner(). */
void dyno_live_page_end (DynoLivePage *self);
/* @stopping: whether the user has asked to stop the run, which takes a moment. */
void dyno_live_page_set_stopping (DynoLivePage *self, gboolean stopping);

/* dyno-pad-window */

#define DYNO_TYPE_PAD_WINDOW (dyno_pad_window_get_type ())

/**
 * DynoPadWindow:
 *
 * A small window in place of the whole one during a run, so that drawing takes no time from its cases.
 */
G_DECLARE_FINAL_TYPE (DynoPadWindow, dyno_pad_window, DYNO, PAD_WINDOW, AdwWindow)

/* Returns a window that shows the text of both labels. @owner: has the action `benchmark.stop`, and outlives the window. */
GtkWidget *dyno_pad_window_new (GtkWidget *owner, GtkLabel *case_label, GtkLabel *left_label);
/* @latency may be NULL. */
void dyno_pad_window_show_latency (DynoPadWindow *self, DynoTrace *latency);

/* dyno-load-row */

#define DYNO_TYPE_LOAD_ROW (dyno_load_row_get_type ())

/**
 * DynoLoadRow:
 *
 * Chooses the arrival of requests: one load or several to compare, their limits, and whether clients share a
 * session. Other combinations of a plan appear in an entry, written as on the command line. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoLoadRow, dyno_load_row, DYNO, LOAD_ROW, AdwExpanderRow)

/* Returns the error in the loads, as a sentence; NULL if there is none. */
const char *dyno_load_row_get_problem (DynoLoadRow *self);
/* Returns the loads to compare, as dyno_load_parse_list() takes them: at least one request at a time. */
char **dyno_load_row_dup_loads (DynoLoadRow *self);
/* @loads: loads, as dyno_load_parse_list() takes them; invalid ones are shown as well. */
void dyno_load_row_set_loads (DynoLoadRow *self, const char *const *loads);

/* dyno-method-group */

#define DYNO_TYPE_METHOD_GROUP (dyno_method_group_get_type ())

/**
 * DynoMethodGroup:
 *
 * The duration and accuracy of the measurement: a row for every property of DynoMethod and a switch
 * for shuffling. Follows the settings until the user or a suite changes a value.
 *
 * Signal `changed`: a number or the switch changed.
 */
G_DECLARE_FINAL_TYPE (DynoMethodGroup, dyno_method_group, DYNO, METHOD_GROUP, AdwPreferencesGroup)

/* Returns the method that the rows describe. */
DynoMethod *dyno_method_group_create_method (DynoMethodGroup *self);
void dyno_method_group_set_method (DynoMethodGroup *self, DynoMethod *method);
gboolean dyno_method_group_get_shuffle (DynoMethodGroup *self);
void dyno_method_group_set_shuffle (DynoMethodGroup *self, gboolean shuffle);
/* Goes back to the method of the preferences. */
void dyno_method_group_reset (DynoMethodGroup *self);
/* Returns the conflict between the values, as a sentence; NULL if there is none. */
char *dyno_method_group_dup_problem (DynoMethodGroup *self);

/* dyno-model-list */

#define DYNO_TYPE_MODEL_LIST (dyno_model_list_get_type ())

/**
 * DynoModelList:
 *
 * The models to choose from: the bundled ones, with a search, files that the user adds or drops, models
 * fetched from the hub, and those of servers.
 *
 * Signals: `changed`: the set of ticked models changed; `loaded`: the bundled models have been read.
 */
G_DECLARE_FINAL_TYPE (DynoModelList, dyno_model_list, DYNO, MODEL_LIST, AdwBin)

/* Returns the ticked models, as dyno_model_load() takes them. */
char **dyno_model_list_dup_selected (DynoModelList *self);
/* Ticks exactly these models and adds paths that are not in the list. If the list is still loading, it does
 * so afterwards. */
void dyno_model_list_select (DynoModelList *self, const char *const *specs);
/* Returns the model of a row; NULL if there is none, or it has not been read yet. */
DynoModel *dyno_model_list_find_model (DynoModelList *self, const char *spec);
/* Returns the added paths and ids, ticked or not. */
char **dyno_model_list_dup_files (DynoModelList *self);
/* Adds these without ticking them. */
void dyno_model_list_set_files (DynoModelList *self, const char *const *files);
void dyno_model_list_focus_search (DynoModelList *self);
/* Adds a model at the top and ticks it. A model that was added before is read again. */
void dyno_model_list_add (DynoModelList *self, const char *spec);
/* Like dyno_model_list_add(), for a file. @file: an ONNX or GGUF file, or a Hugging Face `config.json`. */
void dyno_model_list_add_file (DynoModelList *self, GFile *file);
/* Adds these to the list, and removes models that no server offers any more. */
void dyno_model_list_show_served (DynoModelList *self, const char *const *specs);
/* Returns whether the rows have not been made yet. */
gboolean dyno_model_list_get_loading (DynoModelList *self);

/* dyno-model-row */

#define DYNO_TYPE_MODEL_ROW (dyno_model_row_get_type ())

/**
 * DynoModelRow:
 *
 * A model that can be ticked: its name, family and size, or why its file cannot be read. A new row is empty, and has
 * words only for screen readers. Properties: `spec` (string, construct-only: the argument for dyno_model_load()),
 * `selected` (boolean), and the read-only `problem` (nullable string).
 *
 * Action `model.details`: shows the details of the model.
 *
 * Signal `remove`: the user asks to remove an added file from the list.
 */
G_DECLARE_FINAL_TYPE (DynoModelRow, dyno_model_row, DYNO, MODEL_ROW, GtkListBoxRow)

/* Returns a new row, not ticked. */
DynoModelRow *dyno_model_row_new (DynoModel *model);
/* Reads an added model in a thread; the user can remove the row again. Returns a new row, ticked. @spec: the
 * path of an ONNX or GGUF file or of a Hugging Face `config.json`, or the id of a fetched model. */
DynoModelRow *dyno_model_row_new_added (const char *spec);

/* Gives the row its contents. */
void dyno_model_row_fill (DynoModelRow *self);
const char *dyno_model_row_get_name (DynoModelRow *self);
const char *dyno_model_row_get_spec (DynoModelRow *self);
/* Returns whether the user added the model, rather than Dyno bundling it. */
gboolean dyno_model_row_get_added (DynoModelRow *self);
const char *dyno_model_row_get_problem (DynoModelRow *self);
/* Returns the model; NULL until it is read. */
DynoModel *dyno_model_row_get_model (DynoModelRow *self);
gboolean dyno_model_row_get_selected (DynoModelRow *self);
void dyno_model_row_set_selected (DynoModelRow *self, gboolean selected);
/* Returns whether name, family, task, architecture or id contain @text, ignoring case. */
gboolean dyno_model_row_matches (DynoModelRow *self, const char *text);

/* dyno-model-window */

#define DYNO_TYPE_MODEL_WINDOW (dyno_model_window_get_type ())

/**
 * DynoModelWindow:
 *
 * The details of a model before it is measured: its facts, the work of a step, and its needs in each
 * precision. Closing it stops counting the work.
 */
G_DECLARE_FINAL_TYPE (DynoModelWindow, dyno_model_window, DYNO, MODEL_WINDOW, AdwWindow)

/* Returns a window for @model; facts that take long to compute appear later. */
GtkWidget *dyno_model_window_new (DynoModel *model);

/* dyno-pinning-row */

#define DYNO_TYPE_PINNING_ROW (dyno_pinning_row_get_type ())

/**
 * DynoPinningRow:
 *
 * Chooses how threads are placed on processors: one policy or several to compare, of those that apply to this
 * machine. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoPinningRow, dyno_pinning_row, DYNO, PINNING_ROW, AdwExpanderRow)

/* Returns the error in the named processors, as a sentence; NULL if there is none. */
const char *dyno_pinning_row_get_problem (DynoPinningRow *self);
/* Returns the policies to compare, at least the default one. */
char **dyno_pinning_row_dup_policies (DynoPinningRow *self);
/* @policies: policies; those that do not apply here are shown as well. */
void dyno_pinning_row_set_policies (DynoPinningRow *self, const char *const *policies);

/* dyno-plan-form */

#define DYNO_TYPE_PLAN_FORM (dyno_plan_form_get_type ())

/**
 * DynoPlanForm:
 *
 * The form for a plan: models, backends, sweep and method. Read-only properties: `ready` (boolean: whether
 * the plan can run), `summary` (string: the number of cases and the duration, or why nothing can run),
 * `counting` (boolean: the summary does not include the latest change yet, or engines are being probed) and
 * `elsewhere` (boolean: other machines measure). Property `narrow` (boolean, read-write): whether the form ends
 * with the forecast. The settings keep the choice.
 */
G_DECLARE_FINAL_TYPE (DynoPlanForm, dyno_plan_form, DYNO, PLAN_FORM, AdwBin)

/* Returns the plan that the form describes, whether or not it can run. */
DynoPlan *dyno_plan_form_create_plan (DynoPlanForm *self);
/* Fills the form from a plan, and names the missing backends and devices. */
void dyno_plan_form_set_plan (DynoPlanForm *self, DynoPlan *plan);
/* Fills the form with the defaults. Added files stay in the list. */
void dyno_plan_form_reset (DynoPlanForm *self);
void dyno_plan_form_focus_search (DynoPlanForm *self);
/* Adds a model to the list and ticks it. */
void dyno_plan_form_add_model (DynoPlanForm *self, const char *spec);
/* Adds a model to the list and ticks it. @file: an ONNX or GGUF file, or a Hugging Face `config.json`. */
void dyno_plan_form_add_model_file (DynoPlanForm *self, GFile *file);
gboolean dyno_plan_form_get_ready (DynoPlanForm *self);
gboolean dyno_plan_form_get_counting (DynoPlanForm *self);
const char *dyno_plan_form_get_summary (DynoPlanForm *self);
/* Returns the last count; NULL if nothing can run. It may change with `counting`. */
const DynoPlanCount *dyno_plan_form_get_count (DynoPlanForm *self);
/* Answers how fast this computer is, by the newest run that does. */
void dyno_plan_form_show_score (DynoPlanForm *self, DynoStore *store);
/* @session: has the store that knows earlier durations, and the submissions to list. */
void dyno_plan_form_set_session (DynoPlanForm *self, DynoAppSession *session);
/* Returns whether other machines are to run the plan. */
gboolean dyno_plan_form_is_elsewhere (DynoPlanForm *self);
void dyno_plan_form_init_options (DynoPlanForm *self, DynoClusterOptions *options);

/* dyno-plan-strip */

#define DYNO_TYPE_PLAN_STRIP (dyno_plan_strip_get_type ())

/**
 * DynoPlanStrip:
 *
 * Blocks beside each other, each as long as a case takes. Assistive technologies ignore it.
 */
G_DECLARE_FINAL_TYPE (DynoPlanStrip, dyno_plan_strip, DYNO, PLAN_STRIP, GtkWidget)

/* Returns a strip. @blocks holds DynoPlanBlock. @whole: the seconds that fill it. */
GtkWidget *dyno_plan_strip_new (GArray *blocks, double whole);

/* dyno-queue-group */

#define DYNO_TYPE_QUEUE_GROUP (dyno_queue_group_get_type ())

/**
 * DynoQueueGroup:
 *
 * The runs that wait in the queue, to be moved and removed. Invisible if there are none and nothing runs.
 *
 * Actions: `queue.change` (the id of a run and the change, as dyno_store_change_queue() takes them), `queue.start`.
 */
G_DECLARE_FINAL_TYPE (DynoQueueGroup, dyno_queue_group, DYNO, QUEUE_GROUP, AdwPreferencesGroup)

void dyno_queue_group_set_session (DynoQueueGroup *self, DynoAppSession *session);

/* dyno-stages-row */

#define DYNO_TYPE_STAGES_ROW (dyno_stages_row_get_type ())

/**
 * DynoStagesRow:
 *
 * Chooses precision, threads and device of single stages of models, one value of each or several to compare. It is only
 * visible if there are stages. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoStagesRow, dyno_stages_row, DYNO, STAGES_ROW, AdwExpanderRow)

/* Shows the options of these stages, those with the same name together, and no others. @places: engines and devices to
 * choose from, as a plan names them. Does not emit `changed`. */
void dyno_stages_row_offer (DynoStagesRow *self, const char *const *stages, const char *const *places);
/* Returns the error in the choice, as a sentence; NULL if there is none. */
const char *dyno_stages_row_get_problem (DynoStagesRow *self);
/* Returns each of @options with each combination of the chosen values, as a plan has them. */
char **dyno_stages_row_multiply (DynoStagesRow *self, const char *const *options);
/* Chooses the values that occur in @options, which are those of a plan. */
void dyno_stages_row_set_options (DynoStagesRow *self, const char *const *options);

/* dyno-submission-group */

#define DYNO_TYPE_SUBMISSION_GROUP (dyno_submission_group_get_type ())

/**
 * DynoSubmissionGroup:
 *
 * The followed submissions, with a row to open each. Invisible if there are none.
 */
G_DECLARE_FINAL_TYPE (DynoSubmissionGroup, dyno_submission_group, DYNO, SUBMISSION_GROUP, AdwPreferencesGroup)

void dyno_submission_group_set_follower (DynoSubmissionGroup *self, DynoClusterFollower *follower);

/* dyno-submission-page */

#define DYNO_TYPE_SUBMISSION_PAGE (dyno_submission_page_get_type ())

/**
 * DynoSubmissionPage:
 *
 * The progress of a submission to other machines: its cases by node. Before the submission, the page says
 * that the nodes are being asked.
 *
 * Signal `show-results (const char *id)`: the user asks for the results: the run with that id, or the runs of
 * that submission.
 */
G_DECLARE_FINAL_TYPE (DynoSubmissionPage, dyno_submission_page, DYNO, SUBMISSION_PAGE, AdwBin)

/* Shows that the nodes are being asked. */
void dyno_submission_page_begin (DynoSubmissionPage *self);
void dyno_submission_page_show (DynoSubmissionPage *self, DynoClusterFollower *follower, const char *id);
/* Stops following a submission whose end the user has seen. */
void dyno_submission_page_leave_ended (DynoSubmissionPage *self);
/* Returns the number of tasks in each state. */
char *dyno_submission_page_dup_counts (DynoClusterProgress *progress);

/* dyno-suite-cards */

#define DYNO_TYPE_SUITE_CARDS (dyno_suite_cards_get_type ())

/**
 * DynoSuiteCards:
 *
 * A card for each of the first suites to try, with its models and its time, and a menu of all of them.
 *
 * They activate `benchmark.load-suite` of an ancestor.
 */
G_DECLARE_FINAL_TYPE (DynoSuiteCards, dyno_suite_cards, DYNO, SUITE_CARDS, AdwBin)

/* Reads the suites in a thread. @store (nullable): knows earlier durations. */
void dyno_suite_cards_read (DynoSuiteCards *self, DynoStore *store);
/* Marks the card of a suite. @title (nullable): the title of the plan in the form. */
void dyno_suite_cards_mark (DynoSuiteCards *self, const char *title);

/* dyno-where-group */

#define DYNO_TYPE_WHERE_GROUP (dyno_where_group_get_type ())

/**
 * DynoWhereGroup:
 *
 * Chooses where to measure: here, or on other machines with options of their own.
 *
 * Signal `changed`: the choice changed.
 */
G_DECLARE_FINAL_TYPE (DynoWhereGroup, dyno_where_group, DYNO, WHERE_GROUP, AdwPreferencesGroup)

/* Returns whether the cases go to other machines. */
gboolean dyno_where_group_is_elsewhere (DynoWhereGroup *self);
/* Returns why the cases cannot be submitted; NULL if they can. */
const char *dyno_where_group_get_problem (DynoWhereGroup *self);
/* Returns backends that the nodes have and this machine does not. */
char **dyno_where_group_dup_backends (DynoWhereGroup *self);
void dyno_where_group_init_options (DynoWhereGroup *self, DynoClusterOptions *options);
/* Returns the choice, of type `a{ss}`. */
GVariant *dyno_where_group_save (DynoWhereGroup *self);
void dyno_where_group_restore (DynoWhereGroup *self, GVariant *saved);

G_END_DECLS

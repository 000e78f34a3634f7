/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "dyno-chart-export.h"
#include "dyno-chart-kind.h"
#include "dyno-cli.h"
#include "dyno-cluster-submission.h"
#include "dyno-compatibility.h"
#include "dyno-goal.h"
#include "dyno-hub.h"
#include "dyno-model.h"
#include "dyno-plan.h"
#include "dyno-progress.h"
#include "dyno-repetition.h"
#include "dyno-report-plain.h"
#include "dyno-report-quantity.h"
#include "dyno-report.h"
#include "dyno-result.h"
#include "dyno-run.h"
#include "dyno-runner.h"
#include "dyno-sensor-set.h"
#include "dyno-store.h"
#include "dyno-worker-client.h"

G_BEGIN_DECLS

/* dyno-cli-alerts */

/**
 * DynoCliAlerts:
 *
 * The command-line options for alerts.
 */
typedef struct _DynoCliAlerts DynoCliAlerts;

/* Returns options, none of them given. */
DynoCliAlerts *dyno_cli_alerts_new (void);
void dyno_cli_alerts_free (DynoCliAlerts *self);
/* Returns their entries for an option context. */
const GOptionEntry *dyno_cli_alerts_get_entries (DynoCliAlerts *self);
/* Returns whether any of them is given. */
gboolean dyno_cli_alerts_are_wanted (DynoCliAlerts *self);
/* Returns whether the options are valid. */
gboolean dyno_cli_alerts_check (DynoCliAlerts *self, GError **error);
/* Judges a run that is over, keeps the alerts with it, and tells them; what fails is a warning. @run (nullable): with its results.
 * @lost (nullable): DynoAlert about nodes; taken. @store (nullable): the store that has the run. */
void dyno_cli_alerts_tell (DynoCliAlerts *self, DynoRun *run, GPtrArray *lost, DynoStore *store);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliAlerts, dyno_cli_alerts_free)

/* dyno-cli-answer */

/* Returns the number of terminal columns: those that the environment gives in COLUMNS, those of the terminal,
 * or the usual ones. @fd: a file descriptor, which may be a terminal. */
guint dyno_cli_get_width (int fd);
/* Prints the document as text to fit the terminal, its details with `--notes`. */
void dyno_cli_print_document (const DynoReportDocument *document);
/* Does as if `--notes` were given. */
void dyno_cli_answer_show_details (void);
/* @name: the format where none is asked for, in place of text. */
void dyno_cli_answer_set_usual (const char *name);
/* Returns whether the answer is text for the terminal, beside which other lines may be printed. */
gboolean dyno_cli_answer_is_text (void);
gboolean dyno_cli_answer_is_json (void);
/* Prepares for the format that the options ask for. Returns whether there is one. */
gboolean dyno_cli_answer_check (GError **error);
/* Prints the answer in the format that the options ask for. */
gboolean dyno_cli_answer_print (const DynoReportDocument *document, GError **error);
/* Prints an answer that is a table. Returns the exit status. @otherwise (nullable): a sentence for people if the table
 * has no rows. @data: the same for programs. Takes @table and @data. */
DynoCliStatus
dyno_cli_answer_print_list (DynoReportTable *table, const char *otherwise, JsonNode *data, GError **error);
/* Prints an answer that is lines to be copied, each ending in a newline. Returns the exit status. Takes @data. */
DynoCliStatus dyno_cli_answer_print_lines (const char *lines, JsonNode *data, GError **error);
/* Prints an answer that is a sentence, or several, each ending in a newline. Returns the exit status. Takes @data. */
DynoCliStatus dyno_cli_answer_print_sentence (const char *sentence, JsonNode *data, GError **error);
/* Returns an object with one member. Takes @value. */
JsonNode *dyno_cli_answer_create_member (const char *name, JsonNode *value);
/* Prints a report of the runs in a format other than text. @runs holds DynoRun. */
gboolean dyno_cli_answer_print_runs (GPtrArray *runs, GError **error);
/* Returns the options of every command that gives an answer. */
const GOptionEntry *dyno_cli_answer_get_entries (void);
/* Returns the options of every command that prints notes. */
const GOptionEntry *dyno_cli_notes_get_entries (void);
/* Returns the options of every command that prints tables. */
const GOptionEntry *dyno_cli_table_get_entries (void);

/* dyno-cli-cases */

/* Returns the states of its cases, and how to go on if it was interrupted, for people. */
char *dyno_cli_cases_dup_counts (DynoRun *run);
/* Adds the title, id, date, tool, machine, devices and notes of the run. */
void dyno_cli_cases_add_heading (DynoReportDocument *document, DynoRun *run);
/* Adds the heading, a summary of the run and the table of its cases, then failures and doubts about numbers; the
 * details are warnings and the values that were not measured. */
void dyno_cli_cases_add (DynoReportDocument *document, DynoRun *run);
/* Prints the run as text. */
void dyno_cli_cases_print (DynoRun *run);
/* Adds all of a case: every value with its source, the slowest modules and operators, and every diagnostic. */
void dyno_cli_cases_add_one (DynoReportDocument *document, DynoResult *result);

/* dyno-cli-charset */

/* Returns the text in @charset; characters that it lacks are written in ASCII, such as `+/-` for ±. The
 * caller owns it. @text: a text in UTF-8. */
char *dyno_cli_charset_convert (const char *text, const char *charset);

/* dyno-cli-charts */

/* With more cases, their own charts are too many to look at; the charts of the whole run show them all. */
#define DYNO_CLI_CHARTS_MAX_CASES 100
/* The maximum number of chart kinds, including those of plug-ins. */
#define DYNO_CLI_CHARTS_MAX_KINDS 64

/**
 * DynoCliCharts:
 * @folder: the folder for the pictures
 * @kinds: (array length=n_kinds): the kinds of charts
 * @n_kinds: their number
 * @formats: (array length=n_formats): the file formats
 * @n_formats: their number
 * @width: of a picture, in px
 * @height: of a picture, in px; 0 for the height that each chart needs
 * @style: the style of the charts
 * @case_number: the case for charts of one case, from 1; 0 for all, up to DYNO_CLI_CHARTS_MAX_CASES
 * @n_written: the number of files written
 * @n_left_out: the number of cases without charts of their own
 *
 * Options for charts of runs, and the number of files written.
 */
typedef struct
{
  const char *folder;
  DynoChartKind kinds[DYNO_CLI_CHARTS_MAX_KINDS];
  guint n_kinds;
  DynoImageFormat formats[DYNO_N_IMAGE_FORMATS];
  guint n_formats;
  double width;
  double height;
  const DynoChartStyle *style;
  guint case_number;
  guint n_written;
  guint n_left_out;
} DynoCliCharts;

/* Returns the names of all charts, separated by commas. */
char *dyno_cli_charts_dup_kind_names (void);
/* Selects every chart, as SVG and PNG, on white, at the height it needs. @folder: the folder for the
 * pictures; it is created if it does not exist. */
void dyno_cli_charts_init (DynoCliCharts *self, const char *folder);
/* Returns whether all names are known. @names: `all`, or names of charts separated by commas. */
gboolean dyno_cli_charts_set_kinds (DynoCliCharts *self, const char *names, GError **error);
/* Returns whether all names are known. @names: names of formats, such as `svg`, separated by commas. */
gboolean dyno_cli_charts_set_formats (DynoCliCharts *self, const char *names, GError **error);
/* Returns whether it is a valid size. @size: such as `960x540`. */
gboolean dyno_cli_charts_set_size (DynoCliCharts *self, const char *size, GError **error);
/* Writes one light chart in the format that the name of the file asks for. Takes @chart. */
gboolean dyno_cli_charts_write_one (DynoChart *chart, const char *path, GError **error);
/* Writes the charts; a chart without data is left out. Returns whether at least one was written and none
 * failed. @runs holds DynoRun. Fails with DYNO_ERROR_NOT_FOUND when the runs hold no data for any chart. */
gboolean dyno_cli_charts_write (DynoCliCharts *self, GPtrArray *runs, GError **error);

/**
 * DynoCliPlan:
 *
 * The command-line options for a plan.
 */
typedef struct _DynoCliPlan DynoCliPlan;

/* dyno-cli-compare */

/* Prints the comparison of the cases of a run, as the command does. Returns whether there is one. */
gboolean dyno_cli_compare_print (DynoRun *run, GError **error);

/* dyno-cli-download */

/**
 * DynoCliDownload:
 * @cancellable: cancelled by Ctrl+C
 *
 * A download whose progress the terminal shows.
 */
typedef struct
{
  GCancellable *cancellable;
  /*< private >*/
  GMainLoop *loop;
  gboolean is_followed;
  guint interrupt;
} DynoCliDownload;

void dyno_cli_download_begin (DynoCliDownload *self);
/* Shows the progress on the terminal, if there is one. */
void dyno_cli_download_report (const DynoProgress *progress, gpointer self);
/* Waits until dyno_cli_download_end() is called. */
void dyno_cli_download_wait (DynoCliDownload *self);
void dyno_cli_download_end (DynoCliDownload *self);
/* Passes @cause on as @error; a cancellation gets a message for people. Takes @cause. */
void dyno_cli_download_take_error (GError *cause, GError **error);

/* dyno-cli-dry-run */

/* Prints the cases that would be measured, those that would not with the reason, and the expected memory and
 * time. Returns DYNO_CLI_OK if any case would be measured. @cases holds DynoCase. @ceilings_seconds: how long the roofs of a
 * machine take that has none yet. */
DynoCliStatus dyno_cli_dry_run (DynoPlan *plan, GPtrArray *cases, double ceilings_seconds, GError **error);
/* Prints that so many cases would be analysed, and not measured. */
DynoCliStatus dyno_cli_dry_run_analyses (guint n, GError **error);

/* dyno-cli-duration */

/* Returns whether it is a time above 0. @text (nullable): a time, such as “5min”, “90s” or “1h”. @seconds:
 * the time in seconds. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_cli_duration_parse (const char *text, double usual, double *seconds, GError **error);

/* dyno-cli-fetch */

/* Fetches a model, and says how to measure it, or why Dyno cannot build it. Returns the exit status. @text: a
 * model on the hub: its id, or the address of its page. */
DynoCliStatus dyno_cli_fetch (const char *text, DynoHubWish wish, GError **error);

/* dyno-cli-format */

/* Returns the number and its unit, scaled to read best. The caller owns it. */
char *dyno_cli_format_quantity (double number, const char *unit);
/* Returns the number in the unit that reads best, after a “~” if it is unsteady and a “←” if it is imported; a dash
 * if there is no number; empty if there is no value. The caller owns it. @value may be NULL. */
char *dyno_cli_format_value (DynoValue *value);
/* Returns a copy of the text, which is empty for NULL. The caller owns it. */
char *dyno_cli_format_text (const char *text);
/* Returns the name of the engine, with the device if the name does not identify it. The caller owns it.
 * @device may be NULL. */
char *dyno_cli_format_engine (const char *backend_id, const char *device);
/* Returns the number in the format of the locale. The caller owns it. */
char *dyno_cli_format_count (gint64 count);
/* Returns minutes and seconds, with hours if there are any. The caller owns it. */
char *dyno_cli_format_duration (double seconds);

/* dyno-cli-goal */

/**
 * DynoCliGoal:
 * @text: (nullable): the given goal
 * @price: (nullable): the given price
 * @limits: the given limits; 0, which no case can keep, for limits not given
 *
 * The command-line options for a goal.
 */
typedef struct
{
  char *text;
  char *price;
  double limits[DYNO_N_LIMITS];
} DynoCliGoal;

/* @entries holds GOptionEntry. */
void dyno_cli_goal_add_entries (DynoCliGoal *self, GArray *entries);
/* Adds the option for the price of the machine. @entries holds GOptionEntry. */
void dyno_cli_goal_add_price (DynoCliGoal *self, GArray *entries);
/* Returns whether the options form a goal. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_cli_goal_read (const DynoCliGoal *self, DynoGoal *goal, GError **error);
void dyno_cli_goal_clear (DynoCliGoal *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoCliGoal, dyno_cli_goal_clear)

/* dyno-cli-help */

/**
 * DYNO_CLI_GROUP:
 * @title: a literal
 *
 * An element of a command's entries: the help shows this title above the options that follow.
 */
#define DYNO_CLI_GROUP(title)                                                                                \
  {                                                                                                          \
    "", 0, 0, G_OPTION_ARG_NONE, NULL, title, NULL                                                           \
  }

/* Returns whether the entry is a title of a group. */
gboolean dyno_cli_help_is_group (const GOptionEntry *entry);
/* Returns the help of the command. The caller owns it. @entries: its options; a title precedes those of its
 * group and may occur again. */
char *dyno_cli_help_to_string (const DynoCliCommand *command, GArray *entries);
/* Returns the text wrapped to the width of the help. The caller owns it. @text: paragraphs; a line that
 * begins with a space is not wrapped. */
char *dyno_cli_help_wrap (const char *text);

/* dyno-cli-like */

/* Prepares to repeat a run, and prints what differs here, for people. Returns the repetition. @name: the run, as
 * dyno_cli_runs_load() takes it. @options: may only name the models. */
DynoRepetition *dyno_cli_like_begin (const char *name, DynoCliPlan *options, GError **error);
/* Prints whether @run, the repetition, agrees. Returns the exit status. */
DynoCliStatus dyno_cli_like_end (const DynoRepetition *repetition, DynoRun *run, GError **error);

/* dyno-cli-matrix */

/**
 * DynoCliMatrixOptions:
 * @models: (array zero-terminated=1): the models to check
 * @precisions: (nullable) (array zero-terminated=1): lists of precisions; `fp32` if NULL
 * @batch_size: items per batch
 * @sequence_length: tokens of an item
 * @flags: whether earlier probes of the backends will do
 */
typedef struct
{
  char **models;
  char **precisions;
  int batch_size;
  int sequence_length;
  DynoProberFlags flags;
} DynoCliMatrixOptions;

/* Returns which model runs on which device, and why others do not. Elements are DynoCompatibility. */
GPtrArray *dyno_cli_matrix_build (const DynoCliMatrixOptions *options, GError **error);
/* Tries the combinations that may run and those that failed in an earlier run, one after the other. @cells
 * holds DynoCompatibility. */
void dyno_cli_matrix_try (GPtrArray *cells);
/* Prints the cells as an answer. Returns the exit status. @cells holds DynoCompatibility. */
DynoCliStatus dyno_cli_matrix_print (GPtrArray *cells, GError **error);

/* dyno-cli-measure */

/* Runs the runner and shows its progress. A signal ends it early, but finished cases are kept. Returns the
 * run. The caller owns it. @store may be NULL. */
DynoRun *dyno_cli_measure (DynoRunner *runner, DynoStore *store, gboolean *is_kept, GError **error);

/* dyno-cli-model-info */

/**
 * DynoCliSizes:
 * @batch_size: number of samples
 * @sequence_length: number of tokens, if the model has a sequence
 * @dimensions: (nullable): sizes of other free dimensions, `height=320,width=320`
 * @inputs: (nullable): values of inputs, `sr=16000`
 *
 * The sizes at which a model's work is counted.
 */
typedef struct
{
  guint batch_size;
  guint sequence_length;
  const char *dimensions;
  const char *inputs;
  guint deadline_seconds;
} DynoCliSizes;

/* Adds the facts about a model that are known without running it. */
void dyno_cli_model_info_add_json (JsonBuilder *builder, DynoModel *model);
/* Prints all facts about a model; for an ONNX file, a worker runs a step to count its work. Returns whether
 * it was printed. @error: when the sizes do not bind every free dimension. */
gboolean dyno_cli_model_info_print (DynoModel *model, const DynoCliSizes *sizes, GError **error);

/* dyno-cli-modules */

/* Adds the modules that take most of the time, as a tree; nothing if the operators have no modules. */
void dyno_cli_modules_add (DynoReportDocument *document, DynoResult *result);

/* dyno-cli-notes */

/* Adds why cases failed, each reason once, with the numbers of its cases. @results: (element-type DynoResult):
 * the cases of a run, in the order of their numbers. */
void dyno_cli_notes_add_reasons (DynoReportDocument *document, GPtrArray *results);
/* Begins the details with each warning, in the same manner. */
void dyno_cli_notes_add_warnings (DynoReportDocument *document, GPtrArray *results);

/* dyno-cli-percent */

/* Returns whether it is a percentage above 0, or NULL. @text (nullable): the given text: “3%” and “3” both
 * mean three per cent. @share: set to the share; not changed if @text is NULL. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_cli_percent_read (const char *text, const char *option, double *share, GError **error);

/* dyno-cli-plan */

/* Returns options, none of them given. */
DynoCliPlan *dyno_cli_plan_new (void);
void dyno_cli_plan_free (DynoCliPlan *self);
/* Returns their entries in groups, for dyno_cli_parse(). */
const GOptionEntry *dyno_cli_plan_get_entries (DynoCliPlan *self);
/* Returns whether none of the options was given. */
gboolean dyno_cli_plan_is_empty (DynoCliPlan *self);
void dyno_cli_plan_set_model (DynoCliPlan *self, const char *model);
/* Returns the properties of a plan that the given options set. */
GHashTable *dyno_cli_plan_list_given (DynoCliPlan *self);
/* Returns the plan that the options describe. */
DynoPlan *dyno_cli_plan_build (DynoCliPlan *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliPlan, dyno_cli_plan_free)

/* dyno-cli-progress */

/**
 * DynoCliProgress:
 *
 * A line on the terminal that follows a runner; none if standard error is not a terminal.
 */
typedef struct _DynoCliProgress DynoCliProgress;

/* Returns a line that follows @runner; NULL if there is no terminal. */
DynoCliProgress *dyno_cli_progress_new (DynoRunner *runner);
/* Removes the line. */
void dyno_cli_progress_free (DynoCliProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliProgress, dyno_cli_progress_free)

/* dyno-cli-run */

/* Returns whether it has measured anything, and nothing failed: a case that this machine cannot run is no failure. */
gboolean dyno_cli_run_is_good (DynoRun *run);

/* dyno-cli-runs */

/* Returns the user's store, and warns of problems with it. */
DynoStore *dyno_cli_runs_open_store (GError **error);
/* Returns the user's store. Fails with DYNO_ERROR_STORE_READ_ONLY when the store cannot be written. */
DynoStore *dyno_cli_runs_open_writable_store (GError **error);
/* Returns the full id of the run. The caller owns it. @name: an id or its beginning, the name of a baseline,
 * or `last`. */
char *dyno_cli_runs_resolve (DynoStore *store, const char *name, GError **error);
/* Returns the complete runs. Elements are DynoRun. @names: ids or their beginnings, names of baselines,
 * `last`, or paths of documents; none means `last`. */
GPtrArray *dyno_cli_runs_load (char **names, GError **error);
/* Returns all complete runs of the store, newest first. Elements are DynoRun. */
GPtrArray *dyno_cli_runs_load_all (DynoStore *store, GError **error);
/* Attaches to the run its store and the ceilings of its machine; an imported run may not name its machine.
 * Returns whether the store could be read. */
gboolean dyno_cli_runs_take_ceilings (DynoRun *run, DynoStore *store, GError **error);
/* Returns the newest self-test of that machine in the user's store; NULL if there is none or no store. */
DynoSelfTest *dyno_cli_runs_load_self_test (const char *machine);
/* Returns the ceilings of each run's machine, if they are known. It maps DynoRun to GPtrArray. The caller
 * owns it. @runs holds DynoRun. */
GHashTable *dyno_cli_runs_collect_ceilings (GPtrArray *runs);
/* Adds the original files to imported runs. Returns whether that worked. @runs holds DynoRun. */
gboolean dyno_cli_runs_add_originals (GPtrArray *runs, GError **error);
/* Returns the ids of the runs. The caller owns it. @runs holds DynoRun. */
GStrv dyno_cli_runs_get_ids (GPtrArray *runs);

/* dyno-cli-sensors */

/* Adds the details of each sensor and the message of every source. */
void dyno_cli_sensors_add (DynoSensorSet *sensors, DynoReportDocument *document);
/* Adds `sensors` and `sensor_sources`; `period_seconds`, `resolution` and `limit` are null if unknown. */
void dyno_cli_sensors_add_json (DynoSensorSet *sensors, JsonBuilder *builder);

/* dyno-cli-submit */

/**
 * DynoCliSubmit:
 *
 * The command-line options for measuring on other machines.
 */
typedef struct _DynoCliSubmit DynoCliSubmit;

/* Returns options, none of them given. */
DynoCliSubmit *dyno_cli_submit_new (void);
void dyno_cli_submit_free (DynoCliSubmit *self);
/* Returns their entries for an option context. */
const GOptionEntry *dyno_cli_submit_get_entries (DynoCliSubmit *self);
/* Returns whether other machines are to run the plan. */
gboolean dyno_cli_submit_is_wanted (DynoCliSubmit *self);
/* Returns whether the options are consistent. */
gboolean dyno_cli_submit_check (DynoCliSubmit *self, GError **error);
/* Submits the plan. Returns the exit status. @is_dry: whether to only print what the scheduler would do. */
DynoCliStatus dyno_cli_submit_run (DynoCliSubmit *self, DynoPlan *plan, gboolean is_dry, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliSubmit, dyno_cli_submit_free)

/* dyno-cli-verify-tools */

/**
 * DynoCliToolTiming:
 * @median_ms: the median time of a step
 * @version: (nullable): the version of its engine
 *
 * The time of a model as another tool measured it.
 */
typedef struct
{
  double median_ms;
  char *version;
} DynoCliToolTiming;

/* Returns the version of ONNX Runtime's Python package; NULL if there is none. The caller owns it. */
char *dyno_cli_verify_dup_python_version (void);
/* Returns OpenVINO's benchmark_app; NULL if there is none. The caller owns it. */
char *dyno_cli_verify_find_benchmark_app (void);
/* Blocks. Runs the file by ONNX Runtime's Python package. Returns whether it has a median. */
gboolean dyno_cli_verify_run_python (
    const DynoBareTiming *timing, guint threads, double seconds, DynoCliToolTiming *measured, GError **error);
/* Blocks. Runs the file by benchmark_app. Returns whether it has a median. */
gboolean dyno_cli_verify_run_benchmark_app (
    const DynoBareTiming *timing, guint threads, double seconds, DynoCliToolTiming *measured, GError **error);

G_END_DECLS

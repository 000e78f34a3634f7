/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-case-check.h"
#include "dyno-ceilings.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-http.h"
#include "dyno-race.h"
#include "dyno-report.h"
#include "dyno-run.h"

typedef struct
{
  char *charts_folder;
  char *document;
  char *suite_file;
  char *remaining;
  char *like;
  char *engines;
  DynoRun *earlier;           /* (nullable): whose remaining cases are run */
  DynoRepetition *repetition; /* (nullable): of the run that is repeated */
  gboolean is_dry;
  gboolean compares;
  gboolean no_ceilings;
  gboolean asks_metadata;
  double stall_seconds;
  double deadline_seconds;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->charts_folder);
  g_free (self->document);
  g_free (self->suite_file);
  g_free (self->remaining);
  g_free (self->like);
  g_free (self->engines);
  g_clear_object (&self->earlier);
  g_clear_pointer (&self->repetition, dyno_repetition_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The environment variable decides once for scripts that start many runs in their own stores. */
static double
get_ceilings_seconds (const Options *options)
{
  return !options->no_ceilings && g_getenv ("DYNO_NO_CEILINGS") == NULL ? DYNO_CEILINGS_QUICK_SECONDS : 0;
}

static DynoRun *
measure (DynoPlan *plan, DynoStore *store, const Options *options, gboolean *is_kept, GError **error)
{
  g_autoptr (DynoRunner) runner = dyno_runner_new (plan, DYNO_RESULT_SINK (store));

  dyno_runner_set_ceilings (runner, get_ceilings_seconds (options));
  dyno_runner_set_limits (runner, options->stall_seconds, options->deadline_seconds);
  return dyno_cli_measure (runner, store, is_kept, error);
}

gboolean
dyno_cli_run_is_good (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  guint n_measured = 0;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoStatus status = dyno_result_get_status (result);

      if (status != DYNO_STATUS_OK && status != DYNO_STATUS_SKIPPED)
        return FALSE;
      n_measured += status == DYNO_STATUS_OK;
    }
  return n_measured > 0;
}

static gboolean
print_run (DynoRun *run, const Options *options, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  g_ptr_array_add (runs, run);
  if (options->compares || options->engines != NULL)
    {
      g_autofree char *counts = dyno_cli_cases_dup_counts (run);
      const DynoReportSource source = { .runs = runs };
      g_autoptr (DynoReportDocument) document = NULL;

      if (dyno_run_is_interrupted (run))
        dyno_cli_warn ("%s", counts);
      if (options->compares)
        return dyno_cli_compare_print (run, error);
      document = dyno_report_engines_template.build (&dyno_report_engines_template, &source, error);
      return document != NULL && dyno_cli_answer_print (document, error);
    }
  if (!dyno_cli_answer_is_text ())
    return dyno_cli_answer_print_runs (runs, error);
  dyno_cli_cases_print (run);
  return TRUE;
}

/* Without a store, the run itself is written. */
static gboolean
keep (DynoRun *run, DynoStore *store, const Options *options, GError **error)
{
  const char *ids[] = { dyno_run_get_id (run), NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoCliCharts charts;

  if (options->document != NULL &&
      !(store != NULL ? dyno_store_save_document (store, ids, options->document, error)
                      : dyno_store_save_run (run, NULL, options->document, error)))
    return FALSE;
  if (options->document != NULL && dyno_cli_answer_is_text ())
    dyno_cli_say (_ ("\nThe run was saved to “%s”.\n"), options->document);
  if (options->charts_folder == NULL)
    return TRUE;
  if (store != NULL && !dyno_cli_runs_take_ceilings (run, store, error))
    return FALSE;

  g_ptr_array_add (runs, run);
  dyno_cli_charts_init (&charts, options->charts_folder);
  if (!dyno_cli_charts_write (&charts, runs, error))
    return FALSE;
  if (dyno_cli_answer_is_text ())
    dyno_cli_say (ngettext ("\n%u image was written to “%s”.\n", "\n%u images were written to “%s”.\n",
                            charts.n_written),
                  charts.n_written, options->charts_folder);
  return TRUE;
}

static gboolean
check (DynoCliSubmit *submit, DynoCliAlerts *alerts, const Options *options, GError **error)
{
  gboolean writes = options->charts_folder != NULL || options->document != NULL;
  gboolean submits = dyno_cli_submit_is_wanted (submit);

  if (!(options->stall_seconds > 0 && options->deadline_seconds > 0))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--stall-seconds and --deadline-seconds must be above 0."));
  else if (options->is_dry && (writes || options->suite_file != NULL))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--dry-run writes nothing: leave out --export, --output and --save-suite."));
  else if (options->engines != NULL &&
           (options->remaining != NULL || options->like != NULL || options->compares || submits))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--engines measures a model on this machine and compares its engines itself: leave out "
                    "--remaining, --like, --compare and --on."));
  else if (options->like != NULL && (options->remaining != NULL || options->compares || submits))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--like measures on this machine and ends with a comparison of its own: leave out "
                    "--remaining, --compare and --on."));
  else if (submits && dyno_cli_alerts_are_wanted (alerts))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--on only submits: give the options about alerts to “dyno-cli jobs watch”."));
  else if (!dyno_cli_submit_check (submit, error) || !dyno_cli_alerts_check (alerts, error))
    return FALSE;
  else if (submits && (writes || !dyno_cli_answer_is_text ()))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--on only submits: leave out --export, --output and --json, and use “dyno-cli export” "
                    "when the results are fetched."));
  else
    return TRUE;
  return FALSE;
}

static char **
parse (const DynoCliCommand *command,
       DynoCliPlan *plan,
       DynoCliSubmit *submit,
       DynoCliAlerts *alerts,
       Options *options,
       char **arguments,
       GError **error)
{
  const GOptionEntry own[] = {
    DYNO_CLI_GROUP ("What to measure"),
    { "remaining", 0, 0, G_OPTION_ARG_STRING, &options->remaining,
      "Run the remaining cases of an interrupted run", "RUN" },
    { "like", 0, 0, G_OPTION_ARG_STRING, &options->like,
      "Repeat a run of another machine or day, and say whether it agrees", "RUN" },
    { "dry-run", 0, 0, G_OPTION_ARG_NONE, &options->is_dry,
      "Show the cases with their expected time and memory, without measuring", NULL },
    { "compare", 0, 0, G_OPTION_ARG_NONE, &options->compares,
      "Measure the engines or options in turns, and show which is faster", NULL },
    { "engines", 0, 0, G_OPTION_ARG_STRING, &options->engines,
      "Find the fastest setting of each engine for one model, in turns: “all”, or engines as --backend takes "
      "them",
      "all|ENGINES" },
    DYNO_CLI_GROUP ("How long"),
    { "stall-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->stall_seconds,
      "Stop a case after S seconds without progress (120)", "S" },
    { "deadline-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->deadline_seconds,
      "Stop a case after S seconds (3600)", "S" },
    { "no-ceilings", 0, 0, G_OPTION_ARG_NONE, &options->no_ceilings,
      "Skip measuring the roofs of this machine (5 s, once per machine)", NULL },
    { "ask-metadata", 0, 0, G_OPTION_ARG_NONE, &options->asks_metadata,
      "In a cloud: ask the provider for the type and the region of this instance, and keep them with the run",
      NULL },
    DYNO_CLI_GROUP ("Output"),
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->document, "Also save the run as a document",
      "FILE.dyno" },
    { "export", 'e', 0, G_OPTION_ARG_FILENAME, &options->charts_folder,
      "Export all charts of the run as SVG and PNG", "FOLDER" },
    { "save-suite", 0, 0, G_OPTION_ARG_FILENAME, &options->suite_file,
      "Save the plan as a suite without measuring", "FILE.json" },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_auto (GStrv) rest = NULL;

  for (const GOptionEntry *entry = dyno_cli_plan_get_entries (plan); entry->long_name != NULL; entry++)
    g_array_append_val (entries, *entry);
  for (const GOptionEntry *entry = dyno_cli_submit_get_entries (submit); entry->long_name != NULL; entry++)
    g_array_append_val (entries, *entry);
  for (const GOptionEntry *entry = dyno_cli_alerts_get_entries (alerts); entry->long_name != NULL; entry++)
    g_array_append_val (entries, *entry);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  rest = dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
  if (rest == NULL || !check (submit, alerts, options, error) ||
      !dyno_cli_expect_arguments (rest, 0, 0, error))
    return NULL;
  return g_steal_pointer (&rest);
}

/* Analyses the cases that the run did not, which completes their results. */
static gboolean
analyse_rest (DynoRun *run, const Options *options, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  g_autoptr (DynoRunner) runner =
      store != NULL ? dyno_runner_new_for_analysis (run, DYNO_RESULT_SINK (store), error) : NULL;
  g_autoptr (DynoRun) analysed = NULL;
  gboolean is_kept = FALSE;

  if (runner == NULL)
    return FALSE;
  dyno_runner_set_limits (runner, options->stall_seconds, options->deadline_seconds);
  analysed = dyno_cli_measure (runner, store, &is_kept, error);
  return analysed != NULL && is_kept;
}

/* Returns whether the rest of the run may be measured now: it may not if the analyses were stopped. Cases that cannot be
 * analysed here any more stay as they are. */
static gboolean
analyse_before_rest (DynoRun *run, const Options *options, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GPtrArray) left = NULL;
  g_autofree char *counts = NULL;

  if (!analyse_rest (run, options, &local_error))
    {
      if (!g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT))
        {
          dyno_error_pass (&local_error, error);
          return FALSE;
        }
      dyno_cli_warn ("%s", local_error->message);
      return TRUE;
    }
  left = dyno_runner_list_unanalysed (run);
  if (left->len == 0)
    return TRUE;
  counts = dyno_cli_cases_dup_counts (run);
  dyno_cli_warn ("%s", counts);
  return FALSE;
}

/* Completes a run that lacks analyses only. */
static DynoCliStatus
end_rest (DynoRun *run, guint n_unanalysed, const Options *options, GError **error)
{
  if (options->is_dry)
    return dyno_cli_dry_run_analyses (n_unanalysed, error);
  if (!dyno_cli_check_output_file (options->document, error) || !analyse_rest (run, options, error) ||
      !print_run (run, options, error) || !keep (run, NULL, options, error))
    return DYNO_CLI_FAILED;
  return dyno_cli_run_is_good (run) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

/* All engines, or the named ones. */
static DynoPlan *
plan_engines (DynoCliPlan *options, const char *engines, GError **error)
{
  g_autoptr (DynoPlan) plan = dyno_cli_plan_build (options, error);
  g_autoptr (GHashTable) given = dyno_cli_plan_list_given (options);
  g_auto (GStrv) list = g_strsplit (engines, ",", -1);

  if (plan == NULL)
    return NULL;
  if (g_hash_table_contains (given, "backends") || g_hash_table_contains (given, "cases"))
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("--engines names the engines and chooses their cases: leave out --backend and --cases."));
      return NULL;
    }
  if (!g_str_equal (engines, "all"))
    {
      g_object_set (plan, "backends", list, NULL);
      g_hash_table_add (given, (gpointer) "backends");
    }
  return dyno_every_engine_plan (plan, given, error) ? g_steal_pointer (&plan) : NULL;
}

static DynoPlan *
build_plan (DynoCliPlan *plan, Options *options, GError **error)
{
  if (options->engines != NULL)
    return plan_engines (plan, options->engines, error);
  if (options->like != NULL)
    {
      options->repetition = dyno_cli_like_begin (options->like, plan, error);
      return options->repetition != NULL ? g_object_ref (options->repetition->plan) : NULL;
    }
  if (options->remaining == NULL)
    return dyno_cli_plan_build (plan, error);
  if (!dyno_cli_plan_is_empty (plan))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("--remaining uses the plan of the run: leave out the options that describe a plan."));
      return NULL;
    }

  char *names[] = { options->remaining, NULL };
  g_autoptr (GPtrArray) runs = dyno_cli_runs_load (names, error);
  if (runs == NULL)
    return NULL;
  options->earlier = g_object_ref (runs->pdata[0]);
  return dyno_remaining_plan_new (options->earlier, error);
}

/* Cases are compared if they do the same work in different ways. */
static GPtrArray *
expand (DynoPlan *plan, const Options *options, GError **error)
{
  g_autoptr (GPtrArray) cases = dyno_plan_expand_for_run (plan, error);

  if (cases == NULL || !options->compares)
    return g_steal_pointer (&cases);
  g_object_set (plan, "turns", TRUE, NULL);

  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (GPtrArray) groups = machine != NULL ? dyno_side_group_list (cases, machine) : NULL;

  if (groups != NULL && groups->len > 0)
    return g_steal_pointer (&cases);
  if (groups != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("--compare has nothing to compare. Name several backends, precisions, options, "
                            "threads or pinnings."));
  return NULL;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autoptr (DynoCliPlan) plan_options = dyno_cli_plan_new ();
  g_autoptr (DynoCliSubmit) submit = dyno_cli_submit_new ();
  g_autoptr (DynoCliAlerts) alerts = dyno_cli_alerts_new ();
  g_auto (Options) options = { .stall_seconds = 120, .deadline_seconds = 3600 };
  g_auto (GStrv) rest = parse (command, plan_options, submit, alerts, &options, arguments, error);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (DynoPlan) plan = rest != NULL ? build_plan (plan_options, &options, &local_error) : NULL;
  gboolean may_analyse =
      options.earlier != NULL && options.suite_file == NULL && !dyno_cli_submit_is_wanted (submit);
  g_autoptr (GPtrArray) unanalysed =
      may_analyse ? dyno_runner_list_unanalysed (options.earlier) : g_ptr_array_new ();

  if (unanalysed->len > 0 && g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    return end_rest (options.earlier, unanalysed->len, &options, error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));

  g_autoptr (GPtrArray) cases = plan != NULL ? expand (plan, &options, error) : NULL;
  g_autofree char *note = cases != NULL ? dyno_plan_dup_note (plan, cases) : NULL;

  if (cases == NULL)
    return error != NULL && g_error_matches (*error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED) ? DYNO_CLI_FAILED
                                                                                         : DYNO_CLI_USAGE;
  if (note != NULL)
    dyno_cli_warn ("%s", note);
  if (options.suite_file != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (options.suite_file);

      return dyno_plan_save (plan, file, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
    }
  if (dyno_cli_submit_is_wanted (submit))
    return dyno_cli_submit_run (submit, plan, options.is_dry, error);
  if (options.is_dry)
    return dyno_cli_dry_run (plan, cases, get_ceilings_seconds (&options), error);
  if (!dyno_cli_check_output_file (options.document, error) ||
      (unanalysed->len > 0 && !analyse_before_rest (options.earlier, &options, error)))
    return DYNO_CLI_FAILED;

  if (options.asks_metadata && !dyno_cloud_ask (error))
    return DYNO_CLI_FAILED;

  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  gboolean is_kept = FALSE;
  DynoCliStatus status = DYNO_CLI_OK;
  g_autoptr (DynoRun) run = store != NULL ? measure (plan, store, &options, &is_kept, error) : NULL;
  gboolean is_stored = is_kept && !dyno_store_has_spooled (store);

  if (run == NULL)
    return DYNO_CLI_FAILED;
  dyno_cli_alerts_tell (alerts, run, NULL, is_stored ? store : NULL);
  if (options.repetition != NULL)
    status = dyno_cli_like_end (options.repetition, run, error);
  else if (!print_run (run, &options, error))
    return DYNO_CLI_FAILED;
  if (status == DYNO_CLI_FAILED || !keep (run, is_stored ? store : NULL, &options, error))
    return DYNO_CLI_FAILED;
  return is_kept && dyno_cli_run_is_good (run) ? status : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_run_command = {
  .name = "run",
  .parameters = "",
  .summary = "Measure models and store the results",
  .description =
      "Every combination of models, engines, precisions, options, threads, pinnings, sizes and loads is a "
      "case. A case that this machine cannot run is skipped, with the reason. Ctrl+C stops the run and keeps "
      "its finished cases.\n\n"
      "Examples:\n"
      "  dyno-cli run --suite quick --export charts\n"
      "  dyno-cli run -m bert-base-uncased --batch 1,2,4,8 --sequence 64,128\n"
      "  dyno-cli run -m SmolLM2-135M --generate 32\n"
      "  dyno-cli run -b server -m server:qwen3:4b --generate 64\n"
      "  dyno-cli run -b server:http://127.0.0.1:9000 -m server:my-model --generate 64\n"
      "  dyno-cli run --suite every-backend\n"
      "  dyno-cli run --suite every-backend --dry-run\n"
      "  dyno-cli run --remaining last\n"
      "  dyno-cli run --like theirs.dyno\n"
      "  dyno-cli run --suite quick --on slurm:gpu --nodes each --time 30\n"
      "  dyno-cli run -m resnet-50 --invocations 10\n"
      "  dyno-cli run -m resnet-50 -b cpu -b openvino:CPU --option streams=1,2\n"
      "  dyno-cli run -m resnet-50 -b cpu -b openvino:CPU --compare\n"
      "  dyno-cli run -m SmolLM2-135M --engines all\n"
      "  dyno-cli run -m resnet-50 --threads 1,2,4 --pinning compact --pinning scatter\n"
      "  dyno-cli run --suite quick --notify 'mail -s Dyno me@example.org'\n"
      "  dyno-cli run -m gpt2 --tdp-watts 65 --idle-seconds 10\n"
      "  dyno-cli run -m model.onnx --dim height=320 --dim width=320 -o result.dyno\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

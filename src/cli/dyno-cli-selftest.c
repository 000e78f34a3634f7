/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "dyno-false-alarms.h"
#include "dyno-processes.h"
#include "dyno-report.h"
#include "dyno-self-test-plan.h"
#include "dyno-unit.h"

/* The maximum acceptable share of false alarms. */
#define GOAL_PERCENT 5

/* The outcome of the self-test. */
typedef struct
{
  DynoRun *run;
  DynoResult *result;
  DynoSelfTest *self_test;
  DynoFalseAlarms alarms;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_clear_object (&self->run);
  g_clear_object (&self->result);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
announce (const DynoSelfTestPlan *plan)
{
  g_autofree char *duration = dyno_cli_format_duration (plan->seconds);

  if (plan->remark != NULL)
    dyno_cli_say ("%s\n", plan->remark);
  dyno_cli_say (
      ngettext ("Measures %s on %s in %u process, which takes about %s. Leave the machine alone.\n",
                "Measures %s on %s in %u processes, which takes about %s. Leave the machine alone.\n",
                plan->n_processes),
      dyno_plan_get_models (plan->plan)[0], dyno_plan_get_backends (plan->plan)[0], plan->n_processes,
      duration);
}

/* For people */

static void
print_alarms (const DynoFalseAlarms *alarms)
{
  g_autofree char *percent = dyno_unit_format_percent (100.0 * alarms->n_alarms / alarms->n_comparisons);

  dyno_cli_say (
      ngettext ("The case was compared with itself %u time, and said to differ in %u (%s %%; %d %% would "
                "be acceptable).\n",
                "The case was compared with itself %u times, and said to differ in %u (%s %%; %d %% would "
                "be acceptable).\n",
                alarms->n_comparisons),
      alarms->n_comparisons, alarms->n_alarms, percent, GOAL_PERCENT);
}

static void
print_text (const Outcome *outcome)
{
  g_autofree char *noise_floor = dyno_self_test_dup_sentence (outcome->self_test, DYNO_COMPARISON_METRIC);
  g_auto (GStrv) findings = dyno_processes_dup_findings (outcome->result);
  g_auto (GStrv) doubts = dyno_result_dup_doubts (outcome->result);

  dyno_cli_say ("\n%s\n", noise_floor);
  dyno_cli_say (_ ("Smaller differences are no evidence, however often they are measured this way.\n"));
  print_alarms (&outcome->alarms);
  for (char **finding = findings; *finding != NULL; finding++)
    dyno_cli_say ("%s\n", *finding);
  for (char **doubt = doubts; *doubt != NULL; doubt++)
    dyno_cli_say ("%s\n", *doubt);
  dyno_cli_say (_ ("All results are in run %.8s.\n"), dyno_run_get_id (outcome->run));
}

/* For machines */

static void
add_floors (JsonBuilder *builder, const Outcome *outcome)
{
  GPtrArray *values = dyno_result_get_values (outcome->result);

  json_builder_set_member_name (builder, "noise_floors");
  json_builder_begin_object (builder);
  for (guint i = 0; i < values->len; i++)
    {
      const char *name = dyno_value_get_name (values->pdata[i]);
      double noise_floor = dyno_self_test_get_floor (outcome->self_test, name);

      if (isfinite (noise_floor))
        dyno_report_member_add_number (builder, name, noise_floor);
    }
  json_builder_end_object (builder);
}

static void
print_json (const Outcome *outcome)
{
  DynoCase *kase = dyno_result_get_case (outcome->result);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "run", dyno_run_get_id (outcome->run));
  dyno_report_member_add_text (builder, "model", dyno_case_get_model (kase));
  dyno_report_member_add_text (builder, "backend", dyno_case_get_backend (kase));
  dyno_report_member_add_text (builder, "device", dyno_case_get_device (kase));
  dyno_report_member_add_text (builder, "metric", DYNO_COMPARISON_METRIC);
  dyno_report_member_add_count (builder, "processes",
                                dyno_self_test_count (outcome->self_test, DYNO_COMPARISON_METRIC));
  dyno_report_member_add_number (builder, "noise_floor",
                                 dyno_self_test_get_floor (outcome->self_test, DYNO_COMPARISON_METRIC));
  add_floors (builder, outcome);
  dyno_report_member_add_count (builder, "comparisons", outcome->alarms.n_comparisons);
  dyno_report_member_add_count (builder, "false_alarms", outcome->alarms.n_alarms);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  dyno_cli_print_json (root);
}

/* The test */

static void
explain (const Outcome *outcome, GError **error)
{
  const char *reason = dyno_result_get_reason (outcome->result);
  guint n = dyno_result_get_n_invocations (outcome->result);

  if (dyno_result_get_status (outcome->result) == DYNO_STATUS_OK || n > 1)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_FAILED,
        ngettext ("The self-test has %u process, which is kept as run %.8s. A noise floor needs %d.",
                  "The self-test has %u processes, which are kept as run %.8s. A noise floor needs %d.", n),
        n, dyno_run_get_id (outcome->run), DYNO_SELF_TEST_MIN_PROCESSES);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("The self-test could not be measured. %s"),
                 reason != NULL ? reason : "");
}

static gboolean
read_outcome (Outcome *outcome, DynoStore *store, GError **error)
{
  outcome->result = g_list_model_get_item (dyno_run_get_results (outcome->run), 0);
  outcome->self_test = dyno_store_load_self_test (store, dyno_run_get_machine (outcome->run), error);
  if (outcome->self_test != NULL && g_str_equal (outcome->self_test->run_id, dyno_run_get_id (outcome->run)))
    {
      dyno_false_alarms_count (outcome->result, &outcome->alarms);
      return TRUE;
    }
  if (error == NULL || *error == NULL)
    explain (outcome, error);
  return FALSE;
}

/* The number of processes was planned for the usual duration of one. With fewer than the minimum, there is no
 * noise floor at all. */
static void
stop_in_time (DynoRunner *runner, guint n_processes, const double *seconds)
{
  g_autoptr (DynoResult) result = NULL;

  if (n_processes < DYNO_SELF_TEST_MIN_PROCESSES || dyno_runner_get_seconds_elapsed (runner) < *seconds)
    return;
  result = g_list_model_get_item (dyno_run_get_results (dyno_runner_get_run (runner)), 0);
  dyno_runner_drop (runner, result);
}

static DynoCliStatus
test (DynoSelfTestPlan *plan, double seconds, gboolean as_json, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  g_autoptr (DynoRunner) runner =
      store != NULL ? dyno_runner_new (plan->plan, DYNO_RESULT_SINK (store)) : NULL;
  g_auto (Outcome) outcome = { NULL };
  gboolean is_kept = FALSE;

  if (runner == NULL)
    return DYNO_CLI_FAILED;
  dyno_runner_set_self_test (runner, TRUE);
  if (seconds > 0)
    g_signal_connect (runner, "turn", G_CALLBACK (stop_in_time), &seconds);
  outcome.run = dyno_cli_measure (runner, store, &is_kept, error);
  if (outcome.run == NULL || !read_outcome (&outcome, store, error))
    return DYNO_CLI_FAILED;
  (as_json ? print_json : print_text) (&outcome);
  return is_kept ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autofree char *within = NULL;
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "within", 'w', 0, G_OPTION_ARG_STRING, &within,
      "How long it may take, such as 90s or 2min (about half a minute)", "TIME" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON with the floor of every value", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (DynoSelfTestPlan) plan = NULL;
  double seconds;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error) ||
      !dyno_cli_duration_parse (within, 0, &seconds, error))
    return DYNO_CLI_USAGE;
  plan = dyno_self_test_plan_new (seconds, error);
  if (plan == NULL)
    return DYNO_CLI_FAILED;
  if (!as_json)
    announce (plan);
  return test (plan, seconds, as_json, error);
}

const DynoCliCommand dyno_cli_selftest_command = {
  .name = "selftest",
  .parameters = "",
  .summary = "Compare this machine with itself: its noise floor",
  .description =
      "Measures one small model in many processes and compares groups of five of them, as runs are "
      "compared. The differences between such groups are the noise floor of the machine: comparisons, "
      "recommendations and histories call no smaller difference faster or slower. The newest self-test "
      "counts. Lists leave it out; “dyno-cli show” takes its id. Ctrl+C stops it and keeps what was "
      "measured.\n\n"
      "Examples:\n"
      "  dyno-cli selftest\n"
      "  dyno-cli selftest --within 2min --json\n",
  .run = run,
};

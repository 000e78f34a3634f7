/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-report.h"
#include "dyno-self-test-plan.h"

/* The outcome of the self-test. */
typedef struct
{
  DynoRun *run;
  DynoResult *result;
  DynoSelfTest *self_test;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_clear_object (&self->run);
  g_clear_object (&self->result);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

/* The test */

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

/* Compares the case with itself in turns, if there is the time. Returns NULL if there is not, or if it failed or was stopped. */
static DynoComparison *
compare_in_turns (const DynoSelfTestPlan *plan, DynoStore *store, double seconds_left)
{
  g_autoptr (DynoPlan) turns = dyno_self_test_plan_new_turns (plan);
  g_autoptr (GPtrArray) cases = dyno_plan_expand (turns, NULL);
  g_autoptr (DynoRunner) runner = NULL;
  g_autoptr (DynoRun) run = NULL;
  gboolean is_kept = FALSE;

  if (cases == NULL || dyno_plan_estimate_seconds (cases) > seconds_left)
    return NULL;
  runner = dyno_runner_new (turns, DYNO_RESULT_SINK (store));
  dyno_runner_set_self_test (runner, TRUE);
  run = dyno_cli_measure (runner, store, &is_kept, NULL);
  return run != NULL && dyno_run_get_n_ok (run) == cases->len && !dyno_run_is_interrupted (run)
             ? dyno_self_test_compare_in_turns (run)
             : NULL;
}

static DynoCliStatus
test (DynoSelfTestPlan *plan, double seconds, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  g_autoptr (DynoRunner) runner =
      store != NULL ? dyno_runner_new (plan->plan, DYNO_RESULT_SINK (store)) : NULL;
  g_auto (Outcome) outcome = { NULL };
  g_autoptr (DynoComparison) in_turns = NULL;
  g_autoptr (DynoReportDocument) document = NULL;
  gboolean is_kept = FALSE;

  if (runner == NULL)
    return DYNO_CLI_FAILED;
  dyno_runner_set_self_test (runner, TRUE);
  if (seconds > 0)
    g_signal_connect (runner, "turn", G_CALLBACK (stop_in_time), &seconds);
  outcome.run = dyno_cli_measure (runner, store, &is_kept, error);
  if (outcome.run == NULL)
    return DYNO_CLI_FAILED;

  outcome.result = g_list_model_get_item (dyno_run_get_results (outcome.run), 0);
  outcome.self_test = dyno_store_load_self_test (store, dyno_run_get_machine (outcome.run), error);
  if (outcome.self_test == NULL || !g_str_equal (outcome.self_test->run_id, dyno_run_get_id (outcome.run)))
    {
      if (error == NULL || *error == NULL)
        {
          const char *reason = dyno_result_get_reason (outcome.result);
          guint n = dyno_result_get_n_invocations (outcome.result);

          if (dyno_result_get_status (outcome.result) == DYNO_STATUS_OK || n > 1)
            g_set_error (
                error, DYNO_ERROR, DYNO_ERROR_FAILED,
                ngettext (
                    "The self-test has %u process, which is kept as run %.8s. A noise floor needs %d.",
                    "The self-test has %u processes, which are kept as run %.8s. A noise floor needs %d.", n),
                n, dyno_run_get_id (outcome.run), DYNO_SELF_TEST_MIN_PROCESSES);
          else
            g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                         _ ("The self-test could not be measured. %s"), reason != NULL ? reason : "");
        }
      return DYNO_CLI_FAILED;
    }
  if (!dyno_run_is_interrupted (outcome.run))
    in_turns = compare_in_turns (
        plan, store, seconds > 0 ? seconds - dyno_runner_get_seconds_elapsed (runner) : G_MAXDOUBLE);
  document = dyno_report_self_test_new (outcome.run, outcome.result, outcome.self_test, in_turns);
  return dyno_cli_answer_print (document, error) && is_kept ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autofree char *within = NULL;
  const GOptionEntry entries[] = {
    { "within", 'w', 0, G_OPTION_ARG_STRING, &within,
      "How long it may take, such as 90s or 2min (about half a minute)", "TIME" },
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
  if (dyno_cli_answer_is_text ())
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
      g_print ("\n");
    }
  return test (plan, seconds, error);
}

const DynoCliCommand dyno_cli_selftest_command = {
  .name = "selftest",
  .parameters = "",
  .summary = "Compare this machine with itself: its noise floor",
  .description =
      "Measures one small model in many processes and compares groups of five of them, as runs are "
      "compared. The differences between such groups are the noise floor of the machine: comparisons, "
      "recommendations and histories call no smaller difference faster or slower. Then it compares the "
      "model with itself in turns, as “run --compare” compares sides, if --within leaves the time. The "
      "newest self-test counts. Lists leave it out; “dyno-cli show” takes its id. Ctrl+C stops it and keeps "
      "what was "
      "measured.\n\n"
      "Examples:\n"
      "  dyno-cli selftest\n"
      "  dyno-cli selftest --within 2min --json\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

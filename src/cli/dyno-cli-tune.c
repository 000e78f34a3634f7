/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-race.h"
#include "dyno-report.h"

#define USUAL_SECONDS 300.0

typedef struct
{
  DynoCliGoal goal;
  char *within;
} Options;

static void
options_clear (Options *self)
{
  dyno_cli_goal_clear (&self->goal);
  g_free (self->within);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The command line */

static char **
parse (const DynoCliCommand *command, DynoCliPlan *plan, Options *options, char **arguments, GError **error)
{
  /* The race chooses the method and the number of processes itself. */
  static const char *const names[] = { "backend",  "precision", "threads", "batch", "option",
                                       "sequence", "generate",  "dim",     "seed",  NULL };
  const GOptionEntry own[] = {
    { "within", 'w', 0, G_OPTION_ARG_STRING, &options->within,
      "How long it may take, such as 90s, 5min or 1h (5min)", "TIME" },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_auto (GStrv) rest = NULL;

  dyno_cli_goal_add_entries (&options->goal, entries);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  for (const GOptionEntry *entry = dyno_cli_plan_get_entries (plan); entry->long_name != NULL; entry++)
    if (g_strv_contains (names, entry->long_name))
      {
        GOptionEntry copy = *entry;

        copy.short_name = copy.short_name == 'g' ? 0 : copy.short_name; /* the goal has this letter */
        g_array_append_val (entries, copy);
      }
  rest = dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
  if (rest == NULL || !dyno_cli_expect_arguments (rest, 1, 1, error))
    return NULL;
  dyno_cli_plan_set_model (plan, rest[0]);
  return g_steal_pointer (&rest);
}

/* Each race is about one model at one size. */
static DynoRacePlan *
plan_race (DynoCliPlan *options, const DynoGoal *goal, double seconds, DynoStore *store, GError **error)
{
  g_autoptr (DynoPlan) plan = dyno_cli_plan_build (options, error);
  g_autoptr (GHashTable) given = NULL;
  gboolean has_one_length;

  if (plan == NULL)
    return NULL;
  has_one_length = g_strv_length ((char **)dyno_plan_get_sequence_lengths (plan)) == 1;
  if (!has_one_length || g_strv_length ((char **)dyno_plan_get_generate_tokens (plan)) != 1)
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          has_one_length ? _ ("The best settings are found for one number of tokens to generate at a time.")
                         : _ ("The best settings are found for one sequence length at a time."));
      return NULL;
    }
  given = dyno_cli_plan_list_given (options);
  return dyno_race_plan_new (plan, given, goal, seconds, store, error);
}

/* The race */

static DynoCliStatus
race (const DynoRacePlan *plan, const DynoGoal *goal, double seconds, DynoStore *store, GError **error)
{
  g_autoptr (DynoRunner) runner = dyno_runner_new (plan->plan, DYNO_RESULT_SINK (store));
  g_autoptr (DynoRace) competition = dyno_race_new (goal);
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (DynoReportDocument) document = NULL;
  gboolean is_kept = FALSE;

  dyno_race_set_stored (competition, plan->stored);
  dyno_runner_set_budget (runner, seconds);
  dyno_race_follow (competition, runner);
  run = dyno_cli_measure (runner, store, &is_kept, error);
  if (run == NULL)
    return DYNO_CLI_FAILED;
  dyno_race_finish (competition, run);
  entries = dyno_race_list (competition, run);
  stored = dyno_race_list_stored (competition, run);
  document = dyno_report_race_new (run, goal, entries, stored);
  return dyno_cli_answer_print (document, error) && is_kept && dyno_race_find_best (entries) != NULL
             ? DYNO_CLI_OK
             : DYNO_CLI_FAILED;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autoptr (DynoCliPlan) plan_options = dyno_cli_plan_new ();
  g_auto (Options) options = { { NULL } };
  g_auto (GStrv) rest = parse (command, plan_options, &options, arguments, error);
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (DynoRacePlan) plan = NULL;
  g_autofree char *problem = NULL;
  gint64 began = g_get_monotonic_time ();
  DynoGoal goal;
  double seconds;

  if (rest == NULL || !dyno_cli_goal_read (&options.goal, &goal, error) ||
      !dyno_cli_duration_parse (options.within, USUAL_SECONDS, &seconds, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_writable_store (error);
  plan = store != NULL ? plan_race (plan_options, &goal, seconds, store, error) : NULL;
  problem = plan != NULL ? dyno_race_plan_dup_problem (plan) : NULL;
  if (problem != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, problem);
  if (plan == NULL || problem != NULL)
    return DYNO_CLI_FAILED;
  if (dyno_cli_answer_is_text ())
    {
      g_autofree char *first = dyno_cli_format_duration (plan->seconds);
      g_autofree char *all = dyno_cli_format_duration (seconds);
      g_autofree char *text = dyno_race_plan_dup_text (plan, first, all);
      g_autoptr (GPtrArray) axes = dyno_race_plan_list_axes (plan);

      dyno_cli_say ("%s\n", text);
      for (guint i = 0; i < axes->len; i++)
        {
          const DynoRaceAxis *axis = axes->pdata[i];

          dyno_cli_say ("  %s: %s\n", axis->title, axis->values);
        }
      for (char **property = plan->left_out; *property != NULL; property++)
        dyno_cli_say (_ ("There is no time to vary %s: allow more with --within, or give it values.\n"),
                      g_str_equal (*property, "batch-sizes") ? "--batch"
                      : g_str_equal (*property, "options")   ? "--option"
                                                             : "--threads");
      if (dyno_race_plan_is_too_short (plan, seconds))
        dyno_cli_say (
            _ ("That is too short for a verdict: allow more with --within, or name fewer settings.\n"));
      g_print ("\n");
    }
  seconds -= (double)(g_get_monotonic_time () - began) / 1e6;
  return race (plan, &goal, MAX (seconds, 1), store, error);
}

const DynoCliCommand dyno_cli_tune_command = {
  .name = "tune",
  .parameters = "MODEL",
  .summary = "Find the best settings for a model",
  .description =
      "Races engines, precisions, threads, batches and engine options against each other. Each round "
      "measures every remaining setting once, in a process of its own; those that can be alive together "
      "take turns. A setting leaves when it is far behind or was shown to be worse than the leader; a tie "
      "stays a tie. When the time is up, the leader is named with its margin and how sure that is. Earlier "
      "results of this machine decide which settings come first. Dyno does not vary what you name. "
      "Ctrl+C stops the race and keeps what was measured as a run.\n\n"
      "Examples:\n"
      "  dyno-cli tune resnet-50\n"
      "  dyno-cli tune gpt2 --goal throughput --within 10min --max-latency 50\n"
      "  dyno-cli tune model.onnx -b cpu -b openvino:CPU -p fp32 --json\n",
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

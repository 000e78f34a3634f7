/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli-private.h"
#include "dyno-cli.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "dyno-report.h"

DynoRepetition *
dyno_cli_like_begin (const char *name, DynoCliPlan *options, GError **error)
{
  char *names[] = { (char *)name, NULL };
  g_auto (GStrv) models = NULL;
  g_autoptr (GHashTable) given = dyno_cli_plan_list_given (options);
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoRepetition) repetition = NULL;
  g_autoptr (DynoReportDocument) document = NULL;

  /* The models of the options say where the files are here; all else comes from the run. */
  if (!dyno_cli_plan_is_empty (options))
    {
      if (g_hash_table_size (given) != 1 || !g_hash_table_contains (given, "models"))
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
              _ ("--like uses the plan of the run: of the options that describe a plan, only --model "
                 "may be given, which says where its models are here."));
          return NULL;
        }
      plan = dyno_cli_plan_build (options, error);
      if (plan == NULL)
        return NULL;
      models = g_strdupv ((char **)dyno_plan_get_models (plan));
    }
  runs = dyno_cli_runs_load (names, error);
  if (runs == NULL)
    return NULL;
  if (runs->len > 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” holds %u runs. Name a single one."), name, runs->len);
      return NULL;
    }
  repetition = dyno_repetition_new (runs->pdata[0], (const char *const *)models, error);
  if (repetition == NULL)
    return NULL;
  document = dyno_report_repetition_plan_new (repetition);
  if (dyno_cli_answer_is_text ())
    {
      dyno_cli_print_document (document);
      g_print ("\n");
    }
  return g_steal_pointer (&repetition);
}

DynoCliStatus
dyno_cli_like_end (const DynoRepetition *repetition, DynoRun *run, GError **error)
{
  const DynoComparisonOptions how = { NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoSelfTest) self_test = dyno_cli_runs_load_self_test (dyno_run_get_machine (run));
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (DynoReportDocument) document = NULL;
  guint counts[DYNO_N_AGREEMENTS];

  if (dyno_run_get_self_test (run) == NULL)
    dyno_run_set_self_test (run, self_test);
  g_ptr_array_add (runs, repetition->run);
  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, &how, error);
  if (comparison == NULL)
    return DYNO_CLI_FAILED;
  document = dyno_report_repetition_new (repetition, comparison);
  if (!dyno_cli_answer_print (document, error))
    return DYNO_CLI_FAILED;
  switch (dyno_agreement_judge_all (comparison, counts))
    {
    case DYNO_AGREEMENT_AGREES:
      return DYNO_CLI_OK;
    case DYNO_AGREEMENT_DIFFERS:
      return DYNO_CLI_WORSE;
    case DYNO_AGREEMENT_UNKNOWN:
    default:
      return DYNO_CLI_UNDECIDED;
    }
}

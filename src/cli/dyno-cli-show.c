/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cases.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  int number = 0;
  const GOptionEntry entries[] = {
    { "case", 'c', 0, G_OPTION_ARG_INT, &number, "Show one case in full", "NUMBER" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (GPtrArray) runs = rest != NULL ? dyno_cli_runs_load (rest, error) : NULL;
  g_autoptr (DynoReportDocument) document = dyno_report_document_new (_ ("Results"));

  if (runs == NULL)
    return DYNO_CLI_FAILED;
  /* Programs get the runs whole, whichever case is asked for. */
  if (dyno_cli_answer_is_json () || (number == 0 && !dyno_cli_answer_is_text ()))
    return dyno_cli_answer_print_runs (runs, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
  for (guint i = 0; i < runs->len; i++)
    {
      if (number == 0)
        {
          dyno_cli_cases_add (document, runs->pdata[i]);
          continue;
        }

      DynoRun *run = runs->pdata[i];
      g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
      g_autofree char *again = NULL;

      if (number < 1 || (guint)number > results->len)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("There is no case %d: the run has %u cases, numbered from 1."), number,
                       results->len);
          return DYNO_CLI_FAILED;
        }
      dyno_cli_cases_add_heading (document, run);
      dyno_cli_cases_add_one (document, results->pdata[number - 1]);
      if (!dyno_run_is_imported (run))
        again = dyno_case_dup_command (dyno_result_get_case (results->pdata[number - 1]));
      dyno_report_document_add_command (document, _ ("This command repeats the case:"), again);
    }
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_show_command = {
  .name = "show",
  .parameters = "[RUN…]",
  .summary = "Show the results of runs",
  .description =
      "RUN is an id, the beginning of one, “last” or a .dyno document. The default is the last run.\n\n"
      "Examples:\n"
      "  dyno-cli show\n"
      "  dyno-cli show 3f2a --case 2\n"
      "  dyno-cli show results.dyno --json\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

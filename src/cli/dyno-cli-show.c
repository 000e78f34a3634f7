/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cases.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"

static gboolean
show_case (DynoRun *run, int number, GError **error)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  if (number < 1 || (guint)number > results->len)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("There is no case %d: the run has %u cases, numbered from 1."), number, results->len);
      return FALSE;
    }
  dyno_cli_cases_print_one (results->pdata[number - 1]);
  return TRUE;
}

static gboolean
show_runs (GPtrArray *runs, int number, gboolean as_json, GError **error)
{
  g_autofree char *json = as_json ? dyno_cli_runs_dup_json (runs) : NULL;

  if (as_json)
    return dyno_cli_write (NULL, json, error);
  for (guint i = 0; i < runs->len; i++)
    {
      if (i > 0)
        g_print ("\n");
      dyno_cli_cases_print_heading (runs->pdata[i]);
      if (number == 0)
        dyno_cli_cases_print (runs->pdata[i]);
      else if (!show_case (runs->pdata[i], number, error))
        return FALSE;
    }
  return TRUE;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  int number = 0;
  const GOptionEntry entries[] = {
    { "case", 'c', 0, G_OPTION_ARG_INT, &number, "Show one case in full", "NUMBER" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON with every value and sample", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (GPtrArray) runs = rest != NULL ? dyno_cli_runs_load (rest, error) : NULL;

  if (runs == NULL || !show_runs (runs, number, as_json, error))
    return DYNO_CLI_FAILED;
  return DYNO_CLI_OK;
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
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

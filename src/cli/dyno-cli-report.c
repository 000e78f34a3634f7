/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli-runs.h"
#include "dyno-cli.h"
#include "dyno-error.h"
#include "dyno-report.h"

static const char *
format_of_file (const char *path)
{
  if (path != NULL && g_str_has_suffix (path, ".json"))
    return "json";
  if (path != NULL && g_str_has_suffix (path, ".csv"))
    return "csv";
  return "markdown";
}

static gboolean
find_format (const char *name, const char *path, DynoReportFormat *format, GError **error)
{
  if (dyno_report_format_from_string (name != NULL ? name : format_of_file (path), format))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("Unknown report format “%s”: choose markdown, json or csv."), name);
  return FALSE;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autofree char *format_name = NULL;
  g_autofree char *path = NULL;
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, N_ ("Format (from the file name, else markdown)"),
      "markdown|json|csv" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &path, N_ ("File to write to (standard output)"),
      N_ ("FILE") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("The same as --format json"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *report = NULL;
  DynoReportFormat format;

  if (rest == NULL || !find_format (as_json ? "json" : format_name, path, &format, error))
    return DYNO_CLI_USAGE;
  runs = dyno_cli_runs_load (rest, error);
  if (runs == NULL)
    return DYNO_CLI_FAILED;
  report = dyno_report_write (runs, format);
  return dyno_cli_write (path, report, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_report_command = {
  .name = "report",
  .parameters = N_ ("[RUN…]"),
  .summary = N_ ("Write a report about runs"),
  .description =
      N_ ("RUN is an id or a prefix of one, “last”, or a .dyno document. The default is the last "
          "run.\n\nExamples:\n  dyno-cli report -o report.md\n  dyno-cli report last 3f2a --format csv\n"),
  .run = run,
};

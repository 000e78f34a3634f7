/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-subject-charts.h"
#include "dyno-report.h"

typedef struct
{
  char *metric;
  char *backend;
  char *run;
  char *chart;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->metric);
  g_free (self->backend);
  g_free (self->run);
  g_free (self->chart);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { NULL };
  const GOptionEntry entries[] = {
    { "metric", 'm', 0, G_OPTION_ARG_STRING, &options.metric, "The value to follow (latency_p50_ms)",
      "VALUE" },
    { "backend", 'b', 0, G_OPTION_ARG_STRING, &options.backend, "Only on this engine or device",
      "BACKEND[:DEVICE]" },
    { "machine", 0, 0, G_OPTION_ARG_STRING, &options.run, "On the machine of this run (the newest)", "RUN" },
    { "chart", 'c', 0, G_OPTION_ARG_FILENAME, &options.chart, "Also draw it, as SVG, PNG or PDF", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autofree char *words = rest != NULL ? g_strjoinv (" ", rest) : NULL;
  char *names[] = { options.run, NULL };
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (DynoHistory) history = NULL;
  g_autoptr (DynoReportDocument) document = NULL;

  if (rest == NULL)
    return DYNO_CLI_USAGE;
  if (options.run != NULL && (runs = dyno_cli_runs_load (names, error)) == NULL)
    return DYNO_CLI_FAILED;
  store = dyno_cli_runs_open_store (error);
  if (store != NULL)
    history = dyno_history_load (
        store,
        &(DynoHistoryQuery){ .metric = options.metric,
                             .machine = runs != NULL ? dyno_run_get_machine (runs->pdata[0]) : NULL,
                             .words = words,
                             .backend = options.backend },
        error);
  if (history == NULL ||
      (options.chart != NULL &&
       !dyno_cli_charts_write_one (dyno_history_chart_new (history), options.chart, error)))
    return DYNO_CLI_FAILED;
  document = dyno_report_history_document_new (history);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_history_command = {
  .name = "history",
  .parameters = "[MODEL|WORD…]",
  .summary = "Show when a value changed, over all runs of a machine",
  .description =
      "Shows all cases, or those whose name contains every WORD. A change is one of the distribution over "
      "the runs (E-divisive, 5 %) by more than 2 % and more than the noise floor of the machine; the last "
      "run "
      "alone never counts as one. Each change names the first run after it, and what differs from the run "
      "before: Dyno, runtime, driver, kernel, model or notes.\n\n"
      "Examples:\n"
      "  dyno-cli history\n"
      "  dyno-cli history resnet-50 --backend openvino:CPU\n"
      "  dyno-cli history bert-tiny \"batch 1\" --metric memory_peak_mb --json\n",
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

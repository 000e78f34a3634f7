/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-subject-charts.h"
#include "dyno-recommendation.h"
#include "dyno-report.h"

typedef struct
{
  DynoCliGoal goal;
  char *axes;
  char *chart;
} Options;

static void
options_clear (Options *self)
{
  dyno_cli_goal_clear (&self->goal);
  g_free (self->axes);
  g_free (self->chart);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* Loads the named runs, or all measured ones. */
static GPtrArray *
load_runs (char **names, GError **error)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (*names != NULL)
    return dyno_cli_runs_load (names, error);
  store = dyno_cli_runs_open_store (error);
  runs = store != NULL ? dyno_cli_runs_load_all (store, error) : NULL;
  if (runs == NULL || runs->len > 0)
    return g_steal_pointer (&runs);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("There are no runs yet. Measure with “dyno-cli run --suite quick”."));
  return NULL;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { { NULL } };
  const GOptionEntry own[] = {
    { "axes", 'a', 0, G_OPTION_ARG_STRING, &options.axes,
      "Rows and columns, such as threads,batch or an engine option (model,size)", "ROWS,COLUMNS" },
    { "chart", 'c', 0, G_OPTION_ARG_FILENAME, &options.chart, "Also draw the matrix, as SVG, PNG or PDF",
      "FILE" },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  DynoGoal goal;
  g_auto (GStrv) rest = NULL;
  g_auto (GStrv) axes = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoRecommendation) recommendation = NULL;
  g_autoptr (DynoReportDocument) document = NULL;

  dyno_cli_goal_add_entries (&options.goal, entries);
  dyno_cli_goal_add_price (&options.goal, entries);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  rest = dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
  if (rest == NULL || !dyno_cli_goal_read (&options.goal, &goal, error))
    return DYNO_CLI_FAILED;
  axes = g_strsplit (options.axes != NULL ? options.axes : "model,size", ",", -1);
  if (g_strv_length (axes) != 2)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("--axes takes two axes, such as “model,size”."));
      return DYNO_CLI_FAILED;
    }
  g_strstrip (axes[0]);
  g_strstrip (axes[1]);
  runs = load_runs (rest, error);
  if (runs != NULL)
    recommendation = dyno_recommendation_new (runs, &goal, axes[0], axes[1], error);
  if (recommendation == NULL ||
      (options.chart != NULL &&
       !dyno_cli_charts_write_one (dyno_matrix_chart_new (recommendation), options.chart, error)))
    return DYNO_CLI_FAILED;
  document = dyno_report_hardware_document_new (recommendation);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_recommend_command = {
  .name = "recommend",
  .parameters = "[RUN…]",
  .summary = "Say what to use, from measured results",
  .description =
      "Names the engine, precision and threads that serve the goal best for each model and size, how "
      "far they are ahead of the next, and in which runs that was measured. Dyno recommends only what "
      "was measured, and calls a tie within the noise a tie. RUN is an id, the beginning of one, "
      "“last” or a .dyno document. The default is all runs.\n\n"
      "Examples:\n"
      "  dyno-cli recommend\n"
      "  dyno-cli recommend --goal throughput --max-latency 20\n"
      "  dyno-cli recommend --goal throughput --cost-per-hour 2.5USD\n"
      "  dyno-cli recommend --axes streams,batch --json last\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

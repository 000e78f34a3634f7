/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-report.h"

#define SHORT_ID "%.8s"

static DynoCliStatus
print_runs (GPtrArray *runs, const char *otherwise, GError **error)
{
  DynoReportTable *table = dyno_report_table_new ("ll3wl1w2", _ ("Run"), _ ("Started"), _ ("Title"),
                                                  _ ("State"), _ ("Cases"), NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      const char *title = dyno_run_get_title (run);
      const char *summary = dyno_run_get_summary (run);
      DynoCaseCounts counts = { 0 };
      g_autofree char *started_at = dyno_report_text_format_time (dyno_run_get_started_at (run));
      g_autofree char *finished_at = dyno_report_text_format_time (dyno_run_get_finished_at (run));

      dyno_run_count_cases (run, &counts);
      json_builder_begin_object (builder);
      dyno_report_member_add_string (builder, "id", dyno_run_get_id (run));
      dyno_report_member_add_string (builder, "title", dyno_run_get_title (run));
      dyno_report_member_add_string (builder, "notes", dyno_run_get_notes (run));
      dyno_report_member_add_text (builder, "started_at", started_at);
      dyno_report_member_add_text (builder, "finished_at", finished_at);
      dyno_report_member_add_count (builder, "cases", dyno_run_get_n_cases (run));
      dyno_report_member_add_count (builder, "measured", dyno_run_get_n_ok (run));
      dyno_report_member_add_count (builder, "imported", counts.of[DYNO_CASE_STATE_IMPORTED]);
      dyno_report_member_add_count (builder, "doubtful", counts.of[DYNO_CASE_STATE_DOUBTFUL]);
      dyno_report_member_add_count (builder, "unsteady", counts.of[DYNO_CASE_STATE_UNSTEADY]);
      dyno_report_member_add_count (builder, "failed", counts.of[DYNO_CASE_STATE_FAILED]);
      dyno_report_member_add_count (builder, "skipped", counts.of[DYNO_CASE_STATE_SKIPPED]);
      dyno_report_member_add_count (builder, "not_run", counts.of[DYNO_CASE_STATE_NOT_RUN]);
      dyno_report_member_add_flag (builder, "running", dyno_run_is_running (run));
      dyno_report_member_add_flag (builder, "interrupted", dyno_run_is_interrupted (run));
      dyno_report_member_add_string (builder, "summary", dyno_run_get_summary (run));
      dyno_report_member_add_string (builder, "source", dyno_run_get_source (run));
      dyno_report_member_add_string (builder, "app_version", dyno_run_get_app_version (run));
      json_builder_end_object (builder);

      dyno_report_table_take_row (table, g_strdup_printf (SHORT_ID, dyno_run_get_id (run)),
                                  dyno_report_text_format_date (dyno_run_get_started_at (run)),
                                  dyno_cli_format_text (title), dyno_run_dup_state_text (run),
                                  dyno_cli_format_text (summary), NULL);
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_list (table, otherwise, json_builder_get_root (builder), error);
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autofree char *search = NULL;
  gboolean as_ids = FALSE;
  int limit = 20;
  const GOptionEntry entries[] = {
    { "search", 's', 0, G_OPTION_ARG_STRING, &search, "Only runs that contain these words", "WORDS" },
    { "limit", 'n', 0, G_OPTION_ARG_INT, &limit, "Maximum number of runs, 0 for all (20)", "N" },
    { "ids", 0, 0, G_OPTION_ARG_NONE, &as_ids, "Print only the ids", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error))
    return DYNO_CLI_USAGE;
  if (limit < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("--limit cannot be negative."));
      return DYNO_CLI_USAGE;
    }
  store = dyno_cli_runs_open_store (error);
  runs = store != NULL
             ? dyno_store_list_runs (store, search, 0, limit == 0 ? G_MAXINT32 : (guint)limit, error)
             : NULL;
  if (runs == NULL)
    return DYNO_CLI_FAILED;
  if (!as_ids || dyno_cli_answer_is_json ())
    return print_runs (runs,
                       search != NULL
                           ? _ ("No runs match.")
                           : _ ("There are no runs yet. Measure with “dyno-cli run --suite quick”."),
                       error);
  for (guint i = 0; i < runs->len; i++)
    g_print ("%s\n", dyno_run_get_id (runs->pdata[i]));
  return DYNO_CLI_OK;
}

const DynoCliCommand dyno_cli_list_command = {
  .name = "list",
  .parameters = "",
  .summary = "List the runs in the store, newest first",
  .description = "Examples:\n"
                 "  dyno-cli list --search resnet\n"
                 "  dyno-cli list --limit 1 --ids\n",
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};

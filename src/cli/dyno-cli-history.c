/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-chart-export.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-history-chart.h"
#include "dyno-machine.h"
#include "dyno-metric.h"
#include "dyno-report.h"
#include "dyno-self-test-plan.h"

/* The maximum number of points printed per case; files contain all. */
#define MAX_POINTS 20

#define SHORT_ID "%.8s"

typedef struct
{
  char *metric;
  char *backend;
  char *run;
  char *chart;
  gboolean as_json;
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

/* Printing */

static void
print_heading (const DynoHistory *history)
{
  g_autofree char *title = dyno_metric_title_dup (history->metric);
  g_autoptr (JsonNode) machine = json_from_string (history->machine, NULL);
  g_autofree char *summary = machine != NULL ? dyno_machine_dup_summary (machine) : NULL;

  dyno_cli_say ("%s · %s\n\n", title, summary != NULL ? summary : "");
}

static void
add_segment (DynoReportTable *table,
             const DynoHistory *history,
             const DynoHistoryTrend *trend,
             const DynoHistorySegment *segment,
             const char *level)
{
  const DynoHistoryPoint *first = trend->points->pdata[segment->first];

  dyno_report_table_take_row (table, g_strdup (trend->label), dyno_cli_format_date (first->started_at),
                              g_strdup_printf (SHORT_ID, first->run_id), g_strdup_printf ("%u", segment->n),
                              g_strdup (level), dyno_history_dup_change (history, segment),
                              dyno_history_dup_changes (segment), NULL);
}

/* The levels of all segments, in the order of their rows. */
static GStrv
format_levels (const DynoHistory *history)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];

      for (guint k = 0; k < trend->segments->len; k++)
        g_array_append_val (numbers, ((const DynoHistorySegment *)trend->segments->pdata[k])->level);
    }
  return dyno_cli_format_column (numbers, ((const DynoHistoryTrend *)history->trends->pdata[0])->unit);
}

static void
print_segments (const DynoHistory *history)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("pl3l4r2rlw", _ ("Case"), _ ("Since"), C_ ("benchmark", "First run"), _ ("Runs"),
                             _ ("Level"), _ ("Change"), _ ("What changed"), NULL);
  g_auto (GStrv) levels = format_levels (history);
  guint row = 0;

  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];

      for (guint k = 0; k < trend->segments->len; k++)
        add_segment (table, history, trend, trend->segments->pdata[k], levels[row++]);
    }
  dyno_cli_print_table (table);
}

/* Prints each answer once, with all its cases. */
static void
print_answers (const DynoHistory *history)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *noise = dyno_self_test_dup_sentence (history->self_test, history->metric);

  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];

      g_ptr_array_add (labels, trend->label);
      g_ptr_array_add (answers, dyno_history_dup_answer (history, trend));
    }
  dyno_cli_notes_print_grouped (labels, answers, _ ("Case"), _ ("Changes"));
  g_print ("\n");
  dyno_cli_say ("%s\n", noise);
}

/* The value, the lower end and the upper end of each point from @first on, in the same unit. */
static GStrv
format_points (const DynoHistoryTrend *trend, guint first)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = first; i < trend->points->len; i++)
    {
      const DynoHistoryPoint *point = trend->points->pdata[i];
      const double of_point[] = { point->value, point->low, point->high };

      g_array_append_vals (numbers, of_point, G_N_ELEMENTS (of_point));
    }
  return dyno_cli_format_column (numbers, trend->unit);
}

static void
add_point (DynoReportTable *table, const DynoHistoryPoint *point, char **values)
{
  dyno_report_table_take_row (
      table, g_strdup_printf (SHORT_ID, point->run_id), dyno_cli_format_date (point->started_at),
      g_strdup (point->run_title != NULL ? point->run_title : ""), g_strdup (values[0]), g_strdup (values[1]),
      g_strdup (values[2]), dyno_history_point_dup_ends (point),
      g_strdup (point->is_steady ? "" : _ ("never steady")), NULL);
}

static void
print_points (const DynoHistoryTrend *trend)
{
  guint n = trend->points->len;
  guint first = n > MAX_POINTS ? n - MAX_POINTS : 0;
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("ll4w3rr2r2l5w1", _ ("Run"), _ ("Started"), _ ("Title"), _ ("Value"), _ ("From"),
                             _ ("To"), _ ("Interval"), _ ("Status"), NULL);
  g_auto (GStrv) values = format_points (trend, first);

  for (guint i = first; i < n; i++)
    add_point (table, trend->points->pdata[i], values + (gsize)3 * (i - first));
  g_print ("\n");
  dyno_cli_print_table (table);
  if (first > 0)
    dyno_cli_say (
        ngettext ("%u earlier run is only in the JSON.\n", "%u earlier runs are only in the JSON.\n", first),
        first);
}

static void
print_text (const DynoHistory *history)
{
  if (history->trends->len == 0)
    {
      dyno_cli_say (_ ("No matching case of this machine has a value “%s”.\n"), history->metric);
      return;
    }
  print_heading (history);
  print_segments (history);
  print_answers (history);
  if (history->trends->len == 1)
    print_points (history->trends->pdata[0]);
}

static gboolean
find_machine (const char *name, char **machine, GError **error)
{
  char *names[] = { (char *)name, NULL };
  g_autoptr (GPtrArray) runs = name != NULL ? dyno_cli_runs_load (names, error) : NULL;

  if (name != NULL && runs == NULL)
    return FALSE;
  *machine = runs != NULL ? g_strdup (dyno_run_get_machine (runs->pdata[0])) : NULL;
  return TRUE;
}

static gboolean
write_chart (DynoHistory *history, const char *path, GError **error)
{
  g_autoptr (DynoChart) chart = dyno_history_chart_new (history);

  return dyno_chart_export_by_name (chart, path, DYNO_CHART_EXPORT_WIDTH,
                                    dyno_chart_get_export_height (chart, DYNO_CHART_EXPORT_WIDTH),
                                    dyno_chart_style_get_light (), error);
}

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
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.as_json, "Print JSON with every point", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autofree char *words = rest != NULL ? g_strjoinv (" ", rest) : NULL;
  g_autofree char *machine = NULL;
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (DynoHistory) history = NULL;
  g_autoptr (JsonNode) json = NULL;

  if (rest == NULL)
    return DYNO_CLI_USAGE;
  store = find_machine (options.run, &machine, error) ? dyno_cli_runs_open_store (error) : NULL;
  if (store != NULL)
    history = dyno_history_load (
        store,
        &(DynoHistoryQuery){
            .metric = options.metric, .machine = machine, .words = words, .backend = options.backend },
        error);
  if (history == NULL || (options.chart != NULL && !write_chart (history, options.chart, error)))
    return DYNO_CLI_FAILED;
  json = options.as_json ? dyno_report_history_to_json (history) : NULL;
  if (options.as_json)
    dyno_cli_print_json (json);
  else
    print_text (history);
  return DYNO_CLI_OK;
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
  .prints_tables = TRUE,
  .run = run,
};

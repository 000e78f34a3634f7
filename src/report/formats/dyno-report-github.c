/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-grade.h"
#include "dyno-json.h"
#include "dyno-report.h"
#include "dyno-report-formats.h"
#include "dyno-report-private.h"

/* The format `customSmallerIsBetter` of github-action-benchmark: an array of entries with `name`, `unit`,
 * `value`, `range` and `extra`; the value is the median latency, or its replacement. */

static void
add_result (JsonBuilder *builder, DynoRun *run, DynoResult *result)
{
  const DynoReportFigure *figure = dyno_report_figure_find (result);
  g_autofree char *name = figure != NULL ? dyno_report_figure_dup_name (figure, result) : NULL;
  double low = dyno_result_get_number (result, "latency_median_low_ms");
  double high = dyno_result_get_number (result, "latency_median_high_ms");
  g_autofree char *from = dyno_report_text_format_number (low);
  g_autofree char *to = dyno_report_text_format_number (high);
  g_autofree char *range = isfinite (low) && isfinite (high) ? g_strdup_printf ("%s – %s", from, to) : NULL;
  g_autofree char *extra =
      g_strdup_printf ("%s\n%s", dyno_result_get_status_label (result), dyno_run_get_id (run));

  if (figure == NULL)
    return;
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "name", name);
  dyno_report_member_add_text (builder, "unit", "ms");
  dyno_report_member_add_number (builder, "value", dyno_report_figure_get (figure, result));
  if (range != NULL)
    dyno_report_member_add_text (builder, "range", range);
  dyno_report_member_add_text (builder, "extra", extra);
  json_builder_end_object (builder);
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  char *text;

  if (!dyno_report_figure_check (runs, dyno_report_github_format.name, error))
    return NULL;
  json_builder_begin_array (builder);
  for (guint i = 0; i < runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

          add_result (builder, runs->pdata[i], result);
        }
    }
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  text = dyno_json_text_write (root, TRUE);
  return g_bytes_new_take (text, strlen (text));
}

const DynoReportFormat dyno_report_github_format = {
  .name = "github-action-benchmark",
  .suffix = "json",
  .label = N_ ("JSON, for github-action-benchmark"),
  .write_runs = write_runs,
};

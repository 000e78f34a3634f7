/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-machine.h"
#include "dyno-metric.h"
#include "dyno-report-document-private.h"
#include "dyno-report.h"
#include "dyno-self-test-plan.h"
#include "dyno-subject-charts.h"

/* The maximum number of points in the table of a case; the data have all. */
#define MAX_POINTS 20

#define SHORT_ID "%.8s"

static void
add_segments (DynoReportDocument *document, const DynoHistory *history)
{
  DynoReportTable *table =
      dyno_report_table_new ("pl3l4r2rww", _ ("Case"), _ ("Since"), C_ ("benchmark", "First run"), _ ("Runs"),
                             _ ("Level"), _ ("Change"), _ ("What changed"), NULL);
  g_autoptr (GArray) levels = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];

      for (guint k = 0; k < trend->segments->len; k++)
        {
          const DynoHistorySegment *segment = trend->segments->pdata[k];
          const DynoHistoryPoint *first = trend->points->pdata[segment->first];

          dyno_report_table_take_row (
              table, g_strdup (trend->label), dyno_report_text_format_date (first->started_at),
              g_strdup_printf (SHORT_ID, first->run_id), g_strdup_printf ("%u", segment->n), g_strdup (""),
              dyno_history_dup_change (history, segment), dyno_history_dup_changes (segment), NULL);
          dyno_report_table_set_number (table, 3, segment->n);
          g_array_append_val (levels, segment->level);
        }
    }
  dyno_report_table_set_quantities (table, 4, levels,
                                    ((const DynoHistoryTrend *)history->trends->pdata[0])->unit);
  dyno_report_document_take_table (document, table);
}

static void
add_points (DynoReportDocument *document, const DynoHistoryTrend *trend)
{
  guint first = trend->points->len > MAX_POINTS ? trend->points->len - MAX_POINTS : 0;
  DynoReportTable *table =
      dyno_report_table_new ("ll4w3rr2r2l5w1", _ ("Run"), _ ("Started"), _ ("Title"), _ ("Value"), _ ("From"),
                             _ ("To"), _ ("Interval"), _ ("Status"), NULL);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *earlier = g_strdup_printf (
      ngettext ("%u earlier run is only in the JSON.", "%u earlier runs are only in the JSON.", first),
      first);

  for (guint i = first; i < trend->points->len; i++)
    {
      const DynoHistoryPoint *point = trend->points->pdata[i];
      const double of_point[] = { point->value, point->low, point->high };

      g_array_append_vals (numbers, of_point, G_N_ELEMENTS (of_point));
      dyno_report_table_take_row (table, g_strdup_printf (SHORT_ID, point->run_id),
                                  dyno_report_text_format_date (point->started_at),
                                  g_strdup (point->run_title != NULL ? point->run_title : ""), g_strdup (""),
                                  g_strdup (""), g_strdup (""), dyno_history_point_dup_ends (point),
                                  g_strdup (point->is_steady ? "" : _ ("never steady")), NULL);
    }
  dyno_report_table_set_quantities (table, 3, numbers, trend->unit);
  dyno_report_document_add_heading (document, 2, _ ("Runs"));
  dyno_report_document_take_table (document, table);
  if (first > 0)
    dyno_report_document_add_paragraph (document, earlier);
}

DynoReportDocument *
dyno_report_history_document_new (DynoHistory *history)
{
  g_autofree char *value = dyno_metric_title_dup (history->metric);
  g_autofree char *machine = dyno_machine_dup_summary (history->machine);
  /* Translators: a value such as “Median latency”, and a machine */
  g_autofree char *title = g_strdup_printf (_ ("%s on %s"), value, machine);
  g_autofree char *nothing =
      g_strdup_printf (_ ("No matching case of this machine has a value “%s”."), history->metric);
  DynoReportDocument *document = dyno_report_document_new (title);

  dyno_report_document_take_data (document, dyno_report_history_to_json (history));
  dyno_report_document_add_heading (document, 1, title);
  if (history->trends->len == 0)
    {
      dyno_report_document_add_paragraph (document, nothing);
      return document;
    }
  dyno_report_document_take_chart (document, dyno_history_chart_new (history));
  add_segments (document, history);

  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();
  g_autofree char *noise = dyno_self_test_dup_sentence (history->self_test, history->metric);
  dyno_report_notes_begin_group (notes, NULL);
  for (guint i = 0; i < history->trends->len; i++)
    dyno_report_notes_add_case (notes, ((const DynoHistoryTrend *)history->trends->pdata[i])->label);
  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];
      g_autofree char *answer = dyno_history_dup_answer (history, trend);

      if (i == 0)
        dyno_report_document_set_subject (document, answer);
      dyno_report_notes_add (notes, NULL, answer, trend->label);
    }
  dyno_report_notes_put (notes, document, 2, _ ("Changes"));
  dyno_report_document_add_paragraph (document, noise);

  if (history->trends->len == 1)
    add_points (document, history->trends->pdata[0]);
  return document;
}

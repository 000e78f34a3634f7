/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-chart-kind-list.h"
#include "dyno-chart-kind.h"
#include "dyno-report-document-private.h"

/* The name of the kind of a chart in a list, as data of the chart. */
#define KIND "dyno-report-kind"

/* The height of the words around the panels of a picture, and the minimum height, in px. */
#define WORDS      140
#define MIN_HEIGHT 250

/* The height as a share of the width, if any height will do. */
#define SHARE 0.56

/* With this many lines of caption and note the plot has enough room; each additional line makes the picture
 * higher, in px. The last number is the average width of a letter. */
#define USUAL_LINES 4
#define LINE        15
#define LETTER      6.2

static double
count_lines (const char *words, double width)
{
  g_auto (GStrv) paragraphs = g_strsplit (words, "\n", -1);
  double n_lines = 0;

  for (guint i = 0; paragraphs[i] != NULL; i++)
    n_lines += ceil ((double)g_utf8_strlen (paragraphs[i], -1) * LETTER / MAX (width, 1));
  return n_lines;
}

double
dyno_report_charts_get_height (DynoChart *chart, double width)
{
  double natural = dyno_chart_get_natural_height (chart, width);
  double n_note_lines = count_lines (dyno_chart_get_note (chart), width);
  double n_lines = count_lines (dyno_chart_get_caption (chart), width) + n_note_lines;

  if (natural > 0)
    return MAX (ceil (natural) + n_note_lines * LINE + WORDS, MIN_HEIGHT);
  return ceil (width * SHARE) + MAX (n_lines - USUAL_LINES, 0) * LINE;
}

static void
add_charts (GPtrArray *charts, DynoRun *run, DynoResult *result, GHashTable *ceilings)
{
  const DynoCaseParts sizes =
      DYNO_CASE_BATCH | DYNO_CASE_SEQUENCE | DYNO_CASE_GENERATE | DYNO_CASE_IMAGES | DYNO_CASE_DIMENSIONS;
  gboolean has_sizes = (dyno_case_parts_find_varying (dyno_run_get_results (run)) & sizes) != 0;
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoChartData) data = NULL;

  g_ptr_array_add (runs, run);
  data = dyno_chart_data_new (runs, result, ceilings);
  for (DynoChartKind kind = 0; kind < dyno_chart_kind_count (); kind++)
    {
      g_autoptr (DynoChart) chart = NULL;
      gboolean is_scaling = kind == DYNO_CHART_SCALING_LATENCY || kind == DYNO_CHART_SCALING_THROUGHPUT;

      /* A scaling chart is only useful if the sizes of the cases differ. */
      if (dyno_chart_kind_is_of_one_case (kind) != (result != NULL) || (is_scaling && !has_sizes))
        continue;
      chart = dyno_chart_new_for_data (kind, data);
      if (dyno_chart_get_empty_message (chart) != NULL)
        continue;
      g_object_set_data (G_OBJECT (chart), KIND, (gpointer)dyno_chart_kind_to_string (kind));
      g_ptr_array_add (charts, g_steal_pointer (&chart));
    }
}

GPtrArray *
dyno_report_charts_list (DynoRun *run, GHashTable *ceilings)
{
  GPtrArray *charts = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *results = dyno_run_get_results (run);
  DynoResult *last = NULL;
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (!dyno_case_state_has_numbers (dyno_result_get_state (result)))
        continue;
      last = result;
      n++;
    }
  if (n == 1)
    add_charts (charts, run, last, ceilings);
  add_charts (charts, run, NULL, ceilings);
  return charts;
}

void
dyno_report_charts_put_main (GPtrArray *charts, DynoReportDocument *document)
{
  if (charts->len > 0)
    dyno_report_document_take_chart (document, g_ptr_array_steal_index (charts, 0));
}

GPtrArray *
dyno_report_charts_steal (GPtrArray *charts, const char *kind)
{
  GPtrArray *stolen = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < charts->len;)
    if (g_strcmp0 (g_object_get_data (charts->pdata[i], KIND), kind) == 0)
      g_ptr_array_add (stolen, g_ptr_array_steal_index (charts, i));
    else
      i++;
  return stolen;
}

void
dyno_report_charts_put (GPtrArray *charts, DynoReportDocument *document)
{
  if (charts->len > 0)
    dyno_report_document_add_heading (document, 2, _ ("Charts"));
  for (guint i = 0; i < charts->len; i++)
    dyno_report_document_take_chart (document, g_object_ref (g_ptr_array_index (charts, i)));
}

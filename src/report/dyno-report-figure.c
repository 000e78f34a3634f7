/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-report-private.h"
#include "dyno-run.h"

#define MS_PER_S 1e3

/* The first figure that a case has is used: Dyno's measurements have a median, other tools often report only
 * a mean or a rate. The words are part of the names of series, so they are not translated. */
static const DynoReportFigure figures[] = {
  { "latency_p50_ms", NULL, FALSE },
  { "latency_mean_ms", "mean", FALSE },
  { "decode_tokens_per_sec", "per decoded token", TRUE },
  { "prefill_tokens_per_sec", "per prompt token", TRUE },
  { "throughput_tokens_per_sec", "per token", TRUE },
  { "throughput_items_per_sec", "per item", TRUE },
};

const DynoReportFigure *
dyno_report_figure_find (DynoResult *result)
{
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (isfinite (dyno_report_figure_get (&figures[i], result)))
      return &figures[i];
  return NULL;
}

double
dyno_report_figure_get (const DynoReportFigure *figure, DynoResult *result)
{
  DynoValue *value = dyno_result_get_value (result, figure->metric);
  double number = dyno_result_get_number (result, figure->metric);

  if (value == NULL || dyno_value_get_quality (value) == DYNO_QUALITY_UNSTEADY)
    return NAN;
  if (!figure->is_rate)
    return number;
  return number > 0 ? MS_PER_S / number : NAN;
}

char *
dyno_report_figure_dup_name (const DynoReportFigure *figure, DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_key (dyno_result_get_case (result));

  return figure->words != NULL ? g_strdup_printf ("%s · %s", label, figure->words) : g_steal_pointer (&label);
}

gboolean
dyno_report_figure_check (GPtrArray *runs, const char *format, GError **error)
{
  for (guint i = 0; i < runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

          if (dyno_report_figure_find (result) != NULL)
            return TRUE;
        }
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("No case has a steady latency or rate, and the format %s holds nothing else. Choose json "
                  "or csv-long, which hold every value."),
               format);
  return FALSE;
}

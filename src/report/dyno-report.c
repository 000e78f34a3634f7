/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report-csv.h"
#include "dyno-report-json.h"
#include "dyno-report-markdown.h"
#include "dyno-report.h"

/**
 * dyno_report_format_from_string:
 * @string: `markdown`, `json` or `csv`
 * @format: (out): where to put the format
 *
 * Returns: whether @string names a format
 */
gboolean
dyno_report_format_from_string (const char *string, DynoReportFormat *format)
{
  static const char *const names[] = {
    [DYNO_REPORT_MARKDOWN] = "markdown",
    [DYNO_REPORT_JSON] = "json",
    [DYNO_REPORT_CSV] = "csv",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (string, names[i]) == 0)
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * dyno_report_write:
 * @runs: (element-type DynoRun): the runs, with their results
 * @format: the form to write
 *
 * Returns: (transfer full): the report, in UTF-8
 */
char *
dyno_report_write (GPtrArray *runs, DynoReportFormat format)
{
  g_return_val_if_fail (runs != NULL, NULL);

  switch (format)
    {
    case DYNO_REPORT_MARKDOWN:
      return dyno_report_markdown_write (runs);
    case DYNO_REPORT_JSON:
      return dyno_report_json_write (runs);
    case DYNO_REPORT_CSV:
      return dyno_report_csv_write (runs);
    default:
      g_return_val_if_reached (NULL);
    }
}

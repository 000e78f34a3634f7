/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoReportFormat:
 * @DYNO_REPORT_MARKDOWN: for people, with a table of cases
 * @DYNO_REPORT_JSON: everything, for machines
 * @DYNO_REPORT_CSV: one row per case and a column per metric, for spreadsheets
 */
typedef enum
{
  DYNO_REPORT_MARKDOWN,
  DYNO_REPORT_JSON,
  DYNO_REPORT_CSV,
} DynoReportFormat;

gboolean dyno_report_format_from_string (const char *string, DynoReportFormat *format);
char *dyno_report_write (GPtrArray *runs, DynoReportFormat format);

G_END_DECLS

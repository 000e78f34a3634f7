/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report.h"

G_BEGIN_DECLS

/* The formats; each file defines one. */

extern const DynoReportFormat dyno_report_markdown_format;
extern const DynoReportFormat dyno_report_html_format;
extern const DynoReportFormat dyno_report_pdf_format;
extern const DynoReportFormat dyno_report_forum_format;
extern const DynoReportFormat dyno_report_json_format;
extern const DynoReportFormat dyno_report_csv_format;
extern const DynoReportFormat dyno_report_csv_long_format;
extern const DynoReportFormat dyno_report_gobench_format;
extern const DynoReportFormat dyno_report_otava_format;
extern const DynoReportFormat dyno_report_github_format;
extern const DynoReportFormat dyno_report_chrome_trace_format;

G_END_DECLS

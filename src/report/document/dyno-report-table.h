/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* Adds a table with a row for each case, with its number of processes and what the two ends beside its
 * median are. Columns that no case has a value for, with or without a number, are left out. An estimate
 * has “≈” before it, a percentile that lacks samples says how many it needs. What other tools tell beyond
 * these columns has further ones, and what does not fit is listed below. */
void dyno_report_table_add (DynoReportDocument *document, GListModel *results);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* Adds a table with a row for each case, with its number of processes and the kind of the interval of its
 * median. Leaves out columns that no case has a value for, with or without a number. An estimate has “≈”
 * before it; a percentile without enough samples shows how many it needs. Values from other tools get
 * additional columns; any that do not fit are listed below. */
void dyno_report_table_add (DynoReportDocument *document, GListModel *results);

G_END_DECLS

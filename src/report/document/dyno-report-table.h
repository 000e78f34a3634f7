/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

void dyno_report_table_add (DynoReportDocument *document, GListModel *results);

G_END_DECLS

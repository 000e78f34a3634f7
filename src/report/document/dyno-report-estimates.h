/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"

G_BEGIN_DECLS

void dyno_report_estimates_add (DynoReportDocument *document, GListModel *results);

G_END_DECLS

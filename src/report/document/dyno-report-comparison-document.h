/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-report-document.h"

G_BEGIN_DECLS

/* Returns the document of the comparison. */
DynoReportDocument *dyno_report_comparison_document_new (DynoComparison *comparison);

G_END_DECLS

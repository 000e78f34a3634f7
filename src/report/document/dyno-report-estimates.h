/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"

G_BEGIN_DECLS

/* Adds a list of values that are not simply measured, with their sources: each source once, with all its
 * values. Imported values are not estimates, and have their own list. */
void dyno_report_estimates_add (DynoReportDocument *document, GListModel *results);

G_END_DECLS

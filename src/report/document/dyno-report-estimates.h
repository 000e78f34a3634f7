/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"

G_BEGIN_DECLS

/* Adds a list of what is not simply measured, and where it comes from: each source once, with all values
 * that come from it. What was imported is no estimate, and has a list of its own. */
void dyno_report_estimates_add (DynoReportDocument *document, GListModel *results);

G_END_DECLS

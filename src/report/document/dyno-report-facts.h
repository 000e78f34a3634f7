/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* What several templates say of runs. */

char *dyno_report_facts_dup_title (DynoRun *run);
char *dyno_report_facts_dup_machine (DynoRun *run);
char *dyno_report_facts_dup_software (DynoRun *run);
void dyno_report_facts_add (DynoReportDocument *document, DynoRun *run);
void dyno_report_facts_add_missing (DynoReportDocument *document, GPtrArray *runs, guint level);

G_END_DECLS

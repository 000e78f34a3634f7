/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* Facts about runs that several templates contain. */

/* Returns its title in a report. */
char *dyno_report_facts_dup_title (DynoRun *run);
/* Returns the machine of the run, in one line. */
char *dyno_report_facts_dup_machine (DynoRun *run);
/* Returns the software that measured the run, in one line, such as “Dyno 0.1.0 · ONNX Runtime 1.23.2 (CPU)”. */
char *dyno_report_facts_dup_software (DynoRun *run);
/* Adds a list of when, where and how it was measured. */
void dyno_report_facts_add (DynoReportDocument *document, DynoRun *run);
/* Adds the cases that could not be measured, then the values, each reason once. @runs holds DynoRun. */
void dyno_report_facts_add_missing (DynoReportDocument *document, GPtrArray *runs, guint level);

G_END_DECLS

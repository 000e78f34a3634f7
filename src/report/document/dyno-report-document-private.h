/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-goal.h"
#include "dyno-report-document.h"
#include "dyno-result.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-report-cases */

/* Returns a table with a column for each of these values that a case has, and a row for each case with one of them; NULL if
 * no case has any. The caller owns it. */
DynoReportTable *dyno_report_cases_list_values (DynoRun *run, const char *const *names);

/* dyno-report-charts */

/* Returns its height in a document, in px: no higher than its rows and panels need, with room for the text
 * below it. */
double dyno_report_charts_get_height (DynoChart *chart, double width);
/* Charts of one case are only in a report if the run has a single case, and then come first. Returns the
 * charts that have something to show, in the order of DYNO_CHART_KINDS. Elements are DynoChart. @ceilings may
 * be NULL. @ceilings holds DynoRun and GPtrArray. */
GPtrArray *dyno_report_charts_list (DynoRun *run, GHashTable *ceilings);
/* Adds the main chart and removes it from the list. @charts holds DynoChart. */
void dyno_report_charts_put_main (GPtrArray *charts, DynoReportDocument *document);
/* Removes the charts of that kind, DYNO_CHART_KINDS by its name, from the list. Returns them. @charts holds DynoChart. */
GPtrArray *dyno_report_charts_steal (GPtrArray *charts, const char *kind);
/* @charts holds DynoChart. */
void dyno_report_charts_put (GPtrArray *charts, DynoReportDocument *document);

/* dyno-report-comparison-document */

/* Adds a table of what differs between the sides beside the numbers, below a heading; nothing if there is none. */
void dyno_report_comparison_add_differences (DynoReportDocument *document, const DynoComparison *comparison);
/* Adds the evidence, how the sides were measured and the noise, as a list that may go on. */
void dyno_report_comparison_add_remarks (DynoReportDocument *document, const DynoComparison *comparison);
/* Adds the cases that are not compared, each reason once. */
void dyno_report_comparison_add_left_out (DynoReportDocument *document, const DynoComparison *comparison);

/* dyno-report-estimates */

/* Adds a list of values that are not simply measured, with their sources: each source once, with all its
 * values. Imported values are not estimates, and have their own list. */
void dyno_report_estimates_add (DynoReportDocument *document, GListModel *results);
/* Adds what a million tokens or items cost in each case, and by which price; nothing without a price. */
void dyno_report_costs_add (DynoReportDocument *document, GListModel *results, const DynoPrice *price);

/* dyno-report-facts */

/* Facts about runs that several templates contain. */

/* Adds the limits of the goal to the list that is being filled. */
void dyno_report_facts_add_limits (DynoReportDocument *document, const DynoGoal *goal);
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

/* dyno-report-kinds */

/* Adds sections of the values and the charts that matter to the kind of model that all measured cases of the run share;
 * nothing if they share none. The charts are removed from @charts, which holds DynoChart. */
void dyno_report_kind_add_sections (DynoReportDocument *document, DynoRun *run, GPtrArray *charts);

/* dyno-report-notes */

/**
 * DynoReportNotes:
 *
 * Sentences, each with the cases it is about: a sentence about many cases appears once, and if it applies to
 * most of them, they are counted. The order is that of their first mention.
 */
typedef struct _DynoReportNotes DynoReportNotes;

DynoReportNotes *dyno_report_notes_new (void);
void dyno_report_notes_free (DynoReportNotes *self);
/* Starts a group of cases for the sentences that are added from now on. @title: a common name for the cases,
 * such as the title of their run; NULL if there is one group. */
void dyno_report_notes_begin_group (DynoReportNotes *self, const char *title);
/* Registers a case; a sentence about all registered cases says “all cases”. */
void dyno_report_notes_add_case (DynoReportNotes *self, const char *label);
/* Begins a group of the cases of @results. @title may be NULL. */
void dyno_report_notes_begin_results (DynoReportNotes *self, const char *title, GListModel *results);
/* Begins a group with all compared cases. */
void dyno_report_notes_begin_comparison (DynoReportNotes *self, const DynoComparison *comparison);
/* @lead may be NULL. */
void dyno_report_notes_add (DynoReportNotes *self, const char *lead, const char *text, const char *subject);
/* Like dyno_report_notes_add(), but merges sentences that differ only in their numbers, with ranges of these.
 * @lead may be NULL. */
void dyno_report_notes_add_similar (DynoReportNotes *self,
                                    const char *lead,
                                    const char *text,
                                    const char *subject);
/* Adds a list of the sentences; nothing if there are none. */
void
dyno_report_notes_put (DynoReportNotes *self, DynoReportDocument *document, guint level, const char *heading);

/* Returns a sentence in place of details that are not shown; NULL if there are none. @clauses: a NULL-terminated
 * array of what they are about. */
char *dyno_report_notes_dup_summary (GPtrArray *clauses);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportNotes, dyno_report_notes_free)

/* dyno-report-table */

/* Begins a row that has no cells yet. */
void dyno_report_table_begin_row (DynoReportTable *self);

G_END_DECLS

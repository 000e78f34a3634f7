/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-result.h"

G_BEGIN_DECLS

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportNotes, dyno_report_notes_free)

G_END_DECLS

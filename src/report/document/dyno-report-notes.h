/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"
#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoReportNotes:
 *
 * Sentences, each with the cases it is about: what holds for many cases is said once, and where it holds for most of many,
 * they are counted. In the order of their first mention.
 */
typedef struct _DynoReportNotes DynoReportNotes;

DynoReportNotes *dyno_report_notes_new (void);
void dyno_report_notes_free (DynoReportNotes *self);
/* The cases of the sentences that are added from now on belong together. @title: what to call the cases
 * together, such as the title of their run; NULL where there is one group. */
void dyno_report_notes_begin_group (DynoReportNotes *self, const char *title);
/* What cases there are, to say “all cases” for a sentence about all of them. */
void dyno_report_notes_add_case (DynoReportNotes *self, const char *label);
/* Begins a group of the cases of @results. @title may be NULL. */
void dyno_report_notes_begin_results (DynoReportNotes *self, const char *title, GListModel *results);
/* @lead may be NULL. */
void dyno_report_notes_add (DynoReportNotes *self, const char *lead, const char *text, const char *subject);
/* As dyno_report_notes_add(), but sentences that differ in their numbers alone are one, with ranges of
 * them. @lead may be NULL. */
void dyno_report_notes_add_similar (DynoReportNotes *self,
                                    const char *lead,
                                    const char *text,
                                    const char *subject);
/* Adds a list of the sentences, or nothing where there are none. */
void
dyno_report_notes_put (DynoReportNotes *self, DynoReportDocument *document, guint level, const char *heading);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportNotes, dyno_report_notes_free)

G_END_DECLS

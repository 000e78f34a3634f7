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
void dyno_report_notes_begin_group (DynoReportNotes *self, const char *title);
void dyno_report_notes_add_case (DynoReportNotes *self, const char *label);
void dyno_report_notes_begin_results (DynoReportNotes *self, const char *title, GListModel *results);
/* @lead may be NULL. */
void dyno_report_notes_add (DynoReportNotes *self, const char *lead, const char *text, const char *subject);
void dyno_report_notes_add_similar (DynoReportNotes *self,
                                    const char *lead,
                                    const char *text,
                                    const char *subject);
void
dyno_report_notes_put (DynoReportNotes *self, DynoReportDocument *document, guint level, const char *heading);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportNotes, dyno_report_notes_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report.h"
#include "dyno-run-entry.h"

G_BEGIN_DECLS

/**
 * DynoReportSubject:
 *
 * The subject of a report: runs by their ids, and how to present them. Writing the report reads the runs
 * again, on any thread, because the shown runs belong to the main thread.
 */
typedef struct _DynoReportSubject DynoReportSubject;

/* Returns a subject without runs. @title: a name for its file. */
DynoReportSubject *dyno_report_subject_new (const DynoReportTemplate *of, const char *title);
/* Returns a subject with that run alone. */
DynoReportSubject *dyno_report_subject_new_for_run (DynoRunEntry *entry);
DynoReportSubject *dyno_report_subject_ref (DynoReportSubject *self);
void dyno_report_subject_unref (DynoReportSubject *self);

void dyno_report_subject_add_run (DynoReportSubject *self, DynoStore *store, const char *id);
/* @metric may be NULL. @baseline may be NULL. */
void dyno_report_subject_set_comparison (DynoReportSubject *self, const char *metric, const char *baseline);
void dyno_report_subject_set_goal (DynoReportSubject *self,
                                   const DynoGoal *goal,
                                   const char *row_axis,
                                   const char *column_axis);

/* Returns a name for its file. */
const char *dyno_report_subject_get_title (DynoReportSubject *self);
/* Returns whether the format can hold this report: data formats hold runs, but nothing derived from them. */
gboolean dyno_report_subject_takes (DynoReportSubject *self, const DynoReportFormat *format);
/* May be called on any thread. Returns the bytes of the file. The caller owns it. */
GBytes *dyno_report_subject_write (DynoReportSubject *self, const DynoReportFormat *format, GError **error);
/* May be called on any thread. Returns the report as a document. */
DynoReportDocument *dyno_report_subject_build (DynoReportSubject *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportSubject, dyno_report_subject_unref)

G_END_DECLS

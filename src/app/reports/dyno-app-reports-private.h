/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "dyno-report.h"
#include "dyno-result.h"
#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-report-subject */

/**
 * DynoReportSubject:
 *
 * The subject of a report: runs by their ids, and how to present them. Writing the report reads the runs
 * again, on any thread, because the shown runs belong to the main thread.
 */
typedef struct _DynoReportSubject DynoReportSubject;

/* Reads the price of an hour that the user has set. */
void dyno_report_subject_read_price (DynoPrice *price);
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
/* Builds it on a thread; the task of @callback has the DynoReportDocument. @owner: the widget that wants it.
 * @cancellable (nullable): cancelled when @owner must no longer get it. */
void dyno_report_subject_build_async (DynoReportSubject *self,
                                      gpointer owner,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportSubject, dyno_report_subject_unref)

/* dyno-document-window */

#define DYNO_TYPE_DOCUMENT_WINDOW (dyno_document_window_get_type ())

/**
 * DynoDocumentWindow:
 *
 * Shows a report: its headings, sentences, tables and charts, and a menu to save, print and copy it.
 */
G_DECLARE_FINAL_TYPE (DynoDocumentWindow, dyno_document_window, DYNO, DOCUMENT_WINDOW, AdwWindow)

/* Opens a window, which fills itself as soon as the report is built. @owner: a widget of the window above it. Takes
 * @subject. */
void dyno_document_window_present (GtkWidget *owner, const char *title, DynoReportSubject *subject);

/* dyno-report-button */

#define DYNO_TYPE_REPORT_BUTTON (dyno_report_button_get_type ())

/**
 * DynoReportButton:
 *
 * A menu to save, print and copy the report. Insensitive without a subject.
 */
G_DECLARE_FINAL_TYPE (DynoReportButton, dyno_report_button, DYNO, REPORT_BUTTON, AdwBin)

/* Takes @subject. @subject may be NULL. */
void dyno_report_button_take_subject (DynoReportButton *self, DynoReportSubject *subject);

/* dyno-run-printer */

/* Returns an operation that prints the document. Takes @document. */
GtkPrintOperation *dyno_run_printer_create_operation (DynoReportDocument *document);
/* Asks for a printer and prints the report. */
void dyno_run_printer_print (GtkWidget *widget, DynoReportSubject *subject);

/* dyno-run-saver */

/* Saves runs as documents and writes reports, in a thread, to any place that GIO can write to. */

/* Asks for a file and saves the run as a `.dyno` document. */
void dyno_run_saver_ask_document (GtkWidget *widget, DynoRunEntry *entry);
/* Asks for a file and saves a report; the file name determines the format. @suffix: the suffix of a report
 * format, such as `html`. */
void dyno_run_saver_ask_report (GtkWidget *widget, DynoReportSubject *subject, const char *suffix);

/* Copies the report. @format: the name of a text format, such as `markdown`, that @subject takes. */
void dyno_run_saver_copy_report (GtkWidget *widget, DynoReportSubject *subject, const char *format);

/* Saves the run as a `.dyno` document. @cancellable may be NULL. */
void dyno_run_saver_save_document_async (DynoRunEntry *entry,
                                         GFile *file,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Saves the report. @cancellable may be NULL. */
void dyno_run_saver_save_report_async (DynoReportSubject *subject,
                                       GFile *file,
                                       const DynoReportFormat *format,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
/* Returns whether the file is written. */
gboolean dyno_run_saver_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS

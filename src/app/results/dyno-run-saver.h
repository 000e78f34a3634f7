/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-report-subject.h"

G_BEGIN_DECLS

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

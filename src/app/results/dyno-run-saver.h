/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-report-subject.h"

G_BEGIN_DECLS

/* Saves a run as a document, and reports, in a thread, to any place that GIO can write to. */

void dyno_run_saver_ask_document (GtkWidget *widget, DynoRunEntry *entry);
void dyno_run_saver_ask_report (GtkWidget *widget, DynoReportSubject *subject, const char *suffix);

void dyno_run_saver_copy_report (GtkWidget *widget, DynoReportSubject *subject, const char *format);

void dyno_run_saver_save_document_async (DynoRunEntry *entry,
                                         GFile *file,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
void dyno_run_saver_save_report_async (DynoReportSubject *subject,
                                       GFile *file,
                                       const DynoReportFormat *format,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
/* Returns whether the file is written. */
gboolean dyno_run_saver_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS

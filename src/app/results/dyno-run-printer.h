/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-report-subject.h"

G_BEGIN_DECLS

/* Returns an operation that prints the document. Takes @document. */
GtkPrintOperation *dyno_run_printer_create_operation (DynoReportDocument *document);
/* Asks for a printer and prints the report. */
void dyno_run_printer_print (GtkWidget *widget, DynoReportSubject *subject);

G_END_DECLS

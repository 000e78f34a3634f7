/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-reports-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-report-pages.h"

/* Prints a report on the chosen paper, with the same pages as its PDF file. */

typedef struct
{
  DynoReportDocument *document;
  DynoReportPages *pages;
} Printing;

static void
printing_free (gpointer data, GClosure *closure)
{
  Printing *printing = data;

  g_clear_pointer (&printing->pages, dyno_report_pages_free);
  dyno_report_document_free (printing->document);
  g_free (printing);
}

static void
begin_print_cb (GtkPrintOperation *operation, GtkPrintContext *context, Printing *printing)
{
  g_clear_pointer (&printing->pages, dyno_report_pages_free);
  printing->pages = dyno_report_pages_new (printing->document, gtk_print_context_get_width (context),
                                           gtk_print_context_get_height (context));
  gtk_print_operation_set_n_pages (operation, (int)dyno_report_pages_get_n_pages (printing->pages));
}

static void
draw_page_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page, Printing *printing)
{
  dyno_report_pages_draw (printing->pages, (guint)page, gtk_print_context_get_cairo_context (context));
}

GtkPrintOperation *
dyno_run_printer_create_operation (DynoReportDocument *document)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  Printing *printing = g_new0 (Printing, 1);

  printing->document = document;
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_use_full_page (operation, TRUE);
  gtk_print_operation_set_job_name (operation, document->title);
  gtk_print_operation_set_allow_async (operation, TRUE);
  g_signal_connect_data (operation, "begin-print", G_CALLBACK (begin_print_cb), printing, printing_free, 0);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page_cb), printing);
  return operation;
}

static void
printed_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, GtkWidget *widget)
{
  g_autoptr (GError) error = NULL;

  if (result == GTK_PRINT_OPERATION_RESULT_ERROR)
    gtk_print_operation_get_error (operation, &error);
  if (error != NULL)
    dyno_toast_report_error (widget, _ ("The report could not be printed"), error);
}

static void
document_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GtkWidget *widget = GTK_WIDGET (object);
  GtkRoot *root = gtk_widget_get_root (widget);
  g_autoptr (GError) error = NULL;
  DynoReportDocument *document = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GtkPrintOperation) operation =
      document != NULL ? dyno_run_printer_create_operation (document) : NULL;

  if (operation != NULL)
    {
      g_signal_connect_object (operation, "done", G_CALLBACK (printed_cb), widget, 0);
      gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                               GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, &error);
    }
  if (error != NULL)
    dyno_toast_report_error (widget, _ ("The report could not be printed"), error);
}

void
dyno_run_printer_print (GtkWidget *widget, DynoReportSubject *subject)
{
  dyno_report_subject_build_async (subject, widget, NULL, document_cb);
}

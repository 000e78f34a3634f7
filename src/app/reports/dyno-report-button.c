/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-reports-private.h"

struct _DynoReportButton
{
  AdwBin parent_instance;

  DynoReportSubject *subject;
};

G_DEFINE_FINAL_TYPE (DynoReportButton, dyno_report_button, ADW_TYPE_BIN)

static void
save_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_run_saver_ask_report (widget, DYNO_REPORT_BUTTON (widget)->subject,
                             g_variant_get_string (parameter, NULL));
}

static void
copy_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_run_saver_copy_report (widget, DYNO_REPORT_BUTTON (widget)->subject,
                              g_variant_get_string (parameter, NULL));
}

static void
print_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_run_printer_print (widget, DYNO_REPORT_BUTTON (widget)->subject);
}

static void
dyno_report_button_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_REPORT_BUTTON);

  G_OBJECT_CLASS (dyno_report_button_parent_class)->dispose (object);
}

static void
dyno_report_button_finalize (GObject *object)
{
  g_clear_pointer (&DYNO_REPORT_BUTTON (object)->subject, dyno_report_subject_unref);

  G_OBJECT_CLASS (dyno_report_button_parent_class)->finalize (object);
}

static void
dyno_report_button_class_init (DynoReportButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_report_button_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_report_button_finalize;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-report-button.ui");
  gtk_widget_class_install_action (widget_class, "report.save", "s", save_action);
  gtk_widget_class_install_action (widget_class, "report.copy", "s", copy_action);
  gtk_widget_class_install_action (widget_class, "report.print", NULL, print_action);
}

static void
dyno_report_button_init (DynoReportButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_report_button_take_subject (self, NULL);
}

void
dyno_report_button_take_subject (DynoReportButton *self, DynoReportSubject *subject)
{
  g_return_if_fail (DYNO_IS_REPORT_BUTTON (self));

  g_clear_pointer (&self->subject, dyno_report_subject_unref);
  self->subject = subject;
  gtk_widget_set_sensitive (GTK_WIDGET (self), subject != NULL);
}

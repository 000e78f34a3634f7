/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"

struct _DynoDownloadStatus
{
  AdwBin parent_instance;

  GCancellable *cancellable; /* NULL if nothing is being downloaded */

  GtkWidget *progress_box;
  GtkLabel *progress_label;
  GtkProgressBar *progress_bar;
  GtkLabel *problem_label;
};

G_DEFINE_FINAL_TYPE (DynoDownloadStatus, dyno_download_status, ADW_TYPE_BIN)

static void
set_problem (DynoDownloadStatus *self, const char *problem)
{
  gtk_label_set_label (self->problem_label, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem_label), problem != NULL);
}

/* Later reports find that the download has ended. */
static void
dyno_download_status_unrealize (GtkWidget *widget)
{
  DynoDownloadStatus *self = DYNO_DOWNLOAD_STATUS (widget);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);

  GTK_WIDGET_CLASS (dyno_download_status_parent_class)->unrealize (widget);
}

static void
dyno_download_status_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_DOWNLOAD_STATUS);

  G_OBJECT_CLASS (dyno_download_status_parent_class)->dispose (object);
}

static void
dyno_download_status_class_init (DynoDownloadStatusClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_download_status_dispose;
  widget_class->unrealize = dyno_download_status_unrealize;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-download-status.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoDownloadStatus, progress_box);
  gtk_widget_class_bind_template_child (widget_class, DynoDownloadStatus, progress_label);
  gtk_widget_class_bind_template_child (widget_class, DynoDownloadStatus, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoDownloadStatus, problem_label);
}

static void
dyno_download_status_init (DynoDownloadStatus *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GCancellable *
dyno_download_status_begin (DynoDownloadStatus *self, const char *text)
{
  g_return_val_if_fail (DYNO_IS_DOWNLOAD_STATUS (self) && self->cancellable == NULL, NULL);

  self->cancellable = g_cancellable_new ();
  set_problem (self, NULL);
  dyno_download_status_say (self, text, 0);
  gtk_widget_set_visible (self->progress_box, TRUE);
  return self->cancellable;
}

GCancellable *
dyno_download_status_get_cancellable (DynoDownloadStatus *self)
{
  g_return_val_if_fail (DYNO_IS_DOWNLOAD_STATUS (self), NULL);

  return self->cancellable;
}

void
dyno_download_status_say (DynoDownloadStatus *self, const char *text, double fraction)
{
  g_return_if_fail (DYNO_IS_DOWNLOAD_STATUS (self));

  gtk_label_set_label (self->progress_label, text);
  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (fraction, 0, 1));
}

static char *
describe (const DynoProgress *progress)
{
  g_autofree char *bytes = dyno_format_bytes ((gint64)progress->bytes);
  g_autofree char *total = dyno_format_bytes ((gint64)progress->total);

  if (progress->wait_seconds > 0)
    return g_strdup_printf (ngettext ("The server asks to wait %u second.",
                                      "The server asks to wait %u seconds.", progress->wait_seconds),
                            progress->wait_seconds);
  if (progress->file == NULL)
    return g_strdup (_ ("Asking the server…"));
  if (progress->is_unpacking)
    return g_strdup_printf (_ ("Unpacking: %s of %s"), bytes, total);
  /* Translators: how much is there, how much there will be, and the name of the file, such as “1.2 MB of 440 MB ·
   * model.safetensors” */
  return g_strdup_printf (_ ("%s of %s · %s"), bytes, total, progress->file);
}

void
dyno_download_status_report (const DynoProgress *progress, gpointer self)
{
  g_autofree char *text = describe (progress);

  g_return_if_fail (DYNO_IS_DOWNLOAD_STATUS (self));

  if (dyno_download_status_get_cancellable (self) != NULL)
    dyno_download_status_say (self, text,
                              progress->total > 0 ? (double)progress->bytes / (double)progress->total : 0);
}

void
dyno_download_status_clear_problem (DynoDownloadStatus *self)
{
  g_return_if_fail (DYNO_IS_DOWNLOAD_STATUS (self));

  set_problem (self, NULL);
}

void
dyno_download_status_end (DynoDownloadStatus *self, const GError *error)
{
  g_return_if_fail (DYNO_IS_DOWNLOAD_STATUS (self));

  g_clear_object (&self->cancellable);
  gtk_widget_set_visible (self->progress_box, FALSE);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_problem (self, _ ("The download was stopped. The part that arrived is kept, and the next download "
                          "continues from there."));
  else if (error != NULL)
    set_problem (self, error->message);
}

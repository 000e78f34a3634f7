/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-hub-window"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-format.h"
#include "dyno-hub-id.h"
#include "dyno-hub-window.h"
#include "dyno-hub.h"
#include "dyno-model-reader.h"
#include "dyno-widget-task.h"

struct _DynoHubWindow
{
  AdwWindow parent_instance;

  GCancellable *fetching;
  char *id;
  DynoHubWish wish;

  GtkEditable *id_row;
  AdwComboRow *wish_row;
  GtkWidget *choice_group;
  GtkWidget *progress_box;
  GtkLabel *progress_label;
  GtkProgressBar *progress_bar;
  GtkLabel *problem_label;
  GtkWidget *cancel_button;
};

enum
{
  FETCHED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoHubWindow, dyno_hub_window, ADW_TYPE_WINDOW)

static guint signals[N_SIGNALS];

static void
update (DynoHubWindow *self)
{
  gboolean is_fetching = self->fetching != NULL;
  g_autofree char *id = dyno_hub_id_from_text (gtk_editable_get_text (self->id_row));

  gtk_widget_set_sensitive (self->choice_group, !is_fetching);
  gtk_widget_set_visible (self->progress_box, is_fetching);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "hub.fetch", !is_fetching && *id != '\0');
}

static void
show_problem (DynoHubWindow *self, const char *problem)
{
  gtk_label_set_label (self->problem_label, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem_label), problem != NULL);
}

static void
changed_cb (DynoHubWindow *self)
{
  show_problem (self, NULL);
  update (self);
}

static void
show_progress (DynoHubWindow *self, const char *text, double fraction)
{
  gtk_label_set_label (self->progress_label, text);
  gtk_progress_bar_set_fraction (self->progress_bar, fraction);
}

static char *
describe_progress (const DynoProgress *progress)
{
  g_autofree char *bytes = dyno_format_bytes ((gint64)progress->bytes);
  g_autofree char *total = dyno_format_bytes ((gint64)progress->total);

  if (progress->wait_seconds > 0)
    return g_strdup_printf (ngettext ("The hub asks to wait %u second.", "The hub asks to wait %u seconds.",
                                      progress->wait_seconds),
                            progress->wait_seconds);
  if (progress->file == NULL)
    return g_strdup (_ ("Asking the hub…"));
  /* Translators: how much is there, how much there will be, and the name of the file, such as “1.2 MB of 440 MB ·
   * model.safetensors” */
  return g_strdup_printf (_ ("%s of %s · %s"), bytes, total, progress->file);
}

/* A download that is being cancelled may still have reported progress. */
static void
progress_cb (const DynoProgress *progress, gpointer user_data)
{
  DynoHubWindow *self = user_data;
  g_autofree char *text = describe_progress (progress);

  if (self->fetching != NULL)
    show_progress (self, text, progress->total > 0 ? (double)progress->bytes / (double)progress->total : 0);
}

/* What the window looks like while it is closed is nobody's concern. */
static void
end (DynoHubWindow *self, const GError *error)
{
  if (self->fetching == NULL)
    return;
  g_clear_object (&self->fetching);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_problem (self, _ ("The download was stopped. The part that arrived is kept, and the next download "
                           "continues from there."));
  else
    show_problem (self, error->message);
  update (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->id_row));
}

static void
read_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (DynoModel) model = dyno_model_reader_load (task_data, cancellable, &error);

  if (model != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoHubWindow *self = DYNO_HUB_WINDOW (object);
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      end (self, error);
      return;
    }
  g_signal_emit (self, signals[FETCHED], 0, g_task_get_task_data (G_TASK (result)));
  gtk_window_close (GTK_WINDOW (self));
}

/* Not every architecture can be built; only what can be measured is worth a place in a list. */
static void
read_model (DynoHubWindow *self, const char *folder)
{
  g_autoptr (GTask) task = dyno_widget_task_new (self, self->fetching, read_cb);

  show_progress (self, _ ("Reading the model…"), 1);
  g_task_set_source_tag (task, read_model);
  g_task_set_task_data (task, dyno_hub_dup_spec (self->id, self->wish, folder), g_free);
  g_task_run_in_thread (task, read_thread);
}

static void
fetched_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoHubWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = dyno_hub_fetch_finish (result, &error);

  if (folder == NULL)
    end (self, error);
  else if (self->fetching != NULL)
    read_model (self, folder);
}

static void
fetch_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHubWindow *self = DYNO_HUB_WINDOW (widget);

  g_free (self->id);
  self->id = dyno_hub_id_from_text (gtk_editable_get_text (self->id_row));
  self->wish = (DynoHubWish)adw_combo_row_get_selected (self->wish_row);
  self->fetching = g_cancellable_new ();
  show_problem (self, NULL);
  show_progress (self, _ ("Asking the hub…"), 0);
  /* What cannot be changed meanwhile must not keep the focus. */
  gtk_widget_grab_focus (self->cancel_button);
  update (self);
  dyno_hub_fetch_async (self->id, self->wish, progress_cb, self, self->fetching, fetched_cb,
                        g_object_ref (self));
}

static void
cancel_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHubWindow *self = DYNO_HUB_WINDOW (widget);

  if (self->fetching != NULL)
    g_cancellable_cancel (self->fetching);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
entry_activated_cb (DynoHubWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "hub.fetch", NULL);
}

/* A window that is closed stays until the download has let go of it. */
static void
dyno_hub_window_unrealize (GtkWidget *widget)
{
  DynoHubWindow *self = DYNO_HUB_WINDOW (widget);

  if (self->fetching != NULL)
    g_cancellable_cancel (self->fetching);
  g_clear_object (&self->fetching);

  GTK_WIDGET_CLASS (dyno_hub_window_parent_class)->unrealize (widget);
}

static void
dyno_hub_window_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_HUB_WINDOW);

  G_OBJECT_CLASS (dyno_hub_window_parent_class)->dispose (object);
}

static void
dyno_hub_window_finalize (GObject *object)
{
  g_free (DYNO_HUB_WINDOW (object)->id);

  G_OBJECT_CLASS (dyno_hub_window_parent_class)->finalize (object);
}

static void
dyno_hub_window_class_init (DynoHubWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_hub_window_dispose;
  object_class->finalize = dyno_hub_window_finalize;
  widget_class->unrealize = dyno_hub_window_unrealize;

  signals[FETCHED] = g_signal_new ("fetched", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-hub-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, id_row);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, wish_row);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, choice_group);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, progress_box);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, progress_label);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, problem_label);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, cancel_button);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_activated_cb);
  gtk_widget_class_install_action (widget_class, "hub.fetch", NULL, fetch_action);
  gtk_widget_class_install_action (widget_class, "hub.cancel", NULL, cancel_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_hub_window_init (DynoHubWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  update (self);
}

/**
 * dyno_hub_window_new:
 *
 * Returns: a window that asks what to fetch
 */
GtkWidget *
dyno_hub_window_new (void)
{
  return g_object_new (DYNO_TYPE_HUB_WINDOW, NULL);
}

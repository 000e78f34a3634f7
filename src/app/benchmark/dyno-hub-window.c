/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-hub.h"
#include "dyno-model-reader.h"

struct _DynoHubWindow
{
  AdwWindow parent_instance;

  char *id;
  DynoHubWish wish;

  GtkEditable *id_row;
  AdwComboRow *wish_row;
  GtkWidget *choice_group;
  DynoDownloadStatus *status;
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
  gboolean is_fetching = dyno_download_status_get_cancellable (self->status) != NULL;
  g_autofree char *id = dyno_hub_id_from_text (gtk_editable_get_text (self->id_row));

  gtk_widget_set_sensitive (self->choice_group, !is_fetching);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "hub.fetch", !is_fetching && *id != '\0');
}

static void
changed_cb (DynoHubWindow *self)
{
  dyno_download_status_clear_problem (self->status);
  update (self);
}

/* A closed window need not be updated. */
static void
end (DynoHubWindow *self, const GError *error)
{
  if (self->status == NULL || dyno_download_status_get_cancellable (self->status) == NULL)
    return;
  dyno_download_status_end (self->status, error);
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

static void
fetched_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoDownloadStatus) status = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = dyno_hub_fetch_finish (result, &error);
  DynoHubWindow *self;

  if (dyno_download_status_get_cancellable (status) == NULL) /* closed meanwhile */
    return;
  self = DYNO_HUB_WINDOW (gtk_widget_get_root (GTK_WIDGET (status)));
  if (folder == NULL)
    end (self, error);
  else
    {
      /* Dyno cannot build every architecture; only models that it can measure are added to the list. */
      dyno_download_status_say (self->status, _ ("Reading the model…"), 1);
      dyno_thread_task_run (self, dyno_download_status_get_cancellable (self->status), read_thread,
                            dyno_hub_dup_spec (self->id, self->wish, folder), g_free, read_cb);
    }
}

static void
fetch_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHubWindow *self = DYNO_HUB_WINDOW (widget);
  GCancellable *fetching;

  g_free (self->id);
  self->id = dyno_hub_id_from_text (gtk_editable_get_text (self->id_row));
  self->wish = (DynoHubWish)adw_combo_row_get_selected (self->wish_row);
  fetching = dyno_download_status_begin (self->status, _ ("Asking the hub…"));
  /* The widgets are insensitive during the download, so the focus must leave them. */
  gtk_widget_grab_focus (self->cancel_button);
  update (self);
  dyno_hub_fetch_async (self->id, self->wish, dyno_download_status_report, self->status, fetching, fetched_cb,
                        g_object_ref (self->status));
}

static void
cancel_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHubWindow *self = DYNO_HUB_WINDOW (widget);

  GCancellable *fetching = dyno_download_status_get_cancellable (self->status);

  if (fetching != NULL)
    g_cancellable_cancel (fetching);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
entry_activated_cb (DynoHubWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "hub.fetch", NULL);
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

  signals[FETCHED] = g_signal_new ("fetched", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (DYNO_TYPE_DOWNLOAD_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-hub-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, id_row);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, wish_row);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, choice_group);
  gtk_widget_class_bind_template_child (widget_class, DynoHubWindow, status);
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
  dyno_labels_shrink (gtk_widget_get_ancestor (self->cancel_button, GTK_TYPE_ACTION_BAR));
  update (self);
}

GtkWidget *
dyno_hub_window_new (void)
{
  return g_object_new (DYNO_TYPE_HUB_WINDOW, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-engines-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-engine.h"
#include "dyno-paths.h"

struct _DynoEngineWindow
{
  AdwWindow parent_instance;

  GPtrArray *engines; /* of DynoEngine */
  GPtrArray *checks;  /* a GtkCheckButton for each engine */
  guint next;         /* the engine that is being installed, or comes next */

  AdwPreferencesGroup *group;
  DynoDownloadStatus *status;
  GtkWidget *cancel_button;
};

enum
{
  INSTALLED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoEngineWindow, dyno_engine_window, ADW_TYPE_WINDOW)

static guint signals[N_SIGNALS];

static gboolean
is_chosen (DynoEngineWindow *self, guint index)
{
  return gtk_check_button_get_active (self->checks->pdata[index]);
}

static void
update (DynoEngineWindow *self)
{
  gboolean is_installing = dyno_download_status_get_cancellable (self->status) != NULL;
  gboolean any = FALSE;

  for (guint i = 0; i < self->checks->len; i++)
    any = any || is_chosen (self, i);
  gtk_widget_set_sensitive (GTK_WIDGET (self->group), !is_installing);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "engine.install", !is_installing && any);
}

static void install_next (DynoEngineWindow *self);

static void
installed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoDownloadStatus) status = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_installed = dyno_engine_installer_install_finish (result, &error);
  DynoEngineWindow *self;

  if (dyno_download_status_get_cancellable (status) == NULL) /* closed meanwhile */
    return;
  self = DYNO_ENGINE_WINDOW (gtk_widget_get_root (GTK_WIDGET (status)));
  if (!is_installed)
    {
      dyno_download_status_end (self->status, error);
      update (self);
      gtk_widget_grab_focus (self->cancel_button);
      return;
    }
  self->next++;
  install_next (self);
}

/* Skips engines that are not ticked. After the last one, the window is done. */
static void
install_next (DynoEngineWindow *self)
{
  while (self->next < self->engines->len && !is_chosen (self, self->next))
    self->next++;
  if (self->next < self->engines->len)
    {
      dyno_engine_installer_install_async (self->engines->pdata[self->next], dyno_download_status_report,
                                           self->status, dyno_download_status_get_cancellable (self->status),
                                           installed_cb, g_object_ref (self->status));
      return;
    }
  dyno_download_status_end (self->status, NULL);
  g_signal_emit (self, signals[INSTALLED], 0);
  gtk_window_close (GTK_WINDOW (self));
}

static void
install_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoEngineWindow *self = DYNO_ENGINE_WINDOW (widget);

  self->next = 0;
  dyno_download_status_begin (self->status, _ ("Asking the registry…"));
  /* The widgets are insensitive during the download, so the focus must leave them. */
  gtk_widget_grab_focus (self->cancel_button);
  update (self);
  install_next (self);
}

static void
cancel_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoEngineWindow *self = DYNO_ENGINE_WINDOW (widget);

  GCancellable *installing = dyno_download_status_get_cancellable (self->status);

  if (installing != NULL)
    g_cancellable_cancel (installing);
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* For a well-known licence, links to its text before the download. */
static void
add_license_link (AdwActionRow *row, const DynoEngine *engine)
{
  g_autofree char *address = dyno_engine_dup_license_address (engine);
  GtkWidget *button;

  if (address == NULL)
    return;
  button = g_object_new (GTK_TYPE_LINK_BUTTON, "uri", address, "label", _ ("Licence"), "tooltip-text",
                         _ ("Text of the licence"), "valign", GTK_ALIGN_CENTER, NULL);
  adw_action_row_add_suffix (row, button);
}

static void
dyno_engine_window_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_ENGINE_WINDOW);

  G_OBJECT_CLASS (dyno_engine_window_parent_class)->dispose (object);
}

static void
dyno_engine_window_finalize (GObject *object)
{
  DynoEngineWindow *self = DYNO_ENGINE_WINDOW (object);

  g_ptr_array_unref (self->engines);
  g_ptr_array_unref (self->checks);

  G_OBJECT_CLASS (dyno_engine_window_parent_class)->finalize (object);
}

static void
dyno_engine_window_class_init (DynoEngineWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_engine_window_dispose;
  object_class->finalize = dyno_engine_window_finalize;

  signals[INSTALLED] = g_signal_new ("installed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 0);

  g_type_ensure (DYNO_TYPE_DOWNLOAD_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-engine-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoEngineWindow, group);
  gtk_widget_class_bind_template_child (widget_class, DynoEngineWindow, status);
  gtk_widget_class_bind_template_child (widget_class, DynoEngineWindow, cancel_button);
  gtk_widget_class_install_action (widget_class, "engine.install", NULL, install_action);
  gtk_widget_class_install_action (widget_class, "engine.cancel", NULL, cancel_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_engine_window_init (DynoEngineWindow *self)
{
  self->checks = g_ptr_array_new ();
  self->engines = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_labels_shrink (gtk_widget_get_ancestor (self->cancel_button, GTK_TYPE_ACTION_BAR));
}

GtkWidget *
dyno_engine_window_new (GPtrArray *engines)
{
  DynoEngineWindow *self = g_object_new (DYNO_TYPE_ENGINE_WINDOW, NULL);
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_RUNTIMES, NULL, NULL);
  g_autofree char *place =
      g_markup_printf_escaped (_ ("Each engine gets a folder in “%s”. Dyno checks the size and the checksum "
                                  "of a download before it unpacks it."),
                               folder);

  g_ptr_array_unref (self->engines);
  self->engines = g_ptr_array_ref (engines);
  adw_preferences_group_set_description (self->group, place);
  for (guint i = 0; i < engines->len; i++)
    {
      const DynoEngine *engine = engines->pdata[i];
      g_autofree char *title = dyno_engine_dup_title (engine);
      g_autofree char *size = dyno_format_bytes ((gint64)engine->size);
      g_autofree char *unpacked = dyno_format_bytes ((gint64)engine->unpacked);
      g_autofree char *subtitle = g_strdup_printf (
          /* Translators: the sizes of a download and of what is unpacked, a package’s name, and a licence such as “MIT” */
          _ ("%s\nDownload %s, on disk %s, from the package “%s”\nLicence: %s"),
          dyno_engine_get_summary (engine), size, unpacked, engine->package, engine->license);
      GtkWidget *row =
          g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, NULL);
      GtkWidget *check =
          g_object_new (GTK_TYPE_CHECK_BUTTON, "active", TRUE, "valign", GTK_ALIGN_CENTER, NULL);

      gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
      add_license_link (ADW_ACTION_ROW (row), engine);
      g_signal_connect_object (check, "toggled", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
      g_ptr_array_add (self->checks, check);
      adw_preferences_group_add (self->group, row);
    }
  update (self);
  return GTK_WIDGET (self);
}

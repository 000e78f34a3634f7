/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

struct _DynoPathRow
{
  AdwActionRow parent_instance;

  const DynoEnginePath *path;
  GSettings *settings;

  GtkWidget *reset_button;
  GtkWidget *choose_button;
};

G_DEFINE_FINAL_TYPE (DynoPathRow, dyno_path_row, ADW_TYPE_ACTION_ROW)

static void
changed_cb (DynoPathRow *self)
{
  g_autofree char *path = dyno_engine_path_read (self->path, self->settings);
  gboolean is_set = *path != '\0';

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self),
                               is_set ? path : _ ("Found automatically; see Hardware"));
  gtk_widget_set_visible (self->reset_button, is_set);
}

static void
chosen_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoPathRow) self = DYNO_PATH_ROW (user_data);
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);

  if (file != NULL && g_file_peek_path (file) != NULL)
    dyno_engine_path_write (self->path, self->settings, g_file_peek_path (file));
}

static void
choose_cb (DynoPathRow *self)
{
  const char *title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self));

  if (self->path->is_folder)
    dyno_compat_select_folder_async (GTK_WIDGET (self), title, chosen_cb, g_object_ref (self));
  else
    dyno_compat_open_file_async (GTK_WIDGET (self), title, NULL, chosen_cb, g_object_ref (self));
}

static void
reset_cb (DynoPathRow *self)
{
  dyno_engine_path_write (self->path, self->settings, NULL);
}

static void
dyno_path_row_dispose (GObject *object)
{
  DynoPathRow *self = DYNO_PATH_ROW (object);

  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_PATH_ROW);

  G_OBJECT_CLASS (dyno_path_row_parent_class)->dispose (object);
}

static void
dyno_path_row_class_init (DynoPathRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_path_row_dispose;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-path-row.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoPathRow, reset_button);
  gtk_widget_class_bind_template_child (widget_class, DynoPathRow, choose_button);
  gtk_widget_class_bind_template_callback (widget_class, choose_cb);
  gtk_widget_class_bind_template_callback (widget_class, reset_cb);
}

static void
dyno_path_row_init (DynoPathRow *self)
{
  self->settings = g_settings_new (APP_ID);
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
dyno_path_row_new (const DynoEnginePath *path)
{
  DynoPathRow *self = g_object_new (DYNO_TYPE_PATH_ROW, "title", _ (path->title), NULL);

  self->path = path;
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->choose_button), GTK_ACCESSIBLE_RELATION_DESCRIBED_BY,
                                  self, NULL, -1);
  g_signal_connect_object (self->settings, "changed::" DYNO_ENGINE_PATHS_KEY, G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  changed_cb (self);
  return GTK_WIDGET (self);
}

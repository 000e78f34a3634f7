/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

struct _DynoPathRow
{
  AdwActionRow parent_instance;

  char *key;
  gboolean folder;
  GSettings *settings;

  GtkWidget *reset_button;
  GtkWidget *choose_button;
};

enum
{
  PROP_0,
  PROP_KEY,
  PROP_FOLDER,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoPathRow, dyno_path_row, ADW_TYPE_ACTION_ROW)

static GParamSpec *properties[N_PROPS];

static void
changed_cb (DynoPathRow *self)
{
  g_autofree char *path = g_settings_get_string (self->settings, self->key);
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
    g_settings_set_string (self->settings, self->key, g_file_peek_path (file));
}

static void
choose_cb (DynoPathRow *self)
{
  const char *title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self));

  if (self->folder)
    dyno_compat_select_folder_async (GTK_WIDGET (self), title, chosen_cb, g_object_ref (self));
  else
    dyno_compat_open_file_async (GTK_WIDGET (self), title, NULL, chosen_cb, g_object_ref (self));
}

static void
reset_cb (DynoPathRow *self)
{
  g_settings_reset (self->settings, self->key);
}

static void
dyno_path_row_constructed (GObject *object)
{
  DynoPathRow *self = DYNO_PATH_ROW (object);
  g_autofree char *signal = NULL;

  G_OBJECT_CLASS (dyno_path_row_parent_class)->constructed (object);

  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->choose_button), GTK_ACCESSIBLE_RELATION_DESCRIBED_BY,
                                  self, NULL, -1);
  if (self->key == NULL)
    return;
  signal = g_strconcat ("changed::", self->key, NULL);
  g_signal_connect_object (self->settings, signal, G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  changed_cb (self);
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
dyno_path_row_finalize (GObject *object)
{
  g_free (DYNO_PATH_ROW (object)->key);

  G_OBJECT_CLASS (dyno_path_row_parent_class)->finalize (object);
}

static void
dyno_path_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoPathRow *self = DYNO_PATH_ROW (object);

  switch (prop_id)
    {
    case PROP_KEY:
      g_value_set_string (value, self->key);
      break;
    case PROP_FOLDER:
      g_value_set_boolean (value, self->folder);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_path_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoPathRow *self = DYNO_PATH_ROW (object);

  switch (prop_id)
    {
    case PROP_KEY:
      self->key = g_value_dup_string (value);
      break;
    case PROP_FOLDER:
      self->folder = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_path_row_class_init (DynoPathRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = dyno_path_row_constructed;
  object_class->dispose = dyno_path_row_dispose;
  object_class->finalize = dyno_path_row_finalize;
  object_class->get_property = dyno_path_row_get_property;
  object_class->set_property = dyno_path_row_set_property;

  properties[PROP_KEY] = g_param_spec_string ("key", NULL, NULL, NULL, flags);
  properties[PROP_FOLDER] = g_param_spec_boolean ("folder", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-tile"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-tile.h"

struct _DynoTile
{
  AdwBin parent_instance;

  char *title;
  char *value;
  char *subtitle;
};

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_VALUE,
  PROP_SUBTITLE,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoTile, dyno_tile, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

static char **
get_field (DynoTile *self, guint prop_id)
{
  char **fields[N_PROPS] = {
    [PROP_TITLE] = &self->title,
    [PROP_VALUE] = &self->value,
    [PROP_SUBTITLE] = &self->subtitle,
  };

  return prop_id < N_PROPS ? fields[prop_id] : NULL;
}

static void
set_field (DynoTile *self, guint prop_id, const char *text)
{
  char **field = get_field (self, prop_id);
  g_autofree char *label = NULL;

  if (g_strcmp0 (*field, text) == 0)
    return;
  g_free (*field);
  *field = g_strdup (text);
  /* Translators: what a number is called, the number, and what it belongs to */
  label = g_strdup_printf (_ ("%s: %s, %s"), self->title, self->value, self->subtitle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
dyno_tile_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_TILE);

  G_OBJECT_CLASS (dyno_tile_parent_class)->dispose (object);
}

static void
dyno_tile_finalize (GObject *object)
{
  DynoTile *self = DYNO_TILE (object);

  g_free (self->title);
  g_free (self->value);
  g_free (self->subtitle);

  G_OBJECT_CLASS (dyno_tile_parent_class)->finalize (object);
}

static void
dyno_tile_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  char **field = get_field (DYNO_TILE (object), prop_id);

  if (field != NULL)
    g_value_set_string (value, *field);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_tile_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  if (get_field (DYNO_TILE (object), prop_id) != NULL)
    set_field (DYNO_TILE (object), prop_id, g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_tile_class_init (DynoTileClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_tile_dispose;
  object_class->finalize = dyno_tile_finalize;
  object_class->get_property = dyno_tile_get_property;
  object_class->set_property = dyno_tile_set_property;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_VALUE] = g_param_spec_string ("value", NULL, NULL, NULL, flags);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-tile.ui");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
dyno_tile_init (DynoTile *self)
{
  self->title = g_strdup ("");
  self->value = g_strdup ("");
  self->subtitle = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * dyno_tile_new:
 *
 * Returns: an empty tile
 */
GtkWidget *
dyno_tile_new (void)
{
  return g_object_new (DYNO_TYPE_TILE, NULL);
}

/**
 * dyno_tile_set_value:
 * @self: a tile
 * @value: the number, in words
 * @subtitle: what it belongs to
 */
void
dyno_tile_set_value (DynoTile *self, const char *value, const char *subtitle)
{
  g_return_if_fail (DYNO_IS_TILE (self));
  g_return_if_fail (value != NULL && subtitle != NULL);

  set_field (self, PROP_VALUE, value);
  set_field (self, PROP_SUBTITLE, subtitle);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-session-private.h"

typedef struct
{
  DynoAppSession *session;
} DynoPagePrivate;

enum
{
  PROP_0,
  PROP_SESSION,
  N_PROPS
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoPage, dyno_page, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* An operation may keep a page alive after its window is closed. */
static void
leave_session (DynoPage *self)
{
  DynoPagePrivate *priv = dyno_page_get_instance_private (self);

  if (priv->session != NULL)
    g_signal_handlers_disconnect_by_data (priv->session, self);
}

static void
dyno_page_unroot (GtkWidget *widget)
{
  leave_session (DYNO_PAGE (widget));

  GTK_WIDGET_CLASS (dyno_page_parent_class)->unroot (widget);
}

static void
dyno_page_dispose (GObject *object)
{
  leave_session (DYNO_PAGE (object));

  G_OBJECT_CLASS (dyno_page_parent_class)->dispose (object);
}

static void
dyno_page_finalize (GObject *object)
{
  DynoPagePrivate *priv = dyno_page_get_instance_private (DYNO_PAGE (object));

  g_clear_object (&priv->session);

  G_OBJECT_CLASS (dyno_page_parent_class)->finalize (object);
}

static void
dyno_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_SESSION:
      g_value_set_object (value, dyno_page_get_session (DYNO_PAGE (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_page_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoPagePrivate *priv = dyno_page_get_instance_private (DYNO_PAGE (object));

  switch (prop_id)
    {
    case PROP_SESSION:
      priv->session = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_page_class_init (DynoPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_page_dispose;
  object_class->finalize = dyno_page_finalize;
  object_class->get_property = dyno_page_get_property;
  object_class->set_property = dyno_page_set_property;
  GTK_WIDGET_CLASS (klass)->unroot = dyno_page_unroot;

  properties[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, DYNO_TYPE_APP_SESSION,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_page_init (DynoPage *self)
{
}

DynoAppSession *
dyno_page_get_session (DynoPage *self)
{
  DynoPagePrivate *priv = dyno_page_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_PAGE (self), NULL);
  return priv->session;
}

void
dyno_page_read_store (DynoPage *self)
{
  g_return_if_fail (DYNO_IS_PAGE (self));

  if (DYNO_PAGE_GET_CLASS (self)->read_store != NULL)
    DYNO_PAGE_GET_CLASS (self)->read_store (self);
}

gboolean
dyno_page_can_search (DynoPage *self)
{
  g_return_val_if_fail (DYNO_IS_PAGE (self), FALSE);
  return DYNO_PAGE_GET_CLASS (self)->focus_search != NULL;
}

void
dyno_page_focus_search (DynoPage *self)
{
  g_return_if_fail (dyno_page_can_search (self));
  DYNO_PAGE_GET_CLASS (self)->focus_search (self);
}

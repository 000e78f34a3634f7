/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-history-private.h"

struct _DynoHistoryChoice
{
  GObject parent_instance;

  char *id;
  char *label;
  char *details;
};

enum
{
  PROP_0,
  PROP_LABEL,
  PROP_DETAILS,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoHistoryChoice, dyno_history_choice, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_history_choice_finalize (GObject *object)
{
  DynoHistoryChoice *self = DYNO_HISTORY_CHOICE (object);

  g_free (self->id);
  g_free (self->label);
  g_free (self->details);

  G_OBJECT_CLASS (dyno_history_choice_parent_class)->finalize (object);
}

static void
dyno_history_choice_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoHistoryChoice *self = DYNO_HISTORY_CHOICE (object);

  switch (prop_id)
    {
    case PROP_LABEL:
      g_value_set_string (value, self->label);
      break;
    case PROP_DETAILS:
      g_value_set_string (value, self->details);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_history_choice_class_init (DynoHistoryChoiceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_history_choice_finalize;
  object_class->get_property = dyno_history_choice_get_property;

  properties[PROP_LABEL] = g_param_spec_string ("label", NULL, NULL, NULL, flags);
  properties[PROP_DETAILS] = g_param_spec_string ("details", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_history_choice_init (DynoHistoryChoice *self)
{
}

DynoHistoryChoice *
dyno_history_choice_new (const char *id, const char *label, const char *details)
{
  DynoHistoryChoice *self = g_object_new (DYNO_TYPE_HISTORY_CHOICE, NULL);

  self->id = g_strdup (id);
  self->label = g_strdup (label);
  self->details = g_strdup (details);
  return self;
}

const char *
dyno_history_choice_get_id (DynoHistoryChoice *self)
{
  g_return_val_if_fail (DYNO_IS_HISTORY_CHOICE (self), NULL);
  return self->id;
}

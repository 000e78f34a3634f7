/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-value.h"

struct _DynoValue
{
  GObject parent_instance;

  char *name;
  char *unit;
  char *source;
  double number;
  DynoQuality quality;
};

enum
{
  PROP_0,
  PROP_NAME,
  PROP_NUMBER,
  PROP_UNIT,
  PROP_QUALITY,
  PROP_SOURCE,
  N_PROPS
};

G_DEFINE_ENUM_TYPE (DynoQuality,
                    dyno_quality,
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_MEASURED, "measured"),
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_ESTIMATED, "estimated"),
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_UNSUPPORTED, "unsupported"))

G_DEFINE_FINAL_TYPE (DynoValue, dyno_value, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_value_finalize (GObject *object)
{
  DynoValue *self = DYNO_VALUE (object);

  g_free (self->name);
  g_free (self->unit);
  g_free (self->source);

  G_OBJECT_CLASS (dyno_value_parent_class)->finalize (object);
}

static void
dyno_value_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoValue *self = DYNO_VALUE (object);

  switch (prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_NUMBER:
      g_value_set_double (value, self->number);
      break;
    case PROP_UNIT:
      g_value_set_string (value, self->unit);
      break;
    case PROP_QUALITY:
      g_value_set_enum (value, self->quality);
      break;
    case PROP_SOURCE:
      g_value_set_string (value, self->source);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_value_class_init (DynoValueClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = dyno_value_finalize;
  object_class->get_property = dyno_value_get_property;

  properties[PROP_NAME] =
      g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_NUMBER] = g_param_spec_double ("number", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_UNIT] =
      g_param_spec_string ("unit", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_QUALITY] =
      g_param_spec_enum ("quality", NULL, NULL, DYNO_TYPE_QUALITY, DYNO_QUALITY_MEASURED,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SOURCE] =
      g_param_spec_string ("source", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_value_init (DynoValue *self)
{
}

/**
 * dyno_quality_to_string:
 * @quality: a quality
 *
 * Returns: (transfer none): the word that the store and the reports use
 */
const char *
dyno_quality_to_string (DynoQuality quality)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_QUALITY);
  GEnumValue *enum_value = g_enum_get_value (enum_class, quality);

  return enum_value != NULL ? enum_value->value_nick : NULL;
}

/**
 * dyno_quality_from_string:
 * @string: a word as [func@Dyno.quality_to_string] gives it
 * @quality: (out): where to put the quality
 *
 * Returns: whether @string is such a word
 */
gboolean
dyno_quality_from_string (const char *string, DynoQuality *quality)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_QUALITY);
  GEnumValue *enum_value = g_enum_get_value_by_nick (enum_class, string);

  if (enum_value == NULL)
    return FALSE;
  *quality = enum_value->value;
  return TRUE;
}

/**
 * dyno_value_new:
 * @name: the metric's stable name
 * @number: the number, in @unit
 * @unit: the unit, empty for a plain number
 * @quality: measured or estimated
 * @source: (nullable): how it was taken
 *
 * A number that is not finite becomes unsupported: it is no measurement.
 *
 * Returns: (transfer full): a new value
 */
DynoValue *
dyno_value_new (const char *name, double number, const char *unit, DynoQuality quality, const char *source)
{
  DynoValue *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (unit != NULL, NULL);

  self = g_object_new (DYNO_TYPE_VALUE, NULL);
  self->name = g_strdup (name);
  self->unit = g_strdup (unit);
  self->source = g_strdup (source);
  self->quality = isfinite (number) ? quality : DYNO_QUALITY_UNSUPPORTED;
  self->number = self->quality == DYNO_QUALITY_UNSUPPORTED ? NAN : number;
  return self;
}

/**
 * dyno_value_new_unsupported:
 * @name: the metric's stable name
 * @unit: the unit it would have
 * @reason: why there is no number, and what would help, as a sentence
 *
 * Returns: (transfer full): a new value without a number
 */
DynoValue *
dyno_value_new_unsupported (const char *name, const char *unit, const char *reason)
{
  return dyno_value_new (name, NAN, unit, DYNO_QUALITY_UNSUPPORTED, reason);
}

const char *
dyno_value_get_name (DynoValue *self)
{
  g_return_val_if_fail (DYNO_IS_VALUE (self), NULL);
  return self->name;
}

double
dyno_value_get_number (DynoValue *self)
{
  g_return_val_if_fail (DYNO_IS_VALUE (self), NAN);
  return self->number;
}

const char *
dyno_value_get_unit (DynoValue *self)
{
  g_return_val_if_fail (DYNO_IS_VALUE (self), NULL);
  return self->unit;
}

DynoQuality
dyno_value_get_quality (DynoValue *self)
{
  g_return_val_if_fail (DYNO_IS_VALUE (self), DYNO_QUALITY_UNSUPPORTED);
  return self->quality;
}

const char *
dyno_value_get_source (DynoValue *self)
{
  g_return_val_if_fail (DYNO_IS_VALUE (self), NULL);
  return self->source;
}

/**
 * dyno_value_is_number:
 * @self: a value
 *
 * Returns: whether there is a number, measured or estimated
 */
gboolean
dyno_value_is_number (DynoValue *self)
{
  g_return_val_if_fail (DYNO_IS_VALUE (self), FALSE);
  return self->quality != DYNO_QUALITY_UNSUPPORTED;
}

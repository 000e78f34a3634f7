/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-sensor-reading.h"

struct _DynoSensorReading
{
  GObject parent_instance;

  char *name;
  char *source;
  DynoSensorKind kind;
  DynoSensorDomain domain;
  double period_seconds;
  double resolution;
  gboolean estimated;
  double value;
};

enum
{
  PROP_0,
  PROP_NAME,
  PROP_UNIT,
  PROP_SOURCE,
  PROP_ESTIMATED,
  PROP_VALUE,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoSensorReading, dyno_sensor_reading, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_sensor_reading_finalize (GObject *object)
{
  DynoSensorReading *self = DYNO_SENSOR_READING (object);

  g_free (self->name);
  g_free (self->source);

  G_OBJECT_CLASS (dyno_sensor_reading_parent_class)->finalize (object);
}

static void
dyno_sensor_reading_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoSensorReading *self = DYNO_SENSOR_READING (object);

  switch (prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_UNIT:
      g_value_set_string (value, dyno_sensor_reading_get_unit (self));
      break;
    case PROP_SOURCE:
      g_value_set_string (value, self->source);
      break;
    case PROP_ESTIMATED:
      g_value_set_boolean (value, self->estimated);
      break;
    case PROP_VALUE:
      g_value_set_double (value, self->value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_sensor_reading_class_init (DynoSensorReadingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_sensor_reading_finalize;
  object_class->get_property = dyno_sensor_reading_get_property;

  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, readable);
  properties[PROP_UNIT] = g_param_spec_string ("unit", NULL, NULL, NULL, readable);
  properties[PROP_SOURCE] = g_param_spec_string ("source", NULL, NULL, NULL, readable);
  properties[PROP_ESTIMATED] = g_param_spec_boolean ("estimated", NULL, NULL, FALSE, readable);
  properties[PROP_VALUE] = g_param_spec_double ("value", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_sensor_reading_init (DynoSensorReading *self)
{
  self->value = NAN;
}

DynoSensorReading *
dyno_sensor_reading_new (const DynoSensorInfo *info)
{
  DynoSensorReading *self = g_object_new (DYNO_TYPE_SENSOR_READING, NULL);

  self->name = g_strdup (info->name);
  self->source = g_strdup (info->source);
  self->kind = info->kind;
  self->domain = info->domain;
  self->period_seconds = info->period_assumed ? 0 : info->period_seconds;
  self->resolution = info->resolution;
  self->estimated = info->estimated;
  return self;
}

const char *
dyno_sensor_reading_get_name (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), NULL);
  return self->name;
}

DynoSensorKind
dyno_sensor_reading_get_kind (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), DYNO_SENSOR_POWER);
  return self->kind;
}

const char *
dyno_sensor_reading_get_unit (DynoSensorReading *self)
{
  const char *rate_unit;

  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), NULL);

  rate_unit = dyno_sensor_kind_to_rate_unit (self->kind);
  return rate_unit != NULL ? rate_unit : dyno_sensor_kind_to_unit (self->kind);
}

const char *
dyno_sensor_reading_get_source (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), NULL);
  return self->source;
}

gboolean
dyno_sensor_reading_get_estimated (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), FALSE);
  return self->estimated;
}

DynoSensorDomain
dyno_sensor_reading_get_domain (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), DYNO_DOMAIN_OTHER);
  return self->domain;
}

double
dyno_sensor_reading_get_period (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), 0);
  return self->period_seconds;
}

double
dyno_sensor_reading_get_resolution (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), 0);
  return self->resolution;
}

double
dyno_sensor_reading_get_value (DynoSensorReading *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_READING (self), NAN);
  return self->value;
}

void
dyno_sensor_reading_set_value (DynoSensorReading *self, double value)
{
  g_return_if_fail (DYNO_IS_SENSOR_READING (self));

  if (self->value == value || (isnan (self->value) && isnan (value)))
    return;
  self->value = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VALUE]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-sensor-row"

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-format.h"
#include "dyno-sensor-row.h"
#include "dyno-sparkline.h"

struct _DynoSensorRow
{
  AdwActionRow parent_instance;

  DynoSensorReading *reading;
  DynoSparkline *sparkline;
  GtkLabel *value_label;
};

G_DEFINE_FINAL_TYPE (DynoSensorRow, dyno_sensor_row, ADW_TYPE_ACTION_ROW)

static const char *
get_kind_words (DynoSensorKind kind)
{
  switch (kind)
    {
    case DYNO_SENSOR_ENERGY:
    case DYNO_SENSOR_POWER:
      return _ ("Power");
    case DYNO_SENSOR_TEMPERATURE:
      return _ ("Temperature");
    case DYNO_SENSOR_CLOCK:
      return _ ("Clock");
    case DYNO_SENSOR_FAN:
      return _ ("Fan");
    case DYNO_SENSOR_THROTTLE:
      return _ ("Slowed Down");
    case DYNO_SENSOR_MEMORY:
      return _ ("Memory");
    case DYNO_SENSOR_TRAFFIC:
      return _ ("Memory Traffic");
    default:
      g_return_val_if_reached (NULL);
    }
}

static char *
format_value (DynoSensorReading *reading)
{
  double value = dyno_sensor_reading_get_value (reading);

  if (dyno_sensor_reading_get_kind (reading) == DYNO_SENSOR_THROTTLE && !isnan (value))
    return g_strdup (value > 0 ? _ ("yes") : _ ("no"));
  return dyno_format_quantity (value, dyno_sensor_reading_get_unit (reading));
}

static char *
dup_source (DynoSensorReading *reading)
{
  const char *source = dyno_sensor_reading_get_source (reading);

  return dyno_sensor_reading_get_estimated (reading) ? g_strdup_printf (_ ("estimated · %s"), source)
                                                     : g_strdup (source);
}

static void
dyno_sensor_row_finalize (GObject *object)
{
  g_clear_object (&DYNO_SENSOR_ROW (object)->reading);

  G_OBJECT_CLASS (dyno_sensor_row_parent_class)->finalize (object);
}

static void
dyno_sensor_row_class_init (DynoSensorRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_sensor_row_finalize;
}

static void
dyno_sensor_row_init (DynoSensorRow *self)
{
  self->sparkline = DYNO_SPARKLINE (dyno_sparkline_new ());
  self->value_label = GTK_LABEL (g_object_new (GTK_TYPE_LABEL, "xalign", 1.0, "width-chars", 9, NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->value_label), "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->sparkline));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->value_label));
}

/**
 * dyno_sensor_row_new:
 * @reading: what to show
 *
 * Returns: a new row
 */
GtkWidget *
dyno_sensor_row_new (DynoSensorReading *reading)
{
  DynoSensorRow *self;
  g_autofree char *title = NULL;
  g_autofree char *source = NULL;

  g_return_val_if_fail (DYNO_IS_SENSOR_READING (reading), NULL);

  /* Translators: the first %s is such as “Power”, the second names what a sensor looks at */
  title = g_strdup_printf (_ ("%s · %s"), get_kind_words (dyno_sensor_reading_get_kind (reading)),
                           dyno_sensor_reading_get_name (reading));
  source = dup_source (reading);
  self = g_object_new (DYNO_TYPE_SENSOR_ROW, "use-markup", FALSE, "title", title, "subtitle", source, NULL);
  self->reading = g_object_ref (reading);
  dyno_sensor_row_update (self);
  return GTK_WIDGET (self);
}

/**
 * dyno_sensor_row_update:
 * @self: a row
 *
 * Takes over what the sensor says now.
 */
void
dyno_sensor_row_update (DynoSensorRow *self)
{
  g_autofree char *value = NULL;

  g_return_if_fail (DYNO_IS_SENSOR_ROW (self));

  value = format_value (self->reading);
  gtk_label_set_label (self->value_label, value);
  dyno_sparkline_push (self->sparkline, dyno_sensor_reading_get_value (self->reading));
}

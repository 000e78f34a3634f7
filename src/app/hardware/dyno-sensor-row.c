/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoSensorRow
{
  AdwActionRow parent_instance;

  DynoSensorReading *reading;
  DynoSparkline *sparkline;
  GtkLabel *value_label;
};

G_DEFINE_FINAL_TYPE (DynoSensorRow, dyno_sensor_row, ADW_TYPE_ACTION_ROW)

static char *
dup_subtitle (DynoSensorReading *reading)
{
  const char *source = dyno_sensor_reading_get_source (reading);
  double period = dyno_sensor_reading_get_period (reading);
  double resolution = dyno_sensor_reading_get_resolution (reading);
  g_autofree char *time = dyno_format_quantity (period, "s");
  g_autofree char *step =
      dyno_format_quantity (resolution, dyno_sensor_kind_to_unit (dyno_sensor_reading_get_kind (reading)));
  /* Translators: how often a sensor has a new value: %s is a time, such as “100 ms” */
  g_autofree char *update = period > 0 ? g_strdup_printf (_ ("updated every %s"), time) : NULL;
  /* Translators: the smallest difference that a sensor reports: %s is a number with a unit, such as “61 µJ” */
  g_autofree char *steps = resolution > 0 ? g_strdup_printf (_ ("resolution %s"), step) : NULL;
  g_autofree char *details =
      g_strjoin (" · ", dyno_sensor_domain_get_label (dyno_sensor_reading_get_domain (reading)),
                 update != NULL ? update : steps, update != NULL ? steps : NULL, NULL);

  if (dyno_sensor_reading_get_estimated (reading))
    /* Translators: where an estimated value comes from, and in a second line what it measures */
    return g_strdup_printf (_ ("Estimated · %s\n%s"), source, details);
  return g_strdup_printf ("%s\n%s", source, details);
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

GtkWidget *
dyno_sensor_row_new (DynoSensorReading *reading)
{
  DynoSensorRow *self;
  g_autofree char *title = NULL;
  g_autofree char *subtitle = NULL;
  DynoSensorKind kind;

  g_return_val_if_fail (DYNO_IS_SENSOR_READING (reading), NULL);

  kind = dyno_sensor_reading_get_kind (reading);
  /* Energy counters are shown as power. */
  if (kind == DYNO_SENSOR_ENERGY)
    kind = DYNO_SENSOR_POWER;
  /* Translators: the first %s is such as “Power”, the second names what a sensor measures */
  title = g_strdup_printf (_ ("%s · %s"), dyno_sensor_kind_get_label (kind),
                           dyno_sensor_reading_get_name (reading));
  subtitle = dup_subtitle (reading);
  self = g_object_new (DYNO_TYPE_SENSOR_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, NULL);
  self->reading = g_object_ref (reading);
  dyno_sensor_row_update (self);
  return GTK_WIDGET (self);
}

void
dyno_sensor_row_update (DynoSensorRow *self)
{
  g_autofree char *text = NULL;
  double value;

  g_return_if_fail (DYNO_IS_SENSOR_ROW (self));

  value = dyno_sensor_reading_get_value (self->reading);
  if (dyno_sensor_reading_get_kind (self->reading) == DYNO_SENSOR_THROTTLE && !isnan (value))
    text = g_strdup (value > 0 ? _ ("yes") : _ ("no"));
  else
    text = dyno_format_quantity (value, dyno_sensor_reading_get_unit (self->reading));
  gtk_label_set_label (self->value_label, text);
  dyno_sparkline_push (self->sparkline, value);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-widgets-private.h"

#define PERIOD_MS 1000

struct _DynoSensorsView
{
  AdwBin parent_instance;

  DynoSensorMonitor *monitor;

  GtkStack *stack;
  GtkListBox *readings_list;
  GtkListBox *sources_list;
};

G_DEFINE_FINAL_TYPE (DynoSensorsView, dyno_sensors_view, ADW_TYPE_BIN)

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  return dyno_sensor_row_new (item);
}

static void
changed_cb (DynoSensorsView *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->readings_list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (DYNO_IS_SENSOR_ROW (row))
      dyno_sensor_row_update (DYNO_SENSOR_ROW (row));
}

/* Unavailable sensors are folded into one row. */
static GtkWidget *
create_unavailable_row (GPtrArray *rows)
{
  g_autofree char *title = g_strdup_printf (_ ("Unavailable (%u)"), rows->len);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *subtitle = NULL;
  GtkWidget *unavailable;

  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (names, (char *)adw_preferences_row_get_title (g_ptr_array_index (rows, i)));
  g_ptr_array_add (names, NULL);
  subtitle = g_strjoinv (" · ", (char **)names->pdata);
  unavailable =
      g_object_new (ADW_TYPE_EXPANDER_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, NULL);
  for (guint i = 0; i < rows->len; i++)
    adw_expander_row_add_row (ADW_EXPANDER_ROW (unavailable), g_ptr_array_index (rows, i));
  return unavailable;
}

static void
discovered_cb (DynoSensorsView *self)
{
  DynoSensorSet *sensors = dyno_sensor_monitor_get_sensors (self->monitor);

  if (sensors != NULL)
    {
      g_autoptr (GPtrArray) unavailable = g_ptr_array_new ();
      GtkWidget *row;

      dyno_list_box_clear (self->sources_list);
      for (guint i = 0; i < dyno_sensor_set_get_n_sources (sensors); i++)
        {
          DynoProbe *probe = dyno_sensor_set_get_probe (sensors, i);

          gboolean available = dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE;
          const char *reason = dyno_probe_get_reason (probe);
          const char *remedy = dyno_probe_get_remedy (probe);
          g_autofree char *text = available        ? g_strdup (_ ("Available"))
                                  : reason == NULL ? g_strdup (_ ("Not available"))
                                  : remedy != NULL ? g_strdup_printf ("%s\n%s", reason, remedy)
                                                   : g_strdup (reason);
          row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                              _ (dyno_sensor_set_get_source (sensors, i)->name), "subtitle", text, NULL);
          GtkWidget *icon = g_object_new (GTK_TYPE_IMAGE, "icon-name",
                                          available ? "emblem-ok-symbolic" : "action-unavailable-symbolic",
                                          "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

          gtk_widget_add_css_class (icon, available ? "success" : "dim-label");
          adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);

          if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
            gtk_list_box_append (self->sources_list, row);
          else
            g_ptr_array_add (unavailable, row);
        }
      if (unavailable->len > 0)
        gtk_list_box_append (self->sources_list, create_unavailable_row (unavailable));
    }
  gtk_stack_set_visible_child_name (self->stack, "content");
}

static void
dyno_sensors_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (dyno_sensors_view_parent_class)->map (widget);

  dyno_sensor_monitor_start (DYNO_SENSORS_VIEW (widget)->monitor);
}

static void
dyno_sensors_view_unmap (GtkWidget *widget)
{
  dyno_sensor_monitor_stop (DYNO_SENSORS_VIEW (widget)->monitor);

  GTK_WIDGET_CLASS (dyno_sensors_view_parent_class)->unmap (widget);
}

static void
dyno_sensors_view_dispose (GObject *object)
{
  DynoSensorsView *self = DYNO_SENSORS_VIEW (object);

  if (self->readings_list != NULL)
    gtk_list_box_bind_model (self->readings_list, NULL, NULL, NULL, NULL);
  if (self->monitor != NULL)
    dyno_sensor_monitor_stop (self->monitor);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_SENSORS_VIEW);
  g_clear_object (&self->monitor);

  G_OBJECT_CLASS (dyno_sensors_view_parent_class)->dispose (object);
}

static void
dyno_sensors_view_class_init (DynoSensorsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_sensors_view_dispose;
  widget_class->map = dyno_sensors_view_map;
  widget_class->unmap = dyno_sensors_view_unmap;

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-sensors-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoSensorsView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoSensorsView, readings_list);
  gtk_widget_class_bind_template_child (widget_class, DynoSensorsView, sources_list);
}

static void
dyno_sensors_view_init (DynoSensorsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->monitor = dyno_sensor_monitor_new (PERIOD_MS, 0);
  g_signal_connect_object (self->monitor, "discovered", G_CALLBACK (discovered_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->monitor, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  gtk_list_box_bind_model (self->readings_list, dyno_sensor_monitor_get_readings (self->monitor), create_row,
                           NULL, NULL);
}

DynoSensorMonitor *
dyno_sensors_view_get_monitor (DynoSensorsView *self)
{
  g_return_val_if_fail (DYNO_IS_SENSORS_VIEW (self), NULL);
  return self->monitor;
}

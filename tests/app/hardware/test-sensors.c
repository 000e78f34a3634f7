/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-widgets-private.h"
#include "suite.h"
#include "window-fixture.h"

static const DynoSensorInfo info = { .kind = DYNO_SENSOR_TEMPERATURE,
                                     .domain = DYNO_DOMAIN_PACKAGE,
                                     .name = "package",
                                     .source = "mock",
                                     .estimated = TRUE };

static void
test_row (void)
{
  g_autoptr (DynoSensorReading) reading = dyno_sensor_reading_new (&info);
  GtkWidget *row = g_object_ref_sink (dyno_sensor_row_new (reading));
  DynoSparkline *sparkline = DYNO_SPARKLINE (page_fixture_find (row, DYNO_TYPE_SPARKLINE));
  GtkWidget *label = gtk_widget_get_next_sibling (GTK_WIDGET (sparkline));

  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "Temperature · package");
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                   "Estimated · mock\nthe whole processor");
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, "—");
  dyno_sensor_reading_set_value (reading, 54.4);
  dyno_sensor_row_update (DYNO_SENSOR_ROW (row));
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, "54.4\u00a0°C");
  g_assert_cmpuint (dyno_sparkline_get_length (sparkline), ==, 2);
  gtk_test_accessible_assert_role (sparkline, GTK_ACCESSIBLE_ROLE_PRESENTATION);
  g_assert_finalize_object (row);
}

static void
expect_subtitle (const DynoSensorInfo *sensor, const char *expected)
{
  g_autoptr (DynoSensorReading) reading = dyno_sensor_reading_new (sensor);
  GtkWidget *row = g_object_ref_sink (dyno_sensor_row_new (reading));

  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, expected);
  g_assert_finalize_object (row);
}

/* All that is known of a sensor is shown in its own unit, and nothing else. */
static void
test_details (void)
{
  DynoSensorInfo sensor = { .kind = DYNO_SENSOR_ENERGY,
                            .domain = DYNO_DOMAIN_DRAM,
                            .name = "dram",
                            .source = "mock",
                            .period_seconds = 1e-3,
                            .resolution = 61e-6 };

  expect_subtitle (&sensor, "mock\nthe memory modules · updated every 1\u00a0ms · resolution 61\u00a0µJ");
  sensor.resolution = 0;
  expect_subtitle (&sensor, "mock\nthe memory modules · updated every 1\u00a0ms");
  sensor.period_assumed = TRUE;
  sensor.kind = DYNO_SENSOR_POWER;
  sensor.domain = DYNO_DOMAIN_DEVICE;
  sensor.resolution = 0.25;
  expect_subtitle (&sensor, "mock\nan accelerator’s board · resolution 250\u00a0mW");
}

/* A sparkline keeps its width, however long it runs. */
static void
test_sparkline (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *sparkline = dyno_sparkline_new ();

  gtk_window_set_child (GTK_WINDOW (window), sparkline);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 500; i++)
    dyno_sparkline_push (DYNO_SPARKLINE (sparkline), i % 7 == 0 ? NAN : i);
  g_assert_cmpuint (dyno_sparkline_get_length (DYNO_SPARKLINE (sparkline)), ==, 60);
  window_fixture_wait_frames (window);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_discovered (gpointer view)
{
  GtkWidget *stack = page_fixture_find (view, GTK_TYPE_STACK);

  return g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (stack)), "content");
}

static void
assert_unavailable (GtkListBoxRow *row, guint n)
{
  g_autofree char *title = g_strdup_printf ("Unavailable (%u)", n);

  if (n == 0)
    g_assert_null (row);
  else
    g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, title);
}

/* Unavailable sources are folded into one row, and nothing is read while the page is hidden. */
static void
test_view (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *view = g_object_new (DYNO_TYPE_SENSORS_VIEW, NULL);
  DynoSensorMonitor *monitor = dyno_sensors_view_get_monitor (DYNO_SENSORS_VIEW (view));
  GtkListBox *sources = GTK_LIST_BOX (page_fixture_find_named (view, "sources_list"));
  DynoSensorSet *sensors;
  guint n_available = 0;

  g_assert_null (dyno_sensor_monitor_get_sensors (monitor));
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (is_discovered, view);
  sensors = dyno_sensor_monitor_get_sensors (monitor);
  g_assert_cmpuint (dyno_sensor_set_get_n_sources (sensors), >, 0);
  for (guint i = 0; i < dyno_sensor_set_get_n_sources (sensors); i++)
    n_available += dyno_probe_get_state (dyno_sensor_set_get_probe (sensors, i)) == DYNO_PROBE_AVAILABLE;
  for (guint i = 0; i < n_available; i++)
    g_assert_true (ADW_IS_ACTION_ROW (gtk_list_box_get_row_at_index (sources, (int)i)));
  assert_unavailable (gtk_list_box_get_row_at_index (sources, (int)n_available),
                      dyno_sensor_set_get_n_sources (sensors) - n_available);
  gtk_widget_set_visible (view, FALSE);
  g_assert_null (dyno_sensor_monitor_get_sensors (monitor));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
add_tests (void)
{
  g_test_add_func ("/sensors/row", test_row);
  g_test_add_func ("/sensors/details", test_details);
  g_test_add_func ("/sensors/sparkline", test_sparkline);
  g_test_add_func ("/sensors/view", test_view);
}

WINDOW_SUITE (add_tests)

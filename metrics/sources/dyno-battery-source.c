/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"

#define SUPPLY_FOLDER "class/power_supply"

#define MICRO 1e-6

/* Batteries update their readings at most every second. */
#define PERIOD_SECONDS 1

/* Either the power, or current and voltage. */
typedef struct
{
  int status;
  int power;
  int current;
  int voltage;
} BatteryData;

static void
battery_data_free (gpointer data)
{
  BatteryData *self = data;
  const int files[] = { self->status, self->power, self->current, self->voltage };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i] >= 0)
      close (files[i]);
  g_free (self);
}

/* Only a discharging battery shows the power of the machine; some drivers report it as negative. */
static gboolean
read_watts (gpointer data, gint64 now_ns, double *value)
{
  BatteryData *self = data;
  char status[32] = "";
  gint64 power, current, voltage;

  if (pread (self->status, status, sizeof status - 1, 0) < 0 || !g_str_has_prefix (status, "Discharging"))
    return FALSE;
  if (self->power >= 0)
    {
      if (!dyno_file_sensor_read_number (self->power, &power))
        return FALSE;
      *value = (double)ABS (power) * MICRO;
      return TRUE;
    }
  if (!dyno_file_sensor_read_number (self->current, &current) ||
      !dyno_file_sensor_read_number (self->voltage, &voltage))
    return FALSE;
  *value = (double)ABS (current) * MICRO * (double)voltage * MICRO;
  return TRUE;
}

static int
open_file (const char *name, const char *file)
{
  g_autofree char *path = g_build_filename (SUPPLY_FOLDER, name, file, NULL);

  return dyno_file_sensor_open (path, NULL);
}

/* A mouse has a battery too: its scope is `Device`. */
static gboolean
feeds_machine (const char *name)
{
  g_autofree char *type_path = g_build_filename (SUPPLY_FOLDER, name, "type", NULL);
  g_autofree char *scope_path = g_build_filename (SUPPLY_FOLDER, name, "scope", NULL);
  g_autofree char *type = dyno_system_file_dup_text (DYNO_PATH_SYSFS, type_path);
  g_autofree char *scope = dyno_system_file_dup_text (DYNO_PATH_SYSFS, scope_path);

  return g_strcmp0 (type, "Battery") == 0 && g_strcmp0 (scope, "Device") != 0;
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_SYSFS, SUPPLY_FOLDER);
  guint n_before = sensors->len;
  guint n_batteries = 0;

  for (guint i = 0; names[i] != NULL; i++)
    if (feeds_machine (names[i]))
      {
        BatteryData *data = g_new0 (BatteryData, 1);
        g_autofree char *source =
            g_strdup_printf (_ ("power drawn from the battery %s by the whole machine"), names[i]);
        DynoSensorInfo info = {
          .kind = DYNO_SENSOR_POWER,
          .domain = DYNO_DOMAIN_SYSTEM,
          .name = "battery",
          .source = source,
          .period_seconds = PERIOD_SECONDS,
        };
        double watts;

        data->status = open_file (names[i], "status");
        data->power = open_file (names[i], "power_now");
        data->current = open_file (names[i], "current_now");
        data->voltage = open_file (names[i], "voltage_now");
        if (read_watts (data, 0, &watts))
          g_ptr_array_add (sensors, dyno_sensor_new (&info, read_watts, data, battery_data_free));
        else
          battery_data_free (data);
        n_batteries++;
      }
  if (sensors->len > n_before)
    return dyno_probe_new_available ("power_supply");
  if (n_batteries == 0)
    return dyno_probe_new_unsupported (_ ("The machine has no battery."), NULL);
  return dyno_probe_new_unsupported (
      _ ("The battery reports power only while it is discharging."),
      _ ("Unplug the charger, if nothing better can be had: numbers on battery differ from those on mains."));
}

const DynoSensorSource dyno_battery_source = { "battery", N_ ("Battery"), discover };

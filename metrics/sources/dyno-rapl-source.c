/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"

#define POWERCAP_FOLDER "class/powercap"

/* The same counters accessed through memory (intel-rapl-mmio) would count twice. */
#define ZONE_PREFIX "intel-rapl:"

#define JOULES_PER_MICROJOULE 1e-6

/* The counter updates about every millisecond, in steps of 15 or 61 µJ. */
#define PERIOD_SECONDS    1e-3
#define RESOLUTION_JOULES 61e-6

static const struct
{
  const char *prefix;
  DynoSensorDomain domain;
} domains[] = {
  { "package", DYNO_DOMAIN_PACKAGE }, { "core", DYNO_DOMAIN_CORE },     { "uncore", DYNO_DOMAIN_UNCORE },
  { "dram", DYNO_DOMAIN_DRAM },       { "psys", DYNO_DOMAIN_PLATFORM },
};

/* The numbers of zones differ from machine to machine; the file `name` identifies them. If one zone cannot be read,
 * the sum is unknown, not smaller. */
static gboolean
add_domain (GPtrArray *sensors, char **zones, guint domain, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; zones[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (POWERCAP_FOLDER, zones[i], "name", NULL);
      g_autofree char *name =
          g_str_has_prefix (zones[i], ZONE_PREFIX) ? dyno_system_file_dup_text (DYNO_PATH_SYSFS, path) : NULL;
      DynoSensor *sensor;

      if (name == NULL || !g_str_has_prefix (name, domains[domain].prefix))
        continue;

      g_autofree char *energy = g_build_filename (POWERCAP_FOLDER, zones[i], "energy_uj", NULL);
      g_autofree char *range = g_build_filename (POWERCAP_FOLDER, zones[i], "max_energy_range_uj", NULL);
      g_autofree char *source = g_strdup_printf (_ ("RAPL through powercap, %s"), name);
      DynoSensorInfo info = {
        .kind = DYNO_SENSOR_ENERGY,
        .domain = domains[domain].domain,
        .name = domains[domain].prefix,
        .source = source,
        .period_seconds = PERIOD_SECONDS,
        .resolution = RESOLUTION_JOULES,
      };

      sensor = dyno_file_sensor_new_counter (&info, energy, JOULES_PER_MICROJOULE,
                                             (guint64)dyno_system_file_read_int64 (DYNO_PATH_SYSFS, range, 0),
                                             error);
      if (sensor == NULL)
        return FALSE;
      g_ptr_array_add (found, sensor);
    }
  g_ptr_array_extend_and_steal (sensors, g_steal_pointer (&found));
  return TRUE;
}

static guint
count_zones (char **zones)
{
  guint n = 0;

  for (guint i = 0; zones[i] != NULL; i++)
    n += g_str_has_prefix (zones[i], ZONE_PREFIX);
  return n;
}

static DynoProbe *
explain (guint n_zones, const GError *error)
{
  if (n_zones == 0)
    return dyno_probe_new_unsupported (
        _ ("The kernel shows no energy counters of the processor (RAPL)."),
        _ ("A virtual machine has none: measure on the machine itself. There, “sudo modprobe intel_rapl_msr” "
           "loads the driver; it needs a processor by Intel from 2012 or later, or AMD’s Zen."));
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES))
    return dyno_probe_new_unsupported (
        _ ("Only the administrator may read the processor’s energy counters (RAPL)."),
        _ ("Allow it to a group: run “sudo groupadd --system energy && sudo usermod -aG energy $USER”, write "
           "the file /etc/udev/rules.d/70-dyno-energy.rules with the line “SUBSYSTEM==\"powercap\", "
           "KERNEL==\"intel-rapl:*\", RUN+=\"/bin/chgrp energy /sys%p/energy_uj\", RUN+=\"/bin/chmod g+r "
           "/sys%p/energy_uj\"”, and restart the machine."));
  return dyno_probe_new_unsupported (
      error != NULL ? error->message : _ ("No RAPL zone has a name Dyno knows."), NULL);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_auto (GStrv) zones = dyno_system_file_list (DYNO_PATH_SYSFS, POWERCAP_FOLDER);
  g_autoptr (GString) found = g_string_new ("powercap");
  guint n_before = sensors->len;

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    {
      g_autoptr (GError) error = NULL;

      if (add_domain (sensors, zones, i, &error))
        continue;
      if (domains[i].domain == DYNO_DOMAIN_PACKAGE)
        return explain (count_zones (zones), error);
      g_string_append_printf (found, _ (". Without %s: %s"), domains[i].prefix, error->message);
    }
  if (sensors->len == n_before)
    return explain (count_zones (zones), NULL);
  return dyno_probe_new_available (found->str);
}

const DynoSensorSource dyno_rapl_source = { "rapl", N_ ("RAPL through powercap"), discover };

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <sensors/sensors.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system.h"
#include "dyno-system-file.h"

#define HWMON_FOLDER "class/hwmon/"

/* A chip that does not report the update period of its power is assumed to be slow. */
#define UNKNOWN_PERIOD_SECONDS 1

/* AMD's former driver has a counter for each core and each socket; the sockets together are the package. */
#define SOCKET_CHIP "amd_energy"

/* Another driver for AMD's processors reads two of the rails that feed them, and neither is the package. */
#define RAIL_CHIP "zenpower"

/* The places of chips; chips that are not listed are parts with which no case can be charged. */
static const struct
{
  const char *chip;
  DynoSensorDomain domain;
} chips[] = {
  { "amdgpu", DYNO_DOMAIN_DEVICE },       { "i915", DYNO_DOMAIN_DEVICE },
  { "xe", DYNO_DOMAIN_DEVICE },           { "nouveau", DYNO_DOMAIN_DEVICE },
  { "coretemp", DYNO_DOMAIN_PACKAGE },    { "k10temp", DYNO_DOMAIN_PACKAGE },
  { RAIL_CHIP, DYNO_DOMAIN_PACKAGE },     { "fam15h_power", DYNO_DOMAIN_PACKAGE },
  { "cpu_thermal", DYNO_DOMAIN_PACKAGE }, { "power_meter", DYNO_DOMAIN_PLATFORM },
  { SOCKET_CHIP, DYNO_DOMAIN_PACKAGE },
};

typedef struct
{
  const sensors_chip_name *id; /* valid while the library is held */
  const char *folder;          /* below the root of sysfs */
  const char *chip;
  char *name;
  char *device;
  DynoSensorDomain domain;
} Chip;

/* The subfeatures of libsensors for a reading, its limit, and the flag of an invalid reading; the first existing
 * reading counts. */
static const struct
{
  sensors_feature_type type;
  DynoSensorKind kind;
  sensors_subfeature_type readings[2];
  sensors_subfeature_type limit;
  sensors_subfeature_type fault;
} features[] = {
  { SENSORS_FEATURE_ENERGY,
    DYNO_SENSOR_ENERGY,
    { SENSORS_SUBFEATURE_ENERGY_INPUT, SENSORS_SUBFEATURE_UNKNOWN },
    SENSORS_SUBFEATURE_UNKNOWN,
    SENSORS_SUBFEATURE_UNKNOWN },
  { SENSORS_FEATURE_POWER,
    DYNO_SENSOR_POWER,
    { SENSORS_SUBFEATURE_POWER_AVERAGE, SENSORS_SUBFEATURE_POWER_INPUT },
    SENSORS_SUBFEATURE_POWER_CAP,
    SENSORS_SUBFEATURE_UNKNOWN },
  { SENSORS_FEATURE_TEMP,
    DYNO_SENSOR_TEMPERATURE,
    { SENSORS_SUBFEATURE_TEMP_INPUT, SENSORS_SUBFEATURE_UNKNOWN },
    SENSORS_SUBFEATURE_TEMP_CRIT,
    SENSORS_SUBFEATURE_TEMP_FAULT },
  { SENSORS_FEATURE_FAN,
    DYNO_SENSOR_FAN,
    { SENSORS_SUBFEATURE_FAN_INPUT, SENSORS_SUBFEATURE_UNKNOWN },
    SENSORS_SUBFEATURE_FAN_MAX,
    SENSORS_SUBFEATURE_FAN_FAULT },
  { SENSORS_FEATURE_IN,
    DYNO_SENSOR_VOLTAGE,
    { SENSORS_SUBFEATURE_IN_INPUT, SENSORS_SUBFEATURE_UNKNOWN },
    SENSORS_SUBFEATURE_IN_CRIT,
    SENSORS_SUBFEATURE_UNKNOWN },
};

typedef struct
{
  const sensors_chip_name *chip;
  int number;
  int fault; /* -1 for none */
} Reading;

static gboolean
read_feature (gpointer data, gint64 now_ns, double *value)
{
  Reading *self = data;
  double fault = 0;

  if (self->fault >= 0 && sensors_get_value (self->chip, self->fault, &fault) == 0 && fault != 0)
    return FALSE;
  return sensors_get_value (self->chip, self->number, value) == 0;
}

static void
reading_free (gpointer data)
{
  g_free (data);
  dyno_sensors_library_release ();
}

/* Lower case, with underscores for all characters except letters and digits. */
static char *
to_name (const char *text)
{
  char *name = g_ascii_strdown (text, -1);

  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  return name;
}

static char *
create_sensor_name (const Chip *chip, const DynoSensorInfo *info, guint number, const char *label)
{
  g_autofree char *suffix = label != NULL ? to_name (label) : g_strdup_printf ("%u", number);
  gboolean is_whole = info->kind == DYNO_SENSOR_POWER || info->kind == DYNO_SENSOR_ENERGY || label == NULL;

  if (g_str_equal (chip->chip, SOCKET_CHIP))
    return g_strdup ("package");
  if (number == 1 && is_whole && (label == NULL || chip->domain == DYNO_DOMAIN_DEVICE))
    return g_strdup (chip->name);
  return g_strconcat (chip->name, "_", suffix, NULL);
}

/* The first clock of a graphics processor is that of its cores, the second that of its memory. */
static DynoSensorDomain
choose_domain (const Chip *chip, DynoSensorKind kind, guint number, const char *label)
{
  if (g_str_equal (chip->chip, RAIL_CHIP) && (kind == DYNO_SENSOR_POWER || kind == DYNO_SENSOR_ENERGY))
    return label != NULL && strstr (label, "Core") != NULL  ? DYNO_DOMAIN_CORE
           : label != NULL && strstr (label, "SoC") != NULL ? DYNO_DOMAIN_UNCORE
                                                            : DYNO_DOMAIN_OTHER;
  return kind == DYNO_SENSOR_CLOCK && number > 1 ? DYNO_DOMAIN_OTHER : chip->domain;
}

static int
find_number (const Chip *chip, const sensors_feature *feature, sensors_subfeature_type type)
{
  const sensors_subfeature *found =
      type != SENSORS_SUBFEATURE_UNKNOWN ? sensors_get_subfeature (chip->id, feature, type) : NULL;

  return found != NULL && (found->flags & SENSORS_MODE_R) != 0 ? found->number : -1;
}

/* Counters are read from a file that stays open, in the kernel's own unit: joules need no scaling. */
static DynoSensor *
create_counter (const Chip *chip, const DynoSensorInfo *info, const sensors_feature *feature)
{
  g_autofree char *file = g_strconcat (feature->name, "_input", NULL);
  g_autofree char *path = g_build_filename (chip->folder, file, NULL);

  return dyno_file_sensor_new_counter (info, path, 1e-6, 0, NULL);
}

static DynoSensor *
create_gauge (const Chip *chip, DynoSensorInfo *info, const sensors_feature *feature, guint row)
{
  int limit = find_number (chip, feature, features[row].limit);
  int fault = find_number (chip, feature, features[row].fault);
  double value;

  if (limit >= 0 && sensors_get_value (chip->id, limit, &value) == 0)
    info->limit = value;
  for (guint i = 0; i < G_N_ELEMENTS (features[row].readings); i++)
    {
      Reading reading = { chip->id, find_number (chip, feature, features[row].readings[i]), fault };
      g_autofree char *ignored = NULL;

      if (reading.number >= 0 && sensors_get_value (chip->id, reading.number, &value) == 0 &&
          dyno_sensors_library_hold (&ignored))
        return dyno_sensor_new (info, read_feature, g_memdup2 (&reading, sizeof reading), reading_free);
    }
  return NULL;
}

/* Returns: whether it could be read, if it is wanted. */
static gboolean
add_feature (GPtrArray *sensors, const Chip *chip, const sensors_feature *feature, guint row)
{
  guint number = (guint)g_ascii_strtoull (feature->name + strcspn (feature->name, "0123456789"), NULL, 10);
  /* The library gives a feature without a label its own name. */
  char *given = sensors_get_label (chip->id, feature);
  g_autofree char *label = given != NULL && !g_str_equal (given, feature->name) ? g_strdup (given) : NULL;
  g_autofree char *name = NULL;
  g_autofree char *source =
      g_strdup_printf (_ ("kernel driver %s, %s, through libsensors"), chip->chip, feature->name);
  g_autofree char *own = g_strconcat (feature->name, "_average_interval", NULL);
  g_autofree char *own_path = g_build_filename (chip->folder, own, NULL);
  g_autofree char *common_path = g_build_filename (chip->folder, "update_interval", NULL);
  gint64 common = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, common_path, -1);
  gint64 milliseconds = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, own_path, common);
  double period = milliseconds > 0 ? (double)milliseconds / 1e3 : 0;
  DynoSensorInfo info = {
    .kind = features[row].kind,
    .domain = choose_domain (chip, features[row].kind, number, label),
    .source = source,
    .device = chip->device,
    .period_seconds = period > 0 ? period : UNKNOWN_PERIOD_SECONDS,
    .period_assumed = period <= 0,
  };
  DynoSensor *sensor;

  free (given);
  /* A processor with a hundred cores has a sensor in each; those of the package are enough. */
  if (label != NULL && (g_str_has_prefix (label, "Core ") || g_str_has_prefix (label, "Ecore")))
    return TRUE;
  name = create_sensor_name (chip, &info, number, label);
  info.name = name;
  sensor = info.kind == DYNO_SENSOR_ENERGY ? create_counter (chip, &info, feature)
                                           : create_gauge (chip, &info, feature, row);
  if (sensor != NULL)
    g_ptr_array_add (sensors, sensor);
  return sensor != NULL;
}

/* If one socket cannot be read, the sum is unknown, not smaller. */
static void
add_chip (GPtrArray *sensors, const Chip *chip)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  const sensors_feature *feature;
  gboolean all = TRUE;

  for (guint row = 0; row < G_N_ELEMENTS (features); row++)
    for (int i = 0; (feature = sensors_get_features (chip->id, &i)) != NULL;)
      if (feature->type == features[row].type)
        all = add_feature (found, chip, feature, row) && all;

  /* libsensors does not support clocks. */
  DynoSensor *sensor;
  guint number = 0;

  do
    {
      g_autofree char *file = g_strdup_printf ("freq%u_input", ++number);
      g_autofree char *label_file = g_strdup_printf ("freq%u_label", number);
      g_autofree char *path = g_build_filename (chip->folder, file, NULL);
      g_autofree char *label_path = g_build_filename (chip->folder, label_file, NULL);
      g_autofree char *label = dyno_system_file_dup_text (DYNO_PATH_SYSFS, label_path);
      g_autofree char *source = g_strdup_printf (_ ("the kernel’s driver %s, %s"), chip->chip, file);
      DynoSensorInfo info = { .kind = DYNO_SENSOR_CLOCK,
                              .domain = choose_domain (chip, DYNO_SENSOR_CLOCK, number, label),
                              .source = source,
                              .device = chip->device,
                              .period_seconds = UNKNOWN_PERIOD_SECONDS,
                              .period_assumed = TRUE };
      g_autofree char *name = create_sensor_name (chip, &info, number, label);

      info.name = name;
      sensor = dyno_file_sensor_new (&info, path, 1e-6, NULL);
      if (sensor != NULL)
        g_ptr_array_add (found, sensor);
    }
  while (sensor != NULL);

  if (all || !g_str_equal (chip->chip, SOCKET_CHIP))
    g_ptr_array_extend_and_steal (sensors, g_steal_pointer (&found));
}

static void
add_name (GPtrArray *sensors, GHashTable *n_of_chip, const sensors_chip_name *id)
{
  g_autofree char *base = to_name (id->prefix);
  guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (n_of_chip, base)) + 1;
  g_autofree char *name = nth > 1 ? g_strdup_printf ("%s_%u", base, nth) : g_strdup (base);
  const char *folder = strstr (id->path, HWMON_FOLDER);
  g_autofree char *device = folder != NULL ? dyno_file_sensor_dup_target (folder, "device") : NULL;
  DynoSensorDomain domain = DYNO_DOMAIN_OTHER;

  /* Batteries have their own source. */
  if (folder == NULL || g_str_has_prefix (id->prefix, "BAT"))
    return;
  g_hash_table_insert (n_of_chip, g_strdup (base), GUINT_TO_POINTER (nth));
  for (guint i = 0; i < G_N_ELEMENTS (chips); i++)
    if (g_str_equal (chips[i].chip, id->prefix))
      domain = chips[i].domain;
  add_chip (sensors, &(Chip){ id, folder, id->prefix, name, device, domain });
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  const sensors_chip_name *const *left = a;
  const sensors_chip_name *const *right = b;

  return dyno_system_compare_versions ((*left)->path, (*right)->path);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_autofree char *problem = NULL;
  g_autofree char *reason = NULL;
  guint n_before = sensors->len;

  if (dyno_sensors_library_hold (&problem))
    {
      /* Chips of the same kind are numbered as by the kernel, in whatever order the library finds them. */
      g_autoptr (GHashTable) n_of_chip = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (GPtrArray) ids = g_ptr_array_new ();
      const sensors_chip_name *id;

      for (int i = 0; (id = sensors_get_detected_chips (NULL, &i)) != NULL;)
        g_ptr_array_add (ids, (gpointer)id);
      g_ptr_array_sort (ids, compare_paths);
      for (guint i = 0; i < ids->len; i++)
        add_name (sensors, n_of_chip, ids->pdata[i]);

      dyno_sensors_library_release ();
    }
  if (problem != NULL)
    {
      reason = g_strdup_printf (_ ("libsensors cannot start: %s."), problem);
      return dyno_probe_new_unsupported (
          reason, _ ("Correct its configuration; run “sensors” to see what is wrong."));
    }
  if (sensors->len > n_before)
    return dyno_probe_new_available ("hwmon");
  return dyno_probe_new_unsupported (
      _ ("The kernel shows no sensors of temperature or power (hwmon)."),
      _ ("A virtual machine has none: measure on the machine itself. There, “sudo sensors-detect” of the "
         "package lm-sensors finds the drivers to load."));
}

const DynoSensorSource dyno_hwmon_source = { "hwmon", N_ ("Sensors of the mainboard and devices"), discover };

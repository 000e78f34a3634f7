/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-file-sensor.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"
#include "dyno-system.h"

/*
 * Read without libsensors, whose readings these files are: its root cannot be moved, so that no test could put a machine
 * of its own in its place; it opens and closes a file for each reading, where the sampler keeps them open; and its
 * configuration would scale what the kernel has scaled already.
 */
#define HWMON_FOLDER "class/hwmon"

/* Where a chip does not say how often it renews its power, it is taken to be slow. */
#define UNKNOWN_PERIOD_SECONDS 1

/* AMD's driver of old has a counter for each core and each socket; the sockets together are the package. */
#define SOCKET_CHIP "amd_energy"

/* Another driver for AMD's processors reads two of the rails that feed them, and neither is the package. */
#define RAIL_CHIP "zenpower"

/* What sits where; chips that are not here are parts no case can be charged with. */
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
  char *folder;
  char *chip;
  char *name;
  char *device;
  DynoSensorDomain domain;
} Chip;

/* The file that holds the reading; of the first that there is for a number, the others are not read. */
static const struct
{
  const char *type;
  const char *file;
  DynoSensorKind kind;
  double scale;
} inputs[] = {
  { "energy", "input", DYNO_SENSOR_ENERGY, 1e-6 }, { "power", "average", DYNO_SENSOR_POWER, 1e-6 },
  { "power", "input", DYNO_SENSOR_POWER, 1e-6 },   { "temp", "input", DYNO_SENSOR_TEMPERATURE, 1e-3 },
  { "fan", "input", DYNO_SENSOR_FAN, 1 },          { "freq", "input", DYNO_SENSOR_CLOCK, 1e-6 },
};

static char *
dup_label (const Chip *chip, const char *type, guint number)
{
  g_autofree char *file = g_strdup_printf ("%s%u_label", type, number);
  g_autofree char *path = g_build_filename (chip->folder, file, NULL);

  return dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
}

/* Lower case, with underscores for what is neither letter nor digit. */
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

static double
find_period (const Chip *chip, const char *type, guint number)
{
  g_autofree char *own = g_strdup_printf ("%s%u_average_interval", type, number);
  g_autofree char *own_path = g_build_filename (chip->folder, own, NULL);
  g_autofree char *common_path = g_build_filename (chip->folder, "update_interval", NULL);
  gint64 common = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, common_path, -1);
  gint64 milliseconds = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, own_path, common);

  return milliseconds > 0 ? (double)milliseconds / 1e3 : 0;
}

static DynoSensorDomain
choose_rail (const char *label)
{
  if (label != NULL && strstr (label, "Core") != NULL)
    return DYNO_DOMAIN_CORE;
  return label != NULL && strstr (label, "SoC") != NULL ? DYNO_DOMAIN_UNCORE : DYNO_DOMAIN_OTHER;
}

/* The first clock of a graphics processor is that of its cores, the second that of its memory. */
static DynoSensorDomain
choose_domain (const Chip *chip, DynoSensorKind kind, guint number, const char *label)
{
  if (g_str_equal (chip->chip, RAIL_CHIP) && (kind == DYNO_SENSOR_POWER || kind == DYNO_SENSOR_ENERGY))
    return choose_rail (label);
  return kind == DYNO_SENSOR_CLOCK && number > 1 ? DYNO_DOMAIN_OTHER : chip->domain;
}

/* A processor with a hundred cores has a sensor in each; those of the package are enough. */
static gboolean
is_wanted (const char *label)
{
  return label == NULL || !(g_str_has_prefix (label, "Core ") || g_str_has_prefix (label, "Ecore"));
}

/* Returns: whether it could be read, if it is wanted at all. */
static gboolean
add_input (GPtrArray *sensors, const Chip *chip, guint input, guint number)
{
  g_autofree char *file = g_strdup_printf ("%s%u_%s", inputs[input].type, number, inputs[input].file);
  g_autofree char *path = g_build_filename (chip->folder, file, NULL);
  g_autofree char *label = dup_label (chip, inputs[input].type, number);
  g_autofree char *name = NULL;
  g_autofree char *source = g_strdup_printf (_ ("the kernel’s driver %s, %s"), chip->chip, file);
  double period = find_period (chip, inputs[input].type, number);
  DynoSensorInfo info = {
    .kind = inputs[input].kind,
    .domain = choose_domain (chip, inputs[input].kind, number, label),
    .source = source,
    .device = chip->device,
    .period_seconds = period > 0 ? period : UNKNOWN_PERIOD_SECONDS,
    .period_assumed = period <= 0,
  };
  DynoSensor *sensor;

  if (!is_wanted (label))
    return TRUE;
  name = create_sensor_name (chip, &info, number, label);
  info.name = name;
  if (info.kind == DYNO_SENSOR_ENERGY)
    sensor = dyno_file_sensor_new_counter (&info, path, inputs[input].scale, 0, NULL);
  else
    sensor = dyno_file_sensor_new (&info, path, inputs[input].scale, NULL);
  if (sensor != NULL)
    g_ptr_array_add (sensors, sensor);
  return sensor != NULL;
}

/* Returns: whether @file is one of the files of @input, and which. */
static gboolean
parse_input (const char *file, guint input, guint *number)
{
  const char *digits = file + strlen (inputs[input].type);
  char *end = NULL;

  if (!g_str_has_prefix (file, inputs[input].type) || !g_ascii_isdigit (*digits))
    return FALSE;
  *number = (guint)g_ascii_strtoull (digits, &end, 10);
  return *end == '_' && g_str_equal (end + 1, inputs[input].file);
}

static gboolean
has_average (const Chip *chip, guint number)
{
  g_autofree char *file = g_strdup_printf ("power%u_average", number);
  g_autofree char *path = g_build_filename (chip->folder, file, NULL);

  return dyno_system_file_read_int64 (DYNO_PATH_SYSFS, path, -1) >= 0;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return dyno_system_compare_versions (*(const char *const *)a, *(const char *const *)b);
}

static char **
list_sorted (const char *folder)
{
  char **names = dyno_system_file_list (DYNO_PATH_SYSFS, folder);

  qsort (names, g_strv_length (names), sizeof *names, compare_names);
  return names;
}

/* One socket that cannot be read makes the sum unknown, not smaller. */
static void
add_chip (GPtrArray *sensors, const Chip *chip)
{
  g_auto (GStrv) files = list_sorted (chip->folder);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean all = TRUE;
  guint number;

  for (guint input = 0; input < G_N_ELEMENTS (inputs); input++)
    for (guint i = 0; files[i] != NULL; i++)
      if (parse_input (files[i], input, &number) &&
          !(inputs[input].kind == DYNO_SENSOR_POWER && g_str_equal (inputs[input].file, "input") &&
            has_average (chip, number)))
        all = add_input (found, chip, input, number) && all;
  if (all || !g_str_equal (chip->chip, SOCKET_CHIP))
    g_ptr_array_extend_and_steal (sensors, g_steal_pointer (&found));
}

/* The address on the PCI bus is the name of the folder that `device` points to. */
static char *
dup_device (const char *folder)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_SYSFS, folder, "device", NULL);
  g_autofree char *target = realpath (path, NULL);

  return target != NULL ? g_path_get_basename (target) : NULL;
}

static DynoSensorDomain
look_up_domain (const char *chip)
{
  for (guint i = 0; i < G_N_ELEMENTS (chips); i++)
    if (g_str_equal (chips[i].chip, chip))
      return chips[i].domain;
  return DYNO_DOMAIN_OTHER;
}

static void
add_folder (GPtrArray *sensors, GHashTable *n_of_chip, const char *folder)
{
  g_autofree char *path = g_build_filename (HWMON_FOLDER, folder, NULL);
  g_autofree char *name_path = g_build_filename (path, "name", NULL);
  g_autofree char *chip = dyno_system_file_dup_text (DYNO_PATH_SYSFS, name_path);
  g_autofree char *base = chip != NULL ? to_name (chip) : NULL;
  guint nth = base != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (n_of_chip, base)) + 1 : 0;
  g_autofree char *name = nth > 1 ? g_strdup_printf ("%s_%u", base, nth) : g_strdup (base);
  g_autofree char *device = dup_device (path);

  /* Batteries have a source of their own. */
  if (chip == NULL || g_str_has_prefix (chip, "BAT"))
    return;
  g_hash_table_insert (n_of_chip, g_strdup (base), GUINT_TO_POINTER (nth));
  add_chip (sensors, &(Chip){ path, chip, name, device, look_up_domain (chip) });
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_auto (GStrv) folders = list_sorted (HWMON_FOLDER);
  g_autoptr (GHashTable) n_of_chip = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_before = sensors->len;

  for (guint i = 0; folders[i] != NULL; i++)
    add_folder (sensors, n_of_chip, folders[i]);
  if (sensors->len > n_before)
    return dyno_probe_new_available ("hwmon");
  return dyno_probe_new_unsupported (_ ("The kernel shows no sensors of temperature or power (hwmon)."),
                                     _ ("A virtual machine has none: measure on the machine itself. There, "
                                        "“sudo sensors-detect” of the package "
                                        "lm-sensors finds the drivers to load."));
}

const DynoSensorSource dyno_hwmon_source = { "hwmon", N_ ("Sensors of the mainboard and devices"), discover };

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-set.h"
#include "overwrite.h"
#include "suite.h"

#define POWERCAP "sys/class/powercap/"
#define HWMON    "sys/class/hwmon/"
#define BATTERY  "sys/class/power_supply/BAT0/"
#define PMU      "sys/bus/event_source/devices/power/"

#define NOBODY 65534

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
}

static void
add_zone (MachineTree *tree, const char *zone, const char *name, const char *energy)
{
  g_autofree char *name_path = g_build_filename (POWERCAP, zone, "name", NULL);
  g_autofree char *energy_path = g_build_filename (POWERCAP, zone, "energy_uj", NULL);
  g_autofree char *range_path = g_build_filename (POWERCAP, zone, "max_energy_range_uj", NULL);

  machine_tree_write (tree, name_path, name);
  machine_tree_write (tree, energy_path, energy);
  machine_tree_write (tree, range_path, "262143328850\n");
}

static DynoSensor *
find (DynoSensorSet *set, DynoSensorKind kind, const char *name)
{
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (set, i);

      if (dyno_sensor_get_info (sensor)->kind == kind &&
          g_str_equal (dyno_sensor_get_info (sensor)->name, name))
        return sensor;
    }
  return NULL;
}

static guint
count (DynoSensorSet *set, DynoSensorKind kind)
{
  guint n = 0;

  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    n += dyno_sensor_get_info (dyno_sensor_set_get_sensor (set, i))->kind == kind;
  return n;
}

static DynoProbe *
get_probe (DynoSensorSet *set, const char *id)
{
  for (guint i = 0; i < dyno_sensor_set_get_n_sources (set); i++)
    if (g_str_equal (dyno_sensor_set_get_source (set, i)->id, id))
      return dyno_sensor_set_get_probe (set, i);
  g_error ("There is no source “%s”.", id);
}

static void
assert_explained (DynoSensorSet *set, const char *id, const char *words)
{
  const char *const ids[] = { id, NULL };
  g_autofree char *text = dyno_sensor_set_explain (set, ids);

  g_assert_cmpint (dyno_probe_get_state (get_probe (set, id)), ==, DYNO_PROBE_UNSUPPORTED);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, words));
}

static double
read_value (DynoSensor *sensor)
{
  gint64 time;
  double value;

  g_assert_nonnull (sensor);
  g_assert_true (dyno_sensor_read (sensor, &time, &value));
  return value;
}

static void
assert_no_value (DynoSensor *sensor)
{
  gint64 time;
  double value;

  g_assert_nonnull (sensor);
  g_assert_false (dyno_sensor_read (sensor, &time, &value));
}

static void
test_nothing (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = dyno_sensor_set_discover (0);

  g_assert_cmpuint (dyno_sensor_set_get_n_sensors (set), ==, 0);
  for (guint i = 0; i < dyno_sensor_set_get_n_sources (set); i++)
    {
      g_assert_cmpint (dyno_probe_get_state (dyno_sensor_set_get_probe (set, i)), ==, DYNO_PROBE_UNSUPPORTED);
      g_assert_nonnull (dyno_probe_get_reason (dyno_sensor_set_get_probe (set, i)));
    }
  assert_explained (set, "rapl", "irtual machine");
  assert_explained (set, "nvml", "driver");
}

/* Two packages; the same counters through MMIO do not count twice. */
static void
test_rapl (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  add_zone (tree, "intel-rapl:0:0", "core\n", "1000\n");
  add_zone (tree, "intel-rapl:0:1", "dram\n", "1000\n");
  add_zone (tree, "intel-rapl:1", "package-1\n", "2000000\n");
  add_zone (tree, "intel-rapl:2", "psys\n", "5000000\n");
  add_zone (tree, "intel-rapl:3", "mystery\n", "5\n");
  add_zone (tree, "intel-rapl-mmio:0", "package-0\n", "1000000\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpuint (count (set, DYNO_SENSOR_ENERGY), ==, 5);
  g_assert_cmpint (dyno_sensor_get_info (find (set, DYNO_SENSOR_ENERGY, "dram"))->domain, ==,
                   DYNO_DOMAIN_DRAM);
  g_assert_cmpint (dyno_sensor_get_info (find (set, DYNO_SENSOR_ENERGY, "psys"))->domain, ==,
                   DYNO_DOMAIN_PLATFORM);
  g_assert_cmpfloat (read_value (find (set, DYNO_SENSOR_ENERGY, "core")), ==, 0);
  overwrite (tree, POWERCAP "intel-rapl:0:0/energy_uj", "501000\n");
  g_assert_cmpfloat_with_epsilon (read_value (find (set, DYNO_SENSOR_ENERGY, "core")), 0.5, 1e-9);
}

static void
test_rapl_wraps (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *sensor;

  add_zone (tree, "intel-rapl:0", "package-0\n", "262143000000\n");
  set = dyno_sensor_set_discover (0);
  sensor = find (set, DYNO_SENSOR_ENERGY, "package");
  read_value (sensor);
  overwrite (tree, POWERCAP "intel-rapl:0/energy_uj", "500000\n");
  g_assert_cmpfloat_with_epsilon (read_value (sensor), 0.828850, 1e-9);
}

static void
test_rapl_garbage (MachineTree *tree, gconstpointer data)
{
  static const char *const garbage[] = {
    "", "\n", "abc\n", "12abc\n", "-5\n", "99999999999999999999999999\n"
  };
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *sensor;

  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  set = dyno_sensor_set_discover (0);
  sensor = find (set, DYNO_SENSOR_ENERGY, "package");
  read_value (sensor);
  for (guint i = 0; i < G_N_ELEMENTS (garbage); i++)
    {
      overwrite (tree, POWERCAP "intel-rapl:0/energy_uj", garbage[i]);
      assert_no_value (sensor);
    }
  overwrite (tree, POWERCAP "intel-rapl:0/energy_uj", "3000000\n");
  g_assert_cmpfloat_with_epsilon (read_value (sensor), 2, 1e-9);
}

static void
test_rapl_garbage_at_first (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_zone (tree, "intel-rapl:0", "package-0\n", "abc\n");
  set = dyno_sensor_set_discover (0);
  assert_explained (set, "rapl", "holds no number");
}

/* One package of two is not the processor: the sum is unknown, not smaller. */
static void
test_rapl_half (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  add_zone (tree, "intel-rapl:0:0", "core\n", "1000\n");
  add_zone (tree, "intel-rapl:1", "package-1\n", "abc\n");
  set = dyno_sensor_set_discover (0);
  g_assert_null (find (set, DYNO_SENSOR_ENERGY, "package"));
  assert_explained (set, "rapl", "intel-rapl:1/energy_uj");
}

/* The memory's counters are separate from those of the packages. */
static void
test_rapl_without_memory (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  add_zone (tree, "intel-rapl:0:0", "dram\n", "1000\n");
  add_zone (tree, "intel-rapl:1", "package-1\n", "1000000\n");
  add_zone (tree, "intel-rapl:1:0", "dram\n", "\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpuint (count (set, DYNO_SENSOR_ENERGY), ==, 2);
  g_assert_null (find (set, DYNO_SENSOR_ENERGY, "dram"));
  g_assert_nonnull (strstr (dyno_probe_get_runtime (get_probe (set, "rapl")), "intel-rapl:1:0/energy_uj"));
}

/* Root may read anything, so the test temporarily becomes another user. */
static void
test_rapl_forbidden (MachineTree *tree, gconstpointer data)
{
  g_autofree char *file = g_build_filename (tree->root, POWERCAP "intel-rapl:0/energy_uj", NULL);
  g_autoptr (DynoSensorSet) set = NULL;
  static const char *const folders[] = { "", "sys", "sys/class", "sys/class/powercap",
                                         "sys/class/powercap/intel-rapl:0" };
  uid_t self = geteuid ();

  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (tree->root, folders[i], NULL);

      g_assert_cmpint (chmod (folder, 0755), ==, 0);
    }
  g_assert_cmpint (chmod (file, 0), ==, 0);
  if (self == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
  set = dyno_sensor_set_discover (0);
  if (self == 0)
    g_assert_cmpint (seteuid (self), ==, 0);
  assert_explained (set, "rapl", "SUBSYSTEM==\"powercap\", KERNEL==\"intel-rapl:*\"");
  assert_explained (set, "rapl", "groupadd");
}

static void
add_pmu (MachineTree *tree, const char *type, const char *event, const char *scale)
{
  machine_tree_write (tree, PMU "type", type);
  machine_tree_write (tree, PMU "cpumask", "0\n");
  machine_tree_write (tree, PMU "events/energy-pkg", event);
  machine_tree_write (tree, PMU "events/energy-pkg.scale", scale);
}

/* The kernel's clock of a processor counts ns: at 10^-9 J each, that is 1 W. The machine may stand still between a reading
 * and a look at the clock, so the time between two readings is only known to lie between two spans. */
static void
test_perf (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *sensor;
  gint64 first_began, first_ended, second_began, second_ended;
  double before, joules;

  add_pmu (tree, "1\n", "event=0x00\n", "1e-9\n");
  set = dyno_sensor_set_discover (0);
  sensor = find (set, DYNO_SENSOR_ENERGY, "package");
  if (sensor == NULL)
    {
      g_test_skip (dyno_probe_get_reason (get_probe (set, "perf")));
      return;
    }
  first_began = dyno_clock_now_ns ();
  before = read_value (sensor);
  first_ended = dyno_clock_now_ns ();
  do
    second_began = dyno_clock_now_ns ();
  while (second_began < first_ended + 200000000);
  joules = read_value (sensor) - before;
  second_ended = dyno_clock_now_ns ();
  g_assert_cmpfloat (joules, >=, 0.95 * (double)(second_began - first_ended) / 1e9);
  g_assert_cmpfloat (joules, <=, 1.05 * (double)(second_ended - first_began) / 1e9);
}

static int
open_unknown (const DynoPerfEvent *event, int processor)
{
  errno = ENOENT;
  return -1;
}

static int
open_denied (const DynoPerfEvent *event, int processor)
{
  errno = EACCES;
  return -1;
}

static void
assert_refused (MachineTree *tree, DynoPerfOpener opener, const char *words)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_pmu (tree, "4\n", "event=0x02\n", "2.3e-10\n");
  dyno_perf_event_set_opener (opener);
  set = dyno_sensor_set_discover (0);
  dyno_perf_event_set_opener (NULL);
  assert_explained (set, "perf", words);
  g_assert_cmpuint (count (set, DYNO_SENSOR_ENERGY), ==, 0);
}

static void
test_perf_refused (MachineTree *tree, gconstpointer data)
{
  assert_refused (tree, open_unknown, "refuses");
}

static void
test_perf_denied (MachineTree *tree, gconstpointer data)
{
  assert_refused (tree, open_denied, "Only the administrator");
}

/* The counter of the first package is an empty file; the second has none. */
static int
open_first (const DynoPerfEvent *event, int processor)
{
  if (processor == 0)
    return open ("/dev/null", O_RDONLY | O_CLOEXEC);
  errno = ENODEV;
  return -1;
}

static void
test_perf_half (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_pmu (tree, "30\n", "event=0x02\n", "2.3e-10\n");
  overwrite (tree, PMU "cpumask", "0,16\n");
  dyno_perf_event_set_opener (open_first);
  set = dyno_sensor_set_discover (0);
  dyno_perf_event_set_opener (NULL);
  g_assert_cmpuint (count (set, DYNO_SENSOR_ENERGY), ==, 0);
  assert_explained (set, "perf", g_strerror (ENODEV));
}

/* Both ways to the same counters: only the first is used. */
static void
test_rapl_twice (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_pmu (tree, "1\n", "event=0x00\n", "1e-9\n");
  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpuint (count (set, DYNO_SENSOR_ENERGY), ==, 1);
  g_assert_nonnull (strstr (dyno_sensor_get_info (dyno_sensor_set_get_sensor (set, 0))->source, "powercap"));
}

static void
test_hwmon (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  machine_tree_fill (tree, HWMON, "hwmon0/name=coretemp\n", "hwmon0/temp1_input=61000\n",
                     "hwmon0/temp1_label=Package id 0\n", "hwmon0/temp2_input=60000\n",
                     "hwmon0/temp2_label=Core 0\n", "hwmon1/name=amdgpu\n",
                     "hwmon1/power1_average=187000000\n", "hwmon1/power1_input=190000000\n",
                     "hwmon1/power1_cap=300000000\n", "hwmon1/power1_label=PPT\n",
                     "hwmon1/temp1_input=-5000\n", "hwmon1/temp1_label=edge\n",
                     "hwmon1/freq1_input=2400000000\n", "hwmon1/fan1_input=1200\n", "hwmon2/name=amdgpu\n",
                     "hwmon2/power1_input=80000000\n", "hwmon3/name=BAT0\n", "hwmon3/power1_input=1\n", NULL);
  set = dyno_sensor_set_discover (0);
  g_assert_cmpuint (count (set, DYNO_SENSOR_TEMPERATURE), ==, 2);
  g_assert_cmpuint (count (set, DYNO_SENSOR_POWER), ==, 2);
  g_assert_cmpfloat (read_value (find (set, DYNO_SENSOR_TEMPERATURE, "coretemp_package_id_0")), ==, 61);
  g_assert_cmpfloat (read_value (find (set, DYNO_SENSOR_TEMPERATURE, "amdgpu_edge")), ==, -5);
  g_assert_cmpfloat_with_epsilon (read_value (find (set, DYNO_SENSOR_POWER, "amdgpu")), 187, 1e-9);
  g_assert_cmpfloat_with_epsilon (read_value (find (set, DYNO_SENSOR_POWER, "amdgpu_2")), 80, 1e-9);
  g_assert_cmpfloat_with_epsilon (read_value (find (set, DYNO_SENSOR_CLOCK, "amdgpu")), 2400, 1e-9);
  g_assert_cmpfloat (read_value (find (set, DYNO_SENSOR_FAN, "amdgpu")), ==, 1200);
}

/* A rail's monitor, a server's power meter, a power supply's regulator: none of them is the processor. */
static void
test_hwmon_boards (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *meter, *rail, *regulator;

  machine_tree_fill (
      tree, HWMON, "hwmon0/name=ina3221\n", "hwmon0/power1_input=4500000\n", "hwmon0/power1_label=VDD_GPU\n",
      "hwmon0/update_interval=35\n", "hwmon1/name=power_meter\n", "hwmon1/power1_average=212000000\n",
      "hwmon1/power1_average_interval=500\n", "hwmon2/name=tps53679\n", "hwmon2/power1_input=9000000\n",
      "hwmon2/power1_label=pin\n", "hwmon2/temp1_input=garbage\n", NULL);
  set = dyno_sensor_set_discover (0);
  rail = find (set, DYNO_SENSOR_POWER, "ina3221_vdd_gpu");
  meter = find (set, DYNO_SENSOR_POWER, "power_meter");
  regulator = find (set, DYNO_SENSOR_POWER, "tps53679_pin");
  g_assert_cmpfloat_with_epsilon (read_value (rail), 4.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_sensor_get_info (rail)->period_seconds, 0.035, 1e-9);
  g_assert_cmpint (dyno_sensor_get_info (rail)->domain, ==, DYNO_DOMAIN_OTHER);
  g_assert_cmpfloat_with_epsilon (read_value (meter), 212, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_sensor_get_info (meter)->period_seconds, 0.5, 1e-9);
  g_assert_cmpint (dyno_sensor_get_info (meter)->domain, ==, DYNO_DOMAIN_PLATFORM);
  g_assert_cmpfloat_with_epsilon (read_value (regulator), 9, 1e-9);
  g_assert_true (dyno_sensor_get_info (regulator)->period_assumed);
  g_assert_false (dyno_sensor_get_info (meter)->period_assumed);
  g_assert_cmpuint (count (set, DYNO_SENSOR_TEMPERATURE), ==, 0);
}

/* The configuration of an administrator or a board's vendor applies: scales, names, and ignored sensors. */
static void
test_hwmon_configuration (MachineTree *tree, gconstpointer data)
{
  g_autofree char *etc = g_build_filename (tree->root, "etc", NULL);
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *socket;

  machine_tree_fill (tree, HWMON, "hwmon0/name=k10temp\n", "hwmon0/temp1_input=61000\n",
                     "hwmon0/temp1_label=Tctl\n", "hwmon0/temp1_crit=90000\n", "hwmon0/temp2_input=20000\n",
                     "hwmon0/temp3_input=30000\n", "hwmon0/temp3_fault=1\n", "hwmon0/in1_input=600\n", NULL);
  machine_tree_write (
      tree, "etc/sensors3.conf",
      "chip \"k10temp-*\"\n  label temp1 \"Socket\"\n  compute temp1 @+4, @-4\n  ignore temp2\n");
  machine_tree_write (tree, "etc/sensors.d/board", "chip \"k10temp-*\"\n  compute in1 2*@, @/2\n");
  dyno_paths_set_root (DYNO_PATH_ETC, etc);
  set = dyno_sensor_set_discover (0);
  socket = find (set, DYNO_SENSOR_TEMPERATURE, "k10temp_socket");
  g_assert_cmpuint (count (set, DYNO_SENSOR_TEMPERATURE), ==, 2);
  g_assert_cmpfloat_with_epsilon (read_value (socket), 65, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_sensor_get_info (socket)->limit, 94, 1e-9);
  g_assert_cmpfloat_with_epsilon (read_value (find (set, DYNO_SENSOR_VOLTAGE, "k10temp")), 1.2, 1e-9);
  assert_no_value (find (set, DYNO_SENSOR_TEMPERATURE, "k10temp_3"));
  dyno_paths_set_root (DYNO_PATH_ETC, NULL);
}

/* One socket of two is not the processor. */
static void
test_hwmon_sockets (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) half = NULL;
  g_autoptr (DynoSensorSet) set = NULL;

  machine_tree_fill (tree, HWMON, "hwmon0/name=amd_energy\n", "hwmon0/energy1_input=1000\n",
                     "hwmon0/energy1_label=Ecore000\n", "hwmon0/energy2_input=5000\n",
                     "hwmon0/energy2_label=Esocket0\n", "hwmon0/energy3_input=\n",
                     "hwmon0/energy3_label=Esocket1\n", NULL);
  half = dyno_sensor_set_discover (0);
  g_assert_cmpuint (count (half, DYNO_SENSOR_ENERGY), ==, 0);
  overwrite (tree, HWMON "hwmon0/energy3_input", "6000\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpuint (count (set, DYNO_SENSOR_ENERGY), ==, 2);
  g_assert_cmpint (dyno_sensor_get_info (find (set, DYNO_SENSOR_ENERGY, "package"))->domain, ==,
                   DYNO_DOMAIN_PACKAGE);
}

static void
test_battery (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *sensor;

  machine_tree_fill (tree, BATTERY, "type=Battery\n", "status=Discharging\n", "current_now=-2000000\n",
                     "voltage_now=12000000\n", NULL);
  machine_tree_fill (tree, "", "sys/class/power_supply/hidpp_battery_0/type=Battery\n",
                     "sys/class/power_supply/hidpp_battery_0/scope=Device\n", NULL);
  set = dyno_sensor_set_discover (0);
  sensor = find (set, DYNO_SENSOR_POWER, "battery");
  g_assert_cmpfloat_with_epsilon (read_value (sensor), 24, 1e-9);
  g_assert_cmpuint (count (set, DYNO_SENSOR_POWER), ==, 1);
  overwrite (tree, BATTERY "status", "Charging\n");
  assert_no_value (sensor);
}

static void
test_battery_on_mains (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  machine_tree_fill (tree, BATTERY, "type=Battery\n", "status=Full\n", "power_now=0\n", NULL);
  set = dyno_sensor_set_discover (0);
  assert_explained (set, "battery", "charger");
}

/* Writes a file for each processor this test may run on. */
static void
write_processors (MachineTree *tree, const char *file, const char *text)
{
  cpu_set_t allowed;

  g_assert_cmpint (sched_getaffinity (0, sizeof allowed, &allowed), ==, 0);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &allowed))
      {
        g_autofree char *path = g_strdup_printf ("sys/devices/system/cpu/cpu%d/%s", i, file);
        g_autofree char *name = g_build_filename (tree->root, path, NULL);

        if (g_file_test (name, G_FILE_TEST_EXISTS))
          overwrite (tree, path, text);
        else
          machine_tree_write (tree, path, text);
      }
}

static void
test_clock (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *throttle;

  write_processors (tree, "cpufreq/scaling_cur_freq", "3100000\n");
  write_processors (tree, "thermal_throttle/core_throttle_count", "7\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpfloat (read_value (find (set, DYNO_SENSOR_CLOCK, "cpu")), ==, 3100);
  throttle = find (set, DYNO_SENSOR_THROTTLE, "cpu");
  g_assert_cmpfloat (read_value (throttle), ==, 0);
  write_processors (tree, "thermal_throttle/core_throttle_count", "8\n");
  g_assert_cmpfloat (read_value (throttle), ==, 1);
  g_assert_cmpfloat (read_value (throttle), ==, 0);
}

static void
test_estimate (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) without = dyno_sensor_set_discover (0);
  g_autoptr (DynoSensorSet) no_kernel = dyno_sensor_set_discover (100);
  g_autoptr (DynoSensorSet) set = NULL;
  g_autoptr (DynoSensorSet) beside_counter = NULL;
  double tick = 100.0 / (double)(sysconf (_SC_CLK_TCK) * sysconf (_SC_NPROCESSORS_ONLN));
  DynoSensor *sensor;
  double joules;

  assert_explained (without, "estimate", "tdp-watts");
  assert_explained (no_kernel, "estimate", "CPU load");
  machine_tree_write (tree, "proc/stat", "cpu  100 20 30 4000 500 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
  set = dyno_sensor_set_discover (100);
  sensor = find (set, DYNO_SENSOR_ENERGY, "estimate");
  g_assert_true (dyno_sensor_get_info (sensor)->estimated);
  g_assert_cmpfloat (read_value (sensor), ==, 0);
  overwrite (tree, "proc/stat", "cpu  110 22 33 9000 900 7 9 90 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
  /* More than the processors could have done meanwhile comes as time goes on, until all of it is there. */
  while ((joules = read_value (sensor)) < (10 + 2 + 3 + 1 + 2) * tick - 1e-9)
    continue;
  g_assert_cmpfloat_with_epsilon (joules, (10 + 2 + 3 + 1 + 2) * tick, 1e-9);
  g_assert_cmpfloat_with_epsilon (read_value (sensor), joules, 1e-9);
  overwrite (tree, "proc/stat", "intr 110 22 33\n");
  assert_no_value (sensor);

  add_zone (tree, "intel-rapl:0", "package-0\n", "1000000\n");
  beside_counter = dyno_sensor_set_discover (100);
  g_assert_null (find (beside_counter, DYNO_SENSOR_ENERGY, "estimate"));
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/sensors/nothing", test_nothing },
  { "/sensors/rapl", test_rapl },
  { "/sensors/rapl-wraps", test_rapl_wraps },
  { "/sensors/rapl-garbage", test_rapl_garbage },
  { "/sensors/rapl-garbage-at-first", test_rapl_garbage_at_first },
  { "/sensors/rapl-half", test_rapl_half },
  { "/sensors/rapl-without-memory", test_rapl_without_memory },
  { "/sensors/rapl-forbidden", test_rapl_forbidden },
  { "/sensors/rapl-twice", test_rapl_twice },
  { "/sensors/perf", test_perf },
  { "/sensors/perf-half", test_perf_half },
  { "/sensors/perf-refused", test_perf_refused },
  { "/sensors/perf-denied", test_perf_denied },
  { "/sensors/hwmon", test_hwmon },
  { "/sensors/hwmon-boards", test_hwmon_boards },
  { "/sensors/hwmon-configuration", test_hwmon_configuration },
  { "/sensors/hwmon-sockets", test_hwmon_sockets },
  { "/sensors/battery", test_battery },
  { "/sensors/battery-on-mains", test_battery_on_mains },
  { "/sensors/clock", test_clock },
  { "/sensors/estimate", test_estimate },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)

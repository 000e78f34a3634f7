/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-set.h"
#include "machine-tree.h"
#include "suite.h"

#define UNITS "sys/bus/event_source/devices/"

/* The events requested from the kernel, and its answers. */
typedef struct
{
  DynoPerfEvent event;
  int processor;
  int writer;
} Opened;

static Opened opened[64];
static guint n_opened;
static int refusal;

static int
open_fake (const DynoPerfEvent *event, int processor)
{
  int ends[2];

  if (refusal != 0)
    {
      errno = refusal;
      return -1;
    }
  g_assert_cmpuint (n_opened, <, G_N_ELEMENTS (opened));
  g_assert_cmpint (pipe2 (ends, O_NONBLOCK), ==, 0);
  opened[n_opened++] = (Opened){ *event, processor, ends[1] };
  return ends[0];
}

static void
answer (guint which, guint64 count, guint64 enabled, guint64 running)
{
  const guint64 reading[] = { count, enabled, running };

  g_assert_cmpint (write (opened[which].writer, reading, sizeof reading), ==, sizeof reading);
}

/* All counters are equal; one reading is for discovery. */
static void
answer_all (guint64 count)
{
  for (guint i = 0; i < n_opened; i++)
    answer (i, count, 100, 100);
}

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
  n_opened = 0;
  refusal = 0;
  dyno_perf_event_set_opener (open_fake);
}

static void
tear_down (MachineTree *tree, gconstpointer data)
{
  dyno_perf_event_set_opener (NULL);
  for (guint i = 0; i < n_opened; i++)
    close (opened[i].writer);
  machine_tree_tear_down (tree, data);
}

static void
write_unit (MachineTree *tree, const char *unit, const char *file, const char *text)
{
  g_autofree char *path = g_build_filename (UNITS, unit, file, NULL);

  machine_tree_write (tree, path, text);
}

static void
add_intel_unit (MachineTree *tree, const char *unit, const char *type, const char *read, const char *written)
{
  static const char *const scale = "6.103515625e-5\n";

  write_unit (tree, unit, "type", type);
  write_unit (tree, unit, "cpumask", "0,24\n");
  write_unit (tree, unit, "format/event", "config:0-7\n");
  write_unit (tree, unit, "format/umask", "config:8-15\n");
  for (guint i = 0; i < 2; i++)
    {
      const char *event = i == 0 ? read : written;
      g_autofree char *name = g_strconcat ("events/", event, NULL);
      g_autofree char *scale_name = g_strconcat (name, ".scale", NULL);
      g_autofree char *unit_name = g_strconcat (name, ".unit", NULL);

      write_unit (tree, unit, name, i == 0 ? "event=0x04,umask=0x0f\n" : "event=0x04,umask=0x30\n");
      write_unit (tree, unit, scale_name, scale);
      write_unit (tree, unit, unit_name, "MiB\n");
    }
}

static DynoSensor *
find_traffic (DynoSensorSet *set)
{
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    if (dyno_sensor_get_info (dyno_sensor_set_get_sensor (set, i))->kind == DYNO_SENSOR_TRAFFIC)
      return dyno_sensor_set_get_sensor (set, i);
  return NULL;
}

static char *
explain (DynoSensorSet *set)
{
  return dyno_sensor_set_explain (set, (const char *const[]){ "traffic", NULL });
}

/* Two controllers on two packages, reads and writes: eight counters make one sensor. */
static void
test_intel (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *sensor;
  gint64 time;
  double value;

  add_intel_unit (tree, "uncore_imc_0", "18\n", "cas_count_read", "cas_count_write");
  add_intel_unit (tree, "uncore_imc_1", "19\n", "cas_count_read", "cas_count_write");
  add_intel_unit (tree, "uncore_imc_free_running_0", "20\n", "read", "write"); /* the same traffic again */
  set = dyno_sensor_set_discover (0);
  sensor = find_traffic (set);
  g_assert_nonnull (sensor);
  g_assert_cmpuint (n_opened, ==, 8);
  for (guint i = 0; i < n_opened; i++)
    {
      g_assert_cmpuint (opened[i].event.config, ==, i % 4 < 2 ? 0x0f04 : 0x3004);
      g_assert_cmpint (opened[i].processor, ==, i % 2 == 0 ? 0 : 24);
      g_assert_cmpuint (opened[i].event.type, !=, 20);
    }
  g_assert_false (dyno_sensor_get_info (sensor)->estimated);
  answer_all (1000000);
  g_assert_true (dyno_sensor_read (sensor, &time, &value));
  g_assert_cmpfloat_with_epsilon (value, 8 * 1000000 * 64 / 1e9, 1e-9);
}

static void
test_client (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_intel_unit (tree, "uncore_imc", "15\n", "data_reads", "data_writes");
  set = dyno_sensor_set_discover (0);
  g_assert_nonnull (find_traffic (set));
  g_assert_cmpuint (n_opened, ==, 4);
}

/* A counter that ran half of the time is doubled; one that never ran is unknown. */
static void
test_turns (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  DynoSensor *sensor;
  gint64 time;
  double value;

  machine_tree_fill (tree, UNITS "amd_umc_0", "type=30\n", "cpumask=0\n", "format/event=config:0-7\n", NULL);
  set = dyno_sensor_set_discover (0);
  sensor = find_traffic (set);
  g_assert_nonnull (sensor);
  g_assert_cmpuint (opened[0].event.config, ==, 0x0a);
  answer (0, 500, 100, 50);
  g_assert_true (dyno_sensor_read (sensor, &time, &value));
  g_assert_cmpfloat_with_epsilon (value, 1000 * 64 / 1e9, 1e-12);
  answer (0, 0, 100, 0);
  g_assert_false (dyno_sensor_read (sensor, &time, &value));
}

static void
add_data_fabric (MachineTree *tree, const char *cpuinfo)
{
  machine_tree_fill (tree, UNITS "amd_df", "type=12\n", "cpumask=0\n", "format/event=config:0-7,32-35\n",
                     "format/umask=config:8-15\n", NULL);
  machine_tree_write (tree, "proc/cpuinfo", cpuinfo);
}

/* The highest bits of an event's number lie apart; what takes turns is an estimate. */
static void
test_data_fabric (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_data_fabric (tree, "cpu family\t: 25\nmodel\t\t: 33\nmodel name\t: X\n");
  set = dyno_sensor_set_discover (0);
  g_assert_nonnull (find_traffic (set));
  g_assert_cmpuint (n_opened, ==, 8);
  g_assert_cmphex (opened[0].event.config, ==, 0x3807);
  g_assert_cmphex (opened[7].event.config, ==, G_GUINT64_CONSTANT (0x1000038c7));
  g_assert_true (dyno_sensor_get_info (find_traffic (set))->estimated);
}

/* Later processors count other things under the same numbers. */
static void
test_later_data_fabric (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;

  add_data_fabric (tree, "cpu family\t: 25\nmodel\t\t: 17\n");
  set = dyno_sensor_set_discover (0);
  g_assert_null (find_traffic (set));
  g_assert_cmpuint (n_opened, ==, 0);
}

static void
test_mesh (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  gint64 time;
  double value;

  machine_tree_fill (tree, UNITS "arm_cmn_0", "type=9\n", "cpumask=3\n", "format/type=config:0-15\n",
                     "format/eventid=config:16-26\n", "events/hnf_mc_reqs=type=0x5,eventid=0xd\n",
                     "events/hnf_mc_retries=type=0x5,eventid=0xc\n", NULL);
  set = dyno_sensor_set_discover (0);
  g_assert_nonnull (find_traffic (set));
  g_assert_cmphex (opened[0].event.config, ==, 0xd0005);
  g_assert_cmphex (opened[1].event.config, ==, 0xc0005);
  g_assert_cmpint (opened[0].processor, ==, 3);
  answer (0, 1000, 1, 1);
  answer (1, 100, 1, 1);
  g_assert_true (dyno_sensor_read (find_traffic (set), &time, &value));
  g_assert_cmpfloat_with_epsilon (value, 900 * 64 / 1e9, 1e-12);
}

static void
test_refused (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  g_autofree char *text = NULL;

  add_intel_unit (tree, "uncore_imc_0", "18\n", "cas_count_read", "cas_count_write");
  machine_tree_write (tree, "proc/sys/kernel/perf_event_paranoid", "3\n");
  refusal = EACCES;
  set = dyno_sensor_set_discover (0);
  text = explain (set);
  g_assert_null (find_traffic (set));
  g_assert_nonnull (strstr (text, "perf_event_paranoid is 3"));
  g_assert_nonnull (strstr (text, "sysctl kernel.perf_event_paranoid=0"));
  g_assert_nonnull (strstr (text, "CAP_PERFMON"));
}

/* A unit without events is reported, and differs from a machine without units. */
static void
test_unnamed (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) nothing = dyno_sensor_set_discover (0);
  g_autofree char *no_unit = explain (nothing);
  g_autoptr (DynoSensorSet) set = NULL;
  g_autofree char *no_event = NULL;

  write_unit (tree, "uncore_imc_0", "type", "18\n");
  set = dyno_sensor_set_discover (0);
  no_event = explain (set);
  g_assert_null (find_traffic (set));
  g_assert_cmpuint (n_opened, ==, 0);
  g_assert_nonnull (strstr (no_unit, "irtual machine"));
  g_assert_nonnull (strstr (no_event, "newer kernel"));
}

/* The energy of two packages is also read by perf; events that the kernel does not name are not opened. */
static void
test_energy (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  gint64 time;
  double value;

  machine_tree_fill (tree, UNITS "power", "type=22\n", "cpumask=0,24\n", "format/event=config:0-7\n",
                     "events/energy-pkg=event=0x02\n",
                     "events/energy-pkg.scale=2.3283064365386962890625e-10\n",
                     "events/energy-pkg.unit=Joules\n", NULL);
  set = dyno_sensor_set_discover (0);
  g_assert_cmpuint (n_opened, ==, 2);
  g_assert_cmpuint (opened[1].event.type, ==, 22);
  g_assert_cmpuint (opened[1].event.config, ==, 2);
  g_assert_cmpint (opened[1].processor, ==, 24);
  g_assert_cmpuint (dyno_sensor_set_get_n_sensors (set), ==, 2);
  answer (1, G_GUINT64_CONSTANT (3) << 32, 1, 1);
  g_assert_true (dyno_sensor_read (dyno_sensor_set_get_sensor (set, 1), &time, &value));
  g_assert_cmpfloat (value, ==, 3);
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/traffic/intel", test_intel },
  { "/traffic/client", test_client },
  { "/traffic/turns", test_turns },
  { "/traffic/data-fabric", test_data_fabric },
  { "/traffic/later-data-fabric", test_later_data_fabric },
  { "/traffic/mesh", test_mesh },
  { "/traffic/refused", test_refused },
  { "/traffic/unnamed", test_unnamed },
  { "/traffic/energy", test_energy },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, tear_down)

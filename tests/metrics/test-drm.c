/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "metric-fixture.h"
#include "overwrite.h"
#include "suite.h"

#define BOARD     "0000:03:00.0"
#define OTHER     "0000:00:02.0"
#define SECOND    G_GINT64_CONSTANT (1000000000)
#define NAMESPACE "pid:[4026531836]"
#define NOBODY    65534

/* A text of the kernel about an open file, up to its engines. */
#define HEAD(driver, id)                                                                                     \
  "pos:\t0\nflags:\t02100002\nmnt_id:\t26\ndrm-driver:\t" driver "\ndrm-client-id:\t" id                     \
  "\ndrm-pdev:\t" BOARD "\ndrm-total-memory:\t12 KiB\n"

typedef struct
{
  MachineTree tree;
  GArray *pids;
  DynoDrmUsage *usage;
} Fixture;

static void
link_to (MachineTree *tree, const char *link, const char *target)
{
  g_autofree char *path = g_build_filename (tree->root, link, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
add_device (MachineTree *tree, const char *node, const char *address, const char *driver)
{
  g_autofree char *vendor = g_build_filename ("sys/devices", address, "vendor", NULL);
  g_autofree char *module = g_build_filename ("sys/bus/drivers", driver, "uevent", NULL);
  g_autofree char *device = g_build_filename (tree->root, "sys/devices", address, NULL);
  g_autofree char *device_link = g_build_filename ("sys/class", node, "device", NULL);
  g_autofree char *driver_folder = g_build_filename (tree->root, "sys/bus/drivers", driver, NULL);
  g_autofree char *driver_link = g_build_filename ("sys/devices", address, "driver", NULL);
  g_autofree char *driver_path = g_build_filename (tree->root, driver_link, NULL);

  machine_tree_write (tree, vendor, "0x1002\n");
  machine_tree_write (tree, module, "\n");
  link_to (tree, device_link, device);
  if (!g_file_test (driver_path, G_FILE_TEST_EXISTS))
    link_to (tree, driver_link, driver_folder);
}

static void
write_text (MachineTree *tree, int pid, int descriptor, const char *text)
{
  g_autofree char *path = g_strdup_printf ("proc/%d/fdinfo/%d", pid, descriptor);

  machine_tree_write (tree, path, text);
}

static void
open_file (MachineTree *tree, int pid, int descriptor, const char *node, const char *text)
{
  g_autofree char *link = g_strdup_printf ("proc/%d/fd/%d", pid, descriptor);
  g_autofree char *target = dyno_paths_build (DYNO_PATH_ROOT, "dev", node, NULL);

  link_to (tree, link, target);
  write_text (tree, pid, descriptor, text);
}

static void
close_file (MachineTree *tree, int pid, int descriptor)
{
  g_autofree char *link = g_strdup_printf ("%s/proc/%d/fd/%d", tree->root, pid, descriptor);

  g_assert_cmpint (unlink (link), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const char *const nodes[] = { "renderD128", "card1", NULL };
  static const GPid pids[] = { 70, 71 };

  machine_tree_set_up (&fixture->tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
  fixture->pids = g_array_new (FALSE, FALSE, sizeof (GPid));
  g_array_append_vals (fixture->pids, pids, G_N_ELEMENTS (pids));
  fixture->usage = dyno_drm_usage_new (BOARD, nodes);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_drm_usage_free (fixture->usage);
  g_array_unref (fixture->pids);
  machine_tree_tear_down (&fixture->tree, data);
}

static void
assert_busy (Fixture *fixture, double seconds, double expected)
{
  double busy = -1;

  g_assert_true (
      dyno_drm_usage_read (fixture->usage, fixture->pids, (gint64)((double)SECOND * seconds), &busy));
  g_assert_cmpfloat_with_epsilon (busy, expected, 1e-6);
}

static void
assert_nothing (Fixture *fixture, double seconds)
{
  double busy;

  g_assert_false (
      dyno_drm_usage_read (fixture->usage, fixture->pids, (gint64)((double)SECOND * seconds), &busy));
}

/* Two texts of one client, a second apart, and how busy it kept the device meanwhile. */
typedef struct
{
  const char *path;
  const char *before;
  const char *after;
  double percent;
} Pair;

static const Pair pairs[] = {
  { "time", HEAD ("amdgpu", "7") "drm-engine-gfx:\t1000000000 ns\n",
    HEAD ("amdgpu", "7") "drm-engine-gfx:\t1500000000 ns\n", 50 },
  { "busiest-engine", HEAD ("amdgpu", "7") "drm-engine-gfx:\t0 ns\ndrm-engine-compute:\t5 ns\n",
    HEAD ("amdgpu", "7") "drm-engine-gfx:\t250000000 ns\ndrm-engine-compute:\t750000005 ns\n", 75 },
  { "capacity", HEAD ("i915", "7") "drm-engine-video:\t0 ns\ndrm-engine-capacity-video:\t2\n",
    HEAD ("i915", "7") "drm-engine-video:\t800000000 ns\ndrm-engine-capacity-video:\t2\n", 40 },
  { "cycles", HEAD ("xe", "7") "drm-cycles-rcs:\t100\ndrm-total-cycles-rcs:\t9000\n",
    HEAD ("xe", "7") "drm-cycles-rcs:\t700\ndrm-total-cycles-rcs:\t11000\n", 30 },
  { "cycles-of-several", HEAD ("xe", "7") "drm-cycles-vcs:\t0\ndrm-total-cycles-vcs:\t50\n",
    HEAD ("xe", "7") "drm-cycles-vcs:\t600\ndrm-total-cycles-vcs:\t1050\ndrm-engine-capacity-vcs:\t2\n", 30 },
  { "highest-clock", HEAD ("msm", "7") "drm-cycles-gpu:\t0\ndrm-maxfreq-gpu:\t800 MHz\n",
    HEAD ("msm", "7") "drm-cycles-gpu:\t200000000\ndrm-maxfreq-gpu:\t800 MHz\n", 25 },
  { "time-before-cycles",
    HEAD ("panthor",
          "7") "drm-engine-panthor:\t0 ns\ndrm-cycles-panthor:\t0\ndrm-maxfreq-panthor:\t1000 Hz\n",
    HEAD ("panthor",
          "7") "drm-engine-panthor:\t600000000 ns\ndrm-cycles-panthor:\t9\ndrm-maxfreq-panthor:\t1000 Hz\n"
               "drm-curfreq-panthor:\t500 Hz\n",
    60 },
  { "npu", HEAD ("amdxdna_accel_driver", "7") "drm-engine-npu-amdxdna:\t4 ns\n",
    HEAD ("amdxdna_accel_driver", "7") "drm-engine-npu-amdxdna:\t900000004 ns\n", 90 },
  { "without-number", "drm-driver:\tamdgpu\ndrm-engine-gfx:\t0 ns\n",
    "drm-driver:\tamdgpu\ndrm-engine-gfx:\t100000000 ns\n", 10 },
  { "engine-that-comes", HEAD ("amdgpu", "7") "drm-engine-dma:\t0 ns\n",
    HEAD ("amdgpu", "7") "drm-engine-dma:\t0 ns\ndrm-engine-compute:\t200000000 ns\n", 20 },
  { "more-than-there-was-time", HEAD ("amdgpu", "7") "drm-engine-gfx:\t0 ns\n",
    HEAD ("amdgpu", "7") "drm-engine-gfx:\t1700000000 ns\n", 100 },
};

static void
test_pair (Fixture *fixture, gconstpointer data)
{
  const Pair *pair = data;

  open_file (&fixture->tree, 70, 5, "dri/renderD128", pair->before);
  assert_busy (fixture, 10, 0);
  write_text (&fixture->tree, 70, 5, pair->after);
  assert_busy (fixture, 11, pair->percent);
}

/* Drivers count some work when it ends: the excess is shown later. */
static void
test_late (Fixture *fixture, gconstpointer data)
{
  open_file (&fixture->tree, 70, 5, "dri/renderD128", HEAD ("v3d", "1") "drm-engine-bin: 0 ns\n");
  assert_busy (fixture, 1, 0);
  write_text (&fixture->tree, 70, 5, HEAD ("v3d", "1") "drm-engine-bin: 3000000000 ns\n");
  assert_busy (fixture, 2, 100);
  assert_busy (fixture, 3.5, 250);
  assert_busy (fixture, 9, 300);
}

/* One client counts once, however many descriptors and processes have it; two count twice. */
static void
test_clients (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int pid;
    int descriptor;
    const char *id;
  } files[] = { { 70, 5, "7" }, { 70, 6, "7" }, { 71, 9, "7" }, { 71, 10, "8" } };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = g_strdup_printf (HEAD ("amdgpu", "%s") "drm-engine-gfx:\t0 ns\n", files[i].id);

      open_file (&fixture->tree, files[i].pid, files[i].descriptor, i == 1 ? "dri/card1" : "dri/renderD128",
                 text);
    }
  assert_busy (fixture, 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text =
          g_strdup_printf (HEAD ("amdgpu", "%s") "drm-engine-gfx:\t300000000 ns\n", files[i].id);

      write_text (&fixture->tree, files[i].pid, files[i].descriptor, text);
    }
  assert_busy (fixture, 2, 60);
}

/* Other files and other devices do not count. */
static void
test_others (Fixture *fixture, gconstpointer data)
{
  open_file (&fixture->tree, 70, 3, "null", "pos:\t0\n");
  open_file (&fixture->tree, 70, 4, "dri/renderD129", HEAD ("amdgpu", "3") "drm-engine-gfx:\t0 ns\n");
  open_file (&fixture->tree, 70, 5, "dri/renderD128",
             "drm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-engine-render:\t0 ns\n");
  open_file (&fixture->tree, 70, 6, "dri/renderD128", HEAD ("nouveau", "9"));
  assert_nothing (fixture, 1);
  open_file (&fixture->tree, 70, 7, "dri/renderD128", HEAD ("amdgpu", "4") "drm-engine-gfx:\t0 ns\n");
  assert_busy (fixture, 2, 0);
}

/* A number may fall back for a moment, a client may close its files, and what it did still counts. */
static void
test_falls_and_vanishes (Fixture *fixture, gconstpointer data)
{
  open_file (&fixture->tree, 70, 5, "dri/renderD128", HEAD ("i915", "1") "drm-engine-render: 0 ns\n");
  assert_busy (fixture, 1, 0);
  write_text (&fixture->tree, 70, 5, HEAD ("i915", "1") "drm-engine-render: 400000000 ns\n");
  assert_busy (fixture, 2, 40);
  write_text (&fixture->tree, 70, 5, HEAD ("i915", "1") "drm-engine-render: 300000000 ns\n");
  assert_busy (fixture, 3, 40);
  write_text (&fixture->tree, 70, 5, HEAD ("i915", "1") "drm-engine-render: 500000000 ns\n");
  assert_busy (fixture, 4, 50);
  close_file (&fixture->tree, 70, 5);
  assert_busy (fixture, 5, 50);
  /* A file that was opened since counts from its beginning. */
  open_file (&fixture->tree, 70, 6, "dri/renderD128", HEAD ("i915", "2") "drm-engine-render: 100000000 ns\n");
  assert_busy (fixture, 6, 60);
}

/* Between two searches, a second apart, only known files are looked at; a file that was opened since counts from its
 * beginning. */
static void
test_between_searches (Fixture *fixture, gconstpointer data)
{
  open_file (&fixture->tree, 70, 5, "dri/renderD128", HEAD ("i915", "1") "drm-engine-render: 0 ns\n");
  assert_busy (fixture, 1, 0);
  write_text (&fixture->tree, 70, 5, HEAD ("i915", "1") "drm-engine-render: 200000000 ns\n");
  open_file (&fixture->tree, 70, 6, "dri/renderD128", HEAD ("i915", "2") "drm-engine-render: 100000000 ns\n");
  assert_busy (fixture, 1.5, 20);
  assert_busy (fixture, 2.5, 30);
}

/* A client that closes one of two descriptors stays known, whichever of them was looked at. */
static void
test_closes_one (Fixture *fixture, gconstpointer data)
{
  static const int descriptors[] = { 5, 6 };

  for (guint i = 0; i < G_N_ELEMENTS (descriptors); i++)
    open_file (&fixture->tree, 70, descriptors[i], "dri/renderD128",
               HEAD ("i915", "1") "drm-engine-render: 100000000 ns\n");
  assert_busy (fixture, 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (descriptors); i++)
    write_text (&fixture->tree, 70, descriptors[i], HEAD ("i915", "1") "drm-engine-render: 400000000 ns\n");
  close_file (&fixture->tree, 70, GPOINTER_TO_INT (data));
  dyno_drm_usage_read (fixture->usage, fixture->pids, SECOND + SECOND / 2, &(double){ 0 });
  assert_busy (fixture, 2.5, 30);
}

static const char *const hostile[] = {
  HEAD ("x", "7") "drm-engine-gfx:\t99999999999999999999999 ns\n",
  HEAD ("x", "7") "drm-engine-gfx:\t-5 ns\n",
  HEAD ("x", "7") "drm-engine-gfx:\t5 us\n",
  HEAD ("x", "7") "drm-engine-gfx:\t5 ns ns\n",
  HEAD ("x", "7") "drm-engine-gfx:\t\n",
  HEAD ("x", "7") "drm-engine-gfx:\t5 ns\ndrm-engine-capacity-gfx:\t0\n",
  HEAD ("x", "7") "drm-cycles-gfx:\t5\ndrm-maxfreq-gfx:\t99999999999999999 MHz\n",
  HEAD ("x", "7") "drm-engine-gfx:\t3600000000000 ns\n",
  HEAD ("x", "seven") "drm-engine-gfx:\t5 ns\n",
};

/* A number that cannot be makes all that follows unknown. */
static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  open_file (&fixture->tree, 70, 5, "dri/renderD128", HEAD ("x", "7") "drm-engine-gfx:\t0 ns\n");
  assert_busy (fixture, 1, 0);
  write_text (&fixture->tree, 70, 5, data);
  assert_nothing (fixture, 2);
  write_text (&fixture->tree, 70, 5, HEAD ("x", "7") "drm-engine-gfx:\t9 ns\n");
  assert_nothing (fixture, 3);
}

static void
test_many_engines (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD ("x", "7"));

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "drm-engine-e%u:\t1 ns\n", i);
  open_file (&fixture->tree, 70, 5, "dri/renderD128", text->str);
  assert_nothing (fixture, 1);
}

/* Without the right to look at one of the processes, nothing is known of all. Root may look at anything, so the test
 * temporarily becomes another user. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->tree.root, "proc/71/fd", NULL);
  g_autofree char *proc = g_build_filename (fixture->tree.root, "proc", NULL);
  uid_t self = geteuid ();

  open_file (&fixture->tree, 71, 5, "dri/renderD128", HEAD ("amdgpu", "7") "drm-engine-gfx:\t0 ns\n");
  assert_busy (fixture, 1, 0);
  g_assert_cmpint (chmod (fixture->tree.root, 0755) | chmod (proc, 0755) | chmod (folder, 0), ==, 0);
  if (self == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
  assert_nothing (fixture, 2);
  if (self == 0)
    g_assert_cmpint (seteuid (self), ==, 0);
  g_assert_cmpint (chmod (folder, 0755), ==, 0);
  assert_nothing (fixture, 3);
}

/* Of all processes: those that have the device open are looked at each time, the others once a second; a file that one of
 * them opened since counts from its beginning. */
static void
test_all (Fixture *fixture, gconstpointer data)
{
  double busy = -1;

  open_file (&fixture->tree, 900, 3, "dri/renderD128", HEAD ("amdgpu", "1") "drm-engine-gfx:\t0 ns\n");
  machine_tree_write (&fixture->tree, "proc/stat", "cpu 1\n");
  machine_tree_write (&fixture->tree, "proc/901/status", "\n");
  g_assert_true (dyno_drm_usage_read (fixture->usage, NULL, SECOND, &busy));
  write_text (&fixture->tree, 900, 3, HEAD ("amdgpu", "1") "drm-engine-gfx:\t100000000 ns\n");
  g_assert_true (dyno_drm_usage_read (fixture->usage, NULL, SECOND + SECOND / 2, &busy));
  g_assert_cmpfloat_with_epsilon (busy, 10, 1e-6);
  open_file (&fixture->tree, 901, 4, "dri/renderD128", HEAD ("amdgpu", "2") "drm-engine-gfx:\t500 ns\n");
  g_assert_true (dyno_drm_usage_read (fixture->usage, NULL, 3 * SECOND, &busy));
  write_text (&fixture->tree, 901, 4, HEAD ("amdgpu", "2") "drm-engine-gfx:\t200000500 ns\n");
  g_assert_true (dyno_drm_usage_read (fixture->usage, NULL, 4 * SECOND, &busy));
  g_assert_cmpfloat_with_epsilon (busy, 30.00005, 1e-6);
}

/* Sensors */

static DynoSensor *
find (DynoSensorSet *set, const char *name)
{
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    if (g_str_equal (dyno_sensor_get_info (dyno_sensor_set_get_sensor (set, i))->name, name))
      return dyno_sensor_set_get_sensor (set, i);
  return NULL;
}

static gboolean
read_sensor (DynoSensorSet *set, const char *name, double *value)
{
  DynoSensor *sensor = find (set, name);
  gint64 time;

  g_assert_nonnull (sensor);
  return dyno_sensor_read (sensor, &time, value);
}

static void
test_devices (Fixture *fixture, gconstpointer data)
{
  MachineTree *tree = &fixture->tree;
  g_autoptr (DynoSensorSet) set = NULL;
  g_autofree char *reason = NULL;

  add_device (tree, "drm/renderD129", BOARD, "amdgpu");
  add_device (tree, "drm/card1", BOARD, "amdgpu");
  add_device (tree, "drm/renderD128", OTHER, "i915");
  add_device (tree, "accel/accel0", "0000:00:0b.0", "amdxdna");
  machine_tree_write (tree, "sys/class/drm/card1-HDMI-A-1/status", "connected\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpint (dyno_sensor_get_info (find (set, "amdgpu_process"))->domain, ==, DYNO_DOMAIN_DEVICE);
  g_assert_cmpstr (dyno_sensor_get_info (find (set, "amdgpu_process"))->device, ==, BOARD);
  g_assert_cmpint (dyno_sensor_get_info (find (set, "i915_process"))->domain, ==, DYNO_DOMAIN_UNCORE);
  g_assert_nonnull (find (set, "npu_process"));
  g_assert_null (find (set, "amdgpu"));
  g_assert_null (find (set, "amdgpu_2_process"));
  /* A device that only says how busy it is gives no case a board to be charged with. */
  g_assert_null (dyno_sensor_device_find (set, NULL, NULL, &reason));
  g_assert_null (reason);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = dyno_sensor_set_discover (0);
  g_autofree char *why = dyno_sensor_set_explain (set, (const char *const[]){ "drm", NULL });

  g_assert_nonnull (strstr (why, "DRM"));
}

/* All programs are seen only from outside of containers, and by who may look at them. */
static void
test_whole (Fixture *fixture, gconstpointer data)
{
  MachineTree *tree = &fixture->tree;
  g_autoptr (DynoSensorSet) contained = NULL;
  g_autoptr (DynoSensorSet) set = NULL;
  g_autofree char *name = NULL;
  double value = -1;

  add_device (tree, "drm/renderD128", BOARD, "amdgpu");
  open_file (tree, 1, 3, "dri/renderD128", HEAD ("amdgpu", "1") "drm-engine-gfx:\t0 ns\n");
  link_to (tree, "proc/self/ns/pid", "pid:[4026532198]");
  contained = dyno_sensor_set_discover (0);
  g_assert_null (find (contained, "amdgpu"));
  name = g_build_filename (tree->root, "proc/self/ns/pid", NULL);
  g_assert_cmpint (unlink (name), ==, 0);
  link_to (tree, "proc/self/ns/pid", NAMESPACE);
  set = dyno_sensor_set_discover (0);
  g_assert_true (read_sensor (set, "amdgpu", &value));
  g_assert_cmpfloat (value, ==, 0);
  g_assert_false (read_sensor (set, "amdgpu_process", &value));
}

/* The driver's own shares, of the time since the reading before. */
static void
test_shares (Fixture *fixture, gconstpointer data)
{
  MachineTree *tree = &fixture->tree;
  g_autoptr (DynoSensorSet) set = NULL;
  double before, after, memory;
  gint64 began, ended;

  add_device (tree, "drm/renderD128", BOARD, "amdgpu");
  machine_tree_write (tree, "sys/devices/" BOARD "/gpu_busy_percent", "80\n");
  machine_tree_write (tree, "sys/devices/" BOARD "/mem_busy_percent", "25\n");
  set = dyno_sensor_set_discover (0);
  began = dyno_clock_now_ns ();
  g_assert_true (read_sensor (set, "amdgpu", &before));
  g_assert_true (read_sensor (set, "amdgpu", &after));
  ended = dyno_clock_now_ns ();
  g_assert_cmpfloat (before, ==, 0);
  g_assert_cmpfloat (after, >, 0);
  g_assert_cmpfloat (after, <=, 80 * (double)(ended - began) / 1e9);
  g_assert_true (read_sensor (set, "amdgpu_memory", &memory));
  g_assert_cmpstr (dyno_sensor_get_info (find (set, "amdgpu_memory"))->facet, ==, "memory");
  overwrite (tree, "sys/devices/" BOARD "/gpu_busy_percent", "250\n");
  g_assert_false (read_sensor (set, "amdgpu", &after));
  overwrite (tree, "sys/devices/" BOARD "/gpu_busy_percent", "50\n");
  g_assert_false (read_sensor (set, "amdgpu", &after));
}

/* The metric */

/* One sample of 50 ms, in which the device works for 20 ms for this process. Returns the time from before the first
 * reading to after the last one, in s. */
static double
measure (Fixture *fixture, DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("utilisation");
  gsize end = 1;
  gint64 before, began, until, after;

  open_file (&fixture->tree, getpid (), 5, "dri/renderD128", HEAD ("amdgpu", "1") "drm-engine-gfx:\t0 ns\n");
  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->power_milliseconds = 1000;
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  measurement->samples = dyno_samples_new (1);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  measurement->sensors = dyno_sensor_set_discover (0);
  dyno_metric_start (metric, measurement);
  before = dyno_clock_now_ns ();
  dyno_sampler_mark_edge (measurement->sampler);
  began = dyno_clock_now_ns ();
  until = began + 50000000;
  while (dyno_clock_now_ns () < until)
    continue;
  write_text (&fixture->tree, getpid (), 5, HEAD ("amdgpu", "1") "drm-engine-gfx:\t20000000 ns\n");
  dyno_samples_record (measurement->samples, began, dyno_clock_now_ns ());
  dyno_sampler_mark_edge (measurement->sampler);
  after = dyno_clock_now_ns ();
  g_array_append_val (measurement->chunk_ends, end);
  measurement->steady_end = 1;
  dyno_metric_collect (metric, measurement);
  return (double)(after - before) / 1e9;
}

static void
assert_unsupported (DynoMeasurement *measurement, const char *name, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (measurement, name);

  g_assert_nonnull (value);
  g_test_message ("%s", dyno_value_get_source (value));
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

/* The device whose address is unknown is the one that this process kept busy; another one is idle. */
static void
test_metric (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  double seconds, percent;

  add_device (&fixture->tree, "drm/renderD128", BOARD, "amdgpu");
  add_device (&fixture->tree, "drm/renderD129", OTHER, "i915");
  measurement->device_kind = DYNO_DEVICE_KIND_INTEGRATED_GPU;
  seconds = measure (fixture, measurement);
  percent = dyno_measurement_get_number (measurement, "utilisation_device_percent");
  g_assert_cmpfloat (percent, >=, 0.999 * 2 / seconds);
  g_assert_cmpfloat (percent, <=, 1.001 * 2 / ((double)measurement->samples->durations[0] / 1e9));
  assert_unsupported (measurement, "utilisation_device_global_percent", "sudo");
}

static void
test_metric_by_address (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

  add_device (&fixture->tree, "drm/renderD128", BOARD, "amdgpu");
  add_device (&fixture->tree, "drm/renderD129", OTHER, "i915");
  measurement->device_kind = DYNO_DEVICE_KIND_INTEGRATED_GPU;
  measurement->device_address = g_strdup (OTHER);
  measure (fixture, measurement);
  assert_unsupported (measurement, "utilisation_device_percent", "does not say");
}

/* A mean over a second says nothing of 50 ms. */
static void
test_metric_too_short (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

  add_device (&fixture->tree, "drm/renderD128", BOARD, "amdgpu");
  machine_tree_write (&fixture->tree, "sys/devices/" BOARD "/gpu_busy_percent", "80\n");
  measurement->device_kind = DYNO_DEVICE_KIND_DISCRETE_GPU;
  measure (fixture, measurement);
  assert_unsupported (measurement, "utilisation_device_global_percent", "averages");
}

static void
test_metric_on_processor (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

  add_device (&fixture->tree, "drm/renderD128", BOARD, "amdgpu");
  measurement->device_kind = DYNO_DEVICE_KIND_CPU;
  measure (fixture, measurement);
  g_assert_null (dyno_measurement_get_value (measurement, "utilisation_device_percent"));
  g_assert_null (metric_fixture_find_trace (measurement, "utilisation_device"));
}

static void
test_metric_without_driver (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();

  measurement->device_kind = DYNO_DEVICE_KIND_DISCRETE_GPU;
  measure (fixture, measurement);
  assert_unsupported (measurement, "utilisation_device_percent", "DRM");
}

#define ADD(path, func) g_test_add ("/drm/" path, Fixture, NULL, set_up, func, tear_down)

static void
add_tests (void)
{
  ADD ("late", test_late);
  ADD ("clients", test_clients);
  ADD ("others", test_others);
  ADD ("falls-and-vanishes", test_falls_and_vanishes);
  ADD ("between-searches", test_between_searches);
  ADD ("many-engines", test_many_engines);
  ADD ("refused", test_refused);
  ADD ("all", test_all);
  ADD ("devices", test_devices);
  ADD ("nothing", test_nothing);
  ADD ("whole", test_whole);
  ADD ("shares", test_shares);
  ADD ("metric", test_metric);
  ADD ("metric-by-address", test_metric_by_address);
  ADD ("metric-too-short", test_metric_too_short);
  ADD ("metric-on-processor", test_metric_on_processor);
  ADD ("metric-without-driver", test_metric_without_driver);
  g_test_add ("/drm/closes-first", Fixture, GINT_TO_POINTER (5), set_up, test_closes_one, tear_down);
  g_test_add ("/drm/closes-second", Fixture, GINT_TO_POINTER (6), set_up, test_closes_one, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *path = g_strconcat ("/drm/", pairs[i].path, NULL);

      g_test_add (path, Fixture, &pairs[i], set_up, test_pair, tear_down);
    }
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autofree char *path = g_strdup_printf ("/drm/hostile/%u", i);

      g_test_add (path, Fixture, hostile[i], set_up, test_hostile, tear_down);
    }
}

SUITE_ADD (add_tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-sensor-source.h"
#include "suite.h"

/* Says what macOS's powermetrics would, then tells its process id to whoever opens the pipe and stays. */
#define SCRIPT                                                                                               \
  "#!/bin/sh\n"                                                                                              \
  "printf 'Machine model: Mac14,7\\n\\n*** Sampled system activity (Fri Nov 27 10:00:00 2026 +0100) '\n"     \
  "printf '(100.00ms elapsed) ***\\nGPU HW active frequency: 444 MHz\\n'\n"                                  \
  "printf 'GPU HW active residency:  40.00%%%% (444 MHz:  40%%%% 612 MHz: 0%%%%)\\n'\n"                      \
  "printf '*** Sampled system activity (Fri Nov 27 10:00:00 2026 +0100) (200.00ms elapsed) ***\\n'\n"        \
  "printf 'GPU HW active frequency: 612 MHz\\nGPU HW active residency: 60.50%%%% (612 MHz: 60%%%%)\\n'\n"    \
  "printf 'GPU HW active residency: garbage\\nGPU idle residency: 39.50%%%%\\n'\n"                           \
  "printf 'CPU Power: 900 mW\\nGPU Power: 30 mW\\nANE Power: 0 mW\\n'\n"                                     \
  "printf 'Combined Power (CPU + GPU + ANE): 930 mW\\n\\nCPU Power: 1250 mW\\nGPU Power: garbage\\n'\n"      \
  "printf 'Combined Power (CPU + GPU + ANE): 1280 mW\\nCPU Pow'\n"                                           \
  "echo $$ > '%s'\n"                                                                                         \
  "exec sleep 1000\n"

typedef struct
{
  char *folder;
  char *program;
  char *pipe;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *script = NULL;

  self->folder = g_dir_make_tmp ("dyno-powermetrics-XXXXXX", NULL);
  self->program = g_build_filename (self->folder, "powermetrics", NULL);
  self->pipe = g_build_filename (self->folder, "pipe", NULL);
  script = g_strdup_printf (SCRIPT, self->pipe);
  g_assert_cmpint (mkfifo (self->pipe, 0600), ==, 0);
  g_assert_true (g_file_set_contents_full (self->program, script, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->program);
  g_unlink (self->pipe);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->program);
  g_free (self->pipe);
  g_free (self->folder);
}

static DynoProbe *
discover (Fixture *self, GPtrArray *sensors)
{
  g_autofree char *old = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strconcat (self->folder, ":", old, NULL);
  DynoProbe *probe;

  g_setenv ("PATH", path, TRUE);
  probe = dyno_powermetrics_source.discover (sensors, 0);
  g_setenv ("PATH", old, TRUE);
  return probe;
}

/* Opening waits until the program has said all it has to say. */
static GPid
wait_for_program (Fixture *self)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (self->pipe, &text, NULL, NULL));
  return (GPid)g_ascii_strtoll (text, NULL, 10);
}

static void
assert_reading (GPtrArray *sensors, DynoSensorKind kind, const char *name, double expected)
{
  for (guint i = 0; i < sensors->len; i++)
    {
      DynoSensor *sensor = g_ptr_array_index (sensors, i);
      double reading;
      gint64 time;

      if (dyno_sensor_get_info (sensor)->kind != kind ||
          !g_str_equal (dyno_sensor_get_info (sensor)->name, name))
        continue;
      g_assert_true (dyno_sensor_get_info (sensor)->estimated == (kind == DYNO_SENSOR_POWER));
      g_assert_true (dyno_sensor_read (sensor, &time, &reading));
      g_assert_cmpfloat_with_epsilon (reading, expected, 1e-9);
      return;
    }
  g_error ("There is no sensor “%s”.", name);
}

static void
test_reads_last_sample (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) sensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoProbe) probe = NULL;
  GPid program;

  if (geteuid () != 0)
    {
      g_test_skip ("Only the administrator may run powermetrics.");
      return;
    }
  probe = discover (self, sensors);
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_AVAILABLE);
  program = wait_for_program (self);
  assert_reading (sensors, DYNO_SENSOR_POWER, "package", 1.280);
  assert_reading (sensors, DYNO_SENSOR_POWER, "core", 1.250);
  assert_reading (sensors, DYNO_SENSOR_POWER, "uncore", 0.030);
  assert_reading (sensors, DYNO_SENSOR_POWER, "ane", 0);
  assert_reading (sensors, DYNO_SENSOR_CLOCK, "gpu", 612);
  assert_reading (sensors, DYNO_SENSOR_BUSY, "gpu", 40 * 0.1 + 60.5 * 0.2);
  g_clear_pointer (&sensors, g_ptr_array_unref);
  g_assert_cmpint (kill (program, 0), ==, -1);
  g_assert_cmpint (errno, ==, ESRCH);
}

static void
test_dead_program (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) sensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoProbe) probe = NULL;
  double watts;
  gint64 time;

  if (geteuid () != 0)
    {
      g_test_skip ("Only the administrator may run powermetrics.");
      return;
    }
  g_assert_true (g_file_set_contents_full (self->program,
                                           "#!/bin/sh\nprintf 'CPU Power: 900 mW\\n'\n"
                                           "exec 1>&-\necho > \"${0%/*}/pipe\"\n",
                                           -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  probe = discover (self, sensors);
  wait_for_program (self);
  for (guint i = 0; i < sensors->len; i++)
    g_assert_false (dyno_sensor_read (g_ptr_array_index (sensors, i), &time, &watts));
}

static void
test_absent (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) sensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoProbe) probe = NULL;

  g_unlink (self->program);
  probe = discover (self, sensors);
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (dyno_probe_get_reason (probe));
  g_assert_cmpuint (sensors->len, ==, 0);
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/powermetrics/reads-last-sample", test_reads_last_sample },
  { "/powermetrics/dead-program", test_dead_program },
  { "/powermetrics/absent", test_absent },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)

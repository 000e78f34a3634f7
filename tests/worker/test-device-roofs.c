/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dyno-ceiling.h"
#include "dyno-device-ceilings.h"
#include "dyno-error.h"
#include "dyno-system.h"
#include "dyno-worker-private.h"
#include "engines.h"
#include "suite.h"

/* Long enough for the smallest sizes; how fast they are is not the test's business. */
#define SECONDS 0.5

static void
use_script (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "worker", "fixtures", name, NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
}

static gboolean
skip_without_runtime (void)
{
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);

  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
    return FALSE;
  skip_without_engine ("cpu", dyno_probe_get_reason (probe));
  return TRUE;
}

static void
assert_sound (DynoCeiling *ceiling, const char *id, const char *unit)
{
  g_test_message ("%s: %g %s, %s", dyno_ceiling_get_id (ceiling), dyno_ceiling_get_value (ceiling),
                  dyno_ceiling_get_unit (ceiling), dyno_ceiling_get_method (ceiling));
  g_assert_cmpstr (dyno_ceiling_get_id (ceiling), ==, id);
  g_assert_cmpstr (dyno_ceiling_get_unit (ceiling), ==, unit);
  g_assert_cmpstr (dyno_ceiling_get_device (ceiling), ==, "cpu:cpu");
  g_assert_cmpfloat (dyno_ceiling_get_value (ceiling), >, 0);
  g_assert_cmpfloat (dyno_ceiling_get_best (ceiling), >=, dyno_ceiling_get_value (ceiling));
  g_assert_cmpfloat (dyno_ceiling_get_spread (ceiling), >=, 0);
  g_assert_cmpint (dyno_ceiling_get_measured_at (ceiling), >, 0);
}

/* Single precision comes first, and the copy last; between them are other precisions of the device. */
static void
assert_ceilings (GPtrArray *ceilings)
{
  DynoCeiling *copy = ceilings->pdata[ceilings->len - 1];

  g_assert_cmpuint (ceilings->len, >=, 2);
  assert_sound (ceilings->pdata[0], "fp32-gemm", "FLOP/s");
  g_assert_cmpstr (dyno_ceiling_get_precision (ceilings->pdata[0]), ==, "fp32");
  assert_sound (copy, "device-copy", "B/s");
  g_assert_cmpstr (dyno_ceiling_get_mix (copy), ==, "copy");
  g_assert_cmpint (dyno_ceiling_get_bytes (copy), >=, 16 << 20);
}

static void
test_measure (void)
{
  static const char *const precisions[] = { "fp32", NULL };
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (DynoDevice) device = dyno_device_new ("cpu", "CPU", NULL, 0, precisions);
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_runtime ())
    return;
  g_assert_true (dyno_backend_start (backend, &error));
  ceilings = dyno_device_roofs_measure (backend, device, SECONDS, &error);
  g_assert_no_error (error);
  assert_ceilings (ceilings);
}

/* Half of its products run elsewhere, so their speed would be that of another device. */
static void
test_falls_back (void)
{
  static const char *const precisions[] = { "fp32", NULL };
  g_autoptr (DynoDevice) device = dyno_device_new ("fake", "Fake", NULL, 0, precisions);
  g_autoptr (GError) error = NULL;

  use_script ("fallback.json");
  g_assert_null (dyno_device_roofs_measure (dyno_backend_lookup ("fake", NULL), device, SECONDS, &error));
  use_script ("steady.json");
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK);
  g_assert_nonnull (strstr (error->message, "CPUExecutionProvider"));
}

/* Its products have a roof; its copies would be those to the page, so they have none, and it is said why. */
static void
test_brings_back (void)
{
  static const char *const precisions[] = { "fp32", NULL };
  g_autoptr (DynoDevice) device = dyno_device_new ("fake", "Fake", NULL, 0, precisions);
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (GError) error = NULL;

  use_script ("remote.json");
  ceilings = dyno_device_roofs_measure (dyno_backend_lookup ("fake", NULL), device, SECONDS, &error);
  use_script ("steady.json");
  g_assert_no_error (error);
  g_assert_cmpuint (ceilings->len, ==, 1);
  g_assert_cmpstr (dyno_ceiling_get_id (ceilings->pdata[0]), ==, "fp32-gemm");
  g_assert_nonnull (strstr (dyno_ceiling_get_derivation (ceilings->pdata[0]), "no roof"));
}

static void
take_result_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static GPtrArray *
measure_in_worker (const char *device, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  dyno_device_ceilings_measure_async (device, SECONDS, cancellable, take_result_cb, &result);
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return dyno_device_ceilings_measure_finish (result, error);
}

static void
test_worker (void)
{
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_runtime ())
    return;
  ceilings = measure_in_worker ("cpu", NULL, &error);
  g_assert_no_error (error);
  assert_ceilings (ceilings);
}

static void
assert_refused (const char *device, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (measure_in_worker (device, NULL, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  assert_refused ("abacus:beads", "abacus");
  assert_refused ("fake:no-such-device", "no-such-device");
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (measure_in_worker ("fake", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static pid_t
make_dead_process (void)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    _exit (0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  return pid;
}

static char *
leave_folder (const char *purpose, pid_t owner)
{
  g_autofree char *own = dyno_system_dup_own_name ("");
  g_autofree char *template = g_strdup_printf ("dyno-%s-%d%s", purpose, (int)owner, strchr (own, '-'));
  char *folder = g_dir_make_tmp (template, NULL);
  g_autofree char *file = g_build_filename (folder, "trace.json", NULL);

  g_assert_true (g_file_set_contents (file, "[]", -1, NULL));
  return folder;
}

static void
take_away (const char *folder)
{
  g_autofree char *file = g_build_filename (folder, "trace.json", NULL);

  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* However a worker ends, the leftovers of killed ones are removed afterwards, and nothing else. */
static void
test_clean_up (void)
{
  pid_t dead = make_dead_process ();
  g_autofree char *orphan = leave_folder ("scratch", dead);
  g_autofree char *living = leave_folder ("scratch", getpid ());
  g_autofree char *other = leave_folder ("other", dead);

  assert_refused ("abacus:beads", "abacus");
  g_assert_false (g_file_test (orphan, G_FILE_TEST_EXISTS));
  take_away (living);
  take_away (other);
}

static int
run_suite (int argc, char *argv[])
{
  /* The cleanup also covers leftovers of other processes. */
  char folder[] = "/tmp/dyno-test-XXXXXX";
  int status;

  g_assert_nonnull (g_mkdtemp (folder));
  g_setenv ("TMPDIR", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  use_script ("steady.json"); /* the list of backends is created once */
  g_test_add_func ("/device-roofs/measure", test_measure);
  g_test_add_func ("/device-roofs/falls-back", test_falls_back);
  g_test_add_func ("/device-roofs/brings-back", test_brings_back);
  g_test_add_func ("/device-roofs/worker", test_worker);
  g_test_add_func ("/device-roofs/refused", test_refused);
  g_test_add_func ("/device-roofs/cancel", test_cancel);
  g_test_add_func ("/device-roofs/clean-up", test_clean_up);
  status = g_test_run ();
  g_rmdir (folder);
  return status;
}

SUITE (run_suite)

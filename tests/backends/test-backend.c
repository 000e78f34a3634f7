/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"

static char *
build_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);
}

static void
test_list (void)
{
  g_autoptr (GListModel) list = dyno_backend_list ();
  g_autoptr (GListModel) again = dyno_backend_list ();
  gboolean has_cpu = FALSE;

  g_assert_true (g_list_model_get_item_type (list) == DYNO_TYPE_BACKEND);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (list, i);
      g_autofree char *id = NULL;
      g_autofree char *name = NULL;
      g_autofree char *description = NULL;

      g_object_get (backend, "id", &id, "name", &name, "description", &description, NULL);
      g_assert_cmpstr (id, ==, dyno_backend_get_id (backend));
      g_assert_cmpstr (name, !=, "");
      g_assert_cmpstr (description, !=, "");
      has_cpu = has_cpu || g_str_equal (id, "cpu");
    }
  g_assert_true (has_cpu);
  g_assert_true (list == again);
}

static void
test_lookup (void)
{
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup ("cpu", &error);

  g_assert_no_error (error);
  g_assert_true (backend == dyno_backend_lookup ("cpu", NULL));
  g_assert_null (dyno_backend_lookup ("abacus", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“abacus”"));
  g_assert_nonnull (strstr (error->message, "“cpu”"));
}

static void
test_fake_is_absent (void)
{
  const char *variable = g_test_subprocess () ? g_getenv ("DYNO_FAKE_BACKEND") : NULL;

  if (!g_test_subprocess ())
    {
      g_setenv ("DYNO_FAKE_BACKEND", "missing.json", TRUE);
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_unsetenv ("DYNO_FAKE_BACKEND");
      g_assert_null (dyno_backend_lookup ("fake", NULL));
      return;
    }
  g_assert_cmpstr (variable, ==, "missing.json");
  g_assert_null (dyno_backend_lookup ("fake", NULL));
}

static void
test_fake_is_present (void)
{
  if (!g_test_subprocess ())
    {
      g_autofree char *script = build_fixture ("demo.json");

      g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_unsetenv ("DYNO_FAKE_BACKEND");
      return;
    }
  g_assert_nonnull (dyno_backend_lookup ("fake", NULL));
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **stored = user_data;

  *stored = g_object_ref (result);
}

static GAsyncResult *
probe_and_wait (DynoBackend *backend, GCancellable *cancellable)
{
  GAsyncResult *result = NULL;

  dyno_backend_probe_async (backend, cancellable, store_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return result;
}

static void
test_probe_async (void)
{
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (GAsyncResult) result = probe_and_wait (backend, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = dyno_backend_probe_finish (backend, result, &error);
  g_autoptr (DynoProbe) again = dyno_backend_probe (backend, NULL);

  g_assert_no_error (error);
  g_assert_cmpint (dyno_probe_get_state (probe), ==, dyno_probe_get_state (again));
  g_assert_cmpstr (dyno_probe_get_runtime (probe), ==, dyno_probe_get_runtime (again));
}

static void
test_probe_cancelled (void)
{
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  result = probe_and_wait (backend, cancellable);
  g_assert_null (dyno_backend_probe_finish (backend, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_probe_states (void)
{
  g_assert_cmpstr (dyno_probe_state_to_string (DYNO_PROBE_AVAILABLE), ==, "available");
  g_assert_cmpstr (dyno_probe_state_to_string (DYNO_PROBE_UNSUPPORTED), ==, "unsupported");
  g_assert_cmpstr (dyno_probe_state_to_string (DYNO_PROBE_DEFERRED), ==, "deferred");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/backend/list", test_list);
  g_test_add_func ("/backend/lookup", test_lookup);
  g_test_add_func ("/backend/fake-is-absent", test_fake_is_absent);
  g_test_add_func ("/backend/fake-is-present", test_fake_is_present);
  g_test_add_func ("/backend/probe-async", test_probe_async);
  g_test_add_func ("/backend/probe-cancelled", test_probe_cancelled);
  g_test_add_func ("/backend/probe-states", test_probe_states);

  return g_test_run ();
}

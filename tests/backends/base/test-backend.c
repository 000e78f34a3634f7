/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "suite.h"

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
      g_autofree char *engine = dyno_engine_name_dup (dyno_backend_get_id (backend), NULL);

      g_object_get (backend, "id", &id, "name", &name, "description", &description, NULL);
      /* A server has a name of its own. */
      g_assert_true (dyno_backend_serves (backend) || !g_str_equal (engine, id));
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

/* Only the plug-in provides it. */
static void
test_fake_is_a_plugin (void)
{
  g_autofree char *script = build_fixture ("demo.json");
  g_autofree char *plugins = g_strdup (g_getenv ("DYNO_PLUGINS"));

  if (!g_test_subprocess ())
    {
      g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
      g_unsetenv ("DYNO_PLUGINS");
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_setenv ("DYNO_PLUGINS", plugins, TRUE);
      g_unsetenv ("DYNO_FAKE_BACKEND");
      return;
    }
  g_assert_null (dyno_backend_lookup ("fake", NULL));
  g_assert_nonnull (dyno_backend_lookup ("cpu", NULL));
}

static void
assert_spec (const char *spec, const char *id, const char *device)
{
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup_spec (spec, &found, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (dyno_backend_get_id (backend), ==, id);
  g_assert_cmpstr (found, ==, device);
}

static void
test_spec (void)
{
  g_autoptr (GError) error = NULL;

  assert_spec ("cpu", "cpu", "");
  assert_spec ("cpu:0000:65:00.0", "cpu", "0000:65:00.0");
  g_assert_null (dyno_backend_lookup_spec ("cpu:", NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (dyno_backend_lookup_spec ("", NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

/* Unless a backend says so, it accepts any model and answers quickly. */
static void
test_defaults (void)
{
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  const DynoModelNeeds needs = { .precision = "fp32", .memory_bytes = 1000 };
  g_autofree char *reason = dyno_backend_check_model (backend, &needs);

  g_assert_null (reason);
  g_assert_cmpuint (dyno_backend_get_probe_seconds (backend), ==, 20);
}

static DynoProbe *
read_probe (const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = json_from_string (json, &error);
  DynoProbe *probe;

  g_assert_no_error (error);
  probe = dyno_probe_new_from_json (json_node_get_object (node), &error);
  if (probe == NULL)
    g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  return probe;
}

static DynoProbe *
write_and_read (DynoProbe *probe)
{
  g_autoptr (JsonNode) node = dyno_probe_to_json (probe);
  g_autofree char *json = dyno_json_text_write (node, FALSE);

  return read_probe (json);
}

static void
test_probe_json (void)
{
  g_autoptr (DynoProbe) deferred = dyno_probe_new_deferred ("It sleeps.", NULL);
  g_autoptr (DynoProbe) available = dyno_probe_new_available ("Engine 1");
  g_autoptr (DynoProbe) deferred_again = NULL;
  g_autoptr (DynoProbe) available_again = NULL;
  DynoDevice *device;

  dyno_probe_set_provisional (available);
  dyno_probe_take_device (available,
                          dyno_device_new ("a", "A", NULL, 7, (const char *const[]){ "fp16", NULL }));
  deferred_again = write_and_read (deferred);
  available_again = write_and_read (available);
  g_assert_cmpint (dyno_probe_get_state (deferred_again), ==, DYNO_PROBE_DEFERRED);
  g_assert_cmpstr (dyno_probe_get_reason (deferred_again), ==, "It sleeps.");
  g_assert_null (dyno_probe_get_remedy (deferred_again));
  g_assert_cmpstr (dyno_probe_get_runtime (available_again), ==, "Engine 1");
  device = dyno_probe_find_device (available_again, "a");
  g_assert_cmpint (dyno_device_get_memory (device), ==, 7);
  g_assert_cmpint (dyno_device_get_kind (device), ==, DYNO_DEVICE_KIND_UNKNOWN);
  g_assert_null (dyno_device_get_driver (device));
  g_assert_null (dyno_device_get_address (device));
  g_assert_null (dyno_device_get_reason (device));
  g_assert_cmpstrv (dyno_device_get_precisions (device), ((const char *[]){ "fp16", NULL }));
  g_assert_true (dyno_probe_is_provisional (deferred_again));
  g_assert_true (dyno_probe_is_provisional (available_again));
}

/* It is none of the existing devices. */
static void
test_missing_device (void)
{
  g_autoptr (DynoProbe) probe = dyno_probe_new_available ("Engine 1");
  g_autoptr (DynoProbe) again = NULL;
  DynoDevice *device = dyno_device_new ("npu", "N", NULL, 0, (const char *const[]){ NULL });

  dyno_device_set_missing (device, "It is not there.", "Buy one.");
  dyno_probe_take_missing_device (probe, device);
  again = write_and_read (probe);
  g_assert_false (dyno_probe_is_provisional (again));
  g_assert_null (dyno_probe_find_device (again, "npu"));
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_devices (again)), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_missing_devices (again)), ==, 1);
  g_assert_null (dyno_probe_find_missing_device (again, "gpu"));
  device = dyno_probe_find_missing_device (again, "npu");
  g_assert_cmpstr (dyno_device_get_reason (device), ==, "It is not there.");
  g_assert_cmpstr (dyno_device_get_remedy (device), ==, "Buy one.");
}

/* A browser without WebNN has other devices, but they are not the default. */
static void
test_default_device (void)
{
  const char *const fp32[] = { "fp32", NULL };
  g_autoptr (DynoProbe) probe = dyno_probe_new_available ("Engine 1");
  DynoBackend *webnn = dyno_backend_lookup ("webnn", NULL);
  DynoBackend *cpu = dyno_backend_lookup ("cpu", NULL);

  g_assert_null (dyno_backend_find_device (cpu, probe, NULL));
  dyno_probe_take_device (probe, dyno_device_new ("wasm", "WebAssembly", NULL, 0, fp32));
  dyno_probe_take_device (probe, dyno_device_new ("b", "B", NULL, 0, fp32));
  g_assert_cmpstr (dyno_device_get_id (dyno_backend_find_device (cpu, probe, "")), ==, "wasm");
  g_assert_cmpstr (dyno_device_get_id (dyno_backend_find_device (webnn, probe, "b")), ==, "b");
  g_assert_null (dyno_backend_find_device (webnn, probe, ""));
  g_assert_cmpstr (dyno_backend_choose_device (webnn, probe, NULL), ==, "cpu");
  dyno_probe_take_device (probe, dyno_device_new ("cpu", "WebNN", NULL, 0, fp32));
  g_assert_cmpstr (dyno_device_get_id (dyno_backend_find_device (webnn, probe, NULL)), ==, "cpu");
}

static void
test_bad_probe_json (void)
{
  g_assert_null (read_probe ("{}"));
  g_assert_null (read_probe ("{\"state\": \"available\"}"));
  g_assert_null (read_probe ("{\"state\": \"unsupported\"}"));
  g_assert_null (read_probe ("{\"state\": \"available\", \"runtime\": \"E\", \"devices\": [7]}"));
  g_assert_null (
      read_probe ("{\"state\": \"available\", \"runtime\": \"E\", \"devices\": [{\"id\": \"a\"}]}"));
  g_assert_null (read_probe ("{\"state\": \"available\", \"runtime\": \"E\", "
                             "\"missing\": [{\"id\": \"a\", \"name\": \"A\"}]}"));
}

static void
test_probe_states (void)
{
  g_assert_cmpstr (dyno_probe_state_to_string (DYNO_PROBE_AVAILABLE), ==, "available");
  g_assert_cmpstr (dyno_probe_state_to_string (DYNO_PROBE_UNSUPPORTED), ==, "unsupported");
  g_assert_cmpstr (dyno_probe_state_to_string (DYNO_PROBE_DEFERRED), ==, "deferred");
}

static const SuiteTest tests[] = {
  { "/backend/list", test_list },
  { "/backend/lookup", test_lookup },
  { "/backend/fake-is-absent", test_fake_is_absent },
  { "/backend/fake-is-present", test_fake_is_present },
  { "/backend/fake-is-a-plugin", test_fake_is_a_plugin },
  { "/backend/spec", test_spec },
  { "/backend/defaults", test_defaults },
  { "/backend/probe-json", test_probe_json },
  { "/backend/missing-device", test_missing_device },
  { "/backend/default-device", test_default_device },
  { "/backend/bad-probe-json", test_bad_probe_json },
  { "/backend/probe-states", test_probe_states },
};

SUITE_TESTS (tests)

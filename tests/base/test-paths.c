/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-paths.h"
#include "suite.h"

static void
assert_path (DynoPathKind kind, const char *element, const char *expected)
{
  g_autofree char *path = dyno_paths_build (kind, element, NULL);

  g_assert_cmpstr (path, ==, expected);
}

static void
test_defaults (void)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "dyno", "models", NULL);
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "dyno", "store.db", NULL);

  assert_path (DYNO_PATH_SYSFS, "kernel", "/sys/kernel");
  assert_path (DYNO_PATH_PROCFS, "meminfo", "/proc/meminfo");
  assert_path (DYNO_PATH_ETC, "os-release", "/etc/os-release");
  assert_path (DYNO_PATH_ROOT, ".flatpak-info", "/.flatpak-info");
  assert_path (DYNO_PATH_CACHE, "models", cache);
  assert_path (DYNO_PATH_DATA, "store.db", data);
}

static void
test_elements (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_SYSFS, "devices", "system/cpu", "online", NULL);

  g_assert_cmpstr (path, ==, "/sys/devices/system/cpu/online");
}

static void
test_override (void)
{
  dyno_paths_set_root (DYNO_PATH_SYSFS, "/elsewhere");
  assert_path (DYNO_PATH_SYSFS, "kernel", "/elsewhere/kernel");
  assert_path (DYNO_PATH_PROCFS, "stat", "/proc/stat");
  dyno_paths_set_root (DYNO_PATH_SYSFS, NULL);
  assert_path (DYNO_PATH_SYSFS, "kernel", "/sys/kernel");
}

/* The environment overrides a root; an override by the program itself takes precedence. */
static void
test_environment (void)
{
  g_setenv ("DYNO_PROCFS_ROOT", "/from-environment", TRUE);
  assert_path (DYNO_PATH_PROCFS, "stat", "/from-environment/stat");
  dyno_paths_set_root (DYNO_PATH_PROCFS, "/injected");
  assert_path (DYNO_PATH_PROCFS, "stat", "/injected/stat");
  dyno_paths_set_root (DYNO_PATH_PROCFS, NULL);
  g_setenv ("DYNO_PROCFS_ROOT", "", TRUE);
  assert_path (DYNO_PATH_PROCFS, "stat", "/proc/stat");
  g_unsetenv ("DYNO_PROCFS_ROOT");
}

static void
test_library_folders (void)
{
  g_auto (GStrv) usual = dyno_paths_get_library_folders ();
  g_auto (GStrv) moved = NULL;

  g_assert_true (g_strv_contains ((const char *const *)usual, "/usr/lib"));
  g_setenv ("DYNO_LIBRARY_PATH", "/one:/two", TRUE);
  moved = dyno_paths_get_library_folders ();
  g_assert_cmpuint (g_strv_length (moved), ==, 2);
  g_assert_cmpstr (moved[0], ==, "/one");
  g_assert_cmpstr (moved[1], ==, "/two");
  g_unsetenv ("DYNO_LIBRARY_PATH");
}

static const SuiteTest tests[] = {
  { "/paths/defaults", test_defaults },
  { "/paths/elements", test_elements },
  { "/paths/override", test_override },
  { "/paths/environment", test_environment },
  { "/paths/library-folders", test_library_folders },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-amd-library.h"
#include "dyno-error.h"
#include "machine-tree.h"
#include "suite.h"

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", g_getenv ("DYNO_TEST_AMD_SMI_FOLDER"), TRUE);
}

static void
write_script (MachineTree *tree, const char *settings)
{
  g_autofree char *path = g_build_filename (tree->root, "device", NULL);
  g_autofree char *text = g_strdup_printf ("[device]\ndevices=2\n%s", settings);

  machine_tree_write (tree, "device", text);
  g_setenv ("DYNO_FAKE_DEVICE", path, TRUE);
}

static void
add_rocm_smi (void)
{
  g_autofree char *both = g_strjoin (G_SEARCHPATH_SEPARATOR_S, g_getenv ("DYNO_TEST_AMD_FOLDER"),
                                     g_getenv ("DYNO_TEST_AMD_SMI_FOLDER"), NULL);

  g_setenv ("DYNO_LIBRARY_PATH", both, TRUE);
}

static void
assert_opens (const DynoAmdLibrary *expected, const char *second_address)
{
  g_autoptr (GPtrArray) boards = NULL;
  g_autoptr (GError) error = NULL;
  const DynoAmdLibrary *library = dyno_amd_library_open (&boards, &error);
  g_autofree char *address = NULL;

  g_assert_no_error (error);
  g_assert_true (library == expected);
  g_assert_cmpuint (boards->len, ==, 2);
  address = library->dup_address (boards->pdata[1]);
  g_assert_cmpstr (address, ==, second_address);
}

static void
assert_fails (const char *words)
{
  g_autoptr (GPtrArray) boards = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_amd_library_open (&boards, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, "ROCm SMI is not installed"));
}

static void
test_alone (MachineTree *tree, gconstpointer data)
{
  write_script (tree, "");
  assert_opens (&dyno_amd_smi, "0001:04:00.0");
}

static void
test_both (MachineTree *tree, gconstpointer data)
{
  write_script (tree, "");
  add_rocm_smi ();
  assert_opens (&dyno_amd_smi, "0001:04:00.0");
}

static void
test_name (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GPtrArray) boards = NULL;
  g_autofree char *name = NULL;

  write_script (tree, "");
  g_assert_true (dyno_amd_library_open (&boards, NULL) == &dyno_amd_smi);
  name = dyno_amd_smi.dup_name (boards->pdata[1]);
  g_assert_cmpstr (name, ==, "Fake Board 2");
}

/* If it does not start, its predecessor may work. */
static void
test_does_not_start (MachineTree *tree, gconstpointer data)
{
  write_script (tree, "init-error=34\n");
  assert_fails ("AMD SMI could not be started (error 34)");
  add_rocm_smi ();
  assert_opens (&dyno_rocm_smi, "0000:04:00.0");
}

/* Before ROCm 6.4 its structures had another layout; that of versions after 26 is not known yet. */
static void
test_version (MachineTree *tree, gconstpointer data)
{
  write_script (tree, "major=24\nminor=7\n");
  assert_fails ("24.7");
  write_script (tree, "major=25\nminor=2\n");
  assert_fails ("25.2");
  write_script (tree, "major=27\n");
  assert_fails ("27.0");
  write_script (tree, "major=25\nminor=3\n");
  assert_opens (&dyno_amd_smi, "0001:04:00.0");
  write_script (tree, "major=24\nminor=7\n");
  add_rocm_smi ();
  assert_opens (&dyno_rocm_smi, "0000:04:00.0");
}

static void
test_no_device (MachineTree *tree, gconstpointer data)
{
  write_script (tree, "devices=0\n");
  assert_fails ("AMD SMI found no device");
}

static void
test_not_installed (MachineTree *tree, gconstpointer data)
{
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
  assert_fails ("AMD SMI is not installed");
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/amd-library/alone", test_alone },
  { "/amd-library/both", test_both },
  { "/amd-library/name", test_name },
  { "/amd-library/does-not-start", test_does_not_start },
  { "/amd-library/version", test_version },
  { "/amd-library/no-device", test_no_device },
  { "/amd-library/not-installed", test_not_installed },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)

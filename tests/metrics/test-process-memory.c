/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <unistd.h>

#include "dyno-process-memory.h"
#include "machine-tree.h"
#include "suite.h"

static void
write_statm (MachineTree *tree, GPid pid, gint64 pages)
{
  g_autofree char *path = g_strdup_printf ("proc/%d/statm", pid);
  g_autofree char *text = g_strdup_printf ("99999 %" G_GINT64_FORMAT " 12 1 0 77 0\n", pages);

  machine_tree_write (tree, path, text);
}

static void
write_sharing (MachineTree *tree, GPid pid, gint64 resident_kb, gint64 proportional_kb)
{
  g_autofree char *path = g_strdup_printf ("proc/%d/smaps_rollup", pid);
  g_autofree char *text = g_strdup_printf ("00400000-7fff0000 ---p 00000000 00:00 0 [rollup]\n"
                                           "Rss: %" G_GINT64_FORMAT " kB\nPss: %" G_GINT64_FORMAT " kB\n",
                                           resident_kb, proportional_kb);

  machine_tree_write (tree, path, text);
}

static void
follow (DynoProcessMemory *memory, GPid first, GPid second)
{
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (GPid));

  if (first > 0)
    g_array_append_val (pids, first);
  if (second > 0)
    g_array_append_val (pids, second);
  dyno_process_memory_follow (memory, pids);
}

static void
test_sum (MachineTree *tree, gconstpointer data)
{
  gint64 page = sysconf (_SC_PAGESIZE);
  g_autoptr (DynoProcessMemory) memory = dyno_process_memory_new ();

  g_assert_cmpint (dyno_process_memory_read (memory), ==, 0);
  write_statm (tree, 11, 1000);
  write_sharing (tree, 11, 4000, 4000);
  write_statm (tree, 12, 500);
  write_sharing (tree, 12, 2000, 2000);
  follow (memory, 11, 12);
  g_assert_cmpint (dyno_process_memory_read (memory), ==, 1500 * page);
  g_assert_cmpuint (dyno_process_memory_get_max_processes (memory), ==, 2);
  g_assert_true (dyno_process_memory_knows_sharing (memory));

  follow (memory, 12, 0);
  g_assert_cmpint (dyno_process_memory_read (memory), ==, 500 * page);
  g_assert_cmpuint (dyno_process_memory_get_max_processes (memory), ==, 2);
}

/* Two processes map the same 800 kB, half of which is charged to each. */
static void
test_shared_once (MachineTree *tree, gconstpointer data)
{
  gint64 page = sysconf (_SC_PAGESIZE);
  g_autoptr (DynoProcessMemory) memory = dyno_process_memory_new ();

  write_statm (tree, 11, 1000);
  write_sharing (tree, 11, 4000, 3600);
  write_statm (tree, 12, 500);
  write_sharing (tree, 12, 2000, 1600);
  follow (memory, 11, 12);
  g_assert_cmpint (dyno_process_memory_read (memory), ==, 1500 * page - 800 * 1024);
}

static void
test_sharing_unknown (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoProcessMemory) memory = dyno_process_memory_new ();

  write_statm (tree, 11, 1000);
  follow (memory, 11, 0);
  g_assert_cmpint (dyno_process_memory_read (memory), ==, 1000 * sysconf (_SC_PAGESIZE));
  g_assert_false (dyno_process_memory_knows_sharing (memory));
}

/* A file that has become empty stands for a process that has ended. */
static void
test_ended (MachineTree *tree, gconstpointer data)
{
  g_autofree char *path = g_build_filename (tree->root, "proc", "11", "statm", NULL);
  g_autoptr (DynoProcessMemory) memory = dyno_process_memory_new ();

  write_statm (tree, 11, 1000);
  follow (memory, 11, 12); /* the second was never seen */
  g_assert_cmpuint (dyno_process_memory_get_max_processes (memory), ==, 1);
  g_assert_cmpint (truncate (path, 0), ==, 0);
  g_assert_cmpint (dyno_process_memory_read (memory), ==, 0);
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/process-memory/sum", test_sum },
  { "/process-memory/shared-once", test_shared_once },
  { "/process-memory/sharing-unknown", test_sharing_unknown },
  { "/process-memory/ended", test_ended },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, machine_tree_set_up, machine_tree_tear_down)

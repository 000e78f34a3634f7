/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-machine-private.h"
#include "dyno-system.h"
#include "machine-tree.h"
#include "suite.h"

/* A hardware thread that shares a core with the first one. */
#define BESIDE 1999
/* Another one, which the kernel does not list. */
#define HIDDEN 1998

#define WINDOW_NS 200000000

/* The file stays the same one, as in procfs, so that an open descriptor sees the new text. */
static void
write_in_place (MachineTree *tree, const char *text)
{
  g_autofree char *path = g_build_filename (tree->root, "proc", "stat", NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    machine_tree_write (tree, "proc/stat", text);
  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* The kernel's account: each processor of this thread has been idle for @idle ticks, and the one beside for @beside. */
static void
write_stat (MachineTree *tree, int idle, int beside)
{
  g_autoptr (GArray) processors = dyno_system_list_processors ();
  g_autoptr (GString) text = g_string_new ("cpu  1 2 3 4 5 6 7 8 9 10\n");

  for (guint i = 0; i < processors->len; i++)
    g_string_append_printf (text, "cpu%d 70 0 9 %d 3 0 1 2 0 0\n", g_array_index (processors, int, i), idle);
  g_string_append_printf (text, "cpu%d 5 0 0 %d 0 0 0 0 0 0\nintr 12\n", BESIDE, beside);
  write_in_place (tree, text->str);
}

static void
write_for_each (MachineTree *tree, const char *name, const char *text)
{
  g_autoptr (GArray) processors = dyno_system_list_processors ();

  for (guint i = 0; i < processors->len; i++)
    {
      g_autofree char *path =
          g_strdup_printf ("sys/devices/system/cpu/cpu%d/%s", g_array_index (processors, int, i), name);
      g_autofree char *siblings = g_strdup_printf ("%d,%s", g_array_index (processors, int, i), text);

      machine_tree_write (tree, path, g_str_has_suffix (name, "list") ? siblings : text);
    }
}

/* A tick of each processor is never that of others. */
static void
test_others (MachineTree *tree, gconstpointer data)
{
  static const struct
  {
    int idle, beside; /* ticks in the window of 20 */
    double own_share;
    double percent;
  } rows[] = {
    { 0, 20, 1, 0 },                        /* all the time is of the measurement */
    { 0, 20, 0.4, 55 },                     /* of the other 60 %, a tick may not be */
    { 12, 20, 0.4, 0 },                     /* the rest of the time, nobody worked */
    { 11, 20, 0.4, 0 },                     /* a tick less may be due to counting in ticks */
    { 8, 20, 0.4, 15 }, { 0, 10, 1, 45 },   /* beside */
    { 0, 19, 1, 0 },    { 30, 30, 1.2, 0 }, /* more than there was */
  };

  write_for_each (tree, "topology/thread_siblings_list", G_STRINGIFY (BESIDE));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoCoreWatch) watch = NULL;

      g_test_message ("row %u", i);
      write_stat (tree, 1000, 5000);
      watch = dyno_core_watch_new ();
      dyno_core_watch_begin (watch);
      write_stat (tree, 1000 + rows[i].idle, 5000 + rows[i].beside);
      dyno_core_watch_end (watch);
      g_assert_cmpfloat_with_epsilon (
          dyno_core_watch_judge (watch, WINDOW_NS, (gint64)(rows[i].own_share * WINDOW_NS * watch->n_work)),
          rows[i].percent, 1e-6);
    }
}

static void
test_unknown (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoCoreWatch) without = dyno_core_watch_new ();
  g_autoptr (DynoCoreWatch) watch = NULL;

  dyno_core_watch_begin (without);
  g_assert_true (isnan (dyno_core_watch_end (without)));
  g_assert_true (isnan (dyno_core_watch_read_clock (without)));
  machine_tree_write (tree, "proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\n");
  watch = dyno_core_watch_new ();
  dyno_core_watch_begin (watch);
  g_assert_true (isnan (dyno_core_watch_end (watch)));
}

/* Of two processors beside, the one that the kernel does not list hides neither the other nor the work. */
static void
test_hidden (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoCoreWatch) watch = NULL;

  write_for_each (tree, "topology/thread_siblings_list", G_STRINGIFY (HIDDEN) "," G_STRINGIFY (BESIDE));
  write_stat (tree, 1000, 5000);
  watch = dyno_core_watch_new ();
  dyno_core_watch_begin (watch);
  write_stat (tree, 1000, 5010);
  dyno_core_watch_end (watch);
  g_assert_cmpfloat_with_epsilon (dyno_core_watch_judge (watch, WINDOW_NS, (gint64)WINDOW_NS * watch->n_work),
                                  45, 1e-6);
  g_assert_cmpfloat_with_epsilon (dyno_core_watch_judge (watch, WINDOW_NS, 0), 95, 1e-6);
  watch->n_work = 0;
  g_assert_true (isnan (dyno_core_watch_judge (watch, WINDOW_NS, 0)));
}

/* The fastest counts. */
static void
test_clock (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GArray) processors = dyno_system_list_processors ();
  g_autofree char *path = g_strdup_printf ("sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq",
                                           g_array_index (processors, int, 0));
  g_autoptr (DynoCoreWatch) watch = NULL;

  write_for_each (tree, "cpufreq/scaling_cur_freq", "800000\n");
  machine_tree_write (tree, path, "3250000\n");
  watch = dyno_core_watch_new ();
  g_assert_cmpfloat_with_epsilon (dyno_core_watch_read_clock (watch), 3250, 1e-6);
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/core-watch/others", test_others },
  { "/core-watch/unknown", test_unknown },
  { "/core-watch/hidden", test_hidden },
  { "/core-watch/clock", test_clock },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, machine_tree_set_up, machine_tree_tear_down)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-pinning.h"
#include "suite.h"

/* Binding is permanent and for the whole process, so each test runs in a separate process. */
static void
run_apart (void (*body) (void))
{
  if (g_test_subprocess ())
    {
      body ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_apart (gconstpointer test)
{
  run_apart (((const SuiteTest *)test)->run);
}

static cpu_set_t
get_affinity (void)
{
  cpu_set_t set;

  g_assert_cmpint (sched_getaffinity (0, sizeof set, &set), ==, 0);
  return set;
}

static void
bind_process (guint n_threads)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_pinning_bind (NULL, n_threads, &error));
  g_assert_no_error (error);
}

static void
bind_one (void)
{
  cpu_set_t before = get_affinity ();
  cpu_set_t after;
  cpu_set_t both;

  bind_process (1);
  after = get_affinity ();
  CPU_AND (&both, &before, &after);
  g_assert_cmpint (CPU_COUNT (&after), ==, 1);
  g_assert_true (CPU_EQUAL (&both, &after));
}

/* A server in another process, on the first processor alone. */
static GPid
start_bound (int *processor)
{
  cpu_set_t mine = get_affinity ();
  cpu_set_t its;
  int pipes[2];
  char byte;
  GPid pid;

  for (*processor = 0; !CPU_ISSET (*processor, &mine); (*processor)++)
    ;
  CPU_ZERO (&its);
  CPU_SET (*processor, &its);
  g_assert_cmpint (pipe (pipes), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      sched_setaffinity (0, sizeof its, &its);
      if (write (pipes[1], "", 1) == 1)
        pause ();
      _exit (0);
    }
  g_assert_cmpint (read (pipes[0], &byte, 1), ==, 1);
  return pid;
}

static void
avoid_bound (void)
{
  int processor, sampled;
  GPid pid = start_bound (&processor);
  cpu_set_t left, sampler;

  g_assert_true (dyno_pinning_avoid (&pid, 1));
  left = get_affinity ();
  g_assert_false (CPU_ISSET (processor, &left));
  /* Nor does the sampler disturb it. */
  g_assert_true (dyno_pinning_bind_sampler (NULL));
  sampler = get_affinity ();
  sampled = CPU_ISSET (processor, &sampler);
  kill (pid, SIGKILL);
  g_assert_false (sampled);
}

static void
test_avoid (void)
{
  cpu_set_t mine = get_affinity ();

  if (CPU_COUNT (&mine) < 2)
    {
      g_test_skip ("There is one processor.");
      return;
    }
  run_apart (avoid_bound);
}

/* Who may run everywhere leaves nothing. */
static void
avoid_free (void)
{
  cpu_set_t before = get_affinity ();
  GPid pid = getpid ();
  cpu_set_t after;

  g_assert_false (dyno_pinning_avoid (&pid, 1));
  after = get_affinity ();
  g_assert_true (CPU_EQUAL (&before, &after));
}

static void
bind_and_release (void)
{
  g_autoptr (GError) error = NULL;
  cpu_set_t before = get_affinity ();
  cpu_set_t after;
  g_autofree char *bound = NULL;
  g_autofree char *told = NULL;

  g_assert_true (dyno_pinning_release (&error));
  bind_process (1);
  bound = dyno_pinning_describe ();
  g_assert_true (dyno_pinning_release (&error));
  g_assert_no_error (error);
  after = get_affinity ();
  g_assert_true (CPU_EQUAL (&before, &after));
  told = dyno_pinning_describe ();
  g_assert_cmpstr (told, ==, bound);
}

/* The second call starts from the original set, and asking for too many gives all. */
static void
bind_all (void)
{
  cpu_set_t before = get_affinity ();
  cpu_set_t after;

  bind_process (1);
  bind_process (CPU_COUNT (&before) + 10);
  after = get_affinity ();
  g_assert_true (CPU_EQUAL (&before, &after));
}

static gpointer
run_sampler (gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_pinning_bind_sampler (&error));
  g_assert_no_error (error);
  *(cpu_set_t *)data = get_affinity ();
  return NULL;
}

static void
bind_sampler (void)
{
  cpu_set_t before = get_affinity ();
  cpu_set_t work, sampler, both;

  bind_process (1);
  work = get_affinity ();
  g_thread_join (g_thread_new ("sampler", run_sampler, &sampler));
  CPU_AND (&both, &work, &sampler);
  g_assert_cmpint (CPU_COUNT (&sampler), ==, 1);
  g_assert_cmpint (CPU_COUNT (&both), ==, CPU_COUNT (&before) > 1 ? 0 : 1);
  both = get_affinity ();
  g_assert_true (CPU_EQUAL (&both, &work));
}

/* With every processor at work the sampler may use them all. */
static void
bind_crowded_sampler (void)
{
  cpu_set_t before = get_affinity ();
  cpu_set_t sampler;

  bind_process (CPU_COUNT (&before));
  g_thread_join (g_thread_new ("sampler", run_sampler, &sampler));
  g_assert_true (CPU_EQUAL (&before, &sampler));
}

static void
describe (void)
{
  g_autofree char *unbound = dyno_pinning_describe ();
  g_autofree char *expected = NULL;
  g_autofree char *bound = NULL;
  cpu_set_t set;
  int number = 0;

  g_assert_cmpstr (unbound, ==, "unbound");
  bind_process (1);
  set = get_affinity ();
  while (!CPU_ISSET (number, &set))
    number++;
  expected = g_strdup_printf ("work %d", number);
  bound = dyno_pinning_describe ();
  g_assert_cmpstr (bound, ==, expected);
}

/* On cores with two hardware threads each, the second ones come last. */
static void
bind_synthetic (void)
{
  g_autofree char *two = NULL;
  g_autofree char *three = NULL;
  g_autofree char *sampler = NULL;

  g_setenv ("HWLOC_SYNTHETIC", "pack:1 core:4 pu:2", TRUE);
  bind_process (2);
  two = dyno_pinning_describe ();
  g_assert_cmpstr (two, ==, "work 0,2");
  bind_process (5);
  three = dyno_pinning_describe ();
  g_assert_cmpstr (three, ==, "work 0-2,4,6");
  bind_process (3);
  g_assert_true (dyno_pinning_bind_sampler (NULL));
  sampler = dyno_pinning_describe ();
  g_assert_cmpstr (sampler, ==, "work 0,2,4, sampler 7");
}

static void
check_bound (const char *policy, guint threads, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *description = NULL;

  g_assert_true (dyno_pinning_bind (policy, threads, &error));
  g_assert_no_error (error);
  description = dyno_pinning_describe ();
  g_assert_cmpstr (description, ==, expected);
}

/* What is recorded is the last binding that succeeded. */
static void
bind_by_policy (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *description = NULL;

  g_setenv ("HWLOC_SYNTHETIC", "pack:2 numa:1 core:2 pu:2", TRUE);
  check_bound ("compact", 3, "work 0-2 by compact");
  check_bound ("numa:1", 0, "work 4,6 by numa:1, memory of node 1");
  check_bound ("scatter", 2, "work 0,4 by scatter");
  check_bound ("cpus:1-3", 2, "work 1-3 by cpus:1-3");
  g_assert_false (dyno_pinning_bind ("cpus:7-8", 2, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (dyno_pinning_bind ("numa:9", 2, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (dyno_pinning_bind ("nowhere", 2, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_true (dyno_pinning_bind_sampler (NULL));
  description = dyno_pinning_describe ();
  g_assert_cmpstr (description, ==, "work 1-3 by cpus:1-3, sampler 7");
}

/* The kernel really uses what is recorded. */
static void
bind_listed (void)
{
  cpu_set_t before = get_affinity ();
  g_autofree char *policy = NULL;
  cpu_set_t after;
  int last = CPU_SETSIZE - 1;

  while (!CPU_ISSET (last, &before))
    last--;
  policy = g_strdup_printf ("cpus:%d", last);
  g_assert_true (dyno_pinning_bind (policy, 4, NULL));
  after = get_affinity ();
  g_assert_cmpint (CPU_COUNT (&after), ==, 1);
  g_assert_true (CPU_ISSET (last, &after));
}

/* Each is a process of its own, which is bound for good. */
static const SuiteTest apart[] = {
  { "/pinning/one", bind_one },
  { "/pinning/avoid-free", avoid_free },
  { "/pinning/release", bind_and_release },
  { "/pinning/all", bind_all },
  { "/pinning/sampler", bind_sampler },
  { "/pinning/crowded-sampler", bind_crowded_sampler },
  { "/pinning/describe", describe },
  { "/pinning/cores-first", bind_synthetic },
  { "/pinning/policies", bind_by_policy },
  { "/pinning/listed", bind_listed },
};

static void
add_tests (void)
{
  g_test_add_func ("/pinning/avoid", test_avoid);
  for (guint i = 0; i < G_N_ELEMENTS (apart); i++)
    g_test_add_data_func (apart[i].path, &apart[i], test_apart);
}

SUITE_ADD (add_tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <unistd.h>

#include "dyno-machine-ceilings-private.h"
#include "machine-tree.h"
#include "suite.h"

static void
check_rates (const double *rates, const double *queued, guint n, double sustained, guint n_undisturbed)
{
  DynoCeilingRepeat repeats[32];
  DynoCeilingRates sum;

  for (guint i = 0; i < n; i++)
    repeats[i] = (DynoCeilingRepeat){ rates[i], 1e9 * rates[i], queued[i] };
  dyno_ceiling_rates_sum_up (&sum, repeats, n);
  g_assert_cmpfloat_with_epsilon (sum.sustained, sustained, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum.clock, 1e9 * sustained, 1);
  g_assert_cmpuint (sum.n_repeats, ==, n);
  g_assert_cmpuint (sum.n_undisturbed, ==, n_undisturbed);
  g_assert_cmpint (sum.disturbed, ==, n_undisturbed == 0 && queued[0] >= 0);
}

/* The three best of fifteen are 13, 14 and 15. */
static void
test_best_fifth (void)
{
  const double rates[] = { 8, 1, 15, 2, 14, 3, 13, 4, 12, 5, 11, 6, 10, 7, 9 };
  const double quiet[G_N_ELEMENTS (rates)] = { 0 };

  check_rates (rates, quiet, G_N_ELEMENTS (rates), 14, G_N_ELEMENTS (rates));
}

/* The fastest repeat was disturbed, and so does not count; at the limit it counts. */
static void
test_disturbed_repeat (void)
{
  const double rates[] = { 5, 4, 3, 2, 1, 9 };
  const double queued[] = { 0, DYNO_CEILING_MOST_QUEUED, 0.01, 0, 0, DYNO_CEILING_MOST_QUEUED + 0.001 };

  check_rates (rates, queued, G_N_ELEMENTS (rates), 5, 5);
}

static void
test_all_disturbed (void)
{
  const double rates[] = { 5, 4, 3, 2, 1 };
  const double queued[] = { 0.5, 0.5, 0.5, 0.5, 0.5 };
  const double unknown[] = { -1, -1, -1, -1, -1 };

  check_rates (rates, queued, G_N_ELEMENTS (rates), 5, 0);
  check_rates (rates, unknown, G_N_ELEMENTS (rates), 5, 0);
}

static void
check_spread (guint n_low, double queued, double spread)
{
  DynoCeilingRepeat repeats[11];
  DynoCeilingRates sum;

  for (guint i = 0; i < G_N_ELEMENTS (repeats); i++)
    repeats[i] = i < n_low ? (DynoCeilingRepeat){ 40, 1e9, queued } : (DynoCeilingRepeat){ 100, 1e9, 0 };
  dyno_ceiling_rates_sum_up (&sum, repeats, G_N_ELEMENTS (repeats));
  g_assert_cmpfloat_with_epsilon (sum.spread, spread, 1e-9);
}

/* Only undisturbed repeats spread, and of them only the better half. */
static void
test_spread (void)
{
  check_spread (5, 0, 0);
  check_spread (7, 0, 0.6);
  check_spread (6, 0.5, 0);
  check_spread (7, 0.5, 0.6); /* four are too few */
}

/* Writes to the file that stands for the kernel's count, keeping its inode. */
static void
queue_for (guint member, guint64 count, gpointer tree)
{
  g_autofree char *path = g_build_filename (((MachineTree *)tree)->root, "proc/thread-self/schedstat", NULL);
  FILE *file = fopen (path, "r+");

  g_assert_nonnull (file);
  fprintf (file, "1 %" G_GUINT64_FORMAT " 1\n", count);
  fclose (file);
}

static double
measure_queued (MachineTree *tree, DynoTeamWork work, guint64 count)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load (NULL);
  g_autoptr (DynoThreadTeam) team = dyno_thread_team_new (topology, 1);

  return dyno_thread_team_time (team, work, count, tree).queued;
}

static void
do_nothing (guint member, guint64 count, gpointer data)
{
}

/* A second in the queue is more than this work takes. */
static void
test_counter (MachineTree *tree, gconstpointer data)
{
  g_assert_cmpfloat (measure_queued (tree, do_nothing, 1), <, 0);
  machine_tree_write (tree, "proc/thread-self/schedstat", "1 0 1\n");
  g_assert_cmpfloat (measure_queued (tree, do_nothing, 1), ==, 0);
  g_assert_cmpfloat (measure_queued (tree, queue_for, 1000000000), >, DYNO_CEILING_MOST_QUEUED);
}

static DynoCeiling *
make_bandwidth (const char *level, const char *mix, guint threads, double value)
{
  g_autofree char *id = g_strdup_printf ("%s-%s", level, mix);

  return g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_BANDWIDTH, "id", id, "level", level, "mix",
                       mix, "threads", threads, "value", value, "unit", "B/s", NULL);
}

static void
check_breaks (guint n_expected, const char *first, ...)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) breaks = NULL;
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, first);
  for (const char *level = first; level != NULL; level = va_arg (arguments, const char *))
    {
      const char *mix = va_arg (arguments, const char *);
      guint threads = va_arg (arguments, guint);

      g_ptr_array_add (ceilings, make_bandwidth (level, mix, threads, va_arg (arguments, double)));
    }
  va_end (arguments);
  breaks = dyno_ceilings_list_breaks (ceilings);
  text = dyno_ceilings_describe_breaks (ceilings);
  g_assert_cmpuint (breaks->len, ==, n_expected);
  g_assert_cmpint (text != NULL, ==, n_expected > 0);
}

static void
test_breaks (void)
{
  check_breaks (0, "L1", "read", 1u, 4.0, "L2", "read", 1u, 3.0, "DRAM", "read", 1u, 1.0, NULL);
  check_breaks (1, "L1", "read", 1u, 4.0, "L2", "read", 1u, 3.0, "DRAM", "read", 1u, 3.5, NULL);
  check_breaks (0, "L1", "read", 1u, 4.0, "L2", "read", 1u, 4.1, NULL);   /* within the uncertainty */
  check_breaks (0, "L1", "write", 1u, 1.0, "L2", "write", 1u, 3.0, NULL); /* only reads must fall */
  check_breaks (1, "L1", "copy", 1u, 4.0, "L1", "copy", 2u, 3.0, NULL);
  check_breaks (0, "L1", "copy", 1u, 4.0, "L1", "copy", 2u, 8.0, NULL);
  check_breaks (0, "L1", "read", 2u, 4.0, "L2", "read", 1u, 5.0, NULL); /* not comparable */
}

static void
test_keep_best (void)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) best = NULL;

  g_ptr_array_add (all, make_bandwidth ("L1", "read", 1, 5));
  g_ptr_array_add (all, make_bandwidth ("L1", "read", 2, 1));
  g_ptr_array_add (all, make_bandwidth ("L1", "read", 1, 4));
  g_ptr_array_add (all, make_bandwidth ("L1", "read", 2, 9));
  best = dyno_ceilings_keep_best (all);
  g_assert_cmpuint (best->len, ==, 2);
  g_assert_cmpfloat (dyno_ceiling_get_value (best->pdata[0]), ==, 5);
  g_assert_cmpfloat (dyno_ceiling_get_value (best->pdata[1]), ==, 9);
}

/* Jobs whose ceilings have the values that a test wants. */
typedef struct
{
  GString *order;
  const char *level;
  double first;
  double later;
  guint n_created;
} FakeJob;

static void
note_order (gpointer data)
{
  FakeJob *self = data;

  g_string_append_c (self->order, self->level[1]);
}

static DynoCeiling *
create_fake (const DynoCeilingRun *run, const DynoCeilingJob *job, const DynoCeilingRates *rates)
{
  FakeJob *self = job->data;

  return make_bandwidth (self->level, "read", 1, self->n_created++ == 0 ? self->first : self->later);
}

static void
leave_it (gpointer data)
{
}

static void
ignore_progress (double fraction, const char *what, gpointer data)
{
}

static void
measure_fakes (FakeJob *fakes, guint n_fakes, const guint *n_again)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load (NULL);
  g_autoptr (DynoThreadTeam) team = dyno_thread_team_new (topology, 1);
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (dyno_ceiling_job_free);
  g_autoptr (GString) order = g_string_new (NULL);
  DynoCeilingRun run = { .topology = topology,
                         .team = team,
                         .jobs = jobs,
                         .ceilings = ceilings,
                         .begin_us = g_get_monotonic_time (),
                         .seconds = 1000,
                         .report = ignore_progress };

  for (guint i = 0; i < n_fakes; i++)
    {
      fakes[i].order = order;
      dyno_ceiling_job_add (&run, &(DynoCeilingJob){ .work = do_nothing,
                                                     .prepare = note_order,
                                                     .create = create_fake,
                                                     .data = &fakes[i],
                                                     .free_data = leave_it });
    }
  for (guint i = 0; i < n_fakes; i++)
    ((DynoCeilingJob *)jobs->pdata[i])->counts_per_second = 1;
  g_string_truncate (order, 0);
  g_assert_true (dyno_ceiling_job_measure_all (&run));
  g_assert_cmpuint (ceilings->len, ==, n_fakes);
  for (guint i = 0; i < n_fakes; i++)
    g_assert_cmpuint (((DynoCeilingJob *)jobs->pdata[i])->repeats->len, ==,
                      (DYNO_CEILING_MOST_ROUNDS + n_again[i] * DYNO_CEILING_ROUNDS_AGAIN) *
                          DYNO_CEILING_REPEATS_PER_ROUND);
  g_assert_true (g_str_has_prefix (order->str, "123321123"));
}

/* The second level was too fast at first: both sides are measured again, and what agrees is not. */
static void
test_again (void)
{
  FakeJob fakes[] = { { NULL, "L1", 5, 5, 0 }, { NULL, "L2", 7, 4, 0 }, { NULL, "L3", 3, 3, 0 } };

  measure_fakes (fakes, G_N_ELEMENTS (fakes), (const guint[]){ 1, 1, 0 });
}

/* What still contradicts itself is given up. */
static void
test_again_bounded (void)
{
  FakeJob fakes[] = { { NULL, "L1", 5, 5, 0 }, { NULL, "L2", 7, 7, 0 }, { NULL, "L3", 3, 3, 0 } };

  measure_fakes (fakes, G_N_ELEMENTS (fakes), (const guint[]){ 2, 2, 0 });
}

static void
add_tests (void)
{
  g_test_add_func ("/ceiling-job/best-fifth", test_best_fifth);
  g_test_add_func ("/ceiling-job/disturbed-repeat", test_disturbed_repeat);
  g_test_add_func ("/ceiling-job/all-disturbed", test_all_disturbed);
  g_test_add_func ("/ceiling-job/spread", test_spread);
  g_test_add ("/ceiling-job/counter", MachineTree, NULL, machine_tree_set_up, test_counter,
              machine_tree_tear_down);
  g_test_add_func ("/ceiling-job/breaks", test_breaks);
  g_test_add_func ("/ceiling-job/keep-best", test_keep_best);
  g_test_add_func ("/ceiling-job/again", test_again);
  g_test_add_func ("/ceiling-job/again-bounded", test_again_bounded);
}

SUITE_ADD (add_tests)

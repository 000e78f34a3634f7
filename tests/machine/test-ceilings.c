/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations that hold on any machine. Other load can slow a measurement down but not speed it up, so the best of some
 * short ones counts, and more are made until all relations hold or the time is up. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "dyno-ceilings.h"
#include "dyno-compute-kernel.h"
#include "dyno-error.h"
#include "suite.h"

#define SECONDS  1.5
#define ATTEMPTS 6
#define SLACK    0.93

/* The share of the read roof that a matrix-vector product may reach. It is 0.8 to 1 on a free core; on a core whose caches
 * others share it has stayed at 0.5 for as long as the test took. What is beyond these is a mistake, and no load. */
#define LEAST_VERIFIED 0.3
#define MOST_VERIFIED  1.3

/* The minimum throughput of two free cores relative to one. */
#define LEAST_SCALING 1.7

typedef struct
{
  GMainLoop *loop;
  GPtrArray *ceilings;
  GError *error;
  guint n_reports;
  double last_fraction;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_clear_pointer (&self->ceilings, g_ptr_array_unref);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
progress_cb (double fraction, const char *what, gpointer user_data)
{
  Outcome *self = user_data;

  g_assert_cmpfloat (fraction, >=, self->last_fraction);
  g_assert_cmpfloat (fraction, <=, 1);
  g_assert_cmpstr (what, !=, "");
  self->last_fraction = fraction;
  self->n_reports++;
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *self = user_data;

  self->ceilings = dyno_ceilings_measure_finish (result, &self->error);
  g_main_loop_quit (self->loop);
}

static void
measure (Outcome *self, guint n_threads, GCancellable *cancellable)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  *self = (Outcome){ .loop = loop };
  dyno_ceilings_measure_async (n_threads, SECONDS, progress_cb, self, cancellable, measured_cb, self);
  g_main_loop_run (loop);
}

/* The best of each ceiling so far, by id; latencies are ignored. */
static void
keep_best (GHashTable *best, GPtrArray *ceilings)
{
  for (guint i = 0; i < ceilings->len; i++)
    {
      const char *id = dyno_ceiling_get_id (ceilings->pdata[i]);
      double *known = g_hash_table_lookup (best, id);
      double now = dyno_ceiling_get_best (ceilings->pdata[i]);

      if (known == NULL || *known < now)
        g_hash_table_replace (best, g_strdup (id), g_memdup2 (&now, sizeof now));
    }
}

static double
get_best (GHashTable *best, const char *id)
{
  double *known = g_hash_table_lookup (best, id);

  return known != NULL ? *known : NAN;
}

static const char *const rising[][2] = {
  { "fp64-scalar", "fp64-sse" },      { "fp64-scalar", "fp64-neon" },   { "fp64-sse", "fp64-avx2" },
  { "fp64-avx2", "fp64-avx512" },     { "fp32-scalar", "fp32-sse" },    { "fp32-scalar", "fp32-neon" },
  { "fp32-sse", "fp32-avx2" },        { "fp32-avx2", "fp32-avx512" },   { "fp64-scalar-fma", "fp64-avx2" },
  { "fp32-scalar-fma", "fp32-avx2" }, { "fp64-avx2", "fp32-avx2" },     { "fp64-avx512", "fp32-avx512" },
  { "fp32-avx512", "fp16-avx512" },   { "bf16-avx512", "bf16-amx" },    { "int8-avx512", "int8-amx" },
  { "int8-amx", "int8-amx-zeros" },   { "bf16-amx", "bf16-amx-zeros" }, { "l2-read", "l1-read" },
  { "l3-read", "l2-read" },           { "dram-read", "l3-read" },       { "dram-read", "l1-read" },
};

/* A relation with only one side on this machine holds. */
static const char *
find_broken (GHashTable *best)
{
  for (guint i = 0; i < G_N_ELEMENTS (rising); i++)
    if (get_best (best, rising[i][1]) < SLACK * get_best (best, rising[i][0]))
      return rising[i][1];
  return NULL;
}

static gboolean
can_measure (void)
{
  guint n_kernels;

  dyno_compute_kernel_list (&n_kernels);
  if (n_kernels == 0)
    g_test_skip ("no kernels are written for this architecture");
  return n_kernels > 0;
}

static void
test_relations (void)
{
  g_autoptr (GHashTable) best = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const char *broken = "";

  for (guint i = 0; can_measure () && broken != NULL && i < ATTEMPTS; i++)
    {
      g_auto (Outcome) outcome = { NULL };

      measure (&outcome, 1, NULL);
      g_assert_no_error (outcome.error);
      keep_best (best, outcome.ceilings);
      broken = find_broken (best);
    }
  if (g_hash_table_size (best) > 0)
    g_assert_cmpstr (broken, ==, NULL);
}

/* Products in eight vectors, more than one core can issue at once; counted until the time is up. */
static gpointer
multiply (gpointer until)
{
  volatile double factor = 1;
  double values[16] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
  guint64 n_rounds = 0;
  double sum = 0;

  while (g_get_monotonic_time () < *(gint64 *)until)
    {
      double by = factor;

      for (guint round = 0; round < 2000; round++)
        for (guint i = 0; i < G_N_ELEMENTS (values); i++)
          values[i] *= by;
      n_rounds++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    sum += values[i];
  g_assert_cmpfloat (sum, ==, 16);
  return GSIZE_TO_POINTER (n_rounds);
}

static gsize
multiply_on (guint n_threads)
{
  GThread *threads[2];
  gint64 until = g_get_monotonic_time () + 50 * G_TIME_SPAN_MILLISECOND;
  gsize n_rounds = 0;

  for (guint i = 0; i < n_threads; i++)
    threads[i] = g_thread_new ("multiply", multiply, &until);
  for (guint i = 0; i < n_threads; i++)
    n_rounds += GPOINTER_TO_SIZE (g_thread_join (threads[i]));
  return n_rounds;
}

/* Two cores may be hardware threads of one in some virtual machines, or other load may occupy one of them. */
static gboolean
has_two_cores (void)
{
  gsize one = 0, two = 0;

  for (guint i = 0; i < ATTEMPTS; i++)
    {
      one = MAX (one, multiply_on (1));
      two = MAX (two, multiply_on (2));
    }
  return (double)two >= LEAST_SCALING * (double)one;
}

static gboolean
is_verified (const double *share)
{
  return *share >= LEAST_VERIFIED && *share <= MOST_VERIFIED;
}

/* Real work must not exceed a roof, nor stay far below it. Other load disturbs: a level that was in range once
 * counts. */
static guint
count_unverified (GHashTable *shares)
{
  GHashTableIter iter;
  gpointer id, share;
  guint n = 0;

  g_hash_table_iter_init (&iter, shares);
  while (g_hash_table_iter_next (&iter, &id, &share))
    {
      g_test_message ("%s: %.2f", (char *)id, *(double *)share);
      n += !is_verified (share);
    }
  return n;
}

static void
keep_verified (GHashTable *shares, GPtrArray *ceilings)
{
  for (guint i = 0; i < ceilings->len; i++)
    {
      double share = dyno_ceiling_get_verified (ceilings->pdata[i]);
      const char *id = dyno_ceiling_get_id (ceilings->pdata[i]);
      double *known = g_hash_table_lookup (shares, id);

      if (share > 0 && (known == NULL || !is_verified (known)))
        g_hash_table_replace (shares, g_strdup (id), g_memdup2 (&share, sizeof share));
    }
}

static void
test_verified (void)
{
  g_autoptr (GHashTable) shares = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n_unverified = 1;

  for (guint i = 0; can_measure () && n_unverified > 0 && i < ATTEMPTS; i++)
    {
      g_auto (Outcome) outcome = { NULL };

      measure (&outcome, 1, NULL);
      g_assert_no_error (outcome.error);
      keep_verified (shares, outcome.ceilings);
      n_unverified = count_unverified (shares);
    }
  if (g_hash_table_size (shares) == 0)
    g_test_skip ("no product is written for this processor");
  else
    g_assert_cmpuint (n_unverified, ==, 0);
}

static void
check_ceiling (DynoCeiling *ceiling)
{
  gboolean is_latency = dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_LATENCY;
  double value = dyno_ceiling_get_value (ceiling), best = dyno_ceiling_get_best (ceiling);

  g_assert_cmpfloat (value, >, 0);
  g_assert_cmpfloat (is_latency ? best : value, <=, is_latency ? value : best);
  g_assert_cmpfloat (dyno_ceiling_get_spread (ceiling), >=, 0);
  g_assert_cmpfloat (dyno_ceiling_get_clock (ceiling), >, 1e8);
  g_assert_cmpfloat (dyno_ceiling_get_clock (ceiling), <, 1e10);
  g_assert_cmpstr (dyno_ceiling_get_method (ceiling), !=, "");
  g_assert_cmpint (dyno_ceiling_get_measured_at (ceiling), >, 0);
  if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE)
    g_assert_cmpstr (dyno_ceiling_get_derivation (ceiling), !=, NULL);
  else
    g_assert_cmpint (dyno_ceiling_get_bytes (ceiling), >, 0);
}

/* Exactly the chosen ceilings were measured. */
static void
check_thread_counts (GPtrArray *ceilings)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) chosen = dyno_ceilings_choose_threads (NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_array_index (chosen, guint, 0), ==, 1);
  for (guint i = 0; i < chosen->len; i++)
    g_assert_true (dyno_ceilings_have_threads (ceilings, g_array_index (chosen, guint, i)));
  for (guint i = 0; i < ceilings->len; i++)
    g_assert_cmpuint (dyno_ceiling_get_threads (ceilings->pdata[i]), <=,
                      g_array_index (chosen, guint, chosen->len - 1));
}

/* One thread, one per core, all: each ceiling once, and main memory at least. */
static void
test_all_threads (void)
{
  g_auto (Outcome) outcome = { NULL };

  if (!can_measure ())
    return;
  measure (&outcome, 0, NULL);
  g_assert_no_error (outcome.error);
  g_assert_cmpuint (outcome.n_reports, >, 5);
  for (guint i = 0; i < outcome.ceilings->len; i++)
    {
      DynoCeiling *ceiling = outcome.ceilings->pdata[i];

      check_ceiling (ceiling);
      g_assert_true (dyno_ceilings_find (outcome.ceilings, dyno_ceiling_get_id (ceiling),
                                         dyno_ceiling_get_threads (ceiling)) == ceiling);
    }
  g_assert_nonnull (dyno_ceilings_find (outcome.ceilings, "dram-read", 1));
  g_assert_nonnull (dyno_ceilings_find (outcome.ceilings, "dram-nt-write", 1));
  g_assert_nonnull (dyno_ceilings_find (outcome.ceilings, "dram-latency", 1));
  g_assert_false (dyno_ceilings_have_threads (outcome.ceilings, 100000));
  check_thread_counts (outcome.ceilings);
}

/* Ceilings of a placement name it; a placement that does not exist is refused before anything is measured. */
static void
test_pinned (void)
{
  g_auto (Outcome) outcome = { NULL };
  g_auto (Outcome) refused = { NULL };
  g_autoptr (GPtrArray) usual = NULL;
  g_autoptr (GPtrArray) selected = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  if (!can_measure ())
    return;
  outcome.loop = refused.loop = loop;
  dyno_ceilings_measure_pinned_async ("one-per-core", 1, SECONDS, NULL, NULL, NULL, measured_cb, &outcome);
  g_main_loop_run (loop);
  g_assert_no_error (outcome.error);
  for (guint i = 0; i < outcome.ceilings->len; i++)
    g_assert_cmpstr (dyno_ceiling_get_pinning (outcome.ceilings->pdata[i]), ==, "one-per-core");
  g_assert_null (
      dyno_ceilings_find (outcome.ceilings, "dram-read", 1)); /* that would be for the default placement */
  usual = dyno_ceilings_select (outcome.ceilings, "cpu", NULL);
  g_assert_false (dyno_ceilings_have_threads (usual, 1));
  selected = dyno_ceilings_select (outcome.ceilings, "cpu", "one-per-core");
  g_assert_cmpuint (selected->len, ==, outcome.ceilings->len);
  g_assert_true (dyno_ceilings_have_threads (selected, 1));
  dyno_ceilings_measure_pinned_async ("numa:4711", 1, SECONDS, NULL, NULL, NULL, measured_cb, &refused);
  g_main_loop_run (loop);
  g_assert_error (refused.error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&refused.error);
  g_assert_null (dyno_ceilings_choose_threads ("numa:4711", 1, &refused.error));
  g_assert_error (refused.error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

/* The best speed-up of two threads on separate cores over one; 0 with one core. */
static double
find_scaling (GPtrArray *ceilings)
{
  double most = 0;

  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *one = ceilings->pdata[i];
      DynoCeiling *two = dyno_ceilings_find (ceilings, dyno_ceiling_get_id (one), 2);

      if (dyno_ceiling_get_kind (one) == DYNO_CEILING_COMPUTE && dyno_ceiling_get_threads (one) == 1 &&
          two != NULL)
        most = MAX (most, dyno_ceiling_get_best (two) / dyno_ceiling_get_best (one));
    }
  return most;
}

/* The hardware threads of one core share what computes; cores do not. */
static void
test_scaling (void)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load (NULL);
  g_autoptr (DynoCpuSet) usable = dyno_topology_dup_usable (topology);
  double scaling = 0;

  if (!can_measure ())
    return;
  if (dyno_topology_count (topology, HWLOC_OBJ_CORE, usable) != 2)
    {
      g_test_skip ("there are not exactly two cores to compare with one");
      return;
    }
  if (!has_two_cores ())
    {
      g_test_skip ("the two cores do not do twice the work of one");
      return;
    }
  for (guint i = 0; scaling < LEAST_SCALING && i < ATTEMPTS; i++)
    {
      g_auto (Outcome) outcome = { NULL };

      measure (&outcome, 0, NULL);
      g_assert_no_error (outcome.error);
      if (!dyno_ceilings_have_threads (outcome.ceilings, 2))
        {
          g_test_skip ("this process may use the time of one core only");
          return;
        }
      scaling = MAX (scaling, find_scaling (outcome.ceilings));
    }
  g_assert_cmpfloat (scaling, >=, LEAST_SCALING);
}

static void
cancel_cb (double fraction, const char *what, gpointer cancellable)
{
  if (fraction > 0)
    g_cancellable_cancel (cancellable);
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_auto (Outcome) outcome = { .loop = loop };

  if (!can_measure ())
    return;
  dyno_ceilings_measure_async (1, SECONDS, cancel_cb, cancellable, cancellable, measured_cb, &outcome);
  g_main_loop_run (loop);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (outcome.ceilings);
}

static const SuiteTest tests[] = {
  { "/ceilings/relations", test_relations }, { "/ceilings/all-threads", test_all_threads },
  { "/ceilings/verified", test_verified },   { "/ceilings/scaling", test_scaling },
  { "/ceilings/pinned", test_pinned },       { "/ceilings/cancel", test_cancel },
};

SUITE_TESTS (tests)

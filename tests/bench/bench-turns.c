/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "chain.h"
#include "disturber.h"
#include "dyno-bootstrap.h"
#include "dyno-comparison-builder.h"
#include "dyno-insight-private.h"
#include "dyno-random.h"
#include "dyno-result-samples.h"
#include "dyno-run-worker-private.h"
#include "dyno-scratch.h"
#include "dyno-stats.h"
#include "suite.h"

/* What turns are worth on this machine. Sides are chains of equal products on one thread, so small that it hardly matters
 * where the memory of a process lies, and so many that the fixed cost of a step hardly matters either. One chain has so
 * many more links that the true ratio is known: none, 2, 3, 5 and 10 % more. Pairs of them are measured in many blocks of
 * turns, and pairs of the same chain also one process after another, in random order and with the same method. Then groups
 * of five blocks are drawn and judged as a comparison is; of the pair whose difference is to be found within a minute, as
 * many as fit into one. All of it happens twice: with the machine as it is, and beside a disturber that keeps all processors
 * busy in bursts of 0.05 to 1.5 s. Nothing is simulated, so the figures depend on the machine and on its other work. The
 * number of blocks of each pair can be given, and then “quiet” or “disturbed” for one half alone. */

#define N_BLOCKS   12
#define MAX_BLOCKS 1000
#define N_GROUP    5
#define N_TRIALS   100
#define N_LINKS    500
#define N_TO_FIND  525 /* within a minute */

static const guint links[] = { N_LINKS, 510, 515, N_TO_FIND, 550 };

/* Two sides, measured in all blocks. */
typedef struct
{
  GPtrArray *parts[2]; /* of each side, its results by blocks */
  double seconds;      /* that all blocks took */
} Pair;

typedef struct
{
  GMainLoop *loop;
  char *folder;
  DynoRandom random;
  guint n_blocks;
  DynoResult *part; /* of the process that was measured alone */
} Bench;

/* Measuring */

static void
block_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  dyno_turn_block_run_finish (DYNO_TURN_BLOCK (object), result);
  g_main_loop_quit (((Bench *)data)->loop);
}

static void
measure_in_turns (Bench *self, GPtrArray *cases, Pair *pair)
{
  g_autoptr (DynoTurnBlock) block = dyno_turn_block_new (cases, 1, FALSE, dyno_random_next (&self->random));

  dyno_turn_block_run_async (block, NULL, block_cb, self);
  g_main_loop_run (self->loop);
  for (guint i = 0; i < 2; i++)
    {
      GError *error = NULL;

      g_ptr_array_add (pair->parts[i], dyno_turn_block_steal_result (block, i, &error));
      bench_use_no_error (error);
    }
}

static void
measured_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Bench *self = data;
  GError *error = NULL;

  self->part = dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), result, &error);
  bench_use_no_error (error);
  g_main_loop_quit (self->loop);
}

static void
measure_one_after_another (Bench *self, GPtrArray *cases, Pair *pair)
{
  guint first = dyno_random_below (&self->random, 2);

  for (guint i = 0; i < 2; i++)
    {
      guint side = (first + i) % 2;
      g_autoptr (DynoWorkerClient) client = dyno_worker_client_new ();

      dyno_worker_client_measure_async (client, cases->pdata[side], 1, FALSE, NULL, measured_cb, self);
      g_main_loop_run (self->loop);
      g_ptr_array_add (pair->parts[side], self->part);
    }
}

static void
measure_pair (
    Bench *self, guint n_links, guint n_blocks, void (*measure) (Bench *, GPtrArray *, Pair *), Pair *pair)
{
  g_autoptr (GPtrArray) cases = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 began = g_get_monotonic_time ();

  g_ptr_array_add (cases, chain_case_new (self->folder, N_LINKS, 1));
  g_ptr_array_add (cases, chain_case_new (self->folder, n_links, 1));
  for (guint i = 0; i < 2; i++)
    pair->parts[i] = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n_blocks; i++)
    measure (self, cases, pair);
  pair->seconds = (double)(g_get_monotonic_time () - began) / 1e6;
}

static void
pair_clear (Pair *pair)
{
  g_ptr_array_unref (pair->parts[0]);
  g_ptr_array_unref (pair->parts[1]);
}

/* Judging */

static DynoResult *
join (Pair *pair, guint side, const guint *chosen, guint n)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("chain", side == 0 ? "even" : "planted");
  g_autoptr (DynoResult) empty = dyno_result_new (kase, side);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (parts, pair->parts[side]->pdata[chosen[i]]);
  return dyno_result_join_all (empty, parts);
}

static DynoComparison *
compare (Pair *pair, const guint *chosen, guint n)
{
  const DynoComparisonOptions options = { NULL };
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoComparison *comparison;
  GError *error = NULL;

  for (guint side = 0; side < 2; side++)
    {
      g_autoptr (DynoResult) result = join (pair, side, chosen, n);

      dyno_run_add_result (run, result);
    }
  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, &options, &error);
  bench_use_no_error (error);
  return comparison;
}

/* Returns the logarithm of the ratio of each block: by its rounds, or one after another by its medians. */
static GArray *
list_ratios (Pair *pair)
{
  GArray *ratios = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < pair->parts[0]->len; i++)
    {
      g_autoptr (DynoComparison) comparison = compare (pair, &i, 1);
      const DynoComparedCase *kase = comparison->cases->len > 0 ? comparison->cases->pdata[0] : NULL;
      g_autoptr (DynoRoundRatios) rounds =
          kase != NULL ? dyno_round_ratios_new (kase->baseline, kase->result, DYNO_COMPARISON_METRIC) : NULL;
      double ratio = log (dyno_result_get_number (pair->parts[1]->pdata[i], "latency_p50_ms") /
                          dyno_result_get_number (pair->parts[0]->pdata[i], "latency_p50_ms"));

      if (rounds != NULL)
        {
          const DynoSample *block = &g_array_index (rounds->blocks, DynoSample, 0);
          g_autofree double *sorted = g_memdup2 (block->values, block->n * sizeof (double));

          dyno_stats_sort (sorted, block->n);
          ratio = log (dyno_stats_percentile (sorted, block->n, 50));
        }
      g_array_append_val (ratios, ratio);
    }
  return ratios;
}

/* Returns the spread in per cent. */
static double
report_spread (Pair *pair, const char *how)
{
  g_autoptr (GArray) ratios = list_ratios (pair);
  double spread = 100 * dyno_stats_standard_deviation ((const double *)(gpointer)ratios->data, ratios->len);

  g_print ("  A/A %s: blocks spread by %.2f %% (%.1f s each)\n", how, spread, pair->seconds / ratios->len);
  return spread;
}

static void
choose (Bench *self, guint n_blocks, guint *chosen, guint n)
{
  g_autofree guint *order = g_new (guint, n_blocks);

  for (guint i = 0; i < n_blocks; i++)
    order[i] = i;
  for (guint i = 0; i < n; i++)
    {
      guint k = i + dyno_random_below (&self->random, n_blocks - i);

      chosen[i] = order[k];
      order[k] = order[i];
    }
}

/* Counts the verdicts over groups of N blocks, and the intervals that hold the TRUTH. */
static void
judge (Bench *self, Pair *pair, double truth, guint n, guint *n_verdicts, guint *n_covered)
{
  g_autofree guint *chosen = g_new (guint, n);

  for (guint i = 0; i < N_TRIALS; i++)
    {
      g_autoptr (DynoComparison) comparison = NULL;
      const DynoComparedCase *kase;

      choose (self, pair->parts[0]->len, chosen, n);
      comparison = compare (pair, chosen, n);
      if (comparison->cases->len == 0)
        continue;
      kase = comparison->cases->pdata[0];
      n_verdicts[kase->verdict]++;
      *n_covered += kase->low <= truth && truth <= kase->high;
    }
}

static void
report_verdicts (Bench *self, Pair *pair, guint n_links, const char *state)
{
  double truth = (double)n_links / N_LINKS;
  double seconds = pair->seconds / pair->parts[0]->len;
  guint n = n_links == N_TO_FIND ? CLAMP ((guint)(60 / seconds), N_GROUP, pair->parts[0]->len) : N_GROUP;
  g_autoptr (GArray) ratios = list_ratios (pair);
  double bias =
      100 * (exp (dyno_stats_mean ((const double *)(gpointer)ratios->data, ratios->len)) / truth - 1);
  g_autofree char *row =
      n_links == N_LINKS
          ? g_strdup_printf ("false alarms of equal sides in turns, %s", state)
          : g_strdup_printf ("a planted difference of %.0f %% in turns, %s", 100 * (truth - 1), state);
  guint counts[DYNO_N_VERDICTS] = { 0 };
  guint n_covered = 0, n_probable;

  judge (self, pair, truth, n, counts, &n_covered);
  n_probable = counts[DYNO_VERDICT_PROBABLY_BETTER] + counts[DYNO_VERDICT_PROBABLY_WORSE];
  g_print ("  planted %4.1f %%: bias %+.2f %%, faster in %u %%, slower in %u %%, probably either in %u %%, "
           "the interval"
           " holds it in %u %%, %.0f s for %u blocks\n",
           100 * (truth - 1), bias, 100 * counts[DYNO_VERDICT_BETTER] / N_TRIALS,
           100 * counts[DYNO_VERDICT_WORSE] / N_TRIALS, 100 * n_probable / N_TRIALS,
           100 * n_covered / N_TRIALS, n * seconds, n);
  if (n_links == N_LINKS)
    bench_row (row, "at most 5 %; “probably” in at most 10 %", "%u %%; “probably” in %u %%",
               100 * (counts[DYNO_VERDICT_BETTER] + counts[DYNO_VERDICT_WORSE]) / N_TRIALS,
               100 * n_probable / N_TRIALS);
  else
    bench_row (row, "5 % and more found in 95 % within 60 s; bias below 0.5 %",
               "found in %u %% within %.0f s, bias %+.2f %%, interval holds it in %u %%",
               100 * counts[DYNO_VERDICT_WORSE] / N_TRIALS, n * seconds, bias, 100 * n_covered / N_TRIALS);
}

static void
measure_state (Bench *self, const char *title)
{
  g_autofree char *row = g_strdup_printf ("spread of comparisons of equal sides, %s", title);
  double spread_sequential, spread_in_turns = NAN;
  Pair sequential;

  g_print ("%s\n", title);
  measure_pair (self, N_LINKS, self->n_blocks, measure_one_after_another, &sequential);
  spread_sequential = report_spread (&sequential, "one after another");
  pair_clear (&sequential);
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    {
      Pair pair;

      /* More than fit into a minute, of which different ones can be drawn. */
      measure_pair (self, links[i],
                    links[i] == N_TO_FIND ? 2 * MAX (self->n_blocks, N_BLOCKS) : self->n_blocks,
                    measure_in_turns, &pair);
      if (i == 0)
        spread_in_turns = report_spread (&pair, "in turns");
      report_verdicts (self, &pair, links[i], title);
      pair_clear (&pair);
    }
  bench_row (row, "in turns at most a fifth beside the disturber, no more without",
             "%.2f %% in turns, %.2f %% one after another", spread_in_turns, spread_sequential);
}

static int
run_suite (int argc, char *argv[])
{
  Bench self = { .loop = g_main_loop_new (NULL, FALSE) };

  bench_init ();
  self.n_blocks =
      argc > 1 ? (guint)CLAMP (g_ascii_strtoull (argv[1], NULL, 10), N_GROUP, MAX_BLOCKS) : N_BLOCKS;
  self.folder = dyno_scratch_new (NULL);
  dyno_random_init (&self.random, 1);
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    chain_write (self.folder, links[i]);
  g_print ("Goals: in turns, A/A spreads by at most a fifth of one after another beside the disturber, and "
           "by no more\n"
           "without; false alarms in at most 5 %%, a planted 5 %% found in 95 %% within 60 s, bias below 0.5 "
           "%%.\n");
  if (argc < 3 || g_str_equal (argv[2], "quiet"))
    measure_state (&self, "as the machine is");
  if (argc < 3 || g_str_equal (argv[2], "disturbed"))
    {
      Disturber *disturber = disturber_start ();

      measure_state (&self, "beside the disturber");
      disturber_stop (disturber);
    }
  dyno_scratch_remove (self.folder);
  g_free (self.folder);
  g_main_loop_unref (self.loop);
  return 0;
}

SUITE (run_suite)

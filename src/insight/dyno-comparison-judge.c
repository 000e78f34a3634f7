/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-bootstrap.h"
#include "dyno-comparison-builder.h"
#include "dyno-hypothesis-tests.h"
#include "dyno-insight-private.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"
#include "dyno-unit.h"

#define SIGNIFICANCE 0.05
/* A difference is probable if at least this share of the resamples is on its side: chance alone is there in fewer than
 * one comparison of ten, both sides together. */
#define PROBABLE 0.96
#define SEED     1

/* The tests of a case. A case that cannot be tested has NaN in all of them. */
typedef struct
{
  double *differ;     /* p-values from the interval of the ratio: both are the same */
  double *equivalent; /* they differ by the threshold or more */
  double *by_process; /* no side's processes tend to be slower: by ranks, and in blocks by pairs */
  double *by_tail;    /* like @equivalent, from the resamples alone */
} Evidence;

static void
evidence_free (Evidence *evidence)
{
  g_free (evidence->differ);
  g_free (evidence->equivalent);
  g_free (evidence->by_process);
  g_free (evidence->by_tail);
  g_free (evidence);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Evidence, evidence_free)

static double
sum_effective (const DynoCaseSamples *samples)
{
  double sum = 0;

  for (guint i = 0; i < samples->groups->len; i++)
    {
      const DynoSample *group = &g_array_index (samples->groups, DynoSample, i);

      sum += dyno_stats_effective_size (group->values, group->n);
    }
  return sum;
}

/* The processes of both sides; in blocks, those of one block have the same index. */
typedef struct
{
  GArray *before;
  GArray *after;
  gboolean in_blocks;
} Processes;

static void
processes_clear (Processes *processes)
{
  g_array_unref (processes->before);
  g_array_unref (processes->after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Processes, processes_clear)

static void
collect_processes (Processes *processes,
                   const DynoCaseSamples *before,
                   const DynoCaseSamples *after,
                   gboolean in_blocks)
{
  processes->in_blocks = in_blocks;
  if (in_blocks)
    {
      processes->before = g_array_new (FALSE, FALSE, sizeof (DynoSample));
      processes->after = g_array_new (FALSE, FALSE, sizeof (DynoSample));
      for (guint i = 0; i < before->blocks->len; i++)
        {
          guint block = g_array_index (before->blocks, guint, i), k = 0;

          while (k < after->blocks->len && g_array_index (after->blocks, guint, k) != block)
            k++;
          if (k == after->blocks->len)
            continue;
          g_array_append_val (processes->before, g_array_index (before->groups, DynoSample, i));
          g_array_append_val (processes->after, g_array_index (after->groups, DynoSample, k));
        }
      return;
    }
  processes->before = g_array_ref (before->groups);
  processes->after = g_array_ref (after->groups);
}

static double *
dup_medians (GArray *groups)
{
  double *medians = g_new (double, MAX (groups->len, 1));

  for (guint i = 0; i < groups->len; i++)
    {
      const DynoSample *group = &g_array_index (groups, DynoSample, i);
      g_autofree double *sorted = g_memdup2 (group->values, group->n * sizeof (double));

      dyno_stats_sort (sorted, group->n);
      medians[i] = dyno_stats_percentile (sorted, group->n, 50);
    }
  return medians;
}

static double
test_pairs (const double *before, const double *after, guint n)
{
  g_autofree double *ratios = g_new (double, n);

  for (guint i = 0; i < n; i++)
    ratios[i] = after[i] / before[i];
  return dyno_stats_paired_difference_p (ratios, n);
}

static double
test_blocks (DynoComparedCase *kase, double *before, double *after, guint n)
{
  double p_of_pairs = test_pairs (before, after, n);
  DynoRankTest test;

  /* Both sides lose the block's common effect. */
  for (guint i = 0; i < n; i++)
    {
      double level = sqrt (before[i] * after[i]);

      before[i] /= level;
      after[i] /= level;
    }

  dyno_stats_rank_test (after, n, before, n, &test);
  kase->effect = test.delta;
  return MAX (test.p, p_of_pairs);
}

/* The evidence about a ratio: of processes, or of rounds. */
typedef struct
{
  DynoBootstrap *bootstrap;
  double freedom;
  double by_student;
} Ratio;

static guint
count_needed (const DynoComparison *self, const DynoComparedCase *kase, const DynoInterval *interval)
{
  gsize n = dyno_stats_processes_needed (interval, MIN (kase->n_baseline, kase->n), self->threshold * 100);

  return n <= DYNO_COMPARISON_MOST_PROCESSES ? (guint)n : 0;
}

/* Returns whether there are enough processes for an interval. Fewer than five give none, but a direction. */
static gboolean
test_ratio (DynoComparison *self, DynoComparedCase *kase, const Ratio *ratio, Evidence *evidence, gsize i)
{
  guint n = MIN (kase->n_baseline, kase->n);
  double threshold = self->threshold * 100;
  DynoInterval interval;
  double p;

  if (ratio->bootstrap == NULL || n < 2)
    return FALSE;
  dyno_bootstrap_get_interval (ratio->bootstrap, 1 - SIGNIFICANCE, &interval);
  kase->ratio = interval.estimate;
  p = kase->ratio > 1 ? dyno_bootstrap_get_p_below (ratio->bootstrap, 1)
                      : dyno_bootstrap_get_p_above (ratio->bootstrap, 1);
  /* The confidence is the share of the resamples on the side of the ratio, as far as Student's tests agree. */
  kase->confidence =
      1 -
      fmax (p, fmax (dyno_stats_interval_difference_p (&interval, ratio->freedom), ratio->by_student) / 2);
  if (n < DYNO_COMPARISON_MIN_PROCESSES)
    {
      kase->n_needed = count_needed (self, kase, &interval);
      return FALSE;
    }
  kase->low = interval.low;
  kase->high = interval.high;
  evidence->by_tail[i] = dyno_stats_equivalence_p (ratio->bootstrap, threshold);
  evidence->differ[i] = dyno_stats_interval_difference_p (&interval, ratio->freedom);
  evidence->equivalent[i] = dyno_stats_interval_equivalence_p (&interval, ratio->freedom, threshold);
  return TRUE;
}

/* Tests the ratios of the rounds, which are free of whatever disturbs both turns of a round. */
static void
test_rounds (
    DynoComparison *self, DynoComparedCase *kase, const DynoRoundRatios *rounds, Evidence *evidence, gsize i)
{
  guint n = rounds->blocks->len;
  g_autoptr (DynoBootstrap) bootstrap =
      dyno_bootstrap_new_ratio_of_rounds ((const DynoSample *)(gpointer)rounds->blocks->data, n, SEED);
  g_autofree double *before = g_new (double, MAX (n, 1));
  g_autofree double *after = dup_medians (rounds->blocks);
  Ratio ratio = { bootstrap, n - 1.0, 1 };

  for (guint k = 0; k < n; k++)
    before[k] = 1;
  ratio.by_student = test_pairs (before, after, n);
  kase->n_baseline = kase->n = n;
  kase->ratio = n == 1 ? after[0] : kase->ratio;
  if (test_ratio (self, kase, &ratio, evidence, i))
    evidence->by_process[i] = test_blocks (kase, before, after, n);
}

/* Tests the processes as they are, or within their blocks. */
static void
test_processes (
    DynoComparison *self, DynoComparedCase *kase, const Processes *processes, Evidence *evidence, gsize i)
{
  const DynoSample *before = (const DynoSample *)(gpointer)processes->before->data;
  const DynoSample *after = (const DynoSample *)(gpointer)processes->after->data;
  guint n_before = processes->before->len, n_after = processes->after->len;
  g_autoptr (DynoBootstrap) bootstrap =
      processes->in_blocks ? dyno_bootstrap_new_paired_ratio (after, before, n_before, SEED)
                           : dyno_bootstrap_new_ratio (after, n_after, before, n_before, SEED);
  g_autofree double *medians_before = dup_medians (processes->before);
  g_autofree double *medians_after = dup_medians (processes->after);
  Ratio ratio = { .bootstrap = bootstrap };
  DynoRankTest test;

  /* The interval has the same degrees of freedom as Student's test, which needs no resamples: of few processes, these
   * are all on one side as soon as the processes are. */
  ratio.freedom = processes->in_blocks ? n_before - 1.0 : n_before + n_after - 2.0;
  ratio.by_student = processes->in_blocks
                         ? test_pairs (medians_before, medians_after, n_before)
                         : dyno_stats_group_difference_p (medians_before, n_before, medians_after, n_after);
  if (!test_ratio (self, kase, &ratio, evidence, i))
    return;
  if (processes->in_blocks)
    {
      evidence->by_process[i] = test_blocks (kase, medians_before, medians_after, n_before);
      return;
    }
  dyno_stats_rank_test (medians_after, n_after, medians_before, n_before, &test);
  kase->effect = test.delta;
  evidence->by_process[i] = test.p;
}

/* Returns the self-test of the machine that measured both sides. That of another machine does not apply, nor does
 * that of processes one after another apply to turns. */
static const DynoSelfTest *
find_self_test (const DynoComparison *self, const DynoComparedCase *kase)
{
  const DynoComparisonSide *before = self->sides->pdata[self->baseline];
  const DynoComparisonSide *after = self->sides->pdata[kase->side];
  const DynoSelfTest *ours = dyno_run_get_self_test (before->run);
  const DynoSelfTest *theirs = dyno_run_get_self_test (after->run);

  if (dyno_round_ratios_exist (kase->baseline, kase->result) || ours == NULL || theirs == NULL ||
      !g_str_equal (ours->run_id, theirs->run_id))
    return NULL;
  return ours;
}

/* Sides that take turns are as urgent as the most urgent of them. */
static guint
get_rank (DynoPlan *plan, DynoRun *run, DynoResult *result)
{
  GListModel *results = dyno_run_get_results (run);
  guint rank = dyno_plan_rank (plan, dyno_result_get_case (result), dyno_result_get_ordinal (result));

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) other = g_list_model_get_item (results, i);

      if (dyno_round_ratios_exist (result, other))
        rank =
            MIN (rank, dyno_plan_rank (plan, dyno_result_get_case (other), dyno_result_get_ordinal (other)));
    }
  return rank;
}

static void
examine (DynoComparison *self, DynoComparedCase *kase, Evidence *evidence, gsize i)
{
  gboolean undisturbed =
      dyno_result_is_undisturbed (kase->baseline) && dyno_result_is_undisturbed (kase->result);
  g_autoptr (DynoCaseSamples) before = dyno_case_samples_new (kase->baseline, self->metric, undisturbed);
  g_autoptr (DynoCaseSamples) after = dyno_case_samples_new (kase->result, self->metric, undisturbed);
  g_autoptr (DynoRoundRatios) rounds = NULL;
  g_auto (Processes) processes = { NULL };
  const DynoComparisonSide *baseline = self->sides->pdata[self->baseline];
  const DynoComparisonSide *side = self->sides->pdata[kase->side];
  const char *json = dyno_run_get_plan (side->run);
  g_autoptr (DynoPlan) plan =
      json != NULL && strstr (json, "\"first\"") != NULL ? dyno_plan_new_from_json (json, NULL) : NULL;

  /* Cases of a run that were not equally urgent were measured one after the other. */
  kase->in_blocks = baseline->run == side->run &&
                    (plan == NULL ||
                     get_rank (plan, side->run, kase->baseline) == get_rank (plan, side->run, kase->result));
  rounds = kase->in_blocks && dyno_round_ratios_exist (kase->baseline, kase->result)
               ? dyno_round_ratios_new (kase->baseline, kase->result, self->metric)
               : NULL;
  kase->n_rounds = rounds != NULL ? rounds->n_rounds : 0;
  kase->noise_floor = dyno_self_test_get_floor (find_self_test (self, kase), self->metric);
  collect_processes (&processes, before, after, kase->in_blocks);
  kase->n_baseline = processes.before->len;
  kase->n = processes.after->len;
  kase->effective_baseline = sum_effective (before);
  kase->effective = sum_effective (after);
  if (rounds != NULL)
    test_rounds (self, kase, rounds, evidence, i);
  else
    test_processes (self, kase, &processes, evidence, i);
}

static gboolean
is_better (const DynoComparison *self, const DynoComparedCase *kase)
{
  return (kase->ratio > 1) == dyno_verdict_more_is_better (self->metric);
}

/* One process of each side tells how it compares with the next only where a self-test has shown how far
 * processes are apart. */
static gboolean
is_probable (const DynoComparison *self, const DynoComparedCase *kase)
{
  guint n = MIN (kase->n_baseline, kase->n);
  /* Sides with few processes have a noise floor of their own. */
  double noise_floor = n >= DYNO_SELF_TEST_GROUP
                           ? kase->noise_floor
                           : dyno_self_test_get_floor_of_few (find_self_test (self, kase), self->metric, n);
  gboolean is_beyond = fabs (log (kase->ratio)) >= log1p (fmax (self->threshold, noise_floor));

  return is_beyond && (isfinite (kase->confidence) ? kase->confidence >= PROBABLE : isfinite (noise_floor));
}

static void
explain_probable (DynoComparedCase *kase)
{
  g_autofree char *percent = dyno_unit_format_percent ((1 - kase->confidence) * 100);

  if (!isfinite (kase->confidence))
    kase->reason = g_strdup_printf (_ ("The difference is larger than that between two processes of the "
                                       "self-test. %u processes per case may make it certain."),
                                    kase->n_needed);
  else if (kase->n_needed > 0)
    kase->reason = g_strdup_printf (
        _ ("Chance alone shows as much in %s %% of comparisons. %u processes per case may make it certain."),
        percent, kase->n_needed);
  else
    kase->reason =
        g_strdup_printf (_ ("Chance alone shows as much in %s %% of comparisons. The processes differ too "
                            "much to make it certain: make the machine quieter, or fix its clocks."),
                         percent);
}

static void
leave_open (const DynoComparison *self, DynoComparedCase *kase, gboolean is_few)
{
  const DynoInterval interval = { kase->low, kase->ratio, kase->high };

  kase->n_needed =
      is_few ? MAX (kase->n_needed, DYNO_COMPARISON_MIN_PROCESSES) : count_needed (self, kase, &interval);
  if (is_probable (self, kase))
    {
      kase->verdict = is_better (self, kase) ? DYNO_VERDICT_PROBABLY_BETTER : DYNO_VERDICT_PROBABLY_WORSE;
      explain_probable (kase);
    }
  else if (is_few && kase->n_baseline == 1 && kase->n == 1)
    kase->reason = g_strdup_printf (_ ("Each side was measured in one process, and the next process may "
                                       "differ by more. Measure with %u processes per case."),
                                    kase->n_needed);
  else if (is_few)
    kase->reason = g_strdup_printf (_ ("A side was measured in fewer than %d processes, which give no "
                                       "interval. Measure with %u processes per case."),
                                    DYNO_COMPARISON_MIN_PROCESSES, kase->n_needed);
  else if (kase->n_needed > 0)
    kase->reason = g_strdup_printf (
        _ ("The processes differ too much for so few of them: %u processes per case may be enough."),
        kase->n_needed);
  else
    kase->reason =
        g_strdup (_ ("The processes differ too much among themselves: no reasonable number of them would "
                     "do. Make the machine quieter, or fix its clocks."));
}

static void
decide (
    const DynoComparison *self, DynoComparedCase *kase, double equivalent, double by_tail, double by_process)
{
  gboolean is_few = MIN (kase->n_baseline, kase->n) < DYNO_COMPARISON_MIN_PROCESSES;
  double limit = 1 + self->threshold;
  gboolean is_shown = kase->p_value < SIGNIFICANCE && by_process < SIGNIFICANCE &&
                      (kase->low > 1 || kase->high < 1) && (kase->ratio >= limit || kase->ratio <= 1 / limit);

  if (kase->verdict == DYNO_VERDICT_CONFOUNDED)
    return;
  if (!is_few && (!isfinite (kase->low) || !isfinite (kase->high)))
    kase->reason = g_strdup (_ ("There is no ratio: one of the numbers is not above zero."));
  else if (equivalent < SIGNIFICANCE && by_tail < SIGNIFICANCE)
    kase->verdict = DYNO_VERDICT_SAME;
  else if (is_shown && fabs (log (kase->ratio)) < log1p (kase->noise_floor))
    {
      /* A difference that is shown may still be smaller than the machine's own noise. */
      g_autofree char *percent = dyno_unit_format_percent (kase->noise_floor * 100);

      kase->verdict = DYNO_VERDICT_WITHIN_NOISE;
      kase->reason = g_strdup_printf (
          _ ("The difference is smaller than the noise floor of this machine, %s %%."), percent);
    }
  else if (is_shown)
    kase->verdict = is_better (self, kase) ? DYNO_VERDICT_BETTER : DYNO_VERDICT_WORSE;
  else
    leave_open (self, kase, is_few);
}

void
dyno_comparison_judge_together (DynoComparison *const *comparisons, gsize n_comparisons)
{
  g_autoptr (GPtrArray) cases = g_ptr_array_new ();
  g_autoptr (GPtrArray) owners = g_ptr_array_new (); /* the comparison of each case at the same index */
  g_autoptr (Evidence) evidence = NULL;
  g_autofree double *differ = NULL;
  g_autofree double *equivalent = NULL;

  for (gsize i = 0; i < n_comparisons; i++)
    for (guint k = 0; k < comparisons[i]->cases->len; k++)
      {
        g_ptr_array_add (cases, comparisons[i]->cases->pdata[k]);
        g_ptr_array_add (owners, comparisons[i]);
      }
  evidence = g_new0 (Evidence, 1);
  evidence->differ = g_new (double, cases->len);
  evidence->equivalent = g_new (double, cases->len);
  evidence->by_process = g_new (double, cases->len);
  evidence->by_tail = g_new (double, cases->len);
  for (gsize i = 0; i < cases->len; i++)
    evidence->differ[i] = evidence->equivalent[i] = evidence->by_process[i] = evidence->by_tail[i] = NAN;
  differ = g_new (double, cases->len);
  equivalent = g_new (double, cases->len);
  for (gsize i = 0; i < cases->len; i++)
    examine (owners->pdata[i], cases->pdata[i], evidence, i);
  dyno_stats_control_false_discovery (evidence->differ, cases->len, differ);
  dyno_stats_control_false_discovery (evidence->equivalent, cases->len, equivalent);
  for (gsize i = 0; i < cases->len; i++)
    {
      DynoComparedCase *kase = cases->pdata[i];

      kase->p_value = differ[i];
      decide (owners->pdata[i], kase, equivalent[i], evidence->by_tail[i], evidence->by_process[i]);
    }
}

void
dyno_comparison_judge (DynoComparison *self)
{
  dyno_comparison_judge_together (&self, 1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-comparison-builder.h"
#include "suite.h"

#define N_STEPS  60
#define N_TRIALS 60
#define N_ROUNDS 15

/* Realistic processes: the steps of one are correlated, and processes differ slightly in speed. */
typedef struct
{
  GRand *random;
  double spread; /* between processes */
  double drift;  /* between blocks, the same for all in a block */
} Machine;

static double
draw (GRand *random)
{
  return sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
}

static void
add_process (const Machine *machine, DynoResult *result, guint number, double level)
{
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);
  DynoInvocation *invocation = dyno_invocation_new (number, NULL);
  double noise = draw (machine->random);

  level *= exp (machine->spread * draw (machine->random)) * (1 + machine->drift * number);
  dyno_trace_set_invocation (trace, number);
  for (guint i = 0; i < N_STEPS; i++)
    {
      noise = 0.3 * noise + sqrt (1 - 0.3 * 0.3) * draw (machine->random);
      dyno_trace_add (trace, i * 1000000, level * exp (0.02 * noise));
    }
  dyno_result_take_trace (result, trace);
  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_p50_ms", level, "ms", DYNO_QUALITY_MEASURED, "clock"));
  dyno_result_take_invocation (result, invocation);
}

/* The mean of the logarithms, which does not need to be a median here. */
static double
find_middle (DynoResult *result)
{
  GPtrArray *processes = dyno_result_get_invocations (result);
  double sum = 0;

  for (guint i = 0; i < processes->len; i++)
    sum += log (dyno_invocation_get_number (processes->pdata[i], "latency_p50_ms"));
  return exp (sum / processes->len);
}

static void
add_case (const Machine *machine,
          DynoRun *run,
          const char *backend,
          guint batch_size,
          guint n_processes,
          double level)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net", backend);
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "batch-size", batch_size, NULL);
  result = dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  for (guint i = 0; i < n_processes; i++)
    add_process (machine, result, i, level);
  dyno_result_add_measured (result, "latency_p50_ms", find_middle (result), "ms", "clock");
  dyno_run_add_result (run, result);
}

/* Makes every second step of the only case in @run a disturbed one that takes ten times as long. */
static void
disturb (DynoRun *run)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  GPtrArray *traces = dyno_result_get_traces (result);

  for (guint i = 0; i < invocations->len; i++)
    {
      DynoInvocation *invocation = invocations->pdata[i];
      DynoTrace *latency = dyno_result_get_invocation_trace (result, "latency", i);
      DynoTrace *disturbed = dyno_trace_new ("latency", "ms", 0);
      DynoTrace *windows = dyno_trace_new ("undisturbed", "", 0);

      dyno_trace_set_invocation (disturbed, i);
      dyno_trace_set_invocation (windows, i);
      for (guint j = 0; j < N_STEPS; j++)
        {
          gint64 time = dyno_trace_get_times (latency)[j];

          dyno_trace_add (disturbed, time, dyno_trace_get_values (latency)[j] * (j % 2 == 0 ? 1 : 10));
          dyno_trace_add (windows, time + 1, j % 2 == 0);
        }
      g_ptr_array_remove (traces, latency);
      dyno_result_take_trace (result, disturbed);
      dyno_result_take_trace (result, windows);
      g_ptr_array_add (invocation->values,
                       dyno_value_new ("latency_all_p50_ms", 55, "ms", DYNO_QUALITY_MEASURED, "clock"));
    }
  dyno_result_add_measured (result, "latency_all_p50_ms", 55, "ms", "clock");
}

static DynoComparison *
compare (DynoRun *before, DynoRun *after)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  const DynoComparisonOptions options = { NULL };

  g_ptr_array_add (runs, before);
  if (after != NULL)
    g_ptr_array_add (runs, after);
  return dyno_comparison_new (runs, &options, NULL);
}

static DynoVerdict
get_verdict (const DynoComparison *comparison, guint i)
{
  g_assert_cmpuint (i, <, comparison->cases->len);
  return ((DynoComparedCase *)comparison->cases->pdata[i])->verdict;
}

/* One case of ten differs: it is found, and no other. */
static void
test_one_of_many (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  const Machine machine = { random, 0.005, 0 };
  g_autoptr (DynoRun) before = dyno_run_new (NULL);
  g_autoptr (DynoRun) after = dyno_run_new (NULL);
  g_autoptr (DynoComparison) comparison = NULL;

  for (guint i = 0; i < 10; i++)
    {
      add_case (&machine, before, "cpu", i + 1, 5, 10);
      add_case (&machine, after, "cpu", i + 1, 5, i == 3 ? 10.5 : 10);
    }
  comparison = compare (before, after);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (get_verdict (comparison, i), ==, i == 3 ? DYNO_VERDICT_WORSE : DYNO_VERDICT_SAME);
}

static void
test_numbers (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  const Machine machine = { random, 0.005, 0 };
  g_autoptr (DynoRun) before = dyno_run_new (NULL);
  g_autoptr (DynoRun) after = dyno_run_new (NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  const DynoComparedCase *kase;

  add_case (&machine, before, "cpu", 1, 5, 10);
  add_case (&machine, after, "cpu", 1, 6, 5);
  comparison = compare (before, after);
  kase = comparison->cases->pdata[0];
  g_assert_cmpint (kase->verdict, ==, DYNO_VERDICT_BETTER);
  g_assert_cmpfloat_with_epsilon (kase->ratio, 0.5, 0.01);
  g_assert_true (kase->low < kase->ratio && kase->ratio < kase->high && kase->high < 0.52);
  g_assert_cmpfloat (kase->effect, ==, -1);
  g_assert_cmpuint (kase->n_baseline, ==, 5);
  g_assert_cmpuint (kase->n, ==, 6);
  g_assert_true (kase->effective > 50 && kase->effective < 6 * N_STEPS);
  g_assert_cmpfloat (kase->p_value, <, 1e-4);
}

/* A machine on which half of the processes take longer by a share. */
static DynoSelfTest *
create_self_test (const char *id, double share)
{
  DynoSelfTest *self = dyno_self_test_new (id, 0);

  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    dyno_self_test_add (self, "latency_p50_ms", i % 2 == 0 ? 5 : 5 * (1 + share));
  return self;
}

static DynoComparison *
compare_tested (DynoRun *before, DynoSelfTest *before_test, DynoRun *after, DynoSelfTest *after_test)
{
  dyno_run_set_self_test (before, before_test);
  dyno_run_set_self_test (after, after_test);
  return compare (before, after);
}

static double
get_floor (const DynoComparison *comparison)
{
  return ((DynoComparedCase *)comparison->cases->pdata[0])->noise_floor;
}

/* Undisturbed steps are compared with undisturbed ones only; otherwise all steps are. */
static void
test_undisturbed (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  const Machine machine = { random, 0.002, 0 };

  for (guint n_disturbed = 1; n_disturbed <= 2; n_disturbed++)
    {
      g_autoptr (DynoRun) before = dyno_run_new (NULL);
      g_autoptr (DynoRun) after = dyno_run_new (NULL);
      g_autoptr (DynoComparison) comparison = NULL;
      g_autofree char *remark = NULL;
      const DynoComparedCase *kase;

      add_case (&machine, before, "cpu", 1, 5, 10);
      add_case (&machine, after, "cpu", 1, 5, 10);
      disturb (before);
      if (n_disturbed == 2)
        disturb (after);
      comparison = compare (before, after);
      kase = comparison->cases->pdata[0];
      g_test_message ("%u disturbed: %f", n_disturbed, kase->ratio);
      g_assert_cmpfloat_with_epsilon (kase->baseline_value, n_disturbed == 2 ? 10 : 55, 0.5);
      g_assert_cmpfloat_with_epsilon (kase->value, 10, 0.5);
      remark = dyno_comparison_dup_remark (comparison);
      g_assert_cmpint (strstr (remark, "only one side has an undisturbed median") != NULL, ==,
                       n_disturbed == 1);
      if (n_disturbed == 2)
        g_assert_cmpfloat_with_epsilon (kase->ratio, 1, 0.02);
      else
        g_assert_cmpfloat (kase->ratio, <, 0.5);
    }
}

/* A difference below the noise floor of the machine is not claimed; the noise floor of another machine does not
 * matter. */
static void
test_noise_floor (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  const Machine machine = { random, 0.005, 0 };
  g_autoptr (DynoRun) before = dyno_run_new (NULL);
  g_autoptr (DynoRun) after = dyno_run_new (NULL);
  g_autoptr (DynoSelfTest) noisy = create_self_test ("noisy", 0.1);
  g_autoptr (DynoSelfTest) quiet = create_self_test ("quiet", 0.01);
  g_autoptr (DynoComparison) coarse = NULL;
  g_autoptr (DynoComparison) fine = NULL;
  g_autoptr (DynoComparison) elsewhere = NULL;
  g_autoptr (DynoComparison) unknown = NULL;

  add_case (&machine, before, "cpu", 1, 5, 10);
  add_case (&machine, after, "cpu", 1, 5, 10.5);
  coarse = compare_tested (before, noisy, after, noisy);
  fine = compare_tested (before, quiet, after, quiet);
  elsewhere = compare_tested (before, noisy, after, quiet);
  unknown = compare_tested (before, NULL, after, noisy);
  g_assert_cmpint (get_verdict (coarse, 0), ==, DYNO_VERDICT_WITHIN_NOISE);
  g_assert_cmpint (get_verdict (fine, 0), ==, DYNO_VERDICT_WORSE);
  g_assert_cmpint (get_verdict (elsewhere, 0), ==, DYNO_VERDICT_WORSE);
  g_assert_cmpint (get_verdict (unknown, 0), ==, DYNO_VERDICT_WORSE);
  g_assert_cmpfloat_with_epsilon (get_floor (coarse), 0.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_comparison_get_noise_floor (fine), 0.01, 1e-9);
  g_assert_true (isnan (get_floor (elsewhere)));
  g_assert_true (isnan (dyno_comparison_get_noise_floor (unknown)));
}

/* Drift between blocks hides a difference between runs, but not one within the blocks. */
static void
test_blocks (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  const Machine machine = { random, 0.005, 0.2 };
  g_autoptr (DynoRun) both = dyno_run_new (NULL);
  g_autoptr (DynoRun) one = dyno_run_new (NULL);
  g_autoptr (DynoRun) other = dyno_run_new (NULL);
  g_autoptr (DynoComparison) within = NULL;
  g_autoptr (DynoComparison) across = NULL;

  add_case (&machine, both, "cpu", 1, 5, 10);
  add_case (&machine, both, "fast", 1, 5, 9.5);
  add_case (&machine, one, "cpu", 1, 5, 10);
  add_case (&machine, other, "fast", 1, 5, 9.5);
  within = compare (both, NULL);
  across = compare (one, other);
  g_assert_true (((DynoComparedCase *)within->cases->pdata[0])->in_blocks);
  g_assert_cmpstr (dyno_comparison_get_ratio_title (within), ==, "Ratio within blocks (95 % interval)");
  g_assert_cmpstr (dyno_comparison_get_ratio_title (across), ==, "Ratio (95 % interval)");
  g_assert_cmpint (get_verdict (within, 0), ==, DYNO_VERDICT_BETTER);
  g_assert_cmpint (get_verdict (across, 0), ==, DYNO_VERDICT_NOT_ENOUGH_DATA);
}

/* The disturbance that both sides of a round share. */
static double
get_disturbance (guint block, guint round)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (100 * block + round);

  return exp (0.3 * draw (random));
}

/* A process that took turns, after some steps of warming up, which are slow. */
static void
add_process_in_turns (const Machine *machine, DynoResult *result, guint number, double level, gboolean marked)
{
  DynoTrace *latency = dyno_trace_new ("latency", "ms", 0);
  DynoTrace *turns = dyno_trace_new ("turns", "", 0);
  DynoInvocation *invocation = dyno_invocation_new (number, NULL);
  gint64 time = 0;

  dyno_trace_set_invocation (latency, number);
  dyno_trace_set_invocation (turns, number);
  level *= exp (machine->spread * draw (machine->random));
  for (guint i = 0; i < 5; i++)
    dyno_trace_add (latency, time++, 9 * level);
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      dyno_trace_add (turns, time++, round);
      for (guint i = 0; i < 5; i++)
        dyno_trace_add (latency, time++,
                        level * get_disturbance (number, round) * exp (0.02 * draw (machine->random)));
    }
  dyno_result_take_trace (result, latency);
  if (marked)
    dyno_result_take_trace (result, turns);
  else
    g_object_unref (turns);
  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_p50_ms", level, "ms", DYNO_QUALITY_MEASURED, "clock"));
  dyno_result_take_invocation (result, invocation);
}

static DynoResult *
add_case_in_turns (const Machine *machine,
                   DynoRun *run,
                   const char *backend,
                   guint n_processes,
                   double level,
                   gboolean marked)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net", backend);
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", level, "ms", "clock");
  for (guint i = 0; i < n_processes; i++)
    add_process_in_turns (machine, result, i, level, marked);
  dyno_run_add_result (run, result);
  return result; /* the run keeps it */
}

/* What disturbs both turns of a round hides a difference of 5 % between processes, but not between turns. */
static void
test_turns (void)
{
  static const struct
  {
    const char *name;
    guint32 seed;
    guint n_first; /* processes of the first side */
    gboolean marked;
    gboolean is_unsteady;
    guint n_cases;
    DynoVerdict verdict;
    guint n_needed;
  } rows[] = {
    { "unmarked", 14, 5, FALSE, FALSE, 1, DYNO_VERDICT_NOT_ENOUGH_DATA, 0 },
    { "marked", 14, 5, TRUE, FALSE, 1, DYNO_VERDICT_WORSE, 0 },
    /* Fewer than five blocks give a ratio, and what is probable. */
    { "few", 15, 4, TRUE, FALSE, 1, DYNO_VERDICT_PROBABLY_WORSE, 5 },
    /* A level that never settled does so for both sides at once, so it says nothing against the ratio of turns. */
    { "unsteady, unmarked", 16, 5, FALSE, TRUE, 0, 0, 0 },
    { "unsteady, marked", 16, 5, TRUE, TRUE, 1, DYNO_VERDICT_WORSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (rows[i].seed);
      const Machine machine = { random, 0.005, 0 };
      g_autoptr (DynoRun) run = dyno_run_new (NULL);
      g_autoptr (DynoComparison) comparison = NULL;
      const DynoComparedCase *kase;
      DynoResult *slow;

      g_test_message ("%s", rows[i].name);
      add_case_in_turns (&machine, run, "cpu", rows[i].n_first, 10, rows[i].marked);
      slow = add_case_in_turns (&machine, run, "slow", 5, 10.5, rows[i].marked);
      if (rows[i].is_unsteady)
        {
          dyno_result_take_diagnostic (
              slow, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "Never steady."));
          g_assert_cmpint (dyno_result_get_state (slow), ==, DYNO_CASE_STATE_UNSTEADY);
        }
      comparison = compare (run, NULL);
      g_assert_cmpuint (comparison->cases->len, ==, rows[i].n_cases);
      if (rows[i].n_cases == 0)
        continue;
      kase = comparison->cases->pdata[0];
      g_assert_cmpint (kase->verdict, ==, rows[i].verdict);
      if (rows[i].n_needed > 0)
        g_assert_cmpuint (kase->n_needed, ==, rows[i].n_needed);
      if (rows[i].verdict == DYNO_VERDICT_PROBABLY_WORSE)
        continue;
      g_assert_cmpuint (kase->n_rounds, ==, rows[i].marked ? 5 * N_ROUNDS : 0);
      if (!rows[i].marked)
        continue;
      g_assert_cmpuint (kase->n, ==, 5);
      g_assert_cmpfloat_with_epsilon (kase->ratio, 1.05, 0.01);
    }
}

/* Sides that take turns are as urgent as the most urgent of them, so they keep their rounds; other cases of the run were measured
 * before or after them. */
static void
test_first (void)
{
  static const struct
  {
    const char *first;
    gboolean in_blocks; /* with a case that takes no turns */
  } rows[] = { { NULL, TRUE }, { "1", FALSE }, { "2", FALSE }, { "3", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (14);
      const Machine machine = { random, 0.005, 0 };
      const char *const first[] = { rows[i].first, NULL };
      g_autoptr (DynoPlan) plan = g_object_new (DYNO_TYPE_PLAN, "first", first, NULL);
      g_autofree char *json = dyno_plan_to_json (plan);
      g_autoptr (DynoRun) run = g_object_new (DYNO_TYPE_RUN, "plan", json, NULL);
      g_autoptr (DynoComparison) comparison = NULL;
      const DynoComparedCase *kase;

      g_test_message ("%s", rows[i].first != NULL ? rows[i].first : "none");
      add_case_in_turns (&machine, run, "cpu", 5, 10, TRUE);
      add_case_in_turns (&machine, run, "slow", 5, 10.5, TRUE);
      add_case_in_turns (&machine, run, "alone", 5, 10.5, FALSE);
      comparison = compare (run, NULL);
      g_assert_cmpuint (comparison->cases->len, ==, 2);
      kase = comparison->cases->pdata[0];
      g_assert_true (kase->in_blocks);
      g_assert_cmpuint (kase->n_rounds, ==, 5 * N_ROUNDS);
      kase = comparison->cases->pdata[1];
      g_assert_true (kase->in_blocks == rows[i].in_blocks);
      g_assert_cmpuint (kase->n_rounds, ==, 0);
    }
}

/* If there is too much noise, the result gives the number of processes that would be enough. */
static void
test_not_enough (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  const Machine machine = { random, 0.02, 0 };
  g_autoptr (DynoRun) before = dyno_run_new (NULL);
  g_autoptr (DynoRun) after = dyno_run_new (NULL);
  g_autoptr (DynoComparison) comparison = NULL;
  const DynoComparedCase *kase;

  add_case (&machine, before, "cpu", 1, 5, 10);
  add_case (&machine, after, "cpu", 1, 5, 10.1);
  add_case (&machine, before, "cpu", 2, 4, 10);
  add_case (&machine, after, "cpu", 2, 5, 20);
  comparison = compare (before, after);
  kase = comparison->cases->pdata[0];
  g_assert_cmpint (kase->verdict, ==, DYNO_VERDICT_NOT_ENOUGH_DATA);
  g_assert_cmpuint (kase->n_needed, >, 5);
  kase = comparison->cases->pdata[1];
  g_assert_cmpint (kase->verdict, ==, DYNO_VERDICT_PROBABLY_WORSE);
  g_assert_cmpuint (kase->n_needed, ==, 5);
  g_assert_true (isnan (kase->low) && kase->confidence > 0.95);
  g_assert_nonnull (strstr (kase->reason, "5 processes per case may make it certain"));
}

/* Two processes of each side already tell a direction, and what would make it certain; one does only where a
 * self-test has shown how far single processes are apart. */
static void
test_few (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  const Machine machine = { random, 0.01, 0 };
  g_autoptr (DynoSelfTest) self_test = create_self_test ("quiet", 0.05);
  const DynoComparedCase *kase;

  for (guint n_processes = 1; n_processes <= 2; n_processes++)
    {
      g_autoptr (DynoRun) before = dyno_run_new (NULL);
      g_autoptr (DynoRun) after = dyno_run_new (NULL);
      g_autoptr (DynoComparison) unknown = NULL;
      g_autoptr (DynoComparison) known = NULL;

      add_case (&machine, before, "cpu", 1, n_processes, 10);
      add_case (&machine, after, "cpu", 1, n_processes, 5);
      unknown = compare (before, after);
      known = compare_tested (before, self_test, after, self_test);
      kase = unknown->cases->pdata[0];
      g_assert_cmpint (kase->verdict, ==,
                       n_processes == 1 ? DYNO_VERDICT_NOT_ENOUGH_DATA : DYNO_VERDICT_PROBABLY_BETTER);
      g_assert_cmpuint (kase->n_needed, ==, 5);
      g_assert_nonnull (kase->reason);
      g_assert_cmpint (get_verdict (known, 0), ==, DYNO_VERDICT_PROBABLY_BETTER);
    }
}

/* A process may have too few samples for a percentile of its own: those of five processes are enough to compare it. */
static void
test_percentile (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  const Machine machine = { random, 0.02, 0 };
  const DynoComparisonOptions options = { .metric = "latency_p90_ms" };
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoComparison) comparison = NULL;

  add_case (&machine, run, "cpu", 1, 5, 10);
  add_case (&machine, run, "fast", 1, 5, 5);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      dyno_result_add_measured (result, "latency_p90_ms", i == 0 ? 10.3 : 5.1, "ms", "clock");
    }
  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, &options, NULL);
  g_assert_cmpint (get_verdict (comparison, 0), ==, DYNO_VERDICT_BETTER);
  g_assert_cmpuint (((DynoComparedCase *)comparison->cases->pdata[0])->n, ==, 5);
}

/* Impossible values, which an untrusted file may contain, claim nothing. */
static void
test_senseless (void)
{
  static const double levels[] = { -10, INFINITY, NAN, 0 };
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  const Machine machine = { random, 0.005, 0 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (levels); i++)
    {
      g_autoptr (DynoRun) run = dyno_run_new (NULL);
      g_autoptr (DynoResult) result = NULL;
      g_autoptr (DynoComparison) comparison = NULL;
      g_autofree char *answer = NULL;

      add_case (&machine, run, "cpu", 1, 5, i % 2 == 0 ? levels[i / 2] : 10);
      add_case (&machine, run, "fast", 1, 5, i % 2 == 1 ? levels[i / 2] : 5);
      result = g_list_model_get_item (dyno_run_get_results (run), i % 2);
      g_ptr_array_set_size (dyno_result_get_values (result), 0);
      dyno_result_add_measured (result, "latency_p50_ms", 7, "ms", "clock");
      comparison = compare (run, NULL);
      answer = dyno_comparison_dup_answer (comparison);
      g_assert_cmpint (get_verdict (comparison, 0), ==, DYNO_VERDICT_NOT_ENOUGH_DATA);
      g_assert_nonnull (answer);
    }
}

/* Returns how many of the trials have one of two verdicts on a second side that differs by @factor. */
static guint
count (guint seed,
       double spread,
       guint n_processes,
       double factor,
       gboolean in_blocks,
       DynoVerdict first,
       DynoVerdict second)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  const Machine machine = { random, spread, 0 };
  guint n = 0;

  for (guint i = 0; i < N_TRIALS; i++)
    {
      g_autoptr (DynoRun) before = dyno_run_new (NULL);
      g_autoptr (DynoRun) after = dyno_run_new (NULL);
      g_autoptr (DynoComparison) comparison = NULL;
      DynoVerdict verdict;

      add_case (&machine, before, "cpu", 1, n_processes, 10);
      add_case (&machine, in_blocks ? before : after, "fast", 1, n_processes, 10 * factor);
      comparison = compare (before, in_blocks ? NULL : after);
      verdict = get_verdict (comparison, 0);
      n += verdict == first || verdict == second;
    }
  return n;
}

/* Equal cases raise a false alarm in at most one of twenty trials, and a difference of 3 % is found in at least
 * nineteen of twenty. */
static void
test_calibration (void)
{
  for (guint in_blocks = 0; in_blocks < 2; in_blocks++)
    {
      guint alarms = count (6, 0.005, 5, 1, in_blocks, DYNO_VERDICT_BETTER, DYNO_VERDICT_WORSE);
      guint found = count (7, 0.005, 5, 1.03, in_blocks, DYNO_VERDICT_WORSE, DYNO_VERDICT_WORSE);

      g_test_message ("%u false alarms, %u found, of %u", alarms, found, N_TRIALS);
      g_assert_cmpuint (alarms, <=, N_TRIALS / 20);
      g_assert_cmpuint (found, >=, N_TRIALS - N_TRIALS / 20);
    }
}

/* Like sides are called probably faster or slower in at most one of ten comparisons, although the noise is far
 * beyond the practical threshold and no self-test says so. */
static void
test_probable (void)
{
  for (guint in_blocks = 0; in_blocks < 2; in_blocks++)
    {
      guint n_all = 0, n_trials = 0;

      for (guint n_processes = 2; n_processes <= 5; n_processes += 3)
        {
          guint n = count (12, 0.1, n_processes, 1, in_blocks, DYNO_VERDICT_PROBABLY_BETTER,
                           DYNO_VERDICT_PROBABLY_WORSE);

          g_test_message ("%u of %u, %u processes", n, N_TRIALS, n_processes);
          n_all += n;
          n_trials += N_TRIALS;
        }
      g_assert_cmpuint (n_all, <=, n_trials / 10);
    }
}

static const SuiteTest tests[] = {
  { "/insight/comparison-judge/one-of-many", test_one_of_many },
  { "/insight/comparison-judge/numbers", test_numbers },
  { "/insight/comparison-judge/undisturbed", test_undisturbed },
  { "/insight/comparison-judge/noise-floor", test_noise_floor },
  { "/insight/comparison-judge/blocks", test_blocks },
  { "/insight/comparison-judge/turns", test_turns },
  { "/insight/comparison-judge/first", test_first },
  { "/insight/comparison-judge/not-enough", test_not_enough },
  { "/insight/comparison-judge/percentile", test_percentile },
  { "/insight/comparison-judge/senseless", test_senseless },
  { "/insight/comparison-judge/few", test_few },
  { "/insight/comparison-judge/calibration", test_calibration },
  { "/insight/comparison-judge/probable", test_probable },
};

SUITE_TESTS (tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <math.h>
#include <time.h>

#include "bench.h"
#include "dyno-bootstrap.h"
#include "dyno-hypothesis-tests.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"
#include "suite.h"

/* The time of the statistics of a comparison and of a history, compared with SciPy if it is installed, and the coverage
 * of intervals over simulated processes. */

#define N_SAMPLES 1000
#define N_RUNS    1000
#define N_ROUNDS  9
#define LIMIT_MS  50

/* Simulated processes, and the noise of their latencies. */
#define N_PROCESSES 5
#define N_VALUES    100
#define WITHIN      0.02

typedef struct
{
  double before[N_SAMPLES];
  double after[N_SAMPLES];
  double history[N_RUNS];
  GSubprocess *scipy;
  GDataInputStream *answers;
} Data;

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log1p (-g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* Latencies with a tail; a history of eight levels, as after seven regressions. */
static void
fill (Data *data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < N_SAMPLES; i++)
    {
      data->before[i] = 10 * exp (0.05 * draw_normal (rand));
      data->after[i] = 10.3 * exp (0.05 * draw_normal (rand));
    }
  for (guint i = 0; i < N_RUNS; i++)
    data->history[i] = 10 + 0.3 * draw_normal (rand) + i * 8 / N_RUNS % 2;
}

/* Processor time, which other load does not affect. */
static double
get_milliseconds (void)
{
  return 1e3 * (double)clock () / CLOCKS_PER_SEC;
}

static double
compare_here (gpointer user_data)
{
  Data *data = user_data;
  const DynoSample before = { data->before, N_SAMPLES };
  const DynoSample after = { data->after, N_SAMPLES };
  double begin = get_milliseconds ();
  g_autoptr (DynoBootstrap) bootstrap = NULL;
  DynoInterval interval;
  DynoRankTest test;

  dyno_stats_rank_test (data->after, N_SAMPLES, data->before, N_SAMPLES, &test);
  bootstrap = dyno_bootstrap_new_ratio (&after, 1, &before, 1, 1);
  dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
  return get_milliseconds () - begin;
}

/* The other program draws its own samples, reads a line for each round and answers with its time. */
static double
compare_with_scipy (gpointer user_data)
{
  Data *data = user_data;
  GOutputStream *requests = g_subprocess_get_stdin_pipe (data->scipy);
  g_autofree char *answer = NULL;

  if (!g_output_stream_write_all (requests, "\n", 1, NULL, NULL, NULL))
    return NAN;
  answer = g_data_input_stream_read_line (data->answers, NULL, NULL, NULL);
  return answer != NULL ? g_ascii_strtod (answer, NULL) : NAN;
}

/* Whether it answers; it writes a line once it has imported SciPy. */
static gboolean
start_scipy (Data *data, const char *script)
{
  g_autofree char *greeting = NULL;

  data->scipy = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                      G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                  NULL, "python3", script, NULL);
  if (data->scipy == NULL)
    return FALSE;
  data->answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (data->scipy));
  greeting = g_data_input_stream_read_line (data->answers, NULL, NULL, NULL);
  return greeting != NULL;
}

static void
report_alone (const char *name, BenchBlock block, gpointer data)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      double time = block (data);

      g_array_append_val (times, time);
    }
  bench_report_number (name, "ms", times);
}

static void
report_comparison (Data *data, const char *script)
{
  const char *name = "U test and 10 000 resamples of 2 × 1000 samples";
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  if (start_scipy (data, script))
    {
      bench_pairs_run (pairs, N_ROUNDS, compare_here, compare_with_scipy, data);
      bench_report_value (name, "ms", "SciPy", pairs, BENCH_AT_MOST, LIMIT_MS);
    }
  else
    {
      g_print ("SciPy is not installed: no ratio.\n");
      report_alone (name, compare_here, data);
    }
}

static double
divide (gpointer user_data)
{
  Data *data = user_data;
  double begin = get_milliseconds ();
  g_autoptr (GArray) changes = dyno_stats_divide (data->history, N_RUNS, 0.05, 1);

  return get_milliseconds () - begin;
}

static double
find_changes (gpointer user_data)
{
  Data *data = user_data;
  double begin = get_milliseconds ();
  g_autoptr (GArray) changes = dyno_stats_change_points (data->history, N_RUNS, 5);

  return get_milliseconds () - begin;
}

/* Five processes about a level, with some noise between them and dependent noise within. */
static void
draw_case (GRand *rand, double between, double level, double (*values)[N_VALUES], DynoSample *groups)
{
  for (guint g = 0; g < N_PROCESSES; g++)
    {
      double mean = level * (1 + between * draw_normal (rand));
      double noise = draw_normal (rand);

      for (guint i = 0; i < N_VALUES; i++)
        {
          values[g][i] = mean * (1 + WITHIN * noise);
          noise = 0.5 * noise + sqrt (0.75) * draw_normal (rand);
        }
      groups[g] = (DynoSample){ values[g], N_VALUES };
    }
}

static gboolean
covers (DynoBootstrap *bootstrap, double truth)
{
  DynoInterval interval;

  dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
  dyno_bootstrap_free (bootstrap);
  return interval.low <= truth && truth <= interval.high;
}

static void
report_coverage (double between, guint n_trials)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  double values_a[N_PROCESSES][N_VALUES], values_b[N_PROCESSES][N_VALUES];
  DynoSample a[N_PROCESSES], b[N_PROCESSES];
  g_autofree char *title = g_strdup_printf (
      "how many 95 %% intervals hold the truth, simulated, processes differ by %.1f %%", 100 * between);
  guint n_medians = 0, n_ratios = 0, n_paired = 0, n_found = 0;

  for (guint i = 0; i < n_trials; i++)
    {
      draw_case (rand, between, 10.3, values_a, a);
      draw_case (rand, between, 10, values_b, b);
      n_medians += covers (dyno_bootstrap_new_median (b, N_PROCESSES, i), 10);
      n_ratios += covers (dyno_bootstrap_new_ratio (a, N_PROCESSES, b, N_PROCESSES, i), 1.03);
      n_paired += covers (dyno_bootstrap_new_paired_ratio (a, b, N_PROCESSES, i), 1.03);
      n_found += !covers (dyno_bootstrap_new_paired_ratio (a, b, N_PROCESSES, i), 1);
    }
  g_print ("%d processes that differ by %.1f %%: 95 %% intervals of a median hold in %.1f %%, of a ratio in "
           "%.1f %%, "
           "within blocks in %.1f %% of trials; 3 %% are found in %.1f %%\n",
           N_PROCESSES, 100 * between, 100.0 * n_medians / n_trials, 100.0 * n_ratios / n_trials,
           100.0 * n_paired / n_trials, 100.0 * n_found / n_trials);
  bench_row (title, "about 95 %", "median %.1f %%, ratio %.1f %%, within blocks %.1f %%",
             100.0 * n_medians / n_trials, 100.0 * n_ratios / n_trials, 100.0 * n_paired / n_trials);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree Data *data = g_new0 (Data, 1);

  bench_init ();
  report_coverage (0.003, 2000);
  report_coverage (0.01, 500);
  report_coverage (0.05, 500);
  fill (data);
  report_comparison (data, argv[1]);
  report_alone ("change points of 1000 runs, E-divisive with permutations", divide, data);
  report_alone ("change points of 1000 runs, PELT", find_changes, data);
  g_clear_object (&data->answers);
  g_clear_object (&data->scipy);
  return 0;
}

SUITE (run_suite)

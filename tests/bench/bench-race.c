/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "dyno-plan.h"
#include "race-field.h"
#include "suite.h"

/* How often a race ends within the practical threshold of the best setting, and how many processes it needs, compared
 * with a sweep that measures every setting in the race's maximum number of rounds. The settings are simulated: their
 * times are drawn log-uniformly from a range of four, and the four fastest lie within 6 % of each other.
 *
 * Then each vision model has up to one minute on this machine, with whatever else it does, for a race as “dyno-cli tune” runs
 * it: it should end within 5 s more and name a leader. All of them share what the bench has left of its own time. With
 * arguments, only these models race, and nothing is simulated. */

#define N_TRIALS   20
#define N_SETTINGS 32
#define N_CLOSE    4
#define SPREAD     4.0
#define CLOSE      1.06
#define THRESHOLD  1.02

#define MINUTE       60.0
#define MOST_OVER    5.0
#define MOST_SECONDS 600.0

static void
draw_times (GRand *random, double *times)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    times[i] =
        i < N_CLOSE ? pow (CLOSE, g_rand_double (random)) : CLOSE * pow (SPREAD, g_rand_double (random));
}

static double
get_best (const double *times)
{
  double best = times[0];

  for (guint i = 1; i < N_SETTINGS; i++)
    best = fmin (best, times[i]);
  return best;
}

/* The loss from choosing this setting instead of the best one. */
static double
get_loss (DynoRace *race, const RaceField *field)
{
  g_autoptr (GPtrArray) list = dyno_race_list (race, field->run);
  const DynoRaceEntry *first = list->pdata[0];

  return field->times[dyno_result_get_ordinal (first->result)] / get_best (field->times);
}

static void
bench_noise (double noise)
{
  guint n_within = 0, n_processes = 0;
  double worst = 1;

  for (guint trial = 0; trial < N_TRIALS; trial++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (trial);
      g_autoptr (DynoRace) race = NULL;
      double times[N_SETTINGS];
      RaceField field;
      DynoGoal goal;
      double loss;

      dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
      race = dyno_race_new (&goal);
      draw_times (random, times);
      race_field_init (&field, times, N_SETTINGS, noise, trial);
      n_processes += race_field_walk (race, &field, DYNO_RACE_MAX_ROUNDS, 0);
      loss = get_loss (race, &field);
      n_within += loss <= THRESHOLD;
      worst = fmax (worst, loss);
      race_field_clear (&field);
    }
  g_print ("processes differ by %.0f %%: %.0f %% of %d races end within 2 %% of the best (worst +%.1f %%), "
           "in %.1f %% of "
           "the processes of %d rounds of all (goal 20 %%), %.2f times those of %d rounds\n",
           100 * noise, 100.0 * n_within / N_TRIALS, N_TRIALS, 100 * (worst - 1),
           100.0 * n_processes / (N_TRIALS * N_SETTINGS * DYNO_RACE_MAX_ROUNDS), DYNO_RACE_MAX_ROUNDS,
           (double)n_processes / (N_TRIALS * N_SETTINGS * DYNO_RACE_MIN_ROUNDS), DYNO_RACE_MIN_ROUNDS);
}

/* Real races */

typedef struct
{
  GMainLoop *loop;
  DynoRun *run;
} Minute;

static void
finished_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Minute *minute = data;
  GError *error = NULL;

  minute->run = dyno_runner_run_finish (DYNO_RUNNER (object), result, &error);
  bench_use_no_error (error);
  g_main_loop_quit (minute->loop);
}

static double
get_seconds_since (gint64 began)
{
  return (double)(g_get_monotonic_time () - began) / G_USEC_PER_SEC;
}

/* Returns whether the race named a leader in time. */
static gboolean
bench_minute (const char *model, double seconds)
{
  const char *const models[] = { model, NULL };
  gint64 began = g_get_monotonic_time ();
  g_autoptr (DynoPlan) fixed = g_object_new (DYNO_TYPE_PLAN, "models", models, NULL);
  g_autoptr (GHashTable) given = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (DynoRacePlan) plan = NULL;
  g_autoptr (DynoRunner) runner = NULL;
  g_autoptr (DynoRace) race = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autofree char *answer = NULL;
  Minute minute = { g_main_loop_new (NULL, FALSE), NULL };
  GError *error = NULL;
  DynoGoal goal;
  double planned, taken;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  plan = dyno_race_plan_new (fixed, given, &goal, seconds, NULL, &error);
  bench_use_no_error (error);
  planned = get_seconds_since (began);
  runner = dyno_runner_new (plan->plan, NULL);
  race = dyno_race_new (&goal);
  dyno_runner_set_budget (runner, fmax (seconds - planned, 1));
  dyno_race_follow (race, runner);
  dyno_runner_run_async (runner, NULL, finished_cb, &minute);
  g_main_loop_run (minute.loop);
  dyno_race_finish (race, minute.run);
  entries = dyno_race_list (race, minute.run);
  answer = dyno_race_dup_answer (entries, &goal);
  taken = get_seconds_since (began);
  g_print ("%s: %.1f s (goal %.0f s; %.1f s of it to plan), %u settings: %s\n", model, taken,
           seconds + MOST_OVER, planned, plan->n_settings, answer);
  g_object_unref (minute.run);
  g_main_loop_unref (minute.loop);
  return taken <= seconds + MOST_OVER && dyno_race_find_best (entries) != NULL;
}

static void
bench_minutes (const char *const *models, guint n, gint64 began)
{
  guint n_good = 0;

  for (guint i = 0; i < n; i++)
    {
      double seconds_left = MOST_SECONDS - MOST_OVER * (n - i) - get_seconds_since (began);

      n_good += bench_minute (models[i], fmax (fmin (MINUTE, seconds_left / (n - i)), 1));
    }
  g_print ("%u of %u races named a leader in time; the bench took %.0f s (limit %.0f s)\n", n_good, n,
           get_seconds_since (began), MOST_SECONDS);
}

static int
run_suite (int argc, char *argv[])
{
  gint64 began = g_get_monotonic_time ();
  g_autoptr (DynoPlan) vision = dyno_plan_new_bundled ("vision", NULL);
  const char *const *models = argc > 1 ? (const char *const *)argv + 1 : dyno_plan_get_models (vision);

  bench_init ();
  if (argc == 1)
    {
      bench_noise (0.01);
      bench_noise (0.03);
    }
  bench_minutes (models, g_strv_length ((char **)models), began);
  return 0;
}

SUITE (run_suite)

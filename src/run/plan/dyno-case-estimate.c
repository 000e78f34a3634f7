/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-case-estimate.h"
#include "dyno-phase.h"

/* Guesses about a machine that nothing is known of yet, for a clock that counts down: no number of a result has
 * anything of them. */
#define START_SECONDS       1.0
#define FLOPS_PER_SECOND    1e11
#define BYTES_PER_SECOND    2e10
#define LOADED_PER_SECOND   5e8
#define N_LOADS             4
#define N_STEPS_OF_ANALYSIS 10

/**
 * dyno_case_estimate_work:
 * @model: a model
 * @sequence_length: tokens of an item, where the model has any
 *
 * Returns: about how many floating-point operations one item takes; of a file, whose shapes only a runtime knows, two
 *   for each parameter and token
 */
double
dyno_case_estimate_work (DynoModel *model, guint sequence_length)
{
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, sequence_length, NULL, NULL);
  gint64 flops = 0;

  if (binding != NULL && dyno_model_estimate_flops (model, binding, &flops))
    return (double)flops;
  return 2.0 * (double)dyno_model_get_parameter_count (model) * MAX (sequence_length, 1);
}

/* A token more reads all weights once more. */
static double
estimate_sample (DynoCase *self, gint64 weight_bytes, double work)
{
  double step = work * dyno_case_get_batch_size (self) / FLOPS_PER_SECOND;

  return step + dyno_case_get_generate_tokens (self) * (double)weight_bytes / BYTES_PER_SECOND;
}

/**
 * dyno_case_estimate_seconds:
 * @self: a case
 * @weight_bytes: size of its model's weights
 * @work: floating-point operations of one item, from [func@Dyno.case_estimate_work]
 *
 * A guess to show before anything has run, from the method and the model: starting, loading the model for measuring
 * and for each way of analysing it, warming up, measuring, and the analysis' steps.
 *
 * Returns: expected time of the case, in seconds
 */
double
dyno_case_estimate_seconds (DynoCase *self, gint64 weight_bytes, double work)
{
  DynoMethod *method = dyno_case_get_method (self);
  double longest = dyno_method_get_max_seconds (method);
  double sample = estimate_sample (self, weight_bytes, work);
  double load = N_LOADS * (double)weight_bytes / LOADED_PER_SECOND;
  double warm_up =
      MAX (dyno_method_get_warmup_seconds (method), dyno_method_get_warmup_steps (method) * sample);
  double measure =
      MAX (1.5 * dyno_method_get_min_seconds (method), dyno_method_get_min_samples (method) * sample);

  return START_SECONDS + load + sample + MIN (warm_up, MAX (longest, sample)) +
         MIN (measure, MAX (longest, sample)) + N_STEPS_OF_ANALYSIS * sample;
}

/**
 * dyno_case_learn_seconds:
 * @self: a case
 * @durations: (element-type utf8 double): how many seconds the phases of cases took on this machine, by the JSON of the
 *   case
 *
 * What the same case took before is a better guess than any other.
 *
 * Returns: whether @durations has it, so that it is expected to take as long
 */
gboolean
dyno_case_learn_seconds (DynoCase *self, GHashTable *durations)
{
  g_autoptr (JsonNode) node = dyno_case_to_json (self);
  g_autofree char *json = json_to_string (node, FALSE);
  const double *seconds = g_hash_table_lookup (durations, json);

  if (seconds == NULL)
    return FALSE;
  dyno_case_set_expected_seconds (self, START_SECONDS + *seconds);
  return TRUE;
}

/* Before the phases: the worker starts and prepares the model. */
#define PREPARE (-1)

/* Shares of the time that neither warms up nor measures. */
#define SHARE_OF_PREPARE   0.1
#define SHARE_OF_LOAD      0.3
#define SHARE_OF_FIRST_RUN 0.1
#define SHARE_OF_ANALYSE   0.5

/* That time is at least this part of a case. */
#define LEAST_REST 0.1

/* A measurement that has all samples it must have may still go on for the target precision. */
#define ENOUGH_FRACTION 0.8

static double
get_warm_up_seconds (DynoMethod *method)
{
  return dyno_method_get_warmup_seconds (method);
}

static double
get_measure_seconds (DynoMethod *method)
{
  return MIN (1.5 * dyno_method_get_min_seconds (method), dyno_method_get_max_seconds (method));
}

/* How long a phase should take, of a case that takes as long as expected. */
static double
estimate_phase (DynoCase *self, int phase)
{
  DynoMethod *method = dyno_case_get_method (self);
  double expected = dyno_case_get_expected_seconds (self);
  double rest = MAX (expected - get_warm_up_seconds (method) - get_measure_seconds (method),
                     MAX (LEAST_REST * expected, G_MINDOUBLE));

  switch (phase)
    {
    case PREPARE:
      return SHARE_OF_PREPARE * rest;
    case DYNO_PHASE_LOAD:
      return SHARE_OF_LOAD * rest;
    case DYNO_PHASE_FIRST_RUN:
      return SHARE_OF_FIRST_RUN * rest;
    case DYNO_PHASE_WARM_UP:
      return get_warm_up_seconds (method);
    case DYNO_PHASE_MEASURE:
      return get_measure_seconds (method);
    default:
      return SHARE_OF_ANALYSE * rest;
    }
}

/* Of 0 wanted, all is there. */
static double
divide (double part, double whole)
{
  return whole > 0 ? MIN (part / whole, 1) : 1;
}

static double
estimate_within (DynoCase *self, int phase, double seconds, guint n_samples)
{
  DynoMethod *method = dyno_case_get_method (self);
  double by_time = divide (seconds, estimate_phase (self, phase));
  double by_limit = divide (seconds, dyno_method_get_max_seconds (method));

  if (phase == DYNO_PHASE_WARM_UP)
    return MAX (MIN (by_time, divide (n_samples, dyno_method_get_warmup_steps (method))), by_limit);
  if (phase == DYNO_PHASE_MEASURE)
    return MAX (ENOUGH_FRACTION * MIN (by_time, divide (n_samples, dyno_method_get_min_samples (method))),
                by_limit);
  return by_time;
}

static int
find_phase (const char *name)
{
  for (int phase = 0; phase < DYNO_N_PHASES; phase++)
    if (g_str_equal (dyno_phase_to_string ((DynoPhase)phase), name))
      return phase;
  return PREPARE;
}

/**
 * dyno_case_estimate_fraction:
 * @self: a case
 * @phase: what is done now: `prepare`, or the name of a [enum@Dyno.Phase]
 * @seconds: for how long already
 * @n_samples: how many samples were taken, warming up or measuring
 *
 * Phases that come to an end by the method, after a time and a number of samples, count by both.
 *
 * Returns: about how much of the case is over, 0…1
 */
double
dyno_case_estimate_fraction (DynoCase *self, const char *phase, double seconds, guint n_samples)
{
  int now = find_phase (phase);
  double all = 0, over = 0;

  for (int i = PREPARE; i < DYNO_N_PHASES; i++)
    {
      double expected = estimate_phase (self, i);

      all += expected;
      if (i < now)
        over += expected;
      else if (i == now)
        over += expected * estimate_within (self, i, seconds, n_samples);
    }
  return over / all;
}

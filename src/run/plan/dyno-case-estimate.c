/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-case.h"
#include "dyno-json.h"
#include "dyno-phase.h"

/* Guesses about an unknown machine, for a countdown only: no result depends on them. */
#define START_SECONDS     0.3
#define FLOPS_PER_SECOND  1e11
#define BYTES_PER_SECOND  2e10
#define LOADED_PER_SECOND 5e8

/* How often the analysis loads the model, and runs a step or a prompt beside the steps of the profile. */
#define N_LOADS            3
#define N_STEPS            3
#define N_LOADS_GENERATING 6
#define N_STEPS_GENERATING 8

/* A profile has so many steps, or fewer that take so long. */
#define N_PROFILE_STEPS 10
#define PROFILE_SECONDS 2.0

/* Measuring goes on after the least time, because the interval must be short enough at two looks. */
#define OVER_THE_LEAST 1.5

/* A step without any work takes a moment as well. */
#define LEAST_SAMPLE 1e-6

/* Closed loops up to the capacity, rates around it, and halving. */
#define N_STRETCHES_OF_SEARCH 18

double
dyno_case_estimate_work (DynoModel *model, guint sequence_length)
{
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, sequence_length, NULL, NULL);
  gint64 flops = 0;

  if (binding != NULL && dyno_model_estimate_flops (model, binding, &flops))
    return (double)flops;
  return 2.0 * (double)dyno_model_get_parameter_count (model) * MAX (sequence_length, 1);
}

/* Returns the time of as many whole samples as fill @seconds and are at least @n, if not more than @longest before the last. */
static double
fill (double sample, double seconds, guint n, double longest)
{
  return MAX (MIN (MAX (ceil (seconds / sample), n), ceil (longest / sample)), 1) * sample;
}

static double
estimate_profile (double step)
{
  return MIN (N_PROFILE_STEPS * step, MAX (PROFILE_SECONDS, step));
}

/* Returns the time of the case by that of its parts. @analysis: NaN to estimate it by the other parts. */
static double
sum_up (DynoCase *self, double load, double first, double next, double analysis)
{
  g_autoptr (DynoMethod) method = dyno_method_share_out (dyno_case_get_method (self));
  guint tokens = dyno_case_get_generate_tokens (self);
  double sample = MAX (first + (MAX (tokens, 1) - 1) * next, LEAST_SAMPLE);
  double longest = dyno_method_get_max_seconds (method);
  DynoLoad asked;
  gboolean is_search = dyno_load_parse (dyno_case_get_load (self), &asked, NULL) &&
                       asked.shape == DYNO_LOAD_RATE && asked.rate == 0;
  guint n_stretches = is_search ? N_STRETCHES_OF_SEARCH : 1;
  double process =
      START_SECONDS + load + sample +
      fill (sample, dyno_method_get_warmup_seconds (method), dyno_method_get_warmup_steps (method), longest) +
      n_stretches * fill (sample, OVER_THE_LEAST * dyno_method_get_min_seconds (method),
                          dyno_method_get_min_samples (method), longest);

  if (isnan (analysis) && tokens > 1)
    analysis = N_LOADS_GENERATING * load + N_STEPS_GENERATING * first + estimate_profile (first) +
               N_STEPS * next + estimate_profile (next);
  else if (isnan (analysis))
    analysis = N_LOADS * load + N_STEPS * first + estimate_profile (first);
  return dyno_method_get_invocations (dyno_case_get_method (self)) * process + START_SECONDS + analysis;
}

void
dyno_case_estimate (DynoCase *self, gint64 weight_bytes, double work)
{
  dyno_case_set_work (self, weight_bytes, work);
  dyno_case_estimate_again (self, FLOPS_PER_SECOND, BYTES_PER_SECOND);
}

void
dyno_case_estimate_again (DynoCase *self, double flops_per_second, double bytes_per_second)
{
  gint64 weight_bytes;
  double work, next;

  dyno_case_get_work (self, &weight_bytes, &work);
  /* Each further token reads all weights once more. */
  next = (double)weight_bytes / bytes_per_second;
  dyno_case_set_expected_seconds (
      self, sum_up (self, (double)weight_bytes / LOADED_PER_SECOND,
                    MAX (work * dyno_case_get_batch_size (self) / flops_per_second, next), next, NAN));
}

char *
dyno_case_dup_kin (JsonNode *kase)
{
  JsonObject *object = json_node_get_object (kase);
  gboolean generates = dyno_json_member_get_int64 (object, "generate-tokens", 0) > 0;

  json_object_remove_member (object, "method");
  json_object_remove_member (object, "sequence-length");
  json_object_set_int_member (object, "generate-tokens", generates);
  return dyno_json_text_write (kase, FALSE);
}

gboolean
dyno_case_learn_seconds (DynoCase *self, GHashTable *durations)
{
  g_autoptr (JsonNode) node = dyno_case_to_json (self);
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  g_autofree char *kin = dyno_case_dup_kin (node);
  const DynoCaseDuration *same = g_hash_table_lookup (durations, json);
  const DynoCaseDuration *other = g_hash_table_lookup (durations, kin);
  guint length = dyno_case_get_sequence_length (self);

  /* The processes that measure, and the one that analyses, start outside of their phases. */
  if (same != NULL)
    dyno_case_set_expected_seconds (
        self,
        (dyno_method_get_invocations (dyno_case_get_method (self)) + 1) * START_SECONDS + same->seconds);
  else if (other != NULL && other->first > 0)
    dyno_case_set_expected_seconds (
        self, sum_up (self, other->load,
                      other->first * (length > 0 && other->length > 0 ? (double)length / other->length : 1),
                      other->next, other->analysis > 0 ? other->analysis : NAN));
  else
    return FALSE;
  return TRUE;
}

/* Precedes the phases: the worker starts and prepares the model. */
#define PREPARE (-1)

/* Shares of the time of a process outside warm-up, measurement and analysis. */
#define SHARE_OF_PREPARE   0.2
#define SHARE_OF_LOAD      0.6
#define SHARE_OF_FIRST_RUN 0.2

/* The least share of a case that this time has. */
#define LEAST_REST 0.1

/* A measurement with enough samples may still go on for the target precision. */
#define ENOUGH_FRACTION 0.8

/* The rest of a process is loading, and the analysis takes this many times as long. */
#define REST_OF_ANALYSIS 1.2

static double
get_measure_seconds (DynoMethod *part)
{
  return MIN (1.5 * dyno_method_get_min_seconds (part), dyno_method_get_max_seconds (part));
}

/* Returns the time outside warm-up, measurement and analysis of one process, if the case takes as long as expected. */
static double
estimate_rest (DynoCase *self, DynoMethod *part)
{
  guint n = dyno_method_get_invocations (dyno_case_get_method (self));
  double expected = dyno_case_get_expected_seconds (self);
  double steps = n * (dyno_method_get_warmup_seconds (part) + get_measure_seconds (part));
  double rest = MAX (expected - steps, MAX (LEAST_REST * expected, G_MINDOUBLE));

  return rest / (n + REST_OF_ANALYSIS);
}

static gboolean
is_measured (guint turn)
{
  return turn != DYNO_CASE_ANALYSIS;
}

/* Returns the time of a phase of one process, if the case takes as long as expected. */
static double
estimate_phase (DynoCase *self, DynoMethod *part, guint turn, gboolean analyses, int phase)
{
  double rest = estimate_rest (self, part);

  switch (phase)
    {
    case PREPARE:
      return SHARE_OF_PREPARE * rest;
    case DYNO_PHASE_LOAD:
      return SHARE_OF_LOAD * rest;
    case DYNO_PHASE_FIRST_RUN:
      return is_measured (turn) ? SHARE_OF_FIRST_RUN * rest : 0;
    case DYNO_PHASE_WARM_UP:
      return is_measured (turn) ? dyno_method_get_warmup_seconds (part) : 0;
    case DYNO_PHASE_MEASURE:
      return is_measured (turn) ? get_measure_seconds (part) : 0;
    default:
      if (!is_measured (turn))
        return (REST_OF_ANALYSIS - SHARE_OF_PREPARE - SHARE_OF_LOAD) * rest;
      return analyses ? REST_OF_ANALYSIS * rest : 0;
    }
}

double
dyno_case_estimate_share (DynoCase *self, guint turn, gboolean analyses)
{
  g_autoptr (DynoMethod) part = dyno_method_share_out (dyno_case_get_method (self));
  guint n = dyno_method_get_invocations (dyno_case_get_method (self));
  double rest = estimate_rest (self, part);
  double process = dyno_method_get_warmup_seconds (part) + get_measure_seconds (part) + rest;
  double all = n * process + REST_OF_ANALYSIS * rest;

  if (!is_measured (turn))
    return REST_OF_ANALYSIS * rest / all;
  return (process + (analyses ? REST_OF_ANALYSIS * rest : 0)) / all;
}

/* Nothing wanted counts as complete. */
static double
divide (double part, double whole)
{
  return whole > 0 ? MIN (part / whole, 1) : 1;
}

static double
estimate_within (DynoMethod *part, double expected, int phase, double seconds, guint n_samples)
{
  double by_time = divide (seconds, expected);
  double by_limit = divide (seconds, dyno_method_get_max_seconds (part));

  if (phase == DYNO_PHASE_WARM_UP)
    return MAX (MIN (by_time, divide (n_samples, dyno_method_get_warmup_steps (part))), by_limit);
  if (phase == DYNO_PHASE_MEASURE)
    return MAX (ENOUGH_FRACTION * MIN (by_time, divide (n_samples, dyno_method_get_min_samples (part))),
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

double
dyno_case_estimate_fraction (
    DynoCase *self, guint turn, gboolean analyses, const char *phase, double seconds, guint n_samples)
{
  g_autoptr (DynoMethod) part = dyno_method_share_out (dyno_case_get_method (self));
  int now = find_phase (phase);
  double all = 0, over = 0;

  for (int i = PREPARE; i < DYNO_N_PHASES; i++)
    {
      double expected = estimate_phase (self, part, turn, analyses, i);

      all += expected;
      if (i < now)
        over += expected;
      else if (i == now)
        over += expected * estimate_within (part, expected, i, seconds, n_samples);
    }
  return over / all;
}

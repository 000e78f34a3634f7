/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-comparison-differences.h"
#include "dyno-distributions.h"
#include "dyno-grade.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-run-json.h"
#include "dyno-run-summary.h"
#include "dyno-score.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define TAIL 0.025

/* A score of fewer cases than half of the reference's says little about the suite. */
#define LEAST_PART 0.5

/* Runs of the suite are looked for among so many of its models. */
#define MOST_RUNS 5

/* A case of the reference, and the same case of the run. */
typedef struct
{
  DynoResult *reference;
  DynoResult *result; /* (nullable) */
  gboolean is_undisturbed;
} Pair;

typedef gboolean (*PairFilter) (const Pair *pair, const char *name);

static void
part_free (DynoScorePart *self)
{
  g_free (self->name);
  g_free (self);
}

/* The numbers of a case */

/* Returns the median latency of a process, of its undisturbed steps or of all; NaN if it has none. */
static double
get_median (DynoResult *result, guint number, gboolean is_undisturbed)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);

  if (invocations->len == 0 && number == 0)
    return dyno_result_get_number (result, "latency_p50_ms");
  for (guint i = 0; i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];
      double of_all = dyno_invocation_get_number (invocation, "latency_all_p50_ms");

      if (invocation->number == number)
        return !is_undisturbed && isfinite (of_all)
                   ? of_all
                   : dyno_invocation_get_number (invocation, "latency_p50_ms");
    }
  return NAN;
}

static gboolean
is_undisturbed (DynoResult *result)
{
  guint n;
  g_autofree double *numbers = dyno_result_dup_invocation_numbers (result, "latency_all_p50_ms", &n);

  return n > 0 && n == dyno_result_get_n_invocations (result);
}

/* The rounds of a run */

/* All cases of a round share the state of the machine, so a round gives one number: the mean logarithm of the
 * latencies of its cases. Returns that of each round that all cases have. */
static double *
dup_rounds (GPtrArray *pairs, gboolean of_reference, gsize *n)
{
  guint most = 0;
  double *rounds;

  *n = 0;
  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair *pair = pairs->pdata[i];
      GPtrArray *invocations = dyno_result_get_invocations (of_reference ? pair->reference : pair->result);

      for (guint k = 0; k < invocations->len; k++)
        most = MAX (most, ((const DynoInvocation *)invocations->pdata[k])->number);
    }
  rounds = g_new (double, most + 1);
  for (guint number = 0; number <= most; number++)
    {
      double sum = 0;

      for (guint i = 0; i < pairs->len; i++)
        {
          const Pair *pair = pairs->pdata[i];

          sum +=
              log (get_median (of_reference ? pair->reference : pair->result, number, pair->is_undisturbed));
        }
      if (isfinite (sum))
        rounds[(*n)++] = sum / pairs->len;
    }
  return rounds;
}

/* The interval is that of Welch's t-test (“The Generalization of Student's Problem When Several Different Population
 * Variances Are Involved”, 1947) over rounds, so it holds the uncertainty of the reference as well. */
static void
estimate (GPtrArray *pairs, DynoInterval *value)
{
  gsize n_reference, n;
  g_autofree double *reference = dup_rounds (pairs, TRUE, &n_reference);
  g_autofree double *rounds = dup_rounds (pairs, FALSE, &n);
  double difference = dyno_stats_mean (reference, n_reference) - dyno_stats_mean (rounds, n);
  double of_reference = pow (dyno_stats_standard_deviation (reference, n_reference), 2) / (double)n_reference;
  double of_rounds = pow (dyno_stats_standard_deviation (rounds, n), 2) / (double)n;
  double variance = of_reference + of_rounds;
  double freedom =
      variance * variance /
      (of_reference * of_reference / ((double)n_reference - 1) + of_rounds * of_rounds / ((double)n - 1));
  double reach = variance > 0 ? dyno_stats_student_quantile (1 - TAIL, freedom) * sqrt (variance) : variance;

  value->estimate = 100 * exp (difference);
  value->low = 100 * exp (difference - reach);
  value->high = 100 * exp (difference + reach);
}

static DynoScorePart *
create_part (GPtrArray *pairs, const char *name, PairFilter filter)
{
  DynoScorePart *self = g_new0 (DynoScorePart, 1);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  self->name = g_strdup (name);
  self->value = (DynoInterval){ NAN, NAN, NAN };
  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair *pair = pairs->pdata[i];

      if (filter != NULL && !filter (pair, name))
        continue;
      self->n_wanted++;
      if (pair->result != NULL)
        g_ptr_array_add (chosen, pairs->pdata[i]);
    }
  self->n_cases = chosen->len;
  if (chosen->len > 0)
    estimate (chosen, &self->value);
  return self;
}

/* Parts */

static gboolean
has_precision (const Pair *pair, const char *name)
{
  return g_str_equal (dyno_case_get_precision (dyno_result_get_case (pair->reference)), name);
}

static gboolean
is_on_side (const Pair *pair, const char *name)
{
  double intensity = dyno_result_get_number (pair->reference, "arithmetic_intensity_flops_per_byte");
  double ridge = dyno_result_get_number (pair->reference, "ridge_point_flops_per_byte");

  if (!isfinite (intensity) || !isfinite (ridge))
    return FALSE;
  return g_str_equal (name, intensity < ridge ? "memory" : "compute");
}

static void
take_part (GPtrArray *parts, DynoScorePart *part)
{
  if (isfinite (part->value.estimate))
    g_ptr_array_add (parts, part);
  else
    part_free (part);
}

static void
add_precisions (GPtrArray *parts, GPtrArray *pairs)
{
  g_autoptr (GHashTable) added = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair *pair = pairs->pdata[i];
      const char *precision = dyno_case_get_precision (dyno_result_get_case (pair->reference));

      if (g_hash_table_add (added, (gpointer)precision))
        take_part (parts, create_part (pairs, precision, has_precision));
    }
}

/* The cases of both runs */

static GPtrArray *
list_pairs (DynoRun *run, DynoRun *reference)
{
  g_autoptr (GPtrArray) sorted = dyno_case_order_sort (reference);
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GListModel *results = dyno_run_get_results (run);
  GPtrArray *pairs = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      /* Numbers that may be wrong are not scored. */
      if (dyno_result_get_state (result) == DYNO_CASE_STATE_MEASURED)
        g_hash_table_insert (index, dyno_case_parts_dup_key (result, DYNO_CASE_ALL), result);
    }
  for (guint i = 0; i < sorted->len; i++)
    {
      g_autofree char *key = dyno_case_parts_dup_key (sorted->pdata[i], DYNO_CASE_ALL);
      Pair *pair = g_new0 (Pair, 1);

      pair->reference = sorted->pdata[i];
      pair->result = g_hash_table_lookup (index, key);
      pair->is_undisturbed =
          pair->result != NULL && is_undisturbed (pair->result) && is_undisturbed (pair->reference);
      g_ptr_array_add (pairs, pair);
    }
  return pairs;
}

/* Returns whether the run was to measure all models of the reference. */
static gboolean
has_models (DynoRun *run, GPtrArray *pairs)
{
  g_autoptr (JsonObject) plan = dyno_json_try_object (dyno_run_get_plan (run), -1);
  g_auto (GStrv) models = dyno_json_member_dup_strings (plan, "models");

  for (guint i = 0; i < pairs->len; i++)
    {
      DynoResult *wanted = ((const Pair *)pairs->pdata[i])->reference;

      if (!g_strv_contains ((const char *const *)models, dyno_case_get_model (dyno_result_get_case (wanted))))
        return FALSE;
    }
  return pairs->len > 0;
}

static char *
dup_engine (DynoRun *run, DynoRun *reference)
{
  g_autoptr (JsonObject) machine = dyno_json_try_object (dyno_run_get_machine (run), -1);
  g_autoptr (DynoResult) first = g_list_model_get_item (dyno_run_get_results (reference), 0);

  return machine != NULL && first != NULL
             ? g_strdup (
                   dyno_run_engines_find (machine, dyno_case_get_backend (dyno_result_get_case (first))))
             : NULL;
}

DynoScore *
dyno_score_new (DynoRun *run, const DynoReference *reference)
{
  g_autoptr (GPtrArray) pairs = NULL;
  DynoScore *self;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  pairs = list_pairs (run, reference->run);
  self = g_new0 (DynoScore, 1);
  self->reference = reference;
  self->all = create_part (pairs, "all", NULL);
  self->precisions = g_ptr_array_new_with_free_func ((GDestroyNotify)part_free);
  self->sides = g_ptr_array_new_with_free_func ((GDestroyNotify)part_free);
  self->engine = dup_engine (run, reference->run);
  self->run_id = g_strdup (dyno_run_get_id (run));
  self->measured_at = dyno_run_get_started_at (run);
  if (self->all->n_cases >= LEAST_PART * self->all->n_wanted && isfinite (self->all->value.estimate))
    {
      add_precisions (self->precisions, pairs);
      take_part (self->sides, create_part (pairs, "memory", is_on_side));
      take_part (self->sides, create_part (pairs, "compute", is_on_side));
      return self;
    }
  if (!has_models (run, pairs))
    {
      dyno_score_free (self);
      return NULL;
    }
  self->all->value = (DynoInterval){ NAN, NAN, NAN };
  self->reason = g_strdup_printf (
      ngettext ("There is no score: %u of %u cases of the suite “%s” has numbers that hold.",
                "There is no score: %u of %u cases of the suite “%s” have numbers that hold.",
                self->all->n_cases),
      self->all->n_cases, self->all->n_wanted, reference->suite);
  return self;
}

DynoScore *
dyno_score_find_newest (DynoStore *store, const char *machine, const DynoReference *reference)
{
  GListModel *results = dyno_run_get_results (reference->run);
  g_autoptr (GString) search = g_string_new (NULL);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoRun) here = dyno_run_new (NULL);

  /* The names of the models of the reference are the words to search for. */
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      g_string_append_printf (search, " %s", dyno_case_get_model (dyno_result_get_case (result)));
    }
  runs = dyno_store_list_runs (store, search->str, 0, MOST_RUNS, NULL);
  g_object_set (here, "machine", machine, NULL);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      g_autoptr (DynoRun) run = dyno_store_load_run (store, dyno_run_get_id (runs->pdata[i]), NULL);
      g_autoptr (DynoScore) score = NULL;

      if (run == NULL || !dyno_comparison_differences_same_machine (run, here))
        continue;
      score = dyno_score_new (run, reference);
      if (score != NULL && score->reason == NULL)
        return g_steal_pointer (&score);
    }
  return NULL;
}

void
dyno_score_free (DynoScore *self)
{
  part_free (self->all);
  g_ptr_array_unref (self->precisions);
  g_ptr_array_unref (self->sides);
  g_free (self->engine);
  g_free (self->reason);
  g_free (self->run_id);
  g_free (self);
}

/* Words */

char *
dyno_score_dup_answer (const DynoScore *self)
{
  g_autofree char *number = dyno_unit_format_number (self->all->value.estimate, 0);
  g_autofree char *low = dyno_unit_format_number (self->all->value.low, 0);
  g_autofree char *high = dyno_unit_format_number (self->all->value.high, 0);
  g_autofree char *interval = NULL;

  if (self->reason != NULL)
    return g_strdup (self->reason);
  if (!isfinite (self->all->value.low))
    /* Translators: a score such as “97” */
    return g_strdup_printf (_ ("Score %s, where the reference machine has 100."), number);
  /* Translators: two numbers */
  interval = g_strdup_printf (_ ("95 %% interval %s to %s"), low, high);
  /* Translators: a score, and its interval such as “95 % interval 88 to 107” */
  return g_strdup_printf (_ ("Score %s (%s), where the reference machine has 100."), number, interval);
}

/* Parts are only told apart where there are several. */
static void
append_parts (GString *text, GPtrArray *parts)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; parts->len > 1 && i < parts->len; i++)
    {
      const DynoScorePart *part = parts->pdata[i];
      g_autofree char *number = dyno_unit_format_number (part->value.estimate, 0);
      const char *label = part->name;

      if (g_str_equal (part->name, "memory"))
        /* Translators: the part of a score that is of cases limited by memory, before a number */
        label = _ ("memory");
      else if (g_str_equal (part->name, "compute"))
        /* Translators: the part of a score that is of cases limited by computing, before a number */
        label = _ ("compute");
      g_string_append_printf (list, "%s%s\u00a0%s", i > 0 ? ", " : "", label, number);
    }
  if (list->len > 0)
    /* Translators: parts of a score, such as “memory 97, compute 120” */
    g_string_append_printf (text, _ (" Of it: %s."), list->str);
}

char *
dyno_score_dup_scope (const DynoScore *self)
{
  const char *suite = self->reference->suite;
  g_autofree char *reference = dyno_reference_dup_text (self->reference);
  const char *engine = self->engine != NULL ? self->engine : _ ("an unknown engine");
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->reason != NULL)
    return NULL;
  if (self->all->n_cases < self->all->n_wanted)
    /* Translators: two numbers, a suite and an engine */
    g_string_append_printf (text, _ ("It is of %u of %u cases of the suite “%s” on %s."), self->all->n_cases,
                            self->all->n_wanted, suite, engine);
  else
    /* Translators: a suite and an engine */
    g_string_append_printf (text, _ ("It is of the suite “%s” on %s."), suite, engine);
  append_parts (text, self->precisions);
  append_parts (text, self->sides);
  /* Translators: the machine, the day, the versions and the grades of a run, such as “AMD EPYC · 2 cores · 25.3 GB · 27
   * November 2026 · Dyno 0.1.0 · ONNX Runtime 1.30.0 (CPU) · 6 good” */
  g_string_append_printf (text, _ (" Reference machine: %s."), reference);
  return g_strdup (text->str);
}

char *
dyno_score_dup_text (const DynoScore *self)
{
  g_autofree char *answer = dyno_score_dup_answer (self);
  g_autofree char *scope = dyno_score_dup_scope (self);

  return g_strjoin (" ", answer, scope, NULL);
}

/* For programs */

static JsonObject *
part_to_json (const DynoScorePart *self)
{
  JsonObject *object = json_object_new ();

  dyno_json_member_set_double (object, "value", self->value.estimate);
  dyno_json_member_set_double (object, "low", self->value.low);
  dyno_json_member_set_double (object, "high", self->value.high);
  json_object_set_int_member (object, "cases", self->n_cases);
  json_object_set_int_member (object, "of_cases", self->n_wanted);
  return object;
}

static JsonObject *
parts_to_json (GPtrArray *parts)
{
  JsonObject *object = json_object_new ();

  for (guint i = 0; i < parts->len; i++)
    {
      const DynoScorePart *part = parts->pdata[i];

      json_object_set_object_member (object, part->name, part_to_json (part));
    }
  return object;
}

JsonObject *
dyno_score_to_json (const DynoScore *self)
{
  JsonObject *object = part_to_json (self->all);
  JsonObject *reference = json_object_new ();
  DynoRun *run = self->reference->run;
  g_autofree char *machine = dyno_machine_dup_summary (dyno_run_get_machine (run));
  g_autofree char *measured_at = dyno_run_json_format_time (dyno_run_get_started_at (run));
  g_autofree char *engine = dup_engine (run, run);
  g_autofree char *grades = dyno_run_dup_outcome (run);

  dyno_json_member_set_string (object, "suite", self->reference->suite);
  dyno_json_member_set_string (object, "engine", self->engine);
  if (self->reason != NULL)
    dyno_json_member_set_string (object, "reason", self->reason);
  json_object_set_object_member (object, "precisions", parts_to_json (self->precisions));
  json_object_set_object_member (object, "sides", parts_to_json (self->sides));
  dyno_json_member_set_string (reference, "machine", machine);
  dyno_json_member_set_string (reference, "measured_at", measured_at);
  dyno_json_member_set_string (reference, "app_version", dyno_run_get_app_version (run));
  dyno_json_member_set_string (reference, "commit", self->reference->commit);
  dyno_json_member_set_string (reference, "engine", engine);
  dyno_json_member_set_string (reference, "grades", grades);
  json_object_set_object_member (object, "reference", reference);
  return object;
}

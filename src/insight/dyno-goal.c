/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-goal.h"
#include "dyno-metric.h"
#include "dyno-unit.h"
#include "dyno-verdict.h"

static const struct
{
  const char *name;
  const char *label;
  const char *metric;
  const char *unit;
} objectives[DYNO_N_OBJECTIVES] = {
  [DYNO_OBJECTIVE_LATENCY] = { "latency", N_ ("Lowest median latency"), "latency_p50_ms", "ms" },
  [DYNO_OBJECTIVE_THROUGHPUT] = { "throughput", N_ ("Highest throughput"), "throughput_items_per_sec",
                                  "1/s" },
  [DYNO_OBJECTIVE_ENERGY] = { "energy", N_ ("Most items per joule"), "throughput_per_watt", "1/s/W" },
  [DYNO_OBJECTIVE_MEMORY] = { "memory", N_ ("Least memory"), "memory_peak_mb", "MB" },
};

/* The stored value times the factor is in the unit of the limit. */
static const struct
{
  const char *name;
  const char *metric;
  const char *unit;
  double factor;
  const char *text;
} limits[DYNO_N_LIMITS] = {
  [DYNO_LIMIT_LATENCY] = { "latency", "latency_p90_ms", "ms", 1, N_ ("p90 latency ≤ %s") },
  [DYNO_LIMIT_MEMORY] = { "memory", "memory_peak_mb", "MB", 1, N_ ("Memory ≤ %s") },
  [DYNO_LIMIT_POWER] = { "power", "power_avg_watts", "W", 1, N_ ("Power ≤ %s") },
  [DYNO_LIMIT_ERROR] = { "error", "output_max_error", "%", 100, N_ ("Output error ≤ %s") },
};

const char *
dyno_objective_get_label (DynoObjective objective)
{
  g_return_val_if_fail (objective < DYNO_N_OBJECTIVES, NULL);
  return _ (objectives[objective].label);
}

const char *
dyno_objective_get_metric (DynoObjective objective)
{
  g_return_val_if_fail (objective < DYNO_N_OBJECTIVES, NULL);
  return objectives[objective].metric;
}

const char *
dyno_objective_get_unit (DynoObjective objective)
{
  g_return_val_if_fail (objective < DYNO_N_OBJECTIVES, NULL);
  return objectives[objective].unit;
}

const char *
dyno_limit_to_string (DynoLimit limit)
{
  g_return_val_if_fail (limit < DYNO_N_LIMITS, NULL);
  return limits[limit].name;
}

char *
dyno_limit_dup_text (DynoLimit limit, double most)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *amount = NULL;

  g_return_val_if_fail (limit < DYNO_N_LIMITS, NULL);

  amount = dyno_unit_format (most, limits[limit].unit);
  text = g_string_new (_ (limits[limit].text));
  g_string_replace (text, "%s", amount, 1);
  return g_strdup (text->str);
}

void
dyno_goal_init (DynoGoal *self, DynoObjective objective)
{
  *self = (DynoGoal){ { 0 }, { 0 } };
  self->weights[objective] = 1;
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    self->limits[i] = INFINITY;
}

/* `latency`, or `latency=2` */
static gboolean
parse_part (DynoGoal *self, const char *part, GError **error)
{
  g_auto (GStrv) words = g_strsplit (part, "=", 2);
  const char *name = words[0] != NULL ? g_strstrip (words[0]) : "";
  const char *number = words[0] != NULL && words[1] != NULL ? words[1] : "1";
  char *end = NULL;
  double weight = g_ascii_strtod (number, &end);
  DynoObjective objective = 0;

  while (objective < DYNO_N_OBJECTIVES && !g_str_equal (objectives[objective].name, name))
    objective++;
  if (objective == DYNO_N_OBJECTIVES)
    {
      g_autoptr (GString) known = g_string_new (NULL);

      for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", objectives[i].name);
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("“%s” is not a goal. Goals are: %s; several with weights, such as “latency=2,memory=1”."), part,
          known->str);
      return FALSE;
    }
  if (end == number || *end != '\0' || !(weight > 0 && isfinite (weight)))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is not a weight of the goal “%s”. Weights are numbers above 0."), number, name);
      return FALSE;
    }
  self->weights[objective] = weight;
  return TRUE;
}

gboolean
dyno_goal_parse (DynoGoal *self, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (*text != '\0' ? text : " ", ",", -1);

  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    self->weights[i] = 0;
  for (char **part = parts; *part != NULL; part++)
    if (!parse_part (self, *part, error))
      return FALSE;
  return TRUE;
}

DynoObjective
dyno_goal_get_main (const DynoGoal *self)
{
  DynoObjective found = 0;

  for (guint i = 1; i < DYNO_N_OBJECTIVES; i++)
    if (self->weights[i] > self->weights[found])
      found = i;
  return found;
}

gboolean
dyno_goal_is_weighted (const DynoGoal *self)
{
  guint n = 0;

  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    n += self->weights[i] > 0;
  return n > 1;
}

char *
dyno_goal_to_string (const DynoGoal *self)
{
  GString *text = NULL;

  if (!dyno_goal_is_weighted (self))
    return g_strdup (objectives[dyno_goal_get_main (self)].name);
  text = g_string_new (NULL);
  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    if (self->weights[i] > 0)
      {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        g_ascii_formatd (number, sizeof number, "%g", self->weights[i]);
        g_string_append_printf (text, "%s%s=%s", text->len > 0 ? "," : "", objectives[i].name, number);
      }
  return g_string_free (text, FALSE);
}

char *
dyno_goal_dup_label (const DynoGoal *self)
{
  GString *text = NULL;

  if (!dyno_goal_is_weighted (self))
    return g_strdup (_ (objectives[dyno_goal_get_main (self)].label));
  text = g_string_new (NULL);
  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    if (self->weights[i] > 0)
      {
        g_autofree char *weight = dyno_unit_format_significant (self->weights[i]);

        g_string_append_printf (text, "%s%s × %s", text->len > 0 ? ", " : "", _ (objectives[i].label),
                                weight);
      }
  return g_string_free (text, FALSE);
}

static gboolean
may_move (const DynoGoal *self, DynoResult *result)
{
  return self->allows_moving_turns && dyno_result_get_trace (result, "turns") != NULL;
}

/* A value that was not measured cannot support a recommendation. */
static double
get_measured (const DynoGoal *self, DynoResult *result, const char *name)
{
  DynoValue *value = dyno_result_get_value (result, name);
  DynoQuality quality = value != NULL ? dyno_value_get_quality (value) : DYNO_QUALITY_UNSUPPORTED;

  return quality == DYNO_QUALITY_MEASURED || (quality == DYNO_QUALITY_UNSTEADY && may_move (self, result))
             ? dyno_value_get_number (value)
             : NAN;
}

double
dyno_goal_get_cost (const DynoGoal *self, DynoResult *result)
{
  double sum = 0, weights = 0;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NAN);

  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    if (self->weights[i] > 0)
      {
        double number = get_measured (self, result, objectives[i].metric);

        sum += self->weights[i] *
               (dyno_verdict_more_is_better (objectives[i].metric) ? -log (number) : log (number));
        weights += self->weights[i];
      }
  return isfinite (sum) ? exp (sum / weights) : NAN;
}

static char *
explain_unknown (DynoResult *result, const char *metric)
{
  g_autofree char *title = dyno_metric_title_dup (metric);
  DynoValue *value = dyno_result_get_value (result, metric);

  if (value != NULL && dyno_value_get_quality (value) == DYNO_QUALITY_ESTIMATED)
    /* Translators: %s is a value, such as “Mean power” */
    return g_strdup_printf (_ ("%s is estimated, not measured."), title);
  if (value != NULL && dyno_value_get_quality (value) == DYNO_QUALITY_IMPORTED)
    /* Translators: %s is a value, such as “Mean power” */
    return g_strdup_printf (_ ("%s is imported from another tool, not measured here."), title);
  if (value != NULL && dyno_value_get_source (value) != NULL)
    /* Translators: a value, and a sentence with the reason */
    return g_strdup_printf (_ ("%s was not measured. %s"), title, dyno_value_get_source (value));
  return g_strdup_printf (_ ("%s was not measured."), title);
}

char *
dyno_goal_explain (const DynoGoal *self, DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);
  const char *why = dyno_result_get_reason (result);
  DynoCase *kase = dyno_result_get_case (result);
  /* Outputs are compared with those of the fp32 model on the CPU backend. */
  gboolean is_reference = g_strcmp0 (dyno_case_get_backend (kase), "cpu") == 0 &&
                          g_strcmp0 (dyno_case_get_computed_precision (kase), "fp32") == 0;
  char *reason = NULL;

  if (dyno_result_is_emulated (result))
    return g_strdup (_ ("Its device is emulated, so its times are not those of the device."));
  if (!dyno_case_state_is_clean (state) && state != DYNO_CASE_STATE_DOUBTFUL &&
      !(state == DYNO_CASE_STATE_UNSTEADY && may_move (self, result)))
    return g_strdup (state == DYNO_CASE_STATE_UNSTEADY ? _ ("Its latency never became steady.")
                     : why != NULL && *why != '\0'     ? why
                                                       : dyno_case_state_get_label (state));
  for (guint i = 0; i < DYNO_N_OBJECTIVES && reason == NULL; i++)
    if (self->weights[i] > 0 && !isfinite (log (get_measured (self, result, objectives[i].metric))))
      reason = explain_unknown (result, objectives[i].metric);
  for (guint i = 0; i < DYNO_N_LIMITS && reason == NULL; i++)
    {
      double number = get_measured (self, result, limits[i].metric) * limits[i].factor;
      g_autofree char *title = NULL;
      g_autofree char *is = NULL;
      g_autofree char *may_be = NULL;

      if (!isfinite (self->limits[i]) || number <= self->limits[i] || (i == DYNO_LIMIT_ERROR && is_reference))
        continue;
      if (!isfinite (number))
        return explain_unknown (result, limits[i].metric);
      title = dyno_metric_title_dup (limits[i].metric);
      is = dyno_unit_format (number, limits[i].unit);
      may_be = dyno_unit_format (self->limits[i], limits[i].unit);
      /* Translators: a value such as “Peak memory”, its number, and the limit */
      return g_strdup_printf (_ ("%s is %s, above the limit of %s."), title, is, may_be);
    }
  return reason;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-comparison-builder.h"
#include "dyno-distributions.h"
#include "dyno-insight-private.h"
#include "dyno-race.h"
#include "dyno-unit.h"

/* One process of each side does not show how far the next ones are apart. Where the same model was on both sides, the
 * logarithms of such ratios deviated by less in turns, and by as much one after another (rule 29 of docs/method.md); few
 * pairs showed it. */
#define SPREAD_IN_TURNS  0.03
#define SPREAD_OTHERWISE 0.11
#define FREEDOM          4

/* The deviation of one round, before any is known. */
#define SPREAD_OF_ROUND 0.3

static guint
count (GPtrArray *entries, DynoRaceStanding standing)
{
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    n += ((DynoRaceEntry *)entries->pdata[i])->standing == standing;
  return n;
}

const DynoRaceEntry *
dyno_race_find_best (GPtrArray *entries)
{
  const DynoRaceEntry *first = entries->len > 0 ? entries->pdata[0] : NULL;

  return first != NULL && first->standing == DYNO_RACE_BEST ? first : NULL;
}

/* The nearest to the best one of those with this standing that have a margin against it. */
static const DynoRaceEntry *
find_rival (GPtrArray *entries, const DynoRaceEntry *best, DynoRaceStanding standing)
{
  const DynoRaceEntry *rival = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];
      const DynoComparedCase *margin =
          entry->standing == standing && entry->candidate != NULL ? entry->candidate->margin : NULL;

      /* A setting that left earlier was compared with the leader of that time. */
      if (margin == NULL || !(margin->ratio > 0) ||
          (margin->result != NULL &&
           dyno_result_get_ordinal (margin->result) != dyno_result_get_ordinal (best->result)))
        continue;
      if (rival == NULL || fabs (log (margin->ratio)) < fabs (log (rival->candidate->margin->ratio)))
        rival = entry;
    }
  return rival;
}

static char *
dup_times (const DynoComparedCase *margin)
{
  return dyno_unit_format_number (exp (fabs (log (margin->ratio))), 2);
}

/* Returns the variance of the logarithm of the median of the rounds. Few rounds say little of their spread, so they count
 * as if there was one more, which deviates by a third. */
static double
estimate_variance (const DynoRoundRatios *rounds)
{
  const DynoSample *block = &g_array_index (rounds->blocks, DynoSample, 0);
  double sum = 0, squares = 0, n = 0;

  for (gsize i = 0; i < block->n; i++)
    if (isfinite (log (block->values[i])))
      {
        sum += log (block->values[i]);
        squares += pow (log (block->values[i]), 2);
        n++;
      }
  squares += SPREAD_OF_ROUND * SPREAD_OF_ROUND - (n > 0 ? sum * sum / n : 0);
  n = fmax (n, 1);
  /* The variance of a median is π/2 times that of a mean. */
  return G_PI_2 * squares / (n * n);
}

static char *
dup_lead (const DynoRaceEntry *best, const DynoRaceEntry *rival)
{
  const DynoComparedCase *margin = rival->candidate->margin;
  g_autofree char *times = dup_times (margin);
  g_autoptr (DynoRoundRatios) rounds =
      margin->n_rounds > 0 ? dyno_round_ratios_new (margin->baseline, margin->result, DYNO_COMPARISON_METRIC)
                           : NULL;
  double spread = rounds != NULL ? SPREAD_IN_TURNS : SPREAD_OTHERWISE;
  double variance = spread * spread + (rounds != NULL ? estimate_variance (rounds) : 0);
  double estimate = dyno_stats_student_probability (fabs (log (margin->ratio)) / sqrt (variance), FREEDOM);

  if (!isfinite (margin->confidence))
    return g_strdup_printf (
        /* Translators: a setting, how many times as good it is, the other setting, and how certain that is */
        _ ("%s leads by %s× over %s; about %.0f %% sure, from one process of each. More time can make it "
           "certain."),
        best->label, times, rival->label, fmin (100 * estimate, 99));
  /* Never certain: then the rival would have been beaten. */
  return g_strdup_printf (_ ("%s leads by %s× over %s; %.0f %% sure. More time can make it certain."),
                          best->label, times, rival->label, fmin (100 * margin->confidence, 99));
}

static char *
dup_best (GPtrArray *entries, const DynoRaceEntry *best, const DynoGoal *goal)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  const DynoRaceEntry *rival = find_rival (entries, best, DYNO_RACE_OPEN);
  guint n_tied = count (entries, DYNO_RACE_TIED);
  guint n_open = count (entries, DYNO_RACE_OPEN);
  guint n_numbers = 0;
  g_autofree char *times = NULL;

  if (rival != NULL)
    return dup_lead (best, rival);
  if (n_open > 0)
    return g_strdup_printf (ngettext ("%s leads, but %u other setting was not shown to be worse.",
                                      "%s leads, but %u other settings were not shown to be worse.", n_open),
                            best->label, n_open);
  if (n_tied > 0)
    return g_strdup_printf (ngettext ("%s is best, tied with %u other setting.",
                                      "%s is best, tied with %u other settings.", n_tied),
                            best->label, n_tied);
  rival = find_rival (entries, best, DYNO_RACE_BEATEN);
  times = rival != NULL ? dup_times (rival->candidate->margin) : NULL;
  if (rival != NULL)
    /* Translators: a setting, how many times as good it is, and the other setting */
    return g_strdup_printf (_ ("%s is best by %s× over %s; more than 95 %% sure."), best->label, times,
                            rival->label);
  rival = find_rival (entries, best, DYNO_RACE_BEHIND);
  times = rival != NULL ? dup_times (rival->candidate->margin) : NULL;
  if (rival != NULL)
    return g_strdup_printf (
        /* Translators: a setting, how many times as good it is, and the other setting */
        _ ("%s is best by %s× over %s, which was so far behind that it was not measured further."),
        best->label, times, rival->label);
  if (count (entries, DYNO_RACE_BEATEN) + count (entries, DYNO_RACE_BEHIND) > 0)
    return g_strdup_printf (_ ("%s is best."), best->label);
  for (guint i = 0; i < entries->len; i++)
    n_numbers +=
        isfinite (dyno_result_get_number (((DynoRaceEntry *)entries->pdata[i])->result, metric)) != 0;
  return n_numbers > 1
             ? g_strdup_printf (_ ("Only %s can be recommended; there is nothing to compare it with."),
                                best->label)
             : g_strdup_printf (_ ("Only %s answered in this time, so there is nothing to compare it with."),
                                best->label);
}

/* Where none may be recommended, people still want the best of what was seen. */
static char *
dup_guess (GPtrArray *entries, const DynoGoal *goal)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  double sign = dyno_verdict_more_is_better (metric) ? -1 : 1;
  const DynoRaceEntry *first = NULL, *second = NULL;
  double best = INFINITY, next = INFINITY;

  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];
      double cost = sign * log (dyno_result_get_number (entry->result, metric));

      if (!isfinite (cost) || dyno_result_is_emulated (entry->result))
        continue;
      if (cost < best)
        {
          next = best;
          second = first;
          best = cost;
          first = entry;
        }
      else if (cost < next)
        {
          next = cost;
          second = entry;
        }
    }

  g_autofree char *remark = first != NULL ? dyno_race_entry_dup_remark (first, goal) : NULL;
  g_autofree char *times = dyno_unit_format_number (exp (next - best), 2);

  if (first == NULL)
    return g_strdup (_ ("No setting was measured in this time. Allow more."));
  if (second == NULL)
    /* Translators: a setting, and why it may not be recommended: a sentence */
    return g_strdup_printf (_ ("Only %s answered in this time, and it cannot be recommended. %s"),
                            first->label, remark);
  /* Translators: a setting, how many times as good it is, the other setting, and a sentence with the reason */
  return g_strdup_printf (_ ("%s looks best by %s× over %s, but cannot be recommended. %s"), first->label,
                          times, second->label, remark);
}

char *
dyno_race_dup_answer (GPtrArray *entries, const DynoGoal *goal)
{
  const DynoRaceEntry *best = dyno_race_find_best (entries);
  g_autofree char *answer = best != NULL ? dup_best (entries, best, goal) : dup_guess (entries, goal);
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];

      n += entry->standing == DYNO_RACE_UNMEASURED && entry->candidate == NULL;
    }
  if (best == NULL || n == 0)
    return g_steal_pointer (&answer);

  g_autofree char *others =
      g_strdup_printf (ngettext ("%u setting has no number yet.", "%u settings have no number yet.", n), n);

  return g_strconcat (answer, " ", others, NULL);
}

char *
dyno_race_entry_dup_value (const DynoRaceEntry *entry, const DynoGoal *goal)
{
  DynoObjective objective = dyno_goal_get_main (goal);
  double number = dyno_result_get_number (entry->result, dyno_objective_get_metric (objective));

  return isfinite (number) ? dyno_unit_format (number, dyno_objective_get_unit (objective)) : g_strdup ("");
}

char *
dyno_race_entry_dup_remark (const DynoRaceEntry *entry, const DynoGoal *goal)
{
  const DynoCandidate *candidate = entry->candidate;
  const char *reason = dyno_result_get_reason (entry->result);

  if (candidate == NULL)
    return g_strdup (entry->standing == DYNO_RACE_UNMEASURED && reason != NULL ? reason : "");
  if (candidate->reason != NULL)
    return g_strdup (candidate->reason);
  if (candidate->margin != NULL)
    return dyno_candidate_dup_margin (candidate, goal);
  return g_strdup (candidate->doubt != NULL ? candidate->doubt : "");
}

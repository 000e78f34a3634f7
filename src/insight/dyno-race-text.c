/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-race.h"
#include "dyno-unit.h"

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

char *
dyno_race_dup_answer (GPtrArray *entries)
{
  const DynoRaceEntry *best = dyno_race_find_best (entries);
  const DynoRaceEntry *rival = NULL;
  guint n_tied = count (entries, DYNO_RACE_TIED);
  guint n_open = count (entries, DYNO_RACE_OPEN);
  guint n_behind = count (entries, DYNO_RACE_BEHIND);

  if (best == NULL)
    return g_strdup (_ ("No setting can be recommended."));
  /* The rival is the one nearest to the best of those that may still win and have a margin. */
  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];
      const DynoComparedCase *margin =
          entry->standing == DYNO_RACE_OPEN && entry->candidate != NULL ? entry->candidate->margin : NULL;

      if (margin != NULL && margin->ratio > 0 &&
          (rival == NULL || fabs (log (margin->ratio)) < fabs (log (rival->candidate->margin->ratio))))
        rival = entry;
    }
  if (rival != NULL)
    {
      const DynoComparedCase *margin = rival->candidate->margin;
      g_autofree char *times = dyno_unit_format_number (exp (fabs (log (margin->ratio))), 2);

      if (!isfinite (margin->confidence))
        return g_strdup_printf (
            /* Translators: a setting, how many times as good it is, and the other setting */
            _ ("%s leads by %s× over %s, in one process each. More time can make it certain."), best->label,
            times, rival->label);
      /* Never certain: then the rival would have been beaten. */
      return g_strdup_printf (_ ("%s leads by %s× over %s; %.0f %% sure. More time can make it certain."),
                              best->label, times, rival->label, fmin (100 * margin->confidence, 99));
    }
  if (n_open > 0)
    return g_strdup_printf (ngettext ("%s leads, but %u other setting was not shown to be worse.",
                                      "%s leads, but %u other settings were not shown to be worse.", n_open),
                            best->label, n_open);
  if (n_tied > 0)
    return g_strdup_printf (ngettext ("%s is best, tied with %u other setting.",
                                      "%s is best, tied with %u other settings.", n_tied),
                            best->label, n_tied);
  if (n_behind > 0)
    return g_strdup_printf (
        ngettext ("%s is best. %u setting was so far behind that it was not measured further.",
                  "%s is best. %u settings were so far behind that they were not measured further.",
                  n_behind),
        best->label, n_behind);
  if (count (entries, DYNO_RACE_BEATEN) > 0)
    return g_strdup_printf (_ ("%s is best."), best->label);
  return g_strdup_printf (_ ("Only %s can be recommended; there is nothing to compare it with."),
                          best->label);
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

  if (candidate == NULL)
    return g_strdup ("");
  if (candidate->reason != NULL)
    return g_strdup (candidate->reason);
  if (candidate->margin != NULL)
    return dyno_candidate_dup_margin (candidate, goal);
  return g_strdup (candidate->doubt != NULL ? candidate->doubt : "");
}

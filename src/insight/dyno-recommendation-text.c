/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-recommendation.h"
#include "dyno-self-test-plan.h"

/* More equals than this are counted, not named. */
#define MAX_EQUALS 3

const char *
dyno_recommendation_state_to_string (DynoRecommendationState state)
{
  static const char *const names[DYNO_N_RECOMMENDATION_STATES] = {
    [DYNO_RECOMMENDATION_CLEAR] = "clear",
    [DYNO_RECOMMENDATION_TIE] = "tie",
    [DYNO_RECOMMENDATION_UNPROVEN] = "unproven",
    [DYNO_RECOMMENDATION_ALONE] = "alone",
    [DYNO_RECOMMENDATION_REFUSED] = "refused",
    [DYNO_RECOMMENDATION_NO_DATA] = "no-data",
    [DYNO_RECOMMENDATION_NO_SUCH_SIZE] = "no-such-size",
  };

  g_return_val_if_fail (state < DYNO_N_RECOMMENDATION_STATES, NULL);
  return names[state];
}

const char *
dyno_recommendation_state_get_label (DynoRecommendationState state)
{
  static const char *const labels[DYNO_N_RECOMMENDATION_STATES] = {
    [DYNO_RECOMMENDATION_CLEAR] = N_ ("shown to be best"),
    [DYNO_RECOMMENDATION_TIE] = N_ ("tie within the noise"),
    [DYNO_RECOMMENDATION_UNPROVEN] = N_ ("leads, not proven"),
    [DYNO_RECOMMENDATION_ALONE] = N_ ("the only one"),
    [DYNO_RECOMMENDATION_REFUSED] = N_ ("best guess"),
    [DYNO_RECOMMENDATION_NO_DATA] = N_ ("not measured"),
    [DYNO_RECOMMENDATION_NO_SUCH_SIZE] = N_ ("none in this size"),
  };

  g_return_val_if_fail (state < DYNO_N_RECOMMENDATION_STATES, NULL);
  return _ (labels[state]);
}

static char *
join_sentence (char *text, char *more)
{
  g_autofree char *first = text;
  g_autofree char *second = more;

  return g_strdup_printf ("%s %s", first, second);
}

char *
dyno_recommendation_dup_basis (const DynoRecommendation *self)
{
  guint n_others = self->other_runs->len;
  guint n_imported = self->imported_runs->len;
  g_autofree char *cases =
      g_strdup_printf (ngettext ("%u measured case", "%u measured cases", self->n_cases), self->n_cases);
  char *basis = g_strdup_printf (
      /* Translators: “148 measured cases”, and the number of their runs */
      ngettext ("From %s of one machine, in %u run.", "From %s of one machine, in %u runs.", self->runs->len),
      cases, self->runs->len);

  if (n_others > 0)
    basis =
        join_sentence (basis, g_strdup_printf (ngettext ("%u run of another machine is left out.",
                                                         "%u runs of other machines are left out.", n_others),
                                               n_others));
  if (n_imported > 0)
    basis = join_sentence (
        basis, g_strdup_printf (ngettext ("%u run that another tool measured is left out.",
                                          "%u runs that other tools measured are left out.", n_imported),
                                n_imported));
  return basis;
}

char *
dyno_recommendation_dup_noise (const DynoRecommendation *self)
{
  DynoObjective objective = dyno_goal_get_main (&self->goal);

  return self->comparisons->len > 0
             ? dyno_self_test_dup_sentence (dyno_run_get_self_test (self->runs->pdata[0]),
                                            dyno_objective_get_metric (objective))
             : NULL;
}

static char *
dup_equals (const DynoRecommendationCell *cell)
{
  GString *text = g_string_new (((DynoCandidate *)cell->candidates->pdata[0])->label);
  guint n_more = 0, n_shown = 1;

  for (guint i = 1; i < cell->candidates->len; i++)
    {
      const DynoCandidate *candidate = cell->candidates->pdata[i];

      if (!dyno_candidate_is_tied (candidate))
        continue;
      if (n_shown < MAX_EQUALS)
        g_string_append_printf (text, " = %s", candidate->label);
      else
        n_more++;
      n_shown++;
    }
  if (n_more > 0)
    /* Translators: at the end of a list of equals */
    g_string_append_printf (text, ngettext (" = %u more", " = %u more", n_more), n_more);
  return g_string_free (text, FALSE);
}

char *
dyno_recommendation_dup_answer (const DynoRecommendationCell *cell)
{
  switch (cell->state)
    {
    case DYNO_RECOMMENDATION_TIE:
      return dup_equals (cell);
    case DYNO_RECOMMENDATION_REFUSED:
      if (cell->guess == NULL)
        return g_strdup (_ ("none to recommend"));
      /* Translators: an engine or setting, and its value, such as “185 ms” */
      return g_strdup_printf (_ ("perhaps %s: %s"), cell->guess->label, cell->guess_value);
    case DYNO_RECOMMENDATION_NO_DATA:
      return g_strdup (_ ("not measured"));
    case DYNO_RECOMMENDATION_NO_SUCH_SIZE:
      return g_strdup (_ ("none in this size"));
    case DYNO_RECOMMENDATION_CLEAR:
    case DYNO_RECOMMENDATION_UNPROVEN:
    case DYNO_RECOMMENDATION_ALONE:
    default:
      return g_strdup (((DynoCandidate *)cell->candidates->pdata[0])->label);
    }
}

char *
dyno_recommendation_dup_margin (const DynoRecommendation *self, const DynoRecommendationCell *cell)
{
  const DynoCandidate *opponent;

  switch (cell->state)
    {
    case DYNO_RECOMMENDATION_ALONE:
      return g_strdup (cell->refused->len > 0 ? _ ("the only one that qualifies")
                                              : _ ("nothing to compare it with"));
    case DYNO_RECOMMENDATION_REFUSED:
      if (cell->guess != NULL)
        return g_strdup (cell->guess->reason);
      return cell->refused->len == 1
                 ? g_strdup (((DynoCandidate *)cell->refused->pdata[0])->reason)
                 : g_strdup_printf (
                       ngettext ("%u case does not qualify", "%u cases do not qualify", cell->refused->len),
                       cell->refused->len);
    case DYNO_RECOMMENDATION_NO_DATA:
    case DYNO_RECOMMENDATION_NO_SUCH_SIZE:
      return g_strdup ("");
    case DYNO_RECOMMENDATION_CLEAR:
    case DYNO_RECOMMENDATION_TIE:
    case DYNO_RECOMMENDATION_UNPROVEN:
    default:
      /* Names the widest tie. */
      opponent = cell->candidates->pdata[1];
      for (guint i = 1; cell->state == DYNO_RECOMMENDATION_TIE && i < cell->candidates->len; i++)
        if (dyno_candidate_is_tied (cell->candidates->pdata[i]))
          opponent = cell->candidates->pdata[i];
      return dyno_candidate_dup_margin (opponent, &self->goal);
    }
}

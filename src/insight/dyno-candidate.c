/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-insight-private.h"
#include "dyno-unit.h"

void
dyno_candidate_free (DynoCandidate *self)
{
  g_object_unref (self->run);
  g_object_unref (self->result);
  g_free (self->label);
  g_free (self->doubt);
  g_free (self->reason);
  g_free (self);
}

gboolean
dyno_candidate_is_tied (const DynoCandidate *self)
{
  return self->margin != NULL &&
         (self->margin->verdict == DYNO_VERDICT_SAME || self->margin->verdict == DYNO_VERDICT_WITHIN_NOISE);
}

/* Formats a ratio as a signed change in per cent. */
static char *
format_change (double ratio)
{
  double percent = 100 * (ratio - 1);
  g_autofree char *size = dyno_unit_format_percent (fabs (percent));

  return g_strdup_printf ("%s%s", percent < 0 ? "−" : "+", size);
}

static gboolean
has_interval (const DynoComparedCase *margin)
{
  return isfinite (margin->low) && isfinite (margin->high);
}

static char *
dup_change (const DynoCandidate *candidate)
{
  const DynoComparedCase *margin = candidate->margin;
  g_autofree char *change = format_change (margin->ratio);
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!has_interval (margin))
    /* Translators: a change in per cent, and the candidate that it is compared with */
    return g_strdup_printf (_ ("%s %% against %s"), change, candidate->label);
  low = format_change (margin->low);
  high = format_change (margin->high);
  /* Translators: a change in per cent, the candidate that it is compared with, and the interval of the
   * change */
  return g_strdup_printf (_ ("%s %% against %s (%s … %s)"), change, candidate->label, low, high);
}

char *
dyno_candidate_dup_margin (const DynoCandidate *self, const DynoGoal *goal)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  g_autofree char *change = NULL;

  g_return_val_if_fail (self->margin != NULL, NULL);

  if (dyno_candidate_is_tied (self))
    {
      g_autofree char *percent = NULL;

      if (!has_interval (self->margin))
        return g_strdup (_ ("tie within the noise"));
      percent =
          dyno_unit_format_percent (100 * fmax (fabs (self->margin->low - 1), fabs (self->margin->high - 1)));
      /* Translators: %s is a share in per cent */
      return g_strdup_printf (_ ("tie within %s %%"), percent);
    }
  change = dup_change (self);
  if (self->margin->verdict == DYNO_VERDICT_BETTER)
    return g_steal_pointer (&change);
  return g_strdup_printf ("%s, %s", change, dyno_verdict_get_label (self->margin->verdict, metric));
}

/* Numbered from 1. */
static guint
get_number (const DynoCandidate *self)
{
  GListModel *results = dyno_run_get_results (self->run);
  guint number = 1;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      number += dyno_result_get_ordinal (result) < dyno_result_get_ordinal (self->result);
    }
  return number;
}

char *
dyno_candidate_dup_evidence (const DynoCandidate *self)
{
  /* Translators: the number of a case, and the beginning of the id of its run */
  return g_strdup_printf (_ ("case %u of run %.8s"), get_number (self), dyno_run_get_id (self->run));
}

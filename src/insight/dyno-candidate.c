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

char *
dyno_candidate_dup_margin (const DynoCandidate *self, const DynoGoal *goal)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  const DynoComparedCase *margin = self->margin;
  g_autofree char *ratio = NULL;
  g_autofree char *change = NULL;

  g_return_val_if_fail (margin != NULL, NULL);

  if (dyno_candidate_is_tied (self))
    {
      g_autofree char *percent = NULL;

      if (!has_interval (margin))
        return g_strdup (_ ("tie within the noise"));
      percent = dyno_unit_format_percent (100 * fmax (fabs (margin->low - 1), fabs (margin->high - 1)));
      /* Translators: %s is a share in per cent */
      return g_strdup_printf (_ ("tie within %s %%"), percent);
    }
  ratio = format_change (margin->ratio);
  if (has_interval (margin))
    {
      g_autofree char *low = format_change (margin->low);
      g_autofree char *high = format_change (margin->high);

      /* Translators: a change in per cent, the candidate that it is compared with, and the interval of the
       * change */
      change = g_strdup_printf (_ ("%s %% against %s (%s … %s)"), ratio, self->label, low, high);
    }
  else
    /* Translators: a change in per cent, and the candidate that it is compared with */
    change = g_strdup_printf (_ ("%s %% against %s"), ratio, self->label);
  if (margin->verdict == DYNO_VERDICT_BETTER)
    return g_steal_pointer (&change);
  return g_strdup_printf ("%s, %s", change, dyno_verdict_get_label (margin->verdict, metric));
}

char *
dyno_candidate_dup_evidence (const DynoCandidate *self)
{
  GListModel *results = dyno_run_get_results (self->run);
  guint number = 1;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      number += dyno_result_get_ordinal (result) < dyno_result_get_ordinal (self->result);
    }
  /* Translators: the number of a case, and the beginning of the id of its run */
  return g_strdup_printf (_ ("case %u of run %.8s"), number, dyno_run_get_id (self->run));
}

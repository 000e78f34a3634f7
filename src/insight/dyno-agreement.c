/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-repetition.h"

static const struct
{
  const char *name;
  const char *label;
} words[DYNO_N_AGREEMENTS] = {
  [DYNO_AGREEMENT_AGREES] = { "agrees", N_ ("agrees within the interval") },
  [DYNO_AGREEMENT_DIFFERS] = { "differs", N_ ("differs") },
  [DYNO_AGREEMENT_UNKNOWN] = { "cannot-be-told", N_ ("cannot be told") },
};

const char *
dyno_agreement_to_string (DynoAgreement agreement)
{
  g_return_val_if_fail (agreement < DYNO_N_AGREEMENTS, NULL);
  return words[agreement].name;
}

const char *
dyno_agreement_get_label (DynoAgreement agreement)
{
  g_return_val_if_fail (agreement < DYNO_N_AGREEMENTS, NULL);
  return _ (words[agreement].label);
}

DynoAgreement
dyno_agreement_judge (const DynoComparedCase *kase)
{
  /* A machine cannot repeat a number more closely than its noise allows. */
  gboolean is_within_noise = isfinite (kase->noise_floor) && kase->low >= 1 / (1 + kase->noise_floor) &&
                             kase->high <= 1 + kase->noise_floor;

  switch (kase->verdict)
    {
    case DYNO_VERDICT_SAME:
      return DYNO_AGREEMENT_AGREES;
    case DYNO_VERDICT_BETTER:
    case DYNO_VERDICT_WORSE:
      return DYNO_AGREEMENT_DIFFERS;
    case DYNO_VERDICT_WITHIN_NOISE:
    case DYNO_VERDICT_NOT_ENOUGH_DATA:
      return is_within_noise ? DYNO_AGREEMENT_AGREES : DYNO_AGREEMENT_UNKNOWN;
    case DYNO_VERDICT_PROBABLY_BETTER:
    case DYNO_VERDICT_PROBABLY_WORSE:
    case DYNO_VERDICT_CONFOUNDED:
    default:
      return DYNO_AGREEMENT_UNKNOWN;
    }
}

DynoAgreement
dyno_agreement_judge_all (const DynoComparison *comparison, guint counts[DYNO_N_AGREEMENTS])
{
  for (guint i = 0; i < DYNO_N_AGREEMENTS; i++)
    counts[i] = 0;
  for (guint i = 0; i < comparison->cases->len; i++)
    counts[dyno_agreement_judge (comparison->cases->pdata[i])]++;
  counts[DYNO_AGREEMENT_UNKNOWN] += comparison->left_out->len;
  if (counts[DYNO_AGREEMENT_DIFFERS] > 0)
    return DYNO_AGREEMENT_DIFFERS;
  return counts[DYNO_AGREEMENT_UNKNOWN] > 0 || counts[DYNO_AGREEMENT_AGREES] == 0 ? DYNO_AGREEMENT_UNKNOWN
                                                                                  : DYNO_AGREEMENT_AGREES;
}

char *
dyno_agreement_dup_answer (const DynoComparison *comparison)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (4, g_free, TRUE);
  guint counts[DYNO_N_AGREEMENTS];
  guint n_agrees, n_differs, n_unknown;
  g_autofree char *list = NULL;

  dyno_agreement_judge_all (comparison, counts);
  n_agrees = counts[DYNO_AGREEMENT_AGREES];
  n_differs = counts[DYNO_AGREEMENT_DIFFERS];
  n_unknown = counts[DYNO_AGREEMENT_UNKNOWN];
  if (n_agrees > 0)
    g_ptr_array_add (clauses, g_strdup_printf (ngettext ("%u case agrees within its interval",
                                                         "%u cases agree within their intervals", n_agrees),
                                               n_agrees));
  if (n_differs > 0)
    g_ptr_array_add (clauses,
                     g_strdup_printf (ngettext ("%u case differs", "%u cases differ", n_differs), n_differs));
  if (n_unknown > 0)
    g_ptr_array_add (
        clauses, g_strdup_printf (ngettext ("%u case is open", "%u cases are open", n_unknown), n_unknown));
  if (clauses->len == 0)
    return g_strdup (_ ("No case was repeated."));
  list = g_strjoinv (", ", (char **)clauses->pdata);
  /* Translators: the outcome of a measurement that was repeated: “2 cases agree within their intervals, 1 case differs” */
  return g_strdup_printf (_ ("Repeated: %s."), list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-comparison.h"
#include "dyno-insight-private.h"
#include "dyno-metric.h"
#include "dyno-unit.h"

/* A headline has twelve words at most, of which so many are the title of a side. */
#define MOST_TITLE_WORDS 4

/* Returns the first words of a long title. */
static char *
shorten (const char *title)
{
  g_auto (GStrv) words = g_strsplit (title, " ", MOST_TITLE_WORDS + 1);
  g_autofree char *start = NULL;

  if (g_strv_length (words) <= MOST_TITLE_WORDS)
    return g_strdup (title);
  g_clear_pointer (&words[MOST_TITLE_WORDS], g_free);
  start = g_strjoinv (" ", words);
  /* Translators: the first words of a long title */
  return g_strdup_printf (_ ("%s…"), start);
}

/* Returns the verdict of that direction that at least one case has, the certain one first; DYNO_N_VERDICTS for none. */
static DynoVerdict
find_verdict (const DynoSideTally *side, DynoVerdict certain, DynoVerdict probable)
{
  if (side->of[certain]->len > 0)
    return certain;
  return side->of[probable]->len > 0 ? probable : DYNO_N_VERDICTS;
}

static DynoVerdict
find_better (const DynoSideTally *side)
{
  return find_verdict (side, DYNO_VERDICT_BETTER, DYNO_VERDICT_PROBABLY_BETTER);
}

static DynoVerdict
find_worse (const DynoSideTally *side)
{
  return find_verdict (side, DYNO_VERDICT_WORSE, DYNO_VERDICT_PROBABLY_WORSE);
}

/* A claim holds for the side as a whole if it does for most of its cases. */
static gboolean
holds_for_most (const DynoSideTally *side, DynoVerdict verdict)
{
  return 2 * side->of[verdict]->len > side->n;
}

static char *
dup_claim (const DynoSideTally *side, DynoVerdict verdict)
{
  const char *metric = side->comparison->metric;
  double ratio = dyno_side_tally_get_mean_ratio (side->of[verdict]);
  gboolean is_certain = verdict == DYNO_VERDICT_BETTER || verdict == DYNO_VERDICT_WORSE;
  gboolean is_better = verdict == DYNO_VERDICT_BETTER || verdict == DYNO_VERDICT_PROBABLY_BETTER;
  g_autofree char *title = shorten (side->title);
  g_autofree char *factor = dyno_side_tally_dup_factor (ratio);
  g_autofree char *name = dyno_metric_title_dup (metric);

  if (!dyno_verdict_is_of_speed (metric) && is_certain)
    /* Translators: “After the update: peak memory 20 % lower” */
    return ratio < 1 ? g_strdup_printf (_ ("%s: %s %s lower"), title, name, factor)
                     : g_strdup_printf (_ ("%s: %s %s higher"), title, name, factor);
  if (!dyno_verdict_is_of_speed (metric))
    /* Translators: “After the update: peak memory probably 20 % lower” */
    return ratio < 1 ? g_strdup_printf (_ ("%s: %s probably %s lower"), title, name, factor)
                     : g_strdup_printf (_ ("%s: %s probably %s higher"), title, name, factor);
  if (is_certain)
    /* Translators: “After the update is 12 % faster” */
    return is_better ? g_strdup_printf (_ ("%s is %s faster"), title, factor)
                     : g_strdup_printf (_ ("%s is %s slower"), title, factor);
  return is_better ? g_strdup_printf (_ ("%s is probably %s faster"), title, factor)
                   : g_strdup_printf (_ ("%s is probably %s slower"), title, factor);
}

static char *
dup_headline_of_pair (const DynoSideTally *side)
{
  const char *metric = side->comparison->metric;
  DynoVerdict better = find_better (side), worse = find_worse (side);
  DynoVerdict only = MIN (better, worse);
  guint n_same = side->of[DYNO_VERDICT_SAME]->len;
  g_autofree char *threshold = dyno_unit_format_significant (side->comparison->threshold * 100);
  g_autofree char *title = shorten (side->title);

  if (better != DYNO_N_VERDICTS && worse != DYNO_N_VERDICTS)
    return g_strdup_printf (
        /* Translators: a side, a number of cases and their verdict, and another such: “After: 3 cases faster, 2 slower” */
        ngettext ("%s: %u case %s, %u %s", "%s: %u cases %s, %u %s", side->of[better]->len), title,
        side->of[better]->len, dyno_verdict_get_label (better, metric), side->of[worse]->len,
        dyno_verdict_get_label (worse, metric));
  if (only != DYNO_N_VERDICTS && holds_for_most (side, only))
    return dup_claim (side, only);
  if (only == DYNO_N_VERDICTS && n_same == side->n)
    return g_strdup_printf (_ ("Both sides are the same within %s %%"), threshold);
  if (only == DYNO_N_VERDICTS && n_same + side->of[DYNO_VERDICT_WITHIN_NOISE]->len == side->n)
    return g_strdup (_ ("No difference beyond the noise of this machine"));
  if (only == DYNO_N_VERDICTS)
    return g_strdup (side->of[DYNO_VERDICT_CONFOUNDED]->len == side->n
                         ? _ ("No verdict: the conditions differ too")
                         : _ ("No difference shown"));
  return g_strdup_printf (
      /* Translators: a side, some of all cases, and their verdict: “After: 1 of 10 cases faster” */
      ngettext ("%s: %u of %u case %s", "%s: %u of %u cases %s", side->n), title, side->of[only]->len,
      side->n, dyno_verdict_get_label (only, metric));
}

char *
dyno_comparison_dup_headline (const DynoComparison *self)
{
  g_auto (DynoSideTally) first = { NULL };
  g_autofree char *baseline = NULL;
  const char *better, *worse;
  guint n, n_better = 0, n_worse = 0;

  g_return_val_if_fail (self != NULL, NULL);

  dyno_side_tally_init (&first, self, self->baseline == 0 ? 1 : 0);
  if (self->cases->len == 0)
    return g_strdup (_ ("No case can be compared"));
  if (self->sides->len == 2)
    return dup_headline_of_pair (&first);
  /* Counts the sides that are certainly better, or certainly worse, in some case and not the other in any. */
  for (guint i = 0; i < self->sides->len; i++)
    {
      g_auto (DynoSideTally) side = { NULL };

      dyno_side_tally_init (&side, self, i);
      n_better += find_better (&side) == DYNO_VERDICT_BETTER && find_worse (&side) == DYNO_N_VERDICTS;
      n_worse += find_worse (&side) == DYNO_VERDICT_WORSE && find_better (&side) == DYNO_N_VERDICTS;
    }
  n = self->sides->len - 1;
  baseline = shorten (dyno_comparison_get_side_title (self, self->baseline));
  better = dyno_verdict_get_label (DYNO_VERDICT_BETTER, self->metric);
  worse = dyno_verdict_get_label (DYNO_VERDICT_WORSE, self->metric);
  if (n_better > 0 && n_worse > 0)
    /* Translators: “2 of 3 are faster than CPU, 1 slower” */
    return g_strdup_printf (_ ("%u of %u are %s than %s, %u %s"), n_better, n, better, baseline, n_worse,
                            worse);
  if (n_better + n_worse > 0)
    return g_strdup_printf (
        /* Translators: “2 of 3 are faster than CPU” */
        ngettext ("%u of %u is %s than %s", "%u of %u are %s than %s", n_better + n_worse),
        n_better + n_worse, n, n_better > 0 ? better : worse, baseline);
  /* Translators: %s is the baseline of a comparison */
  return g_strdup_printf (_ ("No difference to %s is certain"), baseline);
}

/* Counts the open cases; where there are none, says that no case contradicts the claim. */
static void
add_rest (GPtrArray *clauses, const DynoSideTally *side, guint n_told, DynoVerdict other)
{
  guint n_settled = side->of[DYNO_VERDICT_SAME]->len + side->of[DYNO_VERDICT_WITHIN_NOISE]->len;
  guint n_open = side->n - n_told - n_settled;
  const char *label =
      other != DYNO_N_VERDICTS ? dyno_verdict_get_label (other, side->comparison->metric) : NULL;

  if (n_open > 0)
    g_ptr_array_add (clauses,
                     g_strdup_printf (ngettext ("%u not certain", "%u not certain", n_open), n_open));
  else if (n_settled > 0 && label != NULL)
    /* Translators: %s is a verdict: “none slower” */
    g_ptr_array_add (clauses, g_strdup_printf (_ ("none %s"), label));
}

static char *
dup_all (const DynoSideTally *side)
{
  return side->n == 1 ? g_strdup (_ ("one case"))
                      : g_strdup_printf (ngettext ("all %u case", "all %u cases", side->n), side->n);
}

/* The range of a claim, and the cases in which it holds. */
static char *
dup_summary_of_claim (const DynoSideTally *side, DynoVerdict verdict)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (2, g_free, TRUE);
  GPtrArray *cases = side->of[verdict];
  g_autofree char *range = dyno_side_tally_dup_range (cases);
  g_autofree char *factor = dyno_side_tally_dup_factor (dyno_side_tally_get_mean_ratio (cases));
  g_autofree char *counts = NULL;
  DynoVerdict other = find_better (side) == verdict ? DYNO_VERDICT_WORSE : DYNO_VERDICT_BETTER;
  g_autofree char *first = NULL;

  /* Where a claim holds for few cases, the headline counts them and names only the verdict. */
  if (!holds_for_most (side, verdict))
    /* Translators: a verdict and a range: “slower: 3 to 5 %” */
    first = g_strdup_printf (_ ("%s: %s"), dyno_verdict_get_label (verdict, side->comparison->metric),
                             range != NULL ? range : factor);
  else
    {
      first = g_steal_pointer (&range);
      g_ptr_array_add (clauses, cases->len == side->n
                                    ? dup_all (side)
                                    : g_strdup_printf (ngettext ("%u of %u case", "%u of %u cases", side->n),
                                                       cases->len, side->n));
    }
  add_rest (clauses, side, cases->len, other);
  counts = g_strjoinv (", ", (char **)clauses->pdata);
  if (first == NULL || *counts == '\0')
    return first != NULL ? g_steal_pointer (&first) : g_steal_pointer (&counts);
  /* Translators: a range, and the cases: “9 to 15 %; 8 of 10 cases, none slower” */
  return g_strdup_printf (_ ("%s; %s"), first, counts);
}

/* Each direction with its range. */
static char *
dup_summary_of_mixed (const DynoSideTally *side)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (5, g_free, TRUE);
  guint n_told = 0;

  for (DynoVerdict verdict = 0; dyno_verdict_has_direction (verdict); verdict++)
    {
      GPtrArray *cases = side->of[verdict];
      g_autofree char *range = cases->len > 0 ? dyno_side_tally_dup_range (cases) : NULL;
      const char *label = dyno_verdict_get_label (verdict, side->comparison->metric);

      n_told += cases->len;
      if (cases->len > 0 && range == NULL)
        range = dyno_side_tally_dup_factor (dyno_side_tally_get_mean_ratio (cases));
      if (range != NULL)
        /* Translators: a verdict and a range: “slower: 3 to 5 %” */
        g_ptr_array_add (clauses, g_strdup_printf (_ ("%s: %s"), label, range));
    }
  add_rest (clauses, side, n_told, DYNO_N_VERDICTS);
  return g_strjoinv ("; ", (char **)clauses->pdata);
}

char *
dyno_comparison_dup_summary (const DynoComparison *self)
{
  g_auto (DynoSideTally) side = { NULL };
  DynoVerdict better, worse;
  guint n_same;

  g_return_val_if_fail (self != NULL, NULL);

  dyno_side_tally_init (&side, self, self->baseline == 0 ? 1 : 0);
  if (self->sides->len > 2 || self->cases->len == 0)
    return dyno_comparison_dup_answer (self);
  better = find_better (&side);
  worse = find_worse (&side);
  if (better != DYNO_N_VERDICTS && worse != DYNO_N_VERDICTS)
    return dup_summary_of_mixed (&side);
  if (MIN (better, worse) != DYNO_N_VERDICTS)
    return dup_summary_of_claim (&side, MIN (better, worse));
  if (side.of[DYNO_VERDICT_NOT_ENOUGH_DATA]->len == side.n)
    return dyno_side_tally_dup_look (&side);
  for (DynoVerdict verdict = DYNO_VERDICT_WITHIN_NOISE; verdict < DYNO_N_VERDICTS; verdict++)
    if (side.of[verdict]->len == side.n)
      return g_strdup (dyno_side_tally_get_common_reason (side.of[verdict]));
  n_same = side.of[DYNO_VERDICT_SAME]->len;
  if (n_same == side.n)
    return dup_all (&side);
  /* Translators: numbers of cases */
  return g_strdup_printf (_ ("%u of %u cases the same, %u not certain"), n_same, side.n, side.n - n_same);
}

char *
dyno_comparison_dup_case_words (const DynoComparison *self, const DynoComparedCase *kase)
{
  g_autofree char *factor = dyno_side_tally_dup_factor (kase->ratio);
  gboolean is_certain = kase->verdict == DYNO_VERDICT_BETTER || kase->verdict == DYNO_VERDICT_WORSE;

  if (!is_certain)
    return g_strdup (dyno_verdict_get_label (kase->verdict, self->metric));
  if (!dyno_verdict_is_of_speed (self->metric))
    return kase->ratio < 1 ? g_strdup_printf (_ ("%s lower"), factor)
                           : g_strdup_printf (_ ("%s higher"), factor);
  return kase->verdict == DYNO_VERDICT_BETTER ? g_strdup_printf (_ ("%s faster"), factor)
                                              : g_strdup_printf (_ ("%s slower"), factor);
}

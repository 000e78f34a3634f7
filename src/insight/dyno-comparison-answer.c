/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-case-check.h"
#include "dyno-comparison-builder.h"
#include "dyno-comparison-differences.h"
#include "dyno-insight-private.h"
#include "dyno-metric.h"
#include "dyno-result-samples.h"
#include "dyno-self-test-plan.h"
#include "dyno-unit.h"

/* More cases than these are counted instead of named. */
#define MAX_NAMED 2

/* “openvino is 1.9 times faster than cpu”, without the end of the sentence. */
static char *
dup_claim (const DynoSideTally *side, DynoVerdict verdict)
{
  const char *metric = side->comparison->metric;
  double ratio = dyno_side_tally_get_mean_ratio (side->of[verdict]);
  gboolean is_certain = verdict == DYNO_VERDICT_BETTER || verdict == DYNO_VERDICT_WORSE;
  gboolean is_faster = verdict == DYNO_VERDICT_BETTER || verdict == DYNO_VERDICT_PROBABLY_BETTER;
  g_autofree char *factor = dyno_side_tally_dup_factor (ratio);
  g_autofree char *title = dyno_metric_title_dup (metric);

  if (!dyno_verdict_is_of_speed (metric) && is_certain)
    return ratio < 1
               /* Translators: “peak memory: openvino is 20 % below cpu” */
               ? g_strdup_printf (_ ("%s: %s is %s below %s"), title, side->title, factor, side->baseline)
               : g_strdup_printf (_ ("%s: %s is %s above %s"), title, side->title, factor, side->baseline);
  if (!dyno_verdict_is_of_speed (metric))
    return ratio < 1
               /* Translators: “peak memory: openvino is probably 20 % below cpu” */
               ? g_strdup_printf (_ ("%s: %s is probably %s below %s"), title, side->title, factor,
                                  side->baseline)
               : g_strdup_printf (_ ("%s: %s is probably %s above %s"), title, side->title, factor,
                                  side->baseline);
  if (is_certain)
    return is_faster
               /* Translators: “openvino is 1.9 times faster than cpu” or “openvino is 3 % faster than cpu” */
               ? g_strdup_printf (_ ("%s is %s faster than %s"), side->title, factor, side->baseline)
               : g_strdup_printf (_ ("%s is %s slower than %s"), side->title, factor, side->baseline);
  return is_faster
             /* Translators: “openvino is probably 1.9 times faster than cpu” */
             ? g_strdup_printf (_ ("%s is probably %s faster than %s"), side->title, factor, side->baseline)
             : g_strdup_printf (_ ("%s is probably %s slower than %s"), side->title, factor, side->baseline);
}

static void
add_claim (GPtrArray *clauses, const DynoSideTally *side, DynoVerdict verdict)
{
  guint n = side->of[verdict]->len;
  g_autofree char *claim = n > 0 ? dup_claim (side, verdict) : NULL;
  g_autofree char *range = n > 0 ? dyno_side_tally_dup_range (side->of[verdict]) : NULL;

  if (n == 0)
    return;
  if (side->n == 1)
    g_ptr_array_add (clauses, range != NULL ? g_strdup_printf ("%s (%s)", claim, range) : g_strdup (claim));
  else if (range == NULL)
    g_ptr_array_add (
        clauses,
        g_strdup_printf (
            /* Translators: a claim, the number of cases in which it holds, and the number of all cases */
            ngettext ("%s in %u of %u case", "%s in %u of %u cases", side->n), claim, n, side->n));
  else
    g_ptr_array_add (
        clauses,
        g_strdup_printf (
            /* Translators: a claim, the number of cases in which it holds, the number of all cases, and the range of factors */
            ngettext ("%s in %u of %u case (%s)", "%s in %u of %u cases (%s)", side->n), claim, n, side->n,
            range));
}

/* Sides without a verdict that share one sentence. */
typedef struct
{
  gboolean has_cases;
  const char *reason; /* NULL: each has its own, which is with its cases */
  const char *baseline;
  char *look; /* of the first of them */
  GPtrArray *titles;
} Undecided;

static void
undecided_free (gpointer data)
{
  Undecided *undecided = data;

  g_ptr_array_unref (undecided->titles);
  g_free (undecided->look);
  g_free (undecided);
}

/* Returns one sentence for all of them, and any further remark. */
static char *
dup_undecided (const Undecided *undecided)
{
  guint n = undecided->titles->len - 1;
  g_autofree char *titles =
      n > MAX_NAMED
          /* Translators: the number of runs or settings, beside the one that they are compared with */
          ? g_strdup_printf (ngettext ("%u other", "%u others", n), n)
          : g_strjoinv (", ", (char **)undecided->titles->pdata);
  g_autofree char *sentence = NULL;

  if (!undecided->has_cases && g_strcmp0 (undecided->reason, "") == 0)
    return n == 1
               ? g_strdup_printf (_ ("%s and %s have no case to compare: none was measured on both with the "
                                     "same model and sizes. Measure such a case."),
                                  titles, undecided->baseline)
               : g_strdup_printf (
                     /* Translators: several runs or settings (“A, B” or “8 others”), and the one they are compared with */
                     _ ("Nothing can be compared of %s: none of their cases was measured with the "
                        "same model and sizes as one of %s. Measure such cases."),
                     titles, undecided->baseline);
  if (!undecided->has_cases)
    sentence =
        g_strdup_printf (_ ("No case of %s has a number to compare with %s."), titles, undecided->baseline);
  else if (n == 1)
    sentence = g_strdup (undecided->look);
  else
    /* Translators: several runs or settings (“A, B” or “8 others”), and the one they are compared with */
    sentence = g_strdup_printf (_ ("No difference is shown of %s to %s."), titles, undecided->baseline);
  return undecided->reason != NULL && *undecided->reason != '\0'
             ? g_strdup_printf ("%s %s", sentence, undecided->reason)
             : g_steal_pointer (&sentence);
}

static void
add_undecided (GPtrArray *list, const DynoSideTally *side)
{
  gboolean has_cases = side->n > 0;
  const char *reason = has_cases ? dyno_side_tally_get_common_reason (side->of[DYNO_VERDICT_NOT_ENOUGH_DATA])
                                 : dyno_side_tally_get_reason_of_shared (side);
  Undecided *undecided = NULL;

  for (guint i = 0; i < list->len && undecided == NULL; i++)
    {
      Undecided *known = list->pdata[i];

      if (known->has_cases != has_cases)
        continue;
      if (g_strcmp0 (known->reason, reason) == 0)
        undecided = known;
      else if (!has_cases && *reason != '\0' && g_strcmp0 (known->reason, "") != 0)
        {
          undecided = known;
          known->reason = NULL;
        }
    }
  if (undecided == NULL)
    {
      undecided = g_new (Undecided, 1);
      *undecided = (Undecided){ has_cases, reason, side->baseline,
                                has_cases ? dyno_side_tally_dup_look (side) : NULL, g_ptr_array_new () };
      g_ptr_array_add (undecided->titles, NULL);
      g_ptr_array_add (list, undecided);
    }
  g_ptr_array_insert (undecided->titles, (int)undecided->titles->len - 1, (gpointer)side->title);
}

/* Returns one sentence for both sides, and any further remark. */
static char *
dup_uniform (const DynoSideTally *side, DynoVerdict verdict)
{
  g_autofree char *threshold = dyno_unit_format_significant (side->comparison->threshold * 100);
  g_autofree char *sentence = NULL;
  const char *reason =
      verdict == DYNO_VERDICT_CONFOUNDED ? dyno_side_tally_get_common_reason (side->of[verdict]) : "";

  if (verdict == DYNO_VERDICT_SAME)
    sentence = g_strdup_printf (ngettext ("%s and %s are the same within %s %%.",
                                          "%s and %s are the same within %s %% in all cases.", side->n),
                                side->title, side->baseline, threshold);
  else if (verdict == DYNO_VERDICT_WITHIN_NOISE)
    sentence = g_strdup_printf (_ ("%s and %s differ by less than the noise of this machine."), side->title,
                                side->baseline);
  else
    sentence =
        g_strdup_printf (_ ("%s and %s also differ in other things that could explain the difference."),
                         side->title, side->baseline);
  return *reason != '\0' ? g_strdup_printf ("%s %s", sentence, reason) : g_steal_pointer (&sentence);
}

static char *
dup_sentence (const DynoSideTally *side)
{
  for (DynoVerdict verdict = DYNO_VERDICT_SAME; verdict < DYNO_N_VERDICTS; verdict++)
    if (side->of[verdict]->len == side->n)
      return dup_uniform (side, verdict);

  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (4, g_free, TRUE);
  g_autofree char *joined = NULL;

  for (DynoVerdict verdict = 0; dyno_verdict_has_direction (verdict); verdict++)
    add_claim (clauses, side, verdict);
  /* Both have the same words. */
  g_ptr_array_extend_and_steal (side->of[DYNO_VERDICT_NOT_ENOUGH_DATA],
                                g_ptr_array_copy (side->of[DYNO_VERDICT_WITHIN_NOISE], NULL, NULL));
  g_ptr_array_set_size (side->of[DYNO_VERDICT_WITHIN_NOISE], 0);
  for (DynoVerdict verdict = DYNO_VERDICT_SAME; verdict < DYNO_N_VERDICTS; verdict++)
    {
      GPtrArray *cases = side->of[verdict];
      g_autofree char *threshold = dyno_unit_format_significant (side->comparison->threshold * 100);
      g_autofree char *words = verdict == DYNO_VERDICT_SAME
                                   ? g_strdup_printf (_ ("the same within %s %%"), threshold)
                                   : g_strdup (dyno_verdict_get_label (verdict, side->comparison->metric));

      for (guint i = 0; cases->len <= MAX_NAMED && i < cases->len; i++)
        g_ptr_array_add (clauses, g_strdup_printf (
                                      /* Translators: a case, and its verdict */
                                      _ ("%s: %s"), ((DynoComparedCase *)cases->pdata[i])->label, words));
      if (cases->len > MAX_NAMED)
        g_ptr_array_add (
            clauses,
            /* Translators: a number of cases, and their verdict */
            g_strdup_printf (ngettext ("%u case: %s", "%u cases: %s", cases->len), cases->len, words));
    }
  joined = g_strjoinv ("; ", (char **)clauses->pdata);
  return g_strdup_printf ("%s.", joined);
}

char *
dyno_comparison_dup_answer (const DynoComparison *self)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_null_terminated (2, g_free, TRUE);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (undecided_free);

  for (guint i = 0; i < self->sides->len; i++)
    {
      g_auto (DynoSideTally) side = { NULL };

      dyno_side_tally_init (&side, self, i);
      if (i == self->baseline)
        continue;
      /* No case of the side has a verdict. */
      if (side.of[DYNO_VERDICT_NOT_ENOUGH_DATA]->len == side.n)
        add_undecided (list, &side);
      else
        g_ptr_array_add (sentences, dup_sentence (&side));
    }
  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (sentences, dup_undecided (list->pdata[i]));
  return g_strjoinv (" ", (char **)sentences->pdata);
}

static gboolean
has_other_run (const DynoComparison *self, gboolean of_other_machine)
{
  DynoRun *baseline = ((DynoComparisonSide *)self->sides->pdata[self->baseline])->run;

  for (guint i = 0; i < self->sides->len; i++)
    {
      DynoRun *run = ((DynoComparisonSide *)self->sides->pdata[i])->run;

      if (run != baseline && (!of_other_machine || !dyno_comparison_differences_same_machine (baseline, run)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
took_turns (const DynoComparedCase *kase)
{
  return dyno_round_ratios_exist (kase->baseline, kase->result);
}

/* The file of another tool does not say in which order the cases were measured. */
static char *
dup_remark_of_run (const DynoComparison *self)
{
  DynoRun *run = ((DynoComparisonSide *)self->sides->pdata[self->baseline])->run;
  g_autofree char *tool = dyno_run_dup_tool (run);
  const char *obstacle = NULL, *title = NULL;
  gboolean has_turns = FALSE, has_blocks = FALSE, is_apart = FALSE;

  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoComparedCase *kase = self->cases->pdata[i];

      has_turns = has_turns || took_turns (kase);
      has_blocks = has_blocks || kase->n > 1;
      is_apart = is_apart || !kase->in_blocks;
      /* The message says why sides that were to take turns did not. */
      if (obstacle == NULL)
        {
          obstacle = dyno_result_find_message (kase->result, DYNO_SIDE_GROUP_CODE);
          title = dyno_comparison_get_side_title (self, kase->side);
        }
      if (obstacle == NULL)
        {
          obstacle = dyno_result_find_message (kase->baseline, DYNO_SIDE_GROUP_CODE);
          title = dyno_comparison_get_side_title (self, self->baseline);
        }
    }
  if (dyno_run_get_origin (run) != NULL)
    return g_strdup_printf (
        /* Translators: %s is a tool and its version */
        _ ("The cases are of one file of %s; in which order they were measured is not known."), tool);
  if (has_turns)
    {
      const char *words = dyno_round_ratios_find_series (self->metric) != NULL
                              ? _ ("Measured in turns: each ratio is that of two turns in the same round.")
                              : _ ("Measured in turns, but this value is compared process by process.");

      return obstacle != NULL ? g_strdup_printf ("%s %s: %s", words, title, obstacle) : g_strdup (words);
    }
  if (obstacle != NULL)
    return g_strdup (obstacle);
  if (is_apart)
    return g_strdup (
        _ ("Measured in one run, but some cases before the others: drift between them is not excluded."));
  return g_strdup (has_blocks
                       ? _ ("Measured in one run, in shuffled order: the ratios are those within its blocks.")
                       : _ ("Measured in one run, in shuffled order."));
}

char *
dyno_comparison_dup_remark (const DynoComparison *self)
{
  g_autofree char *remark = NULL;
  guint n_over_all = 0;

  if (has_other_run (self, TRUE))
    remark = g_strdup (_ ("The machines differ: the ratios are of machines and software together."));
  else if (has_other_run (self, FALSE))
    remark = g_strdup (dyno_comparison_fits_one_run (self)
                           ? _ ("The runs were measured at different times, so they could not take turns: "
                                "drift between them "
                                "is not excluded. Measure them side by side to exclude it.")
                           : _ ("The runs were measured at different times, so they could not take turns: "
                                "drift between them "
                                "is not excluded."));
  else
    remark = self->cases->len > 0 ? dup_remark_of_run (self) : g_strdup (_ ("No case has a partner."));
  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoComparedCase *kase = self->cases->pdata[i];
      DynoRun *before = ((DynoComparisonSide *)self->sides->pdata[self->baseline])->run;
      DynoRun *after = ((DynoComparisonSide *)self->sides->pdata[kase->side])->run;

      /* Two files without a model's name were taken as measurements of one model. */
      if (before != after && dyno_result_find_message (kase->result, DYNO_ORIGIN_UNNAMED_CODE) != NULL)
        return g_strjoin (
            " ", remark,
            _ ("The files do not name the model, so cases were matched by the names of the files: "
               "make sure that these are of the same model."),
            NULL);
      n_over_all += kase->n_rounds == 0 &&
                    dyno_result_is_undisturbed (kase->baseline) != dyno_result_is_undisturbed (kase->result);
    }
  if (n_over_all == 0 || dyno_result_get_percentile (self->metric) != 50)
    return g_steal_pointer (&remark);
  return g_strjoin (
      " ", remark,
      ngettext ("In one case only one side has an undisturbed median, so the medians over all "
                "the time are compared.",
                "In some cases only one side has an undisturbed median, so the medians over all "
                "the time are compared.",
                n_over_all),
      NULL);
}

char *
dyno_comparison_dup_noise (const DynoComparison *self)
{
  DynoRun *baseline = ((DynoComparisonSide *)self->sides->pdata[self->baseline])->run;

  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoComparedCase *kase = self->cases->pdata[i];
      DynoRun *run = ((DynoComparisonSide *)self->sides->pdata[kase->side])->run;

      /* The noise floor of one machine does not apply to a case that was measured on two, or in turns. */
      if (!took_turns (kase) &&
          (isfinite (kase->noise_floor) || dyno_comparison_differences_same_machine (baseline, run)))
        return dyno_self_test_dup_sentence (dyno_run_get_self_test (baseline), self->metric);
    }
  return NULL;
}

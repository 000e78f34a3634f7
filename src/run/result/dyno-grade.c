/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-grade.h"
#include "dyno-latency-interval.h"

static const char *const names[DYNO_N_GRADES] = {
  [DYNO_GRADE_GOOD] = "good",
  [DYNO_GRADE_FAIR] = "fair",
  [DYNO_GRADE_ROUGH] = "rough",
};

const char *
dyno_grade_to_string (DynoGrade grade)
{
  g_return_val_if_fail (grade < DYNO_N_GRADES, NULL);
  return names[grade];
}

const char *
dyno_grade_get_label (DynoGrade grade)
{
  static const char *const labels[DYNO_N_GRADES] = {
    [DYNO_GRADE_GOOD] =
        /* Translators: how precise a number is: within 2 %, within 10 %, or not even that */
    N_ ("Good"),
    [DYNO_GRADE_FAIR] = N_ ("Fair"),
    [DYNO_GRADE_ROUGH] = N_ ("Rough"),
  };

  g_return_val_if_fail (grade < DYNO_N_GRADES, NULL);
  return labels[grade] != NULL ? _ (labels[grade]) : NULL;
}

double
dyno_result_get_reach (DynoResult *result)
{
  double median = dyno_result_get_number (result, "latency_p50_ms");
  double low = dyno_result_get_number (result, "latency_median_low_ms");
  double high = dyno_result_get_number (result, "latency_median_high_ms");

  if (!(median > 0) || !isfinite (low) || !isfinite (high))
    return NAN;
  return fmax (fmax (median - low, high - median), 0) / median;
}

DynoGrade
dyno_result_get_grade (DynoResult *result)
{
  double reach = dyno_result_get_reach (result);

  if (isnan (reach) || !dyno_case_state_has_numbers (dyno_result_get_state (result)))
    return DYNO_GRADE_NONE;
  if (reach > DYNO_GRADE_MOST_FAIR)
    return DYNO_GRADE_ROUGH;
  switch (dyno_latency_interval_get_kind (result))
    {
    case DYNO_INTERVAL_WITHIN_PROCESS:
      return DYNO_GRADE_NONE;
    case DYNO_INTERVAL_RANGE:
      return DYNO_GRADE_FAIR;
    case DYNO_INTERVAL_BETWEEN_PROCESSES:
    default:
      return reach > DYNO_GRADE_MOST_GOOD ? DYNO_GRADE_FAIR : DYNO_GRADE_GOOD;
    }
}

const char *
dyno_result_get_status_label (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);
  DynoGrade grade = state == DYNO_CASE_STATE_MEASURED ? dyno_result_get_grade (result) : DYNO_GRADE_NONE;

  return grade != DYNO_GRADE_NONE ? dyno_grade_get_label (grade) : dyno_case_state_get_label (state);
}

static char *
dup_count (DynoGrade grade, guint n)
{
  switch (grade)
    {
    case DYNO_GRADE_GOOD:
      return g_strdup_printf (ngettext ("%u good", "%u good", n), n);
    case DYNO_GRADE_FAIR:
      return g_strdup_printf (ngettext ("%u fair", "%u fair", n), n);
    case DYNO_GRADE_ROUGH:
    case DYNO_GRADE_NONE:
    default:
      return g_strdup_printf (ngettext ("%u rough", "%u rough", n), n);
    }
}

char *
dyno_run_dup_outcome (DynoRun *run)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_null_terminated (DYNO_N_GRADES + 1, g_free, TRUE);
  guint n[DYNO_N_GRADES] = { 0 };
  DynoCaseCounts counts = { 0 };
  GListModel *results;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  results = dyno_run_get_results (run);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_get_state (result) == DYNO_CASE_STATE_MEASURED)
        n[dyno_result_get_grade (result)]++;
    }
  for (DynoGrade grade = DYNO_GRADE_GOOD; grade < DYNO_N_GRADES; grade++)
    if (n[grade] > 0)
      g_ptr_array_add (parts, dup_count (grade, n[grade]));
  dyno_run_count_cases (run, &counts);
  counts.of[DYNO_CASE_STATE_MEASURED] = MIN (counts.of[DYNO_CASE_STATE_MEASURED], n[DYNO_GRADE_NONE]);
  g_ptr_array_add (parts, dyno_case_counts_dup_text (&counts));
  if (*(char *)parts->pdata[parts->len - 1] == '\0')
    g_ptr_array_remove_index (parts, parts->len - 1);
  return g_strjoinv (" · ", (char **)parts->pdata);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-grade.h"
#include "dyno-result-samples.h"
#include "dyno-run.h"

/* Long enough for what comes and goes, short enough to sit and wait for. */
#define MOST_WAIT_SECONDS 120

typedef gboolean (*Choice) (DynoResult *result);

gboolean
dyno_remaining_plan_is_over (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);

  return (dyno_case_state_has_numbers (state) && dyno_result_is_complete (result)) ||
         state == DYNO_CASE_STATE_FAILED || state == DYNO_CASE_STATE_SKIPPED;
}

static gboolean
is_in_doubt (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);

  return state == DYNO_CASE_STATE_DOUBTFUL || state == DYNO_CASE_STATE_UNSTEADY ||
         dyno_result_get_grade (result) == DYNO_GRADE_ROUGH;
}

static GHashTable *
collect_ordinals (DynoRun *run, Choice choice)
{
  GListModel *results = dyno_run_get_results (run);
  GHashTable *ordinals = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (choice (result))
        g_hash_table_add (ordinals, GUINT_TO_POINTER (dyno_result_get_ordinal (result)));
    }
  return ordinals;
}

static DynoPlan *
narrow_plan (DynoRun *run, Choice choice, gboolean chosen, const char *none, GError **error)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_auto (GStrv) cases = NULL;

  if (dyno_run_get_plan (run) == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                           _ ("The run was stored without its plan, so a part of it cannot be run again."));
      return NULL;
    }
  plan = dyno_plan_new_from_json (dyno_run_get_plan (run), error);
  if (plan == NULL)
    return NULL;

  /* The chosen cases, or all others. The plan may itself be a part of another one. */
  g_autoptr (GHashTable) ordinals = collect_ordinals (run, choice);
  g_autoptr (GStrvBuilder) numbers = g_strv_builder_new ();
  const char *const *asked = dyno_plan_get_cases (plan);
  guint n_cases = *asked != NULL ? g_strv_length ((char **)asked) : dyno_run_get_n_cases (run);

  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree char *number = *asked != NULL ? g_strdup (asked[i]) : g_strdup_printf ("%u", i + 1);

      if (g_hash_table_contains (ordinals, GUINT_TO_POINTER (i)) == chosen)
        g_strv_builder_add (numbers, number);
    }
  cases = g_strv_builder_end (numbers);
  if (*cases == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, none);
      return NULL;
    }
  g_object_set (plan, "cases", cases, NULL);
  return g_steal_pointer (&plan);
}

DynoPlan *
dyno_remaining_plan_new (DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  if (dyno_run_is_running (run))
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("This run is being measured by another process. Wait until it ends, or stop it there."));
      return NULL;
    }
  return narrow_plan (run, dyno_remaining_plan_is_over, FALSE, _ ("This run has no remaining cases."), error);
}

DynoPlan *
dyno_remaining_plan_new_in_doubt (DynoRun *run, GError **error)
{
  DynoPlan *plan;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  plan =
      narrow_plan (run, is_in_doubt, TRUE, _ ("No case of this run is doubtful, unsteady or rough."), error);
  if (plan != NULL)
    g_object_set (dyno_plan_get_method (plan), "wait-quiet",
                  fmax (dyno_method_get_wait_quiet (dyno_plan_get_method (plan)), MOST_WAIT_SECONDS), NULL);
  return plan;
}

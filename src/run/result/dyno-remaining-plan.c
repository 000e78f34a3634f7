/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-remaining-plan.h"

/* A case that failed or was skipped is over: it would end in the same way again. */
static gboolean
is_over (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);

  return dyno_case_state_has_numbers (state) || state == DYNO_CASE_STATE_FAILED ||
         state == DYNO_CASE_STATE_SKIPPED;
}

static GHashTable *
collect_over (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  GHashTable *over = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (is_over (result))
        g_hash_table_add (over, GUINT_TO_POINTER (dyno_result_get_ordinal (result)));
    }
  return over;
}

/* A plan may itself be what remained of another one. */
static char **
list_remaining (DynoRun *run, DynoPlan *plan)
{
  g_autoptr (GHashTable) over = collect_over (run);
  g_autoptr (GStrvBuilder) remaining = g_strv_builder_new ();
  const char *const *cases = dyno_plan_get_cases (plan);
  guint n_cases = *cases != NULL ? g_strv_length ((char **)cases) : dyno_run_get_n_cases (run);

  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree char *number = *cases != NULL ? g_strdup (cases[i]) : g_strdup_printf ("%u", i + 1);

      if (!g_hash_table_contains (over, GUINT_TO_POINTER (i)))
        g_strv_builder_add (remaining, number);
    }
  return g_strv_builder_end (remaining);
}

/**
 * dyno_remaining_plan_new:
 * @run: a run with its results and its plan
 * @error: return location, %DYNO_ERROR_NOT_FOUND when no case remains, or there is no plan
 *
 * The plan of the cases that @run did not get to because it was stopped or killed.
 *
 * Returns: (transfer full): the plan of @run, narrowed down to those cases
 */
DynoPlan *
dyno_remaining_plan_new (DynoRun *run, GError **error)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_auto (GStrv) remaining = NULL;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  if (dyno_run_get_plan (run) == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                           _ ("The run does not contain its plan, so its remaining cases are not known."));
      return NULL;
    }
  plan = dyno_plan_new_from_json (dyno_run_get_plan (run), error);
  if (plan == NULL)
    return NULL;
  remaining = list_remaining (run, plan);
  if (*remaining == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                           _ ("All cases of this run have been run."));
      return NULL;
    }
  g_object_set (plan, "cases", remaining, NULL);
  return g_steal_pointer (&plan);
}

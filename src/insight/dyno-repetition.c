/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-case-check.h"
#include "dyno-cases.h"
#include "dyno-comparison-builder.h"
#include "dyno-comparison-differences.h"
#include "dyno-engine-library.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-model-reader.h"
#include "dyno-prober.h"
#include "dyno-repetition.h"

static gboolean
check (DynoRun *run, GError **error)
{
  g_autofree char *tool = dyno_run_dup_tool (run);
  const char *plan = dyno_run_get_plan (run);

  if (dyno_run_is_imported (run))
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
        _ ("Run %.8s was measured by %s, which left no plan that Dyno could repeat. Measure the same "
           "model with “dyno-cli run”, and put both side by side with “dyno-cli compare”."),
        dyno_run_get_id (run), tool);
  else if (dyno_run_is_running (run))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("This run is being measured by another process. Wait until it ends, or stop it there."));
  else if (plan == NULL || *plan == '\0')
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
        _ ("Run %.8s was stored without its plan, so it cannot be repeated as a whole. “dyno-cli show "
           "%.8s --case 1” shows the command of a case."),
        dyno_run_get_id (run), dyno_run_get_id (run));
  else if (dyno_run_get_n_ok (run) == 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Run %.8s has no measured case, so there is nothing to repeat. Name another run."),
                 dyno_run_get_id (run));
  else
    return TRUE;
  return FALSE;
}

static gboolean
set_models (DynoPlan *plan, const char *const *models, GError **error)
{
  guint n = g_strv_length ((char **)dyno_plan_get_models (plan));

  if (models == NULL || *models == NULL)
    return TRUE;
  if (g_strv_length ((char **)models) != n)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   ngettext ("The run has %u model. Say with --model where it is here.",
                             "The run has %u models. Say with --model where each of them is here, in their "
                             "order.",
                             n),
                   n);
      return FALSE;
    }
  g_object_set (plan, "models", models, NULL);
  return TRUE;
}

/* Takes the models that cannot be read here out of the plan, unless its cases are numbered. Returns the reasons by the
 * models. */
static GHashTable *
drop_models (DynoPlan *plan, GError **error)
{
  g_autoptr (GHashTable) reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GError) first = NULL;
  g_auto (GStrv) found = NULL;

  for (const char *const *spec = dyno_plan_get_models (plan); *spec != NULL; spec++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoModel) model = dyno_model_reader_load (*spec, NULL, &problem);

      if (model != NULL)
        g_strv_builder_add (builder, *spec);
      else
        g_hash_table_insert (reasons, g_strdup (*spec), g_strdup (problem->message));
      if (first == NULL)
        first = g_steal_pointer (&problem);
    }
  found = g_strv_builder_end (builder);
  if (first != NULL && (*found == NULL || *dyno_plan_get_cases (plan) != NULL))
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return NULL;
    }
  g_object_set (plan, "models", found, NULL);
  return g_steal_pointer (&reasons);
}

/* Returns a run of the cases as they would be measured now: pending, or with the reason why they cannot run here. */
static DynoRun *
create_run (DynoPlan *plan, GError **error)
{
  g_autoptr (GPtrArray) cases = dyno_plan_expand_for_run (plan, error);
  g_autoptr (DynoMachine) machine = cases != NULL ? dyno_machine_snapshot (error) : NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *snapshot = NULL;

  if (machine == NULL)
    return NULL;
  node = dyno_machine_to_json (machine);
  json_object_set_member (json_node_get_object (node), "backends",
                          dyno_backend_snapshot (dyno_plan_get_backends (plan), NULL));
  snapshot = dyno_json_text_write (node, FALSE);
  run = dyno_run_new (NULL);
  g_object_set (run, "machine", snapshot, "app-version", PACKAGE_VERSION, "source", "dyno", NULL);
  for (guint i = 0; i < cases->len; i++)
    {
      g_autoptr (DynoResult) result = dyno_result_new (cases->pdata[i], i);

      dyno_case_check (result, machine, NULL);
      dyno_run_add_result (run, result);
    }
  return g_steal_pointer (&run);
}

static void
add_results (DynoComparison *comparison, guint side, DynoRun *run)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  g_ptr_array_extend (((DynoComparisonSide *)comparison->sides->pdata[side])->results, results,
                      (GCopyFunc)g_object_ref, NULL);
}

static DynoComparison *
compare (DynoRun *then, DynoRun *now, GHashTable *reasons)
{
  DynoComparison *comparison =
      dyno_comparison_new_empty (DYNO_COMPARISON_METRIC, NULL, DYNO_COMPARISON_THRESHOLD);
  const char *title = dyno_run_get_title (then);

  dyno_comparison_add_side (comparison, then, title != NULL ? title : "");
  dyno_comparison_add_side (comparison, now, title != NULL ? title : "");
  add_results (comparison, 0, then);
  add_results (comparison, 1, now);

  GListModel *results = dyno_run_get_results (now);
  g_autoptr (DynoCaseAlignment) alignment =
      dyno_case_alignment_new (((DynoComparisonSide *)comparison->sides->pdata[0])->results,
                               ((DynoComparisonSide *)comparison->sides->pdata[1])->results);

  dyno_comparison_differences_find (comparison, 1, alignment);
  for (guint i = 0; i < alignment->only_baseline->len; i++)
    {
      DynoResult *result = alignment->only_baseline->pdata[i];
      const char *reason = g_hash_table_lookup (reasons, dyno_case_get_model (dyno_result_get_case (result)));

      dyno_comparison_leave_out (
          comparison, 1, result, FALSE,
          g_strdup (reason != NULL ? reason : _ ("The plan of the run has no such case on this machine.")));
    }
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_get_status (result) != DYNO_STATUS_PENDING)
        dyno_comparison_leave_out (comparison, 1, result, TRUE, g_strdup (dyno_result_get_reason (result)));
    }
  return comparison;
}

DynoRepetition *
dyno_repetition_new (DynoRun *run, const char *const *models, GError **error)
{
  g_autoptr (DynoRepetition) self = g_new0 (DynoRepetition, 1);
  g_autoptr (GHashTable) reasons = NULL;
  g_autoptr (JsonObject) machine = NULL;
  g_autoptr (DynoRun) now = NULL;
  JsonArray *backends;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  if (!check (run, error))
    return NULL;
  self->run = g_object_ref (run);
  self->plan = dyno_plan_new_from_json (dyno_run_get_plan (run), error);
  if (self->plan == NULL || !set_models (self->plan, models, error))
    return NULL;
  reasons = drop_models (self->plan, error);
  if (reasons == NULL)
    return NULL;
  /* The engines of the run, each in the version that measured it. */
  machine = dyno_json_try_object (dyno_run_get_machine (run), -1);
  backends = dyno_json_member_get_array (machine, "backends");
  for (guint i = 0; backends != NULL && i < json_array_get_length (backends); i++)
    {
      const char *runtime =
          dyno_json_member_get_string (dyno_json_member_get_element (backends, i), "runtime");

      if (runtime != NULL)
        dyno_engine_library_name_version (runtime);
    }
  now = create_run (self->plan, error);
  if (now == NULL)
    return NULL;
  self->before = compare (run, now, reasons);
  return g_steal_pointer (&self);
}

void
dyno_repetition_free (DynoRepetition *self)
{
  g_clear_object (&self->run);
  g_clear_object (&self->plan);
  g_clear_pointer (&self->before, dyno_comparison_unref);
  g_free (self);
}

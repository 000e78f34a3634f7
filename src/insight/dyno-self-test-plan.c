/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "dyno-insight-private.h"
#include "dyno-prober.h"
#include "dyno-self-test.h"
#include "dyno-self-test-plan.h"

/* A small model with both compute-bound and memory-bound operators. */
#define MODEL   "mobilenet_v2_1.0_224"
#define BACKEND "cpu"

/* More processes make it more likely to see each mode of the machine. */
#define USUAL_PROCESSES 20
#define MOST_PROCESSES  40

static gboolean
is_available (DynoBackend *backend, char **reason)
{
  g_autoptr (DynoProbe) probe =
      dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);

  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
    return TRUE;
  if (reason != NULL)
    *reason = g_strdup (dyno_probe_get_reason (probe));
  return FALSE;
}

static gboolean
fill (DynoSelfTestPlan *self, const char *backend, guint n_processes, GError **error)
{
  const char *const models[] = { MODEL, NULL };
  const char *const backends[] = { backend, NULL };
  g_autoptr (DynoMethod) usual = dyno_method_new ();
  /* Each process is measured like one of the five of a usual run, so that the noise is that of usual runs. */
  g_autoptr (DynoMethod) method = dyno_method_change_invocations (usual, n_processes);
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GPtrArray) cases = NULL;

  g_object_set (method, "idle-seconds", 0.0, NULL);
  plan = g_object_new (DYNO_TYPE_PLAN, "title", _ ("Self-Test"), "models", models, "backends", backends,
                       "method", method, NULL);
  cases = dyno_plan_expand (plan, error);
  if (cases == NULL)
    return FALSE;
  g_set_object (&self->plan, plan);
  self->n_processes = n_processes;
  self->seconds = dyno_plan_estimate_seconds (cases);
  return TRUE;
}

/* Fits as many processes as the time allows. */
static gboolean
fit (DynoSelfTestPlan *self, const char *backend, double seconds, GError **error)
{
  const guint least = DYNO_SELF_TEST_MIN_PROCESSES;
  double least_seconds, more_seconds;

  if (!fill (self, backend, least, error))
    return FALSE;
  least_seconds = self->seconds;
  if (least_seconds > seconds)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("That is too short: a self-test needs at least %u processes, which take about %.0f seconds."),
          least, least_seconds);
      return FALSE;
    }
  if (!fill (self, backend, 2 * least, error))
    return FALSE;
  more_seconds = (self->seconds - least_seconds) / least;
  return fill (self, backend,
               (guint)CLAMP (least + (seconds - least_seconds) / more_seconds, least, MOST_PROCESSES), error);
}

DynoSelfTestPlan *
dyno_self_test_plan_new (double seconds, GError **error)
{
  g_autoptr (DynoSelfTestPlan) self = g_new0 (DynoSelfTestPlan, 1);
  DynoBackend *usual = dyno_backend_lookup (BACKEND, NULL);
  g_autofree char *reason = NULL;
  g_autoptr (GListModel) backends = NULL;
  g_autoptr (DynoBackend) other = NULL;
  const char *backend = BACKEND;

  if (usual == NULL || !is_available (usual, &reason))
    {
      /* Nothing runs on the processor: any other place will do. */
      backends = dyno_backend_list ();
      for (guint i = 0; i < g_list_model_get_n_items (backends) && other == NULL; i++)
        {
          g_autoptr (DynoBackend) candidate = g_list_model_get_item (backends, i);

          if (is_available (candidate, NULL))
            other = g_steal_pointer (&candidate);
        }
      if (other == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("No backend can measure here. %s"),
                       reason != NULL ? reason : "");
          return NULL;
        }
      backend = dyno_backend_get_id (other);
      self->remark = g_strdup_printf (_ ("Measured on %s, because the usual backend, %s, is not available."),
                                      backend, BACKEND);
    }
  if (!(seconds > 0 ? fit (self, backend, seconds, error) : fill (self, backend, USUAL_PROCESSES, error)))
    return NULL;
  return g_steal_pointer (&self);
}

DynoPlan *
dyno_self_test_plan_new_turns (const DynoSelfTestPlan *self)
{
  /* The first case, and the same again. */
  static const char *const cases[] = { "1", "1", NULL };
  g_autoptr (DynoMethod) method =
      dyno_method_change_invocations (dyno_plan_get_method (self->plan), DYNO_SELF_TEST_GROUP);

  return g_object_new (DYNO_TYPE_PLAN, "title", dyno_plan_get_title (self->plan), "models",
                       dyno_plan_get_models (self->plan), "backends", dyno_plan_get_backends (self->plan),
                       "cases", cases, "turns", TRUE, "method", method, NULL);
}

DynoComparison *
dyno_self_test_compare_in_turns (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (DynoResult) one = g_list_model_get_item (results, 0);
  g_autoptr (DynoResult) other = g_list_model_get_item (results, 1);
  DynoComparison *comparison =
      dyno_comparison_new_empty (DYNO_COMPARISON_METRIC, "ms", DYNO_COMPARISON_THRESHOLD);
  guint side;

  comparison->baseline = dyno_comparison_add_side (comparison, run, _ ("Self-Test"));
  side = dyno_comparison_add_side (comparison, run, _ ("Self-Test"));
  dyno_comparison_add_case (comparison, side, one, other);
  dyno_comparison_judge (comparison);
  return comparison;
}

void
dyno_self_test_plan_free (DynoSelfTestPlan *self)
{
  g_clear_object (&self->plan);
  g_free (self->remark);
  g_free (self);
}

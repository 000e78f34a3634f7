/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-comparison.h"
#include "dyno-error.h"
#include "dyno-insight-private.h"
#include "dyno-result-samples.h"
#include "dyno-unit.h"

static gboolean
is_disputed (const DynoComparedCase *kase)
{
  return dyno_verdict_is_open (kase->verdict);
}

static gboolean
is_apart (const DynoComparedCase *kase)
{
  return !kase->in_blocks;
}

static GPtrArray *
select_cases (const DynoComparison *self, gboolean (*is_wanted) (const DynoComparedCase *kase))
{
  GPtrArray *selected = g_ptr_array_new ();

  for (guint i = 0; i < self->cases->len; i++)
    if (is_wanted (self->cases->pdata[i]))
      g_ptr_array_add (selected, self->cases->pdata[i]);
  return selected;
}

/* Chooses the disputed cases; if there are none, the cases between which drift is not excluded. */
static GPtrArray *
choose_cases (const DynoComparison *self)
{
  g_autoptr (GPtrArray) disputed = select_cases (self, is_disputed);

  return disputed->len > 0 ? g_steal_pointer (&disputed) : select_cases (self, is_apart);
}

/* Returns the identity of a case in a plan: cases with the same key are the same. */
static char *
dup_key (DynoCase *kase)
{
  g_autofree char *sizes = dyno_case_dup_sizes (kase, FALSE);

  return g_strdup_printf ("%s|%s|%s|%s%s|%s|%s|%s|%s|%s", dyno_case_get_model (kase),
                          dyno_case_get_backend (kase), dyno_case_get_device (kase),
                          dyno_case_get_precision (kase), sizes, dyno_case_get_dimensions (kase),
                          dyno_case_get_inputs (kase), dyno_case_get_options (kase),
                          dyno_case_get_pinning (kase), dyno_case_get_load (kase));
}

/* The distinct values of one axis. */
typedef struct
{
  const char *name;
  GStrvBuilder *values;
  GHashTable *known;
} Axis;

enum
{
  AXIS_MODELS,
  AXIS_BACKENDS,
  AXIS_PRECISIONS,
  AXIS_PINNINGS,
  AXIS_OPTIONS,
  AXIS_LOADS,
  AXIS_SIZES,
  N_AXES = AXIS_SIZES + DYNO_CASE_N_SIZES,
};

static void
add_value (Axis *axis, char *value)
{
  if (g_hash_table_add (axis->known, value))
    g_strv_builder_add (axis->values, value);
}

static void
add_case (Axis *axes, DynoCase *kase)
{
  add_value (&axes[AXIS_MODELS], g_strdup (dyno_case_get_model (kase)));
  add_value (&axes[AXIS_BACKENDS], dyno_case_dup_place (kase));
  add_value (&axes[AXIS_PRECISIONS], g_strdup (dyno_case_get_precision (kase)));
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    {
      const DynoCaseSize *size = &dyno_case_list_sizes ()[i];

      /* A model without a sequence leaves the lengths to the others. */
      if (i != DYNO_CASE_SIZE_SEQUENCE || size->get (kase) > 0)
        add_value (&axes[AXIS_SIZES + i], g_strdup_printf ("%u", MAX (size->get (kase), size->least)));
    }
  add_value (&axes[AXIS_PINNINGS], g_strdup (dyno_case_get_pinning (kase)));
  add_value (&axes[AXIS_OPTIONS], g_strdup (dyno_case_get_options (kase)));
  add_value (&axes[AXIS_LOADS], g_strdup (dyno_case_get_load (kase)));
}

static void
set_axes (DynoPlan *plan, GPtrArray *chosen)
{
  Axis axes[N_AXES] = { { "models" },   { "backends" }, { "precisions" },
                        { "pinnings" }, { "options" },  { "loads" } };

  for (guint i = 0; i < N_AXES; i++)
    {
      if (i >= AXIS_SIZES)
        axes[i].name = dyno_case_list_sizes ()[i - AXIS_SIZES].axis;
      axes[i].values = g_strv_builder_new ();
      axes[i].known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    }
  for (guint i = 0; i < chosen->len; i++)
    {
      const DynoComparedCase *kase = chosen->pdata[i];

      add_case (axes, dyno_result_get_case (kase->baseline));
      add_case (axes, dyno_result_get_case (kase->result));
    }
  for (guint i = 0; i < N_AXES; i++)
    {
      g_auto (GStrv) values = g_strv_builder_end (axes[i].values);

      if (*values != NULL)
        g_object_set (plan, axes[i].name, values, NULL);
      g_strv_builder_unref (axes[i].values);
      g_hash_table_unref (axes[i].known);
    }
}

/* The numbers of the chosen cases among all cases of the axes. */
static char **
list_numbers (GPtrArray *chosen, GPtrArray *cases)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GStrvBuilder) numbers = g_strv_builder_new ();

  for (guint i = 0; i < chosen->len; i++)
    {
      const DynoComparedCase *kase = chosen->pdata[i];

      g_hash_table_add (wanted, dup_key (dyno_result_get_case (kase->baseline)));
      g_hash_table_add (wanted, dup_key (dyno_result_get_case (kase->result)));
    }
  for (guint i = 0; i < cases->len; i++)
    {
      g_autofree char *key = dup_key (cases->pdata[i]);
      g_autofree char *number = g_strdup_printf ("%u", i + 1);

      if (g_hash_table_contains (wanted, key))
        g_strv_builder_add (numbers, number);
    }
  return g_strv_builder_end (numbers);
}

/* A plan measures each setting once, so the compared cases must differ in a setting. */
static gboolean
differ_in_setting (GPtrArray *chosen)
{
  for (guint i = 0; i < chosen->len; i++)
    {
      const DynoComparedCase *kase = chosen->pdata[i];
      g_autofree char *before = dup_key (dyno_result_get_case (kase->baseline));
      g_autofree char *after = dup_key (dyno_result_get_case (kase->result));

      if (!g_str_equal (before, after))
        return TRUE;
    }
  return FALSE;
}

gboolean
dyno_comparison_fits_one_run (const DynoComparison *comparison)
{
  g_autoptr (GPtrArray) chosen = choose_cases (comparison);

  return chosen->len > 0 && differ_in_setting (chosen);
}

gboolean
dyno_comparison_is_settled (const DynoComparison *comparison)
{
  g_autoptr (GPtrArray) chosen = choose_cases (comparison);

  return chosen->len == 0;
}

DynoPlan *
dyno_comparison_plan_new (const DynoComparison *comparison, GError **error)
{
  g_autoptr (GPtrArray) chosen = choose_cases (comparison);
  g_autoptr (DynoMethod) method = NULL;
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GPtrArray) cases = NULL;
  g_autofree char *title = NULL;
  g_auto (GStrv) numbers = NULL;
  const char *baseline;
  DynoCase *first;

  if (chosen->len == 0 || !differ_in_setting (chosen))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                           chosen->len == 0
                               ? _ ("No case is disputed.")
                               : _ ("The sides do not differ in their settings, so one run cannot hold both. "
                                    "Measure each again, one soon after the other."));
      return NULL;
    }
  first = dyno_result_get_case (((DynoComparedCase *)chosen->pdata[0])->baseline);

  /* Keeps the method, with as many processes as a verdict needs, and no less time than usual to make sure. */
  g_autoptr (DynoMethod) usual = dyno_method_new ();
  method = dyno_method_copy (dyno_case_get_method (first));
  guint n = MAX (dyno_method_get_invocations (method), DYNO_COMPARISON_MIN_PROCESSES);
  for (guint i = 0; i < chosen->len; i++)
    n = MAX (n, ((DynoComparedCase *)chosen->pdata[i])->n_needed);
  g_object_set (method, "invocations", MIN (n, DYNO_COMPARISON_MOST_PROCESSES), "max-seconds",
                MAX (dyno_method_get_max_seconds (method), dyno_method_get_max_seconds (usual)), NULL);

  baseline = dyno_comparison_get_side_title (comparison, comparison->baseline);
  title = comparison->sides->len == 2
              ? g_strdup_printf (_ ("%s and %s side by side"), baseline,
                                 dyno_comparison_get_side_title (comparison, comparison->baseline == 0))
              : g_strdup_printf (_ ("%s side by side"), baseline);
  plan = g_object_new (DYNO_TYPE_PLAN, "title", title, "turns", TRUE, "dimensions",
                       dyno_case_get_dimensions (first), "inputs", dyno_case_get_inputs (first), "method",
                       method, NULL);
  set_axes (plan, chosen);
  cases = dyno_plan_expand (plan, error);
  if (cases == NULL)
    return NULL;
  numbers = list_numbers (chosen, cases);
  g_object_set (plan, "cases", numbers, NULL);
  return g_steal_pointer (&plan);
}

static double
get_process_seconds (DynoResult *result)
{
  guint n = MAX (dyno_result_get_n_invocations (result), 1);
  double seconds = 0;

  for (guint i = 0; i < n; i++)
    seconds += dyno_result_get_process_end (result, i) / 1e9;
  return seconds / n;
}

double
dyno_comparison_get_cost (const DynoComparison *comparison, guint *n_processes)
{
  g_autoptr (GPtrArray) chosen = select_cases (comparison, is_disputed);
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);
  double seconds = 0;
  guint n = 0;

  for (guint i = 0; i < chosen->len; i++)
    {
      const DynoComparedCase *kase = chosen->pdata[i];

      n = MAX (n, kase->n_needed);
      /* A case that is compared with several others is measured once. The process of a side that took turns lasts as
       * long as its whole block. */
      if (g_hash_table_add (counted, kase->baseline))
        seconds += get_process_seconds (kase->baseline);
      if (!dyno_round_ratios_exist (kase->baseline, kase->result) && g_hash_table_add (counted, kase->result))
        seconds += get_process_seconds (kase->result);
    }
  if (n_processes != NULL)
    *n_processes = n;
  return n * seconds;
}

char *
dyno_comparison_dup_cost (const DynoComparison *comparison)
{
  g_autoptr (GPtrArray) chosen = select_cases (comparison, is_disputed);
  guint n;
  double seconds = dyno_comparison_get_cost (comparison, &n);
  g_autofree char *duration = dyno_unit_format_duration (seconds);

  if (!(seconds > 0))
    return NULL;
  return differ_in_setting (chosen)
             ? g_strdup_printf (
                   /* Translators: the number of processes, and a duration */
                   _ ("To be certain, measure the sides in one run with %u processes per case: about %s."), n,
                   duration)
             : g_strdup_printf (
                   _ ("To be certain, measure each side again with %u processes per case: about %s."), n,
                   duration);
}

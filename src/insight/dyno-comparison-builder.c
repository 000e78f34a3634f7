/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-cases.h"
#include "dyno-comparison-builder.h"
#include "dyno-comparison-differences.h"
#include "dyno-error.h"
#include "dyno-insight-private.h"
#include "dyno-run-summary.h"

/* Ways to compare the cases of one run: the first one that varies in the run is taken. Devices are named
 * where the backends do not tell them apart. */
static const DynoCaseParts alternatives[] = {
  DYNO_CASE_BACKEND,   DYNO_CASE_BACKEND | DYNO_CASE_DEVICE,
  DYNO_CASE_PRECISION, DYNO_CASE_OPTIONS,
  DYNO_CASE_THREADS,   DYNO_CASE_PINNING,
  DYNO_CASE_LIBRARY,
};

static DynoComparisonSide *
get_side (DynoComparison *self, guint side)
{
  return g_ptr_array_index (self->sides, side);
}

static void
set_names (DynoComparisonSide *side, const char *id, const char *title)
{
  g_free (side->id);
  g_free (side->title);
  side->id = g_strdup (id);
  side->title = g_strdup (title);
}

/* A backend and its device are written as in the options. */
static char *
dup_id (DynoResult *result, DynoCaseParts by)
{
  return by == (DYNO_CASE_BACKEND | DYNO_CASE_DEVICE) ? dyno_case_dup_place (dyno_result_get_case (result))
                                                      : dyno_case_parts_dup_ids (result, by);
}

/* Runs as sides */

/* Names runs by their backend if each run has one and no two have the same; likewise by the precision and
 * so on. */
static gboolean
name_by_alternative (DynoComparison *self, DynoCaseParts by)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->sides->len; i++)
    {
      char *id = dyno_case_parts_dup_common (get_side (self, i)->results, by, dup_id);
      gboolean is_imported = dyno_run_is_imported (get_side (self, i)->run);

      g_ptr_array_add (ids, id);
      /* Imported results often name little more than the backend. */
      if (id == NULL || *id == '\0' || (is_imported && (by & DYNO_CASE_BACKEND) == 0) ||
          !g_hash_table_add (taken, id))
        return FALSE;
    }
  for (guint i = 0; i < self->sides->len; i++)
    {
      g_autofree char *title = dyno_case_parts_dup_text (get_side (self, i)->results->pdata[0], by);

      set_names (get_side (self, i), ids->pdata[i], title);
    }
  return TRUE;
}

/* Values of one run as sides */

static guint
count_values (DynoRun *run, DynoCaseParts parts)
{
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      g_hash_table_add (values, dyno_case_parts_dup_ids (result, parts));
    }
  return g_hash_table_size (values);
}

static void
add_values (DynoComparison *self, DynoRun *run, DynoCaseParts by)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *own_id = dup_id (results->pdata[i], by);
      g_autofree char *text = dyno_case_parts_dup_text (results->pdata[i], by);
      const char *usual = by == DYNO_CASE_LIBRARY ? _ ("usual library") : _ ("default");
      const char *id = *own_id != '\0' ? own_id : usual;
      guint side = 0;

      while (side < self->sides->len && !g_str_equal (get_side (self, side)->id, id))
        side++;
      if (side == self->sides->len)
        {
          side = dyno_comparison_add_side (self, run, "");
          set_names (get_side (self, side), id, *text != '\0' ? text : usual);
        }
      g_ptr_array_add (get_side (self, side)->results, g_object_ref (results->pdata[i]));
    }
}

static gboolean
add_sides (DynoComparison *self, GPtrArray *runs, DynoCaseParts by, GError **error)
{
  DynoCaseParts chosen = 0;

  for (guint i = 0; i < G_N_ELEMENTS (alternatives) && runs->len == 1 && chosen == 0; i++)
    {
      DynoCaseParts parts = alternatives[i];
      guint n_values = count_values (runs->pdata[0], parts);

      if ((by == 0 || (by & parts) != 0) && n_values > 1 &&
          (parts != DYNO_CASE_BACKEND ||
           n_values == count_values (runs->pdata[0], DYNO_CASE_BACKEND | DYNO_CASE_DEVICE)))
        chosen = parts;
    }
  if (runs->len > 1 && by != 0)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("Only the cases of one run are compared by what they differ in. Name one run."));
  else if (runs->len > 1)
    {
      g_auto (GStrv) titles = dyno_run_titles_dup (runs);
      gboolean named = FALSE;

      for (guint i = 0; i < runs->len; i++)
        {
          g_autoptr (GPtrArray) results = dyno_case_order_sort (runs->pdata[i]);
          guint side = dyno_comparison_add_side (self, runs->pdata[i], titles[i]);

          g_ptr_array_extend (get_side (self, side)->results, results, (GCopyFunc)g_object_ref, NULL);
        }
      for (guint i = 0; i < G_N_ELEMENTS (alternatives) && !named; i++)
        named = name_by_alternative (self, alternatives[i]);
    }
  else if (chosen != 0)
    add_values (self, runs->pdata[0], chosen);
  else
    g_set_error_literal (
        error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
        by != 0 ? _ ("The cases of the run do not differ in that. Name what they differ in, or a second run.")
                : _ ("The cases of the run do not differ in backend, precision, options, threads, pinning or "
                     "library. Name a second run."));
  return self->sides->len > 0;
}

/* The baseline */

static gboolean
find_baseline (DynoComparison *self, const char *name, GError **error)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;
  g_autofree char *known = NULL;

  for (guint pass = 0; name != NULL && pass < 2; pass++)
    for (guint i = 0; i < self->sides->len; i++)
      {
        const DynoComparisonSide *side = get_side (self, i);
        const char *run_id = dyno_run_get_id (side->run);
        gboolean is_called = pass == 0 ? g_str_equal (side->id, name) || g_str_equal (side->title, name) ||
                                             g_str_equal (run_id, name) ||
                                             g_strcmp0 (dyno_run_get_title (side->run), name) == 0
                                       : g_str_has_prefix (run_id, name) || g_str_has_prefix (side->id, name);

        if (is_called)
          {
            self->baseline = i;
            return TRUE;
          }
      }
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < self->sides->len; i++)
    g_strv_builder_add (ids, get_side (self, i)->id);
  list = g_strv_builder_end (ids);
  known = g_strjoinv (", ", list);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("The baseline “%s” is not among what is compared. Choose one of: %s."), name, known);
  return FALSE;
}

/* Cases */

/* Returns the first value of that name, or for NULL the first number of any name; NULL where no case has any. */
static DynoValue *
find_value (DynoComparison *self, const char *name)
{
  for (guint i = 0; i < self->sides->len; i++)
    for (guint k = 0; k < get_side (self, i)->results->len; k++)
      {
        DynoResult *result = get_side (self, i)->results->pdata[k];
        GPtrArray *values = dyno_result_get_values (result);
        DynoValue *found = name != NULL ? dyno_result_get_value (result, name) : NULL;

        for (guint v = 0; name == NULL && found == NULL && v < values->len; v++)
          found = dyno_value_is_number (values->pdata[v]) ? values->pdata[v] : NULL;
        if (found != NULL)
          return found;
      }
  return NULL;
}

static gboolean
has_metric (DynoComparison *self, GError **error)
{
  DynoValue *example;

  if (find_value (self, self->metric) != NULL || g_str_equal (self->metric, DYNO_COMPARISON_METRIC))
    return TRUE;
  /* Any value that some case has. */
  example = find_value (self, NULL);
  if (example != NULL)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
        _ ("No case has a value “%s”. Choose one of those that the JSON of a run lists, such as %s."),
        self->metric, dyno_value_get_name (example));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("No case has a value “%s”, and none has any other: nothing was measured."), self->metric);
  return FALSE;
}

/* Returns why a case has no number to compare. @may_move: whether it need not be steady. */
static char *
dup_why_not (DynoResult *result, const char *metric, const char *title, gboolean may_move)
{
  DynoCaseState state = dyno_result_get_state (result);
  DynoValue *value = dyno_result_get_value (result, metric);
  const char *reason = dyno_result_get_reason (result);

  if (state == DYNO_CASE_STATE_UNSTEADY && !may_move)
    return g_strdup_printf (_ ("Never steady in %s. Measure again with less other load, or for longer."),
                            title);
  if (!dyno_case_state_has_numbers (state))
    return reason != NULL && *reason != '\0'
               /* Translators: the state of a case (failed), the side of a comparison, and the reason as a sentence */
               ? g_strdup_printf (_ ("%s in %s: %s"), dyno_case_state_get_label (state), title, reason)
               /* Translators: the state of a case (skipped), and the side of a comparison */
               : g_strdup_printf (_ ("%s in %s."), dyno_case_state_get_label (state), title);
  if (value == NULL)
    return g_strdup_printf (_ ("This value was not measured in %s."), title);
  if (!dyno_value_is_number (value))
    return g_strdup_printf (_ ("Not measured in %s: %s"), title, dyno_value_get_source (value));
  if (!(dyno_value_get_number (value) > 0))
    return g_strdup_printf (_ ("The value is not above zero in %s: there is no ratio."), title);
  return NULL;
}

static void
add_pair (DynoComparison *self, guint side, const DynoCasePair *pair, DynoCaseParts compared)
{
  /* A level that moves affects both sides of a turn alike. */
  gboolean may_move = get_side (self, side)->run == get_side (self, self->baseline)->run &&
                      dyno_round_ratios_find_series (self->metric) != NULL &&
                      dyno_round_ratios_exist (pair->baseline, pair->result);
  char *reason = dup_why_not (pair->baseline, self->metric, get_side (self, self->baseline)->title, may_move);
  DynoComparedCase *kase;

  if (reason == NULL)
    reason = dup_why_not (pair->result, self->metric, get_side (self, side)->title, may_move);
  if (reason == NULL)
    {
      const char *before = dyno_value_get_unit (dyno_result_get_value (pair->baseline, self->metric));
      const char *after = dyno_value_get_unit (dyno_result_get_value (pair->result, self->metric));

      if (!g_str_equal (before, after))
        reason = g_strdup_printf (
            _ ("The units do not match: %s in %s, %s in %s. Measure both with this version of Dyno."), before,
            get_side (self, self->baseline)->title, after, get_side (self, side)->title);
    }
  if (reason == NULL && dyno_result_is_emulated (pair->baseline) != dyno_result_is_emulated (pair->result))
    reason = g_strdup (_ ("One of the devices is emulated: its times say nothing about any other."));
  if (reason != NULL)
    {
      dyno_comparison_leave_out (self, side, pair->result, TRUE, reason);
      return;
    }
  if (self->unit == NULL)
    self->unit = g_strdup (dyno_value_get_unit (dyno_result_get_value (pair->result, self->metric)));
  kase = dyno_comparison_add_case (self, side, pair->baseline, pair->result);
  kase->reason = dyno_comparison_differences_dup_confounding (self, side, pair, compared);
  if (kase->reason != NULL)
    kase->verdict = DYNO_VERDICT_CONFOUNDED;
}

static void
leave_out_all (DynoComparison *self, guint side, GPtrArray *results, guint only)
{
  for (guint i = 0; i < results->len; i++)
    dyno_comparison_leave_out (self, side, results->pdata[i], FALSE,
                               g_strdup_printf (_ ("Only in %s."), get_side (self, only)->title));
}

/* Takes a label, and returns one that no other case of the side has. */
static char *
make_only_label (GHashTable *counts, guint side, char *label)
{
  g_autofree char *repeated = label;
  char *key = g_strdup_printf ("%u %s", side, label);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1;

  g_hash_table_replace (counts, key, GUINT_TO_POINTER (number));
  return number > 1 ? g_strdup_printf ("%s (%u)", repeated, number) : g_steal_pointer (&repeated);
}

/* Names cases only by the parts that tell them apart; the compared parts are named elsewhere. */
static void
name_cases (DynoComparison *self)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new ();
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  DynoCaseParts varying;

  for (guint i = 0; i < self->cases->len; i++)
    g_ptr_array_add (results, ((DynoComparedCase *)self->cases->pdata[i])->baseline);
  varying = dyno_case_parts_find_varying_in (results) | DYNO_CASE_BATCH;
  for (guint i = 0; i < self->cases->len; i++)
    {
      DynoComparedCase *kase = self->cases->pdata[i];
      g_autofree char *model = dyno_case_parts_dup_model (kase->baseline);
      g_autofree char *rest = dyno_case_parts_dup_text (kase->baseline, varying);

      g_free (kase->label);
      kase->label = make_only_label (counts, kase->side, g_strdup_printf ("%s\u00a0· %s", model, rest));
    }
  for (guint i = 0; i < self->left_out->len; i++)
    {
      DynoLeftOutCase *kase = self->left_out->pdata[i];

      kase->label = make_only_label (counts, kase->side, g_steal_pointer (&kase->label));
    }
}

DynoComparison *
dyno_comparison_new (GPtrArray *runs, const DynoComparisonOptions *options, GError **error)
{
  g_autoptr (DynoComparison) self = NULL;

  g_return_val_if_fail (runs != NULL && runs->len > 0, NULL);

  self = dyno_comparison_new_empty (options->metric != NULL ? options->metric : DYNO_COMPARISON_METRIC, NULL,
                                    options->threshold > 0 ? options->threshold : DYNO_COMPARISON_THRESHOLD);
  if (!add_sides (self, runs, options->by, error) || !has_metric (self, error) ||
      !find_baseline (self, options->baseline, error))
    return NULL;
  for (guint side = 0; side < self->sides->len; side++)
    if (side != self->baseline)
      {
        g_autoptr (DynoCaseAlignment) alignment = dyno_case_alignment_new (
            get_side (self, self->baseline)->results, get_side (self, side)->results);

        for (guint i = 0; i < alignment->pairs->len; i++)
          add_pair (self, side, &g_array_index (alignment->pairs, DynoCasePair, i), alignment->compared);
        leave_out_all (self, side, alignment->only_baseline, self->baseline);
        leave_out_all (self, side, alignment->only_results, side);
        dyno_comparison_differences_find (self, side, alignment);
      }
  if (self->unit == NULL)
    {
      /* None of the values can be compared. */
      DynoValue *value = find_value (self, self->metric);
      gboolean is_latency = g_str_equal (self->metric, DYNO_COMPARISON_METRIC);

      self->unit = g_strdup (value != NULL ? dyno_value_get_unit (value) : is_latency ? "ms" : "");
    }
  name_cases (self);
  dyno_comparison_judge (self);
  return g_steal_pointer (&self);
}

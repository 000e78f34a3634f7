/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-difference"

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-case-parts.h"
#include "dyno-difference.h"
#include "dyno-format.h"

#define MEDIAN "latency_p50_ms"
#define LOW    "latency_median_low_ms"
#define HIGH   "latency_median_high_ms"

struct _DynoDifference
{
  GObject parent_instance;

  DynoRun *run;
  DynoResult *baseline;
  DynoResult *result;
};

G_DEFINE_FINAL_TYPE (DynoDifference, dyno_difference, G_TYPE_OBJECT)

static void
dyno_difference_finalize (GObject *object)
{
  DynoDifference *self = DYNO_DIFFERENCE (object);

  g_clear_object (&self->run);
  g_clear_object (&self->baseline);
  g_clear_object (&self->result);

  G_OBJECT_CLASS (dyno_difference_parent_class)->finalize (object);
}

static void
dyno_difference_class_init (DynoDifferenceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_difference_finalize;
}

static void
dyno_difference_init (DynoDifference *self)
{
}

/* Matching: two results are of the same case when they measured the same model the same way. Where the file of the
 * model lies does not matter. Devices are what one may want to compare, so only of two that a run has the device tells
 * which one is meant. */

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

static char *
dup_key (DynoResult *result, gboolean with_device)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autofree char *model = g_path_get_basename (dyno_case_get_model (kase));

  return g_strdup_printf ("%s|%s|%s|%s|%u|%u|%u|%u|%s|%s|%s", model, dyno_case_get_backend (kase),
                          with_device ? or_empty (dyno_case_get_device (kase)) : "",
                          dyno_case_get_precision (kase), dyno_case_get_batch_size (kase),
                          dyno_case_get_sequence_length (kase), dyno_case_get_threads (kase),
                          dyno_case_get_generate_tokens (kase), or_empty (dyno_case_get_dimensions (kase)),
                          or_empty (dyno_case_get_options (kase)), or_empty (dyno_case_get_pinning (kase)));
}

static gboolean
is_comparable (DynoResult *result)
{
  double median = dyno_result_get_number (result, MEDIAN);

  return dyno_case_state_has_numbers (dyno_result_get_state (result)) && isfinite (median) && median > 0;
}

/* The results of the baseline, by their keys. */
typedef struct
{
  GHashTable *exact;
  GHashTable *any_device; /* holds %NULL where there are several devices: none of them is meant */
} Index;

static void
add_to_index (Index *index, DynoResult *result)
{
  char *key = dup_key (result, FALSE);
  gboolean is_only = !g_hash_table_contains (index->any_device, key);

  g_hash_table_replace (index->any_device, key, is_only ? result : NULL);
  g_hash_table_replace (index->exact, dup_key (result, TRUE), result);
}

static void
fill_index (Index *index, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      if (is_comparable (result))
        add_to_index (index, result);
    }
}

static DynoResult *
find_baseline (const Index *index, DynoResult *result)
{
  g_autofree char *exact = dup_key (result, TRUE);
  g_autofree char *any_device = dup_key (result, FALSE);
  DynoResult *baseline = g_hash_table_lookup (index->exact, exact);

  return baseline != NULL ? baseline : g_hash_table_lookup (index->any_device, any_device);
}

static void
add_differences (GListStore *differences, DynoRun *run, const Index *index)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoResult *baseline = find_baseline (index, result);
      g_autoptr (DynoDifference) difference = NULL;

      if (baseline == NULL || !is_comparable (result))
        continue;
      difference = g_object_new (DYNO_TYPE_DIFFERENCE, NULL);
      difference->run = g_object_ref (run);
      difference->baseline = g_object_ref (baseline);
      difference->result = g_object_ref (result);
      g_list_store_append (differences, difference);
    }
}

/**
 * dyno_difference_list:
 * @runs: (element-type DynoRun): two or more runs with results
 * @baseline: which of them the others are compared with
 *
 * Returns: (transfer full): a list of [class@Dyno.Difference], one for every case that a run shares with the
 *   baseline and that both measured
 */
GListModel *
dyno_difference_list (GPtrArray *runs, guint baseline)
{
  GListStore *differences = g_list_store_new (DYNO_TYPE_DIFFERENCE);
  g_autoptr (GHashTable) exact = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) any_device = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Index index = { exact, any_device };

  g_return_val_if_fail (runs != NULL, G_LIST_MODEL (differences));
  g_return_val_if_fail (baseline < runs->len, G_LIST_MODEL (differences));

  fill_index (&index, g_ptr_array_index (runs, baseline));
  for (guint i = 0; i < runs->len; i++)
    if (i != baseline)
      add_differences (differences, g_ptr_array_index (runs, i), &index);
  return G_LIST_MODEL (differences);
}

/**
 * dyno_difference_get_run:
 * @self: a difference
 *
 * Returns: (transfer none): the run that is compared with the baseline
 */
DynoRun *
dyno_difference_get_run (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NULL);
  return self->run;
}

/**
 * dyno_difference_dup_label:
 * @self: a difference
 *
 * Returns: (transfer full): the case in words
 */
char *
dyno_difference_dup_label (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NULL);
  return dyno_case_parts_dup_label (self->result);
}

/**
 * dyno_difference_get_baseline:
 * @self: a difference
 *
 * Returns: the median latency in the baseline, in ms
 */
double
dyno_difference_get_baseline (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NAN);
  return dyno_result_get_number (self->baseline, MEDIAN);
}

/**
 * dyno_difference_get_median:
 * @self: a difference
 *
 * Returns: the median latency in the run, in ms
 */
double
dyno_difference_get_median (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NAN);
  return dyno_result_get_number (self->result, MEDIAN);
}

static gboolean
is_unsteady (DynoResult *result)
{
  return dyno_result_get_state (result) == DYNO_CASE_STATE_UNSTEADY;
}

/**
 * dyno_difference_is_unsteady:
 * @self: a difference
 *
 * Returns: whether one of the two medians is of a case that never became steady, so that nothing can be concluded
 */
gboolean
dyno_difference_is_unsteady (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), FALSE);
  return is_unsteady (self->baseline) || is_unsteady (self->result);
}

/**
 * dyno_difference_get_ratio:
 * @self: a difference
 *
 * Returns: the median of the run over that of the baseline: below 1 the run is faster; NaN where one of them is unsteady
 */
double
dyno_difference_get_ratio (DynoDifference *self)
{
  if (dyno_difference_is_unsteady (self))
    return NAN;
  return dyno_difference_get_median (self) / dyno_difference_get_baseline (self);
}

static gboolean
get_interval (DynoResult *result, double *low, double *high)
{
  *low = dyno_result_get_number (result, LOW);
  *high = dyno_result_get_number (result, HIGH);
  return isfinite (*low) && isfinite (*high);
}

static char *
dup_text (DynoResult *result)
{
  g_autofree char *median = dyno_format_value (dyno_result_get_value (result, MEDIAN));
  g_autofree char *low_text = dyno_format_value (dyno_result_get_value (result, LOW));
  g_autofree char *high_text = dyno_format_value (dyno_result_get_value (result, HIGH));
  double low, high;

  if (is_unsteady (result))
    /* Translators: a median latency that is not of a steady state */
    return g_strdup_printf (_ ("%s, unsteady"), median);
  return get_interval (result, &low, &high) ? g_strdup_printf ("%s (%s – %s)", median, low_text, high_text)
                                            : g_strdup (median);
}

/**
 * dyno_difference_dup_baseline_text:
 * @self: a difference
 *
 * Returns: (transfer full): the median in the baseline with its 95 % interval within the process, in words, or with the
 *   mark that it is unsteady
 */
char *
dyno_difference_dup_baseline_text (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NULL);
  return dup_text (self->baseline);
}

/**
 * dyno_difference_dup_median_text:
 * @self: a difference
 *
 * Returns: (transfer full): the median in the run with its 95 % interval within the process, in words, or with the mark
 *   that it is unsteady
 */
char *
dyno_difference_dup_median_text (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NULL);
  return dup_text (self->result);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-comparison-builder.h"
#include "dyno-comparison-differences.h"
#include "dyno-error.h"
#include "dyno-history.h"
#include "dyno-insight-private.h"
#include "dyno-roofline.h"
#include "dyno-stats.h"
#include "dyno-store-search.h"
#include "dyno-time-series.h"

/* The probability of a false change in a history that has none. */
#define SIGNIFICANCE 0.05

/* A fixed seed gives the same changes for the same history. */
#define SEED 1

static void
segment_free (DynoHistorySegment *segment)
{
  g_clear_pointer (&segment->changes, g_ptr_array_unref);
  g_free (segment);
}

static void
trend_free (DynoHistoryTrend *trend)
{
  g_free (trend->label);
  g_free (trend->unit);
  g_ptr_array_unref (trend->points);
  g_ptr_array_unref (trend->segments);
  g_free (trend);
}

DynoHistory *
dyno_history_ref (DynoHistory *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_history_unref (DynoHistory *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->metric);
  g_free (self->machine);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
  g_ptr_array_unref (self->trends);
  g_ptr_array_unref (self->baselines);
  g_free (self);
}

/* Segments */

static double
find_level (const double *values, gsize n)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));

  dyno_stats_sort (sorted, n);
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* A change that is significant, but smaller than the threshold, does not start a segment. */
static GArray *
find_starts (const double *values, guint n, double threshold)
{
  g_autoptr (GArray) changes = n >= DYNO_HISTORY_MIN_RUNS ? dyno_stats_divide (values, n, SIGNIFICANCE, SEED)
                                                          : g_array_new (FALSE, FALSE, sizeof (gsize));
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize start = 0;

  g_array_append_val (starts, start);
  for (guint i = 0; i < changes->len; i++)
    {
      gsize change = g_array_index (changes, gsize, i);
      gsize end = i + 1 < changes->len ? g_array_index (changes, gsize, i + 1) : n;
      double before = find_level (values + start, change - start);
      double after = find_level (values + change, end - change);

      if (MAX (after / before, before / after) <= 1 + threshold)
        continue;
      g_array_append_val (starts, change);
      start = change;
    }
  return starts;
}

static void
divide (DynoHistoryTrend *trend, double threshold)
{
  g_autofree double *values = g_new (double, trend->points->len);
  g_autofree guint *indices = g_new (guint, trend->points->len);
  g_autoptr (GArray) starts = NULL;

  for (guint i = 0; i < trend->points->len; i++)
    {
      const DynoHistoryPoint *point = trend->points->pdata[i];

      if (!point->is_steady)
        continue;
      indices[trend->n_steady] = i;
      values[trend->n_steady++] = point->value;
    }
  if (trend->n_steady == 0)
    return;
  starts = find_starts (values, trend->n_steady, threshold);
  for (guint i = 0; i < starts->len; i++)
    {
      DynoHistorySegment *segment = g_new0 (DynoHistorySegment, 1);
      const DynoHistorySegment *before = i > 0 ? trend->segments->pdata[i - 1] : NULL;
      gsize start = g_array_index (starts, gsize, i);
      gsize end = i + 1 < starts->len ? g_array_index (starts, gsize, i + 1) : trend->n_steady;

      segment->first = indices[start];
      segment->n = end - start;
      segment->level = find_level (values + start, end - start);
      segment->ratio = before != NULL ? segment->level / before->level : NAN;
      g_ptr_array_add (trend->segments, segment);
    }
}

/* Trends */

/* Settings whose cases have the same name share a trend. */
static DynoHistoryTrend *
find_trend (DynoHistory *self, const DynoHistoryPoint *point, GHashTable *by_case)
{
  g_autofree char *key = dyno_case_parts_dup_key (point->head, DYNO_CASE_ALL);
  char *whole = g_strdup_printf ("%s|%s", key, point->unit != NULL ? point->unit : "");
  DynoHistoryTrend *trend = g_hash_table_lookup (by_case, whole);

  if (trend == NULL)
    {
      trend = g_new0 (DynoHistoryTrend, 1);
      trend->label = dyno_case_parts_dup_label (point->head);
      trend->unit = g_strdup (point->unit != NULL ? point->unit : "");
      trend->points = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_history_point_free);
      trend->segments = g_ptr_array_new_with_free_func ((GDestroyNotify)segment_free);
      g_ptr_array_add (self->trends, trend);
    }
  g_hash_table_replace (by_case, whole, trend);
  return trend;
}

DynoHistory *
dyno_history_new (GPtrArray *points, const char *metric, double threshold)
{
  DynoHistory *self = g_new0 (DynoHistory, 1);
  g_autoptr (GHashTable) by_case = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) by_head = g_hash_table_new (NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  self->metric = g_strdup (metric);
  self->threshold = threshold;
  self->trends = g_ptr_array_new_with_free_func ((GDestroyNotify)trend_free);
  self->baselines = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_baseline_free);
  for (guint i = 0; i < points->len; i++)
    {
      DynoHistoryPoint *point = points->pdata[i];
      DynoHistoryTrend *trend = g_hash_table_lookup (by_head, point->head);

      if (trend == NULL || g_strcmp0 (trend->unit, point->unit) != 0)
        trend = find_trend (self, point, by_case);
      g_hash_table_insert (by_head, point->head, trend);
      g_ptr_array_add (trend->points, point);
    }
  g_ptr_array_set_free_func (points, NULL);
  g_ptr_array_unref (points);
  for (guint i = 0; i < self->trends->len; i++)
    divide (self->trends->pdata[i], threshold);
  return self;
}

/* Differences */

static guint
add_side (DynoComparison *comparison, DynoRun *run)
{
  guint side = dyno_comparison_add_side (comparison, run, "");
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    g_ptr_array_add (((DynoComparisonSide *)comparison->sides->pdata[side])->results,
                     g_list_model_get_item (results, i));
  return side;
}

static GPtrArray *
list_results (DynoComparison *comparison, guint side)
{
  return ((DynoComparisonSide *)comparison->sides->pdata[side])->results;
}

const DynoHistoryPoint *
dyno_history_find_steady_before (const DynoHistoryTrend *trend, guint index)
{
  while (index > 0)
    {
      const DynoHistoryPoint *point = trend->points->pdata[--index];

      if (point->is_steady)
        return point;
    }
  return NULL;
}

static gboolean
explain (DynoHistory *self, DynoStore *store, const DynoHistoryTrend *trend, GError **error)
{
  for (guint i = 1; i < trend->segments->len; i++)
    {
      DynoHistorySegment *segment = trend->segments->pdata[i];
      const DynoHistoryPoint *before = dyno_history_find_steady_before (trend, segment->first);
      const DynoHistoryPoint *after = trend->points->pdata[segment->first];
      const char *old_notes = before->run_notes != NULL ? before->run_notes : "";
      const char *new_notes = after->run_notes != NULL ? after->run_notes : "";
      g_autoptr (DynoComparison) comparison = dyno_comparison_new_empty (self->metric, "", 0);
      g_autoptr (DynoRun) old_run = dyno_store_load_case (store, before->run_id, before->ordinal, error);
      g_autoptr (DynoRun) new_run =
          old_run != NULL ? dyno_store_load_case (store, after->run_id, after->ordinal, error) : NULL;
      g_autoptr (DynoCaseAlignment) alignment = NULL;

      if (new_run == NULL)
        return FALSE;
      add_side (comparison, old_run);
      add_side (comparison, new_run);
      alignment = dyno_case_alignment_new (list_results (comparison, 0), list_results (comparison, 1));
      dyno_comparison_differences_find (comparison, 1, alignment);
      if (*new_notes != '\0' && !g_str_equal (old_notes, new_notes))
        dyno_comparison_add_difference (comparison, 1, _ ("Note"), old_notes, new_notes);
      segment->changes = g_ptr_array_ref (comparison->differences);
    }
  return TRUE;
}

/* Loading */

typedef struct
{
  const DynoHistoryQuery *query;
  char **words;
  char *only;
} Wanted;

static void
wanted_clear (Wanted *wanted)
{
  g_strfreev (wanted->words);
  g_free (wanted->only);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wanted, wanted_clear)

static gboolean
is_wanted (DynoResult *head, gpointer data)
{
  const Wanted *wanted = data;
  const char *backend = wanted->query->backend;
  DynoCase *kase = dyno_result_get_case (head);
  g_autofree char *place = dyno_case_dup_place (kase);
  g_autofree char *label = NULL;
  g_autofree char *text = NULL;
  g_autofree char *folded = NULL;
  g_autofree char *key = NULL;

  if (backend != NULL && !g_str_equal (dyno_case_get_backend (kase), backend) &&
      !g_str_equal (place, backend))
    return FALSE;
  /* The ids of model and backend are not part of the case's name. */
  label = dyno_case_parts_dup_label (head);
  text = g_strdup_printf ("%s %s %s", label, dyno_case_get_model (kase), place);
  folded = dyno_store_search_fold (text);
  for (char **word = wanted->words; *word != NULL; word++)
    if (strstr (folded, *word) == NULL)
      return FALSE;
  if (wanted->only == NULL)
    return TRUE;
  key = dyno_case_parts_dup_key (head, DYNO_CASE_ALL);
  return g_str_equal (key, wanted->only);
}

static char *
dup_newest_machine (DynoStore *store, GError **error)
{
  g_autoptr (GPtrArray) newest = dyno_store_list_runs (store, NULL, 0, 1, error);
  g_autoptr (DynoRun) run = NULL;

  if (newest == NULL)
    return NULL;
  if (newest->len == 0)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                           _ ("There are no runs yet. Measure with “dyno-cli run --suite quick”."));
      return NULL;
    }
  run = dyno_store_load_case (store, dyno_run_get_id (newest->pdata[0]), 0, error);
  if (run == NULL)
    return NULL;
  if (dyno_run_get_machine (run) == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                         _ ("The newest run does not say on which machine it was measured."));
  return g_strdup (dyno_run_get_machine (run));
}

static gboolean
is_kept (const char *metric, GError **error)
{
  if (!dyno_roofline_is_derived (metric))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is worked out from the roofs that are known now, so it has no history. Choose a "
                  "measured value."),
               metric);
  return FALSE;
}

DynoHistory *
dyno_history_load (DynoStore *store, const DynoHistoryQuery *query, GError **error)
{
  const char *metric = query->metric != NULL ? query->metric : DYNO_COMPARISON_METRIC;
  g_autofree char *folded = dyno_store_search_fold (query->words != NULL ? query->words : "");
  g_auto (Wanted) wanted = { .query = query, .words = g_strsplit (folded, " ", -1) };
  g_autofree char *machine = NULL;
  g_autoptr (DynoSelfTest) self_test = NULL;
  g_autoptr (DynoHistory) self = NULL;
  GPtrArray *points, *baselines;

  g_return_val_if_fail (DYNO_IS_STORE (store), NULL);
  if (!is_kept (metric, error))
    return NULL;
  if (query->only != NULL)
    wanted.only = dyno_case_parts_dup_key (query->only, DYNO_CASE_ALL);
  machine = query->machine != NULL ? g_strdup (query->machine) : dup_newest_machine (store, error);
  points =
      machine != NULL ? dyno_store_list_history (store, machine, metric, is_wanted, &wanted, error) : NULL;
  if (points == NULL)
    return NULL;
  self_test = dyno_store_load_self_test (store, machine, NULL);
  self = dyno_history_new (points, metric,
                           fmax (DYNO_COMPARISON_THRESHOLD, dyno_self_test_get_floor (self_test, metric)));
  self->machine = g_steal_pointer (&machine);
  self->self_test = g_steal_pointer (&self_test);
  for (guint i = 0; i < self->trends->len; i++)
    if (!explain (self, store, self->trends->pdata[i], error))
      return NULL;
  baselines = dyno_store_list_baselines (store, error);
  if (baselines == NULL)
    return NULL;
  g_ptr_array_unref (self->baselines);
  self->baselines = baselines;
  return g_steal_pointer (&self);
}

DynoVerdict
dyno_history_get_verdict (const DynoHistory *self, const DynoHistorySegment *segment)
{
  if (isnan (segment->ratio))
    return DYNO_VERDICT_SAME;
  return (segment->ratio > 1) == dyno_verdict_more_is_better (self->metric) ? DYNO_VERDICT_BETTER
                                                                            : DYNO_VERDICT_WORSE;
}

const DynoHistoryPoint *
dyno_history_find_point (const DynoHistoryTrend *trend, const char *run_id)
{
  for (guint i = 0; i < trend->points->len; i++)
    {
      const DynoHistoryPoint *point = trend->points->pdata[i];

      if (g_str_equal (point->run_id, run_id))
        return point;
    }
  return NULL;
}

/* Everything else follows from points and baselines. */

static gboolean
points_equal (gconstpointer a, gconstpointer b)
{
  const DynoHistoryPoint *one = a;
  const DynoHistoryPoint *other = b;

  return one->ordinal == other->ordinal && one->value == other->value && one->is_steady == other->is_steady &&
         one->n_processes == other->n_processes && g_str_equal (one->run_id, other->run_id) &&
         g_strcmp0 (one->run_title, other->run_title) == 0 &&
         g_strcmp0 (one->run_notes, other->run_notes) == 0;
}

static gboolean
baselines_equal (gconstpointer a, gconstpointer b)
{
  const DynoBaseline *one = a;
  const DynoBaseline *other = b;

  return one->is_kept == other->is_kept && g_str_equal (one->name, other->name) &&
         g_str_equal (one->run_id, other->run_id);
}

static gboolean
arrays_equal (GPtrArray *one, GPtrArray *other, GEqualFunc is_equal)
{
  for (guint i = 0; i < one->len && i < other->len; i++)
    if (!is_equal (one->pdata[i], other->pdata[i]))
      return FALSE;
  return one->len == other->len;
}

static gboolean
trends_equal (gconstpointer a, gconstpointer b)
{
  const DynoHistoryTrend *one = a;
  const DynoHistoryTrend *other = b;

  return g_str_equal (one->label, other->label) && g_str_equal (one->unit, other->unit) &&
         arrays_equal (one->points, other->points, points_equal);
}

gboolean
dyno_history_equal (const DynoHistory *self, const DynoHistory *other)
{
  return g_str_equal (self->metric, other->metric) && self->threshold == other->threshold &&
         arrays_equal (self->trends, other->trends, trends_equal) &&
         arrays_equal (self->baselines, other->baselines, baselines_equal);
}

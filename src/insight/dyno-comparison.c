/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-comparison.h"
#include "dyno-insight-private.h"
#include "dyno-unit.h"

/* Ratios beyond these are not written with two decimals. */
#define LEAST_FIXED 0.1
#define MOST_FIXED  10.0

static void
side_free (DynoComparisonSide *side)
{
  g_object_unref (side->run);
  g_ptr_array_unref (side->results);
  g_free (side->id);
  g_free (side->title);
  g_free (side);
}

static void
case_free (DynoComparedCase *kase)
{
  g_object_unref (kase->baseline);
  g_object_unref (kase->result);
  g_free (kase->label);
  g_free (kase->reason);
  g_free (kase);
}

static void
left_out_free (DynoLeftOutCase *kase)
{
  g_free (kase->engine);
  g_free (kase->label);
  g_free (kase->reason);
  g_free (kase);
}

static void
difference_free (DynoSideDifference *difference)
{
  g_free (difference->name);
  g_free (difference->baseline);
  g_free (difference->value);
  g_free (difference);
}

DynoComparison *
dyno_comparison_new_empty (const char *metric, const char *unit, double threshold)
{
  DynoComparison *self = g_new0 (DynoComparison, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->metric = g_strdup (metric);
  self->unit = g_strdup (unit);
  self->threshold = threshold;
  self->sides = g_ptr_array_new_with_free_func ((GDestroyNotify)side_free);
  self->cases = g_ptr_array_new_with_free_func ((GDestroyNotify)case_free);
  self->left_out = g_ptr_array_new_with_free_func ((GDestroyNotify)left_out_free);
  self->differences = g_ptr_array_new_with_free_func ((GDestroyNotify)difference_free);
  return self;
}

DynoComparison *
dyno_comparison_ref (DynoComparison *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_comparison_unref (DynoComparison *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->metric);
  g_free (self->unit);
  g_ptr_array_unref (self->sides);
  g_ptr_array_unref (self->cases);
  g_ptr_array_unref (self->left_out);
  g_ptr_array_unref (self->differences);
  g_free (self);
}

guint
dyno_comparison_add_side (DynoComparison *self, DynoRun *run, const char *title)
{
  DynoComparisonSide *side = g_new0 (DynoComparisonSide, 1);

  side->run = g_object_ref (run);
  side->results = g_ptr_array_new_with_free_func (g_object_unref);
  side->id = g_strdup (title);
  side->title = g_strdup (title);
  g_ptr_array_add (self->sides, side);
  return self->sides->len - 1;
}

DynoComparedCase *
dyno_comparison_add_case (DynoComparison *self, guint side, DynoResult *baseline, DynoResult *result)
{
  DynoComparedCase *kase = g_new0 (DynoComparedCase, 1);

  kase->side = side;
  kase->baseline = g_object_ref (baseline);
  kase->result = g_object_ref (result);
  kase->label = dyno_case_parts_dup_label (result);
  kase->baseline_value = dyno_case_samples_get_number (baseline, result, self->metric);
  kase->value = dyno_case_samples_get_number (result, baseline, self->metric);
  kase->ratio = kase->value / kase->baseline_value;
  kase->low = kase->high = kase->p_value = kase->effect = kase->noise_floor = NAN;
  kase->effective_baseline = kase->effective = kase->confidence = NAN;
  kase->n_baseline = kase->n = 1;
  kase->verdict = DYNO_VERDICT_NOT_ENOUGH_DATA;
  g_ptr_array_add (self->cases, kase);
  return kase;
}

void
dyno_comparison_leave_out (
    DynoComparison *self, guint side, DynoResult *result, gboolean is_shared, char *reason)
{
  DynoLeftOutCase *kase = g_new0 (DynoLeftOutCase, 1);

  kase->side = side;
  kase->label = dyno_case_parts_dup_label (result);
  kase->reason = reason;
  kase->is_shared = is_shared;
  g_ptr_array_add (self->left_out, kase);
}

/* Adds each difference once. */
void
dyno_comparison_add_difference (
    DynoComparison *self, guint side, const char *name, const char *baseline, const char *value)
{
  DynoSideDifference *difference;

  for (guint i = 0; i < self->differences->len; i++)
    {
      difference = g_ptr_array_index (self->differences, i);
      if (difference->side == side && g_str_equal (difference->name, name) &&
          g_str_equal (difference->baseline, baseline) && g_str_equal (difference->value, value))
        return;
    }
  difference = g_new0 (DynoSideDifference, 1);
  difference->side = side;
  difference->name = g_strdup (name);
  difference->baseline = g_strdup (baseline);
  difference->value = g_strdup (value);
  g_ptr_array_add (self->differences, difference);
}

const char *
dyno_comparison_get_side_title (const DynoComparison *self, guint side)
{
  g_return_val_if_fail (side < self->sides->len, NULL);
  return ((DynoComparisonSide *)g_ptr_array_index (self->sides, side))->title;
}

double
dyno_comparison_get_noise_floor (const DynoComparison *self)
{
  double noise_floor = NAN;

  for (guint i = 0; i < self->cases->len; i++)
    noise_floor = fmax (noise_floor, ((DynoComparedCase *)self->cases->pdata[i])->noise_floor);
  return noise_floor;
}

/* Uses as many decimals as it takes to distinguish the ends of a narrow interval. */
static char *
format_ratio (const DynoComparedCase *kase, double ratio)
{
  gboolean is_narrow = isfinite (kase->low) && kase->high - kase->low < 0.02;

  if (ratio < LEAST_FIXED || ratio >= MOST_FIXED)
    return dyno_unit_format_significant (ratio);
  return dyno_unit_format_number (ratio, is_narrow ? 3 : 2);
}

char *
dyno_comparison_dup_ratio (const DynoComparison *self, const DynoComparedCase *kase)
{
  g_autofree char *ratio = format_ratio (kase, kase->ratio);
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!isfinite (kase->low) || !isfinite (kase->high))
    return g_steal_pointer (&ratio);
  low = format_ratio (kase, kase->low);
  high = format_ratio (kase, kase->high);
  /* Translators: a ratio and its interval */
  return g_strdup_printf (_ ("%s (%s – %s)"), ratio, low, high);
}

gboolean
dyno_compared_case_is_within_blocks (const DynoComparedCase *kase)
{
  return kase->in_blocks && (isfinite (kase->confidence) || kase->n_rounds > 0);
}

gboolean
dyno_comparison_is_within_blocks (const DynoComparison *self)
{
  for (guint i = 0; i < self->cases->len; i++)
    if (dyno_compared_case_is_within_blocks (self->cases->pdata[i]))
      return TRUE;
  return FALSE;
}

const char *
dyno_comparison_get_ratio_title (const DynoComparison *self)
{
  return dyno_comparison_is_within_blocks (self)
             ? /* xgettext:no-c-format */ _ ("Ratio within blocks (95 % interval)")
             : /* xgettext:no-c-format */ _ ("Ratio (95 % interval)");
}

char *
dyno_comparison_dup_case_name (const DynoComparison *self, const DynoComparedCase *kase)
{
  if (self->sides->len <= 2)
    return g_strdup (kase->label);
  /* Translators: a case, and the run or the backend that was compared */
  return g_strdup_printf (_ ("%s: %s"), dyno_comparison_get_side_title (self, kase->side), kase->label);
}

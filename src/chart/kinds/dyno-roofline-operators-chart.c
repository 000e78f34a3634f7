/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-bubble-layer.h"
#include "dyno-chart-private.h"
#include "dyno-operator-kind.h"
#include "dyno-operator-times.h"
#include "dyno-roofline-scene.h"
#include "dyno-sentences.h"
#include "dyno-unit.h"

/* The number of operators that are named, those with the most time first. */
#define MAX_LABELS 12
/* Shares of the time below this are not worth a sentence. */
#define MIN_SHARE 0.02
/* The lightest points, together no more than this share of the time, need not be seen at first. */
#define MINOR_SHARE 0.005

/* Operators of one type and one size, which are one point; or all of one type, for the finding. */
typedef struct
{
  const char *type;
  DynoOperator *slowest;
  guint n_operators;
  double time_ns;
  double flops;
  double bytes;
  DynoRoofsVerdict verdict;
  gboolean minor;
} Group;

typedef struct
{
  DynoRoofs roofs;
  GPtrArray *points;
  GPtrArray *types;
  double total_ns;
  double hidden_ns;
  guint n_hidden;
  guint n_minor;
} Operators;

static gboolean
has_work (DynoOperator *op)
{
  return dyno_operator_get_time_ns (op) > 0 && dyno_operator_get_calls (op) > 0 &&
         dyno_operator_get_flops (op) > 0 && dyno_operator_get_bytes (op) > 0;
}

/* Shares are of the time of all operators, so there are none where one has no time. */
static gboolean
has_operators (DynoResult *result)
{
  GPtrArray *operators = dyno_result_get_operators (result);

  if (!dyno_operator_times_are_known (result))
    return FALSE;
  for (guint i = 0; i < operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (operators, i);

      if (has_work (op))
        return TRUE;
    }
  return FALSE;
}

static void
add_to_group (GPtrArray *groups, GHashTable *by_key, char *key, DynoOperator *op)
{
  Group *group = g_hash_table_lookup (by_key, key);
  double calls = dyno_operator_get_calls (op);

  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->type = dyno_operator_get_op_type (op);
      g_ptr_array_add (groups, group);
      g_hash_table_insert (by_key, g_strdup (key), group);
    }
  if (group->slowest == NULL || dyno_operator_get_time_ns (op) > dyno_operator_get_time_ns (group->slowest))
    group->slowest = op;
  group->n_operators++;
  group->time_ns += dyno_operator_get_time_ns (op);
  group->flops += dyno_operator_get_flops (op) * calls;
  group->bytes += dyno_operator_get_bytes (op) * calls;
}

static double
get_intensity (const Group *group)
{
  return group->flops / group->bytes;
}

static double
get_rate (const Group *group)
{
  return group->flops / group->time_ns * 1e9;
}

static int
compare_intensities (gconstpointer a, gconstpointer b)
{
  double left = get_intensity (*(Group *const *)a);
  double right = get_intensity (*(Group *const *)b);

  return left < right ? -1 : left > right;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  double left = (*(Group *const *)a)->time_ns;
  double right = (*(Group *const *)b)->time_ns;

  return left > right ? -1 : left < right;
}

static void
judge (GPtrArray *groups, const DynoRoofs *roofs)
{
  for (guint i = 0; i < groups->len; i++)
    {
      Group *group = g_ptr_array_index (groups, i);

      dyno_roofs_judge (roofs, get_intensity (group), get_rate (group), &group->verdict);
    }
}

/* Operators live as long as their result does. */
static void
collect (Operators *self, const DynoChartCase *kase)
{
  GPtrArray *operators = dyno_result_get_operators (kase->result);
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) types = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (operators, i);
      g_autofree char *type = g_strdup (dyno_operator_get_op_type (op));
      g_autofree char *size = g_strdup_printf ("%s/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, type,
                                               dyno_operator_get_flops (op), dyno_operator_get_bytes (op));

      self->total_ns += dyno_operator_get_time_ns (op);
      if (!has_work (op))
        {
          self->n_hidden++;
          self->hidden_ns += dyno_operator_get_time_ns (op);
          continue;
        }
      add_to_group (self->points, sizes, size, op);
      add_to_group (self->types, types, type, op);
    }
  judge (self->points, &self->roofs);
  judge (self->types, &self->roofs);
  g_ptr_array_sort (self->points, compare_intensities);
  g_ptr_array_sort (self->types, compare_times);
}

static char *
dup_group_name (const Group *group)
{
  return group->n_operators > 1 ? g_strdup_printf ("%s ×%u", group->type, group->n_operators)
                                : g_strdup (group->type);
}

static char *
describe_group (const Operators *self, const Group *group)
{
  g_autofree char *name = dup_group_name (group);
  g_autofree char *percent = dyno_unit_format_percent (100 * group->time_ns / self->total_ns);
  g_autofree char *rate = dyno_unit_format (get_rate (group), "FLOP/s");
  g_autofree char *intensity = dyno_unit_format_significant (get_intensity (group));
  g_autofree char *share = NULL;

  if (group->verdict.roof == NULL)
    return g_strdup_printf (_ ("%s: %s %% of the time, %s at %s FLOP/byte"), name, percent, rate, intensity);
  if (group->verdict.above)
    return g_strdup_printf (
        _ ("%s: %s %% of the time, %s at %s FLOP/byte, above its roof: the roof or the FLOP count is wrong"),
        name, percent, rate, intensity);
  share = dyno_roofline_scene_describe_verdict (&group->verdict);
  /* Translators: a type of operators, its share of the time, rate and intensity, and how near to a roof it comes */
  return g_strdup_printf (_ ("%s: %s %% of the time, %s at %s FLOP/byte, %s"), name, percent, rate, intensity,
                          share);
}

static void
find_minor (Operators *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (self->points, NULL, NULL);
  double time_ns = 0;

  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_times);
  for (guint i = sorted->len; i > 1; i--)
    {
      Group *group = g_ptr_array_index (sorted, i - 1);

      time_ns += group->time_ns;
      if (time_ns > MINOR_SHARE * self->total_ns)
        return;
      group->minor = TRUE;
      self->n_minor++;
    }
}

static double
find_label_limit (const Operators *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (self->points, NULL, NULL);

  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_times);
  return ((Group *)g_ptr_array_index (sorted, MIN (sorted->len, MAX_LABELS) - 1))->time_ns;
}

static void
add_point (const Operators *self, DynoSeries *series, const Group *group, double factor, gboolean with_label)
{
  g_autofree char *text = describe_group (self, group);
  guint index = dyno_series_get_length (series);

  dyno_series_add_with_text (series, get_intensity (group), get_rate (group) * factor, text);
  dyno_series_set_weight (series, index, group->time_ns / self->total_ns);
  dyno_series_set_subject (series, index, group->slowest);
  dyno_series_set_flagged (series, index, group->verdict.above);
  if (with_label)
    dyno_series_set_label (series, index, group->type);
}

static void
add_series (const Operators *self, DynoChart *chart, double factor)
{
  double limit = find_label_limit (self);

  for (DynoOperatorKind kind = 0; kind < DYNO_N_OPERATOR_KINDS; kind++)
    {
      g_autoptr (DynoSeries) series = dyno_series_new (dyno_operator_kind_get_name (kind), kind);

      for (guint i = 0; i < self->points->len; i++)
        {
          const Group *group = g_ptr_array_index (self->points, i);

          if (dyno_operator_kind_from_type (group->type) == kind)
            add_point (self, series, group, factor, group->time_ns >= limit);
        }
      if (dyno_series_get_length (series) == 0)
        continue;
      dyno_chart_add_series (chart, series);
      dyno_chart_take_layer (chart, dyno_bubble_layer_new (series));
    }
}

/* --- words --- */

static const Group *
find_above (const Operators *self)
{
  for (guint i = 0; i < self->types->len; i++)
    {
      const Group *group = g_ptr_array_index (self->types, i);

      if (group->verdict.above && group->time_ns >= MIN_SHARE * self->total_ns)
        return group;
    }
  return NULL;
}

static const Group *
find_bound (const Operators *self)
{
  for (guint i = 1; i < self->types->len; i++)
    {
      const Group *group = g_ptr_array_index (self->types, i);

      if (group->verdict.memory_bound && !group->verdict.above &&
          group->time_ns >= MIN_SHARE * self->total_ns)
        return group;
    }
  return NULL;
}

static char *
describe_bound (const Group *group)
{
  const char *level = dyno_ceiling_get_level (group->verdict.roof);
  g_autofree char *percent = dyno_unit_format_percent (100 * group->verdict.share);

  g_autofree char *spread = dyno_unit_format_percent (100 * dyno_ceiling_get_spread (group->verdict.roof));

  if (dyno_ceiling_is_disturbed (group->verdict.roof))
    return g_strdup_printf (_ ("%s is %s-bound, at %s %% of a roof that varies by %s %%."), group->type,
                            level != NULL ? level : _ ("memory"), percent, spread);
  /* Translators: a type of operators, the memory that bounds it, and how much of that it reaches in per cent:
   * “LayerNormalization is DRAM-bound, at 84 %.” */
  return g_strdup_printf (_ ("%s is %s-bound, at %s %%."), group->type, level != NULL ? level : _ ("memory"),
                          percent);
}

static char *
describe (const Operators *self, const char *note)
{
  const Group *first = g_ptr_array_index (self->types, 0);
  const Group *above = find_above (self);
  const Group *bound = find_bound (self);
  g_autofree char *percent = dyno_unit_format_percent (100 * first->time_ns / self->total_ns);
  g_autofree char *share = NULL;
  g_autofree char *other = NULL;
  g_autofree char *sentence = NULL;

  if (first->verdict.roof == NULL)
    {
      sentence = g_strdup_printf (_ ("%s %% of the time in %s."), percent, first->type);
      return dyno_sentences_join (sentence, note);
    }
  if (above != NULL)
    return g_strdup_printf (
        _ ("%s %% of the time in %s. %s is above its roof: the roof or the FLOP count is wrong."), percent,
        first->type, above->type);
  share = dyno_roofline_scene_describe_verdict (&first->verdict);
  other = bound != NULL && dyno_ceiling_get_kind (bound->verdict.roof) == DYNO_CEILING_BANDWIDTH
              ? describe_bound (bound)
              : g_strdup ("");
  /* Translators: a share, a type of operators, and how near it comes to a roof:
   * “72 % of the time in MatMul at 61 % of the fp32 AVX2 roof.” */
  sentence = g_strdup_printf (_ ("%s %% of the time in %s at %s."), percent, first->type, share);
  return dyno_sentences_join (sentence, other);
}

static void
add_rows (const Operators *self, DynoChart *chart, const DynoChartCase *kase)
{
  DynoChartTable *table = dyno_chart_build_table (chart);

  dyno_chart_table_add_columns (table, _ ("Operators"), _ ("Kind"), _ ("Share of the time (%)"),
                                _ ("Intensity (FLOP/byte)"), _ ("Performance (GFLOP/s)"), _ ("Roof"),
                                _ ("% of roofline"), NULL);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Group *group = g_ptr_array_index (self->points, i);
      const DynoRoofsVerdict *verdict = &group->verdict;
      g_autofree char *name = dup_group_name (group);
      g_autofree char *roof = verdict->roof != NULL ? dyno_roofs_dup_name (verdict->roof) : NULL;

      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_text (table, name);
      dyno_chart_table_add_text (table,
                                 dyno_operator_kind_get_name (dyno_operator_kind_from_type (group->type)));
      dyno_chart_table_add_number (table, 100 * group->time_ns / self->total_ns);
      dyno_chart_table_add_number (table, get_intensity (group));
      dyno_chart_table_add_number (table, get_rate (group) / 1e9);
      dyno_chart_table_add_text (table, roof);
      dyno_chart_table_add_number (table, verdict->roof != NULL ? 100 * verdict->share : NAN);
    }
}

static char *
describe_hidden (const Operators *self)
{
  g_autofree char *percent = dyno_unit_format_percent (100 * self->hidden_ns / self->total_ns);

  if (self->n_hidden == 0)
    return g_strdup ("");
  return g_strdup_printf (
      ngettext ("%u operator without FLOPs, bytes or a time, %s %% of the time, is not shown.",
                "%u operators without FLOPs, bytes or a time, %s %% of the time, are not shown.",
                self->n_hidden),
      self->n_hidden, percent);
}

static void
add_caption (const Operators *self,
             DynoChart *chart,
             GPtrArray *cases,
             GPtrArray *shown,
             DynoRooflineScene *roofline,
             const char *note)
{
  g_autofree char *lines = dyno_roofline_scene_describe_lines (roofline);
  g_autofree char *disturbance = dyno_roofline_scene_describe_disturbance (roofline);
  g_autofree char *limited = dyno_chart_cases_dup_limited_caption (cases, shown, has_operators);
  g_autofree char *left_out = dyno_operator_times_dup_note (cases);
  g_autofree char *common = g_strconcat (limited, left_out, NULL);
  g_autofree char *hidden = describe_hidden (self);
  g_autofree char *above = NULL;
  GString *caption = g_string_new (common);
  guint n_above = 0;

  for (guint i = 0; i < self->points->len; i++)
    n_above += ((Group *)g_ptr_array_index (self->points, i))->verdict.above;
  above = dyno_roofline_scene_describe_above (n_above);
  g_string_append_printf (caption, "%s\n", disturbance);
  dyno_sentences_append (caption, lines);
  dyno_sentences_append (caption, _ ("The area of a disc is its share of the time."));
  dyno_sentences_append (caption, hidden);
  dyno_sentences_append (caption, above);
  dyno_sentences_append (caption, note);
  dyno_chart_take_caption (chart, g_string_free (caption, FALSE));
}

static void
fill_chart (DynoChart *chart, GPtrArray *cases, GPtrArray *shown)
{
  const DynoChartCase *kase = g_ptr_array_index (shown, 0);
  g_autoptr (DynoRooflineScene) roofline = dyno_roofline_scene_new (dyno_chart_get_aspect (chart) > 0);
  g_autoptr (GPtrArray) points = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) types = g_ptr_array_new_with_free_func (g_free);
  Operators self = { .points = points, .types = types };
  g_autofree char *note = NULL;

  dyno_roofs_find (&self.roofs, kase);
  collect (&self, kase);
  find_minor (&self);
  dyno_roofline_scene_add_case (roofline, kase);
  for (guint i = 0; i < points->len; i++)
    {
      const Group *group = g_ptr_array_index (points, i);

      dyno_roofline_scene_add_point (roofline, &self.roofs, get_intensity (group), get_rate (group),
                                     group->minor);
    }
  note = dyno_roofline_scene_dup_note (roofline);
  dyno_roofline_scene_fill (roofline, chart);
  add_series (&self, chart, dyno_roofline_scene_get_factor (roofline));
  add_rows (&self, chart, kase);
  dyno_chart_tell_doubtful (chart, shown);
  add_caption (&self, chart, cases, shown, roofline, note);
  dyno_chart_take_finding (chart, describe (&self, note));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) shown = dyno_chart_cases_select (cases, has_operators, 1);
  g_autofree char *reasons = dyno_operator_times_dup_reasons (cases);

  dyno_chart_take_title (chart, g_strdup (_ ("Roofline of the operators")));
  dyno_chart_set_empty_message (chart, reasons != NULL
                                           ? reasons
                                           : _ ("There are no times and sizes per operator. Measure with a "
                                                "backend that reports its operators, such as the CPU."));
  if (shown->len > 0)
    fill_chart (chart, cases, shown);
}

const DynoChartInfo dyno_roofline_operators_chart = {
  .name = "roofline-operators",
  .label = N_ ("Roofline of operators"),
  .group = DYNO_CHART_GROUP_LIMITS,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_HAS_ROOFS | DYNO_CHART_IS_WIDE,
  .build = build,
};

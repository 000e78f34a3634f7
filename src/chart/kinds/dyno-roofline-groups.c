/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* The number of points that get a name, starting with those that take the most time. */
#define MAX_LABELS 12
/* The finding leaves out smaller shares of the time. */
#define MIN_SHARE 0.02
/* The smallest points may be out of view at first if their total is no more than this share of the time. */
#define MINOR_SHARE 0.005

/* The operators of one point; or all of one family, for the finding. */
typedef struct _Group Group;
struct _Group
{
  char *name;
  char *series;
  guint slot;
  Group *family;
  const Group *longest; /* for a family: its point with the most time */
  DynoOperator *slowest;
  guint n_operators;
  double time_ns;
  double flops;
  double bytes;
  DynoRoofsVerdict verdict;
  gboolean minor;
};

struct _DynoRooflineGroups
{
  const DynoRooflineWords *words;
  const DynoChartCase *kase;
  DynoRoofs roofs;
  GPtrArray *points;
  GPtrArray *families;
  GHashTable *by_key;
  GHashTable *by_family;
  double total_ns;
  double hidden_ns;
  guint n_hidden;
};

static void
free_group (gpointer data)
{
  Group *self = data;

  g_free (self->name);
  g_free (self->series);
  g_free (self);
}

static void
groups_free (DynoRooflineGroups *self)
{
  g_ptr_array_unref (self->points);
  g_ptr_array_unref (self->families);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->by_family);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRooflineGroups, groups_free)

static Group *
enter (GPtrArray *groups,
       GHashTable *by_key,
       const char *key,
       const char *name,
       const DynoRooflineFamily *family)
{
  Group *group = g_hash_table_lookup (by_key, key);

  if (group != NULL)
    return group;
  group = g_new0 (Group, 1);
  group->name = g_strdup (name);
  group->series = g_strdup (family->series);
  group->slot = family->slot;
  g_ptr_array_add (groups, group);
  g_hash_table_insert (by_key, g_strdup (key), group);
  return group;
}

static void
count (Group *group, DynoOperator *op)
{
  double calls = dyno_operator_get_calls (op);

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

static char *
dup_group_name (const DynoRooflineGroups *self, const Group *group)
{
  return self->words->shows_count && group->n_operators > 1
             ? g_strdup_printf ("%s ×%u", group->name, group->n_operators)
             : g_strdup (group->name);
}

static char *
describe_group (const DynoRooflineGroups *self, const Group *group)
{
  g_autofree char *name = dup_group_name (self, group);
  g_autofree char *percent = dyno_unit_format_percent (100 * group->time_ns / self->total_ns);
  g_autofree char *rate = dyno_unit_format (get_rate (group), "FLOP/s");
  g_autofree char *intensity = dyno_unit_format_significant (get_intensity (group));

  if (group->verdict.roof == NULL)
    return g_strdup_printf (_ ("%s: %s %% of the time, %s at %s FLOP/byte"), name, percent, rate, intensity);
  if (group->verdict.above)
    return g_strdup_printf (
        _ ("%s: %s %% of the time, %s at %s FLOP/byte, above its roof: the roof or the FLOP count is wrong"),
        name, percent, rate, intensity);
  g_autofree char *share = dyno_roofline_scene_describe_verdict (&group->verdict);
  /* Translators: a type of operators, its share of the time, rate and intensity, and how near to a roof it comes */
  return g_strdup_printf (_ ("%s: %s %% of the time, %s at %s FLOP/byte, %s"), name, percent, rate, intensity,
                          share);
}

/* Lists the points, those that take the longest first. */
static GPtrArray *
sort_by_time (const DynoRooflineGroups *self)
{
  GPtrArray *sorted = g_ptr_array_copy (self->points, NULL, NULL);

  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_times);
  return sorted;
}

static void
find_minor (DynoRooflineGroups *self)
{
  g_autoptr (GPtrArray) sorted = sort_by_time (self);
  double time_ns = 0;

  for (guint i = sorted->len; i > 1; i--)
    {
      Group *group = g_ptr_array_index (sorted, i - 1);

      time_ns += group->time_ns;
      if (time_ns > MINOR_SHARE * self->total_ns)
        return;
      group->minor = TRUE;
    }
}

static void
add_series (const DynoRooflineGroups *self, DynoChart *chart, double factor)
{
  g_autoptr (GPtrArray) sorted = sort_by_time (self);
  const Group *last = g_ptr_array_index (sorted, MIN (sorted->len, MAX_LABELS) - 1);

  for (guint slot = 0; slot < DYNO_ROOFLINE_MAX_SERIES; slot++)
    {
      g_autoptr (DynoSeries) series = NULL;

      for (guint i = 0; i < self->points->len; i++)
        {
          const Group *group = g_ptr_array_index (self->points, i);

          if (group->slot != slot)
            continue;
          if (series == NULL)
            series = dyno_series_new (group->series, slot);
          g_autofree char *text = describe_group (self, group);
          guint index = dyno_series_get_length (series);
          if (!dyno_series_add_with_text (series, get_intensity (group), get_rate (group) * factor, text))
            continue;
          dyno_series_set_weight (series, index, group->time_ns / self->total_ns);
          dyno_series_set_subject (series, index, group->slowest);
          dyno_series_set_flagged (series, index, group->verdict.above);
          /* If families are labelled once, one point represents the others. */
          if (self->words->labels_once ? group == group->family->longest : group->time_ns >= last->time_ns)
            dyno_series_set_label (series, index, group->name);
        }
      if (series == NULL)
        continue;
      dyno_chart_add_series (chart, series);
      dyno_chart_take_layer (chart, dyno_bubble_layer_new (series));
    }
}

/* --- words --- */

static char *
describe_bound (const Group *group)
{
  const char *level = dyno_ceiling_get_level (group->verdict.roof);
  g_autofree char *percent = dyno_unit_format_percent (100 * group->verdict.share);
  g_autofree char *spread = dyno_unit_format_percent (100 * dyno_ceiling_get_spread (group->verdict.roof));

  if (dyno_ceiling_is_disturbed (group->verdict.roof))
    return g_strdup_printf (_ ("%s is %s-bound, at %s %% of a roof that varies by %s %%."), group->name,
                            level != NULL ? level : _ ("memory"), percent, spread);
  /* Translators: a type of operators, the memory that bounds it, and how much of that it reaches in per cent:
   * “LayerNormalization is DRAM-bound, at 84 %.” */
  return g_strdup_printf (_ ("%s is %s-bound, at %s %%."), group->name, level != NULL ? level : _ ("memory"),
                          percent);
}

static char *
describe (const DynoRooflineGroups *self, const char *note)
{
  const Group *first = g_ptr_array_index (self->families, 0);
  const Group *above = NULL;
  const Group *bound = NULL;
  g_autofree char *percent = dyno_unit_format_percent (100 * first->time_ns / self->total_ns);
  g_autofree char *sentence = NULL;

  for (guint i = 0; i < self->families->len; i++)
    {
      const Group *group = g_ptr_array_index (self->families, i);
      const DynoRoofsVerdict *verdict = &group->verdict;

      if (group->time_ns < MIN_SHARE * self->total_ns)
        continue;
      if (verdict->above && above == NULL)
        above = group;
      if (i > 0 && verdict->memory_bound && !verdict->is_far && !verdict->is_doubtful && !verdict->above &&
          bound == NULL)
        bound = group;
    }
  if (first->verdict.roof == NULL)
    {
      sentence = g_strdup_printf (_ ("%s %% of the time in %s."), percent, first->name);
      return dyno_sentences_join (sentence, note);
    }
  if (above != NULL)
    return g_strdup_printf (
        _ ("%s %% of the time in %s. %s is above its roof: the roof or the FLOP count is wrong."), percent,
        first->name, above->name);
  g_autofree char *share = dyno_roofline_scene_describe_verdict (&first->verdict);
  g_autofree char *other =
      bound != NULL && dyno_ceiling_get_kind (bound->verdict.roof) == DYNO_CEILING_BANDWIDTH
          ? describe_bound (bound)
          : g_strdup ("");
  /* Translators: a share, a type of operators, and how near it comes to a roof:
   * “72 % of the time in MatMul at 61 % of the fp32 AVX2 roof.” */
  sentence = g_strdup_printf (_ ("%s %% of the time in %s at %s."), percent, first->name, share);
  return dyno_sentences_join (sentence, other);
}

static void
add_rows (const DynoRooflineGroups *self, DynoChart *chart)
{
  DynoChartTable *table = dyno_chart_build_table (chart);

  dyno_chart_table_add_columns (table, self->words->point, self->words->series, _ ("Share of the time (%)"),
                                _ ("Intensity (FLOP/byte)"), _ ("Performance (GFLOP/s)"), _ ("Roof"),
                                _ ("% of roofline"), NULL);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Group *group = g_ptr_array_index (self->points, i);
      const DynoRoofsVerdict *verdict = &group->verdict;
      g_autofree char *name = dup_group_name (self, group);
      g_autofree char *roof = verdict->roof != NULL ? dyno_ceiling_dup_name (verdict->roof) : NULL;

      dyno_chart_table_begin_row (table, self->kase);
      dyno_chart_table_add_text (table, name);
      dyno_chart_table_add_text (table, group->series);
      dyno_chart_table_add_number (table, 100 * group->time_ns / self->total_ns);
      dyno_chart_table_add_number (table, get_intensity (group));
      dyno_chart_table_add_number (table, get_rate (group) / 1e9);
      dyno_chart_table_add_text (table, roof);
      dyno_chart_table_add_number (table, verdict->roof != NULL ? 100 * verdict->share : NAN);
    }
}

static void
add_caption (const DynoRooflineGroups *self, DynoChart *chart, DynoRooflineScene *roofline, const char *note)
{
  g_autofree char *lines = dyno_roofline_scene_describe_lines (roofline);
  g_autofree char *disturbance = dyno_roofline_scene_describe_disturbance (roofline);
  g_autofree char *percent = dyno_unit_format_percent (100 * self->hidden_ns / self->total_ns);
  g_autofree char *hidden = NULL;
  GString *caption = g_string_new (dyno_chart_get_caption (chart));
  guint n_above = 0;

  if (self->n_hidden > 0)
    hidden = g_strdup_printf (
        ngettext ("%u operator without FLOPs, bytes or a time, %s %% of the time, is not shown.",
                  "%u operators without FLOPs, bytes or a time, %s %% of the time, are not shown.",
                  self->n_hidden),
        self->n_hidden, percent);
  for (guint i = 0; i < self->points->len; i++)
    n_above += ((Group *)g_ptr_array_index (self->points, i))->verdict.above;
  g_autofree char *above = dyno_roofline_scene_describe_above (n_above);
  g_string_append_printf (caption, "%s\n", disturbance);
  dyno_sentences_append (caption, lines);
  dyno_sentences_append (caption, _ ("The area of a disc is its share of the time."));
  dyno_sentences_append (caption, hidden);
  dyno_sentences_append (caption, above);
  dyno_sentences_append (caption, note);
  dyno_chart_take_caption (chart, g_string_free (caption, FALSE));
}

void
dyno_roofline_groups_add (DynoRooflineGroups *self,
                          DynoOperator *op,
                          const char *key,
                          const char *name,
                          const DynoRooflineFamily *family)
{
  Group *point = enter (self->points, self->by_key, key, name, family);

  point->family = enter (self->families, self->by_family, family->name, family->name, family);
  count (point, op);
  count (point->family, op);
  self->total_ns += dyno_operator_get_time_ns (op);
}

void
dyno_roofline_groups_hide (DynoRooflineGroups *self, DynoOperator *op)
{
  self->n_hidden++;
  self->hidden_ns += dyno_operator_get_time_ns (op);
  self->total_ns += dyno_operator_get_time_ns (op);
}

static void
show (DynoRooflineGroups *self, DynoChart *chart)
{
  g_autoptr (DynoRooflineScene) roofline = dyno_roofline_scene_new (dyno_chart_get_aspect (chart) > 0);

  /* Operators without arithmetic have no place on a roofline. */
  for (guint i = self->points->len; i > 0; i--)
    {
      const Group *group = g_ptr_array_index (self->points, i - 1);

      if (group->flops > 0)
        continue;
      self->n_hidden += group->n_operators;
      self->hidden_ns += group->time_ns;
      g_ptr_array_remove_index (self->points, i - 1);
    }
  for (guint i = self->families->len; i > 0; i--)
    if (!(((Group *)g_ptr_array_index (self->families, i - 1))->flops > 0))
      g_ptr_array_remove_index (self->families, i - 1);
  if (self->points->len == 0)
    return;
  judge (self->points, &self->roofs);
  judge (self->families, &self->roofs);
  g_ptr_array_sort (self->points, compare_intensities);
  g_ptr_array_sort (self->families, compare_times);
  for (guint i = 0; i < self->points->len; i++)
    {
      Group *group = g_ptr_array_index (self->points, i);

      if (group->family->longest == NULL || group->time_ns > group->family->longest->time_ns)
        group->family->longest = group;
    }
  find_minor (self);
  dyno_roofline_scene_add_case (roofline, self->kase, NULL);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Group *group = g_ptr_array_index (self->points, i);

      dyno_roofline_scene_add_point (roofline, &self->roofs, get_intensity (group), get_rate (group),
                                     group->minor);
    }
  g_autofree char *note = dyno_roofline_scene_dup_note (roofline);
  dyno_roofline_scene_fill (roofline, chart);
  add_series (self, chart, dyno_roofline_scene_get_factor (roofline));
  add_rows (self, chart);
  add_caption (self, chart, roofline, note);
  dyno_chart_take_finding (chart, describe (self, note));
}

char *
dyno_roofline_groups_dup_empty_message (GPtrArray *cases)
{
  char *reasons = dyno_operator_times_dup_reasons (cases);

  return reasons != NULL ? reasons
                         : g_strdup (_ ("There are no times and sizes per operator. Measure with a backend "
                                        "that reports its operators, such as the CPU."));
}

void
dyno_roofline_groups_build (DynoChart *chart,
                            GPtrArray *cases,
                            const DynoRooflineWords *words,
                            DynoRooflineFill fill)
{
  g_autoptr (DynoRooflineGroups) groups = g_new0 (DynoRooflineGroups, 1);
  g_autofree char *left_out = dyno_operator_times_dup_note (dyno_chart_get_cases (chart));

  groups->words = words;
  groups->kase = g_ptr_array_index (cases, 0);
  groups->points = g_ptr_array_new_with_free_func (free_group);
  groups->families = g_ptr_array_new_with_free_func (free_group);
  groups->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  groups->by_family = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  dyno_roofs_find (&groups->roofs, groups->kase, NULL);
  dyno_chart_take_caption (chart, g_strconcat (dyno_chart_get_caption (chart), left_out, NULL));
  dyno_operator_times_tell_selection (chart);
  fill (groups, groups->kase->result);
  show (groups, chart);
}

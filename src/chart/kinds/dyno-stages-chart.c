/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* The hatched rest of a step, in slate. */
#define REST_SLOT  15
#define LEAST_REST 0.5

/* The parts of a step under their cases, one series for each stage. */
typedef struct
{
  DynoChart *chart;
  gboolean as_times;
  GPtrArray *series;
  DynoSeries *rest;
} Parts;

static gboolean
has_stages (DynoResult *result)
{
  g_autoptr (GArray) stages = dyno_stage_times_list (result);

  return stages->len > 1;
}

static DynoSeries *
find_series (Parts *self, const char *name)
{
  for (guint i = 0; i < self->series->len; i++)
    if (g_str_equal (dyno_series_get_name (self->series->pdata[i]), name))
      return self->series->pdata[i];
  g_ptr_array_add (self->series, dyno_series_new (name, self->series->len));
  return self->series->pdata[self->series->len - 1];
}

static void
add_piece (DynoSeries *series,
           const DynoChartCase *kase,
           guint row,
           double begin,
           double end,
           const char *label,
           const char *text)
{
  guint index = dyno_series_get_length (series);

  if (!(end > begin) || !dyno_series_add_with_band (series, row, end, begin, end))
    return;
  dyno_series_set_label (series, index, label);
  dyno_series_set_text (series, index, text);
  dyno_series_set_subject (series, index, kase->subject);
}

/* Returns where the stage ends. */
static double
add_stage (Parts *self,
           const DynoChartCase *kase,
           const char *name,
           guint row,
           const DynoStageTime *stage,
           double begin)
{
  DynoChartTable *table = dyno_chart_build_table (self->chart);
  double amount = self->as_times ? stage->p50_ms : stage->percent;
  g_autofree char *percent = dyno_unit_format_percent (stage->percent);
  g_autofree char *time = isfinite (stage->p50_ms) ? dyno_unit_format (stage->p50_ms, "ms") : NULL;
  g_autofree char *run = isfinite (stage->run_ms) ? dyno_unit_format (stage->run_ms, "ms") : NULL;
  g_autofree char *handover =
      isfinite (stage->handover_ms) ? dyno_unit_format (stage->handover_ms, "ms") : NULL;
  g_autofree char *share = g_strdup_printf ("%s %%", percent);
  g_autofree char *label =
      g_strdup_printf ("%s · %s", stage->name, self->as_times && time != NULL ? time : share);
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: a case, a part of its model such as “decoder”, and its share of the time in per cent */
  g_string_append_printf (text, _ ("%s, %s: %s %% of the time"), name, stage->name, percent);
  if (time != NULL)
    g_string_append_printf (text, ", %s", time);
  if (run != NULL)
    /* Translators: the time of one run of a part of a model that runs several times */
    g_string_append_printf (text, _ (", %s for each of its runs"), run);
  if (handover != NULL)
    /* Translators: the time of copying the inputs of a part of a model from another device */
    g_string_append_printf (text, _ (", after %s for its inputs from another device"), handover);
  add_piece (find_series (self, stage->name), kase, row, begin, begin + amount, label, text->str);

  dyno_chart_table_begin_row (table, kase);
  dyno_chart_table_add_text (table, stage->name);
  dyno_chart_table_add_number (table, stage->percent);
  dyno_chart_table_add_number (table, stage->p50_ms);
  dyno_chart_table_add_number (table, stage->run_ms);
  dyno_chart_table_add_number (table, stage->handover_ms);
  dyno_chart_table_add_number (table, stage->roof_ms);
  dyno_chart_table_add_text (table, stage->is_compute_bound  ? _ ("compute")
                                    : stage->is_memory_bound ? _ ("memory")
                                                             : NULL);
  dyno_chart_table_add_number (table, stage->flops / 1e9);
  dyno_chart_table_add_number (table, stage->weights_mb);
  dyno_chart_table_add_number (table, stage->peak_mb);
  return amount > 0 ? begin + amount : begin;
}

/* Returns where its step ends. */
static double
add_case (Parts *self, const DynoChartCase *kase, const char *name, guint row)
{
  g_autoptr (GArray) stages = dyno_stage_times_list (kase->result);
  double end = 0;

  for (guint i = 0; i < stages->len; i++)
    end = add_stage (self, kase, name, row, &g_array_index (stages, DynoStageTime, i), end);
  if (self->as_times || 100 - end < LEAST_REST)
    return end;
  g_autofree char *percent = dyno_unit_format_percent (100 - end);
  /* Translators: a case, and a share of its time in per cent */
  g_autofree char *text = g_strdup_printf (_ ("%s, between the stages: %s %% of the time"), name, percent);

  add_piece (self->rest, kase, row, end, 100, NULL, text);
  return 100;
}

static char *
describe (GPtrArray *cases, guint varying)
{
  g_autofree char *name = NULL;
  g_autofree char *first = NULL;
  double least = INFINITY, most = 0;
  gboolean is_same = TRUE;
  g_autofree char *bound = NULL;

  for (guint i = 0; i < cases->len; i++)
    {
      g_autoptr (GArray) stages = dyno_stage_times_list (((DynoChartCase *)cases->pdata[i])->result);
      const DynoStageTime *longest = dyno_stage_times_find_longest (stages);

      if (i == 0)
        {
          name = g_strdup (longest->name);
          first = dyno_unit_format_percent (longest->percent);
          bound = dyno_stage_time_dup_bound (longest, ((DynoChartCase *)cases->pdata[i])->result);
        }
      is_same &= g_str_equal (name, longest->name);
      least = MIN (least, longest->percent);
      most = MAX (most, longest->percent);
    }
  g_autofree char *low = dyno_unit_format_percent (least);
  g_autofree char *high = dyno_unit_format_percent (most);
  g_autofree char *kase = dyno_chart_cases_dup_name (cases->pdata[0], varying);
  if (cases->len == 1)
    {
      /* Translators: a part of a model such as “decoder”, and its share of the time in per cent */
      g_autofree char *takes = g_strdup_printf (_ ("“%s” takes %s %% of the time."), name, first);

      return g_strjoin (" ", takes, bound, NULL);
    }
  if (!is_same)
    /* Translators: a case, a part of its model, and its share of the time in per cent */
    return g_strdup_printf (_ ("In %s, “%s” takes the most time, %s %%; in others another stage does."), kase,
                            name, first);
  /* Translators: a part of models such as “decoder”, and the range of its share of the time in per cent */
  return g_strdup_printf (_ ("“%s” takes the most time in all cases: %s to %s %%."), name, low, high);
}

static char *
describe_memory (GPtrArray *cases)
{
  double peak = dyno_result_get_number (((DynoChartCase *)cases->pdata[0])->result, "memory_peak_mb");
  g_autofree char *amount = dyno_unit_format (peak, "MB");
  g_autoptr (GArray) stages = dyno_stage_times_list (((DynoChartCase *)cases->pdata[0])->result);
  g_autoptr (GString) peaks = g_string_new (NULL);

  for (guint i = 0; cases->len == 1 && i < stages->len; i++)
    {
      const DynoStageTime *stage = &g_array_index (stages, DynoStageTime, i);
      g_autofree char *own = dyno_unit_format (stage->peak_mb, "MB");

      if (isfinite (stage->peak_mb))
        g_string_append_printf (peaks, "%s%s %s", peaks->len > 0 ? ", " : "", stage->name, own);
    }
  if (peaks->len > 0)
    /* Translators: parts of a model, each with an amount of memory: “vision 420 MB, decoder 1.3 GB” */
    return g_strdup_printf (_ ("Peak memory in the runtime’s allocator: %s."), peaks->str);
  if (cases->len > 1 || !isfinite (peak))
    return g_strdup (_ ("Memory was measured of the whole model, not of each stage."));
  /* Translators: an amount of memory */
  return g_strdup_printf (_ ("Memory was measured of the whole model, not of each stage: %s at its peak."),
                          amount);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoSeries) rest = dyno_series_new (_ ("between the stages"), REST_SLOT);
  Parts self = { chart, dyno_chart_get_aspect (chart) > 0, all, rest };
  DynoAxis *rows = dyno_category_axis_new (_ ("Case"));
  DynoAxis *along = NULL;
  double longest = 0;

  dyno_series_set_mark (rest, DYNO_MARK_HATCH);
  dyno_chart_table_add_case_columns (dyno_chart_build_table (chart), cases, 0);
  dyno_chart_table_add_columns (
      dyno_chart_build_table (chart), _ ("Stage"), _ ("Share of the time (%)"), _ ("Time in a step (ms)"),
      _ ("Time of one run (ms)"), _ ("Hand-over from another device (ms)"), _ ("Shortest by the roofs (ms)"),
      _ ("Bound by"), _ ("Work (GFLOP)"), _ ("Weights (MB)"), _ ("Peak memory (MB)"), NULL);
  for (guint i = 0; i < cases->len; i++)
    {
      g_autofree char *name = dyno_chart_cases_dup_marked_name (cases->pdata[i], varying, "latency_p50_ms");
      guint row = dyno_category_axis_add (DYNO_CATEGORY_AXIS (rows), name);
      double end = add_case (&self, cases->pdata[i], name, row);
      longest = MAX (longest, end);
    }
  if (self.as_times)
    along = dyno_linear_axis_new_nice (_ ("Time of a step"), "ms", 0, longest);
  else
    {
      along = dyno_linear_axis_new (_ ("Share of a step"), "%");
      dyno_axis_set_range (along, 0, MAX (longest, 100));
    }
  dyno_axis_set_zoomable (along, TRUE);
  dyno_chart_take_axes (chart, along, rows);
  if (dyno_series_get_length (rest) > 0)
    g_ptr_array_add (all, g_object_ref (rest));
  for (guint i = 0; i < all->len; i++)
    {
      dyno_chart_add_series (chart, all->pdata[i]);
      dyno_chart_take_layer (chart, dyno_strip_layer_new (all->pdata[i]));
    }
  dyno_chart_add_aspect (chart, _ ("Share of the time"));
  dyno_chart_add_aspect (chart, _ ("Time"));
  g_autofree char *memory = describe_memory (cases);
  dyno_chart_take_caption (chart, g_strdup_printf ("%s\n%s", dyno_chart_get_caption (chart), memory));
  dyno_chart_take_finding (chart, describe (cases, varying));
}

const DynoChartInfo dyno_stages_chart = {
  .name = "stages",
  .label = N_ ("Stages of the model"),
  .empty = N_ ("No model has several stages."),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_OF_STAGES | DYNO_CHART_IS_WIDE,
  .has_data = has_stages,
  .limit = DYNO_CHART_MAX_CASES,
  .build = build,
};

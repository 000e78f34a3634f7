/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-comparison.h"
#include "dyno-report.h"

static void
add_run (JsonBuilder *builder, const DynoHistoryPoint *point)
{
  g_autofree char *started_at = dyno_report_text_format_time (point->started_at);

  dyno_report_member_add_text (builder, "run", point->run_id);
  dyno_report_member_add_count (builder, "ordinal", point->ordinal);
  dyno_report_member_add_text (builder, "started_at", started_at);
}

static void
add_segment (JsonBuilder *builder,
             const DynoHistory *history,
             const DynoHistoryTrend *trend,
             const DynoHistorySegment *segment)
{
  DynoVerdict verdict = dyno_history_get_verdict (history, segment);

  json_builder_begin_object (builder);
  add_run (builder, trend->points->pdata[segment->first]);
  dyno_report_member_add_count (builder, "steady_runs", segment->n);
  dyno_report_member_add_number (builder, "level", segment->level);
  dyno_report_member_add_number (builder, "ratio", segment->ratio);
  dyno_report_member_add_text (
      builder, "verdict", isnan (segment->ratio) ? NULL : dyno_verdict_to_string (verdict, history->metric));

  json_builder_set_member_name (builder, "changed");
  json_builder_begin_array (builder);
  for (guint i = 0; segment->changes != NULL && i < segment->changes->len; i++)
    {
      const DynoSideDifference *change = segment->changes->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "name", change->name);
      dyno_report_member_add_text (builder, "before", change->baseline);
      dyno_report_member_add_text (builder, "after", change->value);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);

  json_builder_end_object (builder);
}

static void
add_trend (JsonBuilder *builder, const DynoHistory *history, const DynoHistoryTrend *trend)
{
  g_autofree char *answer = dyno_history_dup_answer (history, trend);

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "label", trend->label);
  dyno_report_member_add_text (builder, "unit", trend->unit);
  dyno_report_member_add_text (builder, "answer", answer);
  dyno_report_member_add_count (builder, "steady_runs", trend->n_steady);
  dyno_report_member_add_count (builder, "runs_needed", DYNO_HISTORY_MIN_RUNS);
  json_builder_set_member_name (builder, "segments");
  json_builder_begin_array (builder);
  for (guint i = 0; i < trend->segments->len; i++)
    add_segment (builder, history, trend, trend->segments->pdata[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "points");
  json_builder_begin_array (builder);
  for (guint i = 0; i < trend->points->len; i++)
    {
      const DynoHistoryPoint *point = trend->points->pdata[i];

      json_builder_begin_object (builder);
      add_run (builder, point);
      dyno_report_member_add_number (builder, "value", point->value);
      dyno_report_member_add_number (builder, "low", point->low);
      dyno_report_member_add_number (builder, "high", point->high);
      dyno_report_member_add_count (builder, "processes", point->n_processes);
      dyno_report_member_add_flag (builder, "is_steady", point->is_steady);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

JsonNode *
dyno_report_history_to_json (const DynoHistory *history)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "metric", history->metric);
  dyno_report_member_add_number (builder, "threshold", history->threshold);
  dyno_report_member_add_number (builder, "noise_floor",
                                 dyno_self_test_get_floor (history->self_test, history->metric));
  json_builder_set_member_name (builder, "cases");
  json_builder_begin_array (builder);
  for (guint i = 0; i < history->trends->len; i++)
    add_trend (builder, history, history->trends->pdata[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "baselines");
  json_builder_begin_array (builder);
  for (guint i = 0; i < history->baselines->len; i++)
    {
      const DynoBaseline *baseline = history->baselines->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "name", baseline->name);
      dyno_report_member_add_text (builder, "run", baseline->run_id);
      dyno_report_member_add_flag (builder, "is_kept", baseline->is_kept);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report.h"

static void
add_cases (JsonBuilder *builder, const DynoComparison *self)
{
  json_builder_set_member_name (builder, "cases");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoComparedCase *kase = g_ptr_array_index (self->cases, i);

      json_builder_begin_object (builder);
      dyno_report_member_add_count (builder, "side", kase->side);
      dyno_report_member_add_text (builder, "label", kase->label);
      dyno_report_member_add_count (builder, "baseline_ordinal", dyno_result_get_ordinal (kase->baseline));
      dyno_report_member_add_count (builder, "ordinal", dyno_result_get_ordinal (kase->result));
      dyno_report_member_add_number (builder, "baseline_value", kase->baseline_value);
      dyno_report_member_add_number (builder, "value", kase->value);
      dyno_report_member_add_number (builder, "ratio", kase->ratio);
      dyno_report_member_add_number (builder, "ratio_low", kase->low);
      dyno_report_member_add_number (builder, "ratio_high", kase->high);
      dyno_report_member_add_number (builder, "p_value", kase->p_value);
      dyno_report_member_add_number (builder, "confidence", kase->confidence);
      dyno_report_member_add_number (builder, "cliffs_delta", kase->effect);
      dyno_report_member_add_count (builder, "baseline_processes", kase->n_baseline);
      dyno_report_member_add_count (builder, "processes", kase->n);
      dyno_report_member_add_number (builder, "baseline_effective_samples", kase->effective_baseline);
      dyno_report_member_add_number (builder, "effective_samples", kase->effective);
      dyno_report_member_add_count (builder, "processes_needed", kase->n_needed);
      dyno_report_member_add_flag (builder, "in_blocks", kase->in_blocks);
      dyno_report_member_add_count (builder, "rounds", kase->n_rounds);
      dyno_report_member_add_number (builder, "noise_floor", kase->noise_floor);
      dyno_report_member_add_text (builder, "verdict", dyno_verdict_to_string (kase->verdict, self->metric));
      dyno_report_member_add_text (builder, "reason", kase->reason);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_left_out (JsonBuilder *builder, const DynoComparison *self)
{
  json_builder_set_member_name (builder, "left_out");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->left_out->len; i++)
    {
      const DynoLeftOutCase *kase = g_ptr_array_index (self->left_out, i);

      json_builder_begin_object (builder);
      dyno_report_member_add_count (builder, "side", kase->side);
      dyno_report_member_add_text (builder, "label", kase->label);
      dyno_report_member_add_text (builder, "reason", kase->reason);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_differences (JsonBuilder *builder, const DynoComparison *self)
{
  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->differences->len; i++)
    {
      const DynoSideDifference *difference = g_ptr_array_index (self->differences, i);

      json_builder_begin_object (builder);
      dyno_report_member_add_count (builder, "side", difference->side);
      dyno_report_member_add_text (builder, "name", difference->name);
      dyno_report_member_add_text (builder, "baseline", difference->baseline);
      dyno_report_member_add_text (builder, "value", difference->value);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
dyno_report_comparison_to_json (const DynoComparison *comparison)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *headline = dyno_comparison_dup_headline (comparison);
  g_autofree char *summary = dyno_comparison_dup_summary (comparison);
  g_autofree char *answer = dyno_comparison_dup_answer (comparison);
  g_autofree char *remark = dyno_comparison_dup_remark (comparison);
  g_autofree char *evidence = dyno_comparison_dup_evidence (comparison);
  g_autofree char *cost = dyno_comparison_dup_cost (comparison);

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "metric", comparison->metric);
  dyno_report_member_add_text (builder, "unit", comparison->unit);
  dyno_report_member_add_number (builder, "threshold", comparison->threshold);
  dyno_report_member_add_number (builder, "noise_floor", dyno_comparison_get_noise_floor (comparison));
  json_builder_set_member_name (builder, "sides");
  json_builder_begin_array (builder);
  for (guint i = 0; i < comparison->sides->len; i++)
    {
      const DynoComparisonSide *side = g_ptr_array_index (comparison->sides, i);

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "title", side->id);
      dyno_report_member_add_text (builder, "run", dyno_run_get_id (side->run));
      dyno_report_member_add_flag (builder, "is_baseline", i == comparison->baseline);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  dyno_report_member_add_text (builder, "headline", headline);
  dyno_report_member_add_text (builder, "summary", summary);
  dyno_report_member_add_text (builder, "answer", answer);
  dyno_report_member_add_text (builder, "remark", remark);
  dyno_report_member_add_text (builder, "evidence", evidence);
  if (cost != NULL)
    dyno_report_member_add_text (builder, "cost", cost);
  add_cases (builder, comparison);
  add_left_out (builder, comparison);
  add_differences (builder, comparison);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

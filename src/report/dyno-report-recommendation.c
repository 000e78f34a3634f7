/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report-private.h"
#include "dyno-report.h"

static void
add_candidates (JsonBuilder *builder, const char *name, const DynoRecommendation *self, GPtrArray *candidates)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < candidates->len; i++)
    {
      const DynoCandidate *candidate = candidates->pdata[i];
      DynoCase *kase = dyno_result_get_case (candidate->result);

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "choice", candidate->label);
      dyno_report_member_add_text (builder, "run", dyno_run_get_id (candidate->run));
      dyno_report_member_add_text (builder, "model", dyno_case_get_model (kase));
      dyno_report_member_add_case (builder, candidate->result);
      dyno_report_member_add_text (builder, "pinning", dyno_case_get_pinning (kase));
      dyno_report_member_add_number (builder, "sequence_length", dyno_case_get_sequence_length (kase));
      for (guint k = 0; k < DYNO_N_OBJECTIVES; k++)
        dyno_report_member_add_number (
            builder, dyno_objective_get_metric (k),
            dyno_result_get_number (candidate->result, dyno_objective_get_metric (k)));
      dyno_report_member_add_number (builder, "latency_p90_ms",
                                     dyno_result_get_number (candidate->result, "latency_p90_ms"));
      if (self->goal.price.per_hour > 0)
        {
          g_autofree char *source = dyno_price_dup_source (&self->goal.price, candidate->result);

          dyno_report_member_add_number (builder, "estimated_cost_per_million",
                                         dyno_price_get_cost (&self->goal.price, candidate->result));
          dyno_report_member_add_text (builder, "cost_source", source);
        }
      dyno_report_member_add_standing (builder, &self->goal, candidate);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
dyno_report_recommendation_to_json (const DynoRecommendation *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *goal = dyno_goal_to_string (&self->goal);

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "goal", goal);
  json_builder_set_member_name (builder, "limits");
  json_builder_begin_object (builder);
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    dyno_report_member_add_number (builder, dyno_limit_to_string (i), self->goal.limits[i]);
  json_builder_end_object (builder);
  dyno_report_member_add_text (builder, "row_axis", self->row_axis);
  dyno_report_member_add_text (builder, "column_axis", self->column_axis);
  dyno_report_member_add_number (builder, "measured_cases", self->n_cases);
  dyno_report_member_add_number (builder, "runs", self->runs->len);
  dyno_report_member_add_number (builder, "runs_of_other_machines", self->other_runs->len);
  dyno_report_member_add_number (builder, "runs_of_other_tools", self->imported_runs->len);

  json_builder_set_member_name (builder, "cells");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "row", self->rows->pdata[i / self->columns->len]);
      dyno_report_member_add_text (builder, "column", self->columns->pdata[i % self->columns->len]);
      dyno_report_member_add_text (builder, "state", dyno_recommendation_state_to_string (cell->state));
      add_candidates (builder, "candidates", self, cell->candidates);
      add_candidates (builder, "refused", self, cell->refused);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);

  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

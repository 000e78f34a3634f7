/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-report-private.h"
#include "dyno-report.h"

/* Writes null for NULL. */
void
dyno_report_member_add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

void
dyno_report_member_add_string (JsonBuilder *builder, const char *name, const char *text)
{
  dyno_report_member_add_text (builder, name, text != NULL ? text : "");
}

/* JSON has no NaN; write null. */
void
dyno_report_member_add_number (JsonBuilder *builder, const char *name, double number)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (number))
    json_builder_add_double_value (builder, number);
  else
    json_builder_add_null_value (builder);
}

void
dyno_report_member_add_count (JsonBuilder *builder, const char *name, gint64 count)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, count);
}

void
dyno_report_member_add_flag (JsonBuilder *builder, const char *name, gboolean flag)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, flag);
}

void
dyno_report_member_add_case (JsonBuilder *builder, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);

  dyno_report_member_add_number (builder, "ordinal", dyno_result_get_ordinal (result));
  dyno_report_member_add_text (builder, "backend", dyno_case_get_backend (kase));
  dyno_report_member_add_text (builder, "device", dyno_case_get_device (kase));
  dyno_report_member_add_text (builder, "precision", dyno_case_get_precision (kase));
  dyno_report_member_add_text (builder, "options", dyno_case_get_options (kase));
  dyno_report_member_add_number (builder, "threads", dyno_case_get_threads (kase));
  dyno_report_member_add_number (builder, "batch_size", dyno_case_get_batch_size (kase));
}

void
dyno_report_member_add_standing (JsonBuilder *builder, const DynoGoal *goal, const DynoCandidate *candidate)
{
  const DynoComparedCase *margin = candidate != NULL ? candidate->margin : NULL;
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));

  dyno_report_member_add_text (builder, "doubt", candidate != NULL ? candidate->doubt : NULL);
  dyno_report_member_add_text (builder, "reason", candidate != NULL ? candidate->reason : NULL);
  if (margin == NULL)
    return;
  dyno_report_member_add_number (builder, "best_over_this", margin->ratio);
  dyno_report_member_add_number (builder, "low", margin->low);
  dyno_report_member_add_number (builder, "high", margin->high);
  dyno_report_member_add_text (builder, "verdict", dyno_verdict_to_string (margin->verdict, metric));
  dyno_report_member_add_text (builder, "verdict_reason", margin->reason);
}

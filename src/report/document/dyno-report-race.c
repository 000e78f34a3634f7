/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-race.h"
#include "dyno-report-document-private.h"
#include "dyno-report-private.h"
#include "dyno-report.h"
#include "dyno-run-json.h"
#include "dyno-run-summary.h"

/* For programs */

static void
add_stored (JsonBuilder *builder, const char *metric, GPtrArray *stored)
{
  json_builder_set_member_name (builder, "stored");
  json_builder_begin_array (builder);
  for (guint i = 0; i < stored->len; i++)
    {
      const DynoStoredSetting *setting = stored->pdata[i];
      g_autofree char *time = dyno_run_json_format_time (setting->measured_at);

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "setting", setting->label);
      dyno_report_member_add_text (builder, "run", setting->run_id);
      dyno_report_member_add_text (builder, "measured_at", time);
      dyno_report_member_add_number (builder, "processes", setting->n_processes);
      dyno_report_member_add_number (builder, metric, setting->value);
      json_builder_set_member_name (builder, "left_out");
      json_builder_add_boolean_value (builder, setting->is_left_out);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static JsonNode *
to_json (DynoRun *run, const DynoGoal *goal, GPtrArray *entries, GPtrArray *stored, GPtrArray *lines)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  g_autofree char *name = dyno_goal_to_string (goal);

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "goal", name);
  dyno_report_member_add_text (builder, "run", dyno_run_get_id (run));
  json_builder_set_member_name (builder, "settings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "setting", entry->label);
      dyno_report_member_add_text (builder, "standing", dyno_race_standing_to_string (entry->standing));
      dyno_report_member_add_case (builder, entry->result);
      dyno_report_member_add_number (builder, "processes", dyno_result_get_n_invocations (entry->result));
      dyno_report_member_add_number (builder, metric, dyno_result_get_number (entry->result, metric));
      dyno_report_member_add_standing (builder, goal, entry->candidate);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  add_stored (builder, metric, stored);
  json_builder_set_member_name (builder, "lines");
  json_builder_begin_object (builder);
  for (guint i = 0; lines != NULL && i < lines->len; i++)
    {
      const DynoEngineLines *of_engine = lines->pdata[i];

      dyno_report_member_add_text (builder, of_engine->title, of_engine->text);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* For people */

static void
add_table (DynoReportDocument *document, const DynoGoal *goal, GPtrArray *entries)
{
  DynoObjective objective = dyno_goal_get_main (goal);
  DynoReportTable *table = dyno_report_table_new ("pLrr3w", _ ("Setting"), _ ("Standing"), _ ("Value"),
                                                  _ ("Processes"), _ ("Margin of the best"), NULL);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];
      double number = dyno_result_get_number (entry->result, dyno_objective_get_metric (objective));
      guint n_processes = dyno_result_get_n_invocations (entry->result);

      dyno_report_table_take_row (
          table, g_strdup (entry->label), g_strdup (dyno_race_standing_get_label (entry->standing)),
          g_strdup (""), g_strdup_printf ("%u", n_processes), dyno_race_entry_dup_remark (entry, goal), NULL);
      dyno_report_table_set_number (table, 3, n_processes);
      g_array_append_val (numbers, number);
    }
  dyno_report_table_set_quantities (table, 2, numbers, dyno_objective_get_unit (objective));
  dyno_report_document_take_table (document, table);
}

DynoReportDocument *
dyno_report_race_new (DynoRun *run, const DynoGoal *goal, GPtrArray *entries, GPtrArray *stored)
{
  const DynoRaceEntry *best = dyno_race_find_best (entries);
  g_autoptr (GPtrArray) lines =
      best != NULL ? dyno_engine_lines_list (dyno_result_get_case (best->result), g_get_num_processors ())
                   : NULL;
  g_autofree char *title = dyno_goal_dup_label (goal);
  g_autofree char *answer = dyno_race_dup_answer (entries, goal);
  g_autofree char *earlier = dyno_stored_settings_dup_text (stored, goal);
  g_autofree char *source = g_strdup_printf (_ ("All results are in run %.8s."), dyno_run_get_id (run));
  DynoReportDocument *document = dyno_report_document_new (title);

  dyno_report_document_set_subject (document, answer);
  dyno_report_document_take_data (document, to_json (run, goal, entries, stored, lines));
  dyno_report_document_add_heading (document, 1, title);
  dyno_report_document_add_paragraph (document, answer);
  dyno_report_document_begin_list (document);
  dyno_report_facts_add_limits (document, goal);
  add_table (document, goal, entries);
  for (guint i = 0; lines != NULL && i < lines->len; i++)
    {
      const DynoEngineLines *of_engine = lines->pdata[i];

      dyno_report_document_add_heading (document, 2, of_engine->title);
      dyno_report_document_add_code (document, of_engine->text);
    }
  if (earlier != NULL)
    dyno_report_document_add_paragraph (document, earlier);
  dyno_report_document_add_paragraph (document, source);
  return document;
}

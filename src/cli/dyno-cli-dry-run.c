/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-case.h"
#include "dyno-case-check.h"
#include "dyno-ceilings.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-plan-forecast.h"
#include "dyno-report.h"
#include "dyno-unit.h"

/* A case of the dry run. */
typedef struct
{
  DynoResult *result; /* pending, or the reason why it would not run */
  guint rank;         /* how urgent it is, from 0 */
  gboolean is_urgent; /* whether others come after it */
  DynoCaseForecast forecast;
} Planned;

static void
planned_free (Planned *planned)
{
  g_object_unref (planned->result);
  dyno_case_forecast_clear (&planned->forecast);
  g_free (planned);
}

/* Facts about the machine that are known before a run. */
typedef struct
{
  DynoMachine *machine;
  char *snapshot;
  GPtrArray *ceilings;
  GHashTable *durations;
  double ceilings_seconds; /* that a run takes to measure the roofs, 0 if they are known */
} Knowledge;

static void
knowledge_clear (Knowledge *self)
{
  g_clear_object (&self->machine);
  g_free (self->snapshot);
  g_clear_pointer (&self->ceilings, g_ptr_array_unref);
  g_clear_pointer (&self->durations, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Knowledge, knowledge_clear)

static gboolean
would_run (const Planned *planned)
{
  return dyno_result_get_status (planned->result) == DYNO_STATUS_PENDING;
}

static double
estimate_seconds (GPtrArray *running, const Knowledge *knowledge)
{
  return knowledge->ceilings_seconds + dyno_plan_estimate_seconds (running);
}

/* For people */

static void
add_table (DynoReportDocument *document, GPtrArray *list)
{
  DynoReportTable *table =
      dyno_report_table_new ("rprrrL", "#", _ ("Case"), _ ("Memory needed"), _ ("Predicted step"),
                             _ ("Expected time"), _ ("Status"), NULL);

  for (guint i = 0; i < list->len; i++)
    {
      const Planned *planned = list->pdata[i];
      DynoCaseState state = dyno_result_get_state (planned->result);

      dyno_report_table_take_row (
          table, g_strdup_printf ("%u", dyno_result_get_ordinal (planned->result) + 1),
          dyno_case_dup_label (dyno_result_get_case (planned->result)),
          planned->forecast.needed > 0 ? g_format_size ((guint64)planned->forecast.needed) : g_strdup ("—"),
          isfinite (planned->forecast.prediction.milliseconds)
              ? dyno_unit_format (planned->forecast.prediction.milliseconds, "ms")
              : g_strdup ("—"),
          would_run (planned) ? dyno_cli_format_duration (
                                    dyno_case_get_expected_seconds (dyno_result_get_case (planned->result)))
                              : g_strdup (""),
          g_strdup (would_run (planned) ? planned->is_urgent ? _ ("Runs first") : _ ("Runs")
                                        : dyno_case_state_get_label (state)),
          NULL);
    }
  dyno_report_document_take_table (document, table);
}

/* For machines */

static JsonNode *
to_json (GPtrArray *list, GPtrArray *running, const Knowledge *knowledge)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "cases");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->len; i++)
    {
      const Planned *planned = list->pdata[i];
      DynoCase *kase = dyno_result_get_case (planned->result);
      const char *reason = dyno_result_get_reason (planned->result);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "case");
      json_builder_add_value (builder, dyno_case_to_json (kase));
      dyno_report_member_add_count (builder, "number", (gint64)dyno_result_get_ordinal (planned->result) + 1);
      dyno_report_member_add_flag (builder, "runs", would_run (planned));
      dyno_report_member_add_flag (builder, "first", planned->is_urgent);
      dyno_report_member_add_text (builder, "reason", reason);
      dyno_report_member_add_text (builder, "note", planned->forecast.note);
      dyno_report_member_add_number (builder, "memory_needed_bytes",
                                     planned->forecast.needed > 0 ? (double)planned->forecast.needed : NAN);
      dyno_report_member_add_number (builder, DYNO_PREDICTION_VALUE,
                                     planned->forecast.prediction.milliseconds);
      dyno_report_member_add_text (builder, "prediction_source", planned->forecast.prediction.source);
      dyno_report_member_add_number (builder, "expected_seconds",
                                     would_run (planned) ? dyno_case_get_expected_seconds (kase) : NAN);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  dyno_report_member_add_count (builder, "memory_available_bytes",
                                dyno_machine_get_available_memory (knowledge->machine));
  dyno_report_member_add_number (builder, "expected_seconds", estimate_seconds (running, knowledge));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static DynoReportDocument *
create_document (GPtrArray *list, GPtrArray *running, const Knowledge *knowledge)
{
  g_autofree char *duration = dyno_cli_format_duration (estimate_seconds (running, knowledge));
  g_autofree char *forecast =
      dyno_plan_forecast_dup (running, knowledge->snapshot, knowledge->ceilings,
                              dyno_machine_get_available_memory (knowledge->machine), NULL);
  g_autofree char *counts = g_strdup_printf (
      /* Translators: of a plan, how many of its cases would be measured, and in how much time */
      ngettext ("%u of %u case would be measured, in about %s.",
                "%u of %u cases would be measured, in about %s.", list->len),
      running->len, list->len, duration);
  const char *obstacle = NULL;
  gboolean is_known = FALSE;
  DynoReportDocument *document = dyno_report_document_new (_ ("Plan"));

  dyno_report_document_take_data (document, to_json (list, running, knowledge));
  add_table (document, list);

  g_autoptr (GPtrArray) results = g_ptr_array_new ();

  g_ptr_array_set_size (results, (int)list->len);
  for (guint i = 0; i < list->len; i++)
    {
      const Planned *planned = list->pdata[i];

      results->pdata[dyno_result_get_ordinal (planned->result)] = planned->result;
      is_known = is_known || isfinite (planned->forecast.prediction.milliseconds);
      if (obstacle == NULL && would_run (planned))
        obstacle = planned->forecast.prediction.source;
    }
  dyno_cli_notes_add_reasons (document, results);

  dyno_report_document_begin_list (document);
  if (running->len > 0)
    dyno_report_document_add_item (document, NULL, counts, NULL);
  if (forecast != NULL)
    dyno_report_document_add_item (document, NULL, forecast, NULL);
  /* A duration is mostly unknown for the same reason in all cases. */
  if (obstacle != NULL && !is_known)
    dyno_report_document_add_item (document, NULL, obstacle, NULL);
  dyno_report_document_add_item (document, NULL, _ ("Nothing was measured, and nothing stored."), NULL);
  return document;
}

/* The most urgent ones first, otherwise as the plan lists them. */
static int
compare_planned (gconstpointer a, gconstpointer b)
{
  const Planned *one = *(const Planned *const *)a;
  const Planned *other = *(const Planned *const *)b;
  guint first = dyno_result_get_ordinal (one->result), second = dyno_result_get_ordinal (other->result);

  return one->rank != other->rank ? (one->rank > other->rank) - (one->rank < other->rank)
                                  : (first > second) - (first < second);
}

DynoCliStatus
dyno_cli_dry_run (DynoPlan *plan, GPtrArray *cases, double ceilings_seconds, GError **error)
{
  g_auto (Knowledge) knowledge = { 0 };
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GPtrArray) running = NULL;
  g_autoptr (GPtrArray) tried = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tried_case_free);
  g_autoptr (DynoReportDocument) document = NULL;
  g_autoptr (DynoStore) store = dyno_cli_runs_open_store (error);
  g_autoptr (JsonNode) node = NULL;

  knowledge.machine = store != NULL ? dyno_machine_snapshot (error) : NULL;
  if (knowledge.machine == NULL)
    return DYNO_CLI_FAILED;
  node = dyno_machine_to_json (knowledge.machine);
  knowledge.snapshot = dyno_json_text_write (node, FALSE);
  knowledge.ceilings = dyno_store_load_ceilings (store, knowledge.snapshot, error);
  knowledge.durations =
      knowledge.ceilings != NULL ? dyno_store_load_durations (store, knowledge.snapshot, error) : NULL;
  g_clear_object (&store);
  if (knowledge.durations == NULL)
    return DYNO_CLI_FAILED;

  g_autoptr (GPtrArray) known = dyno_ceilings_select (knowledge.ceilings, "cpu", "");

  knowledge.ceilings_seconds = known->len == 0 ? ceilings_seconds : 0;

  list = g_ptr_array_new_with_free_func ((GDestroyNotify)planned_free);
  running = g_ptr_array_new ();
  for (guint i = 0; i < cases->len; i++)
    g_ptr_array_add (tried, dyno_tried_case_new (cases->pdata[i], FALSE));
  for (guint i = 0; i < cases->len; i++)
    {
      Planned *planned = g_new0 (Planned, 1);
      DynoCase *kase = cases->pdata[i];

      planned->result = dyno_result_new (kase, i);
      planned->rank = dyno_plan_rank (plan, kase, i);
      planned->is_urgent = dyno_plan_get_first (plan)[planned->rank] != NULL;
      /* As the run will: no advice names an engine of the plan, or replaces a side of a comparison. */
      if (dyno_plan_get_turns (plan))
        dyno_case_check_alone (planned->result, knowledge.machine);
      else
        dyno_case_check (planned->result, knowledge.machine, tried);
      dyno_case_forecast_make (&planned->forecast, kase, knowledge.snapshot, knowledge.ceilings);
      if (!dyno_case_learn_seconds (kase, knowledge.durations))
        dyno_prediction_expect_seconds (kase, knowledge.snapshot, knowledge.ceilings);
      g_ptr_array_add (list, planned);
      if (would_run (planned))
        g_ptr_array_add (running, kase);
    }
  g_ptr_array_sort (list, compare_planned);
  document = create_document (list, running, &knowledge);
  return dyno_cli_answer_print (document, error) && running->len > 0 ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

DynoCliStatus
dyno_cli_dry_run_analyses (guint n, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (DynoReportDocument) document = dyno_report_document_new (_ ("Plan"));
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u case would be analysed, and not measured again.",
                                 "%u cases would be analysed, and not measured again.", n),
                       n);

  json_builder_begin_object (builder);
  dyno_report_member_add_count (builder, "analyses", n);
  json_builder_end_object (builder);
  dyno_report_document_take_data (document, json_builder_get_root (builder));
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, NULL, text, NULL);
  dyno_report_document_add_item (document, NULL, _ ("Nothing was measured, and nothing stored."), NULL);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

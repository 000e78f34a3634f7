/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-machine.h"
#include "dyno-missing.h"
#include "dyno-report-document-private.h"
#include "dyno-report.h"
#include "dyno-run-summary.h"

char *
dyno_report_facts_dup_title (DynoRun *run)
{
  const char *title = dyno_run_get_title (run);

  return g_strdup (title != NULL && *title != '\0' ? title : _ ("Untitled run"));
}

char *
dyno_report_facts_dup_machine (DynoRun *run)
{
  return dyno_machine_dup_summary (dyno_run_get_machine (run));
}

char *
dyno_report_facts_dup_software (DynoRun *run)
{
  g_autofree char *tool = dyno_run_dup_tool (run);
  g_autofree char *engines = dyno_run_engines_dup (run);

  return engines != NULL ? g_strdup_printf ("%s · %s", tool, engines) : g_steal_pointer (&tool);
}

static void
add_fact (DynoReportDocument *document, const char *name, const char *text)
{
  if (text != NULL && *text != '\0')
    dyno_report_document_add_item (document, name, text, NULL);
}

/* Formats a setting of the method; these numbers are small and round. */
static char *
format_setting (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%g", number));
}

static char *
dup_method (DynoRun *run)
{
  g_autoptr (DynoResult) first = g_list_model_get_item (dyno_run_get_results (run), 0);
  DynoMethod *method = first != NULL ? dyno_case_get_method (dyno_result_get_case (first)) : NULL;
  g_autofree char *warm_up = NULL;
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;
  g_autofree char *interval = NULL;
  g_autofree char *steps = NULL;
  g_autofree char *samples = NULL;

  if (method == NULL)
    return NULL;
  warm_up = format_setting (dyno_method_get_warmup_seconds (method));
  least = format_setting (dyno_method_get_min_seconds (method));
  most = format_setting (dyno_method_get_max_seconds (method));
  interval = format_setting (dyno_method_get_interval_percent (method));
  /* Translators: after “a warm-up of at least” */
  steps = g_strdup_printf (ngettext ("%u step", "%u steps", dyno_method_get_warmup_steps (method)),
                           dyno_method_get_warmup_steps (method));
  /* Translators: after “then at least” */
  samples = g_strdup_printf (ngettext ("%u sample", "%u samples", dyno_method_get_min_samples (method)),
                             dyno_method_get_min_samples (method));
  return g_strdup_printf (
      ngettext (
          "%u process for each case, with a warm-up of at least %s and %s s, then at least %s and %s s, "
          "until the 95 %% interval of the median is within %s %%, for %s s at most; percentiles by "
          "linear interpolation (type 7)",
          "%u processes for each case, which share a warm-up of at least %s and %s s, then at least %s "
          "and %s s, until the 95 %% interval of the median is within %s %%, for %s s at most; "
          "percentiles by linear interpolation (type 7)",
          dyno_method_get_invocations (method)),
      dyno_method_get_invocations (method), steps, warm_up, samples, least, interval, most);
}

void
dyno_report_facts_add (DynoReportDocument *document, DynoRun *run)
{
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  g_autofree char *cloud = dyno_machine_dup_cloud (dyno_run_get_machine (run));
  g_autofree char *engines = dyno_run_engines_dup (run);
  g_autofree char *date = dyno_report_text_format_time (dyno_run_get_started_at (run));
  gboolean is_imported = dyno_run_get_origin (run) != NULL;
  g_autofree char *tool = is_imported ? dyno_run_dup_tool (run) : NULL;
  g_autofree char *method = is_imported ? NULL : dup_method (run);
  g_autofree char *turns = NULL;
  g_autofree char *command = dyno_run_dup_command (run);
  GListModel *results = dyno_run_get_results (run);
  guint n_cases = g_list_model_get_n_items (results), n = 0;

  for (guint i = 0; i < n_cases; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      n += dyno_result_get_trace (result, "turns") != NULL;
    }
  if (n > 0)
    turns = g_strdup_printf (
        /* Translators: a number of cases, and of all */
        _ ("%u of %u cases were alive together with those that they are compared with, and worked in turns "
           "of about 50 ms, in an order drawn for each round"),
        n, n_cases);
  dyno_report_document_begin_list (document);
  add_fact (document, _ ("Date:"), date);
  add_fact (document, _ ("Machine:"), machine);
  add_fact (document, _ ("Cloud:"), cloud);
  add_fact (document, _ ("Dyno:"), dyno_run_get_app_version (run));
  add_fact (document, _ ("Engines:"), engines);
  add_fact (document, _ ("Imported from:"), tool);
  add_fact (document, _ ("Method:"), method);
  add_fact (document, _ ("Turns:"), turns);
  add_fact (document, _ ("Notes:"), dyno_run_get_notes (run));
  dyno_report_document_add_command (document, _ ("This command repeats the run:"), command);
}

void
dyno_report_facts_add_limits (DynoReportDocument *document, const DynoGoal *goal)
{
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    if (isfinite (goal->limits[i]))
      {
        g_autofree char *limit = dyno_limit_dup_text (i, goal->limits[i]);

        dyno_report_document_add_item (document, NULL, limit, NULL);
      }
}

static void
collect_missing (DynoReportNotes *notes, DynoRun *run, const char *title)
{
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GPtrArray) list = dyno_missing_find (results);

  dyno_report_notes_begin_results (notes, title, results);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
      DynoCaseState state = dyno_result_get_state (result);
      const char *reason = dyno_result_get_reason (result);

      if (!dyno_case_state_has_numbers (state))
        dyno_report_notes_add (notes, dyno_case_state_get_label (state),
                               reason != NULL && *reason != '\0' ? reason : _ ("No reason was given."),
                               label);
    }
  for (guint i = 0; i < list->len; i++)
    {
      const DynoMissing *missing = g_ptr_array_index (list, i);
      g_autofree char *name = dyno_missing_dup_title (missing);

      for (guint k = 0; k < missing->results->len; k++)
        {
          g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (missing->results->pdata[k]));

          dyno_report_notes_add_similar (notes, name, missing->reason, label);
        }
    }
}

void
dyno_report_facts_add_missing (DynoReportDocument *document, GPtrArray *runs, guint level)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();
  g_auto (GStrv) titles = dyno_run_titles_dup (runs);

  for (guint i = 0; i < runs->len; i++)
    collect_missing (notes, runs->pdata[i], runs->len > 1 ? titles[i] : NULL);
  dyno_report_notes_put (notes, document, level, _ ("Not measured"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-machine.h"
#include "dyno-missing.h"
#include "dyno-report-markdown.h"
#include "dyno-report-table.h"
#include "dyno-report-text.h"
#include "dyno-run-summary.h"

static void
append_title (GString *report, DynoRun *run)
{
  const char *title = dyno_run_get_title (run);
  g_autofree char *escaped = dyno_report_text_escape (title);
  gboolean has_title = title != NULL && *title != '\0';

  g_string_append_printf (report, "# %s\n\n", has_title ? escaped : _ ("Untitled run"));
}

static void
append_fact (GString *report, const char *name, const char *text)
{
  g_autofree char *escaped = dyno_report_text_escape (text);

  if (*escaped != '\0')
    g_string_append_printf (report, "- **%s** %s\n", name, escaped);
}

/* Numbers of the method are few and round. */
static char *
format_setting (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%g", number));
}

static char *
describe_method (DynoMethod *method)
{
  g_autofree char *warm_up = format_setting (dyno_method_get_warmup_seconds (method));
  g_autofree char *least = format_setting (dyno_method_get_min_seconds (method));
  g_autofree char *most = format_setting (dyno_method_get_max_seconds (method));
  g_autofree char *interval = format_setting (dyno_method_get_interval_percent (method));

  return g_strdup_printf (
      ngettext (
          "%u process for each case, with a warm-up of at least %u steps and %s s, then at least %u "
          "samples and %s s, until the 95 %% interval of the median is within %s %%, for %s s at most; "
          "percentiles by linear interpolation (type 7)",
          "%u processes for each case, which share a warm-up of at least %u steps and %s s, then at least "
          "%u samples and %s s, until the 95 %% interval of the median is within %s %%, for %s s at "
          "most; percentiles by linear interpolation (type 7)",
          dyno_method_get_invocations (method)),
      dyno_method_get_invocations (method), dyno_method_get_warmup_steps (method), warm_up,
      dyno_method_get_min_samples (method), least, interval, most);
}

static char *
dup_method (DynoRun *run)
{
  g_autoptr (DynoResult) first = g_list_model_get_item (dyno_run_get_results (run), 0);
  DynoMethod *method = first != NULL ? dyno_case_get_method (dyno_result_get_case (first)) : NULL;

  return method != NULL ? describe_method (method) : NULL;
}

static void
append_facts (GString *report, DynoRun *run)
{
  const char *snapshot_text = dyno_run_get_machine (run);
  g_autoptr (JsonNode) snapshot = snapshot_text != NULL ? json_from_string (snapshot_text, NULL) : NULL;
  g_autofree char *machine = dyno_machine_dup_summary (snapshot);
  g_autofree char *date = dyno_report_text_format_time (dyno_run_get_started_at (run));
  g_autofree char *method = dup_method (run);

  append_fact (report, _ ("Date:"), date);
  append_fact (report, _ ("Machine:"), machine);
  append_fact (report, _ ("Dyno:"), dyno_run_get_app_version (run));
  append_fact (report, _ ("Method:"), method);
  append_fact (report, _ ("Notes:"), dyno_run_get_notes (run));
}

/* Collects sentences, and of each which cases it is about, in the order of their first mention. */
typedef struct
{
  GPtrArray *sentences;
  GHashTable *cases;
} Notes;

static void
notes_init (Notes *notes)
{
  notes->sentences = g_ptr_array_new_with_free_func (g_free);
  notes->cases = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
}

static void
notes_clear (Notes *notes)
{
  g_hash_table_unref (notes->cases);
  g_ptr_array_unref (notes->sentences);
}

static void
notes_take (Notes *notes, char *sentence, DynoResult *result)
{
  GPtrArray *labels = g_hash_table_lookup (notes->cases, sentence);

  if (labels == NULL)
    {
      labels = g_ptr_array_new_null_terminated (0, g_free, TRUE);
      g_ptr_array_add (notes->sentences, sentence);
      g_hash_table_insert (notes->cases, sentence, labels);
    }
  else
    {
      g_free (sentence);
    }
  g_ptr_array_add (labels, dyno_case_dup_label (dyno_result_get_case (result)));
}

static void
notes_append (Notes *notes, GString *report, const char *heading, guint n_cases)
{
  if (notes->sentences->len > 0)
    g_string_append_printf (report, "\n## %s\n\n", heading);
  for (guint i = 0; i < notes->sentences->len; i++)
    {
      GPtrArray *labels = g_hash_table_lookup (notes->cases, notes->sentences->pdata[i]);
      g_autofree char *list = g_strjoinv (", ", (char **)labels->pdata);
      gboolean is_all = labels->len == n_cases && n_cases > 1;
      g_autofree char *escaped = dyno_report_text_escape (is_all ? _ ("all cases") : list);

      g_string_append_printf (report, "- %s (%s)\n", (char *)notes->sentences->pdata[i], escaped);
    }
}

typedef void (*CollectFunc) (Notes *notes, DynoResult *result);

static void
append_notes (GString *report, const char *heading, GListModel *results, CollectFunc collect)
{
  guint n_cases = g_list_model_get_n_items (results);
  Notes notes;

  notes_init (&notes);
  for (guint i = 0; i < n_cases; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      collect (&notes, result);
    }
  notes_append (&notes, report, heading, n_cases);
  notes_clear (&notes);
}

static void
collect_devices (Notes *notes, DynoResult *result)
{
  g_autofree char *device = dyno_result_dup_device_label (result);

  if (device != NULL)
    notes_take (notes, dyno_report_text_escape (device), result);
}

static void
collect_unmeasured (Notes *notes, DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);
  g_autofree char *reason = dyno_report_text_escape (dyno_result_get_reason (result));

  if (dyno_case_state_has_numbers (state))
    return;
  notes_take (notes,
              g_strdup_printf ("**%s** %s", dyno_case_state_get_label (state),
                               *reason != '\0' ? reason : _ ("No reason was given.")),
              result);
}

static void
collect_diagnostics (Notes *notes, DynoResult *result)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);
      const char *severity = dyno_severity_to_string (dyno_diagnostic_get_severity (diagnostic));
      g_autofree char *message = dyno_report_text_escape (dyno_diagnostic_get_message (diagnostic));

      notes_take (notes, g_strdup_printf ("**%s** %s", severity, message), result);
    }
}

static char *
describe_quality (DynoQuality quality, const char *name, const char *source)
{
  if (quality == DYNO_QUALITY_UNSTEADY)
    return g_strdup_printf (_ ("~ `%s` is unsteady: %s"), name, source);
  return g_strdup_printf (_ ("≈ `%s` is estimated: %s"), name, source);
}

static void
collect_estimates (Notes *notes, DynoResult *result)
{
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);
      g_autofree char *source = dyno_report_text_escape (dyno_value_get_source (value));
      DynoQuality quality = dyno_value_get_quality (value);

      if (quality == DYNO_QUALITY_ESTIMATED || quality == DYNO_QUALITY_UNSTEADY)
        notes_take (notes,
                    describe_quality (quality, dyno_value_get_name (value),
                                      *source != '\0' ? source : _ ("No reason was given.")),
                    result);
    }
}

static void
append_sentence (GString *report, const char *sentence)
{
  g_autofree char *escaped = dyno_report_text_escape (sentence);

  if (sentence != NULL)
    g_string_append_printf (report, "- %s\n", escaped);
}

/* What it comes to stands before everything else. */
static void
append_summary (GString *report, DynoRun *run)
{
  g_auto (GStrv) findings = dyno_run_summary_dup_findings (run);
  g_autofree char *winner = dyno_run_summary_dup_winner (run);
  g_autofree char *interruption = dyno_run_summary_dup_interruption (run);
  g_autofree char *doubt = dyno_run_summary_dup_doubt (run);

  append_sentence (report, winner);
  for (guint i = 0; findings[i] != NULL; i++)
    append_sentence (report, findings[i]);
  append_sentence (report, interruption);
  append_sentence (report, doubt);
  if (findings[0] != NULL)
    g_string_append_c (report, '\n');
}

static void
append_missing (GString *report, DynoMissing *missing, guint n_cases)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *title = dyno_missing_dup_title (missing);
  g_autofree char *escaped_title = dyno_report_text_escape (title);
  g_autofree char *reason = dyno_report_text_escape (missing->reason);
  g_autofree char *cases = NULL;
  g_autofree char *escaped_cases = NULL;

  for (guint i = 0; i < missing->results->len; i++)
    g_ptr_array_add (labels, dyno_case_dup_label (dyno_result_get_case (missing->results->pdata[i])));
  g_ptr_array_add (labels, NULL);
  cases = missing->results->len == n_cases && n_cases > 1 ? g_strdup (_ ("all cases"))
                                                          : g_strjoinv (", ", (char **)labels->pdata);
  escaped_cases = dyno_report_text_escape (cases);
  g_string_append_printf (report, "- **%s** %s (%s)\n", escaped_title, reason, escaped_cases);
}

/* Each reason once, however many values and cases it keeps from being measured. */
static void
append_missing_values (GString *report, GListModel *results)
{
  g_autoptr (GPtrArray) list = dyno_missing_find (results);

  if (list->len > 0)
    g_string_append_printf (report, "\n## %s\n\n", _ ("Values not measured"));
  for (guint i = 0; i < list->len; i++)
    append_missing (report, list->pdata[i], g_list_model_get_n_items (results));
}

static void
append_run (GString *report, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  if (report->len > 0)
    g_string_append_c (report, '\n');
  append_title (report, run);
  append_summary (report, run);
  append_facts (report, run);
  append_notes (report, _ ("Devices"), results, collect_devices);
  g_string_append_printf (report, "\n## %s\n\n", _ ("Results"));
  dyno_report_table_append (report, results);
  append_notes (report, _ ("Cases not measured"), results, collect_unmeasured);
  append_notes (report, _ ("Findings"), results, collect_diagnostics);
  append_notes (report, _ ("Estimates"), results, collect_estimates);
  append_missing_values (report, results);
}

/**
 * dyno_report_markdown_write:
 * @runs: (element-type DynoRun): the runs
 *
 * Writes a report for people: of each run a summary, when, where and how it was measured, the devices, a table of its
 * cases, what could not be measured and why, the findings, and which values are estimates or have no number.
 *
 * Returns: (transfer full): the text
 */
char *
dyno_report_markdown_write (GPtrArray *runs)
{
  g_autoptr (GString) report = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    append_run (report, runs->pdata[i]);
  return g_string_free (g_steal_pointer (&report), FALSE);
}

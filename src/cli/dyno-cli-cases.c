/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "dyno-case-order.h"
#include "dyno-cli-cases.h"
#include "dyno-cli-format.h"
#include "dyno-cli-modules.h"
#include "dyno-cli-notes.h"
#include "dyno-cli-table.h"
#include "dyno-further-values.h"
#include "dyno-latency-interval.h"
#include "dyno-machine.h"
#include "dyno-metric-title.h"
#include "dyno-missing.h"
#include "dyno-model.h"
#include "dyno-prediction.h"
#include "dyno-processes.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

#define MAX_OPERATORS 15

/* The values that the table of cases has columns for. */
static const char *const shown[] = {
  "latency_p50_ms",
  "latency_median_low_ms",
  "latency_median_high_ms",
  "latency_p99_ms",
  "latency_mean_ms",
  "throughput_items_per_sec",
  "output_tokens_per_sec",
  "throughput_tokens_per_sec",
  "prefill_tokens_per_sec",
  "decode_tokens_per_sec",
  "first_token_latency_ms",
  "inter_token_latency_ms",
  "memory_peak_mb",
  "flops_per_sec",
  NULL,
};

static char *
format_setting (guint setting)
{
  return setting == 0 ? g_strdup ("") : g_strdup_printf ("%u", setting);
}

static char *
format_named (DynoResult *result, const char *name)
{
  return dyno_cli_format_value (dyno_result_get_value (result, name));
}

static char *
format_mean (DynoResult *result)
{
  return dyno_further_values_tells_mean (result) ? format_named (result, "latency_mean_ms") : g_strdup ("");
}

/* How far its ends lie from the median: between processes, the upper one is often much farther. */
static char *
format_median_interval (DynoResult *result)
{
  double median = dyno_result_get_number (result, "latency_p50_ms");
  double low = dyno_result_get_number (result, "latency_median_low_ms");
  double high = dyno_result_get_number (result, "latency_median_high_ms");
  g_autofree char *below = NULL;
  g_autofree char *above = NULL;
  g_autofree char *range = NULL;

  if (!(median > 0 && high >= low))
    return g_strdup ("");
  below = dyno_unit_format_number (100 * MAX (median - low, 0) / median, 1);
  above = dyno_unit_format_number (100 * MAX (high - median, 0) / median, 1);
  /* Translators: how far below and above the median, such as “−1.2 to +3.4”, in per cent */
  range = g_strdup_printf (_ ("−%s to +%s"), below, above);
  return g_strdup_printf ("%s\u00a0%%", range);
}

static const char *
state_label (DynoResult *result)
{
  return dyno_case_state_get_label (dyno_result_get_state (result));
}

static char *
dup_model_name (DynoResult *result)
{
  const char *name = dyno_result_get_model_name (result);

  return name != NULL && *name != '\0'
             ? g_strdup (name)
             : dyno_model_dup_short_name (dyno_case_get_model (dyno_result_get_case (result)));
}

static char *
format_engine (DynoCase *kase)
{
  const char *device = dyno_case_get_device (kase);

  return *device != '\0' ? g_strdup_printf ("%s:%s", dyno_case_get_backend (kase), device)
                         : g_strdup (dyno_case_get_backend (kase));
}

/* One request at a time goes without saying. */
static char *
format_load (DynoCase *kase)
{
  const char *load = dyno_case_get_load (kase);

  return g_strdup (dyno_load_is_single (load) ? "" : load);
}

static void
add_row (DynoCliTable *table, guint number, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);

  dyno_cli_table_take_row (
      table, format_setting (number), dup_model_name (result), format_engine (kase),
      dyno_case_dup_precision_label (kase), g_strdup (dyno_case_get_options (kase)),
      format_setting (dyno_case_get_batch_size (kase)), format_setting (dyno_case_get_sequence_length (kase)),
      format_setting (dyno_case_get_generate_tokens (kase)), g_strdup (dyno_case_get_dimensions (kase)),
      format_setting (dyno_case_get_threads (kase)), g_strdup (dyno_case_get_pinning (kase)),
      format_load (kase), format_named (result, "latency_p50_ms"), format_median_interval (result),
      format_named (result, "latency_p99_ms"), format_mean (result),
      format_named (result, "throughput_items_per_sec"), format_named (result, "output_tokens_per_sec"),
      format_named (result, "throughput_tokens_per_sec"), format_named (result, "prefill_tokens_per_sec"),
      format_named (result, "decode_tokens_per_sec"), format_named (result, "first_token_latency_ms"),
      format_named (result, "inter_token_latency_ms"), format_named (result, "memory_peak_mb"),
      format_named (result, "flops_per_sec"), g_strdup (state_label (result)), NULL);
}

static GListModel *
to_list (GPtrArray *results)
{
  GListStore *list = g_list_store_new (DYNO_TYPE_RESULT);

  for (guint i = 0; i < results->len; i++)
    g_list_store_append (list, results->pdata[i]);
  return G_LIST_MODEL (list);
}

/* What other tools tell beside. */
static void
add_further (DynoCliTable *table, GPtrArray *results, const char *metric)
{
  g_autofree char *title = dyno_metric_title_dup (metric);
  GStrv cells = g_new0 (char *, results->len + 1);

  for (guint i = 0; i < results->len; i++)
    cells[i] = format_named (results->pdata[i], metric);
  dyno_cli_table_take_column (table, "r5", title, cells);
}

/* What stands in no column of the table above. */
static void
print_rest (GPtrArray *results, GPtrArray *further)
{
  gboolean is_first = TRUE;

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *rest =
          dyno_further_values_dup_rest (results->pdata[i], shown, further, dyno_cli_format_value);

      if (rest == NULL)
        continue;
      if (is_first)
        g_print ("\n%s\n", _ ("Other values:"));
      is_first = FALSE;
      g_print ("  #%u: %s\n", i + 1, rest);
    }
}

static void
print_table (GPtrArray *results)
{
  g_autoptr (GListModel) list = to_list (results);
  g_autoptr (GPtrArray) further = dyno_further_values_choose (list, shown);
  g_autoptr (DynoCliTable) table = dyno_cli_table_new (
      "rlll5l6rrrl6r4l4l6rr7r8r4r2r3r3r3r3r3r3r4r9l", "#", _ ("Model"), _ ("Backend"), _ ("Precision"),
      _ ("Options"), _ ("Batch"), _ ("Sequence"), _ ("Generated"), _ ("Dimensions"), _ ("Threads"),
      _ ("Pinning"), _ ("Load"), _ ("Median"), _ ("Interval"), _ ("99th percentile"), _ ("Mean"),
      _ ("Throughput"), _ ("Output tokens"), _ ("Total tokens"), _ ("Prompt tokens"), _ ("Decoded tokens"),
      _ ("First token"), _ ("Next token"), _ ("Peak memory"), _ ("Compute"), _ ("Status"), NULL);

  for (guint i = 0; i < results->len; i++)
    add_row (table, i + 1, results->pdata[i]);
  for (guint i = 0; i < further->len; i++)
    add_further (table, results, further->pdata[i]);
  dyno_cli_table_print (table);
  print_rest (results, further);
}

static char *
dup_machine_summary (DynoRun *run)
{
  const char *machine = dyno_run_get_machine (run);
  g_autoptr (JsonNode) snapshot =
      machine != NULL && *machine != '\0' ? json_from_string (machine, NULL) : NULL;

  return snapshot != NULL ? dyno_machine_dup_summary (snapshot) : g_strdup (_ ("unknown machine"));
}

/* Each engine's once; of cases that were not measured none is known. */
static void
print_devices (DynoRun *run)
{
  g_autoptr (GHashTable) printed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *engine = format_engine (dyno_result_get_case (results->pdata[i]));
      g_autofree char *device = dyno_result_dup_device_label (results->pdata[i]);
      char *line = device != NULL ? g_strdup_printf ("%s: %s", engine, device) : NULL;

      if (line != NULL && g_hash_table_add (printed, line))
        g_print ("%s\n", line);
    }
}

static void
print_counts (DynoRun *run)
{
  DynoCaseCounts counts = { 0 };
  g_autofree char *text = NULL;

  dyno_run_count_cases (run, &counts);
  text = dyno_case_counts_dup_text (&counts);
  if (dyno_run_is_running (run))
    g_print (_ ("Being measured by another process: %s\n"), text);
  else if (dyno_run_is_interrupted (run))
    g_print (_ ("Interrupted: %s. Continue with “dyno-cli run --remaining %.8s”.\n"), text,
             dyno_run_get_id (run));
  else
    g_print ("%s\n", text);
}

/**
 * dyno_cli_cases_print_heading:
 * @run: a run
 *
 * Prints what it is, when, where and on which devices it was taken, and what was noted about it.
 */
void
dyno_cli_cases_print_heading (DynoRun *run)
{
  g_autofree char *tool = dyno_run_dup_tool (run);
  g_autofree char *date = dyno_cli_format_date (dyno_run_get_started_at (run));
  g_autofree char *machine = dup_machine_summary (run);
  const char *title = dyno_run_get_title (run);
  const char *notes = dyno_run_get_notes (run);

  if (title != NULL && *title != '\0')
    g_print ("%s\n", title);
  g_print ("%s · %s · %s\n%s\n", dyno_run_get_id (run), date, tool, machine);
  print_counts (run);
  print_devices (run);
  if (notes != NULL && *notes != '\0')
    g_print ("\n%s\n", notes);
  g_print ("\n");
}

/**
 * dyno_cli_cases_print_summary:
 * @run: a run with its results
 *
 * Prints the run in a few sentences, and what speaks against its numbers.
 */
void
dyno_cli_cases_print_summary (DynoRun *run)
{
  g_auto (GStrv) findings = dyno_run_summary_dup_findings (run);
  g_autofree char *winner = dyno_run_summary_dup_winner (run);
  g_autofree char *interruption = dyno_run_summary_dup_interruption (run);
  g_autofree char *doubt = dyno_run_summary_dup_doubt (run);

  if (winner != NULL)
    g_print ("%s\n", winner);
  for (guint i = 0; findings[i] != NULL; i++)
    g_print ("%s\n", findings[i]);
  if (interruption != NULL)
    g_print ("%s\n", interruption);
  if (doubt != NULL)
    g_print ("%s\n", doubt);
  if (findings[0] != NULL)
    g_print ("\n");
}

/**
 * dyno_cli_cases_print_missing:
 * @run: a run with its results
 *
 * Prints what was not measured, each reason once.
 */
void
dyno_cli_cases_print_missing (DynoRun *run)
{
  g_autoptr (GPtrArray) list = dyno_missing_find (dyno_run_get_results (run));

  if (list->len > 0)
    g_print ("\n%s\n", _ ("Not measured:"));
  for (guint i = 0; i < list->len; i++)
    {
      DynoMissing *missing = list->pdata[i];
      g_autofree char *title = dyno_missing_dup_title (missing);

      g_print ("  %s: %s\n", title, missing->reason);
    }
}

static gboolean
has_interval (GPtrArray *results)
{
  for (guint i = 0; i < results->len; i++)
    if (isfinite (dyno_result_get_number (results->pdata[i], "latency_median_low_ms")))
      return TRUE;
  return FALSE;
}

/* What the column of intervals shows, where there is one. */
static void
print_interval (GPtrArray *results)
{
  g_autofree char *words = NULL;

  if (!has_interval (results))
    return;
  words = dyno_latency_interval_dup_common_words (results);
  /* Translators: below a table, what its column “Interval” is, such as “95 % CI of the median over 5 processes” */
  g_print (_ ("\nInterval: %s.\n"), words);
}

/**
 * dyno_cli_cases_print:
 * @run: a run with its results
 *
 * Prints the table of its cases, and below it what went wrong or makes numbers doubtful.
 */
void
dyno_cli_cases_print (DynoRun *run)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  print_table (results);
  print_interval (results);
  dyno_cli_notes_print (results);
}

static void
print_values (DynoResult *result)
{
  g_autoptr (DynoCliTable) table =
      dyno_cli_table_new ("lrl1w2", _ ("Value"), _ ("Number"), _ ("Quality"), _ ("Source"), NULL);
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);
      const char *source = dyno_value_get_source (value);

      dyno_cli_table_take_row (table, g_strdup (dyno_value_get_name (value)), dyno_cli_format_value (value),
                               g_strdup (dyno_quality_to_string (dyno_value_get_quality (value))),
                               g_strdup (source != NULL ? source : ""), NULL);
    }
  dyno_cli_table_print (table);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = dyno_operator_get_time_ns (*(DynoOperator *const *)a);
  gint64 second = dyno_operator_get_time_ns (*(DynoOperator *const *)b);

  return (first < second) - (first > second);
}

static char *
format_known (gint64 number, double factor, const char *unit)
{
  return number >= 0 ? dyno_cli_format_quantity ((double)number * factor, unit) : g_strdup ("—");
}

/* What the engine does not report is negative. */
static void
add_operator (DynoCliTable *table, DynoOperator *op)
{
  const char *provider = dyno_operator_get_provider (op);

  dyno_cli_table_take_row (
      table, g_strdup (dyno_operator_get_name (op)), g_strdup (dyno_operator_get_op_type (op)),
      g_strdup (provider != NULL ? provider : ""), dyno_cli_format_count (dyno_operator_get_calls (op)),
      format_known (dyno_operator_get_time_ns (op), 1e-6, "ms"),
      format_known (dyno_operator_get_flops (op), 1, "FLOP"),
      format_known (dyno_operator_get_bytes (op), 1, "B"), NULL);
}

static void
print_operators (DynoResult *result)
{
  g_autoptr (DynoCliTable) table =
      dyno_cli_table_new ("ll1l3r4rr2r2", _ ("Operator"), _ ("Type"), _ ("Provider"), _ ("Calls"),
                          _ ("Total time"), _ ("FLOPs per call"), _ ("Bytes per call"), NULL);
  GPtrArray *operators = dyno_result_get_operators (result);
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (operators, (GCopyFunc)g_object_ref, NULL);

  if (sorted->len == 0)
    return;
  g_ptr_array_sort (sorted, compare_times);
  for (guint i = 0; i < MIN (sorted->len, MAX_OPERATORS); i++)
    add_operator (table, sorted->pdata[i]);
  g_print ("\n");
  dyno_cli_table_print (table);
  if (sorted->len > MAX_OPERATORS)
    g_print (_ ("and %u more\n"), sorted->len - MAX_OPERATORS);
}

static char *
format_invocation (const DynoInvocation *invocation, const char *name, const char *unit)
{
  double number = dyno_invocation_get_number (invocation, name);

  return isfinite (number) ? dyno_cli_format_quantity (number, unit) : g_strdup ("—");
}

/* Each process with what it gave, and how they differ. */
static void
print_invocations (DynoResult *result)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("rrrrrw", _ ("Process"), _ ("Median"), _ ("Samples"),
                                                       _ ("Load"), _ ("Peak memory"), _ ("Failure"), NULL);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_auto (GStrv) findings = dyno_processes_dup_findings (result);

  if (invocations->len < 2)
    return;
  for (guint i = 0; i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];

      dyno_cli_table_take_row (table, g_strdup_printf ("%u", invocation->number + 1),
                               format_invocation (invocation, "latency_p50_ms", "ms"),
                               format_invocation (invocation, "latency_samples", ""),
                               format_invocation (invocation, "load_time_ms", "ms"),
                               format_invocation (invocation, "memory_peak_mb", "MB"),
                               g_strdup (invocation->failure != NULL ? invocation->failure : ""), NULL);
    }
  g_print ("\n");
  dyno_cli_table_print (table);
  for (guint i = 0; findings[i] != NULL; i++)
    g_print ("%s%s\n", i == 0 ? "\n" : "", findings[i]);
}

/**
 * dyno_cli_cases_print_one:
 * @result: a result
 *
 * Prints all of it: every value with its source, the modules and the operators that took longest, every diagnostic.
 */
void
dyno_cli_cases_print_one (DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  g_autofree char *device = dyno_result_dup_device_label (result);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);
  const char *reason = dyno_result_get_reason (result);
  g_autofree char *prediction = dyno_prediction_dup_outcome (result);

  g_print ("%s: %s\n", label, state_label (result));
  if (device != NULL)
    g_print ("%s\n", device);
  if (reason != NULL && *reason != '\0')
    g_print ("%s\n", reason);
  if (prediction != NULL)
    g_print ("%s\n", prediction);
  g_print ("\n");
  print_values (result);
  print_invocations (result);
  dyno_cli_modules_print (result);
  print_operators (result);
  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);

      g_print ("%s%s: %s\n", i == 0 ? "\n" : "",
               dyno_severity_to_string (dyno_diagnostic_get_severity (diagnostic)),
               dyno_diagnostic_get_message (diagnostic));
    }
}

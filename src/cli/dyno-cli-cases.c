/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-cli-private.h"
#include "dyno-further-values.h"
#include "dyno-grade.h"
#include "dyno-latency-interval.h"
#include "dyno-machine.h"
#include "dyno-metric.h"
#include "dyno-missing.h"
#include "dyno-prediction.h"
#include "dyno-processes.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

#define MAX_OPERATORS 15

/* A column of settings, with the words for a setting that all cases share. */
typedef struct
{
  const char *column;
  const char *heading;
  char *(*format) (DynoResult *result);
  DynoCaseParts part; /* 0: use the words of its cells */
} Setting;

/* The columns of values: the column with the main value of a case is never dropped, others are dropped in the
 * order of their digits. */
typedef struct
{
  const char *metric;
  const char *heading;
  const char *column;
} Metric;

#define MEDIAN "latency_p50_ms"
#define MEAN   "latency_mean_ms"
#define ITEMS  "throughput_items_per_sec"

static const Metric metrics[] = {
  { MEDIAN, N_ ("Median"), "r1" },
  { "latency_p99_ms", N_ ("99th percentile"), "r3" },
  { MEAN, N_ ("Mean"), "r2" },
  { ITEMS, N_ ("Sustained"), "r2" },
  { "output_tokens_per_sec", N_ ("Output"), "r1" },
  { "throughput_tokens_per_sec", N_ ("Total"), "r4" },
  { "prefill_tokens_per_sec", N_ ("Prompt"), "r1" },
  { "decode_tokens_per_sec", N_ ("Decoding"), "r1" },
  { "first_token_latency_ms", N_ ("First token"), "r2" },
  { "inter_token_latency_ms", N_ ("Next token"), "r2" },
  { "memory_peak_mb", N_ ("Peak memory"), "r5" },
  { "flops_per_sec", N_ ("Compute"), "r9" },
};

/* For language models, rates are more useful than latencies. */
static const char *const main_metrics[] = { "output_tokens_per_sec", "decode_tokens_per_sec",
                                            "prefill_tokens_per_sec", NULL };

/* Further values of imported cases are dropped before most others. */
#define FURTHER_COLUMN "r6"

static GStrv
list_shown (void)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_strv_builder_add_many (names, "latency_median_low_ms", "latency_median_high_ms", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    g_strv_builder_add (names, metrics[i].metric);
  return g_strv_builder_end (names);
}

static char *
format_setting (guint setting)
{
  return setting == 0 ? g_strdup ("") : g_strdup_printf ("%u", setting);
}

/* Shows both distances of the ends from the median: between processes, the upper end is often much farther. */
static char *
format_median_interval (DynoResult *result)
{
  double median = dyno_result_get_number (result, MEDIAN);
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
  return dyno_result_get_status_label (result);
}

static char *
format_engine (DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);

  return dyno_cli_format_engine (dyno_case_get_backend (kase), dyno_case_get_device (kase));
}

static char *
format_precision (DynoResult *result)
{
  return dyno_result_dup_precision_label (result);
}

/* Formats the list as parts of a case. */
static char *
split_list (const char *list)
{
  g_auto (GStrv) items = g_strsplit (list, ",", -1);

  return g_strjoinv ("\u00a0· ", items);
}

static char *
format_options (DynoResult *result)
{
  return split_list (dyno_case_get_options (dyno_result_get_case (result)));
}

static char *
format_batch (DynoResult *result)
{
  return format_setting (dyno_case_get_batch_size (dyno_result_get_case (result)));
}

static char *
format_sequence (DynoResult *result)
{
  return format_setting (dyno_case_get_sequence_length (dyno_result_get_case (result)));
}

static char *
format_generated (DynoResult *result)
{
  return format_setting (dyno_case_get_generate_tokens (dyno_result_get_case (result)));
}

static char *
format_dimensions (DynoResult *result)
{
  g_autofree char *given = dyno_case_dup_given (dyno_result_get_case (result));

  return split_list (given);
}

static char *
format_threads (DynoResult *result)
{
  return format_setting (dyno_case_get_threads (dyno_result_get_case (result)));
}

static char *
format_pinning (DynoResult *result)
{
  return g_strdup (dyno_case_get_pinning (dyno_result_get_case (result)));
}

/* One request at a time is the default and is not shown. */
static char *
format_load (DynoResult *result)
{
  return dyno_case_parts_dup_text (result, DYNO_CASE_LOAD);
}

static const Setting settings[] = {
  { "L", N_ ("Model"), dyno_case_parts_dup_model, 0 },
  { "L", N_ ("Engine"), format_engine, 0 },
  { "L", N_ ("Precision"), format_precision, 0 },
  { "P", N_ ("Options"), format_options, 0 },
  { "R", N_ ("Batch"), format_batch, DYNO_CASE_BATCH },
  { "R", N_ ("Sequence"), format_sequence, DYNO_CASE_SEQUENCE },
  { "R", N_ ("Generated"), format_generated, DYNO_CASE_GENERATE },
  { "P", N_ ("Dimensions"), format_dimensions, 0 },
  { "R", N_ ("Threads"), format_threads, DYNO_CASE_THREADS },
  { "L", N_ ("Pinning"), format_pinning, DYNO_CASE_PINNING },
  { "L", N_ ("Load"), format_load, 0 },
};

static GStrv
format_all (GPtrArray *results, char *(*format) (DynoResult *result))
{
  GStrv cells = g_new0 (char *, results->len + 1);

  for (guint i = 0; i < results->len; i++)
    cells[i] = format (results->pdata[i]);
  return cells;
}

/* Returns the name of the most important value of a case; NULL if it has no number. */
static const char *
find_main (DynoResult *result, GPtrArray *names)
{
  for (guint i = 0; main_metrics[i] != NULL; i++)
    if (isfinite (dyno_result_get_number (result, main_metrics[i])))
      return main_metrics[i];
  for (guint i = 0; i < names->len; i++)
    if (isfinite (dyno_result_get_number (result, names->pdata[i])))
      return names->pdata[i];
  return NULL;
}

static gboolean
is_main (GPtrArray *results, GPtrArray *names, const char *metric)
{
  for (guint i = 0; i < results->len; i++)
    if (g_strcmp0 (find_main (results->pdata[i], names), metric) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the items of a step over its median, which the sustained rate falls short of by every slow step. */
static double
get_rate_at_median (DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  double batch_size = MAX (dyno_case_get_batch_size (kase), 1);
  double n_items = dyno_result_get_number (result, ITEMS) * dyno_result_get_number (result, MEAN) / 1e3;
  gboolean is_step =
      dyno_case_get_generate_tokens (kase) == 0 && g_str_equal (dyno_case_get_load (kase), "single");

  /* A step may be several requests, and the time between steps counts in the sustained rate. */
  n_items = batch_size * fmax (round (n_items / batch_size), 1);
  return is_step && dyno_result_find_message (result, DYNO_ORIGIN_CODE) == NULL
             ? 1e3 * n_items / dyno_result_get_number (result, MEDIAN)
             : NAN;
}

static void
add_rates_at_median (DynoReportTable *table, GPtrArray *results, GListModel *list)
{
  GStrv cells = g_new0 (char *, results->len + 1);
  DynoReportQuantity quantity;
  gboolean has_any = FALSE;

  dyno_report_quantity_choose (list, ITEMS, &quantity);
  for (guint i = 0; i < results->len; i++)
    {
      double rate = get_rate_at_median (results->pdata[i]);
      DynoValue *value = dyno_result_get_value (results->pdata[i], MEDIAN);
      g_autoptr (DynoValue) derived =
          isfinite (rate) ? dyno_value_new (ITEMS, rate, "1/s", dyno_value_get_quality (value), "median")
                          : NULL;

      has_any |= derived != NULL;
      cells[i] = dyno_cli_format_value_in (derived, &quantity);
    }
  if (has_any)
    /* Translators: the heading of a column of rates */
    dyno_report_table_take_column (table, "r1", _ ("At the median"), cells);
  else
    g_strfreev (cells);
}

static void
add_value (DynoReportTable *table, GPtrArray *results, GListModel *list, GPtrArray *names, guint place)
{
  const char *metric = names->pdata[place];
  const Metric *known = place < G_N_ELEMENTS (metrics) ? &metrics[place] : NULL;
  const char *column = known != NULL ? known->column : FURTHER_COLUMN;
  g_autofree char *heading = known != NULL ? g_strdup (_ (known->heading)) : dyno_metric_title_dup (metric);
  GStrv cells = g_new0 (char *, results->len + 1);
  DynoReportQuantity quantity;

  dyno_report_quantity_choose (list, metric, &quantity);
  for (guint i = 0; i < results->len; i++)
    cells[i] = dyno_cli_format_value_in (g_str_equal (metric, MEAN) &&
                                                 !dyno_further_values_tells_mean (results->pdata[i])
                                             ? NULL
                                             : dyno_result_get_value (results->pdata[i], metric),
                                         &quantity);
  dyno_report_table_take_column (table, is_main (results, names, metric) ? "r" : column, heading, cells);
  if (!g_str_equal (metric, MEDIAN))
    return;

  g_autofree char *words = dyno_latency_interval_dup_common_words (results);

  dyno_report_table_take_column (table, "r4", _ ("Interval"), format_all (results, format_median_interval));
  /* Translators: below a table, what its column “Interval” is, such as “95 % CI of the median over 5 processes” */
  dyno_report_table_take_note (table, g_strdup_printf (_ ("Interval: %s."), words));
  add_rates_at_median (table, results, list);
}

static GListModel *
to_list (GPtrArray *results)
{
  GListStore *list = g_list_store_new (DYNO_TYPE_RESULT);

  for (guint i = 0; i < results->len; i++)
    g_list_store_append (list, results->pdata[i]);
  return G_LIST_MODEL (list);
}

/* Adds values that have no column in the table above. */
static void
add_rest (DynoReportDocument *document, GPtrArray *results, const char *const *shown, GPtrArray *further)
{
  gboolean is_first = TRUE;

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *rest =
          dyno_further_values_dup_rest (results->pdata[i], shown, further, dyno_cli_format_value);
      g_autofree char *number = g_strdup_printf ("#%u", i + 1);

      if (rest == NULL)
        continue;
      if (is_first)
        {
          dyno_report_document_add_heading (document, 2, _ ("Other values"));
          dyno_report_document_begin_list (document);
        }
      is_first = FALSE;
      dyno_report_document_add_fact (document, number, rest);
    }
}

static char *
format_state (DynoResult *result)
{
  return g_strdup (state_label (result));
}

static void
add_table (DynoReportDocument *document, GPtrArray *results)
{
  g_autoptr (GListModel) list = to_list (results);
  g_auto (GStrv) shown = list_shown ();
  g_autoptr (GPtrArray) further = dyno_further_values_choose (list, (const char *const *)shown);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  DynoReportTable *table;
  GStrv numbers;

  if (results->len == 0)
    return;
  table = dyno_report_table_new ("", NULL);
  numbers = g_new0 (char *, results->len + 1);
  for (guint i = 0; i < results->len; i++)
    numbers[i] = format_setting (i + 1);
  dyno_report_table_take_column (table, "r", "#", numbers);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      const Setting *setting = &settings[i];

      dyno_report_table_take_column (table, setting->column, _ (setting->heading),
                                     format_all (results, setting->format));
      if (setting->part != 0)
        dyno_report_table_take_words (table, dyno_case_parts_dup_text (results->pdata[0], setting->part));
    }

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    g_ptr_array_add (names, (gpointer)metrics[i].metric);
  g_ptr_array_extend (names, further, NULL, NULL);
  for (guint i = 0; i < names->len; i++)
    add_value (table, results, list, names, i);
  dyno_report_table_take_column (table, "L1", _ ("Status"), format_all (results, format_state));
  dyno_report_table_take_words (table, g_strdup ("")); /* the heading of the run shows it */
  dyno_report_document_take_table (document, table);
  add_rest (document, results, (const char *const *)shown, further);
}

static char *
dup_counts (DynoRun *run)
{
  g_autofree char *text = dyno_run_dup_outcome (run);

  if (dyno_run_is_running (run))
    return g_strdup_printf (_ ("Being measured by another process: %s"), text);
  if (dyno_run_is_interrupted (run))
    return g_strdup_printf (_ ("Interrupted: %s. Continue with “dyno-cli run --remaining %.8s”."), text,
                            dyno_run_get_id (run));
  return g_steal_pointer (&text);
}

void
dyno_cli_cases_add_heading (DynoReportDocument *document, DynoRun *run)
{
  g_autofree char *tool = dyno_run_dup_tool (run);
  g_autofree char *date = dyno_report_text_format_date (dyno_run_get_started_at (run));
  const char *snapshot = dyno_run_get_machine (run);
  g_autofree char *machine = snapshot != NULL && *snapshot != '\0' ? dyno_machine_dup_summary (snapshot)
                                                                   : g_strdup (_ ("unknown machine"));
  g_autofree char *taken = g_strdup_printf ("%s · %s · %s", dyno_run_get_id (run), date, tool);
  g_autofree char *counts = dup_counts (run);
  const char *title = dyno_run_get_title (run);
  const char *notes = dyno_run_get_notes (run);

  dyno_report_document_add_heading (document, 1,
                                    title != NULL && *title != '\0' ? title : _ ("Untitled run"));
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, NULL, taken, NULL);
  dyno_report_document_add_item (document, NULL, machine, NULL);
  dyno_report_document_add_item (document, NULL, counts, NULL);

  /* The devices of cases that were not measured are unknown. */
  g_autoptr (GHashTable) added = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *engine = format_engine (results->pdata[i]);
      g_autofree char *device = dyno_result_dup_device_label (results->pdata[i]);

      if (device != NULL && g_hash_table_add (added, g_strdup_printf ("%s: %s", engine, device)))
        dyno_report_document_add_fact (document, engine, device);
    }

  if (notes != NULL && *notes != '\0')
    dyno_report_document_add_paragraph (document, notes);
}

static void
add_sentence (DynoReportDocument *document, const char *sentence)
{
  if (sentence != NULL && *sentence != '\0')
    dyno_report_document_add_item (document, NULL, sentence, NULL);
}

void
dyno_cli_cases_add (DynoReportDocument *document, DynoRun *run)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  g_autofree char *doubt = dyno_run_summary_dup_doubt (run);
  g_autofree char *rough = dyno_run_summary_dup_rough (run);

  dyno_cli_cases_add_heading (document, run);

  g_auto (GStrv) findings = dyno_run_summary_dup_findings (run);
  g_autofree char *winner = dyno_run_summary_dup_winner (run);
  g_autofree char *interruption = dyno_run_summary_dup_interruption (run);

  dyno_report_document_begin_list (document);
  add_sentence (document, winner);
  for (guint i = 0; findings[i] != NULL; i++)
    add_sentence (document, findings[i]);
  add_sentence (document, interruption);

  add_table (document, results);
  dyno_cli_notes_add_reasons (document, results);
  dyno_report_document_begin_list (document);
  add_sentence (document, doubt);
  add_sentence (document, rough);
  dyno_cli_notes_add_warnings (document, results);

  g_autoptr (GPtrArray) list = dyno_missing_find (dyno_run_get_results (run));

  if (list->len == 0)
    return;
  dyno_report_document_add_heading (document, 2, _ ("Not measured"));
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < list->len; i++)
    {
      DynoMissing *missing = list->pdata[i];
      g_autofree char *title = dyno_missing_dup_title (missing);

      dyno_report_document_add_fact (document, title, missing->reason);
    }
}

void
dyno_cli_cases_print (DynoRun *run)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");

  dyno_cli_cases_add (document, run);
  dyno_cli_print_document (document);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = dyno_operator_get_time_ns (*(DynoOperator *const *)a);
  gint64 second = dyno_operator_get_time_ns (*(DynoOperator *const *)b);

  return (first < second) - (first > second);
}

/* Numbers that the engine does not report are negative. */
static char *
format_known (gint64 number, const char *unit)
{
  return number >= 0 ? dyno_cli_format_quantity ((double)number, unit) : g_strdup ("—");
}

static void
add_operators (DynoReportDocument *document, DynoResult *result)
{
  DynoReportTable *table =
      dyno_report_table_new ("ll1l3r4rr2r2", _ ("Operator"), _ ("Type"), _ ("Provider"), _ ("Calls"),
                             _ ("Total time"), _ ("FLOPs per call"), _ ("Bytes per call"), NULL);
  GPtrArray *operators = dyno_result_get_operators (result);
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (operators, (GCopyFunc)g_object_ref, NULL);
  guint n_more = sorted->len > MAX_OPERATORS ? sorted->len - MAX_OPERATORS : 0;
  g_autofree char *more = g_strdup_printf (ngettext ("and %u more", "and %u more", n_more), n_more);

  g_ptr_array_sort (sorted, compare_times);

  /* All times have the same unit. */
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < MIN (sorted->len, MAX_OPERATORS); i++)
    {
      gint64 nanoseconds = dyno_operator_get_time_ns (sorted->pdata[i]);
      double milliseconds = nanoseconds >= 0 ? (double)nanoseconds * 1e-6 : NAN;

      g_array_append_val (numbers, milliseconds);
    }

  g_auto (GStrv) times = dyno_cli_format_column (numbers, "ms");

  for (guint i = 0; times[i] != NULL; i++)
    {
      DynoOperator *op = sorted->pdata[i];
      const char *provider = dyno_operator_get_provider (op);

      dyno_report_table_take_row (
          table, g_strdup (dyno_operator_get_name (op)), g_strdup (dyno_operator_get_op_type (op)),
          g_strdup (provider != NULL ? provider : ""), dyno_cli_format_count (dyno_operator_get_calls (op)),
          g_strdup (*times[i] != '\0' ? times[i] : "—"), format_known (dyno_operator_get_flops (op), "FLOP"),
          format_known (dyno_operator_get_bytes (op), "B"), NULL);
    }
  dyno_report_document_take_table (document, table);
  if (n_more > 0)
    dyno_report_document_add_paragraph (document, more);
}

static char *
format_invocation (const DynoInvocation *invocation, const char *name, const char *unit)
{
  double number = dyno_invocation_get_number (invocation, name);

  return isfinite (number) ? dyno_cli_format_quantity (number, unit) : g_strdup ("—");
}

/* Adds the result of each process, and how much they differ. */
static void
add_invocations (DynoReportDocument *document, DynoResult *result)
{
  DynoReportTable *table = dyno_report_table_new ("rrrrrw", _ ("Process"), _ ("Median"), _ ("Samples"),
                                                  _ ("Load"), _ ("Peak memory"), _ ("Failure"), NULL);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_auto (GStrv) findings = dyno_processes_dup_findings (result);

  for (guint i = 0; invocations->len > 1 && i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];

      dyno_report_table_take_row (table, g_strdup_printf ("%u", invocation->number + 1),
                                  format_invocation (invocation, "latency_p50_ms", "ms"),
                                  format_invocation (invocation, "latency_samples", ""),
                                  format_invocation (invocation, "load_time_ms", "ms"),
                                  format_invocation (invocation, "memory_peak_mb", "MB"),
                                  g_strdup (invocation->failure != NULL ? invocation->failure : ""), NULL);
    }
  dyno_report_document_take_table (document, table);
  dyno_report_document_begin_list (document);
  for (guint i = 0; invocations->len > 1 && findings[i] != NULL; i++)
    add_sentence (document, findings[i]);
}

static void
add_diagnostics (DynoReportDocument *document, DynoResult *result)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  dyno_report_document_begin_list (document);
  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);

      dyno_report_document_add_fact (
          document, dyno_severity_to_string (dyno_diagnostic_get_shown_severity (diagnostic)),
          dyno_diagnostic_get_message (diagnostic));
    }
}

void
dyno_cli_cases_add_one (DynoReportDocument *document, DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  g_autofree char *device = dyno_result_dup_device_label (result);
  g_autofree char *heading = g_strdup_printf ("%s: %s", label, state_label (result));
  g_autofree char *prediction = dyno_prediction_dup_outcome (result);

  dyno_report_document_add_heading (document, 2, heading);
  dyno_report_document_begin_list (document);
  add_sentence (document, device);
  add_sentence (document, dyno_result_get_reason (result));
  add_sentence (document, prediction);

  DynoReportTable *table =
      dyno_report_table_new ("lrl1w2", _ ("Value"), _ ("Number"), _ ("Quality"), _ ("Source"), NULL);
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);
      const char *source = dyno_value_get_source (value);

      dyno_report_table_take_row (table, g_strdup (dyno_value_get_name (value)),
                                  dyno_cli_format_value (value),
                                  g_strdup (dyno_quality_to_string (dyno_value_get_quality (value))),
                                  g_strdup (source != NULL ? source : ""), NULL);
    }
  dyno_report_document_take_table (document, table);

  add_invocations (document, result);
  dyno_cli_modules_add (document, result);
  add_operators (document, result);
  add_diagnostics (document, result);
}

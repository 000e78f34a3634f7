/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-further-values.h"
#include "dyno-grade.h"
#include "dyno-latency-interval.h"
#include "dyno-metric.h"
#include "dyno-report-document-private.h"
#include "dyno-report-quantity.h"
#include "dyno-report.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define MEDIAN "latency_p50_ms"
#define MEAN   "latency_mean_ms"
#define ITEMS  "throughput_items_per_sec"
#define LOW    "latency_median_low_ms"
#define HIGH   "latency_median_high_ms"

/* A column for a setting of the cases: a number, or words. */
typedef struct
{
  const char *letters;
  const char *title;
  DynoCaseParts part; /* 0 for the model */
  guint (*get) (DynoCase *kase);
} Setting;

static const Setting settings[] = {
  { "L", N_ ("Model"), 0, NULL },
  { "L", N_ ("Engine"), DYNO_CASE_BACKEND | DYNO_CASE_DEVICE, NULL },
  { "L", N_ ("Precision"), DYNO_CASE_PRECISION, NULL },
  { "P", N_ ("Options"), DYNO_CASE_OPTIONS, NULL },
  { "P", N_ ("Library"), DYNO_CASE_LIBRARY, NULL },
  { "R", N_ ("Batch"), DYNO_CASE_BATCH, dyno_case_get_batch_size },
  { "R", N_ ("Sequence"), DYNO_CASE_SEQUENCE, dyno_case_get_sequence_length },
  { "R", N_ ("Generated"), DYNO_CASE_GENERATE, dyno_case_get_generate_tokens },
  { "R", N_ ("Images"), DYNO_CASE_IMAGES, dyno_case_get_images },
  { "P", N_ ("Dimensions"), DYNO_CASE_DIMENSIONS, NULL },
  { "R", N_ ("Threads"), DYNO_CASE_THREADS, dyno_case_get_threads },
  { "L", N_ ("Pinning"), DYNO_CASE_PINNING, NULL },
  { "L", N_ ("Load"), DYNO_CASE_LOAD, NULL },
};

/* A column that a table has if some case has its value, which is a number of a metric or a text. */
typedef struct
{
  const char *letters;
  const char *title;
  const char *metric;
  DynoValue *(*find) (DynoResult *result); /* nullable: in place of the metric itself; returns a reference */
  char *(*format) (DynoResult *result);
  double percent;              /* of a percentile, 0 for any other value */
  DynoReportQuantity quantity; /* 0 to choose one */
} Column;

/* Without a median, or if another tool gave it, the mean is worth a column. */
static DynoValue *
find_mean (DynoResult *result)
{
  DynoValue *mean = dyno_further_values_tells_mean (result) ? dyno_result_get_value (result, MEAN) : NULL;

  return mean != NULL ? dyno_value_ref (mean) : NULL;
}

static DynoValue *
find_rate_at_median (DynoResult *result)
{
  double rate = dyno_result_get_rate_at_median (result);

  return isfinite (rate)
             ? dyno_value_new (ITEMS, rate, "1/s",
                               dyno_value_get_quality (dyno_result_get_value (result, MEDIAN)), "median")
             : NULL;
}

/* Shows both distances of the ends from the median: between processes, the upper end is often much farther. */
static char *
format_interval (DynoResult *result)
{
  double median = dyno_result_get_number (result, MEDIAN);
  double low = dyno_result_get_number (result, LOW);
  double high = dyno_result_get_number (result, HIGH);
  g_autofree char *below = NULL;
  g_autofree char *above = NULL;
  g_autofree char *range = NULL;

  if (!(median > 0 && high >= low))
    return NULL;
  below = dyno_unit_format_number (100 * MAX (median - low, 0) / median, 1);
  above = dyno_unit_format_number (100 * MAX (high - median, 0) / median, 1);
  /* Translators: how far below and above the median, such as “−1.2 to +3.4”, in per cent */
  range = g_strdup_printf (_ ("−%s to +%s"), below, above);
  return g_strdup_printf ("%s\u00a0%%", range);
}

static char *
format_processes (DynoResult *result)
{
  guint n = dyno_result_get_n_invocations (result);

  return n > 0 && dyno_case_state_has_numbers (dyno_result_get_state (result)) ? g_strdup_printf ("%u", n)
                                                                               : NULL;
}

/* The digits say how soon a narrow table drops the column; it never drops the main value of a case. */
static const Column columns[] = {
  { "r1", N_ ("Median"), MEDIAN },
  { "r4", N_ ("Interval"), .format = format_interval },
  /* Translators: the heading of a column of rates */
  { "r1", N_ ("At the median"), ITEMS, .find = find_rate_at_median },
  { "r8", N_ ("Processes"), .format = format_processes },
  { "r7", N_ ("90th percentile"), "latency_p90_ms", .percent = 90 },
  { "r3", N_ ("99th percentile"), "latency_p99_ms", .percent = 99 },
  { "r2", N_ ("Mean"), MEAN, .find = find_mean },
  { "r2", N_ ("Sustained"), ITEMS },
  { "r1", N_ ("Real-time factor"), "audio_seconds_per_sec" },
  { "r1", N_ ("Output"), "output_tokens_per_sec" },
  { "r4", N_ ("Total"), "throughput_tokens_per_sec" },
  { "r1", N_ ("Prompt"), "prefill_tokens_per_sec" },
  { "r1", N_ ("Decoding"), "decode_tokens_per_sec" },
  { "r2", N_ ("First token"), "first_token_latency_ms" },
  { "r2", N_ ("Next token"), "inter_token_latency_ms" },
  { "r5", N_ ("Peak memory"), "memory_peak_mb" },
  { "r9", N_ ("Compute"), "flops_per_sec", .quantity = { 1e-9, "GFLOP/s" } },
};

/* Imported values without a column of their own are dropped before most others. */
#define FURTHER_LETTERS "r6"

/* For speech and for language models, rates are more useful than latencies. */
static const char *const main_metrics[] = { "audio_seconds_per_sec", "output_tokens_per_sec",
                                            "decode_tokens_per_sec", "prefill_tokens_per_sec", NULL };

/* Returns the name of the most important value of a case; NULL if it has no number. */
static const char *
find_main (DynoResult *result, GPtrArray *further)
{
  for (guint i = 0; main_metrics[i] != NULL; i++)
    if (isfinite (dyno_result_get_number (result, main_metrics[i])))
      return main_metrics[i];
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].metric != NULL && isfinite (dyno_result_get_number (result, columns[i].metric)))
      return columns[i].metric;
  for (guint i = 0; i < further->len; i++)
    if (isfinite (dyno_result_get_number (result, further->pdata[i])))
      return further->pdata[i];
  return NULL;
}

/* Older runs have no effective samples; fmin() ignores a NaN. */
static char *
format_value (DynoResult *result, DynoValue *value, const DynoReportQuantity *quantity, double percent)
{
  double n_samples = fmin (dyno_result_get_number (result, "latency_samples"),
                           dyno_result_get_number (result, "latency_effective_samples"));
  gsize n_needed = percent > 0 ? dyno_stats_percentile_min_samples (percent) : 0;
  DynoQuality quality;
  const char *mark;
  g_autofree char *number = NULL;

  if (value == NULL || !dyno_value_is_number (value))
    return n_samples < n_needed
               /* Translators: replaces a percentile in a table; the number of samples it would take */
               ? g_strdup_printf (_ ("needs %zu"), n_needed)
               : g_strdup ("–");
  number = dyno_report_quantity_format (quantity, dyno_value_get_number (value), dyno_value_get_unit (value));
  quality = dyno_value_get_quality (value);
  /* A sign stands before a number that is not simply measured. */
  mark = quality == DYNO_QUALITY_UNSTEADY    ? "~"
         : quality == DYNO_QUALITY_IMPORTED  ? "←"
         : quality == DYNO_QUALITY_ESTIMATED ? "≈"
                                             : "";
  return g_strconcat (mark, number, NULL);
}

/* Adds the column if some case has a number for it; returns whether it did. */
static gboolean
add_column (
    DynoReportTable *table, DynoRun *run, GPtrArray *results, GPtrArray *further, const Column *column)
{
  GStrv cells = g_new0 (char *, results->len + 1);
  g_autofree double *numbers = g_new (double, results->len);
  g_autofree char *title = NULL;
  DynoReportQuantity quantity = column->quantity;
  gboolean is_needed = FALSE, is_main = FALSE;

  if (column->metric != NULL && quantity.factor == 0)
    dyno_report_quantity_choose (dyno_run_get_results (run), column->metric, &quantity);
  if (g_strcmp0 (column->metric, ITEMS) == 0 && g_strcmp0 (quantity.unit, "1/s") == 0)
    quantity.unit = "items/s";
  for (guint i = 0; i < results->len; i++)
    {
      DynoResult *result = results->pdata[i];
      DynoValue *own = column->metric != NULL ? dyno_result_get_value (result, column->metric) : NULL;
      g_autoptr (DynoValue) value = column->find != NULL ? column->find (result)
                                    : own != NULL        ? dyno_value_ref (own)
                                                         : NULL;
      char *text = column->format != NULL ? column->format (result) : NULL;

      is_needed |= text != NULL || (value != NULL && dyno_value_is_number (value));
      is_main |=
          value != NULL && value == own && g_strcmp0 (find_main (result, further), column->metric) == 0;
      numbers[i] = value != NULL ? dyno_value_get_number (value) * quantity.factor : NAN;
      cells[i] = text != NULL ? text : format_value (result, value, &quantity, column->percent);
    }
  if (!is_needed)
    {
      g_strfreev (cells);
      return FALSE;
    }
  title = dyno_report_quantity_dup_title (&quantity, _ (column->title));
  dyno_report_table_take_column (table, is_main ? "r" : column->letters, title, cells);
  dyno_report_table_set_numbers (table, numbers);
  return TRUE;
}

static void
add_setting (DynoReportTable *table, GPtrArray *results, const Setting *setting)
{
  GStrv cells = g_new0 (char *, results->len + 1);

  for (guint i = 0; i < results->len; i++)
    if (setting->get != NULL)
      {
        guint number = setting->get (dyno_result_get_case (results->pdata[i]));

        /* A text without an image is a size of its own. */
        cells[i] =
            number > 0 || setting->part == DYNO_CASE_IMAGES ? g_strdup_printf ("%u", number) : g_strdup ("");
      }
    else
      {
        g_autofree char *text = setting->part != 0
                                    ? dyno_case_parts_dup_text (results->pdata[i], setting->part)
                                    : dyno_case_parts_dup_model (results->pdata[i]);
        g_auto (GStrv) items = g_strsplit (text, *setting->letters == 'P' ? "," : "\n", -1);

        cells[i] = g_strjoinv ("\u00a0· ", items);
      }
  dyno_report_table_take_column (table, setting->letters, _ (setting->title), cells);
  if (setting->get != NULL)
    dyno_report_table_take_words (table, dyno_case_parts_dup_text (results->pdata[0], setting->part));
}

static char *
dup_number (DynoResult *result, guint number)
{
  return g_strdup_printf ("%u", number);
}

static char *
dup_label (DynoResult *result, guint number)
{
  return dyno_case_dup_label (dyno_result_get_case (result));
}

static char *
dup_status (DynoResult *result, guint number)
{
  return g_strdup (dyno_result_get_status_label (result));
}

static void
add_texts (DynoReportTable *table,
           GPtrArray *results,
           const char *letters,
           const char *title,
           char *(*dup) (DynoResult *result, guint number))
{
  GStrv cells = g_new0 (char *, results->len + 1);

  for (guint i = 0; i < results->len; i++)
    cells[i] = dup (results->pdata[i], i + 1);
  dyno_report_table_take_column (table, letters, title, cells);
}

/* Adds the values from other tools that have no column. */
static void
add_rest (DynoReportDocument *document,
          GPtrArray *results,
          const char *const *shown,
          GPtrArray *further,
          gboolean has_settings)
{
  gboolean has_list = FALSE;

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *rest =
          dyno_further_values_dup_rest (results->pdata[i], shown, further, dyno_report_quantity_format_value);
      g_autofree char *name = has_settings ? g_strdup_printf ("#%u", i + 1)
                                           : dyno_case_dup_label (dyno_result_get_case (results->pdata[i]));

      if (rest == NULL)
        continue;
      if (!has_list)
        {
          dyno_report_document_add_heading (document, has_settings ? 2 : 3, _ ("Other values"));
          dyno_report_document_begin_list (document);
        }
      has_list = TRUE;
      dyno_report_document_add_fact (document, name, rest);
    }
}

void
dyno_report_cases_add (DynoReportDocument *document, DynoRun *run, gboolean has_settings)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GPtrArray) further = NULL;
  g_auto (GStrv) shown = NULL;
  g_autofree char *words = dyno_latency_interval_dup_common_words (results);
  DynoReportTable *table = dyno_report_table_new ("", NULL);

  g_strv_builder_add_many (names, LOW, HIGH, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].metric != NULL)
      g_strv_builder_add (names, columns[i].metric);
  shown = g_strv_builder_end (names);
  further = dyno_further_values_choose (dyno_run_get_results (run), (const char *const *)shown);

  add_texts (table, results, has_settings ? "r" : "w", has_settings ? "#" : _ ("Case"),
             has_settings ? dup_number : dup_label);
  for (guint i = 0; has_settings && results->len > 0 && i < G_N_ELEMENTS (settings); i++)
    add_setting (table, results, &settings[i]);
  if (!has_settings)
    add_texts (table, results, "l", _ ("Status"), dup_status);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (add_column (table, run, results, further, &columns[i]) && columns[i].format == format_interval)
      /* Translators: below a table, what its column “Interval” is, such as “95 % interval of the median over 5 processes” */
      dyno_report_table_take_note (table, g_strdup_printf (_ ("Column “Interval”: %s."), words));
  for (guint i = 0; i < further->len; i++)
    {
      g_autofree char *title = dyno_metric_title_dup (further->pdata[i]);

      add_column (table, run, results, further, &(Column){ FURTHER_LETTERS, title, further->pdata[i] });
    }
  if (has_settings)
    {
      add_texts (table, results, "L1", _ ("Status"), dup_status);
      /* The heading of a run tells a status that all share. */
      dyno_report_table_take_words (table, g_strdup (""));
    }
  dyno_report_document_take_table (document, table);
  add_rest (document, results, (const char *const *)shown, further, has_settings);
}

DynoReportTable *
dyno_report_cases_list_values (DynoRun *run, const char *const *names)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  g_autoptr (GPtrArray) further = g_ptr_array_new ();
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("", NULL);
  g_autoptr (GPtrArray) present = g_ptr_array_new ();

  for (guint i = results->len; i-- > 0;)
    {
      gboolean has_number = FALSE;

      for (guint k = 0; names[k] != NULL; k++)
        {
          if (!isfinite (dyno_result_get_number (results->pdata[i], names[k])))
            continue;
          has_number = TRUE;
          if (!g_ptr_array_find (present, names[k], NULL))
            g_ptr_array_add (present, (gpointer)names[k]);
        }
      if (!has_number)
        g_ptr_array_remove_index (results, i);
    }
  if (results->len == 0)
    return NULL;
  add_texts (table, results, "w", _ ("Case"), dup_label);
  for (guint k = 0; names[k] != NULL; k++)
    {
      g_autofree char *title = dyno_metric_title_dup (names[k]);
      const Column own = { FURTHER_LETTERS, title, names[k] };
      const Column *column = &own;

      /* A column that computes another number from the value is none of the value itself. */
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        if (columns[i].find == NULL && g_strcmp0 (columns[i].metric, names[k]) == 0)
          column = &columns[i];
      if (g_ptr_array_find (present, names[k], NULL))
        add_column (table, run, results, further, column);
    }
  return g_steal_pointer (&table);
}

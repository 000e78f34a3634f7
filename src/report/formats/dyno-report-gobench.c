/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-case-parts.h"
#include "dyno-report-facts.h"
#include "dyno-report-formats.h"
#include "dyno-report-text.h"

/* The text format of benchmarks of Go, which benchstat compares: one line for each process of a case, because a line is one
 * draw. Source: golang.org/design/14313-benchmark-format. */

#define NS_PER_MS 1e6

/* What is printed beside the time. */
static const struct
{
  const char *metric;
  const char *unit;
} more[] = {
  { "throughput_items_per_sec", "items/s" },       { "throughput_tokens_per_sec", "tokens/s" },
  { "decode_tokens_per_sec", "decoded-tokens/s" }, { "memory_peak_mb", "peak-MB" },
  { "energy_per_item_joules", "J/item" },
};

static void
append_name_part (GString *line, const char *text)
{
  g_autofree char *part = g_strdup (text);

  g_strcanon (part, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._:,=+", '_');
  g_string_append (line, part);
}

/* A name has no blanks; keys and values are told apart by “=”, and part from each other by “/”. */
static void
append_name (GString *line, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autofree char *setting = dyno_case_parts_dup_text (result, DYNO_CASE_GENERATE | DYNO_CASE_PINNING |
                                                                   DYNO_CASE_OPTIONS | DYNO_CASE_DIMENSIONS);

  g_string_append (line, "Benchmark/model=");
  append_name_part (line, dyno_case_get_model (kase));
  g_string_append (line, "/backend=");
  append_name_part (line, dyno_case_get_backend (kase));
  g_string_append (line, "/precision=");
  append_name_part (line, dyno_case_get_precision (kase));
  g_string_append_printf (line, "/batch=%u/sequence=%u", dyno_case_get_batch_size (kase),
                          dyno_case_get_sequence_length (kase));
  if (*setting != '\0')
    {
      g_string_append (line, "/setting=");
      append_name_part (line, setting);
    }
  g_string_append_printf (line, "-%u", MAX (dyno_case_get_threads (kase), 1));
}

static double
get_number (GPtrArray *values, const char *name)
{
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);

      if (g_str_equal (dyno_value_get_name (value), name) && dyno_value_is_number (value))
        return dyno_value_get_number (value);
    }
  return NAN;
}

static void
append_number (GString *report, double number, const char *unit)
{
  g_autofree char *text = dyno_report_text_format_exact (number);

  g_string_append_printf (report, "\t%s %s", text, unit);
}

static void
append_line (GString *report, DynoResult *result, GPtrArray *values)
{
  double median = get_number (values, "latency_p50_ms");
  double n_samples = get_number (values, "latency_samples");

  if (!isfinite (median))
    return;
  append_name (report, result);
  g_string_append_printf (report, "\t%.0f", isfinite (n_samples) ? n_samples : 1);
  append_number (report, median * NS_PER_MS, "ns/op");
  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    if (isfinite (get_number (values, more[i].metric)))
      append_number (report, get_number (values, more[i].metric), more[i].unit);
  g_string_append_c (report, '\n');
}

static void
append_result (GString *report, DynoResult *result)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);

  if (invocations->len == 0)
    append_line (report, result, dyno_result_get_values (result));
  for (guint i = 0; i < invocations->len; i++)
    append_line (report, result, ((DynoInvocation *)g_ptr_array_index (invocations, i))->values);
}

static void
append_key (GString *report, const char *key, const char *value)
{
  g_autofree char *line = g_strdelimit (g_strdup (value != NULL ? value : ""), "\r\n", ' ');

  g_string_append_printf (report, "%s: %s\n", key, line);
}

static void
append_run (GString *report, DynoRun *run)
{
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  GListModel *results = dyno_run_get_results (run);

  append_key (report, "pkg", "dyno");
  append_key (report, "cpu", machine);
  append_key (report, "run", dyno_run_get_id (run));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      append_result (report, result);
    }
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  GString *report = g_string_new (NULL);

  for (guint i = 0; i < 3; i++)
    g_string_append_printf (report, "Unit %s better=higher\n", more[i].unit);
  for (guint i = 0; i < runs->len; i++)
    append_run (report, g_ptr_array_index (runs, i));
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_gobench_format = {
  .name = "gobench",
  .suffix = "bench",
  .label = N_ ("Go benchmark text, for benchstat"),
  .write_runs = write_runs,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-report-document-private.h"
#include "dyno-report-formats.h"
#include "dyno-report-private.h"

/* The text format of Go benchmarks, which benchstat compares: one line for each process of a case, because a
 * line is one sample. benchstat shows a row for each name and a column for each file, and never compares
 * lines with different keys (“cpu: …”), so the keys only hold facts that make numbers incomparable. Source:
 * golang.org/design/14313-benchmark-format. */

#define NS_PER_MS 1e6

/* The values that are printed beside the time. */
static const struct
{
  const char *metric;
  const char *unit;
  gboolean is_rate;
} more[] = {
  { "throughput_items_per_sec", "sustained-items/s", TRUE },
  { "throughput_tokens_per_sec", "sustained-tokens/s", TRUE },
  { "prefill_tokens_per_sec", "prompt-tokens/s", TRUE },
  { "decode_tokens_per_sec", "decoded-tokens/s", TRUE },
  { "memory_peak_mb", "peak-MB", FALSE },
  { "energy_per_item_joules", "J/item", FALSE },
};

/* A name has no blanks; “=” separates keys from values, “/” separates pairs. A “-” with a number at the end
 * is the number of threads. */
static void
append_name_part (GString *line, const char *key, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  g_string_append_printf (line, "/%s=", key);
  for (const char *next = value; *next != '\0'; next = g_utf8_next_char (next))
    {
      gunichar letter = g_utf8_get_char (next);
      gboolean is_apart = letter == '/' || letter == '-' || g_unichar_isspace (letter);

      g_string_append_unichar (line, is_apart || g_unichar_iscntrl (letter) ? '_' : letter);
    }
}

static void
append_count (GString *line, const char *key, guint count)
{
  if (count > 0)
    g_string_append_printf (line, "/%s=%u", key, count);
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
  double n_samples = get_number (values, "latency_samples");
  double median = get_number (values, "latency_p50_ms");
  double mean = get_number (values, "latency_mean_ms");
  g_autoptr (GString) numbers = g_string_new (NULL);

  /* Other tools often report only a mean or a rate; a mean is never compared with a median. */
  if (isfinite (median))
    append_number (numbers, median * NS_PER_MS, "ns/op");
  else if (isfinite (mean))
    append_number (numbers, mean * NS_PER_MS, "mean-ns/op");
  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    if ((numbers->len > 0 || more[i].is_rate) && isfinite (get_number (values, more[i].metric)))
      append_number (numbers, get_number (values, more[i].metric), more[i].unit);
  if (numbers->len == 0)
    return;

  /* The name contains everything that distinguishes a case, else its numbers would count as more samples of
   * another case. */
  DynoCase *kase = dyno_result_get_case (result);
  const char *load = dyno_case_get_load (kase);
  g_string_append (report, "Benchmark");
  append_name_part (report, "model", dyno_case_get_model (kase));
  append_name_part (report, "backend", dyno_case_get_backend (kase));
  append_name_part (report, "device", dyno_case_get_device (kase));
  append_name_part (report, "precision", dyno_case_get_precision (kase));
  if (dyno_case_get_batch_size (kase) > 0)
    append_count (report, "batch", dyno_case_get_batch_size (kase));
  append_count (report, "sequence", dyno_case_get_sequence_length (kase));
  append_count (report, "generate", dyno_case_get_generate_tokens (kase));
  if (dyno_case_get_images (kase) != 1)
    g_string_append_printf (report, "/images=%u", dyno_case_get_images (kase));
  append_name_part (report, "dimensions", dyno_case_get_dimensions (kase));
  append_name_part (report, "inputs", dyno_case_get_inputs (kase));
  append_name_part (report, "pinning", dyno_case_get_pinning (kase));
  append_name_part (report, "options", dyno_case_get_options (kase));
  append_name_part (report, "load", dyno_load_is_single (load) ? NULL : load);
  if (dyno_case_get_threads (kase) > 0)
    g_string_append_printf (report, "-%u", dyno_case_get_threads (kase));

  g_string_append_printf (report, "\t%.0f%s\n", isfinite (n_samples) ? n_samples : 1, numbers->str);
}

static void
append_key (GString *report, const char *key, const char *value)
{
  g_autofree char *line = g_strdelimit (g_strdup (value != NULL ? value : ""), "\r\n", ' ');

  g_string_append_printf (report, "%s%s\n", key, line);
}

/* The id of a single run is not a key, because the run to compare it with has another id. */
static void
append_run (GString *report, DynoRun *run, gboolean is_alone)
{
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  GListModel *results = dyno_run_get_results (run);

  append_key (report, "pkg: ", "dyno");
  append_key (report, "cpu: ", machine);
  append_key (report, is_alone ? "# run " : "run: ", dyno_run_get_id (run));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *invocations = dyno_result_get_invocations (result);

      /* A case that never became steady is left out, because benchstat would judge it. */
      if (dyno_report_figure_find (result) == NULL)
        continue;
      if (invocations->len == 0)
        append_line (report, result, dyno_result_get_values (result));
      for (guint k = 0; k < invocations->len; k++)
        append_line (report, result, ((DynoInvocation *)g_ptr_array_index (invocations, k))->values);
    }
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  GString *report;

  if (!dyno_report_figure_check (runs, dyno_report_gobench_format.name, error))
    return NULL;
  report = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    if (more[i].is_rate)
      g_string_append_printf (report, "Unit %s better=higher\n", more[i].unit);
  for (guint i = 0; i < runs->len; i++)
    append_run (report, g_ptr_array_index (runs, i), runs->len == 1);
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_gobench_format = {
  .name = "gobench",
  .suffix = "bench",
  .label = N_ ("Go benchmark text, for benchstat"),
  .write_runs = write_runs,
};

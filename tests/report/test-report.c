/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "dyno-ceiling.h"
#include "dyno-error.h"
#include "dyno-importer.h"
#include "dyno-metric.h"
#include "dyno-report.h"
#include "dyno-report-formats-private.h"
#include "dyno-report-private.h"
#include "dyno-report-source.h"
#include "suite.h"

#define MACHINE                                                                                              \
  "{\"cpu\":{\"name\":\"Test CPU\",\"cores\":4},\"memory\":{\"total_bytes\":17179869184},"                   \
  "\"backends\":[{\"id\":\"cpu\",\"runtime\":\"ONNX Runtime "                                                \
  "1.23.2\"},{\"id\":\"cuda\",\"runtime\":\"unused\"}]}"

static DynoCase *
make_case (const char *model, guint batch_size)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();
  DynoCase *kase = dyno_case_new (model, "cpu");

  g_object_set (method, "invocations", 1, "warmup-steps", 10, "warmup-seconds", 0.5, "min-samples", 50,
                "min-seconds", 2.0, "max-seconds", 30.0, "interval-percent", 1.0, NULL);
  g_object_set (kase, "batch-size", batch_size, "method", method, NULL);
  return kase;
}

static DynoResult *
make_result (DynoRun *run, const char *model, guint batch_size, guint ordinal)
{
  g_autoptr (DynoCase) kase = make_case (model, batch_size);
  g_autoptr (DynoResult) result = dyno_result_new (kase, ordinal);

  dyno_run_add_result (run, result);
  return result;
}

static void
add_measured_result (DynoRun *run)
{
  DynoResult *result = make_result (run, "resnet|18", 2, 0);
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 5);

  g_object_set (result, "model-name", "ResNet, “18”", "device", "CPU", "device-kind", "cpu",
                "parameter-count", (gint64)11689512, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 12.3456, "ms", "clock");
  dyno_result_add_measured (result, "latency_median_low_ms", 12.25, "ms", "clock");
  dyno_result_add_measured (result, "latency_median_high_ms", 12.5, "ms", "clock");
  dyno_result_add_measured (result, "latency_samples", 60, "", "clock");
  dyno_result_add_measured (result, "latency_p90_ms", 13, "ms", "clock");
  dyno_result_take_value (result, dyno_value_new_unsupported ("latency_p99_ms", "ms", "Needs 459 samples."));
  dyno_result_add_measured (result, "throughput_items_per_sec", 162.04, "1/s", "clock");
  dyno_result_add_measured (result, "memory_peak_mb", 1234.56, "MB", "VmHWM");
  dyno_result_take_value (
      result, dyno_value_new ("flops_per_sec", 2.9e11, "FLOP/s", DYNO_QUALITY_ESTIMATED, "operator rules"));
  dyno_result_add_measured (result, "zeal_percent", 0.1, "%", "a metric to come");
  dyno_trace_add (trace, 1000, 12.5);
  dyno_trace_add (trace, 2000, NAN);
  dyno_result_take_trace (result, trace);
  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "governor", "The governor is “powersave”."));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
}

static void
add_failed_result (DynoRun *run)
{
  DynoResult *result = make_result (run, "gpt2", 1, 1);

  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "governor", "The governor is “powersave”."));
  dyno_result_set_status (result, DYNO_STATUS_FAILED,
                          "The worker was killed, \"signal 9\".\nNothing is left.");
}

static GPtrArray *
make_runs (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = dyno_run_new ("11111111-2222-3333-4444-555555555555");

  g_object_set (run, "title", "Night <b>shift</b>", "started-at",
                G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC, "machine", MACHINE, "source", "dyno",
                "app-version", "0.1.0", "plan", "{\"title\":\"Night\"}", NULL);
  add_measured_result (run);
  add_failed_result (run);
  g_ptr_array_add (runs, run);
  return runs;
}

static char *
write_as (GPtrArray *runs, const char *format)
{
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = dyno_report_write (dyno_report_format_find (format), NULL, &source, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (report, NULL), g_bytes_get_size (report));
}

static const char expected_markdown[] =
    "# Night \\<b>shift\\</b>\n"
    "\n"
    "- ResNet, “18”: 162 items/s at batch 2.\n"
    "- GPT-2 was not measured. The worker was killed, \"signal 9\". Nothing is left.\n"
    "\n"
    "**Distribution of latency:** One step was measured: 12.5 ms.\n"
    "\n"
    "## Results\n"
    "\n"
    "| Case | Status | Median (ms) | Interval | At the median (items/s) | Processes | 90th percentile (ms) | "
    "Sustained (items/s) | Peak memory (GB) | Compute (GFLOP/s) |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    "| resnet\\|18 · ONNX Runtime (CPU) · fp32 · batch 2 | Measured | 12.35 | −0.8 to +1.3\u00a0% | 162.0 | "
    "1 | "
    "13.00 | 162.0 | 1.235 | ≈290.0 |\n"
    "| GPT-2 · ONNX Runtime (CPU) · fp32 · batch 1 | Failed | – | – | – | – | – | – | – | – |\n"
    "\n"
    "Column “Interval”: 95 % interval of the median, within this process.\n"
    "\n"
    "## Charts\n"
    "\n"
    "**Latency over time:** The median latency is 12.3 ms.\n"
    "\n"
    "**Latency by batch size:** Latency is 12.3 ms. Measure several sizes to see how it grows.\n"
    "\n"
    "**Sustained throughput by batch size:** Throughput is 162 items/s. Measure several sizes to see how it "
    "grows.\n"
    "\n"
    "**Latency of all cases:** ResNet, “18” takes 12.3 ms per step.\n"
    "\n"
    "## How it was measured\n"
    "\n"
    "- **Date:** 2023-11-14T22:13:20Z\n"
    "- **Machine:** Test CPU · 4 cores · 17.2\u00a0GB\n"
    "- **Dyno:** 0.1.0\n"
    "- **Engines:** ONNX Runtime 1.23.2 (CPU)\n"
    "- **Method:** 1 process for each case, with a warm-up of at least 10 steps and 0.5 s, then at least 50 "
    "samples and 2 s, until the 95 % "
    "interval of the median is within 1 %, for 30 s at most; percentiles by linear interpolation (type 7)\n"
    "\n"
    "## Devices\n"
    "\n"
    "- CPU · CPU (resnet\\|18 · ONNX Runtime (CPU) · fp32 · batch 2)\n"
    "\n"
    "## Findings\n"
    "\n"
    "- The governor is “powersave”. (all cases)\n"
    "\n"
    "## Estimates\n"
    "\n"
    "- **≈ Compute throughput (estimated):** operator rules (resnet\\|18 · ONNX Runtime (CPU) · fp32 · batch "
    "2)\n"
    "\n"
    "## Not measured\n"
    "\n"
    "- **Failed** The worker was killed, \"signal 9\". Nothing is left. (GPT-2 · ONNX Runtime (CPU) · fp32 · "
    "batch 1)\n"
    "- **99th percentile of latency** Needs 459 samples. (resnet\\|18 · ONNX Runtime (CPU) · fp32 · batch "
    "2)\n";

static void
test_markdown (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "markdown");

  g_assert_cmpstr (report, ==, expected_markdown);
}

static DynoReportTable *
find_table (const DynoReportDocument *document)
{
  for (guint i = 0; i < document->blocks->len; i++)
    if (((DynoReportBlock *)document->blocks->pdata[i])->kind == DYNO_REPORT_TABLE)
      return ((DynoReportBlock *)document->blocks->pdata[i])->table;
  return NULL;
}

static guint
find_column (const DynoReportTable *table, const char *title)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (g_str_equal (g_array_index (table->columns, DynoReportColumn, i).title, title))
      return i;
  g_assert_not_reached ();
}

static const char *
get_text (const DynoReportTable *table, guint row, guint column)
{
  return g_array_index ((GArray *)table->rows->pdata[row], DynoReportCell, column).text;
}

/* A terminal names cases by their settings and a page by their labels; the values are the same. */
static void
test_cases_in_two_views (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autoptr (DynoReportDocument) with_settings = dyno_report_document_new ("");
  g_autoptr (DynoReportDocument) with_labels = dyno_report_document_new ("");
  const DynoReportTable *first, *second;
  guint offset;

  dyno_report_cases_add (with_settings, runs->pdata[0], TRUE);
  dyno_report_cases_add (with_labels, runs->pdata[0], FALSE);
  first = find_table (with_settings);
  second = find_table (with_labels);
  g_assert_cmpstr (get_text (first, 0, find_column (first, "#")), ==, "1");
  g_assert_cmpstr (get_text (first, 0, find_column (first, "Batch")), ==, "2");
  g_assert_cmpstr (get_text (first, 1, find_column (first, "Model")), ==, "GPT-2");
  g_assert_cmpstr (get_text (first, 1, find_column (first, "Status")), ==, "Failed");
  g_assert_cmpstr (get_text (second, 1, find_column (second, "Status")), ==, "Failed");
  offset = find_column (first, "Median (ms)");
  for (guint i = find_column (second, "Median (ms)"), k = offset; i < second->columns->len; i++, k++)
    {
      g_assert_cmpstr (g_array_index (first->columns, DynoReportColumn, k).title, ==,
                       g_array_index (second->columns, DynoReportColumn, i).title);
      for (guint row = 0; row < second->rows->len; row++)
        g_assert_cmpstr (get_text (first, row, k), ==, get_text (second, row, i));
    }
}

static void
test_markdown_of_bare_run (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *report = NULL;

  g_ptr_array_add (runs, dyno_run_new (NULL));
  report = write_as (runs, "markdown");
  g_assert_true (g_str_has_prefix (report, "# Untitled run\n\n## Results\n\n"));
  g_assert_nonnull (strstr (report, "\n- **Machine:** Unknown machine\n"));
  g_assert_null (strstr (report, "## Findings"));
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  while ((text = strstr (text, part)) != NULL)
    {
      text += strlen (part);
      n++;
    }
  return n;
}

static GPtrArray *
make_two_runs (void)
{
  GPtrArray *runs = make_runs ();
  DynoRun *second = dyno_run_new (NULL);

  g_object_set (second, "title", "Day", "machine", MACHINE, NULL);
  add_measured_result (second);
  g_ptr_array_add (runs, second);
  return runs;
}

/* What was not measured stands at the end of all runs, each reason once, with the cases of the runs that it is about. */
static void
test_missing_of_two_runs (void)
{
  g_autoptr (GPtrArray) runs = make_two_runs ();
  g_autofree char *report = write_as (runs, "markdown");
  const char *end = strstr (report, "\n# Not measured\n");

  g_assert_cmpuint (count (report, "Not measured\n"), ==, 1);
  g_assert_cmpuint (count (report, "Needs 459 samples."), ==, 1);
  g_assert_nonnull (end);
  g_assert_true (end > strstr (report, "\n# Day\n"));
  g_assert_nonnull (strstr (
      end, "- **Failed** The worker was killed, \"signal 9\". Nothing is left. (GPT-2 · ONNX Runtime (CPU) "
           "· fp32 · batch 1 in “Night \\<b>shift\\</b>”)\n"));
  g_assert_nonnull (
      strstr (end, "Needs 459 samples. (resnet\\|18 · ONNX Runtime (CPU) · fp32 · batch 2 in “Night "));
  g_assert_nonnull (strstr (end, "”; resnet\\|18 · ONNX Runtime (CPU) · fp32 · batch 2 in “Day”)\n"));
}

static void
assert_ends_with_missing (const char *name)
{
  g_autoptr (GPtrArray) runs = make_two_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = dyno_report_write (dyno_report_format_find ("markdown"),
                                                 dyno_report_template_find (name), &source, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (report, NULL), g_bytes_get_size (report));
  g_assert_cmpuint (count (text, "\n## Not measured\n"), ==, 1);
  g_assert_cmpuint (count (strstr (text, "\n## Not measured\n"), "\n#"), ==, 1);
}

static void
test_missing_of_templates (void)
{
  assert_ends_with_missing ("comparison");
  assert_ends_with_missing ("hardware");
}

/* What a report comes to is in what a file says about itself. */
static void
test_subjects (void)
{
  const DynoReportTemplate *const *templates = dyno_report_template_list ();
  g_autoptr (GPtrArray) runs = make_two_runs ();
  const DynoReportSource source = { .runs = runs };

  for (guint i = 0; templates[i] != NULL; i++)
    {
      g_autoptr (DynoReportDocument) document = NULL;
      g_autoptr (GError) error = NULL;

      /* The first run has two models. */
      if (templates[i] == &dyno_report_engines_template)
        {
          g_assert_null (templates[i]->build (templates[i], &source, &error));
          suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "several models");
          g_clear_error (&error);
          g_ptr_array_remove_index (runs, 0);
        }
      document = templates[i]->build (templates[i], &source, &error);
      if (templates[i]->kind != NULL)
        {
          suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "Choose one of: run.");
          continue;
        }
      g_assert_no_error (error);
      g_assert_nonnull (document->subject);
      g_assert_cmpstr (document->subject, !=, "");
    }
}

static DynoResult *
add_model (DynoRun *run, const char *model, const char *architecture, const char *value, const char *unit)
{
  DynoResult *result = make_result (run, model, 1, g_list_model_get_n_items (dyno_run_get_results (run)));

  g_object_set (result, "architecture", architecture, NULL);
  dyno_result_add_measured (result, value, 12.5, unit, "clock");
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

static char *
write_template (GPtrArray *runs, const char *name, const char *format, GError **error)
{
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GBytes) bytes =
      dyno_report_write (dyno_report_format_find (format), dyno_report_template_find (name), &source, error);

  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) : NULL;
}

/* A report has the sections of the kind of all its models, and the template of another kind names those that fit. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *architecture; /* nullable */
    const char *value;
    const char *unit;
    const char *name;
    const char *heading;
    const char *cell;
  } rows[] = {
    { "llama", "first_token_p90_ms", "ms", "language", "\n## Prompt\n",
      "90th percentile of time to first token" },
    { "gpt_oss", "expert_share_max_percent", "%", "language", "\n## Experts\n", "Busiest expert (%)" },
    { NULL, "decode_tokens_per_sec", "1/s", "language", "\n## Decoding\n", "Decoding (1/s)" },
    { "resnet", "latency_p95_ms", "ms", "vision", "\n## Distribution of latency\n",
      "95th percentile of latency (ms)" },
    { "resnet", "output_cosine", "", "vision", "\n## Precision\n", "Smallest cosine" },
    { "wav2vec2", "audio_seconds", "s", "speech", "\n## Real time\n", "Audio of an item (s)" },
    { NULL, "audio_seconds_per_sec", "", "speech", "\n## Real time\n", "Real-time factor" },
    { "whisper", "stage_encoder_percent", "%", "speech", "\n## Stages\n", "| encoder" },
    { "llava", "stage_vision_percent", "%", "multimodal", "\n## Stages\n", "| vision" },
    { "clip", "cache_mb", "MB", "multimodal", "\n## Memory and cache\n", "Key-value cache (MB)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
      const DynoReportTemplate *const *templates = dyno_report_template_list ();
      g_autofree char *fitting = g_strdup_printf ("Choose one of: run, %s.", rows[i].name);
      g_autofree char *usual = NULL;

      g_ptr_array_add (runs, dyno_run_new (NULL));
      add_model (runs->pdata[0], "some", rows[i].architecture, rows[i].value, rows[i].unit);
      usual = write_template (runs, "run", "markdown", NULL);
      g_test_message ("%s %s", rows[i].architecture, rows[i].value);
      g_assert_nonnull (strstr (usual, rows[i].heading));
      g_assert_nonnull (strstr (strstr (usual, rows[i].heading), rows[i].cell));
      for (guint k = 0; templates[k] != NULL; k++)
        if (templates[k]->kind != NULL)
          {
            g_autoptr (GError) error = NULL;
            g_autofree char *text = write_template (runs, templates[k]->name, "markdown", &error);

            if (g_str_equal (templates[k]->name, rows[i].name))
              g_assert_cmpstr (text, ==, usual);
            else
              suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, fitting);
          }
    }
}

/* Of a run with models of several kinds, a template shows the cases of its own. */
static void
test_mixed_kinds (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *usual = NULL;
  g_autofree char *language = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *kase;

  g_ptr_array_add (runs, dyno_run_new (NULL));
  dyno_run_set_title (runs->pdata[0], "Both");
  add_model (runs->pdata[0], "reader", "llama", "first_token_latency_ms", "ms");
  add_model (runs->pdata[0], "viewer", "resnet", "latency_p95_ms", "ms");
  usual = write_template (runs, "run", "markdown", NULL);
  g_assert_null (strstr (usual, "\n## Prompt\n"));
  g_assert_nonnull (strstr (usual, "viewer"));
  language = write_template (runs, "language", "markdown", NULL);
  g_assert_true (g_str_has_prefix (language, "# Both\n"));
  g_assert_nonnull (strstr (language, "\n## Prompt\n"));
  g_assert_null (strstr (language, "viewer"));
  json = write_template (runs, "language", "json", NULL);
  root = json_from_string (json, NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (root)), ==, 1);
  kase = json_array_get_object_element (json_node_get_array (root), 0);
  g_assert_cmpstr (json_object_get_string_member (kase, "model"), ==, "reader");
  g_assert_cmpfloat (json_object_get_double_member (kase, "first_token_latency_ms"), ==, 12.5);
}

/* Cases are compared by their inputs where these differ. */
static void
test_kind_of_inputs (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *one = NULL;
  g_autofree char *several = NULL;
  DynoResult *result;

  g_ptr_array_add (runs, dyno_run_new (NULL));
  add_model (runs->pdata[0], "llava", "llava", "latency_p50_ms", "ms");
  one = write_template (runs, "run", "markdown", NULL);
  g_assert_null (strstr (one, "\n## Combinations of inputs\n"));
  result = add_model (runs->pdata[0], "llava", "llava", "latency_p50_ms", "ms");
  g_object_set (dyno_result_get_case (result), "images", 4, NULL);
  several = write_template (runs, "run", "markdown", NULL);
  g_assert_nonnull (strstr (several, "\n## Combinations of inputs\n"));
}

/* An engine that took its turns unsteadily is compared, and its time is marked. */
static void
test_unsteady_engine (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoReportSource source = { .runs = runs };
  DynoRun *run = dyno_run_new (NULL);
  DynoResult *steady = make_result (run, "gpt2", 1, 0);
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "openvino");
  g_autoptr (DynoResult) unsteady = dyno_result_new (kase, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_add (runs, run);
  dyno_run_add_result (run, unsteady);
  g_object_set (kase, "batch-size", 1, NULL);
  dyno_result_add_measured (steady, "latency_p50_ms", 31.25, "ms", "clock");
  dyno_result_take_value (unsteady,
                          dyno_value_new ("latency_p50_ms", 62.5, "ms", DYNO_QUALITY_UNSTEADY, "clock"));
  dyno_result_take_trace (unsteady, dyno_trace_new ("turns", "", 0));
  dyno_result_set_status (steady, DYNO_STATUS_OK, NULL);
  dyno_result_set_status (unsteady, DYNO_STATUS_OK, NULL);
  bytes = dyno_report_write (dyno_report_format_find ("markdown"), &dyno_report_engines_template, &source,
                             &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (text, "| ~62.5"));
  g_assert_nonnull (strstr (text, "| 31.2"));
}

/* A run that ended before its first case is named after the model of its plan; one without a plan has a title as well. */
static void
test_engines_without_results (void)
{
  static const struct
  {
    const char *plan;
    const char *title;
  } rows[] = { { "{\"models\": [\"gpt2\"]}", "Every engine for GPT-2" }, { NULL, "Every Engine" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
      const DynoReportSource source = { .runs = runs };
      g_autoptr (DynoReportDocument) document = NULL;
      g_autoptr (GError) error = NULL;

      g_ptr_array_add (runs, dyno_run_new (NULL));
      g_object_set (runs->pdata[0], "plan", rows[i].plan, NULL);
      document = dyno_report_engines_template.build (&dyno_report_engines_template, &source, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (document->title, ==, rows[i].title);
      g_assert_cmpstr (document->subject, ==, rows[i].title);
    }
}

/* A run of so many cases, of which the first ones have a warning. */
static char *
write_warned (guint n_cases, guint n_warned)
{
  DynoRun *run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (runs, run);
  for (guint i = 1; i <= n_cases; i++)
    {
      DynoResult *result = make_result (run, "gpt2", i, i);

      if (i <= n_warned)
        dyno_result_take_diagnostic (result,
                                     dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "busy", "It was busy."));
      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
    }
  return write_as (runs, "markdown");
}

/* Most of many cases are counted, and the only one needs no name. */
static void
test_most_cases (void)
{
  g_autofree char *most = write_warned (10, 9);
  g_autofree char *many = write_warned (10, 7);
  g_autofree char *half = write_warned (10, 5);
  g_autofree char *single = write_warned (1, 1);

  g_assert_nonnull (
      strstr (most, " It was busy. (9 of 10 cases: all but GPT-2 · ONNX Runtime (CPU) · fp32 · batch 10)\n"));
  g_assert_nonnull (strstr (many, " It was busy. (7 of 10 cases)\n"));
  g_assert_nonnull (strstr (
      half, "GPT-2 · ONNX Runtime (CPU) · fp32 · batch 4, GPT-2 · ONNX Runtime (CPU) · fp32 · batch 5)\n"));
  g_assert_nonnull (strstr (single, " It was busy.\n"));
}

/* Sentences about the cases that differ in their numbers alone are one, and values of one source stand together. */
static void
test_similar (void)
{
  g_autoptr (GPtrArray) runs = make_two_runs ();
  g_autoptr (DynoResult) last = g_list_model_get_item (dyno_run_get_results (runs->pdata[1]), 0);
  DynoResult *other = make_result (runs->pdata[1], "gpt2", 1, 1);
  g_autofree char *report = NULL;

  dyno_result_take_diagnostic (
      last, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "load-during", "Others kept 1.5 cores busy."));
  dyno_result_take_diagnostic (
      other, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "load-during", "Others kept 1.0 cores busy."));
  dyno_result_take_value (other,
                          dyno_value_new ("flops", 2.9e9, "FLOP", DYNO_QUALITY_ESTIMATED, "operator rules"));
  dyno_result_add_measured (other, "latency_p99_ms", 20, "ms", "");
  dyno_result_take_diagnostic (
      other, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "engine-library", "SHA-256 of the engine: 12ab."));
  dyno_result_take_diagnostic (last,
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "fell-back", "It ran elsewhere."));
  dyno_result_take_diagnostic (other, dyno_diagnostic_new (DYNO_SEVERITY_ERROR, "other", "It broke."));
  dyno_result_set_status (other, DYNO_STATUS_OK, NULL);
  report = write_as (runs, "markdown");
  /* The gravest of all cases comes first. */
  g_assert_nonnull (strstr (report, "- **Error** It broke."));
  g_assert_true (strstr (report, "- **Error** It broke.") <
                 strstr (report, "- **Warning** It ran elsewhere."));
  /* A percentile that some case has is a column. */
  g_assert_nonnull (strstr (report, " | needs 459 | "));
  /* Records come last and are no findings. */
  g_assert_nonnull (strstr (report, "\n## Findings\n"));
  g_assert_true (strstr (report, "\n## Estimates\n") < strstr (report, "\n## Details\n"));
  g_assert_true (strstr (report, "\n## Details\n") < strstr (report, "- SHA-256 of the engine: 12ab."));
  g_assert_nonnull (strstr (report, "- Others kept 1.0 – 1.5 cores busy. (all cases)\n"));
  /* Of one source, but each of them of one case. */
  g_assert_nonnull (strstr (report, "- **≈ Compute throughput (estimated):** operator rules (resnet"));
  g_assert_nonnull (strstr (report, "- **≈ FLOPs per step (estimated):** operator rules (GPT-2"));
}

/* The same columns as in the flat views of the store, in their order. */
static void
assert_names_columns (const char *report)
{
  GPtrArray *values = dyno_metric_list_values ();
  g_autoptr (GString) names = g_string_new (",estimated,unsteady,imported,invocations,interval,grade");

  for (guint i = 0; i < values->len; i++)
    {
      const DynoMetricValue *value = values->pdata[i];

      if (value->is_column)
        g_string_append_printf (names, ",%s", value->name);
    }
  g_assert_nonnull (strstr (names->str, ",power_avg_watts,"));
  g_assert_nonnull (strstr (report, names->str));
}

static void
test_csv (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autoptr (DynoResult) placed = g_list_model_get_item (dyno_run_get_results (runs->pdata[0]), 0);
  g_autofree char *report = NULL;
  const char *first =
      "11111111-2222-3333-4444-555555555555,2023-11-14T22:13:20Z,Night <b>shift</b>,0,resnet|18,"
      "\"ResNet, "
      "“18”\",,11689512,tiny,random,cpu,CPU,cpu,,\"streams=1,threads=2\",fp32,2,0,0,compact,concurrent=2,0,";
  const char *reason =
      ",failed,failed,\"The worker was killed, \"\"signal 9\"\".\nNothing is left.\",governor,,";

  g_object_set (dyno_result_get_case (placed), "options", "streams=1,threads=2", "pinning", "compact", "load",
                "concurrent=2", NULL);
  g_object_set (placed, "weights", "random", NULL);
  report = write_as (runs, "csv");
  g_assert_true (g_str_has_prefix (report, "run,started_at,title,ordinal,model,model_name,architecture,"));
  g_assert_nonnull (
      strstr (report, ",parameter_count,size,weights,backend,device,device_kind,device_id,options,"));
  assert_names_columns (report);
  g_assert_nonnull (strstr (report, ",zeal_percent\r\n"));
  g_assert_nonnull (strstr (report, first));
  g_assert_nonnull (strstr (report, ",ok,measured,,governor,flops_per_sec,,,1,within-process,"));
  g_assert_nonnull (strstr (report, ",12.3456,13,"));
  g_assert_nonnull (strstr (report, ",290000000000,"));
  g_assert_nonnull (strstr (report, ",0.1\r\n"));
  g_assert_nonnull (strstr (report, reason));
}

/* Every row has as many cells as the head; the one line end inside quotes is not a row's. */
static void
test_csv_shape (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "csv");
  g_auto (GStrv) rows = g_strsplit (report, "\r\n", -1);
  guint n_cells[3] = { 0 };

  g_assert_cmpuint (g_strv_length (rows), ==, 4);
  for (guint i = 0; i < 3; i++)
    {
      gboolean is_quoted = FALSE;

      for (const char *next = rows[i]; *next != '\0'; next++)
        {
          is_quoted ^= *next == '"';
          n_cells[i] += *next == ',' && !is_quoted;
        }
    }
  g_assert_cmpuint (n_cells[0], >, 40);
  g_assert_cmpuint (n_cells[1], ==, n_cells[0]);
  g_assert_cmpuint (n_cells[2], ==, n_cells[0]);
}

static void
test_json (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "json");
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_from_string (report, &error);
  JsonObject *run, *machine, *result, *trace;

  g_assert_no_error (error);
  g_assert_null (strstr (report, "nan"));
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "schema_version"), ==, 1);
  run = json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "runs"), 0);
  machine = json_object_get_object_member (json_object_get_object_member (run, "machine"), "cpu");
  result = json_array_get_object_element (json_object_get_array_member (run, "results"), 0);
  trace = json_array_get_object_element (json_object_get_array_member (result, "traces"), 0);

  g_assert_cmpstr (json_object_get_string_member (run, "started_at"), ==, "2023-11-14T22:13:20Z");
  g_assert_true (json_object_get_null_member (run, "finished_at"));
  g_assert_cmpstr (json_object_get_string_member (machine, "name"), ==, "Test CPU");
  g_assert_cmpstr (json_object_get_string_member (result, "device"), ==, "CPU");
  g_assert_cmpstr (json_object_get_string_member (result, "device_kind"), ==, "cpu");
  g_assert_cmpfloat (json_array_get_double_element (json_object_get_array_member (trace, "values"), 0), ==,
                     12.5);
  g_assert_true (json_array_get_null_element (json_object_get_array_member (trace, "values"), 1));
}

static void
add_operator (DynoResult *result, const char *name, gint64 time_ns, gint64 flops)
{
  DynoOperator *op = dyno_operator_new (name, "MatMul", "GPU");

  dyno_operator_set_calls (op, 2);
  dyno_operator_set_time_ns (op, time_ns);
  dyno_operator_set_flops (op, flops);
  dyno_result_take_operator (result, op);
}

/* Operators stand by module as well; a sum of which a part is not known is null. */
static void
test_json_modules (void)
{
  g_autoptr (DynoRun) made = dyno_run_new (NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");
  g_autoptr (DynoResult) made_result = dyno_result_new (kase, 0);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree char *report = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *run, *result, *layer, *attention;

  add_operator (made_result, "/layer.0/attention/MatMul", 100, 1000);
  add_operator (made_result, "/layer.0/mlp/MatMul", 50, -1);
  dyno_run_add_result (made, made_result);
  g_ptr_array_add (runs, made);
  report = write_as (runs, "json");
  root = json_from_string (report, NULL);
  run = json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "runs"), 0);
  result = json_array_get_object_element (json_object_get_array_member (run, "results"), 0);
  layer = json_array_get_object_element (json_object_get_array_member (result, "modules"), 0);
  attention = json_array_get_object_element (json_object_get_array_member (layer, "modules"), 0);

  g_assert_cmpstr (json_object_get_string_member (layer, "path"), ==, "layer.0");
  g_assert_cmpfloat (json_object_get_double_member (layer, "time_ns"), ==, 150);
  g_assert_true (json_object_get_null_member (layer, "flops"));
  g_assert_cmpstr (json_object_get_string_member (attention, "path"), ==, "layer.0.attention");
  g_assert_cmpfloat (json_object_get_double_member (attention, "flops"), ==, 2000);
}

static GPtrArray *
read_json (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes ("report.json", bytes);
  const DynoDialect *dialect = dyno_dialect_find (dyno_import_file_get_head (file));

  g_assert_cmpstr (dialect->name, ==, "dyno-report");
  return dyno_importer_read (file, dialect, error);
}

/* What stands in a JSON report reads back as the same runs. */
static void
test_json_reads_back (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) read = read_json (report, &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  again = write_as (read, "json");
  g_assert_cmpstr (again, ==, report);
}

static GPtrArray *
load_alone (DynoStore *store, const char *id)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (runs, dyno_store_load_run (store, id, &error));
  g_assert_no_error (error);
  return runs;
}

static DynoStore *
open_store (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  DynoStore *store = dyno_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

static void
assert_imported (DynoStore *store, const char *path, guint n_added, guint n_present)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported = dyno_importer_import (store, path, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (imported->added->len, ==, n_added);
  g_assert_cmpuint (imported->present->len, ==, n_present);
}

static void
add_meter (DynoRun *run)
{
  DynoOrigin *meter = dyno_origin_new ();

  meter->file_name = g_strdup ("meter.csv");
  meter->imported_at = G_GINT64_CONSTANT (1700000002000000);
  meter->hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "readings", -1);
  meter->size = 8;
  meter->content = g_bytes_new_static ("packed", 6);
  g_ptr_array_add (dyno_run_get_meters (run), meter);
}

/* A run of two invocations, as a store has it, whose times are no whole seconds. */
static DynoRun *
make_stored_run (void)
{
  DynoRun *run = dyno_run_new ("11111111-2222-4333-8444-555555555555");
  DynoResult *result = make_result (run, "resnet|18", 2, 0);

  g_object_set (run, "title", "Two of three", "notes", "Notes", "started-at",
                G_GINT64_CONSTANT (1700000000123456), "finished-at", G_GINT64_CONSTANT (1700000001000001),
                "source", "dyno", "app-version", "9.8", "machine", MACHINE, "plan", "{\"models\":[]}",
                "n-cases", 3, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 12.1, "ms", "clock");
  dyno_result_take_value (result, dyno_value_new_unsupported ("latency_p99_ms", "ms", "Needs 459 samples."));
  for (guint i = 0; i < 2; i++)
    {
      DynoInvocation *invocation = dyno_invocation_new (i, i == 1 ? "It crashed." : NULL);
      DynoTrace *trace = dyno_trace_new ("latency", "ms", 5 + i);

      g_ptr_array_add (invocation->values,
                       dyno_value_new ("latency_p50_ms", 12.1, "ms", DYNO_QUALITY_MEASURED, "clock"));
      dyno_trace_set_invocation (trace, i);
      dyno_trace_add (trace, 1000, 0.1 + i);
      dyno_result_take_invocation (result, invocation);
      dyno_result_take_trace (result, trace);
    }
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_set_status (make_result (run, "gpt2", 1, 1), DYNO_STATUS_SKIPPED, "Too large");
  add_meter (run);
  return run;
}

/* With the roofs of the machines, as the store has them. */
static char *
write_stored (DynoStore *store, GPtrArray *runs)
{
  g_autoptr (GHashTable) ceilings =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < runs->len; i++)
    g_hash_table_insert (ceilings, runs->pdata[i],
                         dyno_store_load_ceilings (store, dyno_run_get_machine (runs->pdata[i]), &error));
  g_assert_no_error (error);
  return dyno_report_json_write (runs, ceilings);
}

static void
save_ceiling (DynoStore *store, double value, gint64 measured_at)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "id", "dram-read", "kind", DYNO_CEILING_BANDWIDTH, "unit",
                                 "B/s", "value", value, "best", 1.5e10, "threads", 2, "device", "cpu",
                                 "method", "a loop of loads", "measured-at", measured_at, NULL));
  dyno_store_save_ceilings (store, MACHINE, ceilings, &error);
  g_assert_no_error (error);
}

/* From a store into JSON, and from there into another store, nothing changes; and a second time nothing is new. */
static void
test_json_round_trip (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-report-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "report.json", NULL);
  g_autoptr (DynoStore) from = open_store (folder, "from.sqlite");
  g_autoptr (DynoStore) to = open_store (folder, "to.sqlite");
  g_autoptr (DynoRun) run = make_stored_run ();
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  g_autofree char *report = NULL;
  g_autofree char *again = NULL;
  gboolean is_new;

  g_assert_true (dyno_store_add_run (from, run, &is_new, NULL));
  save_ceiling (from, 1.25e10, G_GINT64_CONSTANT (1700000000000000));
  before = load_alone (from, dyno_run_get_id (run));
  g_assert_true (dyno_store_add_original (from, before->pdata[0], NULL));
  report = write_stored (from, before);
  g_assert_nonnull (strstr (report, "dram-read"));
  g_assert_nonnull (strstr (report, "meter.csv"));
  g_assert_true (g_file_set_contents (path, report, -1, NULL));
  assert_imported (to, path, 1, 0);
  after = load_alone (to, dyno_run_get_id (run));
  g_assert_true (dyno_store_add_original (to, after->pdata[0], NULL));
  again = write_stored (to, after);
  g_assert_cmpstr (again, ==, report);
  assert_imported (to, path, 0, 1);
}

/* A stranger's machine may look like this one: what was measured here stays, though it is older. */
static void
test_json_ceilings (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-report-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "report.json", NULL);
  g_autoptr (DynoStore) from = open_store (folder, "from.sqlite");
  g_autoptr (DynoStore) to = open_store (folder, "to.sqlite");
  g_autoptr (DynoRun) run = make_stored_run ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  gboolean is_new;

  g_assert_true (dyno_store_add_run (from, run, &is_new, NULL));
  save_ceiling (from, 1.25e10, G_GINT64_CONSTANT (1700000000000000));
  runs = load_alone (from, dyno_run_get_id (run));
  report = write_stored (from, runs);
  g_assert_true (g_file_set_contents (path, report, -1, NULL));
  save_ceiling (to, 1e10, G_GINT64_CONSTANT (1600000000000000));
  assert_imported (to, path, 1, 0);
  ceilings = dyno_store_load_ceilings (to, MACHINE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ceilings->len, ==, 1);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[0]), ==, 1e10);
}

/* What another tool measured comes back with the file that it wrote. */
static void
test_json_original (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-report-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "report.json", NULL);
  g_autofree char *other =
      g_test_build_filename (G_TEST_DIST, "import", "fixtures", "llama-bench", "b1275.csv", NULL);
  g_autoptr (DynoStore) from = open_store (folder, "from.sqlite");
  g_autoptr (DynoStore) to = open_store (folder, "to.sqlite");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported = dyno_importer_import (from, other, NULL, NULL, NULL, NULL, &error);
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GBytes) original = NULL;
  g_autoptr (GBytes) back = NULL;
  g_autofree char *report = NULL;
  const char *id;

  g_assert_no_error (error);
  id = dyno_run_get_id (imported->added->pdata[0]);
  before = load_alone (from, id);
  g_assert_true (dyno_store_add_original (from, before->pdata[0], &error));
  report = write_as (before, "json");
  g_assert_true (g_file_set_contents (path, report, -1, NULL));
  assert_imported (to, path, 1, 0);
  original = dyno_store_load_original (from, id, &error);
  back = dyno_store_load_original (to, id, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (original, back));
}

static void
test_json_of_others (void)
{
  static const struct
  {
    const char *runs;
    const char *reason;
  } cases[] = {
    { "", "ends too early" },
    { "[7]}", "Line 1: A run of the report is not an object." },
    { "[{\"id\":\"x\",\"results\":[]}]}", "not a UUID" },
    { "[{\"results\":[7]}]}", "A result of the report is not an object." },
    { "[{\"results\":[{}]}]}", "lacks its case" },
    { "[{\"id\":\"11111111-2222-4333-8444-555555555555\"}]}", "started_at" },
    { "[{\"id\":\"11111111-2222-4333-8444-555555555555\",\"started_at\":\"2026-01-01T00:00:00Z\","
      "\"machine\":{},\"ceilings\":[{\"id\":\"dram-read\"}]}]}",
      "A roof" },
    { "[]}", "holds no result" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text =
          g_strconcat ("{\"format\":\"dyno-report\",\"schema_version\":1,\"runs\":", cases[i].runs, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (read_json (text, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, cases[i].reason);
    }
}

static void
test_json_of_newer (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_json ("{\"format\":\"dyno-report\",\"schema_version\":99,\"runs\":[]}", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "newer Dyno");
}

/* All numbers of a column have one unit, as far as they can be read in it. */
static void
test_quantities (void)
{
  static const struct
  {
    double numbers[3];
    const char *unit;
    const char *title;
    const char *cells;
  } cases[] = {
    { { 0.354, 48.4, NAN }, "ms", "Value (ms)", "0.354|48.40|–" },
    { { 0.0005, 0.002, 0 }, "ms", "Value (µs)", "0.5|2.000|0.000" },
    { { 1e-6, 5e4, NAN }, "ms", "Value", "1.000\u00a0ns|50.00\u00a0s|–" },
    { { 12, 34, NAN }, "items/s", "Value (items/s)", "12.00|34.00|–" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoReportTable) table = dyno_report_table_new ("r", "Value", NULL);
      g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
      g_autofree char *joined = NULL;

      for (guint k = 0; k < G_N_ELEMENTS (cases[i].numbers); k++)
        dyno_report_table_take_row (table, g_strdup (""), NULL);
      g_array_append_vals (numbers, cases[i].numbers, G_N_ELEMENTS (cases[i].numbers));
      dyno_report_table_set_quantities (table, 0, numbers, cases[i].unit);
      joined = g_strjoin ("|", get_text (table, 0, 0), get_text (table, 1, 0), get_text (table, 2, 0), NULL);
      g_assert_cmpstr (joined, ==, cases[i].cells);
      g_assert_cmpuint (find_column (table, cases[i].title), ==, 0);
    }
}

static char *
write_document_as_csv (const DynoReportDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = dyno_report_format_find ("csv")->write_document (document, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (report, NULL), g_bytes_get_size (report));
}

static void
take_small_table (DynoReportDocument *document, const char *cell)
{
  DynoReportTable *table = dyno_report_table_new ("lr", "Name", "Number", NULL);

  if (cell != NULL)
    dyno_report_table_take_row (table, g_strdup (cell), g_strdup ("1.5 ms"), NULL);
  dyno_report_document_take_table (document, table);
}

/* The first table is a file of its own; further ones follow below their headings, and empty ones are left out. */
static void
test_csv_tables (void)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("Tables");
  g_autofree char *report = NULL;

  dyno_report_document_add_heading (document, 1, "First");
  take_small_table (document, "one");
  take_small_table (document, "two");
  dyno_report_document_add_heading (document, 2, "Empty");
  take_small_table (document, NULL);
  dyno_report_document_add_heading (document, 2, "Third, last");
  dyno_report_document_add_paragraph (document, "Not data.");
  take_small_table (document, "three");
  report = write_document_as_csv (document);
  g_assert_cmpstr (report, ==,
                   "Name,Number\r\none,1.5 ms\r\n"
                   "\r\nName,Number\r\ntwo,1.5 ms\r\n"
                   "\r\n\"Third, last\"\r\nName,Number\r\nthree,1.5 ms\r\n");
}

static void
test_csv_without_table (void)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("Lines");
  g_autofree char *plain = NULL;
  g_autofree char *named = NULL;

  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, NULL, "a sentence", NULL);
  dyno_report_document_add_code (document, "one\ntwo\n");
  plain = write_document_as_csv (document);
  g_assert_cmpstr (plain, ==, "a sentence\r\none\r\ntwo\r\n");
  dyno_report_document_begin_list (document);
  dyno_report_document_add_fact (document, "Name", "Dyno");
  named = write_document_as_csv (document);
  g_assert_cmpstr (named, ==, ",a sentence\r\n,one\r\n,two\r\nName,Dyno\r\n");
}

static void
test_csv_long (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "csv-long");
  g_auto (GStrv) rows = g_strsplit (report, "\r\n", -1);

  g_assert_true (g_str_has_suffix (rows[0], ",invocation,name,unit,value,quality,source"));
  g_assert_true (g_str_has_suffix (rows[1], ",,latency_p50_ms,ms,12.3456,measured,clock"));
  g_assert_nonnull (strstr (report, ",,latency_p99_ms,ms,,unsupported,Needs 459 samples.\r\n"));
}

/* Programs that watch results over time */

static void
test_gobench (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "gobench");

  g_assert_nonnull (strstr (report, "Unit sustained-items/s better=higher\n"));
  g_assert_nonnull (strstr (report, "\ncpu: Test CPU · 4 cores · 17.2\u00a0GB\n"));
  g_assert_nonnull (strstr (report, "\nBenchmark/model=resnet|18/backend=cpu/precision=fp32/batch=2\t60\t"
                                    "12345600 ns/op\t162.04 sustained-items/s\t1234.56 peak-MB\n"));
  g_assert_null (strstr (report, "gpt2"));
}

/* What has another key is never compared, so which run it was is one only where a file holds several. */
static void
test_gobench_keys (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *alone = write_as (runs, "gobench");
  g_autofree char *both = NULL;

  g_assert_nonnull (strstr (alone, "\n# run 11111111-2222-3333-4444-555555555555\n"));
  g_assert_null (strstr (alone, "\nrun: "));
  g_ptr_array_add (runs, g_object_ref (runs->pdata[0]));
  both = write_as (runs, "gobench");
  g_assert_nonnull (strstr (both, "\nrun: 11111111-2222-3333-4444-555555555555\n"));
}

/* Everything in which cases differ is in the name of their lines. */
static void
test_gobench_names (void)
{
  static const char *const properties[] = { "device",     "precision", "pinning", "options",
                                            "dimensions", "inputs",    "load",    NULL };
  static const char *const values[] = { "GPU",        "int8", "compact",     "a-b=1",
                                        "height=320", "sr=8", "concurrent=2" };
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (runs->pdata[0]), 0);
  DynoCase *kase = dyno_result_get_case (result);
  g_autofree char *report = NULL;

  for (guint i = 0; properties[i] != NULL; i++)
    g_object_set (kase, properties[i], values[i], NULL);
  g_object_set (kase, "sequence-length", 16, "generate-tokens", 8, "threads", 4, NULL);
  report = write_as (runs, "gobench");
  g_assert_nonnull (strstr (
      report,
      "\nBenchmark/model=resnet|18/backend=cpu/device=GPU/precision=int8/batch=2/sequence=16/"
      "generate=8/dimensions=height=320/inputs=sr=8/pinning=compact/options=a_b=1/load=concurrent=2-4\t"));
}

/* A run is a row; a case without a number has no column. */
static void
test_otava (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "otava");

  g_assert_cmpstr (report, ==,
                   "time,run,resnet|18 · cpu · fp32 · batch 2\n"
                   "2023-11-14T22:13:20Z,11111111-2222-3333-4444-555555555555,12.3456\n");
}

static void
test_github (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "github-action-benchmark");
  g_autoptr (JsonNode) root = json_from_string (report, NULL);
  JsonArray *entries = json_node_get_array (root);
  JsonObject *entry = json_array_get_object_element (entries, 0);

  g_assert_cmpuint (json_array_get_length (entries), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (entry, "name"), ==, "resnet|18 · cpu · fp32 · batch 2");
  g_assert_cmpstr (json_object_get_string_member (entry, "unit"), ==, "ms");
  g_assert_cmpfloat (json_object_get_double_member (entry, "value"), ==, 12.3456);
  g_assert_cmpstr (json_object_get_string_member (entry, "range"), ==, "12.25 – 12.50");
}

/* A case of another tool that tells a rate and no latency. */
static GPtrArray *
make_rates (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = dyno_run_new ("11111111-2222-3333-4444-555555555555");
  DynoResult *prompt = make_result (run, "llama", 1, 0);
  DynoResult *mean = make_result (run, "bert", 1, 1);

  g_object_set (dyno_result_get_case (prompt), "sequence-length", 512, NULL);
  dyno_result_take_value (
      prompt, dyno_value_new ("prefill_tokens_per_sec", 500, "tokens/s", DYNO_QUALITY_IMPORTED, "a tool"));
  dyno_result_take_value (mean,
                          dyno_value_new ("latency_mean_ms", 3, "ms", DYNO_QUALITY_IMPORTED, "another tool"));
  dyno_result_set_status (prompt, DYNO_STATUS_OK, NULL);
  dyno_result_set_status (mean, DYNO_STATUS_OK, NULL);
  g_ptr_array_add (runs, run);
  return runs;
}

/* Where there is no median, what the tool told stands in for it, under another name. */
static void
test_rates (void)
{
  g_autoptr (GPtrArray) runs = make_rates ();
  g_autofree char *gobench = write_as (runs, "gobench");
  g_autofree char *otava = write_as (runs, "otava");
  g_autofree char *github = write_as (runs, "github-action-benchmark");
  g_autofree char *markdown = write_as (runs, "markdown");

  g_assert_nonnull (strstr (gobench, "/sequence=512\t1\t500 prompt-tokens/s\n"));
  g_assert_nonnull (
      strstr (gobench, "/model=bert/backend=cpu/precision=fp32/batch=1\t1\t3000000 mean-ns/op\n"));
  g_assert_nonnull (strstr (otava, "512 tokens · per prompt token,bert · cpu · fp32 · batch 1 · mean\n"));
  g_assert_true (g_str_has_suffix (otava, ",2,3\n"));
  g_assert_nonnull (strstr (github, "512 tokens · per prompt token\""));
  g_assert_nonnull (strstr (
      markdown, "| Case | Status | Processes | Mean (ms) | Prompt (tokens/s) |\n|---|---|--:|--:|--:|\n"));
  g_assert_nonnull (strstr (markdown, " | – | ←500.0 |"));
  g_assert_nonnull (strstr (markdown, " | ←3.000 | – |"));
}

/* A file with nothing in it is no answer; what never became steady is nothing to judge by. */
static void
test_nothing_to_write (void)
{
  static const char *const formats[] = { "gobench", "otava", "github-action-benchmark" };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = dyno_run_new (NULL);
  DynoResult *unsteady = make_result (run, "gpt2", 1, 0);
  const DynoReportSource source = { .runs = runs };

  dyno_result_take_value (unsteady,
                          dyno_value_new ("latency_p50_ms", 3, "ms", DYNO_QUALITY_UNSTEADY, "clock"));
  dyno_result_add_measured (unsteady, "memory_peak_mb", 3, "MB", "VmHWM");
  dyno_result_set_status (unsteady, DYNO_STATUS_OK, NULL);
  add_failed_result (run);
  g_ptr_array_add (runs, run);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_report_write (dyno_report_format_find (formats[i]), NULL, &source, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, formats[i]);
    }
}

static DynoTrace *
make_trace (const char *name, const double *values, const gint64 *milliseconds, guint n)
{
  DynoTrace *trace = dyno_trace_new (name, "ms", 0);

  for (guint i = 0; i < n; i++)
    dyno_trace_add (trace, milliseconds[i] * 1000000, values[i]);
  return trace;
}

/* Three requests, of which the second and the third wait: each is a slice in both lanes, and those that overlap have rows
 * of their own. */
static GPtrArray *
make_requests (void)
{
  static const gint64 times[] = { 1, 10, 11, 12 };
  static const double latencies[] = { 3, 5, 9, 13 }, waits[] = { 0, 4, 8 };
  static const gint64 phase_times[] = { 0, 5 };
  static const double phases[] = { DYNO_PHASE_LOAD, DYNO_PHASE_MEASURE };
  GPtrArray *runs = make_runs ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (runs->pdata[0]), 1);

  g_object_set (dyno_result_get_case (result), "load", "rate=50/s", NULL);
  dyno_result_take_trace (result, make_trace ("phases", phases, phase_times, 2));
  dyno_result_take_trace (result, make_trace ("latency", latencies, times, 4));
  dyno_result_take_trace (result, make_trace ("queue", waits, times + 1, 3));
  return runs;
}

static void
assert_slice (
    JsonArray *events, guint i, const char *lane, double start, double length, gint64 process, gint64 row)
{
  JsonObject *event = json_array_get_object_element (events, i);

  g_assert_cmpstr (json_object_get_string_member (event, "ph"), ==, "X");
  g_assert_cmpstr (json_object_get_string_member (event, "name"), ==, lane);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "ts"), start, 1e-6);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "dur"), length, 1e-6);
  g_assert_cmpint (json_object_get_int_member (event, "pid"), ==, process);
  g_assert_cmpint (json_object_get_int_member (event, "tid"), ==, row);
}

static void
test_chrome_trace (void)
{
  g_autoptr (GPtrArray) runs = make_requests ();
  g_autofree char *report = write_as (runs, "chrome-trace");
  g_autoptr (JsonNode) root = json_from_string (report, NULL);
  JsonArray *events = json_object_get_array_member (json_node_get_object (root), "traceEvents");

  g_assert_cmpuint (json_array_get_length (events), ==, 7);
  g_assert_nonnull (strstr (report, "process 1: queue"));
  assert_slice (events, 2, "service", 10000, 5000, 2, 1);
  assert_slice (events, 3, "queue", 11000, 4000, 1, 1);
  assert_slice (events, 4, "service", 15000, 5000, 2, 1);
  assert_slice (events, 5, "queue", 12000, 8000, 1, 2);
  assert_slice (events, 6, "service", 20000, 5000, 2, 1);
}

static void
test_chrome_trace_of_no_load (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_report_write (dyno_report_format_find ("chrome-trace"), NULL, &source, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static void
test_text (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *report = write_as (runs, "text");

  g_assert_cmpstr (
      report, ==,
      "Test CPU · 4 cores · 17.2\u00a0GB\n\n"
      "| model        |  params | engine             | precision | threads | test |             ms | "
      "sustained items/s | state    |\n"
      "| ------------ | ------: | ------------------ | --------- | ------: | ---- | -------------: | "
      "----------------: | -------- |\n"
      "| ResNet, “18” | 11.69 M | ONNX Runtime (CPU) | fp32      |    auto | b2   | 12.35 ± 0.1544 | "
      "            162.0 | Measured |\n"
      "| GPT-2        |       – | ONNX Runtime (CPU) | fp32      |    auto | b1   |              – | "
      "                – | Failed   |\n"
      "\nDyno 0.1.0 · ONNX Runtime 1.23.2 (CPU)\n");
}

/* A generation of our own, with the rates of both of its phases. */
static GPtrArray *
make_generation (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = dyno_run_new (NULL);
  DynoResult *result = make_result (run, "gpt2", 1, 0);

  g_object_set (dyno_result_get_case (result), "device", "0", "sequence-length", 16, "generate-tokens", 8,
                "threads", 2, "options", "attention=fused", NULL);
  g_object_set (result, "device", "Example GPU", "device-kind", "discrete-gpu", NULL);
  dyno_result_add_measured (result, "prefill_tokens_per_sec", 500, "tokens/s", "clock");
  dyno_result_add_measured (result, "decode_tokens_per_sec", 50, "tokens/s", "clock");
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  g_ptr_array_add (runs, run);
  return runs;
}

static void
test_text_generation (void)
{
  g_autoptr (GPtrArray) runs = make_generation ();
  g_autofree char *report = write_as (runs, "text");

  g_assert_cmpstr (
      report, ==,
      "Unknown machine · Example GPU\n\n"
      "| model | engine             | precision | threads | setting         | test        | prompt t/s | "
      "decoded t/s | state    |\n"
      "| ----- | ------------------ | --------- | ------: | --------------- | ----------- | ---------: | "
      "----------: | -------- |\n"
      "| GPT-2 | ONNX Runtime (CPU) | fp32      |       2 | attention=fused | pp16+tg8 b1 |      500.0 |   "
      "    50.00 | Measured |\n"
      "\nDyno\n");
}

static GPtrArray *
read_fixture (const char *dialect, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "import", "fixtures", dialect, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImportFile) file = dyno_import_file_open (path, NULL, NULL, NULL, &error);
  GPtrArray *runs;

  g_assert_no_error (error);
  runs = dyno_importer_read (file, dyno_dialect_find (dyno_import_file_get_head (file)), &error);
  g_assert_no_error (error);
  return runs;
}

/* No part of a longer one. */
static gboolean
shows_number (const char *report, const char *number)
{
  static const char digits[] = "0123456789.,";

  for (const char *next = strstr (report, number); next != NULL; next = strstr (next + 1, number))
    {
      const char *end = next + strlen (number);
      gboolean begins = next == report || strchr (digits, next[-1]) == NULL;
      gboolean ends = !g_ascii_isdigit (end[0]) && !(end[0] == '.' && g_ascii_isdigit (end[1]));

      if (begins && ends)
        return TRUE;
    }
  return FALSE;
}

/* The number of each imported value is in a report, in whichever unit; what a tool tells is never lost. */
static void
check_values (GPtrArray *runs, const char *report, const char *what)
{
  GListModel *results = dyno_run_get_results (runs->pdata[0]);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      for (guint v = 0; v < values->len; v++)
        {
          double number = dyno_value_get_number (values->pdata[v]);
          gboolean is_found = !dyno_value_is_number (values->pdata[v]);

          for (int power = -12; power <= 12 && !is_found; power += 3)
            {
              g_autofree char *rounded = dyno_report_text_format_number (number * pow (10, power));
              g_autofree char *exact = dyno_report_text_format_exact (number * pow (10, power));

              is_found = shows_number (report, rounded) || shows_number (report, exact);
            }
          if (!is_found)
            g_error ("%s: %s = %g is not in the report:\n%s", what, dyno_value_get_name (values->pdata[v]),
                     number, report);
        }
    }
}

static void
test_values_of_others (void)
{
  static const char *const files[][2] = {
    { "zeus", "v0.11.csv" },
    { "codecarbon", "v2.1.csv" },
    { "vllm-bench-serve", "v0.6.json" },
    { "aiperf", "genai-perf-0.0.14.json" },
    { "google-benchmark", "v1.4.json" },
    { "llama-bench", "b3615.md" },
    { "phoronix", "v9.8.xml" },
    { "hyperfine", "v1.18.json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GPtrArray) runs = read_fixture (files[i][0], files[i][1]);
      g_autofree char *markdown = write_as (runs, "markdown");
      g_autofree char *text = write_as (runs, "text");

      check_values (runs, markdown, files[i][0]);
      check_values (runs, text, files[i][0]);
    }
}

/* A unit that Dyno does not know is told as the file has it. */
static void
test_foreign_unit (void)
{
  g_autoptr (GPtrArray) runs = read_fixture ("phoronix", "v9.8.xml");
  g_autofree char *markdown = write_as (runs, "markdown");

  g_assert_nonnull (strstr (markdown, "| Result value (Points) |"));
  g_assert_nonnull (strstr (markdown, "| ←100.0 |"));
}

/* Whatever a file calls a unit, it is no markup. */
static void
test_hostile_unit (void)
{
  g_autoptr (GPtrArray) runs = read_fixture ("phoronix", "v9.8-markup.xml");
  g_autofree char *text = write_as (runs, "text");

  g_assert_nonnull (strstr (text, "Result value (Po\\|ints \\<b>)"));
  g_assert_null (strstr (text, "Po|ints"));
  g_assert_null (strstr (text, " <b>"));
}

/* The speed of a generation is what comes out; what is read as well is called the total. */
static void
test_output_tokens (void)
{
  g_autoptr (GPtrArray) runs = read_fixture ("vllm-bench-serve", "v0.6.json");
  g_autofree char *markdown = write_as (runs, "markdown");
  g_autofree char *text = write_as (runs, "text");

  g_assert_nonnull (strstr (markdown, "| Output (tokens/s) | Total (tokens/s) |"));
  g_assert_nonnull (strstr (markdown, "| ←1024 | ←3072 |"));
  g_assert_nonnull (strstr (text, "|  t/s | total t/s |"));
  g_assert_nonnull (strstr (text, "| 1024 |      3072 |"));
}

/* Imported is not estimated. */
static void
test_imported_sources (void)
{
  g_autoptr (GPtrArray) runs = read_fixture ("zeus", "v0.11.csv");
  g_autofree char *markdown = write_as (runs, "markdown");

  g_assert_nonnull (strstr (markdown, "\n## Sources of imported values\n"));
  g_assert_null (strstr (markdown, "\n## Estimates\n"));
}

static GPtrArray *
make_latencies (const double *milliseconds, guint n)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = dyno_run_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      DynoResult *result = make_result (run, "loop", i + 1, i);

      dyno_result_add_measured (result, "latency_p50_ms", milliseconds[i], "ms", "clock");
      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
    }
  g_ptr_array_add (runs, run);
  return runs;
}

static void
check_latencies (
    const double *milliseconds, guint n, const char *heading, const char *first, const char *title)
{
  g_autoptr (GPtrArray) runs = make_latencies (milliseconds, n);
  g_autofree char *markdown = write_as (runs, "markdown");
  g_autofree char *text = write_as (runs, "text");

  g_assert_nonnull (strstr (markdown, heading));
  g_assert_nonnull (strstr (markdown, first));
  g_assert_nonnull (strstr (text, title));
  g_assert_null (strstr (markdown, "e-0"));
  g_assert_null (strstr (text, "e-0"));
}

/* A loop of nanoseconds is not told in milliseconds; what lies too far apart has its units beside its numbers. */
static void
test_units_of_time (void)
{
  static const double few[] = { 1e-5, 5e-5 };
  static const double far[] = { 1e-5, 2000 };
  static const double usual[] = { 0.5, 2000 };
  static const double long_ones[] = { 1500, 60000 };

  check_latencies (few, 2, "| Median (ns) |", "| 10.00 |", "|    ns |");
  check_latencies (far, 2, "| Median |", "| 10.00\u00a0ns |", "|   median |");
  check_latencies (usual, 2, "| Median (ms) |", "| 0.5 |", "|   ms |");
  check_latencies (long_ones, 2, "| Median (s) |", "| 1.500 |", "|     s |");
}

/* Both sides in the same unit; two runs of one title are told apart wherever they are named. */
static void
test_comparison_of_loops (void)
{
  static const double before[] = { 1e-5 };
  static const double after[] = { 2e-5 };
  g_autoptr (GPtrArray) runs = make_latencies (before, 1);
  g_autoptr (GPtrArray) others = make_latencies (after, 1);
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = NULL;
  g_autofree char *markdown = NULL;

  g_ptr_array_add (runs, g_object_ref (others->pdata[0]));
  for (guint i = 0; i < runs->len; i++)
    g_object_set (runs->pdata[i], "title", "Loops", NULL);
  report = dyno_report_write (dyno_report_format_find ("markdown"), dyno_report_template_find ("comparison"),
                              &source, &error);
  g_assert_no_error (error);
  markdown = g_strndup (g_bytes_get_data (report, NULL), g_bytes_get_size (report));
  g_assert_nonnull (strstr (markdown, "| Baseline (ns) | Value (ns) |"));
  g_assert_nonnull (strstr (markdown, "| 10.00 | 20.00 |"));
  g_assert_nonnull (strstr (markdown, "\n### Loops\n"));
  g_assert_nonnull (strstr (markdown, "\n### Loops (2)\n"));
}

/* The table that llama-bench prints says the same when it comes out again; what is read and generated together is
 * called the total. */
static void
test_text_llama_bench (void)
{
  static const char *const rows[] = { "| pp512 b1 ",          "|  7340 |",
                                      "| tg128 b1 ",          "| 116.7 |",
                                      "| pp512+tg128 b1 ",    "|     438.1 |",
                                      "| llama.cpp (CUDA) |", "| flash_attn=1\u00a0· n_depth=512 |",
                                      "| total t/s |" };
  g_autoptr (GPtrArray) runs = read_fixture ("llama-bench", "b3615.md");
  g_autofree char *report = write_as (runs, "text");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_nonnull (strstr (report, rows[i]));
  g_assert_true (g_str_has_suffix (report, "\nllama-bench 3615 (1d16309)\n"));
}

/* A locale with a comma for the decimal point, made here: a bare machine has none. */
static gboolean
use_german_numbers (const char *folder)
{
  g_autofree char *locale = g_build_filename (folder, "de_DE.UTF-8", NULL);
  const char *const command[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", locale, NULL };

  g_mkdir_with_parents (folder, 0755);
  g_spawn_sync (NULL, (char **)command, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                NULL, NULL, NULL, NULL);
  g_setenv ("LOCPATH", folder, TRUE);
  return setlocale (LC_NUMERIC, "de_DE.UTF-8") != NULL;
}

static void
test_locale (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autofree char *old = g_strdup (setlocale (LC_NUMERIC, NULL));
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "report", "locales", NULL);
  g_autofree char *report = NULL;
  g_autoptr (GPtrArray) loaded = read_fixture ("mlperf-loadgen", "v5-server-summary.txt");
  g_autoptr (DynoResult) first = g_list_model_get_item (dyno_run_get_results (loaded->pdata[0]), 0);
  g_autofree char *text = NULL;

  if (!use_german_numbers (folder))
    {
      g_test_skip ("The package “locales” is not installed, so no locale with a decimal comma can be made.");
      return;
    }
  g_assert_cmpstr (localeconv ()->decimal_point, ==, ",");
  g_object_set (dyno_result_get_case (first), "load", "rate=2000/s", NULL);
  report = write_as (runs, "markdown");
  text = write_as (loaded, "text");
  setlocale (LC_NUMERIC, old);
  g_assert_cmpstr (report, ==, expected_markdown);
  g_assert_nonnull (strstr (text, " 2000 requests/s"));
}

/* Each is in the list once, and what is chosen by a file’s name can be found by its own. */
static void
test_formats (void)
{
  const DynoReportFormat *const *formats = dyno_report_format_list ();

  for (guint i = 0; formats[i] != NULL; i++)
    {
      g_assert_true (dyno_report_format_find (formats[i]->name) == formats[i]);
      g_assert_true (formats[i]->write_document != NULL || formats[i]->write_runs != NULL);
    }
  g_assert_cmpstr (dyno_report_format_find_for_file ("a.b/Report.HTML")->name, ==, "html");
  g_assert_cmpstr (dyno_report_format_find_for_file ("r.csv")->name, ==, "csv");
  g_assert_null (dyno_report_format_find_for_file ("report.docx"));
  g_assert_null (dyno_report_format_find (NULL));
  g_assert_null (dyno_report_template_find ("novel"));
}

/* Data have no template. */
static void
test_template_of_data (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_report_write (dyno_report_format_find ("csv-long"),
                                    dyno_report_template_find ("hardware"), &source, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static void
test_numbers (void)
{
  static const struct
  {
    double number;
    const char *rounded;
    const char *exact;
  } rows[] = {
    { 0, "0.000", "0" },
    { 0.000123456, "0.0001235", "0.000123456" },
    { 0.00001, "0.00001", NULL },
    { 0.0000123456, "0.00001235", NULL },
    { 0.1, "0.1", "0.1" },
    { 1.0 / 3, "0.3333", NULL },
    { 9.8765, "9.877", "9.8765" },
    { 123.456, "123.5", "123.456" },
    { -12.5, "-12.50", "-12.5" },
    { 1234567, "1234567", "1234567" },
    { 2.5e20, "2.5e+20", "2.5e+20" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *rounded = dyno_report_text_format_number (rows[i].number);
      g_autofree char *exact = dyno_report_text_format_exact (rows[i].number);

      g_assert_cmpstr (rounded, ==, rows[i].rounded);
      g_assert_cmpfloat (g_ascii_strtod (exact, NULL), ==, rows[i].number);
      if (rows[i].exact != NULL)
        g_assert_cmpstr (exact, ==, rows[i].exact);
    }
}

static const SuiteTest tests[] = {
  { "/report/markdown", test_markdown },
  { "/report/unsteady-engine", test_unsteady_engine },
  { "/report/engines-without-results", test_engines_without_results },
  { "/report/markdown/bare-run", test_markdown_of_bare_run },
  { "/report/markdown/missing-of-two-runs", test_missing_of_two_runs },
  { "/report/markdown/missing-of-templates", test_missing_of_templates },
  { "/report/markdown/similar", test_similar },
  { "/report/markdown/most-cases", test_most_cases },
  { "/report/subjects", test_subjects },
  { "/report/kinds", test_kinds },
  { "/report/kinds/mixed", test_mixed_kinds },
  { "/report/kinds/inputs", test_kind_of_inputs },
  { "/report/csv", test_csv },
  { "/report/csv/shape", test_csv_shape },
  { "/report/json", test_json },
  { "/report/json/modules", test_json_modules },
  { "/report/json/reads-back", test_json_reads_back },
  { "/report/json/round-trip", test_json_round_trip },
  { "/report/json/original", test_json_original },
  { "/report/json/json-ceilings", test_json_ceilings },
  { "/report/json/of-others", test_json_of_others },
  { "/report/json/of-newer", test_json_of_newer },
  { "/report/cases", test_cases_in_two_views },
  { "/report/quantities", test_quantities },
  { "/report/csv/tables", test_csv_tables },
  { "/report/csv/without-table", test_csv_without_table },
  { "/report/csv/long", test_csv_long },
  { "/report/gobench", test_gobench },
  { "/report/gobench/keys", test_gobench_keys },
  { "/report/gobench/names", test_gobench_names },
  { "/report/otava", test_otava },
  { "/report/github-action-benchmark", test_github },
  { "/report/rates", test_rates },
  { "/report/nothing-to-write", test_nothing_to_write },
  { "/report/chrome-trace", test_chrome_trace },
  { "/report/chrome-trace/of-no-load", test_chrome_trace_of_no_load },
  { "/report/text", test_text },
  { "/report/text/generation", test_text_generation },
  { "/report/text/llama-bench", test_text_llama_bench },
  { "/report/of-others/values", test_values_of_others },
  { "/report/of-others/foreign-unit", test_foreign_unit },
  { "/report/of-others/hostile-unit", test_hostile_unit },
  { "/report/of-others/output-tokens", test_output_tokens },
  { "/report/of-others/sources", test_imported_sources },
  { "/report/units-of-time", test_units_of_time },
  { "/report/comparison-of-loops", test_comparison_of_loops },
  { "/report/locale", test_locale },
  { "/report/formats", test_formats },
  { "/report/template-of-data", test_template_of_data },
  { "/report/numbers", test_numbers },
};

SUITE_TESTS (tests)

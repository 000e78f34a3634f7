/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* MLPerf Client: a JSON object per line for each scenario. A language model has results for each category
 * of prompts, each of which is a case here, and over all of them in configurations that were tested; an
 * image model has its times in the object itself. */

/* Fields of a category of prompts, and of all prompts. */
static const DynoImportField prompt_fields[] = {
  { "Avg Time to First Token", "first_token_latency_mean_ms", "s" },
  { "Avg 2nd+ Token Generation Rate", "decode_tokens_per_sec", "tokens/s" },
  { "Geomean Time to First Token", "first_token_latency_geomean_ms", "s" },
  { "Geomean 2nd+ Token Generation Rate", "decode_tokens_per_sec", "tokens/s" },
};

static const DynoImportField image_fields[] = {
  { "Avg End-to-End Seconds", "latency_mean_ms", "s" },
  { "Min End-to-End Seconds", "latency_min_ms", "s" },
  { "Max End-to-End Seconds", "latency_max_ms", "s" },
  { "Stdev End-to-End Seconds", "latency_stddev_ms", "s" },
  { "Images Per Minute", "throughput_items_per_sec", "1/min" },
  { "Steps Per Second", "steps_per_sec", "steps/s" },
  { "First Step Seconds", "first_step_ms", "s" },
  { "Setup Load Seconds", "load_time_ms", "s" },
};

/* An entry, and the common properties of its cases. */
typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *record;
  const char *failure;
  gboolean has_failed;
} Entry;

static gboolean
begin_case (Entry *entry, guint n_input, guint n_generated, const char *category, GError **error)
{
  const char *model = dyno_record_get_text (entry->record, "Model Name");
  const char *base = dyno_record_get_text (entry->record, "Model Base Name");
  const char *provider = dyno_record_get_text (entry->record, "Execution Provider Name");
  const char *device = dyno_record_get_text (entry->record, "Device Type");
  const DynoImportCase kase = { .model = model != NULL ? model
                                         : base != NULL
                                             ? base
                                             : dyno_record_get_text (entry->record, "Scenario Name"),
                                .backend = provider != NULL ? provider : "mlperf-client",
                                .device = device,
                                .batch_size = 1,
                                .sequence_length = n_input,
                                .generate_tokens = n_generated };

  if (!dyno_import_builder_begin_case (entry->builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_option (entry->builder, "scenario",
                                  dyno_record_get_text (entry->record, "Scenario Name"));
  dyno_import_builder_add_option (entry->builder, "category", category);
  if (entry->has_failed)
    dyno_import_builder_fail_case (entry->builder, entry->failure);
  return TRUE;
}

static gboolean
read_prompts (Entry *entry, DynoRecord *prompts, const char *category, GError **error)
{
  double n_input = dyno_record_get_amount (prompts, "Avg Input Tokens");
  double n_generated = dyno_record_get_amount (prompts, "Avg Generated Tokens");

  if (!begin_case (entry, dyno_import_words_round (n_input), dyno_import_words_round (n_generated), category,
                   error))
    return FALSE;
  if (!entry->has_failed)
    dyno_import_builder_add_fields (entry->builder, prompts, prompt_fields, G_N_ELEMENTS (prompt_fields));
  dyno_import_builder_take_rest (entry->builder, NULL, dyno_record_dup_rest (prompts));
  return TRUE;
}

/* Entries of image models, and those that failed before they had a result, have no prompts. */
static gboolean
read_cases (Entry *entry, GError **error)
{
  guint n_before = dyno_import_builder_get_n_cases (entry->builder);
  g_autoptr (DynoRecord) overall = dyno_record_new_part (entry->record, "overall_results");
  g_autoptr (DynoRecord) categories = dyno_record_new_part (entry->record, "category_results");
  g_auto (GStrv) names = categories != NULL ? dyno_record_list_names (categories) : NULL;

  if (overall != NULL && !read_prompts (entry, overall, "all", error))
    return FALSE;
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autoptr (DynoRecord) category = dyno_record_new_part (categories, *name);

      if (category != NULL && !read_prompts (entry, category, *name, error))
        return FALSE;
    }
  if (dyno_import_builder_get_n_cases (entry->builder) > n_before)
    return TRUE;
  if (!begin_case (entry, 0, 0, NULL, error))
    return FALSE;
  if (!entry->has_failed)
    dyno_import_builder_add_fields (entry->builder, entry->record, image_fields, G_N_ELEMENTS (image_fields));
  return TRUE;
}

static gboolean
read_entry (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  g_autofree char *success = dyno_record_dup_word (record, "Benchmark Success");
  const char *failure = dyno_record_get_text (record, "Error Message");
  Entry entry = { .builder = builder,
                  .record = record,
                  .failure = failure != NULL ? failure : _ ("MLPerf Client does not tell why."),
                  .has_failed = g_strcmp0 (success, "0") == 0 };

  if (dyno_record_get_text (record, "Scenario Name") == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("A result needs a “Scenario Name”."));
      return FALSE;
    }
  dyno_import_builder_set_tool (builder, "MLPerf Client", dyno_record_get_text (record, "BuildVer"));

  /* “01-31-2026 12:00:00”, in the machine's time zone, which the file does not name. */
  const char *text = dyno_record_get_text (record, "Benchmark Start Time");
  int month, day, year, hour, minute, second;
  g_autoptr (GDateTime) time = NULL;

  if (text != NULL &&
      sscanf (text, "%2d-%2d-%4d %2d:%2d:%2d", &month, &day, &year, &hour, &minute, &second) == 6)
    time = g_date_time_new_utc (year, month, day, hour, minute, second);
  if (time != NULL && g_date_time_to_unix (time) > 0)
    dyno_import_builder_set_time (builder, g_date_time_to_unix (time) * G_USEC_PER_SEC);

  dyno_import_builder_set_machine (builder, "cpu", "name", dyno_record_get_text (record, "SysInfo_CPUModel"));
  dyno_import_builder_set_machine (builder, "os", "name", dyno_record_get_text (record, "SysInfo_OSName"));
  if (!read_cases (&entry, error))
    return FALSE;
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_json_reader_read_lines (file, read_entry, builder, error);
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "Scenario Name", "Execution Provider Name", "Benchmark Success", NULL };

  return dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_mlperf_client_dialect = {
  .name = "mlperf-client",
  .title = "MLPerf Client",
  .method = N_ (
      "It runs fixed prompts a few times in one process and tells means and geometric means, no percentile "
      "and no power."),
  .recognise = recognise,
  .read = read_file,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-dialect-registry.h"
#include "dyno-json-reader.h"

/* pyperf: benchmarks, each with its runs, every one of them a process of its own. What is the same for all is taken out of
 * their metadata into those of the benchmark, and of the file. Values are seconds unless the metadata say otherwise. Runs
 * without values only found out how many loops there should be. */

/* The benchmark that is being read. */
typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *metadata; /* of the file */
  guint n_benchmarks;

  DynoRecord *own; /* (nullable): its own metadata */
  gboolean is_time;
  gsize n_values;
  double sum;
  double peak;
  gint64 time;
} Reader;

static const char *
get_metadata (Reader *reader, const char *name)
{
  const char *text = reader->own != NULL ? dyno_record_get_text (reader->own, name) : NULL;

  return text != NULL ? text : dyno_record_get_text (reader->metadata, name);
}

/* “2026-05-12 10:30:00.250000”, which lacks the T of ISO 8601 */
static gint64
get_time (DynoRecord *metadata)
{
  const char *date = dyno_record_get_text (metadata, "date");

  if (date != NULL)
    dyno_record_take_text (metadata, "date", g_strdelimit (g_strdup (date), " ", 'T'));
  return dyno_record_get_time (metadata, "date");
}

static void
read_run_metadata (Reader *reader, DynoRecord *run)
{
  g_autoptr (DynoRecord) metadata = dyno_record_new_part (run, "metadata");

  if (metadata == NULL)
    return;
  reader->peak = fmax (reader->peak, dyno_record_get_amount (metadata, "mem_max_rss"));
  if (reader->time == 0)
    reader->time = get_time (metadata);
}

static void
read_run (Reader *reader, DynoRecord *run)
{
  gsize n;
  g_autofree double *values = dyno_record_dup_amounts (run, "values", &n);

  if (n == 0)
    return;
  read_run_metadata (reader, run);
  if (reader->is_time)
    dyno_import_builder_add_process (reader->builder, values, n, "s", "values, each a mean of loops");
  for (gsize i = 0; i < n; i++)
    reader->sum += values[i];
  reader->n_values += n;
}

static void
read_runs (Reader *reader, DynoRecord *benchmark)
{
  JsonArray *runs = dyno_record_get_array (benchmark, "runs");
  guint n = runs != NULL ? json_array_get_length (runs) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoRecord) run = dyno_record_new_element (benchmark, runs, i);

      if (run != NULL)
        read_run (reader, run);
    }
}

static void
add_values (Reader *reader)
{
  gboolean is_memory = g_strcmp0 (get_metadata (reader, "unit"), "byte") == 0;

  if (reader->n_values == 0)
    dyno_import_builder_fail_case (reader->builder, _ ("Its runs have no values."));
  else if (!reader->is_time)
    dyno_import_builder_add_value (reader->builder, is_memory ? "memory_mean_mb" : "value_mean",
                                   reader->sum / (double)reader->n_values, is_memory ? "B" : "",
                                   "values, their mean");
  dyno_import_builder_add_value (reader->builder, "memory_peak_mb", reader->peak, "B",
                                 "the largest mem_max_rss");
  dyno_import_builder_set_time (reader->builder, reader->time);
}

static gboolean
read_metadata_of_benchmark (Reader *reader, DynoRecord *benchmark, GError **error)
{
  g_autofree char *number = g_strdup_printf ("%u", ++reader->n_benchmarks);
  const char *name = get_metadata (reader, "name");
  const char *unit = get_metadata (reader, "unit");
  const DynoImportCase kase = { .model = name != NULL ? name : number, .backend = "pyperf" };

  reader->is_time = unit == NULL || g_str_equal (unit, "second");
  reader->n_values = 0;
  reader->sum = 0;
  reader->peak = NAN;
  if (!dyno_import_builder_begin_case (reader->builder, &kase, error))
    return FALSE;
  read_runs (reader, benchmark);
  add_values (reader);
  return TRUE;
}

static gboolean
read_benchmark (Reader *reader, DynoRecord *benchmark, GError **error)
{
  g_autoptr (DynoRecord) own =
      dyno_record_has (benchmark, "metadata") ? dyno_record_new_part (benchmark, "metadata") : NULL;
  gboolean is_read;

  reader->own = own;
  is_read = read_metadata_of_benchmark (reader, benchmark, error);
  if (own != NULL && is_read)
    dyno_import_builder_take_rest (reader->builder, "metadata", dyno_record_dup_rest (own));
  if (is_read)
    dyno_import_builder_take_rest (reader->builder, NULL, dyno_record_dup_rest (benchmark));
  reader->own = NULL;
  return is_read;
}

static gboolean
read_benchmarks (Reader *reader, DynoRecord *file, GError **error)
{
  JsonArray *benchmarks = dyno_record_get_array (file, "benchmarks");
  guint n = benchmarks != NULL ? json_array_get_length (benchmarks) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoRecord) benchmark = dyno_record_new_element (file, benchmarks, i);

      if (benchmark != NULL && !read_benchmark (reader, benchmark, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) record = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) metadata = NULL;
  Reader reader = { .builder = builder };

  if (record == NULL)
    return FALSE;
  metadata = dyno_record_has (record, "metadata") ? dyno_record_new_part (record, "metadata")
                                                  : dyno_record_new (dyno_record_get_line (record));
  if (metadata == NULL)
    return dyno_record_check (record, error);
  reader.metadata = metadata;
  dyno_import_builder_set_tool (builder, "pyperf", dyno_record_get_text (metadata, "perf_version"));
  dyno_import_builder_set_machine (builder, "cpu", "name", dyno_record_get_text (metadata, "cpu_model_name"));
  dyno_import_builder_set_machine (builder, "os", "name", dyno_record_get_text (metadata, "platform"));
  dyno_record_skip (record, "version");
  if (!read_benchmarks (&reader, record, error))
    return FALSE;
  dyno_import_builder_take_run_rest (builder, "metadata", dyno_record_dup_rest (metadata));
  return dyno_record_check (record, error) && dyno_record_check (metadata, error);
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "benchmarks", "runs", "values", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys) &&
         !dyno_dialect_has_key (head, "real_time");
}

const DynoDialect dyno_pyperf_dialect = {
  .name = "pyperf",
  .title = "pyperf",
  .method =
      N_ ("It starts a process for each run, by default twenty, warms up once in each, and takes the mean of "
          "many loops for a value."),
  .recognise = recognise,
  .read = read_file,
};

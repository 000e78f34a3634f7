/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* Google Benchmark, as JSON: first the common fields, then a record for each repetition of a benchmark and
 * for each aggregate of its repetitions. The records of one benchmark are adjacent and form one case. A
 * repetition has only the mean of its iterations. Before version 1.5 only the names told repetitions and
 * aggregates apart. */

static const struct
{
  const char *aggregate;
  const char *name;
} aggregates[] = {
  { "mean", "latency_mean_ms" },
  { "median", "latency_p50_ms" },
  { "stddev", "latency_stddev_ms" },
};

/* Repetitions have these fields, and so has their mean. A missing unit is that of the times. */
static const struct
{
  const char *field;
  const char *name;
  const char *unit;
  double factor;
} rates[] = {
  { "cpu_time", "cpu_time_ms", NULL, 1 },
  { "items_per_second", "throughput_items_per_sec", "items/s", 1 },
  { "bytes_per_second", "processed_gbps", "GB/s", 1e-9 },
};

static const char *const time_units[] = { "ns", "us", "ms", "s", NULL };

/* The benchmark being read. */
typedef struct
{
  DynoImportBuilder *builder;
  char *version;
  gboolean is_scaling;
  gboolean is_debug;

  guint n_records;
  char *name;
  char *unit;
  GArray *times;
  double rates[G_N_ELEMENTS (rates)];
  gboolean has_mean;
} Reader;

static void
reader_clear (Reader *reader)
{
  g_free (reader->version);
  g_free (reader->name);
  g_free (reader->unit);
  g_array_unref (reader->times);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
end_benchmark (Reader *reader)
{
  const double *times = (const double *)(void *)reader->times->data;

  if (reader->times->len == 1)
    dyno_import_builder_add_value (reader->builder, "latency_mean_ms", times[0], reader->unit, "real_time");
  else if (reader->times->len > 1)
    dyno_import_builder_add_process (reader->builder, times, reader->times->len, reader->unit,
                                     "real_time of the repetitions, each a mean of iterations");

  /* The rates of one of several repetitions are not those of the benchmark. */
  for (guint i = 0; i < G_N_ELEMENTS (rates) && (reader->times->len == 1 || reader->has_mean); i++)
    dyno_import_builder_add_value (reader->builder, rates[i].name, reader->rates[i],
                                   rates[i].unit != NULL ? rates[i].unit : reader->unit, rates[i].field);

  reader->has_mean = FALSE;
  g_array_set_size (reader->times, 0);
}

static gboolean
begin_benchmark (Reader *reader, DynoRecord *record, const char *name, GError **error)
{
  const DynoImportCase kase = { .benchmark = name,
                                .backend = "google-benchmark",
                                .threads = dyno_record_get_count (record, "threads") };
  g_autofree char *unit = dyno_record_dup_word (record, "time_unit");

  if (g_strcmp0 (name, reader->name) == 0)
    return TRUE;
  end_benchmark (reader);
  if (!dyno_import_builder_begin_case (reader->builder, &kase, error))
    return FALSE;

  if (reader->is_scaling)
    dyno_import_builder_add_diagnostic (
        reader->builder, DYNO_SEVERITY_WARNING, "clock-scaling",
        _ ("The clock of the processor was free to change while it measured."));
  if (reader->is_debug)
    dyno_import_builder_add_diagnostic (
        reader->builder, DYNO_SEVERITY_WARNING, "debug-build",
        _ ("The benchmark library was built for debugging, which makes what it measures slower."));

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    reader->rates[i] = NAN;
  g_free (reader->name);
  g_free (reader->unit);
  reader->name = g_strdup (name);
  reader->unit = g_strdup (unit != NULL ? unit : "ns");
  return TRUE;
}

/* “BM_Copy_mean” after “BM_Copy” is its aggregate. */
static const char *
find_old_aggregate (Reader *reader, const char *name)
{
  gsize length = reader->name != NULL ? strlen (reader->name) : 0;

  if (length == 0 || !g_str_has_prefix (name, reader->name) || name[length] != '_')
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
    if (strcmp (name + length + 1, aggregates[i].aggregate) == 0)
      return aggregates[i].aggregate;
  return NULL;
}

static void
read_rates (Reader *reader, DynoRecord *record)
{
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    reader->rates[i] = dyno_record_get_amount (record, rates[i].field) * rates[i].factor;
}

static void
add_record (Reader *reader, DynoRecord *record, const char *aggregate)
{
  const char *error_message = dyno_record_get_text (record, "error_message");
  const char *failure = error_message != NULL ? error_message : dyno_record_get_text (record, "skip_message");

  if (failure != NULL)
    dyno_import_builder_fail_case (reader->builder, failure);
  else if (aggregate == NULL)
    {
      double time = dyno_record_get_amount (record, "real_time");

      if (isfinite (time))
        g_array_append_val (reader->times, time);
      if (reader->times->len == 1 && dyno_record_get_count (record, "repetitions") <= 1)
        read_rates (reader, record);
    }
  else
    {
      g_autofree char *how = g_strdup_printf ("real_time, %s of the repetitions", aggregate);

      for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
        if (strcmp (aggregates[i].aggregate, aggregate) == 0)
          dyno_import_builder_add_value (reader->builder, aggregates[i].name,
                                         dyno_record_get_amount (record, "real_time"), reader->unit, how);
    }
  if (failure == NULL && g_strcmp0 (aggregate, "mean") == 0)
    {
      read_rates (reader, record);
      reader->has_mean = TRUE;
    }
}

/* The oldest files have times such as “2016/06/25-18:48:04”. */
static gint64
get_time (DynoRecord *record)
{
  const char *date = dyno_record_get_text (record, "date");

  if (date != NULL && strlen (date) > 10 && date[4] == '/' && date[10] == '-')
    {
      char *text = g_strdelimit (g_strdup (date), "/", '-');

      text[10] = 'T';
      dyno_record_take_text (record, "date", text);
    }
  return dyno_record_get_time (record, "date");
}

static gboolean
read_piece (Reader *reader, const DynoJsonPiece *piece, GError **error)
{
  g_autoptr (DynoRecord) record = dyno_json_piece_to_record (piece, error);

  if (record == NULL)
    return FALSE;
  if (g_strcmp0 (piece->member, "context") == 0)
    {
      const char *version = dyno_record_get_text (record, "library_version");
      g_autofree char *scaling = dyno_record_dup_word (record, "cpu_scaling_enabled");
      g_autofree char *build = dyno_record_dup_word (record, "library_build_type");

      g_free (reader->version);
      reader->version = g_strdup (version != NULL && *version == 'v' ? version + 1 : version);
      reader->is_scaling = g_strcmp0 (scaling, "1") == 0;
      reader->is_debug = g_strcmp0 (build, "debug") == 0;
      dyno_import_builder_set_tool (reader->builder, "Google Benchmark", reader->version);
      dyno_import_builder_set_time (reader->builder, get_time (record));
      dyno_import_builder_take_run_rest (reader->builder, "context", dyno_record_dup_rest (record));
      return dyno_record_check (record, error);
    }

  const char *name = dyno_record_get_text (record, "name");
  const char *run_name = dyno_record_get_text (record, "run_name");
  const char *old = name != NULL && run_name == NULL ? find_old_aggregate (reader, name) : NULL;
  const char *aggregate = old != NULL ? old : dyno_record_get_text (record, "aggregate_name");
  const char *benchmark = run_name != NULL ? run_name : old != NULL ? reader->name : name;
  const char *unit = dyno_record_get_text (record, "time_unit");
  g_autofree char *number = g_strdup_printf ("%u", reader->n_records++);

  dyno_record_skip (record, "run_type");
  if (benchmark == NULL || (unit != NULL && !g_strv_contains (time_units, unit)))
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("A benchmark needs a “name”, and a “time_unit” of ns, us, ms or s."));
      return FALSE;
    }
  if (!begin_benchmark (reader, record, benchmark, error))
    return FALSE;
  add_record (reader, record, aggregate);
  dyno_import_builder_take_rest (reader->builder, number, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoJsonReader) json = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };
  g_auto (Reader) reader = { .builder = builder, .times = g_array_new (FALSE, FALSE, sizeof (double)) };

  dyno_import_builder_set_tool (builder, "Google Benchmark", NULL);
  while (dyno_json_reader_next (json, &piece, error))
    {
      if (piece.node == NULL)
        {
          end_benchmark (&reader);
          return TRUE;
        }
      if (!read_piece (&reader, &piece, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "context", "benchmarks", "real_time", "cpu_time", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_google_benchmark_dialect = {
  .name = "google-benchmark",
  .title = "Google Benchmark",
  .method = N_ (
      "It repeats a function in one process until half a second has passed, and tells the mean time of an "
      "iteration; without repetitions nothing says how much that varies."),
  .recognise = recognise,
  .read = read_file,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* pyperf: benchmarks with their runs, each run a separate process. Common metadata are moved from the runs
 * into the benchmark, and from there into the file, after the runs. Values are in seconds unless the
 * metadata say otherwise. Runs without values only calibrated the number of loops. */

#define BENCHMARKS "benchmarks"

typedef struct
{
  DynoRecord *metadata; /* nullable: its own */
  DynoRecord *rest;
  GPtrArray *runs; /* of arrays of values */
  double sum;
  gsize n_values;
  double peak;
  gint64 time;
} Benchmark;

typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *metadata; /* nullable: of the file */
  GPtrArray *benchmarks;
} Reader;

static void
benchmark_free (Benchmark *self)
{
  g_clear_pointer (&self->metadata, dyno_record_free);
  dyno_record_free (self->rest);
  g_ptr_array_unref (self->runs);
  g_free (self);
}

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->metadata, dyno_record_free);
  g_ptr_array_unref (self->benchmarks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
take_metadata (DynoRecord **metadata, const DynoJsonPiece *piece, GError **error)
{
  if (JSON_NODE_HOLDS_NULL (piece->node))
    return TRUE;
  g_clear_pointer (metadata, dyno_record_free);
  *metadata = dyno_json_piece_to_record (piece, error);
  return *metadata != NULL;
}

static gboolean
take_piece_of_benchmark (Benchmark *self, const DynoJsonPiece *piece, GError **error)
{
  g_autoptr (DynoRecord) run = NULL;

  if (g_str_equal (piece->member, "metadata"))
    return take_metadata (&self->metadata, piece, error);
  if (!g_str_equal (piece->member, "runs"))
    {
      dyno_record_take_source (self->rest, piece->member, piece->source);
      return TRUE;
    }
  if (JSON_NODE_HOLDS_NULL (piece->node) && !piece->is_element)
    return TRUE;
  run = dyno_json_piece_to_record (piece, error);
  if (run == NULL)
    return FALSE;

  gsize n;
  g_autofree double *values = dyno_record_dup_amounts (run, "values", &n);
  GArray *kept;

  if (n == 0)
    return dyno_record_check (run, error);

  g_autoptr (DynoRecord) metadata = dyno_record_new_part (run, "metadata");

  if (metadata != NULL)
    {
      self->peak = fmax (self->peak, dyno_record_get_amount (metadata, "mem_max_rss"));
      if (self->time == 0)
        {
          /* “2026-05-12 10:30:00.250000”, which lacks the T of ISO 8601 */
          const char *date = dyno_record_get_text (metadata, "date");

          if (date != NULL)
            dyno_record_take_text (metadata, "date", g_strdelimit (g_strdup (date), " ", 'T'));
          self->time = dyno_record_get_time (metadata, "date");
        }
    }

  kept = g_array_sized_new (FALSE, FALSE, sizeof (double), (guint)n);
  g_array_append_vals (kept, values, (guint)n);
  g_ptr_array_add (self->runs, kept);
  for (gsize i = 0; i < n; i++)
    self->sum += values[i];
  self->n_values += n;
  return dyno_record_check (run, error);
}

static gboolean
take_piece (Reader *self, const DynoJsonPiece *piece, GError **error)
{
  if (piece->element > 0)
    {
      /* An object without members has nothing to read, but it is a failed benchmark. */
      if (piece->element > DYNO_IMPORT_MAX_CASES)
        {
          dyno_import_file_set_error (error, piece->line, _ ("It has more than %d cases. Split it."),
                                      DYNO_IMPORT_MAX_CASES);
          return FALSE;
        }
      while (self->benchmarks->len < piece->element)
        {
          Benchmark *benchmark = g_new0 (Benchmark, 1);

          benchmark->rest = dyno_record_new (piece->line);
          benchmark->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
          benchmark->peak = NAN;
          g_ptr_array_add (self->benchmarks, benchmark);
        }
      return take_piece_of_benchmark (self->benchmarks->pdata[piece->element - 1], piece, error);
    }
  if (g_strcmp0 (piece->member, "metadata") == 0)
    return take_metadata (&self->metadata, piece, error);
  if (g_strcmp0 (piece->member, BENCHMARKS) == 0)
    {
      dyno_import_file_set_error (error, piece->line, _ ("A JSON object is expected here."));
      return FALSE;
    }
  return TRUE;
}

/* The cases, once all metadata are known */

static const char *
get_metadata (Reader *self, Benchmark *benchmark, const char *name)
{
  const char *text = benchmark->metadata != NULL ? dyno_record_get_text (benchmark->metadata, name) : NULL;

  return text != NULL ? text : dyno_record_get_text (self->metadata, name);
}

static gboolean
add_benchmark (Reader *self, guint index, GError **error)
{
  Benchmark *benchmark = self->benchmarks->pdata[index];
  g_autofree char *number = g_strdup_printf ("%u", index + 1);
  const char *name = get_metadata (self, benchmark, "name");
  const char *unit = get_metadata (self, benchmark, "unit");
  gboolean is_memory = g_strcmp0 (unit, "byte") == 0;
  const DynoImportCase kase = { .benchmark = name != NULL ? name : number, .backend = "pyperf" };

  if (!dyno_import_builder_begin_case (self->builder, &kase, error))
    return FALSE;
  if (benchmark->n_values == 0)
    dyno_import_builder_fail_case (self->builder, _ ("Its runs have no values."));
  else if (unit == NULL || g_str_equal (unit, "second"))
    {
      for (guint i = 0; i < benchmark->runs->len; i++)
        {
          GArray *values = benchmark->runs->pdata[i];

          dyno_import_builder_add_process (self->builder, (const double *)(void *)values->data, values->len,
                                           "s", "values, each a mean of loops");
        }
    }
  else
    dyno_import_builder_add_value (self->builder, is_memory ? "memory_mean_mb" : "value_mean",
                                   benchmark->sum / (double)benchmark->n_values, is_memory ? "B" : "",
                                   "values, their mean");
  dyno_import_builder_add_value (self->builder, "memory_peak_mb", benchmark->peak, "B",
                                 "the largest mem_max_rss");
  dyno_import_builder_set_time (self->builder, benchmark->time);
  if (benchmark->metadata != NULL)
    dyno_import_builder_take_rest (self->builder, "metadata", dyno_record_dup_rest (benchmark->metadata));
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (benchmark->rest));
  return benchmark->metadata == NULL || dyno_record_check (benchmark->metadata, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoJsonReader) pieces = dyno_json_reader_new_apart (file, BENCHMARKS, DYNO_IMPORT_MAX_PIECE);
  g_auto (Reader) reader = { .builder = builder,
                             .benchmarks = g_ptr_array_new_with_free_func ((GDestroyNotify)benchmark_free) };
  g_auto (DynoJsonPiece) piece = { 0 };

  while (dyno_json_reader_next (pieces, &piece, error))
    {
      if (piece.node == NULL)
        {
          if (reader.metadata == NULL)
            reader.metadata = dyno_record_new (1);
          dyno_import_builder_set_tool (builder, "pyperf",
                                        dyno_record_get_text (reader.metadata, "perf_version"));
          dyno_import_builder_set_machine (builder, "cpu", "name",
                                           dyno_record_get_text (reader.metadata, "cpu_model_name"));
          dyno_import_builder_set_machine (builder, "os", "name",
                                           dyno_record_get_text (reader.metadata, "platform"));
          for (guint i = 0; i < reader.benchmarks->len; i++)
            if (!add_benchmark (&reader, i, error))
              return FALSE;
          dyno_import_builder_take_run_rest (builder, "metadata", dyno_record_dup_rest (reader.metadata));
          return dyno_record_check (reader.metadata, error);
        }
      if (!take_piece (&reader, &piece, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { BENCHMARKS, "runs", "values", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys) &&
         !dyno_dialect_has_key (head, "real_time");
}

const DynoDialect dyno_pyperf_dialect = {
  .name = "pyperf",
  .title = "pyperf",
  .method = N_ ("It starts a process for each run, by default twenty, warms up once in each, and takes the "
                "mean of many loops for a value."),
  .recognise = recognise,
  .read = read_file,
};

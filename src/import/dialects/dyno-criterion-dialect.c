/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* criterion.rs keeps `sample.json` (counts of iterations and their total times) and `estimates.json`
 * (statistics of the time of an iteration) of each benchmark in a folder of its own, with the benchmark’s
 * name in a third file, `benchmark.json`. cargo-criterion prints all of it as messages, a line of JSON
 * each. Times are in ns. */

#define NAME_FILE      "benchmark.json"
#define SAMPLE_FILE    "sample.json"
#define ESTIMATES_FILE "estimates.json"

/* The names since version 0.3, and those before it. */
static const struct
{
  const char *field;
  const char *old_field;
  const char *name;
} estimates[] = {
  { "mean", "Mean", "latency_mean_ms" },
  { "median", "Median", "latency_p50_ms" },
  { "std_dev", "StdDev", "latency_stddev_ms" },
  { "slope", "Slope", "latency_slope_ms" },
};

/* Returns the newest measurement of the benchmark that @folder belongs to: `new`, beside `base` or a named
 * baseline. */
static char *
build_newest (const char *folder)
{
  g_autofree char *outer = g_path_get_dirname (folder);

  return g_build_filename (outer, "new", SAMPLE_FILE, NULL);
}

static GBytes *
read_sample (const char *path)
{
  char *text = NULL;
  gsize size;

  return g_file_get_contents (path, &text, &size, NULL) ? g_bytes_new_take (text, size) : NULL;
}

/* `GROUP/FUNCTION/VALUE/new/sample.json`: the folders may be the only source of the name. */
static char *
dup_name (DynoImportFile *file)
{
  const char *folder = dyno_import_file_get_folder (file);
  g_autoptr (DynoRecord) record = dyno_json_reader_read_beside (file, NAME_FILE);
  char *name = record != NULL ? dyno_record_dup_word (record, "full_id") : NULL;

  if (name != NULL || folder == NULL)
    return name != NULL ? name : dyno_import_file_dup_stem (file);

  g_autofree char *place = g_path_get_basename (folder);
  g_autofree char *outer = g_path_get_dirname (folder);
  g_autofree char *newest = build_newest (folder);

  if (g_str_equal (place, "new") || g_str_equal (place, "base") || g_file_test (newest, G_FILE_TEST_EXISTS))
    return g_path_get_basename (outer);
  return g_steal_pointer (&place);
}

static gboolean
begin_case (DynoImportBuilder *builder, const char *name, GError **error)
{
  const DynoImportCase kase = { .benchmark = name, .backend = "criterion" };

  dyno_import_builder_set_tool (builder, "criterion.rs", NULL);
  return dyno_import_builder_begin_case (builder, &kase, error);
}

static void
add_estimates (DynoImportBuilder *builder, DynoRecord *record, const char *point)
{
  for (guint i = 0; i < G_N_ELEMENTS (estimates); i++)
    {
      const char *field =
          dyno_record_has (record, estimates[i].field) ? estimates[i].field : estimates[i].old_field;
      g_autoptr (DynoRecord) part = dyno_record_new_part (record, field);

      if (part == NULL)
        continue;
      dyno_import_builder_add_value (builder, estimates[i].name, dyno_record_get_amount (part, point), "ns",
                                     field);
      dyno_import_builder_take_rest (builder, field, dyno_record_dup_rest (part));
    }
}

/* A sample is the mean time of its iterations. */
static gboolean
add_samples (
    DynoImportBuilder *builder, DynoRecord *record, const char *counts, const char *times, GError **error)
{
  gsize n_counts;
  gsize n;
  g_autofree double *iterations = dyno_record_dup_amounts (record, counts, &n_counts);
  g_autofree double *samples = dyno_record_dup_amounts (record, times, &n);

  if (!dyno_record_check (record, error))
    return FALSE;
  for (gsize i = 0; i < n && n == n_counts; i++)
    if (iterations[i] >= 1)
      samples[i] /= iterations[i];
    else
      n_counts = 0;
  if (n != n_counts)
    {
      dyno_import_file_set_error (
          error, dyno_record_get_line (record),
          _ ("“%s” and “%s” need the same number of elements, and counts above zero."), counts, times);
      return FALSE;
    }
  dyno_import_builder_add_process (builder, samples, n, "ns", "samples, each a mean of iterations");
  return TRUE;
}

/* Only the messages of a benchmark have values; an estimate has the unit of the samples. */
static gboolean
read_message (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  const char *reason = dyno_record_get_text (record, "reason");
  const char *id = dyno_record_get_text (record, "id");
  const char *unit = dyno_record_get_text (record, "unit");

  if (g_strcmp0 (reason, "benchmark-complete") != 0)
    return dyno_record_check (record, error);
  if (id == NULL || g_strcmp0 (unit, "ns") != 0)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("A benchmark needs an “id”, and “ns” for its “unit”."));
      return FALSE;
    }
  if (!begin_case (builder, id, error) ||
      !add_samples (builder, record, "iteration_count", "measured_values", error))
    return FALSE;
  add_estimates (builder, record, "estimate");
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
has_messages (const char *head)
{
  static const char *const keys[] = { "reason", "id", "measured_values", "iteration_count", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

static gboolean
recognise (const char *head)
{
  static const char *const samples[] = { "iters", "times", NULL };
  static const char *const now[] = { "mean", "median_abs_dev", "std_dev", "point_estimate", NULL };
  static const char *const old[] = { "Mean", "MedianAbsDev", "StdDev", "point_estimate", NULL };

  if (!dyno_dialect_begins_with (head, "{"))
    return FALSE;
  return dyno_dialect_has_keys (head, samples) || dyno_dialect_has_keys (head, now) ||
         dyno_dialect_has_keys (head, old) || has_messages (head);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  if (has_messages (dyno_import_file_get_head (file)))
    return dyno_json_reader_read_lines (file, read_message, builder, error);

  g_autoptr (DynoRecord) record = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) estimated = NULL;
  g_autofree char *name = record != NULL ? dup_name (file) : NULL;

  if (record == NULL || !begin_case (builder, name, error) ||
      !add_samples (builder, record, "iters", "times", error))
    return FALSE;

  /* All files of criterion.rs have the same name, so the run is named after its benchmark, and a baseline
   * that differs from the newest measurement also after its folder. */
  const char *folder = dyno_import_file_get_folder (file);
  g_autofree char *place = folder != NULL ? g_path_get_basename (folder) : NULL;
  /* After each measurement criterion.rs copies `new` to `base`: the two differ only before that, or with
   * `--baseline`. */
  g_autofree char *newest = folder != NULL ? build_newest (folder) : NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, SAMPLE_FILE, NULL) : NULL;
  g_autoptr (GBytes) this = folder != NULL ? read_sample (path) : NULL;
  g_autoptr (GBytes) that = folder != NULL ? read_sample (newest) : NULL;
  gboolean is_another = this != NULL && that != NULL && !g_bytes_equal (this, that);
  g_autofree char *title = is_another ? g_strdup_printf ("%s/%s", name, place) : g_strdup (name);

  dyno_import_builder_set_title (builder, title);
  add_estimates (builder, record, "point_estimate");
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  if (dyno_record_has (record, "times"))
    estimated = dyno_json_reader_read_beside (file, ESTIMATES_FILE);
  if (estimated != NULL)
    {
      add_estimates (builder, estimated, "point_estimate");
      dyno_import_builder_take_rest (builder, ESTIMATES_FILE, dyno_record_dup_rest (estimated));
    }
  return dyno_record_check (record, error);
}

static const DynoDialectPart parts[] = { { ESTIMATES_FILE, SAMPLE_FILE }, { NULL, NULL } };

const DynoDialect dyno_criterion_dialect = {
  .name = "criterion",
  .title = "criterion.rs",
  .method = N_ (
      "It warms up for three seconds in one process and takes a hundred samples over five seconds, each the "
      "mean of some iterations; intervals in its files are of that process alone."),
  .recognise = recognise,
  .read = read_file,
  .parts = parts,
};

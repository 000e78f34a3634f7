/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-error.h"
#include "dyno-import-dialects-private.h"

/* AIPerf's results of several runs: `profile_export_aiperf_aggregate.json`, the mean over the runs of each
 * statistic of each metric, as `request_latency_p99`; and `profile_export_aiperf_sweep.json`, the same for
 * each combination of the parameters of a sweep. `profile_export_aiperf_collated.json` has no units and
 * cannot be read; the error names the file to import instead. */

#define SWEEP "per_combination_metrics"

static char *
describe_mean (DynoRecord *of)
{
  guint n = dyno_record_get_count (of, "num_successful_runs");

  return n > 1 ? g_strdup_printf ("mean of %u runs", n) : g_strdup ("of one run");
}

static void
warn (DynoImportBuilder *builder, DynoRecord *of)
{
  guint n = dyno_record_get_count (of, "num_profile_runs");
  guint n_ok = dyno_record_get_count (of, "num_successful_runs");
  g_autofree char *message = NULL;

  if (n_ok >= n)
    return;
  message = g_strdup_printf (_ ("%u of %u runs failed. The values are those of the others."), n - n_ok, n);
  dyno_import_builder_add_diagnostic (builder, DYNO_SEVERITY_WARNING, "runs-failed", message);
}

static gboolean
add_case (DynoImportBuilder *builder,
          const char *model,
          DynoRecord *metrics,
          DynoRecord *parameters,
          const char *what,
          GError **error)
{
  g_autofree char *clients = parameters != NULL ? dyno_record_dup_word (parameters, "concurrency") : NULL;
  g_autofree char *rate = parameters != NULL ? dyno_record_dup_word (parameters, "request_rate") : NULL;
  g_autofree char *load = dyno_aiperf_dup_load (clients, rate);
  const DynoImportCase kase = { .model = model, .backend = "aiperf", .batch_size = 1, .load = load };
  g_auto (GStrv) names = parameters != NULL ? dyno_record_list_names (parameters) : NULL;

  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autofree char *word = dyno_record_dup_word (parameters, *name);

      if (!g_str_equal (*name, "concurrency") && !g_str_equal (*name, "request_rate"))
        dyno_import_builder_add_option (builder, *name, word);
    }
  for (guint i = 0; i < DYNO_AIPERF_N_FIELDS; i++)
    {
      /* The name is `METRIC_STATISTIC`; in a sweep without repetitions `METRIC`, with its statistics inside. */
      const DynoAiperfField *field = &dyno_aiperf_fields[i];
      g_autofree char *key = g_strdup_printf ("%s_%s", field->metric, field->statistic);
      g_autofree char *how = g_strdup_printf ("%s, %s", key, what);
      g_autoptr (DynoRecord) part = dyno_record_new_object (metrics, key);
      const char *statistic = "mean";
      const char *unit;

      if (part == NULL)
        {
          part = dyno_record_new_object (metrics, field->metric);
          statistic = field->statistic;
        }
      if (part != NULL && g_str_equal (statistic, "avg") && !dyno_record_has (part, statistic))
        statistic = "mean";
      unit = part != NULL ? dyno_aiperf_find_unit (dyno_record_get_text (part, "unit")) : NULL;
      if (unit != NULL)
        dyno_import_builder_add_value (builder, field->name, dyno_record_get_amount (part, statistic), unit,
                                       how);
      if (part != NULL)
        dyno_import_builder_take_rest (builder, key, dyno_record_dup_rest (part));
    }
  dyno_import_builder_add_diagnostic (
      builder, DYNO_SEVERITY_INFO, DYNO_ORIGIN_UNNAMED_CODE,
      _ ("The file does not name the model, so the case is named after the folder or the file."));
  return TRUE;
}

static gboolean
read_sweep (DynoImportBuilder *builder, const char *model, DynoRecord *record, GError **error)
{
  g_autofree char *what = describe_mean (record);
  JsonArray *combinations = dyno_record_get_array (record, SWEEP);

  for (guint i = 0; combinations != NULL && i < json_array_get_length (combinations); i++)
    {
      g_autoptr (DynoRecord) combination = dyno_record_new_element (record, combinations, i);

      if (combination == NULL)
        break;

      g_autoptr (DynoRecord) metrics = dyno_record_new_part (combination, "metrics");
      g_autoptr (DynoRecord) parameters = dyno_record_new_part (combination, "parameters");

      if (metrics == NULL)
        {
          dyno_import_file_set_error (error, dyno_record_get_line (record),
                                      _ ("A combination of parameters needs its “metrics”."));
          return FALSE;
        }
      if (!add_case (builder, model, metrics, parameters, what, error))
        return FALSE;
      warn (builder, record);
      dyno_import_builder_take_rest (builder, "metrics", dyno_record_dup_rest (metrics));
    }
  return dyno_record_check (record, error);
}

static gboolean
is_collated (const char *head)
{
  static const char *const keys[] = { "aggregation_type", "num_profile_runs", "combined", "per_run", NULL };

  return dyno_dialect_has_keys (head, keys);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *folder = dyno_import_file_get_folder (file);
  g_autofree char *place = folder != NULL ? g_path_get_basename (folder) : NULL;
  g_autofree char *outer = folder != NULL ? g_path_get_dirname (folder) : NULL;
  gboolean has_name = g_strcmp0 (place, "aggregate") == 0 || g_strcmp0 (place, "sweep_aggregate") == 0;
  /* The file names neither model nor endpoint; the folder that AIPerf made for the benchmark names them. */
  g_autofree char *model = has_name ? g_path_get_basename (outer) : dyno_import_file_dup_stem (file);
  g_autoptr (DynoRecord) record = NULL;

  if (is_collated (dyno_import_file_get_head (file)))
    {
      /* Refused as unknown, so that an import of the folder skips it: the more detailed files are there too. */
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("AIPerf names no units in this file, so its numbers cannot be read. Import "
                              "“profile_export_aiperf_aggregate.json”, which lies beside it, or the "
                              "“profile_export.jsonl” of each run."));
      return FALSE;
    }
  record = dyno_json_reader_read_record (file, error);
  if (record == NULL)
    return FALSE;
  dyno_import_builder_set_tool (builder, "AIPerf", dyno_record_get_text (record, "aiperf_version"));
  if (!dyno_record_has (record, SWEEP))
    {
      g_autoptr (DynoRecord) metrics = dyno_record_new_part (record, "metrics");
      g_autoptr (DynoRecord) metadata = dyno_record_new_part (record, "metadata");
      g_autofree char *what = metadata != NULL ? describe_mean (metadata) : NULL;

      if (metrics == NULL || metadata == NULL)
        {
          if (dyno_record_check (record, error))
            dyno_import_file_set_error (error, dyno_record_get_line (record),
                                        _ ("An aggregate needs its “metadata” and its “metrics”."));
          return FALSE;
        }
      if (!add_case (builder, model, metrics, NULL, what, error))
        return FALSE;
      warn (builder, metadata);
      dyno_import_builder_take_rest (builder, "metadata", dyno_record_dup_rest (metadata));
      dyno_import_builder_take_rest (builder, "metrics", dyno_record_dup_rest (metrics));
      if (!dyno_record_check (record, error))
        return FALSE;
    }
  else if (!read_sweep (builder, model, record, error))
    return FALSE;
  dyno_import_builder_take_run_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
recognise (const char *head)
{
  static const char *const aggregate[] = { "aggregation_type", "num_profile_runs", "metrics", "t_critical",
                                           NULL };
  static const char *const sweep[] = { "aggregation_type", "num_profile_runs", SWEEP, NULL };

  return dyno_dialect_begins_with (head, "{") && (dyno_dialect_has_keys (head, aggregate) ||
                                                  dyno_dialect_has_keys (head, sweep) || is_collated (head));
}

const DynoDialect dyno_aiperf_aggregate_dialect = {
  .name = "aiperf-aggregate",
  .title = "AIPerf, several runs",
  .method = N_ ("It runs the same load several times against a server, and the values are means over those "
                "runs: a percentile is the mean of the percentiles of the runs, not one of all requests."),
  .recognise = recognise,
  .read = read_file,
};

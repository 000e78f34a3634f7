/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-stats.h"

/* onnxruntime_perf_test: its result file, to which each session appends a row for each run (model, seconds,
 * peak bytes, processor %, number of the run) and then statistics in words; or its console, which has the
 * same words. The options of a session are not recorded, so each session is a separate case. */

/* The first line of a session */
#define CREATION "Session creation time cost"

#define ROW  "^([^,]+),([0-9.eE+-]+),([0-9]+),([0-9]+),([0-9]+)$"
#define WORD "^([A-Za-z][A-Za-z0-9 ]*?)(?:: ?| is )([0-9.]+(?:[eE][+-]?[0-9]+)?) ?(s|sec|ms|bytes|%)?$"

static const struct
{
  const char *label;
  const char *name;
  const char *unit;
} words[] = {
  { CREATION, "load_time_ms", "s" },
  { "First inference time cost", "first_run_ms", "ms" },
  { "Average inference time cost", "latency_mean_ms", "ms" },
  { "Average inference time cost total", "latency_mean_ms", "ms" }, /* since 1.24 or earlier */
  { "Number of inferences per second", "throughput_items_per_sec", "1/s" },
  { "Min Latency", "latency_min_ms", "s" },
  { "Max Latency", "latency_max_ms", "s" },
  { "P50 Latency", "latency_p50_ms", "s" },
  { "Peak working set size", "memory_peak_mb", "B" },
  { "Avg CPU usage", "process_cpu_percent", "%" },
};

/* The program prints these even for few runs. */
static const struct
{
  const char *label;
  const char *name;
  double percent;
} percentiles[] = {
  { "P90 Latency", "latency_p90_ms", 90 },
  { "P95 Latency", "latency_p95_ms", 95 },
  { "P99 Latency", "latency_p99_ms", 99 },
  { "P999 Latency", "latency_p999_ms", 99.9 },
};

typedef struct
{
  DynoImportBuilder *builder;
  GRegex *row;
  GRegex *word;

  /* The session being read. */
  char *model;
  GArray *seconds;
  double peak_bytes;
  DynoRecord *words;
} Reader;

static void
clear_session (Reader *reader)
{
  g_clear_pointer (&reader->model, g_free);
  g_clear_pointer (&reader->words, dyno_record_free);
  g_array_set_size (reader->seconds, 0);
  reader->peak_bytes = NAN;
}

static void
reader_clear (Reader *reader)
{
  clear_session (reader);
  g_regex_unref (reader->row);
  g_regex_unref (reader->word);
  g_array_unref (reader->seconds);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
end_session (Reader *reader, GError **error)
{
  const DynoImportCase kase = { .model = reader->model, .backend = "onnxruntime" };

  dyno_import_builder_set_tool (reader->builder, "onnxruntime_perf_test", NULL);
  if (!dyno_import_builder_begin_case (reader->builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (reader->builder, "session");
  dyno_import_builder_add_process (reader->builder, (const double *)(void *)reader->seconds->data,
                                   reader->seconds->len, "s", "the seconds of its runs");
  dyno_import_builder_add_value (reader->builder, "memory_peak_mb", reader->peak_bytes, "B",
                                 "the peak working set");
  if (reader->words != NULL)
    {
      double n_runs = dyno_record_get_amount (reader->words, "Total inference requests");

      if (isnan (n_runs))
        n_runs = reader->seconds->len;
      for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        dyno_import_builder_add_value (reader->builder, words[i].name,
                                       dyno_record_get_amount (reader->words, words[i].label), words[i].unit,
                                       words[i].label);
      for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
        if (dyno_stats_percentile_is_supported ((gsize)n_runs, percentiles[i].percent))
          dyno_import_builder_add_value (reader->builder, percentiles[i].name,
                                         dyno_record_get_amount (reader->words, percentiles[i].label), "s",
                                         percentiles[i].label);
      dyno_import_builder_take_rest (reader->builder, NULL, dyno_record_dup_rest (reader->words));
    }
  if (reader->words != NULL && !dyno_record_check (reader->words, error))
    return FALSE;
  clear_session (reader);
  return TRUE;
}

static gboolean
read_line (const char *text, guint line, gpointer data, GError **error)
{
  Reader *reader = data;
  g_autoptr (GMatchInfo) row = NULL;
  g_autoptr (GMatchInfo) word = NULL;

  if (g_regex_match (reader->row, text, 0, &row))
    {
      /* Text, or a gap in the numbering, starts a new session. */
      g_autofree char *model = g_match_info_fetch (row, 1);
      g_autofree char *seconds = g_match_info_fetch (row, 2);
      g_autofree char *peak = g_match_info_fetch (row, 3);
      g_autofree char *number = g_match_info_fetch (row, 5);
      double duration = g_ascii_strtod (seconds, NULL);

      if (reader->seconds->len > 0 &&
          (reader->words != NULL || g_ascii_strtoull (number, NULL, 10) != reader->seconds->len) &&
          !end_session (reader, error))
        return FALSE;
      if (!isfinite (duration) || duration < 0)
        {
          dyno_import_file_set_error (error, line, _ ("The duration of a run is %s."), seconds);
          return FALSE;
        }
      g_free (reader->model);
      reader->model = g_steal_pointer (&model);
      reader->peak_bytes = g_ascii_strtod (peak, NULL);
      g_array_append_val (reader->seconds, duration);
      return TRUE;
    }
  if (!g_regex_match (reader->word, text, 0, &word))
    return TRUE;

  g_autofree char *label = g_match_info_fetch (word, 1);
  gboolean is_next =
      strcmp (label, CREATION) == 0 && reader->words != NULL && dyno_record_has (reader->words, CREATION);

  if (is_next && !end_session (reader, error))
    return FALSE;
  if (reader->words == NULL)
    reader->words = dyno_record_new (line);
  dyno_record_take_text_at (reader->words, line, label, g_match_info_fetch (word, 2));
  return TRUE;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Reader) reader = { .builder = builder,
                             .row = g_regex_new (ROW, 0, 0, NULL),
                             .word = g_regex_new (WORD, 0, 0, NULL),
                             .seconds = g_array_new (FALSE, FALSE, sizeof (double)),
                             .peak_bytes = NAN };

  if (!dyno_import_file_read_lines (file, read_line, &reader, error))
    return FALSE;
  return (reader.seconds->len == 0 && reader.words == NULL) || end_session (&reader, error);
}

static gboolean
recognise (const char *head)
{
  return strstr (head, CREATION ": ") != NULL ||
         g_regex_match_simple ("^\\s*[^,\\n\"{\\[]+,[0-9.eE+-]+,[0-9]+,[0-9]+,0\\r?\\n", head, 0, 0);
}

const DynoDialect dyno_ort_perf_test_dialect = {
  .name = "ort-perf-test",
  .title = "onnxruntime_perf_test",
  .method = N_ ("It runs one process, by default for 600 seconds after a single run for warming up."),
  .recognise = recognise,
  .read = read_file,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* perf_analyzer’s CSV (`-f`): a row for each load that it tried, whose number is in the column Concurrency
 * or Request Rate. Times are whole µs. The file has neither the model nor the version, so the model gets
 * the file's name. */

static const DynoImportField fields[] = {
  { "Inferences/Second", "throughput_items_per_sec", "1/s" },
  { "Response Throughput", "responses_per_sec", "1/s" },
  { "p50 latency", "latency_p50_ms", "us" },
  { "p90 latency", "latency_p90_ms", "us" },
  { "p95 latency", "latency_p95_ms", "us" },
  { "p99 latency", "latency_p99_ms", "us" },
  { "Avg latency", "latency_mean_ms", "us" },
  { "Client Send", "client_send_ms", "us" },
  { "Client Recv", "client_receive_ms", "us" },
  { "Network+Server Send/Recv", "network_ms", "us" },
  { "Server Queue", "server_queue_ms", "us" },
  { "Server Compute Input", "server_input_ms", "us" },
  { "Server Compute Infer", "server_compute_ms", "us" },
  { "Server Compute Output", "server_output_ms", "us" },
  { "Server Cache Hit", "server_cache_hit_ms", "us" },
  { "Server Cache Miss", "server_cache_miss_ms", "us" },
};

/* Adds up the numbers after the colons of “GPU-1:0.5;GPU-2:0.25;”, and counts them. */
static double
add_up_gpus (const char *text, guint *n)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ";", -1);
  double sum = 0;

  *n = 0;
  for (char **part = parts; *part != NULL; part++)
    {
      const char *colon = strrchr (*part, ':');

      if (colon == NULL)
        continue;
      sum += g_ascii_strtod (colon + 1, NULL);
      (*n)++;
    }
  return *n > 0 ? sum : NAN;
}

static gboolean
read_row (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  double per_second = dyno_record_get_amount (record, "Request Rate");
  guint n_clients = dyno_record_get_count (record, "Concurrency");
  const DynoLoad described = { .shape = per_second > 0 ? DYNO_LOAD_RATE : DYNO_LOAD_CONCURRENT,
                               .rate = per_second > 0 ? per_second : 0,
                               .clients = MAX (n_clients, 1) };
  g_autofree char *load = n_clients > 0 || per_second > 0 ? dyno_import_words_dup_load (&described) : NULL;
  g_autofree char *clients = load == NULL ? dyno_record_dup_word (record, "Concurrency") : NULL;
  g_autofree char *rate = load == NULL ? dyno_record_dup_word (record, "Request Rate") : NULL;
  const DynoImportCase kase = { .backend = "perf_analyzer", .load = load };

  dyno_import_builder_set_tool (builder, "perf_analyzer", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_option (builder, "concurrency", clients);
  dyno_import_builder_add_option (builder, "request_rate", rate);
  dyno_import_builder_add_fields (builder, record, fields, G_N_ELEMENTS (fields));

  guint n;
  double utilisation = add_up_gpus (dyno_record_get_text (record, "Avg GPU Utilization"), &n);

  dyno_import_builder_add_value (builder, "gpu_utilization_percent", utilisation * 100 / MAX (n, 1), "%",
                                 "Avg GPU Utilization, the mean of the GPUs");
  dyno_import_builder_add_value (builder, "power_gpu_watts",
                                 add_up_gpus (dyno_record_get_text (record, "Avg GPU Power Usage"), &n), "W",
                                 "Avg GPU Power Usage, the sum of the GPUs");
  dyno_import_builder_add_value (builder, "device_memory_peak_mb",
                                 add_up_gpus (dyno_record_get_text (record, "Max GPU Memory Usage"), &n), "B",
                                 "Max GPU Memory Usage, the sum of the GPUs");
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_table_read (file, ',', read_row, builder, error);
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_has_column (head, ',', "Inferences/Second") &&
         dyno_dialect_has_column (head, ',', "Client Send");
}

const DynoDialect dyno_perf_analyzer_dialect = {
  .name = "perf-analyzer",
  .title = "perf_analyzer",
  .method =
      /* xgettext:no-c-format */ N_ (
          "A client of a server measures until three windows in a row are within 10 % of each other, and "
          "tells those three; a request counts from when it is sent."),
  .recognise = recognise,
  .read = read_file,
};

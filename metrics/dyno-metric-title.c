/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-metric.h"

/* Values that only other tools report. */
static const struct
{
  const char *name;
  const char *title;
} imported[] = {
  { "energy_step_joules", N_ ("Energy per step") },
  { "energy_cpu_joules", N_ ("Energy of the CPU") },
  { "energy_gpu_joules", N_ ("Energy of the GPU") },
  { "energy_ram_joules", N_ ("Energy of the RAM") },
  { "power_cpu_watts", N_ ("Power of the CPU") },
  { "power_gpu_watts", N_ ("Power of the GPU") },
  { "power_ram_watts", N_ ("Power of the RAM") },
  { "cpu_utilization_percent", N_ ("CPU utilization") },
  { "gpu_utilization_percent", N_ ("GPU utilization") },
  { "memory_mean_mb", N_ ("Mean memory") },
  { "device_compute_ms", N_ ("Time on the device") },
  { "step_latency_ms", N_ ("Latency of a diffusion step") },
  { "first_step_ms", N_ ("First diffusion step") },
  { "steps_per_sec", N_ ("Throughput in diffusion steps") },
  { "latency_p97_ms", N_ ("97th percentile of latency") },
  { "latency_slope_ms", N_ ("Latency by linear regression") },
  { "time_per_output_token_ms", N_ ("Time per output token") },
  { "time_per_output_token_mean_ms", N_ ("Mean time per output token") },
  { "time_per_output_token_p99_ms", N_ ("99th percentile of time per output token") },
  { "first_token_latency_mean_ms", N_ ("Mean time to first token") },
  { "first_token_latency_geomean_ms", N_ ("Geometric mean of time to first token") },
  { "first_token_latency_p99_ms", N_ ("99th percentile of time to first token") },
  { "second_token_latency_ms", N_ ("Time from the first token to the second") },
  { "inter_token_latency_mean_ms", N_ ("Mean inter-token latency") },
  { "inter_token_latency_p99_ms", N_ ("99th percentile of inter-token latency") },
  { "inter_token_latency_p95_ms", N_ ("95th percentile of inter-token latency") },
  { "latency_over_tokens_p50_ms", N_ ("Time of a request per token") },
  { "latency_over_tokens_mean_ms", N_ ("Mean time of a request per token") },
  { "throughput_batches_per_sec", N_ ("Throughput in batches") },
  { "responses_per_sec", N_ ("Throughput in responses") },
  { "issued_items_per_sec", N_ ("Throughput with the overhead of the load generator") },
  { "scheduled_items_per_sec", N_ ("Requested rate") },
  { "client_send_ms", N_ ("Sending by the client") },
  { "client_receive_ms", N_ ("Receiving by the client") },
  { "network_ms", N_ ("Network and server transfer") },
  { "server_input_ms", N_ ("Input preparation by the server") },
  { "server_compute_ms", N_ ("Inference by the server") },
  { "server_output_ms", N_ ("Output preparation by the server") },
  { "server_cache_hit_ms", N_ ("Cache hits of the server") },
  { "server_cache_miss_ms", N_ ("Cache misses of the server") },
  { "result_value", N_ ("Result value") },
  { "memory_growth_mb", N_ ("Memory growth") },
  { "process_cpu_percent", N_ ("Processor use of the process") },
  { "flops_utilization_percent", N_ ("Utilization of peak FLOP/s") },
  { "user_time_ms", N_ ("User time") },
  { "system_time_ms", N_ ("System time") },
  { "cpu_time_ms", N_ ("CPU time") },
  { "processed_gbps", N_ ("Processed data") },
  { "tracked_time_ms", N_ ("Tracked time") },
  { "emissions_g", N_ ("CO₂ emissions") },
};

/* Names end with their units, which are shown beside their numbers. */
static const char *const units[] = { "_ms", "_joules", "_watts", "_mb", "_gbps", "_percent" };

/* Words that are always in capitals. */
static const char *const acronyms[] = { "cpu", "gpu", "npu", "ram" };

/* Names with a part that only the backend or the sensor knows. */
static const struct
{
  const char *prefix;
  const char *suffix;
  const char *title;
} families[] = {
  /* Translators: %s is a stage of loading, as the engine calls it */
  { "load_", "_ms", N_ ("Load: %s") },
  /* Translators: %s is a part of a model, such as “decoder” */
  { "stage_", "_handover_ms", N_ ("Hand-over to the stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_p50_ms", N_ ("Stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_percent", N_ ("Share of the stage: %s") },
  /* Translators: %s is a part of a model that runs several times, such as “unet” */
  { "stage_", "_run_ms", N_ ("One run of the stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_roof_ms", N_ ("Shortest time of the stage by its roofs: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_compute_bound", N_ ("Compute-bound stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_memory_bound", N_ ("Memory-bound stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_weights_mb", N_ ("Weights of the stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_peak_mb", N_ ("Peak memory of the stage: %s") },
  /* Translators: %s is a part of a model that generates, such as “decoder” */
  { "stage_", "_decode_flops", N_ ("Decode FLOPs of the stage: %s") },
  /* Translators: %s is a part of a model that generates, such as “decoder” */
  { "stage_", "_decode_bytes", N_ ("Decode bytes of the stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_flops", N_ ("FLOPs of the stage: %s") },
  /* Translators: %s is a part of a model, such as “encoder” */
  { "stage_", "_bytes", N_ ("Bytes of the stage: %s") },
  /* Translators: %s is a part of the machine, as its driver calls it */
  { "energy_", "_joules", N_ ("Energy of %s") },
  /* Translators: %s is a part of the machine, as another tool calls it */
  { "power_", "_watts", N_ ("Power of %s") },
};

/* Values whose names begin alike belong together. */
static const struct
{
  const char *prefix;
  const char *topic;
} topics[] = {
  { "power_", N_ ("Power and energy") },
  { "idle_power_", N_ ("Power and energy") },
  { "energy_", N_ ("Power and energy") },
  { "ops_per_watt", N_ ("Power and energy") },
  { "gflops_per_watt", N_ ("Power and energy") },
  { "throughput_per_watt", N_ ("Power and energy") },
  { "temperature_", N_ ("Temperature") },
  { "clock_", N_ ("Clocks") },
  { "avg_bandwidth_", N_ ("Memory bandwidth") },
  { "peak_", N_ ("Memory bandwidth") },
  { "memory_transfers_", N_ ("Memory bandwidth") },
  { "bandwidth_utilization_", N_ ("Roofline") },
  { "compute_bound", N_ ("Roofline") },
  { "memory_bound", N_ ("Roofline") },
  { "roof_", N_ ("Roofline") },
  { "ridge_", N_ ("Roofline") },
  { "decode_read_", N_ ("Roofline") },
  { "device_memory_", N_ ("Device memory") },
  { "stage_", N_ ("Stages of the model") },
};

static gboolean
is_acronym (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (acronyms); i++)
    if (g_str_has_prefix (word, acronyms[i]) &&
        strspn (word + strlen (acronyms[i]), "0123456789") == strlen (word) - strlen (acronyms[i]))
      return TRUE;
  return FALSE;
}

/* “gpu0_clock” as “GPU0 clock”. */
static char *
split_words (const char *name, gsize length)
{
  g_autofree char *part = g_strndup (name, length);
  g_auto (GStrv) words = g_strsplit (part, "_", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (is_acronym (words[i]))
      {
        char *word = words[i];

        words[i] = g_ascii_strup (word, -1);
        g_free (word);
      }
  return g_strjoinv (" ", words);
}

static char *
dup_family_title (guint family, const char *name)
{
  const char *prefix = families[family].prefix;
  const char *suffix = families[family].suffix;
  gsize length = strlen (name);
  gsize outside = strlen (prefix) + strlen (suffix);
  g_autoptr (GString) title = NULL;
  g_autofree char *part = NULL;

  if (length <= outside || !g_str_has_prefix (name, prefix) || !g_str_has_suffix (name, suffix))
    return NULL;
  part = split_words (name + strlen (prefix), length - outside);
  title = g_string_new (_ (families[family].title));
  g_string_replace (title, "%s", part, 1);
  return g_strdup (title->str);
}

char *
dyno_metric_title_dup (const char *name)
{
  const DynoMetricValue *value = name != NULL ? dyno_metric_find_value (name) : NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (value != NULL)
    return g_strdup (_ (value->title));
  for (guint i = 0; i < G_N_ELEMENTS (imported); i++)
    if (g_str_equal (imported[i].name, name))
      return g_strdup (_ (imported[i].title));
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      char *title = dup_family_title (i, name);

      if (title != NULL)
        return title;
    }

  /* “from_elsewhere” as words. */
  gsize length = strlen (name);
  char *words;

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (name, units[i]) && length > strlen (units[i]))
      length = strlen (name) - strlen (units[i]);
  words = split_words (name, length);
  *words = g_ascii_toupper (*words);
  return words;
}

const char *
dyno_metric_title_get_topic (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (g_str_has_prefix (name, topics[i].prefix))
      return _ (topics[i].topic);
  return NULL;
}

void
dyno_metric_title_foreach_imported (DynoMetricTitleFunc func, gpointer user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS (imported); i++)
    func (imported[i].name, _ (imported[i].title), user_data);
}

void
dyno_metric_title_foreach_family (DynoMetricTitleFunc func, gpointer user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autofree char *name = g_strconcat (families[i].prefix, "NAME", families[i].suffix, NULL);
      g_autofree char *title = dup_family_title (i, name);

      func (name, title, user_data);
    }
}

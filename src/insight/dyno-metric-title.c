/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-metric-title.h"

typedef struct
{
  const char *name;
  const char *title;
} Title;

static const Title titles[] = {
  { "latency_mean_ms", N_ ("Mean latency") },
  { "latency_p50_ms", N_ ("Median latency") },
  { "latency_p90_ms", N_ ("90th percentile of latency") },
  { "latency_p95_ms", N_ ("95th percentile of latency") },
  { "latency_p99_ms", N_ ("99th percentile of latency") },
  { "latency_p999_ms", N_ ("99.9th percentile of latency") },
  { "latency_min_ms", N_ ("Minimum latency") },
  { "latency_max_ms", N_ ("Maximum latency") },
  { "latency_stddev_ms", N_ ("Standard deviation of latency") },
  { "latency_median_low_ms", N_ ("Median latency, 95 % interval, low end") },
  { "latency_median_high_ms", N_ ("Median latency, 95 % interval, high end") },
  { "latency_samples", N_ ("Samples") },
  { "latency_batched_steps", N_ ("Steps per sample") },
  { "throughput_items_per_sec", N_ ("Throughput") },
  { "throughput_tokens_per_sec", N_ ("Token throughput") },
  { "load_time_ms", N_ ("Load time") },
  { "first_run_ms", N_ ("First run") },
  { "warm_up_ms", N_ ("Warm-up time") },
  { "warm_up_steps", N_ ("Warm-up steps") },
  { "memory_peak_mb", N_ ("Peak memory") },
  { "memory_average_mb", N_ ("Average memory") },
  { "memory_weights_mb", N_ ("Weights memory") },
  { "memory_workspace_mb", N_ ("Workspace memory") },
  { "memory_allocator_used_mb", N_ ("Allocator memory in use") },
  { "memory_allocator_held_mb", N_ ("Allocator memory reserved") },
  { "memory_fragmentation_percent", N_ ("Fragmentation") },
  { "flops", N_ ("FLOPs per step") },
  { "flops_per_sec", N_ ("Compute throughput") },
  { "bytes_per_step", N_ ("Bytes per step") },
  { "arithmetic_intensity_flops_per_byte", N_ ("Arithmetic intensity") },
  { "first_token_latency_ms", N_ ("Time to first token") },
  { "inter_token_latency_ms", N_ ("Inter-token latency") },
  { "prefill_tokens_per_sec", N_ ("Prefill rate") },
  { "decode_tokens_per_sec", N_ ("Decode rate") },
  { "cache_mb", N_ ("Key-value cache") },
  { "timer_resolution_ns", N_ ("Timer resolution") },
  { "timer_overhead_ns", N_ ("Timer overhead") },
  { "placement_percent", N_ ("Placement on requested device") },
  { "placement_operators_percent", N_ ("Operators on requested device") },
  { "output_max_error", N_ ("Largest output error against the CPU") },
  { "device_memory_peak_mb", N_ ("Peak device memory") },
  { "device_memory_global_peak_mb", N_ ("Peak device memory, all programs") },
  { "sampler_load_percent", N_ ("Sampling overhead") },
  { "power_avg_watts", N_ ("Average power") },
  { "power_max_watts", N_ ("Maximum power") },
  { "idle_power_watts", N_ ("Idle power") },
  { "energy_joules", N_ ("Energy") },
  { "energy_net_joules", N_ ("Energy above idle") },
  { "energy_per_item_joules", N_ ("Energy per item") },
  { "energy_per_token_joules", N_ ("Energy per token") },
  { "energy_quantisation_percent", N_ ("Energy quantization error") },
  { "ops_per_watt", N_ ("FLOP/s per watt") },
  { "gflops_per_watt", N_ ("GFLOP/s per watt") },
  { "throughput_per_watt", N_ ("Throughput per watt") },
  { "temperature_max_celsius", N_ ("Maximum temperature") },
  { "clock_avg_mhz", N_ ("Average clock") },
  { "clock_min_mhz", N_ ("Minimum clock") },
  { "avg_bandwidth_gbps", N_ ("Average bandwidth") },
  { "peak_bandwidth_gbps", N_ ("Peak bandwidth") },
  { "peak_theoretical_bandwidth_gbps", N_ ("Theoretical bandwidth") },
  { "bandwidth_utilization_percent", N_ ("Bandwidth utilization") },
  { "bandwidth_utilization_theoretical_percent", N_ ("Utilization of theoretical bandwidth") },
  { "memory_transfers_gb", N_ ("Memory traffic") },
  { "compute_bound", N_ ("Compute-bound") },
  { "memory_bound", N_ ("Memory-bound") },
  { "roof_distance_percent", N_ ("% of roofline") },
  { "ridge_point_flops_per_byte", N_ ("Ridge point") },
  { "transfer_to_device_ms", N_ ("Transfer to the device") },
  { "transfer_from_device_ms", N_ ("Transfer from the device") },
  { "load_read_ms", N_ ("Load: reading the model") },
  { "load_compile_ms", N_ ("Load: compiling") },
  { "load_compile_cached_ms", N_ ("Load: compiling, from the cache") },
  { "load_browser_start_ms", N_ ("Load: starting the browser") },
  { "load_page_load_ms", N_ ("Load: opening the page") },
  { "load_runtime_start_ms", N_ ("Load: starting the runtime") },
  { "load_transfer_ms", N_ ("Load: transferring the model") },
  { "energy_package_joules", N_ ("Energy of the processor") },
  { "energy_core_joules", N_ ("Energy of the processor cores") },
  { "energy_uncore_joules", N_ ("Energy of the integrated graphics") },
  { "energy_dram_joules", N_ ("Energy of the memory") },
  { "energy_psys_joules", N_ ("Energy of the whole board") },
  { "energy_battery_joules", N_ ("Energy from the battery") },
  { "energy_estimate_joules", N_ ("Energy, estimated") },
};

/* Names that have a part in them that only the backend or the sensor knows. */
static const struct
{
  const char *prefix;
  const char *suffix;
  const char *title;
} families[] = {
  /* Translators: %s is a stage of loading, as the engine calls it */
  { "load_", "_ms", N_ ("Load: %s") },
  /* Translators: %s is a part of the machine, as its driver calls it */
  { "energy_", "_joules", N_ ("Energy of %s") },
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
  { "device_memory_", N_ ("Device memory") },
};

/* “from_elsewhere” as words. */
static char *
dup_words (const char *name)
{
  char *words = g_strdelimit (g_strdup (name), "_", ' ');

  *words = g_ascii_toupper (*words);
  return words;
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
  part = g_strdelimit (g_strndup (name + strlen (prefix), length - outside), "_", ' ');
  title = g_string_new (_ (families[family].title));
  g_string_replace (title, "%s", part, 1);
  return g_strdup (title->str);
}

/**
 * dyno_metric_title_dup:
 * @name: the stable name of a value
 *
 * Returns: (transfer full): the name for people; for a name that is not known here, its own words
 */
char *
dyno_metric_title_dup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (titles[i].name, name))
      return g_strdup (_ (titles[i].title));
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      char *title = dup_family_title (i, name);

      if (title != NULL)
        return title;
    }
  return dup_words (name);
}

/**
 * dyno_metric_title_get_topic:
 * @name: the stable name of a value
 *
 * Returns: (transfer none) (nullable): what the value is about, such as “Power and energy”, where it is one of several
 *   about the same thing
 */
const char *
dyno_metric_title_get_topic (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (g_str_has_prefix (name, topics[i].prefix))
      return _ (topics[i].topic);
  return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-format"

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-format.h"
#include "dyno-pinning.h"
#include "dyno-unit.h"

/* No line begins with the point. */
#define SEPARATOR "\u00a0· "

typedef struct
{
  const char *name;
  const char *title;
} MetricTitle;

static const MetricTitle metric_titles[] = {
  { "latency_mean_ms", N_ ("Mean latency") },
  { "latency_p50_ms", N_ ("Median latency") },
  { "latency_p90_ms", N_ ("90th percentile of latency") },
  { "latency_p95_ms", N_ ("95th percentile of latency") },
  { "latency_p99_ms", N_ ("99th percentile of latency") },
  { "latency_p999_ms", N_ ("99.9th percentile of latency") },
  { "latency_min_ms", N_ ("Shortest latency") },
  { "latency_max_ms", N_ ("Longest latency") },
  { "latency_stddev_ms", N_ ("Standard deviation of latency") },
  { "latency_median_low_ms", N_ ("Median latency, 95 % interval from") },
  { "latency_median_high_ms", N_ ("Median latency, 95 % interval to") },
  { "latency_samples", N_ ("Samples") },
  { "latency_batched_steps", N_ ("Steps in a sample") },
  { "throughput_items_per_sec", N_ ("Throughput") },
  { "throughput_tokens_per_sec", N_ ("Token throughput") },
  { "load_time_ms", N_ ("Loading time") },
  { "first_run_ms", N_ ("First run") },
  { "warm_up_ms", N_ ("Warm-up time") },
  { "warm_up_steps", N_ ("Warm-up steps") },
  { "memory_peak_mb", N_ ("Peak memory") },
  { "memory_average_mb", N_ ("Average memory") },
  { "memory_weights_mb", N_ ("Memory of the weights") },
  { "memory_workspace_mb", N_ ("Memory of the workspace") },
  { "memory_allocator_used_mb", N_ ("Memory the allocator uses") },
  { "memory_allocator_held_mb", N_ ("Memory the allocator holds") },
  { "memory_fragmentation_percent", N_ ("Fragmentation") },
  { "flops", N_ ("FLOPs of one step") },
  { "flops_per_sec", N_ ("FLOP rate") },
  { "bytes_per_step", N_ ("Bytes of one step") },
  { "arithmetic_intensity_flops_per_byte", N_ ("Arithmetic intensity") },
  { "first_token_latency_ms", N_ ("Time to first token") },
  { "inter_token_latency_ms", N_ ("Inter-token latency") },
  { "prefill_tokens_per_sec", N_ ("Prefill rate") },
  { "decode_tokens_per_sec", N_ ("Decode rate") },
  { "cache_mb", N_ ("Key-value cache") },
  { "timer_resolution_ns", N_ ("Resolution of the clock") },
  { "timer_overhead_ns", N_ ("Cost of reading the clock") },
  { "placement_percent", N_ ("Work on the asked device") },
  { "placement_operators_percent", N_ ("Operators on the asked device") },
  { "output_max_error", N_ ("Largest deviation from the CPU") },
  { "device_memory_peak_mb", N_ ("Peak memory of the device") },
  { "device_memory_global_peak_mb", N_ ("Peak memory of the device, all programs") },
  { "sampler_load_percent", N_ ("Load of reading sensors") },
  { "power_avg_watts", N_ ("Average power") },
  { "power_max_watts", N_ ("Highest power") },
  { "idle_power_watts", N_ ("Idle power") },
  { "energy_joules", N_ ("Energy") },
  { "energy_net_joules", N_ ("Energy above idle") },
  { "energy_per_item_joules", N_ ("Energy per item") },
  { "energy_per_token_joules", N_ ("Energy per token") },
  { "energy_quantisation_percent", N_ ("Quantisation error of energy") },
  { "ops_per_watt", N_ ("FLOP rate per watt") },
  { "gflops_per_watt", N_ ("GFLOP/s per watt") },
  { "throughput_per_watt", N_ ("Throughput per watt") },
  { "temperature_max_celsius", N_ ("Highest temperature") },
  { "clock_avg_mhz", N_ ("Average clock") },
  { "clock_min_mhz", N_ ("Lowest clock") },
  { "avg_bandwidth_gbps", N_ ("Average bandwidth") },
  { "peak_bandwidth_gbps", N_ ("Peak bandwidth") },
  { "peak_theoretical_bandwidth_gbps", N_ ("Bandwidth in theory") },
  { "bandwidth_utilization_percent", N_ ("Bandwidth in use") },
  { "bandwidth_utilization_theoretical_percent", N_ ("Bandwidth in use, of that in theory") },
  { "memory_transfers_gb", N_ ("Memory traffic") },
  { "compute_bound", N_ ("Bound by computing") },
  { "memory_bound", N_ ("Bound by memory") },
  { "roof_distance_percent", N_ ("Share of the roof reached") },
  { "ridge_point_flops_per_byte", N_ ("Ridge point") },
  { "transfer_to_device_ms", N_ ("Transfer to the device") },
  { "transfer_from_device_ms", N_ ("Transfer from the device") },
  { "load_read_ms", N_ ("Loading: reading the model") },
  { "load_compile_ms", N_ ("Loading: compiling") },
  { "load_compile_cached_ms", N_ ("Loading: compiling, from the cache") },
  { "load_browser_start_ms", N_ ("Loading: starting the browser") },
  { "load_page_load_ms", N_ ("Loading: opening the page") },
  { "load_runtime_start_ms", N_ ("Loading: starting the runtime") },
  { "load_transfer_ms", N_ ("Loading: handing over the model") },
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
} metric_families[] = {
  /* Translators: %s is a stage of loading, as the engine calls it */
  { "load_", "_ms", N_ ("Loading: %s") },
  /* Translators: %s is a part of the machine, as its driver calls it */
  { "energy_", "_joules", N_ ("Energy of %s") },
};

/**
 * dyno_format_number:
 * @number: a number
 *
 * Returns: (transfer full): @number with as many digits as a measurement here deserves
 */
char *
dyno_format_number (double number)
{
  return isfinite (number) ? dyno_unit_format_significant (number) : g_strdup ("—");
}

/**
 * dyno_format_quantity:
 * @number: a number
 * @unit: its unit as values carry it, empty for none
 *
 * Returns: (transfer full): both in words, in the unit that reads best; a dash where there is no number
 */
char *
dyno_format_quantity (double number, const char *unit)
{
  g_return_val_if_fail (unit != NULL, NULL);

  if (!isfinite (number))
    return g_strdup ("—");
  return dyno_unit_format (number, unit);
}

/**
 * dyno_format_latency:
 * @milliseconds: how long
 *
 * Returns: (transfer full): @milliseconds in µs, ms or s, whichever reads best
 */
char *
dyno_format_latency (double milliseconds)
{
  return dyno_format_quantity (milliseconds, "ms");
}

/**
 * dyno_format_value:
 * @value: (nullable): a value of a result
 *
 * Returns: (transfer full): its number and unit, or a dash where there is no number
 */
char *
dyno_format_value (DynoValue *value)
{
  if (value == NULL)
    return g_strdup ("—");
  return dyno_format_quantity (dyno_value_get_number (value), dyno_value_get_unit (value));
}

/**
 * dyno_format_count:
 * @count: how many
 *
 * Returns: (transfer full): @count with the locale's separators
 */
char *
dyno_format_count (gint64 count)
{
  return g_strdup_printf ("%'" G_GINT64_FORMAT, count);
}

/**
 * dyno_format_bytes:
 * @bytes: how many
 *
 * Returns: (transfer full): @bytes in MB of 10⁶ and their like
 */
char *
dyno_format_bytes (gint64 bytes)
{
  return g_format_size (MAX (bytes, 0));
}

/**
 * dyno_format_duration:
 * @seconds: how long
 *
 * Returns: (transfer full): @seconds as a person would say it
 */
char *
dyno_format_duration (double seconds)
{
  guint64 whole = (guint64)(MAX (seconds, 0) + 0.5);

  if (seconds < 1)
    /* Translators: a duration of less than one second */
    return g_strdup (_ ("less than 1 s"));
  if (whole < 60)
    /* Translators: a duration in seconds */
    return g_strdup_printf (_ ("%" PRIu64 " s"), whole);
  if (whole < 3600)
    /* Translators: a duration in minutes and seconds */
    return g_strdup_printf (_ ("%" PRIu64 " min %" PRIu64 " s"), whole / 60, whole % 60);
  /* Translators: a duration in hours and minutes */
  return g_strdup_printf (_ ("%" PRIu64 " h %" PRIu64 " min"), whole / 3600, whole % 3600 / 60);
}

/**
 * dyno_format_date:
 * @microseconds: µs since 1970 UTC, 0 for never
 *
 * Returns: (transfer full): when that was, seen from now
 */
char *
dyno_format_date (gint64 microseconds)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) date = utc != NULL ? g_date_time_to_local (utc) : NULL;

  if (microseconds == 0 || date == NULL)
    return g_strdup ("—");
  if (g_date_time_get_year (date) != g_date_time_get_year (now))
    /* Translators: a date of another year, for g_date_time_format */
    return g_date_time_format (date, _ ("%-e %B %Y, %H:%M"));
  if (g_date_time_get_day_of_year (date) != g_date_time_get_day_of_year (now))
    /* Translators: a date of this year, for g_date_time_format */
    return g_date_time_format (date, _ ("%-e %B, %H:%M"));
  /* Translators: a time of today, for g_date_time_format */
  return g_date_time_format (date, _ ("Today, %H:%M"));
}

/**
 * dyno_format_difference:
 * @ratio: one number over another
 *
 * Returns: (transfer full): by how many per cent the one is above or below the other
 */
char *
dyno_format_difference (double ratio)
{
  double percent = (ratio - 1) * 100;

  if (!isfinite (ratio))
    return g_strdup ("—");
  if (fabs (percent) < 0.05)
    return g_strdup (_ ("0.0 %"));
  return g_strdup_printf (percent > 0 ? "+%.1f %%" : "−%.1f %%", fabs (percent));
}

/**
 * dyno_format_case_model:
 * @result: a result
 *
 * Returns: (transfer none): what its model is called
 */
const char *
dyno_format_case_model (DynoResult *result)
{
  const char *name;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  name = dyno_result_get_model_name (result);
  return name != NULL && *name != '\0' ? name : dyno_case_get_model (dyno_result_get_case (result));
}

/* A number of zero is one that the model has no use for, or that the default was taken for. */
static char *
dup_size (DynoCase *kase, DynoCaseParts part)
{
  guint tokens = dyno_case_get_sequence_length (kase);
  guint generated = dyno_case_get_generate_tokens (kase);
  guint threads = dyno_case_get_threads (kase);

  if (part == DYNO_CASE_BATCH)
    return g_strdup_printf (_ ("batch %u"), dyno_case_get_batch_size (kase));
  if (part == DYNO_CASE_SEQUENCE && tokens > 0)
    return g_strdup_printf (ngettext ("%u token", "%u tokens", tokens), tokens);
  if (part == DYNO_CASE_GENERATE && generated > 0)
    return g_strdup_printf (_ ("%u generated"), generated);
  if (part == DYNO_CASE_THREADS && threads > 0)
    return g_strdup_printf (ngettext ("%u thread", "%u threads", threads), threads);
  return NULL;
}

static char *
dup_part (DynoResult *result, DynoCaseParts part)
{
  DynoCase *kase = dyno_result_get_case (result);
  const char *pinning = dyno_case_get_pinning (kase);

  switch (part)
    {
    case DYNO_CASE_BACKEND:
      return g_strdup (dyno_case_get_backend (kase));
    case DYNO_CASE_DEVICE:
      return g_strdup (dyno_case_get_device (kase));
    case DYNO_CASE_PRECISION:
      return dyno_case_dup_precision_label (kase);
    case DYNO_CASE_PINNING:
      return pinning != NULL && *pinning != '\0' ? dyno_pinning_dup_label (pinning) : NULL;
    case DYNO_CASE_OPTIONS:
      return g_strdup (dyno_case_get_options (kase));
    case DYNO_CASE_DIMENSIONS:
      return g_strdup (dyno_case_get_dimensions (kase));
    case DYNO_CASE_BATCH:
    case DYNO_CASE_SEQUENCE:
    case DYNO_CASE_GENERATE:
    case DYNO_CASE_THREADS:
      return dup_size (kase, part);
    case DYNO_CASE_PLACE:
    case DYNO_CASE_ALL:
    default:
      return NULL;
    }
}

static void
append_part (GString *text, const char *part)
{
  if (part == NULL || *part == '\0')
    return;
  if (text->len > 0)
    g_string_append (text, SEPARATOR);
  g_string_append (text, part);
}

/**
 * dyno_format_case_parts:
 * @result: a result
 * @parts: what to say of its case
 *
 * Returns: (transfer full): these parts in words, empty if there is nothing to say
 */
char *
dyno_format_case_parts (DynoResult *result, DynoCaseParts parts)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (DYNO_IS_RESULT (result), g_string_free (text, FALSE));

  for (DynoCaseParts part = 1; part <= DYNO_CASE_ALL; part <<= 1)
    if (parts & part)
      {
        g_autofree char *words = dup_part (result, part);
        append_part (text, words);
      }
  return g_string_free (text, FALSE);
}

static gboolean
varies (GListModel *results, DynoCaseParts part)
{
  g_autofree char *first = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *words = dup_part (result, part);

      if (i == 0)
        first = g_steal_pointer (&words);
      else if (g_strcmp0 (first, words) != 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * dyno_format_case_find_varying:
 * @results: a list of [class@Dyno.Result]
 *
 * Returns: in what their cases differ, beside the model; all there is to say of them if that is nothing
 */
DynoCaseParts
dyno_format_case_find_varying (GListModel *results)
{
  DynoCaseParts varying = 0;

  g_return_val_if_fail (G_IS_LIST_MODEL (results), DYNO_CASE_ALL);

  for (DynoCaseParts part = 1; part <= DYNO_CASE_ALL; part <<= 1)
    if (varies (results, part))
      varying |= part;
  return varying != 0 ? varying : DYNO_CASE_ALL;
}

/**
 * dyno_format_case:
 * @result: a result
 *
 * Returns: (transfer full): its case in words: the model, where it ran, and what sets it apart
 */
char *
dyno_format_case (DynoResult *result)
{
  DynoCaseParts parts = DYNO_CASE_ALL;
  g_autoptr (GString) text = NULL;
  g_autofree char *setting = NULL;
  g_autofree char *precision = NULL;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  precision = dyno_case_dup_precision_label (dyno_result_get_case (result));
  if (g_str_equal (precision, "fp32"))
    parts &= ~DYNO_CASE_PRECISION;
  text = g_string_new (dyno_format_case_model (result));
  setting = dyno_format_case_parts (result, parts);
  append_part (text, setting);
  return g_strdup (text->str);
}

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
  const char *prefix = metric_families[family].prefix;
  const char *suffix = metric_families[family].suffix;
  gsize length = strlen (name);
  gsize outside = strlen (prefix) + strlen (suffix);
  g_autoptr (GString) title = NULL;
  g_autofree char *part = NULL;

  if (length <= outside || !g_str_has_prefix (name, prefix) || !g_str_has_suffix (name, suffix))
    return NULL;
  part = g_strdelimit (g_strndup (name + strlen (prefix), length - outside), "_", ' ');
  title = g_string_new (_ (metric_families[family].title));
  g_string_replace (title, "%s", part, 1);
  return g_strdup (title->str);
}

/**
 * dyno_format_metric_name:
 * @name: the stable name of a value
 *
 * Returns: (transfer full): what people call it; the words of @name where nobody has said
 */
char *
dyno_format_metric_name (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (metric_titles); i++)
    if (g_str_equal (metric_titles[i].name, name))
      return g_strdup (_ (metric_titles[i].title));
  for (guint i = 0; i < G_N_ELEMENTS (metric_families); i++)
    {
      char *title = dup_family_title (i, name);

      if (title != NULL)
        return title;
    }
  return dup_words (name);
}

/**
 * dyno_format_status:
 * @status: how a case stands
 *
 * Returns: (transfer none): the word for it
 */
const char *
dyno_format_status (DynoStatus status)
{
  static const char *const words[] = {
    [DYNO_STATUS_PENDING] = N_ ("Waiting"), [DYNO_STATUS_RUNNING] = N_ ("Measuring"),
    [DYNO_STATUS_OK] = N_ ("Measured"),     [DYNO_STATUS_FAILED] = N_ ("Failed"),
    [DYNO_STATUS_SKIPPED] = N_ ("Skipped"), [DYNO_STATUS_CANCELLED] = N_ ("Stopped"),
  };

  g_return_val_if_fail ((guint)status < G_N_ELEMENTS (words), NULL);
  return _ (words[status]);
}

/**
 * dyno_format_status_icon:
 * @status: how a case stands
 *
 * Returns: (transfer none): the name of an icon for it
 */
const char *
dyno_format_status_icon (DynoStatus status)
{
  static const char *const icons[] = {
    [DYNO_STATUS_PENDING] = "content-loading-symbolic",
    [DYNO_STATUS_RUNNING] = "media-playback-start-symbolic",
    [DYNO_STATUS_OK] = "emblem-ok-symbolic",
    [DYNO_STATUS_FAILED] = "dialog-error-symbolic",
    [DYNO_STATUS_SKIPPED] = "media-skip-forward-symbolic",
    [DYNO_STATUS_CANCELLED] = "media-playback-stop-symbolic",
  };

  g_return_val_if_fail ((guint)status < G_N_ELEMENTS (icons), NULL);
  return icons[status];
}

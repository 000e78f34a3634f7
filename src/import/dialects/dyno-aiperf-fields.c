/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-import-dialects-private.h"

const DynoAiperfField dyno_aiperf_fields[DYNO_AIPERF_N_FIELDS] = {
  { "request_latency", "avg", "latency_mean_ms" },
  { "request_latency", "p50", "latency_p50_ms" },
  { "request_latency", "p90", "latency_p90_ms" },
  { "request_latency", "p95", "latency_p95_ms" },
  { "request_latency", "p99", "latency_p99_ms" },
  { "request_latency", "min", "latency_min_ms" },
  { "request_latency", "max", "latency_max_ms" },
  { "request_latency", "std", "latency_stddev_ms" },
  { "time_to_first_token", "p50", "first_token_latency_ms" },
  { "time_to_first_token", "avg", "first_token_latency_mean_ms" },
  { "time_to_first_token", "p99", "first_token_latency_p99_ms" },
  { "time_to_second_token", "p50", "second_token_latency_ms" },
  { "inter_token_latency", "p50", "time_per_output_token_ms" },
  { "inter_token_latency", "avg", "time_per_output_token_mean_ms" },
  { "inter_token_latency", "p99", "time_per_output_token_p99_ms" },
  { "request_throughput", "avg", "throughput_items_per_sec" },
  { "request_goodput", "avg", "goodput_items_per_sec" },
  { "goodput", "avg", "goodput_items_per_sec" },
  { "output_token_throughput", "avg", "output_tokens_per_sec" },
  { "request_count", "avg", "latency_samples" },
  { "benchmark_duration", "avg", "tracked_time_ms" },
};

/* Units as the tools write them, and as Dyno writes them. */
static const struct
{
  const char *unit;
  const char *usual;
} units[] = {
  { "sec", "s" },     { "requests/sec", "1/s" }, { "requests/s", "1/s" }, { "tokens/sec", "tokens/s" },
  { "requests", "" }, { "tokens", "" },          { "count", "" },
};

/* Returns NULL if Dyno has no such unit. */
const char *
dyno_aiperf_find_unit (const char *unit)
{
  DynoUnit own;

  for (guint i = 0; unit != NULL && i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].unit, unit))
      return units[i].usual;
  return unit != NULL && dyno_import_unit_convert (unit, &own) ? unit : NULL;
}

/* Returns NULL if Dyno has no such load. */
char *
dyno_aiperf_dup_load (const char *clients, const char *rate)
{
  DynoLoad load = { .rate = rate != NULL ? g_ascii_strtod (rate, NULL) : 0 };

  load.clients = clients != NULL ? (guint)CLAMP (g_ascii_strtod (clients, NULL), 0, G_MAXINT) : 0;
  load.shape = load.rate > 0 && isfinite (load.rate) ? DYNO_LOAD_RATE : DYNO_LOAD_CONCURRENT;
  if (load.shape == DYNO_LOAD_CONCURRENT && load.clients == 0)
    return NULL;
  load.clients = MAX (load.clients, 1);
  return dyno_import_words_dup_load (&load);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* Time to first token, time between tokens, and tokens per second, separately for prompt and generation. */
G_DECLARE_FINAL_TYPE (DynoGenerationMetric, dyno_generation_metric, DYNO, GENERATION_METRIC, DynoMetric)

struct _DynoGenerationMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoGenerationMetric, dyno_generation_metric, DYNO_TYPE_METRIC)

/* Tokens over the time of their steps, from the same steady state as all rates. */
static void
add_rate (DynoMeasurement *measurement, const char *name, double n_tokens, double seconds, const char *source)
{
  dyno_measurement_add_settled (measurement, name, n_tokens / seconds, "tokens/s", DYNO_QUALITY_MEASURED,
                                source);
}

static void
add_latency (DynoMeasurement *measurement,
             const char *stem,
             const DynoSamples *samples,
             gsize first,
             gsize end,
             const char *what)
{
  g_autofree double *values = dyno_samples_to_milliseconds (samples, first, end, 1);

  dyno_measurement_add_percentiles (measurement, stem, values, end - first, what);
}

static void
add_decode (DynoMeasurement *measurement, gsize first, gsize end)
{
  double seconds = (double)dyno_samples_sum (measurement->decodes, first, end) / 1e9;

  if (end == first)
    {
      const char *reason = _ ("Only one token was generated, so there is no time between tokens.");

      dyno_measurement_add_unsupported (measurement, "inter_token_latency_ms", "ms", reason);
      dyno_measurement_add_unsupported (measurement, "decode_tokens_per_sec", "tokens/s", reason);
      return;
    }
  add_latency (measurement, "inter_token", measurement->decodes, first, end,
               "of the steps of one token; choosing the token is not timed");
  add_rate (measurement, "decode_tokens_per_sec",
            (double)(end - first) * dyno_measurement_get_items_per_step (measurement), seconds,
            "tokens over the time of the steps of one token");
}

/* Adds the time of each step, by which turns are compared. */
static void
add_series (DynoMeasurement *measurement, const char *name, const DynoSamples *samples)
{
  DynoTrace *trace = dyno_trace_new (name, "ms", measurement->origin_ns);
  gsize n = dyno_samples_get_length (samples);

  dyno_trace_reserve (trace, n);
  for (gsize i = 0; i < n; i++)
    dyno_trace_add (trace, samples->starts[i] - measurement->origin_ns, (double)samples->durations[i] / 1e6);
  dyno_measurement_take_trace (measurement, trace);
}

/* Adds the value of the counted requests; those with an unknown value are left out. */
static void
add_of_requests (DynoMeasurement *measurement,
                 const char *stem,
                 double (*get) (const DynoRequest *),
                 const char *what)
{
  const DynoLoadPoint *point = dyno_load_outcome_get_chosen (measurement->load);
  g_autofree double *values = g_new (double, point->requests->length);
  gsize n = 0;

  for (gsize i = point->summary.first; i < point->requests->length; i++)
    if (dyno_request_is_answered (&point->requests->data[i]))
      {
        values[n] = get (&point->requests->data[i]);
        n += isfinite (values[n]) ? 1 : 0;
      }
  dyno_measurement_add_percentiles (measurement, stem, values, n, what);
}

static void
add_under_load (DynoMeasurement *measurement)
{
  const DynoLoadPoint *point = dyno_load_outcome_get_chosen (measurement->load);
  const char *reason = dyno_measurement_explain_overload (measurement);

  if (point->requests->data[0].first_ns == 0)
    return;
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "first_token_latency_ms", "ms", reason);
      dyno_measurement_add_unsupported (measurement, "inter_token_latency_ms", "ms", reason);
      return;
    }
  add_of_requests (measurement, "first_token", dyno_request_get_first_token,
                   "over requests of the time to the first token, from when each was to be sent");
  add_of_requests (measurement, "inter_token", dyno_request_get_inter_token,
                   "over requests of the time from the first to the last token, over the tokens after the "
                   "first");
}

static void
dyno_generation_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  gsize first = measurement->steady_first * measurement->steps_per_sample;
  gsize end = measurement->steady_end * measurement->steps_per_sample;
  gsize per_generation;
  double seconds;

  if (measurement->prefills == NULL && measurement->load != NULL && measurement->served == NULL)
    add_under_load (measurement);
  if (measurement->prefills == NULL || end == first)
    return;
  per_generation =
      dyno_samples_get_length (measurement->decodes) / dyno_samples_get_length (measurement->prefills);
  seconds = (double)dyno_samples_sum (measurement->prefills, first, end) / 1e9;
  add_latency (measurement, "first_token", measurement->prefills, first, end,
               "of the steps over the whole prompt");
  add_rate (measurement, "prefill_tokens_per_sec",
            (double)(end - first) * dyno_measurement_get_items_per_step (measurement) *
                measurement->prompt_tokens,
            seconds, "tokens of the prompt over the time of its steps");
  add_decode (measurement, first * per_generation, end * per_generation);
  dyno_measurement_add_measured (measurement, "cache_mb", (double)measurement->cache_bytes / 1e6, "MB",
                                 "size of the key-value tensors after the last token");
  add_series (measurement, "first_token_latency", measurement->prefills);
  add_series (measurement, "inter_token_latency", measurement->decodes);
}

static const DynoMetricValue known_values[] = {
  { "first_token_latency_ms", N_ ("Time to first token"), TRUE,
    .note = "under load of requests, from the intended time of each" },
  { "first_token_p90_ms", N_ ("90th percentile of time to first token"), TRUE },
  { "first_token_p99_ms", N_ ("99th percentile of time to first token"), TRUE },
  { "inter_token_latency_ms", N_ ("Inter-token latency"), TRUE,
    .note = "under load of requests, over all gaps" },
  { "inter_token_p90_ms", N_ ("90th percentile of inter-token latency"), TRUE },
  { "inter_token_p99_ms", N_ ("99th percentile of inter-token latency"), TRUE },
  { "prefill_tokens_per_sec", N_ ("Prefill rate"), TRUE, TRUE,
    .note = "counts the tokens of passages that the model retrieves itself; of a server by its own reading "
            "time, else estimated from the time to the first token" },
  { "decode_tokens_per_sec", N_ ("Decode rate"), TRUE, TRUE },
  { "cache_mb", N_ ("Key-value cache"), FALSE },
  { NULL },
};

static void
dyno_generation_metric_class_init (DynoGenerationMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "generation";
  metric_class->values = known_values;
  metric_class->collect = dyno_generation_metric_collect;
}

static void
dyno_generation_metric_init (DynoGenerationMetric *self)
{
}

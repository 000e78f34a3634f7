/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* Fewer pieces than this for a token, and times between pieces say nothing of tokens. */
#define LEAST_CHUNKS_PER_TOKEN 0.8

#define FIRST "over requests of the time to the first text or reasoning, from when each was to be sent"
#define BETWEEN                                                                                              \
  "over requests of the time from the first to the last piece of text, over the tokens after the first as "  \
  "the server counted"

/* What a server let its client see of its requests. */
G_DECLARE_FINAL_TYPE (DynoServedMetric, dyno_served_metric, DYNO, SERVED_METRIC, DynoMetric)

struct _DynoServedMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoServedMetric, dyno_served_metric, DYNO_TYPE_METRIC)

typedef struct
{
  GArray *first_ms, *output_ms, *gap_ms, *token_ms, *prompt_ms, *decode_ms, *tail_ms,
      *lengths; /* of double */
  gint64 n_tokens, n_prompt, n_cached, n_drafted, n_chunks;
  guint n_short; /* answers that ended before they were as long as was asked for */
  double decode_seconds;
  gboolean connects;
  gboolean knows_tokens;
  gboolean knows_cache;
} Sums;

static gint64
get_chunk (const DynoServed *served, guint i)
{
  return g_array_index (served->chunks_ns, gint64, i);
}

static void
append (GArray *values, double value)
{
  g_array_append_val (values, value);
}

static void
add_chunks (Sums *sums, const DynoServed *served)
{
  guint n = served->chunks_ns->len;

  for (guint i = 1; i < n; i++)
    append (sums->gap_ms, (double)(get_chunk (served, i) - get_chunk (served, i - 1)) / 1e6);
  sums->n_chunks += n;
}

static void
add_request (Sums *sums, const DynoServed *served)
{
  gint64 first = dyno_served_get_first (served);
  gint64 last = dyno_served_get_last (served);
  gint64 intended = dyno_served_get_intended (served);
  double decode_ms = (double)(last - first) / 1e6;

  add_chunks (sums, served);
  append (sums->first_ms, (double)(first - intended) / 1e6);
  append (sums->tail_ms, (double)(served->end_ns - last) / 1e6);
  if (served->has_reasoned && served->output_ns > 0)
    append (sums->output_ms, (double)(served->output_ns - intended) / 1e6);
  sums->knows_tokens = sums->knows_tokens && served->output_tokens > 0;
  sums->connects = sums->connects || served->is_connecting;
  sums->knows_cache = sums->knows_cache && served->cached_tokens >= 0;
  sums->n_cached += MAX (served->cached_tokens, 0);
  sums->n_prompt += MAX (served->prompt_tokens, 0);
  sums->n_tokens += MAX (served->output_tokens, 0);
  sums->n_drafted += MAX (served->drafted_tokens, 0);
  if (served->output_tokens >= 0)
    append (sums->lengths, (double)served->output_tokens);
  sums->n_short += served->output_tokens >= 0 && served->output_tokens < served->asked_tokens;
  if (served->output_tokens > 1)
    {
      append (sums->token_ms, decode_ms / (double)(served->output_tokens - 1));
      sums->decode_seconds += decode_ms / 1e3;
    }
  if (served->prompt_ms >= 0)
    append (sums->prompt_ms, served->prompt_ms);
  if (served->decode_ms >= 0 && served->output_tokens > 1)
    append (sums->decode_ms, served->decode_ms / (double)served->output_tokens);
}

static void
add_median (DynoMeasurement *measurement, const char *name, GArray *values, const char *source)
{
  if (values->len == 0)
    return;
  dyno_stats_sort ((double *)(gpointer)values->data, values->len);
  dyno_measurement_add_settled (measurement, name,
                                dyno_stats_percentile ((double *)(gpointer)values->data, values->len, 50),
                                "ms", DYNO_QUALITY_MEASURED, source);
}

static void
warn (DynoMeasurement *measurement, const char *code, const char *message)
{
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, code, message);
}

static void
add_first (DynoMeasurement *measurement, Sums *sums, const char *reason)
{
  if (reason != NULL)
    warn (measurement, "not-streaming", reason);
  else
    reason = dyno_measurement_explain_overload (measurement);
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "first_token_latency_ms", "ms", reason);
      return;
    }
  dyno_measurement_add_percentiles (measurement, "first_token", (double *)(gpointer)sums->first_ms->data,
                                    sums->first_ms->len, FIRST);
}

static void
add_between (DynoMeasurement *measurement, Sums *sums, const char *reason)
{
  if (reason == NULL)
    reason = dyno_measurement_explain_overload (measurement);
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "inter_token_latency_ms", "ms", reason);
      return;
    }
  dyno_measurement_add_percentiles (measurement, "inter_token", (double *)(gpointer)sums->token_ms->data,
                                    sums->token_ms->len, BETWEEN);
}

static void
add_streamed (DynoMeasurement *measurement, Sums *sums, gpointer const *served, gsize n)
{
  const char *unseen = dyno_served_explain_unseen_first (served, n);

  add_first (measurement, sums, unseen);
  add_between (measurement, sums, dyno_served_explain_unseen_between (served, n));
  if (unseen == NULL && !dyno_measurement_is_overloaded (measurement))
    add_median (measurement, "inter_chunk_latency_ms", sums->gap_ms,
                "median time between pieces of text, of all requests together");
}

static void
add_tokens (DynoMeasurement *measurement, const Sums *sums)
{
  double ratio;

  if (!sums->knows_tokens)
    return;
  ratio = (double)sums->n_chunks / (double)sums->n_tokens;
  dyno_measurement_add_measured (measurement, "chunks_per_token", ratio, "",
                                 "pieces of text over tokens as the server counted");
  if (ratio < LEAST_CHUNKS_PER_TOKEN)
    warn (measurement, "chunks-of-tokens",
          _ ("The server sends several tokens at once, so times between pieces are not times between tokens; "
             "only the server’s own timings tell those."));
  if (sums->decode_seconds > 0)
    dyno_measurement_add_settled (
        measurement, "decode_tokens_per_sec",
        (double)(sums->n_tokens - (gint64)sums->token_ms->len) / sums->decode_seconds, "tokens/s",
        DYNO_QUALITY_MEASURED, "tokens after the first over the time from the first to the last piece");
}

/* “max_tokens” is no promise: the answer ends when the model says so. */
static void
add_lengths (DynoMeasurement *measurement, Sums *sums)
{
  double *lengths = (double *)(gpointer)sums->lengths->data;
  guint n = sums->lengths->len;
  g_autofree char *message = NULL;

  if (!sums->knows_tokens || n == 0)
    return;
  dyno_stats_sort (lengths, n);
  dyno_measurement_add_measured (measurement, "output_tokens", (double)sums->n_tokens / n, "",
                                 "mean length of an answer as the server counted");
  dyno_measurement_add_settled (measurement, "output_tokens_per_sec",
                                1e9 * (double)sums->n_tokens / (double)measurement->steady_wall_ns,
                                "tokens/s", DYNO_QUALITY_MEASURED,
                                "tokens as the server counted, over wall time");
  if (sums->n_short == 0)
    return;
  message = g_strdup_printf (_ ("%u of %u answers ended before they were as long as was asked for; they have "
                                "%g to %g tokens. Compare "
                                "times for each token instead of whole answers."),
                             sums->n_short, n, lengths[0], lengths[n - 1]);
  warn (measurement, "short-answers", message);
}

static void
add_server_side (DynoMeasurement *measurement, Sums *sums)
{
  if (sums->knows_cache)
    dyno_measurement_add_measured (measurement, "cached_tokens", (double)sums->n_cached, "",
                                   "tokens of prompts that the server told it had read before");
  else
    dyno_measurement_add_unsupported (
        measurement, "cached_tokens", "",
        _ ("The server does not tell how much of the prompts it had read before. "
           "Each prompt begins with a word drawn at random."));
  if (sums->connects)
    dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "connection-per-request",
                                     _ ("The server closes its connection after each answer, so each request "
                                        "contains the time to open one."));
  if (sums->n_drafted > 0)
    dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "speculative-decoding",
                                     _ ("The server lets a smaller model guess tokens first, so several may "
                                        "come at once."));
  if (sums->n_cached > 0)
    warn (measurement, "cache-hit",
          _ ("The server answered part of the prompts from its cache, so the time to the first token is too "
             "short. Switch off its prompt cache."));
  add_median (measurement, "server_prompt_ms", sums->prompt_ms, "as the server told");
  add_median (measurement, "server_token_ms", sums->decode_ms, "as the server told");
}

static void
add_failures (DynoMeasurement *measurement, guint n_requests)
{
  g_autofree char *message = NULL;

  dyno_measurement_add_measured (measurement, "failed_requests", measurement->n_failed_requests, "",
                                 "requests turned away or broken off while measuring");
  if (measurement->n_failed_requests == 0)
    return;
  message = g_strdup_printf (_ ("%u of %u requests failed. The last one: %s"), measurement->n_failed_requests,
                             measurement->n_failed_requests + n_requests, measurement->last_failure);
  warn (measurement, "failed-requests", message);
}

static void
sums_init (Sums *sums)
{
  GArray **all[] = { &sums->first_ms,  &sums->output_ms, &sums->gap_ms,  &sums->token_ms,
                     &sums->prompt_ms, &sums->decode_ms, &sums->tail_ms, &sums->lengths };

  *sums = (Sums){ .knows_tokens = TRUE, .knows_cache = TRUE };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    *all[i] = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
sums_clear (Sums *sums)
{
  GArray *all[] = { sums->first_ms,  sums->output_ms, sums->gap_ms,  sums->token_ms,
                    sums->prompt_ms, sums->decode_ms, sums->tail_ms, sums->lengths };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_array_unref (all[i]);
}

static void
dyno_served_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  gpointer *served;
  gsize first, end;
  Sums sums;

  if (measurement->served == NULL)
    return;
  first = dyno_measurement_find_served (measurement, &end);
  add_failures (measurement, measurement->served->len);
  if (end == first)
    return;
  sums_init (&sums);
  served = measurement->served->pdata + first;
  for (gsize i = 0; i < end - first; i++)
    add_request (&sums, served[i]);
  add_streamed (measurement, &sums, served, end - first);
  if (!dyno_measurement_is_overloaded (measurement))
    add_median (measurement, "first_output_latency_ms", sums.output_ms,
                "median time from the request to the first text that is no reasoning");
  add_tokens (measurement, &sums);
  add_lengths (measurement, &sums);
  add_median (measurement, "stream_tail_ms", sums.tail_ms,
              "median time from the last text to the end of the stream, which no latency contains");
  add_server_side (measurement, &sums);
  if (sums.n_prompt > 0)
    dyno_measurement_add_measured (measurement, "prompt_tokens",
                                   (double)sums.n_prompt / (double)(end - first), "",
                                   "mean length of a prompt as the server counted");
  sums_clear (&sums);
}

static const DynoMetricValue known_values[] = {
  { "output_tokens_per_sec", N_ ("Output rate"), TRUE, TRUE },
  { "first_output_latency_ms", N_ ("Time to first output"), TRUE },
  { "inter_chunk_latency_ms", N_ ("Inter-chunk latency"), TRUE },
  { "chunks_per_token", N_ ("Chunks per token"), FALSE },
  { "prompt_tokens", N_ ("Prompt tokens"), FALSE },
  { "output_tokens", N_ ("Output tokens"), FALSE },
  { "stream_tail_ms", N_ ("End of the stream after the last text"), FALSE },
  { "cached_tokens", N_ ("Cached tokens"), FALSE },
  { "server_prompt_ms", N_ ("Prompt time, as the server reports it"), FALSE },
  { "server_token_ms", N_ ("Time per token, as the server reports it"), FALSE },
  { "failed_requests", N_ ("Failed requests"), FALSE },
  { NULL },
};

static void
dyno_served_metric_class_init (DynoServedMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "served";
  metric_class->values = known_values;
  metric_class->collect = dyno_served_metric_collect;
}

static void
dyno_served_metric_init (DynoServedMetric *self)
{
}

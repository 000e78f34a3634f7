/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

#define FIRST "over requests of the time to the first text or reasoning, from when each was to be sent"
#define BETWEEN                                                                                              \
  "over requests of the time from the first to the last piece of text, over the tokens after the first as "  \
  "the server counted"

/* The requests of a server as its client saw them. */
G_DECLARE_FINAL_TYPE (DynoServedMetric, dyno_served_metric, DYNO, SERVED_METRIC, DynoMetric)

struct _DynoServedMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoServedMetric, dyno_served_metric, DYNO_TYPE_METRIC)

typedef struct
{
  GArray *first_ms, *output_ms, *gap_ms, *token_ms, *decode_ms, *user_rates, *tail_ms,
      *lengths; /* of double */
  gint64 n_tokens, n_prompt, n_cached, n_drafted, n_accepted, n_chunks;
  guint n_short; /* answers that ended before the requested length */
  double decode_seconds;
  gboolean connects;
  gboolean knows_tokens;
  gboolean knows_cache;
  gboolean knows_accepted;
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
add_request (Sums *sums, const DynoServed *served)
{
  gint64 first = dyno_served_get_first (served);
  gint64 last = dyno_served_get_last (served);
  gint64 intended = dyno_served_get_intended (served);
  double decode_ms = (double)(last - first) / 1e6;

  for (guint i = 1; i < served->chunks_ns->len; i++)
    append (sums->gap_ms, (double)(get_chunk (served, i) - get_chunk (served, i - 1)) / 1e6);
  sums->n_chunks += served->chunks_ns->len;
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
  sums->n_accepted += CLAMP (served->accepted_tokens, 0, MAX (served->drafted_tokens, 0));
  sums->knows_accepted =
      sums->knows_accepted && (served->drafted_tokens <= 0 || served->accepted_tokens >= 0);
  if (served->output_tokens >= 0)
    append (sums->lengths, (double)served->output_tokens);
  sums->n_short += served->output_tokens >= 0 && served->output_tokens < served->asked_tokens;
  append (sums->decode_ms, decode_ms);
  if (served->output_tokens > 1)
    {
      append (sums->token_ms, decode_ms / (double)(served->output_tokens - 1));
      if (decode_ms > 0)
        append (sums->user_rates, 1e3 * (double)(served->output_tokens - 1) / decode_ms);
      sums->decode_seconds += decode_ms / 1e3;
    }
}

static void
add_median_of (
    DynoMeasurement *measurement, const char *name, GArray *values, const char *unit, const char *source)
{
  if (values->len == 0)
    return;
  dyno_stats_sort ((double *)(gpointer)values->data, values->len);
  dyno_measurement_add_settled (measurement, name,
                                dyno_stats_percentile ((double *)(gpointer)values->data, values->len, 50),
                                unit, DYNO_QUALITY_MEASURED, source);
}

static void
add_median (DynoMeasurement *measurement, const char *name, GArray *values, const char *source)
{
  add_median_of (measurement, name, values, "ms", source);
}

static void
warn (DynoMeasurement *measurement, const char *code, const char *message)
{
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, code, message);
}

static void
add_between (DynoMeasurement *measurement, Sums *sums, const char *reason)
{
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "inter_token_latency_ms", "ms", reason);
      dyno_measurement_add_unsupported (measurement, "decode_tokens_per_sec", "tokens/s", reason);
      dyno_measurement_add_unsupported (measurement, "user_tokens_per_sec", "tokens/s", reason);
      return;
    }
  dyno_measurement_add_percentiles (measurement, "inter_token", (double *)(gpointer)sums->token_ms->data,
                                    sums->token_ms->len, BETWEEN);
  if (sums->decode_seconds > 0)
    dyno_measurement_add_settled (
        measurement, "decode_tokens_per_sec",
        (double)(sums->n_tokens - (gint64)sums->lengths->len) / sums->decode_seconds, "tokens/s",
        DYNO_QUALITY_MEASURED,
        "tokens after the first over the time from the first to the last piece, of each request by itself");
  add_median_of (measurement, "user_tokens_per_sec", sums->user_rates, "tokens/s",
                 "median over requests of the tokens after the first over their time: what each of those who "
                 "ask at the same time gets");
}

/* If requests pile up, their durations are meaningless. */
static void
add_streamed (DynoMeasurement *measurement, Sums *sums, gpointer const *served, gsize n)
{
  const char *overload = dyno_measurement_explain_overload (measurement);
  const char *unseen = dyno_served_explain_unseen_first (served, n);
  const char *unseen_between = dyno_served_explain_unseen_between (served, n);
  const char *reason = unseen != NULL ? unseen : overload;

  if (unseen != NULL)
    warn (measurement, "not-streaming", unseen);
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "first_token_latency_ms", "ms", reason);
      if (sums->output_ms->len > 0)
        dyno_measurement_add_unsupported (measurement, "first_output_latency_ms", "ms", reason);
    }
  else
    {
      add_median (measurement, "first_output_latency_ms", sums->output_ms,
                  "median time from the request to the first text that is no reasoning");
      dyno_measurement_add_percentiles (measurement, "first_token", (double *)(gpointer)sums->first_ms->data,
                                        sums->first_ms->len, FIRST);
    }
  add_between (measurement, sums, unseen_between != NULL ? unseen_between : overload);
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "decode_duration_ms", "ms", reason);
      return;
    }
  add_median (measurement, "decode_duration_ms", sums->decode_ms,
              "median over requests of the time from the first to the last piece of text");
  add_median (measurement, "inter_chunk_latency_ms", sums->gap_ms,
              "median time between pieces of text, of all requests together");
}

/* “max_tokens” is no promise: the model decides when the answer ends. */
static void
add_tokens (DynoMeasurement *measurement, Sums *sums, gpointer const *served, gsize n_served)
{
  const char *lumps = dyno_served_explain_lumps (served, n_served);
  double *lengths = (double *)(gpointer)sums->lengths->data;
  guint n = sums->lengths->len;
  g_autofree char *message = NULL;

  if (!sums->knows_tokens)
    return;
  dyno_measurement_add_measured (measurement, "chunks_per_token",
                                 (double)sums->n_chunks / (double)sums->n_tokens, "",
                                 "pieces of text over tokens as the server counted");
  if (lumps != NULL)
    warn (measurement, "chunks-of-tokens", lumps);

  dyno_stats_sort (lengths, n);
  dyno_measurement_add_measured (measurement, "output_tokens", (double)sums->n_tokens / n, "",
                                 "mean length of an answer as the server counted");
  dyno_measurement_add_settled (measurement, "output_tokens_per_sec",
                                1e9 * dyno_measurement_count_served_tokens (measurement) /
                                    (double)measurement->steady_wall_ns,
                                "tokens/s", DYNO_QUALITY_MEASURED,
                                "tokens, as the server counted, of the answers that ended within the wall "
                                "time, over that time");
  if (sums->n_short == 0)
    return;
  message = g_strdup_printf (_ ("%u of %u answers ended before they were as long as was asked for; they have "
                                "%g to %g tokens. Compare times for each token instead of whole answers."),
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
    dyno_measurement_add_unsupported (measurement, "cached_tokens", "",
                                      _ ("The server does not tell how much of the prompts it had read "
                                         "before. Each prompt begins with a word drawn at random."));
  if (sums->connects)
    dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "connection-per-request",
                                     _ ("The server closes its connection after each answer, so each request "
                                        "contains the time to open one."));
  if (sums->n_drafted > 0)
    dyno_measurement_add_diagnostic (
        measurement, DYNO_SEVERITY_INFO, "speculative-decoding",
        _ ("The server lets a smaller model guess tokens first, so several may come at once."));
  if (sums->n_drafted > 0 && sums->knows_accepted)
    dyno_measurement_add_measured (measurement, "draft_acceptance_percent",
                                   100 * (double)sums->n_accepted / (double)sums->n_drafted, "%",
                                   "tokens that the model kept over those that a smaller one guessed, as the "
                                   "server counted");
  if (sums->n_cached > 0)
    warn (measurement, "cache-hit",
          _ ("The server answered part of the prompts from its cache, so the time to the first token is too "
             "short. Switch off its prompt cache."));
}

static void
add_failures (DynoMeasurement *measurement, guint n_requests)
{
  g_autoptr (GArray) first_ms = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *message = NULL;

  dyno_measurement_add_measured (measurement, "failed_requests", measurement->n_failed_requests, "",
                                 "requests turned away or broken off while measuring");
  if (measurement->n_failed_requests > 0)
    {
      message =
          g_strdup_printf (_ ("%u of %u requests failed. The last one: %s"), measurement->n_failed_requests,
                           measurement->n_failed_requests + n_requests, measurement->last_failure);
      warn (measurement, "failed-requests", message);
    }

  /* They are no samples of the latency, but it is known how long people waited for their first text. */
  for (guint i = 0; measurement->broken != NULL && i < measurement->broken->len; i++)
    {
      const DynoServed *served = measurement->broken->pdata[i];

      append (first_ms, (double)(dyno_served_get_first (served) - dyno_served_get_intended (served)) / 1e6);
    }
  add_median (measurement, "broken_first_token_ms", first_ms,
              "median time to the first text of the requests that broke off after it, which have no latency");
}

static void
dyno_served_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  gpointer *served;
  gsize first, end;
  Sums sums = { .knows_tokens = TRUE, .knows_cache = TRUE, .knows_accepted = TRUE };
  GArray **lists[] = { &sums.first_ms,  &sums.output_ms,  &sums.gap_ms,  &sums.token_ms,
                       &sums.decode_ms, &sums.user_rates, &sums.tail_ms, &sums.lengths };

  if (measurement->served == NULL)
    return;
  first = dyno_measurement_find_served (measurement, &end);
  add_failures (measurement, measurement->served->len);
  if (end == first)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    *lists[i] = g_array_new (FALSE, FALSE, sizeof (double));
  served = measurement->served->pdata + first;
  for (gsize i = 0; i < end - first; i++)
    add_request (&sums, served[i]);
  add_streamed (measurement, &sums, served, end - first);
  add_tokens (measurement, &sums, served, end - first);

  add_median (measurement, "stream_tail_ms", sums.tail_ms,
              "median time from the last text to the end of the stream, which no latency contains");
  add_server_side (measurement, &sums);
  if (sums.n_prompt > 0)
    dyno_measurement_add_measured (measurement, "prompt_tokens",
                                   (double)sums.n_prompt / (double)(end - first), "",
                                   "mean length of a prompt as the server counted");
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (*lists[i]);
}

static const DynoMetricValue known_values[] = {
  { "output_tokens_per_sec", N_ ("Output rate"), TRUE, TRUE,
    .note = "answers that ended within the wall time, over that time; of other tools, generated tokens over "
            "the whole time" },
  { "first_output_latency_ms", N_ ("Time to first output"), TRUE, .note = "without reasoning" },
  { "inter_chunk_latency_ms", N_ ("Inter-chunk latency"), TRUE },
  { "chunks_per_token", N_ ("Chunks per token"), FALSE },
  { "prompt_tokens", N_ ("Prompt tokens"), FALSE, .note = "mean" },
  { "output_tokens", N_ ("Output tokens"), FALSE, .note = "mean" },
  { "stream_tail_ms", N_ ("End of the stream after the last text"), FALSE },
  { "cached_tokens", N_ ("Cached tokens"), FALSE, .note = "sum" },
  { "draft_acceptance_percent", N_ ("Accepted guesses"), FALSE, TRUE,
    .note = "of speculative decoding: tokens that the model kept, of those that a smaller one guessed" },
  { "decode_duration_ms", N_ ("Time of decoding"), FALSE,
    .note = "from the first to the last piece of a request" },
  { "user_tokens_per_sec", N_ ("Decode rate per user"), FALSE, TRUE,
    .note = "the decode rate that one of several simultaneous users gets" },
  { "broken_first_token_ms", N_ ("Time to first token of broken requests"), FALSE,
    .note = "of requests that broke off after their first text" },
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

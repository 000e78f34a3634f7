/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"
#include "dyno-unit.h"

/* If the server's and our time of its writing differ by more, one of them is wrong. The client itself adds less than
 * the second value, even on a busy machine (bench-server). */
#define MOST_APART_PERCENT 5
#define CLIENT_FLOOR_MS    0.5

#define OF_REQUESTS "median over requests, as the server told"
#define OF_ALL      "mean over requests, by the histograms that the server keeps of them"

/* A server's report of its own timings, beside those of its client: an independent check. */
G_DECLARE_FINAL_TYPE (DynoToldMetric, dyno_told_metric, DYNO, TOLD_METRIC, DynoMetric)

struct _DynoToldMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoToldMetric, dyno_told_metric, DYNO_TYPE_METRIC)

/* The counted requests. */
typedef struct
{
  gpointer *data;
  gsize n;
} Requests;

/* In ms, NaN if unknown. */
typedef struct
{
  double prompt, first, decode, token, queue, load;
  double own_first, own_decode, overhead;
  double prompt_rate; /* tokens/s */
  const char *source;
} Timings;

typedef double (*Measure) (const DynoServed *served);

static double
get_told_prompt (const DynoServed *served)
{
  return served->prompt_ms >= 0 ? served->prompt_ms : NAN;
}

static double
get_told_first (const DynoServed *served)
{
  return served->first_ms >= 0 ? served->first_ms : NAN;
}

static double
get_told_load (const DynoServed *served)
{
  return served->load_ms >= 0 ? served->load_ms : NAN;
}

/* The time of decoding is the time between the tokens. */
static double
get_told_token (const DynoServed *served)
{
  if (served->token_ms >= 0)
    return served->token_ms;
  return served->decode_ms >= 0 && served->output_tokens > 1
             ? served->decode_ms / (double)(served->output_tokens - 1)
             : NAN;
}

static double
get_told_decode (const DynoServed *served)
{
  if (served->output_tokens <= 1)
    return NAN;
  return served->decode_ms >= 0 ? served->decode_ms
                                : get_told_token (served) * (double)(served->output_tokens - 1);
}

/* Counts from when it was sent, because the server cannot know how long it had waited before. */
static double
get_own_first (const DynoServed *served)
{
  return (double)(dyno_served_get_first (served) - served->start_ns) / 1e6;
}

static double
get_own_decode (const DynoServed *served)
{
  return served->output_tokens > 1
             ? (double)(dyno_served_get_last (served) - dyno_served_get_first (served)) / 1e6
             : NAN;
}

static double
get_overhead (const DynoServed *served)
{
  return get_own_first (served) - get_told_prompt (served);
}

static double *
list_known (const Requests *requests, Measure measure, gsize *n)
{
  double *values = g_new (double, requests->n);

  *n = 0;
  for (gsize i = 0; i < requests->n; i++)
    {
      double value = measure (requests->data[i]);

      if (isfinite (value))
        values[(*n)++] = value;
    }
  return values;
}

static double
find_median (const Requests *requests, Measure measure)
{
  gsize n;
  g_autofree double *values = list_known (requests, measure, &n);

  dyno_stats_sort (values, n);
  return n > 0 ? dyno_stats_percentile (values, n, 50) : NAN;
}

static double
find_mean (const Requests *requests, Measure measure)
{
  gsize n;
  g_autofree double *values = list_known (requests, measure, &n);

  return n > 0 ? dyno_stats_mean (values, n) : NAN;
}

/* Returns the prompt tokens that were computed, instead of found in a cache, over the time for them, both over all
 * requests. */
static double
find_prompt_rate (const Requests *requests, Measure measure)
{
  double n_tokens = 0, milliseconds = 0;

  for (gsize i = 0; i < requests->n; i++)
    {
      const DynoServed *served = requests->data[i];
      double time = measure (served);

      if (served->prompt_tokens < 0 || !(time > 0))
        return NAN;
      n_tokens += (double)(served->prompt_tokens - MAX (served->cached_tokens, 0));
      milliseconds += time;
    }
  return 1e3 * n_tokens / milliseconds;
}

static double
get_prompt_tokens (const DynoServed *served)
{
  return served->prompt_tokens >= 0 ? (double)(served->prompt_tokens - MAX (served->cached_tokens, 0)) : NAN;
}

static Timings
read_account (const Requests *requests, const DynoServerAccount *account)
{
  double n = account->n_requests;
  double own_first = find_mean (requests, get_own_first);
  double n_after_first = account->n_tokens - n;

  return (Timings){
    .prompt = account->prompt_ms / n,
    .first = NAN,
    .decode = account->decode_ms / n,
    .token = n_after_first > 0 ? account->decode_ms / n_after_first : NAN,
    .load = NAN,
    .queue = account->queue_ms / n,
    .own_first = own_first,
    .own_decode = find_mean (requests, get_own_decode),
    .overhead = own_first - account->prompt_ms / n,
    .prompt_rate = 1e3 * find_mean (requests, get_prompt_tokens) * n / account->prompt_ms,
    .source = OF_ALL,
  };
}

/* Sums the server's totals of the stretches with the steady state, and counts our own requests in them. */
static gboolean
sum_up_accounts (DynoMeasurement *measurement, DynoServerAccount *sum, double *n_ours)
{
  gsize begin = 0;

  *sum = (DynoServerAccount){ .is_known = measurement->accounts != NULL && measurement->accounts->len > 0 };
  *n_ours = measurement->n_failed_requests;
  for (guint i = 0; sum->is_known && i < measurement->chunk_ends->len; i++)
    {
      gsize end = g_array_index (measurement->chunk_ends, gsize, i);

      if (begin < measurement->steady_end && end > measurement->steady_first)
        {
          const DynoServerAccount *account = &g_array_index (measurement->accounts, DynoServerAccount, i);

          dyno_server_account_add (sum, account);
          /* A sum that decreases belongs to a restarted server. */
          sum->is_known = account->is_known && account->n_requests >= 0 && account->n_tokens >= 0 &&
                          account->prompt_ms >= 0 && account->decode_ms >= 0 && account->queue_ms >= 0;
          *n_ours += (double)(end - begin) * measurement->steps_per_sample;
        }
      begin = end;
    }
  return sum->is_known && sum->n_requests > 0;
}

/* The server's totals cover a whole stretch, the counted requests under load only a part of it. */
static GPtrArray *
list_accounted (const DynoMeasurement *measurement, const Requests *requests)
{
  const DynoLoadPoint *point =
      measurement->load != NULL ? dyno_load_outcome_get_chosen (measurement->load) : NULL;
  GPtrArray *accounted = g_ptr_array_new ();

  for (gsize i = 0; point == NULL && i < requests->n; i++)
    g_ptr_array_add (accounted, requests->data[i]);
  for (guint i = 0; point != NULL && i < point->served->len; i++)
    if (((const DynoServed *)point->served->pdata[i])->failure == NULL)
      g_ptr_array_add (accounted, point->served->pdata[i]);
  return accounted;
}

static Timings
read_timings (DynoMeasurement *measurement, const Requests *requests)
{
  Timings timings = (Timings){
    .prompt = find_median (requests, get_told_prompt),
    .first = find_median (requests, get_told_first),
    .decode = find_median (requests, get_told_decode),
    .token = find_median (requests, get_told_token),
    .load = find_median (requests, get_told_load),
    .queue = NAN,
    .own_first = find_median (requests, get_own_first),
    .own_decode = find_median (requests, get_own_decode),
    .overhead = find_median (requests, get_overhead),
    .prompt_rate = find_prompt_rate (requests, get_told_prompt),
    .source = OF_REQUESTS,
  };
  DynoServerAccount account;
  double n_ours;

  if (isfinite (timings.prompt) || !sum_up_accounts (measurement, &account, &n_ours))
    return timings;
  if (account.n_requests <= n_ours)
    {
      g_autoptr (GPtrArray) accounted = list_accounted (measurement, requests);

      if (account.n_drafted > 0 && account.n_accepted >= 0 && account.n_accepted <= account.n_drafted)
        dyno_measurement_add_measured (measurement, "draft_acceptance_percent",
                                       100 * account.n_accepted / account.n_drafted, "%",
                                       "tokens that the model kept over those that a smaller one guessed, by "
                                       "the server's totals");
      return read_account (&(Requests){ accounted->pdata, accounted->len }, &account);
    }

  g_autofree char *message =
      g_strdup_printf (_ ("The server finished %.0f requests while %.0f were measured: others used it at the "
                          "same time. Measure again when nobody else does."),
                       account.n_requests, n_ours);

  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "server-shared", message);

  return timings;
}

static void
add_told (
    DynoMeasurement *measurement, const char *name, double number, const char *source, const char *reason)
{
  if (isfinite (number))
    dyno_measurement_add_settled (measurement, name, number, "ms", DYNO_QUALITY_MEASURED, source);
  else if (reason != NULL)
    dyno_measurement_add_unsupported (measurement, name, "ms", reason);
}

/* Without the server's report only the time to the first token is known, which includes more than the prompt. */
static void
add_prefill (DynoMeasurement *measurement, const Requests *requests, const Timings *timings)
{
  const char *reason = dyno_served_explain_unseen_first (requests->data, requests->n);
  double rate = find_prompt_rate (requests, get_own_first);

  if (isfinite (timings->prompt_rate))
    {
      dyno_measurement_add_settled (measurement, "prefill_tokens_per_sec", timings->prompt_rate, "tokens/s",
                                    DYNO_QUALITY_MEASURED,
                                    "tokens of the prompts over the time that the server told it read them");
      return;
    }
  if (reason == NULL)
    reason = dyno_measurement_explain_overload (measurement);
  if (reason == NULL && !isfinite (rate))
    reason = _ ("The server does not tell how many tokens a prompt has.");
  if (reason != NULL)
    dyno_measurement_add_unsupported (measurement, "prefill_tokens_per_sec", "tokens/s", reason);
  else
    dyno_measurement_add_settled (measurement, "prefill_tokens_per_sec", rate, "tokens/s",
                                  DYNO_QUALITY_ESTIMATED,
                                  "tokens of the prompts over the time to the first token, which also "
                                  "contains waiting, transport and the first token itself");
}

static void
disagree (DynoMeasurement *measurement, char *message)
{
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "server-disagrees", message);
  g_free (message);
}

static void
check (DynoMeasurement *measurement, const Requests *requests, const Timings *timings)
{
  g_autofree char *told_prompt = dyno_unit_format (timings->prompt, "ms");
  g_autofree char *told_first = dyno_unit_format (timings->first, "ms");
  g_autofree char *told_decode = dyno_unit_format (timings->decode, "ms");
  g_autofree char *own_first = dyno_unit_format (timings->own_first, "ms");
  g_autofree char *own_decode = dyno_unit_format (timings->own_decode, "ms");

  if (timings->overhead < -CLIENT_FLOOR_MS)
    disagree (measurement,
              g_strdup_printf (_ ("The server says that it read a prompt for %s, but its first token was "
                                  "there %s after the request: its account of the prompt cannot be right."),
                               told_prompt, own_first));
  if (timings->first > timings->own_first + CLIENT_FLOOR_MS)
    disagree (measurement,
              g_strdup_printf (_ ("The server says that its first token took %s, but it was there %s after "
                                  "the request: its account of it cannot be right."),
                               told_first, own_first));
  if (dyno_served_explain_unseen_between (requests->data, requests->n) == NULL &&
      fabs (timings->decode - timings->own_decode) >
          MAX (timings->own_decode * MOST_APART_PERCENT / 100, CLIENT_FLOOR_MS))
    disagree (measurement,
              g_strdup_printf (_ ("The server says that it wrote what follows the first token of an answer "
                                  "in %s, but that arrived within %s. Something between server and client "
                                  "holds text back, or the server counts other work."),
                               told_decode, own_decode));
}

static void
dyno_told_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  Requests requests;
  Timings timings;
  gsize first, end;

  if (measurement->served == NULL)
    return;
  first = dyno_measurement_find_served (measurement, &end);
  if (end == first)
    return;
  requests = (Requests){ measurement->served->pdata + first, end - first };
  timings = read_timings (measurement, &requests);

  const char *unseen = dyno_served_explain_unseen_first (requests.data, requests.n);

  add_told (measurement, "server_prompt_ms", timings.prompt, timings.source,
            _ ("The server does not tell how long it read the prompt."));
  add_told (measurement, "server_first_token_ms", timings.first, timings.source, NULL);
  add_told (measurement, "server_token_ms", timings.token, timings.source,
            _ ("The server does not tell how long it wrote."));
  add_told (measurement, "server_queue_ms", timings.queue, timings.source, NULL);
  add_told (measurement, "server_load_ms", timings.load, timings.source, NULL);
  if (unseen == NULL)
    add_told (measurement, "first_token_overhead_ms", timings.overhead,
              "time from sending a request to its first token, less what the server told it read the prompt: "
              "waiting, transport and everything else",
              NULL);
  add_prefill (measurement, &requests, &timings);
  if (unseen == NULL)
    check (measurement, &requests, &timings);
}

static const DynoMetricValue known_values[] = {
  { "server_prompt_ms", N_ ("Prompt time, as the server reports it"), FALSE },
  { "server_first_token_ms", N_ ("Time to first token, as the server reports it"), FALSE },
  { "server_token_ms", N_ ("Time per token, as the server reports it"), FALSE },
  { "server_queue_ms", N_ ("Waiting time, as the server reports it"), FALSE },
  { "server_load_ms", N_ ("Loading time, as the server reports it"), FALSE },
  { "first_token_overhead_ms", N_ ("Time to first token beyond the prompt"), FALSE,
    .note = "of the time from sending to the first token, the part that the server does not count as reading "
            "the prompt" },
  { NULL },
};

static void
dyno_told_metric_class_init (DynoToldMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "told";
  metric_class->values = known_values;
  metric_class->collect = dyno_told_metric_collect;
}

static void
dyno_told_metric_init (DynoToldMetric *self)
{
}

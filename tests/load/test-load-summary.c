/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-load.h"
#include "dyno-load-summary.h"
#include "suite.h"

#define MS      1000000
#define SERVICE (10 * MS)

/* When a server that stops for a second every twenty can go on. */
static gint64
skip_stall (gint64 time)
{
  gint64 since = (time + 10000 * (gint64)MS) % (20000 * (gint64)MS);

  return since < 1000 * MS ? time - since + 1000 * MS : time;
}

/* One server in the order of arrival, which takes 10 ms for each. */
static DynoRequests *
serve (const gint64 *arrivals, gsize n, gboolean stalls)
{
  DynoRequests *requests = dyno_requests_new (n);
  gint64 free_ns = 0;

  requests->length = n;
  for (gsize i = 0; i < n; i++)
    {
      gint64 start = MAX (free_ns, arrivals[i]);

      start = stalls ? skip_stall (start) : start;
      free_ns = start + SERVICE;
      requests->data[i] = (DynoRequest){ arrivals[i] + 1, arrivals[i] + 1, start + 1, free_ns + 1 };
    }
  return requests;
}

static DynoRequests *
serve_rate (gsize n, double rate, guint64 seed, gboolean stalls)
{
  g_autofree gint64 *arrivals = dyno_arrivals_draw (n, rate, seed);

  return serve (arrivals, n, stalls);
}

/* Those that were under way when the last answer came are left out together with the answered ones among them. */
static void
test_whole (void)
{
  const gint64 arrivals[] = { 0, 1000000, 2000000, 3000000, 4000000, 5000000 };
  g_autoptr (DynoRequests) requests = serve (arrivals, G_N_ELEMENTS (arrivals), FALSE);

  g_assert_cmpuint (dyno_requests_count_whole (requests), ==, 6);
  requests->data[5].finished_ns = 0;
  g_assert_cmpuint (dyno_requests_count_whole (requests), ==, 5);
  requests->data[1].has_failed = TRUE; /* turned away, while others were answered */
  g_assert_cmpuint (dyno_requests_count_whole (requests), ==, 5);
  requests->data[2].finished_ns = 0;
  g_assert_cmpuint (dyno_requests_count_whole (requests), ==, 2);
  requests->length = 0;
  g_assert_cmpuint (dyno_requests_count_whole (requests), ==, 0);
}

static DynoLoadSummary
sum_up (const char *text, DynoRequests *requests)
{
  g_autoptr (GError) error = NULL;
  DynoLoadSummary summary;
  DynoLoad load;

  g_assert_true (dyno_load_parse (text, &load, &error));
  g_assert_no_error (error);
  dyno_load_summary_make (&summary, &load, requests);
  return summary;
}

/* Coordinated omission: who would have come while the server stood still counts, too. */
static void
test_stalling_server (void)
{
  g_autoptr (DynoRequests) requests = serve_rate (12000, 60, 1, TRUE);
  DynoLoadSummary summary = sum_up ("rate=60/s", requests);

  g_assert_cmpfloat (summary.latency.p99, >=, 900);
  g_assert_cmpfloat (summary.latency.p50, <, 25);
  g_assert_cmpfloat (summary.service.p99, ==, 10);
  g_assert_cmpuint (summary.problems & DYNO_LOAD_OVERLOADED, ==, 0);
}

/* M/D/1 at 70 %: theory says a median of 17.4 ms and a 99th percentile of 75. */
static void
test_queueing_theory (void)
{
  double p50 = 0, p99 = 0;

  for (guint64 seed = 1; seed <= 5; seed++)
    {
      g_autoptr (DynoRequests) requests = serve_rate (10000, 70, seed, FALSE);
      DynoLoadSummary summary = sum_up ("rate=70/s", requests);

      p50 += summary.latency.p50 / 5;
      p99 += summary.latency.p99 / 5;
      g_assert_cmpuint (summary.problems, ==, 0);
      g_assert_cmpfloat (fabs (summary.little_percent), <, 2);
      g_assert_cmpfloat_with_epsilon (summary.answered_per_second, 70, 1.4);
    }
  g_assert_cmpfloat_with_epsilon (p50, 17.4, 0.6);
  g_assert_cmpfloat_with_epsilon (p99, 75, 7.5);
}

static guint
count_overloaded (double rate, guint n_trials)
{
  guint n = 0;

  for (guint64 seed = 0; seed < n_trials; seed++)
    {
      g_autoptr (DynoRequests) requests = serve_rate (1000, rate, seed, FALSE);
      DynoLoadSummary summary = sum_up ("rate=1/s", requests);

      n += (summary.problems & DYNO_LOAD_OVERLOADED) != 0;
    }
  return n;
}

/* Every rate above capacity is found out; below it, there is seldom an alarm. */
static void
test_overload (void)
{
  g_assert_cmpuint (count_overloaded (200, 100), ==, 100);
  g_assert_cmpuint (count_overloaded (110, 100), >=, 98);
  g_assert_cmpuint (count_overloaded (70, 200), <=, 10);
  g_assert_cmpuint (count_overloaded (30, 200), <=, 2);
}

/* For 200 ms nobody sends: the load is not forgotten, and the rate counts as not delivered. */
static void
test_starved_scheduler (void)
{
  g_autofree gint64 *arrivals = dyno_arrivals_draw (500, 50, 1);
  g_autofree gint64 *sent = g_memdup2 (arrivals, 500 * sizeof *arrivals);
  g_autoptr (DynoRequests) requests = NULL;
  DynoLoadSummary summary;

  for (guint i = 0; i < 500; i++)
    if (sent[i] > 5000 * (gint64)MS && sent[i] < 5200 * (gint64)MS)
      sent[i] = 5200 * (gint64)MS;
  requests = serve (sent, 500, FALSE);
  for (guint i = 0; i < 500; i++)
    requests->data[i].intended_ns = arrivals[i] + 1;
  summary = sum_up ("rate=50/s", requests);
  g_assert_cmpuint (summary.problems, ==, DYNO_LOAD_NOT_DELIVERED);
  g_assert_cmpfloat (summary.lateness_p99_us, >, 1000);
  g_assert_cmpfloat (summary.latency.p99, >, 150);
}

/* What is sent a moment after its time is sent in time, the last request of all as well, however few there are. */
static void
test_few_requests (void)
{
  static const gsize lengths[] = { 20, 21, 49, 50, 51 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (DynoRequests) requests = serve_rate (lengths[i], 5, 1, FALSE);
      DynoLoadSummary summary;

      for (gsize k = 0; k < requests->length; k++)
        requests->data[k].pushed_ns += 300;
      summary = sum_up ("rate=5/s", requests);
      g_assert_cmpuint (summary.problems, ==, 0);
      g_assert_cmpfloat_with_epsilon (summary.sent_per_second * dyno_load_summary_get_seconds (&summary),
                                      (double)summary.n, 1e-6);
    }
}

/* Two of fifty that are sent after the end are more than one in fifty. */
static void
test_not_sent (void)
{
  g_autoptr (DynoRequests) requests = serve_rate (50, 5, 1, FALSE);
  DynoLoadSummary summary;

  requests->data[48].pushed_ns = requests->data[49].pushed_ns = 0;
  summary = sum_up ("rate=5/s", requests);
  g_assert_cmpuint (summary.problems, ==, DYNO_LOAD_NOT_DELIVERED);
  g_assert_cmpfloat_with_epsilon (summary.sent_per_second * dyno_load_summary_get_seconds (&summary),
                                  (double)summary.n - 2, 1e-6);
}

/* Clients that send when their last answer came, to one server. */
static DynoRequests *
serve_closed (guint n_clients, gsize n)
{
  DynoRequests *requests = dyno_requests_new (n);
  g_autofree gint64 *ready = g_new0 (gint64, n_clients);
  gint64 free_ns = 0;

  requests->length = n;
  for (gsize i = 0; i < n; i++)
    {
      guint client = (guint)(i % n_clients);
      gint64 start = ready[client];

      free_ns = MAX (free_ns, start) + SERVICE;
      ready[client] = free_ns;
      requests->data[i] = (DynoRequest){ start + 1, start + 1, start + 1, free_ns + 1, client };
    }
  dyno_requests_sort (requests);
  return requests;
}

static void
test_little (void)
{
  for (guint n_clients = 1; n_clients <= 8; n_clients *= 2)
    {
      g_autofree char *text = g_strdup_printf ("concurrent=%u", n_clients);
      g_autoptr (DynoRequests) requests = serve_closed (n_clients, 2000);
      DynoLoadSummary summary = sum_up (text, requests);

      g_assert_cmpfloat_with_epsilon (summary.answered_per_second, 100, 1);
      g_assert_cmpfloat_with_epsilon (summary.latency_mean_ms, 10.0 * n_clients, 0.1 * n_clients);
      g_assert_cmpfloat (fabs (summary.little_percent), <, 2);
      g_assert_cmpuint (summary.problems, ==, 0);
      /* What the timestamps of half as many clients say of so many is wrong. */
      summary = sum_up ("concurrent=16", requests);
      g_assert_cmpuint (summary.problems, ==, DYNO_LOAD_NOT_LITTLE);
    }
}

/* Of requests that are sent together, all are under way until the last of them is done. */
static void
test_rounds (void)
{
  g_autoptr (DynoRequests) requests = serve_closed (1, 500);
  DynoLoadSummary summary = sum_up ("multi=4", requests);

  g_assert_cmpfloat_with_epsilon (summary.outstanding, 4, 0.01);
  g_assert_cmpfloat (fabs (summary.little_percent), <, 2);
}

static void
test_fairness (void)
{
  g_autoptr (DynoRequests) requests = serve_closed (4, 2000);
  g_autoptr (DynoRequests) alone = serve_closed (1, 100);
  DynoLoadSummary summary = sum_up ("concurrent=4", requests);

  g_assert_cmpfloat_with_epsilon (summary.fairness, 1, 0.001);
  for (gsize i = 0; i < requests->length; i++)
    requests->data[i].client %= 2;
  summary = sum_up ("concurrent=4", requests);
  g_assert_cmpfloat_with_epsilon (summary.fairness, 0.5, 0.001);
  summary = sum_up ("concurrent=1", alone);
  g_assert_true (isnan (summary.fairness));
  summary = sum_up ("rate=100/s clients=4", requests);
  g_assert_true (isnan (summary.fairness));
}

static void
test_limit (void)
{
  g_autoptr (DynoRequests) few = serve_closed (1, 400);
  g_autoptr (DynoRequests) enough = serve_closed (1, 600);
  DynoLoadSummary summary = sum_up ("concurrent=1 p99=20ms", few);

  g_assert_cmpuint (summary.problems, ==, DYNO_LOAD_TOO_FEW);
  g_assert_cmpuint (summary.n_missing, ==, 459 - summary.n);
  g_assert_true (isnan (summary.bound_ms));
  summary = sum_up ("concurrent=1 p99=20ms", enough);
  g_assert_cmpuint (summary.problems, ==, 0);
  g_assert_cmpuint (summary.n_missing, ==, 0);
  g_assert_cmpuint (summary.n_good, ==, summary.n);
  summary = sum_up ("concurrent=1 p99=5ms", enough);
  g_assert_cmpuint (summary.problems, ==, DYNO_LOAD_LIMIT_MISSED);
  g_assert_cmpuint (summary.n_good, ==, 0);
}

/* Five tokens each, the first after 2 ms, the others 2 ms apart. */
static void
add_tokens (DynoRequests *requests)
{
  for (gsize i = 0; i < requests->length; i++)
    {
      requests->data[i].first_ns = requests->data[i].started_ns + 2 * MS;
      requests->data[i].n_tokens = 5;
    }
}

static gsize
count_good (const char *text, DynoRequests *requests)
{
  DynoLoadSummary summary = sum_up (text, requests);

  g_assert_cmpuint (summary.n, ==, 570);
  return summary.n_good;
}

/* A request is good that keeps all limits. */
static void
test_token_limits (void)
{
  g_autoptr (DynoRequests) requests = serve_closed (1, 600);

  add_tokens (requests);
  g_assert_cmpfloat (dyno_request_get_first_token (&requests->data[0]), ==, 2);
  g_assert_cmpfloat (dyno_request_get_inter_token (&requests->data[0]), ==, 2);
  g_assert_cmpuint (count_good ("concurrent=1 first-token-p99=3ms", requests), ==, 570);
  g_assert_cmpuint (count_good ("concurrent=1 first-token-p99=1ms", requests), ==, 0);
  g_assert_cmpuint (count_good ("concurrent=1 inter-token-p99=1ms", requests), ==, 0);
  g_assert_cmpuint (count_good ("concurrent=1 p99=9ms first-token-p99=3ms", requests), ==, 0);
  requests->data[590].first_ns += 4 * MS;
  g_assert_cmpuint (count_good ("concurrent=1 first-token-p99=3ms inter-token-p99=3ms", requests), ==, 569);
  requests->data[591].n_tokens = 1;
  g_assert_true (isnan (dyno_request_get_inter_token (&requests->data[591])));
  g_assert_cmpuint (count_good ("concurrent=1 inter-token-p99=1ms", requests), ==, 2);
}

/* Who waits in a queue waits for the first token, too. */
static void
test_first_token_waits (void)
{
  g_autoptr (DynoRequests) requests = serve_rate (12000, 60, 1, TRUE);
  DynoLoadSummary summary;

  add_tokens (requests);
  summary = sum_up ("rate=60/s first-token-p99=500ms", requests);
  g_assert_cmpuint (summary.problems & DYNO_LOAD_LIMIT_MISSED, ==, DYNO_LOAD_LIMIT_MISSED);
  summary = sum_up ("rate=60/s inter-token-p99=3ms", requests);
  g_assert_cmpuint (summary.problems & DYNO_LOAD_LIMIT_MISSED, ==, 0);
  g_assert_cmpuint (summary.n_good, ==, summary.n);
}

/* What was never answered is under way to the end, and not good. */
static void
test_unanswered (void)
{
  g_autoptr (DynoRequests) requests = serve_rate (1000, 100, 1, FALSE);
  DynoLoadSummary summary;

  for (guint i = 500; i < 1000; i++)
    requests->data[i].started_ns = requests->data[i].finished_ns = 0;
  summary = sum_up ("rate=100/s p90=1s", requests);
  g_assert_cmpuint (summary.problems & DYNO_LOAD_OVERLOADED, ==, DYNO_LOAD_OVERLOADED);
  g_assert_cmpuint (summary.n - summary.n_good, ==, 500);
}

/* What was turned away is over, but has no latency and is no good. */
static void
test_failed (void)
{
  g_autoptr (DynoRequests) requests = serve_rate (1000, 50, 1, FALSE);
  DynoLoadSummary whole = sum_up ("rate=50/s p90=1s", requests);
  DynoLoadSummary summary;

  for (guint i = 1; i < 1000; i += 2)
    requests->data[i].has_failed = TRUE;
  summary = sum_up ("rate=50/s p90=1s", requests);
  g_assert_cmpuint (summary.problems & DYNO_LOAD_OVERLOADED, ==, 0);
  g_assert_cmpuint (summary.n, ==, whole.n);
  g_assert_cmpuint (summary.n_good, >, 0);
  g_assert_cmpuint (summary.n_good, <=, summary.n / 2 + 1);
  g_assert_cmpfloat_with_epsilon (summary.answered_per_second, whole.answered_per_second / 2, 0.5);
}

/* When a request is sent is known of those that fail, too. */
static void
test_all_failed (void)
{
  g_autoptr (DynoRequests) requests = serve_rate (100, 5, 1, FALSE);
  DynoLoadSummary summary;

  for (guint i = 0; i < 100; i++)
    requests->data[i].has_failed = TRUE;
  summary = sum_up ("rate=5/s p90=1s", requests);
  g_assert_cmpfloat (summary.lateness_p99_us, ==, 0);
  g_assert_cmpfloat (summary.answered_per_second, ==, 0);
  g_assert_cmpfloat (summary.good_per_second, ==, 0);
  g_assert_cmpuint (summary.problems, ==, DYNO_LOAD_LIMIT_MISSED);
}

/* Good requests have one basis with those that were sent: where all are good, both rates are the same, although what is
 * answered in the window is not what was sent in it. */
static void
test_goodput (void)
{
  g_autoptr (DynoRequests) borne = serve_rate (300, 60, 1, FALSE);
  g_autoptr (DynoRequests) overloaded = serve_rate (300, 200, 1, FALSE);
  DynoLoadSummary summary = sum_up ("rate=60/s p90=10s", borne);

  g_assert_cmpuint (summary.n_good, ==, summary.n);
  g_assert_cmpfloat (summary.good_per_second, ==, summary.sent_per_second);
  summary = sum_up ("rate=200/s p90=1s", overloaded);
  g_assert_cmpuint (summary.n_good, >, 0);
  g_assert_cmpuint (summary.n_good, <, summary.n);
  g_assert_cmpfloat_with_epsilon (summary.good_per_second * dyno_load_summary_get_seconds (&summary),
                                  (double)summary.n_good, 1e-6);
  summary = sum_up ("rate=200/s", overloaded);
  g_assert_cmpfloat (summary.good_per_second, ==, summary.answered_per_second);
}

static void
test_offline (void)
{
  g_autofree gint64 *together = g_new0 (gint64, 100);
  g_autoptr (DynoRequests) requests = serve (together, 100, FALSE);
  DynoLoadSummary summary = sum_up ("offline", requests);

  g_assert_cmpfloat_with_epsilon (summary.answered_per_second, 100, 1e-6);
  g_assert_cmpuint (summary.n, ==, 100);
  g_assert_cmpuint (summary.problems, ==, 0);
}

static const SuiteTest tests[] = {
  { "/load-summary/stalling-server", test_stalling_server },
  { "/load-summary/queueing-theory", test_queueing_theory },
  { "/load-summary/overload", test_overload },
  { "/load-summary/starved-scheduler", test_starved_scheduler },
  { "/load-summary/few-requests", test_few_requests },
  { "/load-summary/not-sent", test_not_sent },
  { "/load-summary/little", test_little },
  { "/load-summary/rounds", test_rounds },
  { "/load-summary/fairness", test_fairness },
  { "/load-summary/limit", test_limit },
  { "/load-summary/token-limits", test_token_limits },
  { "/load-summary/first-token-waits", test_first_token_waits },
  { "/load-summary/unanswered", test_unanswered },
  { "/load-summary/failed", test_failed },
  { "/load-summary/all-failed", test_all_failed },
  { "/load-summary/goodput", test_goodput },
  { "/load-summary/offline", test_offline },
  { "/load-summary/whole", test_whole },
};

SUITE_TESTS (tests)

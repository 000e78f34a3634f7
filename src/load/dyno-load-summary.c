/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-load-summary.h"
#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "dyno-time-series.h"

/* The run is divided into this many equal slices; the load builds up in the first few of these. */
#define N_SLICES   20
#define MOST_RAMP  5
#define LEAST_RAMP 1

/* The significance of a growing queue, and its least growth in requests from the first quarter to the last.
 **/
#define TREND_RISK  0.01
#define LEAST_GROWN 1.0

/* If the queue has no trend, a larger backlog at the end shows overload. */
#define BACKLOG_FACTOR 2.0
#define LEAST_BACKLOG  10.0

#define DELIVERED_SHARE 0.98
#define LATE_US         100.0
#define LATE_SHARE      0.01

/* Little's law holds over long windows: at the edges a request of each client is cut off. */
#define LITTLE_PERCENT             2.0
#define LITTLE_REQUESTS_PER_CLIENT 100

typedef double (*Measure) (const DynoRequest *request);

static double
get_queue (const DynoRequest *request)
{
  return (double)(request->started_ns - request->intended_ns) / 1e6;
}

static double
get_service (const DynoRequest *request)
{
  return (double)(request->finished_ns - request->started_ns) / 1e6;
}

static double
get_lateness (const DynoRequest *request)
{
  return (double)(request->pushed_ns - request->intended_ns) / 1e6;
}

static gboolean
is_sent (const DynoRequest *request)
{
  return request->pushed_ns > 0;
}

/* Returns the known measures of the requests that count, sorted. */
static double *
list_sorted (const DynoLoadSummary *self, const DynoRequests *requests, Measure measure, gsize *n)
{
  gboolean (*is_known) (const DynoRequest *) = measure == get_lateness ? is_sent : dyno_request_is_answered;
  double *values = g_new (double, MAX (self->n, 1));

  *n = 0;
  for (gsize i = 0; i < self->n; i++)
    if (is_known (&requests->data[self->first + i]))
      values[(*n)++] = measure (&requests->data[self->first + i]);
  dyno_stats_sort (values, *n);
  return values;
}

static DynoLoadPercentiles
find_percentiles (const DynoLoadSummary *self, const DynoRequests *requests, Measure measure)
{
  gsize n;
  g_autofree double *values = list_sorted (self, requests, measure, &n);

  if (n == 0)
    return (DynoLoadPercentiles){ NAN, NAN, NAN };
  return (DynoLoadPercentiles){ dyno_stats_percentile (values, n, 50), dyno_stats_percentile (values, n, 90),
                                dyno_stats_percentile (values, n, 99) };
}

/* The first slice is always dropped: the machine was idle before it. */
static guint
find_ramp (const double slices[N_SLICES])
{
  gsize start;

  for (guint i = LEAST_RAMP; i <= MOST_RAMP; i++)
    if (dyno_stats_classify_steadiness (slices + i, N_SLICES - i, &start) == DYNO_STEADINESS_FLAT)
      return i;
  return LEAST_RAMP;
}

static void
find_window (DynoLoadSummary *self, const DynoRequests *requests, const double slices[N_SLICES])
{
  gint64 begin = requests->data[0].intended_ns;
  gint64 end = requests->data[requests->length - 1].intended_ns;

  self->from_ns = begin + (end - begin) * find_ramp (slices) / N_SLICES;
  self->to_ns = end;
  while (self->first + 1 < requests->length && requests->data[self->first].intended_ns < self->from_ns)
    self->first++;
  self->n = requests->length - self->first;
}

/* Returns how late a request may be sent, in ms; an unknown median is ignored. */
static double
get_latest (const DynoLoadSummary *self)
{
  return fmax (LATE_US / 1e3, LATE_SHARE * self->latency.p50);
}

/* Counts the requests that were intended for the window and sent by its end. The window ends at the
 * intended time of the last request, which is always sent a little later, so the tolerance for lateness is
 * added. */
static gsize
count_sent (const DynoLoadSummary *self, const DynoRequests *requests)
{
  gint64 end = self->to_ns + (gint64)(get_latest (self) * 1e6);
  gsize n = 0;

  for (gsize i = self->first; i < requests->length; i++)
    n += is_sent (&requests->data[i]) && requests->data[i].pushed_ns <= end;
  return n;
}

static double
average (const double *values, guint n)
{
  return dyno_stats_mean (values, n);
}

static gboolean
is_overloaded (const DynoLoadSummary *self,
               const DynoLoad *load,
               const DynoRequests *requests,
               const double slices[N_SLICES])
{
  double backlog = (double)dyno_requests_count_at (requests, self->to_ns);

  /* A growth of less than one request does not matter, even if it is significant. */
  const guint quarter = N_SLICES / 4;
  double grown = average (slices + N_SLICES - quarter, quarter) - average (slices, quarter);

  return (grown > LEAST_GROWN && dyno_stats_trend_probability (slices, N_SLICES) < TREND_RISK) ||
         (backlog > BACKLOG_FACTOR * self->outstanding && backlog > LEAST_BACKLOG + load->clients);
}

/* Returns whether nearly all intended requests were sent, and in time. */
static gboolean
is_delivered (const DynoLoadSummary *self, const DynoRequests *requests)
{
  double share = (double)count_sent (self, requests) / (double)MAX (self->n, 1);

  return share >= DELIVERED_SHARE && self->lateness_p99_us <= 1e3 * get_latest (self);
}

/* A request without a second token meets every limit on the time between tokens. */
static gboolean
is_good (const DynoLoad *load, const DynoRequest *request)
{
  static const Measure measures[] = {
    [DYNO_LOAD_LIMIT_LATENCY] = dyno_request_get_latency,
    [DYNO_LOAD_LIMIT_FIRST_TOKEN] = dyno_request_get_first_token,
    [DYNO_LOAD_LIMIT_INTER_TOKEN] = dyno_request_get_inter_token,
  };

  if (request->has_failed)
    return FALSE;
  if (load->limit_percent > 0 && request->finished_ns == 0)
    return FALSE;
  for (guint i = 0; i < DYNO_LOAD_N_LIMITS; i++)
    if (load->limits_ms[i] > 0 && measures[i](request) > load->limits_ms[i])
      return FALSE;
  return TRUE;
}

/* Judges by early stopping: the number over the limit, of all that count. */
static void
judge_limit (DynoLoadSummary *self, const DynoLoad *load, const DynoRequests *requests)
{
  double seconds = dyno_load_summary_get_seconds (self);
  gsize n_needed, n_over;

  for (gsize i = self->first; i < requests->length; i++)
    self->n_good += is_good (load, &requests->data[i]);
  self->good_per_second = self->answered_per_second;
  if (load->limit_percent <= 0)
    return;
  self->good_per_second = seconds > 0 ? (double)self->n_good / seconds : 0;
  n_over = self->n - self->n_good;
  n_needed = dyno_stats_early_stopping_size (load->limit_percent, n_over);
  if (self->n >= n_needed)
    return;
  if ((double)n_over > (double)self->n * (1 - load->limit_percent / 100))
    {
      self->problems |= DYNO_LOAD_LIMIT_MISSED;
      return;
    }
  self->n_missing = n_needed - self->n;
  self->problems |= DYNO_LOAD_TOO_FEW;
}

static double
find_fairness (const DynoLoadSummary *self, const DynoLoad *load, const DynoRequests *requests)
{
  g_autofree double *n_answers = g_new0 (double, load->clients);
  double sum = 0, squares = 0;

  if (load->shape != DYNO_LOAD_CONCURRENT || load->clients < 2)
    return NAN;
  for (gsize i = self->first; i < requests->length; i++)
    if (dyno_request_is_answered (&requests->data[i]) && requests->data[i].client < load->clients)
      n_answers[requests->data[i].client]++;
  for (guint i = 0; i < load->clients; i++)
    {
      sum += n_answers[i];
      squares += n_answers[i] * n_answers[i];
    }
  return sum * sum / (load->clients * squares);
}

/* Requests that are sent together are recorded as one. */
static double
count_each (const DynoLoad *load)
{
  return load->shape == DYNO_LOAD_MULTI ? load->clients : 1;
}

static void
describe_latency (DynoLoadSummary *self, const DynoLoad *load, const DynoRequests *requests)
{
  gsize n;
  g_autofree double *latencies = list_sorted (self, requests, dyno_request_get_latency, &n);

  self->latency = find_percentiles (self, requests, dyno_request_get_latency);
  self->queue = find_percentiles (self, requests, get_queue);
  self->service = find_percentiles (self, requests, get_service);
  self->lateness_p99_us = find_percentiles (self, requests, get_lateness).p99 * 1000;
  self->latency_mean_ms = n > 0 ? dyno_stats_mean (latencies, n) : NAN;
  self->bound_ms =
      dyno_stats_percentile_bound (latencies, n, load->limit_percent > 0 ? load->limit_percent : 99);
}

static void
describe_rates (DynoLoadSummary *self, const DynoLoad *load, const DynoRequests *requests)
{
  double seconds = dyno_load_summary_get_seconds (self);

  if (seconds <= 0)
    return;
  self->sent_per_second = (double)count_sent (self, requests) / seconds;

  gsize n = 0;

  for (gsize i = 0; i < requests->length; i++)
    n += dyno_request_is_answered (&requests->data[i]) && requests->data[i].finished_ns > self->from_ns &&
         requests->data[i].finished_ns <= self->to_ns;
  self->answered_per_second = (double)n / seconds;
  self->outstanding =
      count_each (load) * dyno_requests_count_outstanding (requests, self->from_ns, self->to_ns);
}

void
dyno_load_summary_make (DynoLoadSummary *self, const DynoLoad *load, const DynoRequests *requests)
{
  double slices[N_SLICES];

  g_return_if_fail (requests->length >= 2);

  *self = (DynoLoadSummary){ .fairness = NAN };
  if (load->shape == DYNO_LOAD_OFFLINE)
    {
      self->n = requests->length;
      self->from_ns = requests->data[0].intended_ns;
      for (gsize i = 0; i < requests->length; i++)
        self->to_ns = MAX (self->to_ns, requests->data[i].finished_ns);
      describe_latency (self, load, requests);
      describe_rates (self, load, requests);
      judge_limit (self, load, requests);
      return;
    }

  /* The time in which requests are sent is cut into equal slices. */
  gint64 begin = requests->data[0].intended_ns;
  double length = (double)(requests->data[requests->length - 1].intended_ns - begin);
  for (guint i = 0; i < N_SLICES; i++)
    slices[i] = dyno_requests_count_outstanding (requests, begin + (gint64)(length * i / N_SLICES),
                                                 begin + (gint64)(length * (i + 1) / N_SLICES));
  find_window (self, requests, slices);
  describe_latency (self, load, requests);
  describe_rates (self, load, requests);
  judge_limit (self, load, requests);

  double under_way = load->shape == DYNO_LOAD_CONCURRENT ? load->clients : self->outstanding;
  double answered = self->answered_per_second * count_each (load);
  self->little_percent = 100 * (answered * self->latency_mean_ms / 1000 / under_way - 1);
  if (load->shape == DYNO_LOAD_CONCURRENT && fabs (self->little_percent) > LITTLE_PERCENT &&
      self->n >= (gsize)LITTLE_REQUESTS_PER_CLIENT * load->clients)
    self->problems |= DYNO_LOAD_NOT_LITTLE;
  self->fairness = find_fairness (self, load, requests);
  if (load->shape == DYNO_LOAD_RATE && is_overloaded (self, load, requests, slices))
    self->problems |= DYNO_LOAD_OVERLOADED;
  if (load->shape == DYNO_LOAD_RATE && !is_delivered (self, requests))
    self->problems |= DYNO_LOAD_NOT_DELIVERED;
}

double
dyno_load_summary_get_seconds (const DynoLoadSummary *self)
{
  return (double)(self->to_ns - self->from_ns) / 1e9;
}

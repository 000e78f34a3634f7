/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"
#include "dyno-unit.h"

/* The outcome of requests under load: how many were answered within the limit, and how long they waited and were
 * served. */
G_DECLARE_FINAL_TYPE (DynoRequestsMetric, dyno_requests_metric, DYNO, REQUESTS_METRIC, DynoMetric)

#define INTENDED "from the intended time of each request; whole window, by arrival"

struct _DynoRequestsMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoRequestsMetric, dyno_requests_metric, DYNO_TYPE_METRIC)

static void
add (DynoMeasurement *measurement, const char *name, double number, const char *unit, const char *source)
{
  if (isfinite (number))
    dyno_measurement_add_measured (measurement, name, number, unit, source);
}

static gboolean
has_limit (DynoMeasurement *measurement)
{
  return measurement->load->load.limit_percent > 0;
}

/* Returns why it is unknown which requests were within the limits. */
static const char *
explain_unjudged (DynoMeasurement *measurement)
{
  const double *limits = measurement->load->load.limits_ms;
  const GPtrArray *served = measurement->served;

  if (served == NULL || served->len == 0)
    return NULL;
  if (limits[DYNO_LOAD_LIMIT_INTER_TOKEN] > 0)
    return dyno_served_explain_unseen_between (served->pdata, served->len);
  if (limits[DYNO_LOAD_LIMIT_FIRST_TOKEN] > 0)
    return dyno_served_explain_unseen_first (served->pdata, served->len);
  return NULL;
}

static void
add_goodput (DynoMeasurement *measurement, const DynoLoadSummary *summary, double items)
{
  const char *reason = explain_unjudged (measurement);
  double share = (double)summary->n_good / (double)MAX (summary->n, 1);

  if (!has_limit (measurement))
    return;
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "goodput_items_per_sec", "1/s", reason);
      dyno_measurement_add_unsupported (measurement, "goodput_percent", "%", reason);
      return;
    }
  add (measurement, "goodput_items_per_sec", summary->good_per_second * items, "1/s",
       "items of requests sent in the window and answered within the limits, divided by its length");
  add (measurement, "goodput_percent", 100 * share, "%", "requests that were answered within the limits");
}

static void
add_rates (DynoMeasurement *measurement, const DynoLoadPoint *point)
{
  const DynoLoadSummary *summary = &point->summary;

  add (measurement, "load_clients", point->n_clients, "",
       "clients that send requests, or that process arriving ones");
  if (point->rate <= 0)
    return;
  add (measurement, "load_rate_asked", point->rate, "1/s", "requests to be sent in a second");
  add (measurement, "load_rate_delivered", summary->sent_per_second, "1/s",
       "requests sent in the window, divided by its length");
  add (measurement, "lateness_p99_us", summary->lateness_p99_us, "µs",
       "99th percentile of how late requests were sent");
}

static void
add_offline (DynoMeasurement *measurement, const DynoLoadPoint *point)
{
  double seconds = dyno_load_summary_get_seconds (&point->summary);
  double all = point->n_clients * seconds;
  double busy = 0;

  if (point->shape != DYNO_LOAD_OFFLINE)
    return;
  for (gsize i = 0; i < point->requests->length; i++)
    if (point->requests->data[i].finished_ns > 0)
      busy += (double)(point->requests->data[i].finished_ns - point->requests->data[i].started_ns) / 1e9;
  add (measurement, "last_answer_ms", seconds * 1e3, "ms",
       "from when all requests were there until the last was answered");
  add (measurement, "client_idle_percent", all > 0 ? 100 * MAX (1 - busy / all, 0) : NAN, "%",
       "share of the time of all clients in which they had no request");
}

static void
add_waiting (DynoMeasurement *measurement, const DynoLoadSummary *summary)
{
  if (dyno_measurement_is_overloaded (measurement))
    return;
  add (measurement, "queue_p50_ms", summary->queue.p50, "ms", "median time until a client began, " INTENDED);
  add (measurement, "queue_p99_ms", summary->queue.p99, "ms",
       "99th percentile of the time until a client began, " INTENDED);
  add (measurement, "service_p50_ms", summary->service.p50, "ms",
       "median time from when a client began to the answer");
  add (measurement, "latency_p99_bound_ms", summary->bound_ms, "ms",
       "upper bound of the percentile with 99 % confidence (early stopping), if requests were "
       "independent; "
       "latency_effective_samples says how many are");
}

static void
add_search (DynoMeasurement *measurement, double items)
{
  const DynoLoadOutcome *load = measurement->load;

  if (load->capacity <= 0 && load->is_broken_off)
    dyno_measurement_add_unsupported (measurement, "capacity_items_per_sec", "1/s",
                                      _ ("The search for the capacity broke off before it was known."));
  if (load->capacity <= 0)
    return;
  add (measurement, "capacity_items_per_sec", load->capacity * items, "1/s",
       "highest throughput of a closed loop, of all numbers of clients that were tried");
  add (measurement, "knee_clients", load->knee, "", "fewest clients that reach the capacity within 3 %");

  const char *reason = load->is_broken_off
                           ? _ ("The search for the highest rate broke off before it was known.")
                           : explain_unjudged (measurement);

  if (reason == NULL && load->best_rate > 0)
    {
      add (measurement, "load_rate_best", load->best_rate, "1/s",
           has_limit (measurement) ? "highest rate that was delivered and stayed within the limits"
                                   : "highest rate that was delivered");
      return;
    }
  if (reason == NULL)
    reason = has_limit (measurement) ? _ ("No rate was delivered and stayed within the limit.")
                                     : _ ("No rate was delivered.");
  dyno_measurement_add_unsupported (measurement, "load_rate_best", "1/s", reason);
}

static void
add_request_trace (DynoMeasurement *measurement,
                   const DynoLoadPoint *point,
                   const char *name,
                   const char *unit,
                   double (*get) (const DynoRequest *))
{
  DynoTrace *trace = dyno_trace_new (name, unit, measurement->origin_ns);

  dyno_trace_reserve (trace, point->requests->length);
  for (gsize i = 0; i < point->requests->length; i++)
    if (dyno_request_is_answered (&point->requests->data[i]))
      dyno_trace_add (trace, point->requests->data[i].intended_ns - measurement->origin_ns,
                      get (&point->requests->data[i]));
  dyno_measurement_take_trace (measurement, trace);
}

static double
get_queue (const DynoRequest *request)
{
  return (double)(request->started_ns - request->intended_ns) / 1e6;
}

static double
get_lateness (const DynoRequest *request)
{
  return (double)(request->pushed_ns - request->intended_ns) / 1e3;
}

/* Adds one number of each stretch as a trace, at the times at which the stretches began. */
static void
add_point_trace (DynoMeasurement *measurement,
                 const char *name,
                 const char *unit,
                 double (*get) (const DynoLoadPoint *, const DynoLoadOutcome *))
{
  DynoTrace *trace = dyno_trace_new (name, unit, measurement->origin_ns);

  for (guint i = 0; i < measurement->load->points->len; i++)
    {
      const DynoLoadPoint *point = &g_array_index (measurement->load->points, DynoLoadPoint, i);

      dyno_trace_add (trace, point->requests->data[0].intended_ns - measurement->origin_ns,
                      get (point, measurement->load));
    }
  dyno_measurement_take_trace (measurement, trace);
}

static double
get_rate (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->rate;
}

static double
get_clients (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->n_clients;
}

static double
get_answered (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->summary.answered_per_second;
}

static double
get_good (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->summary.good_per_second;
}

static double
get_requests (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return (double)point->summary.n;
}

static double
get_p50 (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->summary.latency.p50;
}

static double
get_p90 (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->summary.latency.p90;
}

static double
get_p99 (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->summary.latency.p99;
}

static double
get_problems (const DynoLoadPoint *point, const DynoLoadOutcome *load)
{
  return point->summary.problems;
}

static void
report (DynoMeasurement *measurement, DynoSeverity severity, const char *code, char *message)
{
  dyno_measurement_add_diagnostic (measurement, severity, code, message);
  g_free (message);
}

static void
report_delivery (DynoMeasurement *measurement, const DynoLoadPoint *point)
{
  const DynoLoadSummary *summary = &point->summary;
  g_autofree char *asked = dyno_unit_format_significant (point->rate);
  g_autofree char *sent = dyno_unit_format_significant (summary->sent_per_second);
  g_autofree char *answered = dyno_unit_format_significant (summary->answered_per_second);
  g_autofree char *late = dyno_unit_format (summary->lateness_p99_us / 1e3, "ms");

  if (summary->problems & DYNO_LOAD_NOT_DELIVERED)
    report (measurement, DYNO_SEVERITY_WARNING, "rate-not-delivered",
            g_strdup_printf (_ ("%s requests per second were requested and %s were sent, the latest 1 %% of "
                                "them at least %s late: the machine is too busy to keep the rate. Close "
                                "other programs, or use fewer threads to leave a core free."),
                             asked, sent, late));
  if (summary->problems & DYNO_LOAD_OVERLOADED)
    report (measurement, DYNO_SEVERITY_WARNING, "overloaded",
            g_strdup_printf (_ ("%s requests per second arrived and %s were answered, so the queue grew "
                                "throughout. Choose a lower rate."),
                             asked, answered));
  if (summary->problems & DYNO_LOAD_NOT_LITTLE)
    report (
        measurement, DYNO_SEVERITY_WARNING, "not-little",
        g_strdup_printf (_ ("Throughput × latency differs by %+.2g %% from the number of requests in flight. "
                            "By Little’s law they are equal, so the times of the requests are not reliable."),
                         summary->little_percent));
}

static void
report_limit (DynoMeasurement *measurement, const DynoLoadSummary *summary)
{
  if (explain_unjudged (measurement) != NULL)
    return;
  if (summary->problems & DYNO_LOAD_LIMIT_MISSED)
    report (measurement, DYNO_SEVERITY_INFO, "limit-missed",
            g_strdup_printf (_ ("The limit is missed: %zu of %zu requests were not answered within it."),
                             summary->n - summary->n_good, summary->n));
  else if (summary->problems & DYNO_LOAD_TOO_FEW)
    report (
        measurement, DYNO_SEVERITY_INFO, "too-few",
        g_strdup_printf (
            ngettext (
                "It takes at least %zu more request within the limit to show that it is met. Measure longer.",
                "It takes at least %zu more requests within the limit to show that it is "
                "met. Measure longer.",
                summary->n_missing),
            summary->n_missing));
}

static void
dyno_requests_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  double items = dyno_measurement_get_items_per_step (measurement);
  const DynoLoadPoint *point;

  if (measurement->load == NULL)
    return;
  point = dyno_load_outcome_get_chosen (measurement->load);
  add_rates (measurement, point);
  add_goodput (measurement, &point->summary, items);
  add_waiting (measurement, &point->summary);
  add (measurement, "load_outstanding", point->summary.outstanding, "", "requests in flight, on average");
  add (measurement, "client_fairness", point->summary.fairness, "",
       "Jain’s index of the requests answered per client: 1 where all got as many, 1 over the number of "
       "clients where one got all");
  add_offline (measurement, point);
  add_search (measurement, items);
  if (point->shape == DYNO_LOAD_RATE || point->shape == DYNO_LOAD_OFFLINE)
    add_request_trace (measurement, point, "queue", "ms", get_queue);
  if (point->shape == DYNO_LOAD_RATE)
    add_request_trace (measurement, point, "lateness", "µs", get_lateness);

  add_point_trace (measurement, "load_rate", "1/s", get_rate);
  add_point_trace (measurement, "load_clients", "", get_clients);
  add_point_trace (measurement, "load_answered", "1/s", get_answered);
  if (explain_unjudged (measurement) == NULL)
    add_point_trace (measurement, "load_good", "1/s", get_good);
  add_point_trace (measurement, "load_requests", "", get_requests);
  add_point_trace (measurement, "load_p50", "ms", get_p50);
  add_point_trace (measurement, "load_p90", "ms", get_p90);
  add_point_trace (measurement, "load_p99", "ms", get_p99);
  add_point_trace (measurement, "load_problems", "", get_problems);

  report_delivery (measurement, point);
  report_limit (measurement, &point->summary);
}

static const DynoMetricValue known_values[] = {
  { "load_clients", N_ ("Clients"), FALSE },
  { "load_rate_asked", N_ ("Requested rate"), TRUE },
  { "load_rate_delivered", N_ ("Rate delivered"), TRUE },
  { "load_rate_best", N_ ("Highest rate within the limit"), TRUE, TRUE,
    .note = "the highest rate that was delivered and sustained within the limit" },
  { "load_outstanding", N_ ("Requests in flight"), FALSE, .note = "requests under way" },
  { "client_fairness", N_ ("Fairness among clients"), FALSE, .note = "Jain’s index" },
  { "last_answer_ms", N_ ("Time until the last answer"), FALSE,
    .note = "of an offline load: since all requests were there" },
  { "client_idle_percent", N_ ("Idle share of the clients"), FALSE,
    .note = "of an offline load: of the time of all clients" },
  { "lateness_p99_us", N_ ("99th percentile of lateness"), FALSE, .note = "of sending" },
  { "goodput_items_per_sec", N_ ("Goodput"), TRUE, TRUE },
  { "goodput_percent", N_ ("Requests within the limit"), TRUE, TRUE,
    .note = "within all limits: latency, time to the first token, mean time between tokens" },
  { "queue_p50_ms", N_ ("Median time in the queue"), TRUE },
  { "queue_p99_ms", N_ ("99th percentile of the time in the queue"), TRUE },
  { "service_p50_ms", N_ ("Median time of service"), TRUE },
  { "latency_p99_bound_ms", N_ ("Bound of the 99th percentile of latency"), FALSE,
    .note = "early stopping, of the limited percentile" },
  { "capacity_items_per_sec", N_ ("Capacity"), TRUE, TRUE },
  { "knee_clients", N_ ("Clients at capacity"), FALSE },
  { NULL },
};

static void
dyno_requests_metric_class_init (DynoRequestsMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "requests";
  metric_class->values = known_values;
  metric_class->collect = dyno_requests_metric_collect;
}

static void
dyno_requests_metric_init (DynoRequestsMetric *self)
{
}

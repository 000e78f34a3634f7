/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-capacity.h"
#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-load.h"
#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "dyno-unit.h"
#include "dyno-worker-private.h"

#define NS_PER_SECOND 1e9

#define MAX_REQUESTS     2000000
#define WARM_UP_REQUESTS 20000
#define LEAST_REQUESTS   20
#define OFFLINE_REQUESTS 24

/* More requests than the percentile needs, for those that come while the load builds up. */
#define RAMP_FACTOR 1.4

/* The most by which a service may become faster under load. */
#define SPEED_UP 4

/* The rate that the case reports if no limit chooses one, as a share of the capacity. */
#define USUAL_SHARE 0.7

/* A service counts as steady if its rate at the beginning and at the end differs by less. */
#define DRIFT_PERCENT 5

/* One stretch in progress. */
typedef struct
{
  DynoLoadRun *run;
  DynoRequests *requests;
  DynoSamples *live;
  gsize n_shown;
  gint64 begin_ns;
  gint64 at_least_ns;
  gint64 at_most_ns;
  gsize n_enough;
} Stretch;

static gint64
to_ns (double seconds)
{
  return (gint64)(seconds * NS_PER_SECOND);
}

static gint64
get_at_least (DynoLoadRun *self)
{
  double window = MIN (self->measurement->window_seconds, dyno_method_get_max_seconds (self->method));

  return to_ns (MAX (dyno_method_get_min_seconds (self->method), window));
}

static gint64
get_at_most (DynoLoadRun *self)
{
  return MAX (to_ns (dyno_method_get_max_seconds (self->method)), get_at_least (self));
}

/* Enough requests to state the percentile, one of them over its limit. */
static gsize
count_enough (DynoLoadRun *self)
{
  double percent = self->load.limit_percent > 0 ? self->load.limit_percent : 99;
  double n = RAMP_FACTOR * (double)dyno_stats_early_stopping_size (percent, 1);

  return MAX ((gsize)n, dyno_method_get_min_samples (self->method));
}

/* Shows the requests in the order in which they were sent, up to the first that is still in progress. */
static void
show_answered (Stretch *self, gsize n_sent)
{
  n_sent = MIN (n_sent, self->requests->capacity);
  for (; self->n_shown < n_sent; self->n_shown++)
    {
      const DynoRequest *request = &self->requests->data[self->n_shown];
      gint64 finished = __atomic_load_n (&request->finished_ns, __ATOMIC_ACQUIRE);

      if (finished == 0)
        return;
      if (!request->has_failed)
        dyno_samples_record (self->live, request->intended_ns, finished);
    }
}

static gboolean
look (gsize n_sent, gsize n_answered, gpointer data)
{
  Stretch *self = data;
  gint64 elapsed = dyno_clock_now_ns () - self->begin_ns;

  show_answered (self, n_sent);
  return elapsed < self->at_most_ns && (elapsed < self->at_least_ns || n_answered < self->n_enough);
}

static gboolean
watch_only (gsize n_sent, gsize n_answered, gpointer data)
{
  show_answered (data, n_sent);
  return TRUE;
}

static gboolean
drive (Stretch *self, DynoLoadShape shape, guint n_clients, const gint64 *arrivals, GError **error)
{
  DynoLoadRun *run = self->run;
  gboolean has_end = shape == DYNO_LOAD_RATE || shape == DYNO_LOAD_OFFLINE;
  const DynoLoadDrive what = {
    .shape = shape,
    .clients = dyno_load_clients_get_all (run->clients),
    .n_clients = n_clients,
    .serve = dyno_load_clients_serve,
    .requests = self->requests,
    .arrivals = arrivals,
    .look = has_end ? watch_only : look,
    .look_data = self,
  };
  gboolean is_good;

  self->live = dyno_samples_new (self->requests->capacity);
  self->begin_ns = dyno_clock_now_ns ();
  run->show (run->show_data, self->live);
  is_good = dyno_load_drive (&what, error);
  run->show (run->show_data, NULL);
  g_clear_pointer (&self->live, dyno_samples_free);
  return is_good;
}

gboolean
dyno_load_run_warm_up (DynoLoadRun *self, GError **error)
{
  guint n_clients = dyno_load_clients_count (self->clients);
  g_autoptr (DynoRequests) requests = dyno_requests_new (WARM_UP_REQUESTS);
  Stretch stretch = {
    .run = self,
    .requests = requests,
    .at_least_ns = to_ns (dyno_method_get_warmup_seconds (self->method)),
    .at_most_ns = get_at_most (self),
    .n_enough = (gsize)MAX (dyno_method_get_warmup_steps (self->method), 1) * n_clients,
  };
  gsize n_answered = 0;

  if (n_clients == 1)
    return TRUE;
  if (!drive (&stretch, DYNO_LOAD_CONCURRENT, n_clients, NULL, error))
    return FALSE;
  for (gsize i = 0; i < requests->length; i++)
    n_answered += dyno_request_is_answered (&requests->data[i]);
  self->measurement->warm_rate =
      (double)n_answered / (double)(dyno_clock_now_ns () - stretch.begin_ns) * NS_PER_SECOND;
  return TRUE;
}

/* Returns the load of the point. */
static DynoLoad
get_load_of (DynoLoadRun *self, const DynoLoadPoint *point)
{
  DynoLoad load = self->load;

  load.shape = point->shape;
  load.clients = point->n_clients;
  load.rate = point->rate;
  return load;
}

static gsize
choose_capacity (DynoLoadRun *self, const DynoLoadPoint *point)
{
  /* The time of one request alone, from the later half of the warm-up. */
  gsize n = dyno_samples_get_length (self->measurement->warm_up);
  g_autofree double *milliseconds = dyno_samples_to_milliseconds (self->measurement->warm_up, n / 2, n, 1);

  dyno_stats_sort (milliseconds, n - n / 2);

  double service = MAX (dyno_stats_percentile (milliseconds, n - n / 2, 50) * 1e6, 1);
  double most = (double)get_at_most (self) / service * point->n_clients * SPEED_UP;
  double rate = self->measurement->warm_rate > 0 ? self->measurement->warm_rate
                                                 : NS_PER_SECOND / service * point->n_clients;
  double seconds;

  if (point->shape == DYNO_LOAD_OFFLINE)
    return (gsize)CLAMP ((double)get_at_least (self) / NS_PER_SECOND * rate, OFFLINE_REQUESTS, MAX_REQUESTS);
  if (point->shape != DYNO_LOAD_RATE)
    return (gsize)CLAMP (most, LEAST_REQUESTS, MAX_REQUESTS);
  seconds = MAX ((double)get_at_least (self) / NS_PER_SECOND, (double)count_enough (self) / point->rate);
  seconds = MIN (seconds, (double)get_at_most (self) / NS_PER_SECOND);
  return (gsize)CLAMP (ceil (point->rate * seconds), LEAST_REQUESTS, MAX_REQUESTS);
}

static gboolean
is_search (DynoLoadRun *self)
{
  return self->load.shape == DYNO_LOAD_RATE && self->load.rate == 0;
}

/* Keeps the requests that were finished before a stretch broke off because a server was gone; none in a
 * search, which has other stretches. Returns whether they are enough. */
static gboolean
keep_beginning (DynoLoadRun *self, DynoLoadPoint *point)
{
  gsize least = MAX (dyno_method_get_min_samples (self->method), LEAST_REQUESTS);
  DynoLoad load = get_load_of (self, point);

  point->requests->length = dyno_requests_count_whole (point->requests);
  if (self->measurement->server == NULL || is_search (self) || point->requests->length < least)
    return FALSE;
  dyno_load_summary_make (&point->summary, &load, point->requests);
  return TRUE;
}

/* Adds one stretch to those before, unless too little of it is left. */
static gboolean
measure_point (DynoLoadRun *self, DynoLoadShape shape, guint n_clients, double rate, GError **error)
{
  DynoMeasurement *measurement = self->measurement;
  DynoLoadPoint point = { shape, n_clients, rate };
  DynoLoad load = get_load_of (self, &point);
  gsize capacity = choose_capacity (self, &point);
  g_autofree gint64 *arrivals =
      shape == DYNO_LOAD_RATE
          ? dyno_arrivals_draw (capacity, rate, self->seed + measurement->load->points->len)
          : NULL;
  Stretch stretch = {
    .run = self,
    .requests = point.requests = dyno_requests_new (capacity),
    .at_least_ns = get_at_least (self),
    .at_most_ns = get_at_most (self),
    .n_enough = count_enough (self),
  };
  DynoDisturbance disturbance;
  gboolean is_good, is_kept;

  /* Those of the warm-up do not count. */
  g_autoptr (GPtrArray) served = dyno_load_clients_take_served (self->clients);
  g_clear_pointer (&served, g_ptr_array_unref);
  dyno_stretch_begin (measurement, &disturbance);
  is_good = drive (&stretch, shape, n_clients, arrivals, error);
  dyno_stretch_end (measurement, &disturbance);
  point.served = dyno_load_clients_take_served (self->clients);
  if (is_good && point.requests->length >= 2)
    dyno_load_summary_make (&point.summary, &load, point.requests);
  is_kept = is_good || keep_beginning (self, &point);
  g_array_append_val (measurement->load->points, point);
  if (!is_kept)
    {
      g_array_set_size (measurement->load->points, measurement->load->points->len - 1);
      g_array_set_size (measurement->chunk_end_ns, measurement->chunk_end_ns->len - 1);
      g_array_set_size (measurement->disturbances, measurement->disturbances->len - 1);
      g_array_set_size (measurement->accounts, measurement->accounts->len - 1);
    }
  return is_good;
}

static DynoLoadPoint *
get_point (DynoLoadRun *self, guint i)
{
  return &g_array_index (self->measurement->load->points, DynoLoadPoint, i);
}

static gboolean
search_capacity (DynoLoadRun *self, GError **error)
{
  DynoLoadOutcome *outcome = self->measurement->load;
  const DynoServer *server = self->measurement->server;
  guint most = self->load.has_clients ? self->load.clients
               : server != NULL       ? dyno_capacity_count_served_clients (server->n_slots)
                                      : dyno_capacity_count_clients (g_get_num_processors ());
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (DynoCapacityPoint));
  guint n;

  while ((n = dyno_capacity_next_clients ((DynoCapacityPoint *)points->data, points->len, most)) > 0)
    {
      DynoCapacityPoint point = { .clients = n };

      if (!dyno_load_clients_open (self->clients, self->session, n, !self->load.own_sessions, error) ||
          !measure_point (self, DYNO_LOAD_CONCURRENT, n, 0, error))
        return FALSE;
      point.throughput = get_point (self, outcome->points->len - 1)->summary.answered_per_second;
      g_array_append_val (points, point);
    }
  outcome->capacity = dyno_capacity_find ((DynoCapacityPoint *)points->data, points->len, &outcome->knee);
  if (!dyno_capacity_is_reached ((DynoCapacityPoint *)points->data, points->len))
    {
      const DynoCapacityPoint *last = &g_array_index (points, DynoCapacityPoint, points->len - 1);
      g_autofree char *throughput = dyno_unit_format_significant (last->throughput);
      g_autofree char *message = g_strdup_printf (
          ngettext (
              "%s requests per second were answered with %u client, and more clients were not tried, so "
              "the capacity may be higher. Allow more with “clients=”.",
              "%s requests per second were answered with %u clients, and more were not tried, so the "
              "capacity may be higher. Allow more with “clients=”.",
              last->clients),
          throughput, last->clients);

      dyno_measurement_add_diagnostic (self->measurement,
                                       self->load.has_clients ? DYNO_SEVERITY_INFO : DYNO_SEVERITY_WARNING,
                                       "capacity-not-reached", message);
    }
  return TRUE;
}

/* Halves the remaining interval until the largest rate within the limit is known. */
static gboolean
search_limit (DynoLoadRun *self, GError **error)
{
  DynoLoadOutcome *outcome = self->measurement->load;
  double rate;

  do
    {
      g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (DynoRatePoint));

      for (guint i = 0; i < outcome->points->len; i++)
        if (get_point (self, i)->shape == DYNO_LOAD_RATE)
          {
            const DynoLoadPoint *point = get_point (self, i);
            DynoRatePoint tried = { point->rate,
                                    (point->summary.problems & ~(guint)DYNO_LOAD_NOT_LITTLE) == 0 };

            g_array_append_val (rates, tried);
          }

      outcome->best_rate = dyno_capacity_find_rate ((DynoRatePoint *)rates->data, rates->len);
      rate = self->load.limit_percent > 0 ? dyno_capacity_next_rate ((DynoRatePoint *)rates->data, rates->len)
                                          : 0;
      if (rate > 0 && !measure_point (self, DYNO_LOAD_RATE, outcome->knee, rate, error))
        return FALSE;
    }
  while (rate > 0);
  return TRUE;
}

/* Chooses the rate that the case reports: the largest within the limit, else that of 70 % of the capacity. */
static void
choose_point (DynoLoadRun *self)
{
  DynoLoadOutcome *outcome = self->measurement->load;
  double wanted = self->load.limit_percent > 0 && outcome->best_rate > 0 ? outcome->best_rate
                                                                         : USUAL_SHARE * outcome->capacity;
  double nearest = INFINITY;

  for (guint i = 0; i < outcome->points->len; i++)
    {
      double distance =
          get_point (self, i)->shape == DYNO_LOAD_RATE ? fabs (get_point (self, i)->rate - wanted) : INFINITY;

      if (distance < nearest)
        {
          nearest = distance;
          outcome->chosen = i;
        }
    }
}

static gboolean
search (DynoLoadRun *self, GError **error)
{
  DynoLoadOutcome *outcome = self->measurement->load;
  g_autoptr (GArray) rates = NULL;

  if (!search_capacity (self, error))
    return FALSE;
  rates = dyno_capacity_list_rates (outcome->capacity, self->seed);
  for (guint i = 0; i < rates->len; i++)
    if (!measure_point (self, DYNO_LOAD_RATE, outcome->knee, g_array_index (rates, double, i), error))
      return FALSE;

  /* The last rate of the list repeats an earlier one. */
  double rate = g_array_index (rates, double, rates->len - 1);
  guint first = 0;
  double before, after;
  g_autofree char *time_before = NULL;
  g_autofree char *time_after = NULL;
  g_autofree char *message = NULL;

  while (get_point (self, first)->rate != rate)
    first++;
  before = get_point (self, first)->summary.service.p50;
  after = get_point (self, outcome->points->len - 1)->summary.service.p50;
  if (fabs (after / before - 1) * 100 > DRIFT_PERCENT)
    {
      time_before = dyno_unit_format (before, "ms");
      time_after = dyno_unit_format (after, "ms");
      message = g_strdup_printf (
          _ ("At the same rate, a request took %s at the beginning and %s at the end: the machine changed "
             "while the rates were measured. Measure again when it is at rest."),
          time_before, time_after);
      dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_WARNING, "load-drift", message);
    }

  if (!search_limit (self, error))
    return FALSE;
  choose_point (self);
  return TRUE;
}

static int
compare_intended (gconstpointer a, gconstpointer b)
{
  gint64 before = dyno_served_get_intended (*(const DynoServed *const *)a);
  gint64 after = dyno_served_get_intended (*(const DynoServed *const *)b);

  return (before > after) - (before < after);
}

/* The clients' records of the requests that were sent in the window. */
static void
fill_served (DynoMeasurement *measurement, const DynoLoadPoint *point)
{
  if (point->served == NULL)
    return;
  measurement->served = g_ptr_array_new ();
  measurement->broken = g_ptr_array_new ();
  for (guint i = 0; i < point->served->len; i++)
    {
      DynoServed *served = point->served->pdata[i];

      gint64 intended = dyno_served_get_intended (served);

      if (intended < point->summary.from_ns || intended > point->summary.to_ns)
        continue;
      if (served->failure == NULL)
        g_ptr_array_add (measurement->served, served);
      else
        {
          if (served->chunks_ns->len > 0)
            g_ptr_array_add (measurement->broken, served);
          measurement->n_failed_requests++;
          g_free (measurement->last_failure);
          measurement->last_failure = g_strdup (served->failure);
        }
    }
  g_ptr_array_sort (measurement->served, compare_intended);
}

/* Keeps the data of the chosen stretch only. */
static void
keep_stretch (DynoMeasurement *measurement)
{
  guint chosen = measurement->load->chosen;
  guint n = measurement->load->points->len;
  gsize end = dyno_samples_get_length (measurement->samples);

  g_array_append_val (measurement->chunk_ends, end);
  for (guint i = n; i > 0; i--)
    if (i - 1 != chosen)
      {
        g_array_remove_index (measurement->chunk_end_ns, i - 1);
        g_array_remove_index (measurement->disturbances, i - 1);
        g_array_remove_index (measurement->accounts, i - 1);
      }
}

/* If every request failed, the only result is the reason. */
static gboolean
check_answered (DynoMeasurement *measurement, GError **error)
{
  if (measurement->steady_end > measurement->steady_first || measurement->last_failure == NULL)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("Not one of the requests that count was answered. The last one failed: %s"),
               measurement->last_failure);
  return FALSE;
}

/* If the load breaks off, the finished stretches stay valid. Without a rate, a search reports its last
 * loop. */
static gboolean
keep_finished (DynoLoadRun *self, const GError *reason)
{
  DynoLoadOutcome *outcome = self->measurement->load;
  g_autofree char *message = NULL;

  if (outcome->points->len == 0)
    return FALSE;
  outcome->is_broken_off = is_search (self);
  outcome->chosen = outcome->points->len - 1;
  choose_point (self);

  const DynoLoadPoint *first = get_point (self, 0);
  guint n = self->measurement->load->points->len;
  g_autofree char *duration = dyno_unit_format (
      (double)(first->summary.to_ns - first->requests->data[0].intended_ns) / NS_PER_SECOND, "s");

  message = is_search (self) ? g_strdup_printf (ngettext ("The load broke off after %u stretch, whose values "
                                                          "are kept: %s Measure again for the rest.",
                                                          "The load broke off after %u stretches, whose "
                                                          "values are kept: %s Measure again for the rest.",
                                                          n),
                                                n, reason->message)
                             : g_strdup_printf (_ ("The load broke off after %s, and the values are those "
                                                   "until then: %s Measure again for the rest."),
                                                duration, reason->message);
  dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_WARNING, "load-broken-off", message);
  return TRUE;
}

gboolean
dyno_load_run_measure (DynoLoadRun *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;
  g_autoptr (GError) local_error = NULL;

  measurement->load = dyno_load_outcome_new (&self->load);
  if (!(is_search (self)
            ? search (self, &local_error)
            : measure_point (self, self->load.shape, self->load.clients, self->load.rate, &local_error)) &&
      !keep_finished (self, local_error))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (dyno_load_outcome_get_chosen (measurement->load)->requests->length < 2)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                           _ ("Fewer than two requests were answered in the time. Allow more time."));
      return FALSE;
    }

  /* The samples for other metrics: the latency of each answered request, in the order of arrival. */
  const DynoLoadPoint *point = dyno_load_outcome_get_chosen (measurement->load);
  const DynoRequests *requests = point->requests;

  measurement->samples = dyno_samples_new (requests->length);
  measurement->steps_per_sample = 1;
  for (gsize i = 0; i < requests->length; i++)
    {
      if (i == point->summary.first)
        measurement->steady_first = dyno_samples_get_length (measurement->samples);
      if (dyno_request_is_answered (&requests->data[i]))
        dyno_samples_record (measurement->samples, requests->data[i].intended_ns,
                             requests->data[i].finished_ns);
    }
  measurement->steady_end = dyno_samples_get_length (measurement->samples);
  measurement->steady_wall_ns = point->summary.to_ns - point->summary.from_ns;
  measurement->steadiness = DYNO_STEADINESS_FLAT;

  fill_served (measurement, dyno_load_outcome_get_chosen (measurement->load));
  keep_stretch (measurement);
  return check_answered (measurement, error);
}

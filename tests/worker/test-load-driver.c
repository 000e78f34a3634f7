/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdatomic.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-load.h"
#include "dyno-load-summary.h"
#include "dyno-worker-private.h"
#include "suite.h"

#define N_CLIENTS 3

/* What all clients do together. */
typedef struct
{
  atomic_uint n_served;
  atomic_int n_inside;
  atomic_int most_inside;
  guint fails_at;
  guint stops_at;
} Server;

static gboolean
serve (gpointer client, DynoRequest *request, GError **error)
{
  Server *self = client;
  int inside = atomic_fetch_add (&self->n_inside, 1) + 1;
  guint number = atomic_fetch_add (&self->n_served, 1) + 1;
  int most = atomic_load (&self->most_inside);

  while (inside > most && !atomic_compare_exchange_weak (&self->most_inside, &most, inside))
    ;
  atomic_fetch_sub (&self->n_inside, 1);
  if (number != self->fails_at)
    return TRUE;
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED, "It broke.");
  return FALSE;
}

static gboolean
is_below (gsize n_sent, gsize n_answered, gpointer data)
{
  return n_answered < *(guint *)data;
}

static gboolean
drive (Server *server,
       DynoLoadShape shape,
       DynoRequests *requests,
       const gint64 *arrivals,
       guint n_enough,
       GError **error)
{
  gpointer clients[N_CLIENTS] = { server, server, server };
  const DynoLoadDrive what = { .shape = shape,
                               .clients = clients,
                               .n_clients = N_CLIENTS,
                               .serve = serve,
                               .requests = requests,
                               .arrivals = arrivals,
                               .look = is_below,
                               .look_data = &n_enough };

  return dyno_load_drive (&what, error);
}

static void
assert_ordered (const DynoRequests *requests)
{
  for (gsize i = 0; i < requests->length; i++)
    {
      const DynoRequest *request = &requests->data[i];

      g_assert_cmpint (request->intended_ns, >, 0);
      g_assert_cmpint (request->pushed_ns, >=, request->intended_ns);
      g_assert_cmpint (request->started_ns, >=, request->pushed_ns);
      g_assert_cmpint (request->finished_ns, >=, request->started_ns);
      g_assert_true (i == 0 || request->intended_ns >= requests->data[i - 1].intended_ns);
    }
}

/* Each client sends when its last answer came, and not before. */
static void
test_closed_loop (void)
{
  g_autoptr (DynoRequests) requests = dyno_requests_new (5000);
  g_autoptr (GError) error = NULL;
  gint64 ready[N_CLIENTS] = { 0 };
  Server server = { 0 };

  g_assert_true (drive (&server, DYNO_LOAD_CONCURRENT, requests, NULL, G_MAXUINT, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (requests->length, ==, 5000);
  g_assert_cmpuint (server.n_served, ==, 5000);
  assert_ordered (requests);
  for (gsize i = 0; i < requests->length; i++)
    {
      const DynoRequest *request = &requests->data[i];

      if (ready[request->client] > 0)
        g_assert_cmpint (request->intended_ns, ==, ready[request->client]);
      ready[request->client] = request->finished_ns;
    }
}

static void
test_enough (void)
{
  g_autoptr (DynoRequests) requests = dyno_requests_new (10000000);
  g_autoptr (GError) error = NULL;
  Server server = { 0 };

  g_assert_true (drive (&server, DYNO_LOAD_CONCURRENT, requests, NULL, 100, &error));
  g_assert_cmpuint (requests->length, >=, 100);
  g_assert_cmpuint (requests->length, ==, server.n_served);
  assert_ordered (requests);
}

/* A round is over before the next one begins, and every client has a part in each. */
static void
test_rounds (void)
{
  g_autoptr (DynoRequests) requests = dyno_requests_new (200);
  g_autoptr (GError) error = NULL;
  Server server = { 0 };

  g_assert_true (drive (&server, DYNO_LOAD_MULTI, requests, NULL, G_MAXUINT, &error));
  g_assert_cmpuint (requests->length, ==, 200);
  g_assert_cmpuint (server.n_served, ==, 200 * N_CLIENTS);
  assert_ordered (requests);
  for (gsize i = 1; i < requests->length; i++)
    g_assert_cmpint (requests->data[i].intended_ns, >=, requests->data[i - 1].finished_ns);
}

static void
test_offline (void)
{
  g_autoptr (DynoRequests) requests = dyno_requests_new (500);
  g_autoptr (GError) error = NULL;
  Server server = { 0 };

  g_assert_true (drive (&server, DYNO_LOAD_OFFLINE, requests, NULL, G_MAXUINT, &error));
  g_assert_cmpuint (server.n_served, ==, 500);
  assert_ordered (requests);
  g_assert_cmpint (requests->data[0].intended_ns, ==, requests->data[499].intended_ns);
}

/* Requests come at the times that were drawn, whatever became of those before. */
static void
test_rate (void)
{
  g_autofree gint64 *arrivals = dyno_arrivals_draw (200, 2000, 1);
  g_autoptr (DynoRequests) requests = dyno_requests_new (200);
  g_autoptr (GError) error = NULL;
  Server server = { 0 };

  g_assert_true (drive (&server, DYNO_LOAD_RATE, requests, arrivals, G_MAXUINT, &error));
  g_assert_cmpuint (server.n_served, ==, 200);
  assert_ordered (requests);
  for (guint i = 1; i < 200; i++)
    g_assert_cmpint (requests->data[i].intended_ns - requests->data[0].intended_ns, ==,
                     arrivals[i] - arrivals[0]);
}

/* For some time the kernel lets nobody of this process run. */
static gboolean
stand_still (const char *seconds, GError **error)
{
  static const char *const script = "kill -STOP $0; sleep $1; kill -CONT $0";
  g_autofree char *id = g_strdup_printf ("%d", getpid ());
  char *arguments[] = { (char *)"sh", (char *)"-c", (char *)script, id, (char *)seconds, NULL };

  return g_spawn_async (NULL, arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, error);
}

/* What should have been sent meanwhile is sent late, all of it. */
static gboolean
serve_starved (gpointer client, DynoRequest *request, GError **error)
{
  Server *self = client;

  return atomic_fetch_add (&self->n_served, 1) != 300 || stand_still ("0.2", error);
}

/* Draws @n requests at 400 a second for one client, which answers all of them in order. */
static void
drive_alone (guint n, gboolean (*answer) (gpointer, DynoRequest *, GError **), DynoRequests *requests)
{
  g_autofree gint64 *arrivals = dyno_arrivals_draw (n, 400, 1);
  g_autoptr (GError) error = NULL;
  Server server = { 0 };
  gpointer clients[] = { &server };
  const DynoLoadDrive what = { .shape = DYNO_LOAD_RATE,
                               .clients = clients,
                               .n_clients = 1,
                               .serve = answer,
                               .requests = requests,
                               .arrivals = arrivals };

  g_assert_true (dyno_load_drive (&what, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (server.n_served, ==, n);
  assert_ordered (requests);
}

static void
test_starved (void)
{
  g_autoptr (DynoRequests) requests = dyno_requests_new (800);
  const DynoLoad load = { .shape = DYNO_LOAD_RATE, .clients = 1, .rate = 400 };
  DynoLoadSummary summary;

  drive_alone (800, serve_starved, requests);
  dyno_load_summary_make (&summary, &load, requests);
  g_test_message ("lateness: %g µs", summary.lateness_p99_us);
  g_assert_cmpuint (summary.problems & DYNO_LOAD_NOT_DELIVERED, !=, 0);
  g_assert_cmpfloat (summary.lateness_p99_us, >, 50000);
  g_assert_cmpfloat (summary.latency.p99, >, 50);
}

static gboolean
serve_paused (gpointer client, DynoRequest *request, GError **error)
{
  Server *self = client;

  return atomic_fetch_add (&self->n_served, 1) != 20 || stand_still ("2", error);
}

/* A machine that stands still for longer than a server is waited for is no server that is behind. */
static void
test_paused (void)
{
  g_autoptr (DynoRequests) requests = dyno_requests_new (200);

  drive_alone (200, serve_paused, requests);
}

static void
test_failure (gconstpointer data)
{
  g_autofree gint64 *arrivals = dyno_arrivals_draw (100000, 1000, 1);
  g_autoptr (DynoRequests) requests = dyno_requests_new (100000);
  g_autoptr (GError) error = NULL;
  Server server = { .fails_at = 10 };

  g_assert_false (
      drive (&server, (DynoLoadShape)GPOINTER_TO_UINT (data), requests, arrivals, G_MAXUINT, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_cmpuint (server.n_served, <, 100000);
}

static void
add_tests (void)
{
  g_test_add_func ("/load-driver/closed-loop", test_closed_loop);
  g_test_add_func ("/load-driver/enough", test_enough);
  g_test_add_func ("/load-driver/rounds", test_rounds);
  g_test_add_func ("/load-driver/offline", test_offline);
  g_test_add_func ("/load-driver/rate", test_rate);
  g_test_add_func ("/load-driver/starved", test_starved);
  g_test_add_func ("/load-driver/paused", test_paused);
  g_test_add_data_func ("/load-driver/failure/concurrent", GUINT_TO_POINTER (DYNO_LOAD_CONCURRENT),
                        test_failure);
  g_test_add_data_func ("/load-driver/failure/multi", GUINT_TO_POINTER (DYNO_LOAD_MULTI), test_failure);
  g_test_add_data_func ("/load-driver/failure/rate", GUINT_TO_POINTER (DYNO_LOAD_RATE), test_failure);
}

SUITE_ADD (add_tests)

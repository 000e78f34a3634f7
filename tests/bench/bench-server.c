/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "dyno-clock.h"
#include "dyno-server-private.h"
#include "null-server.h"
#include "suite.h"

/* What asking a server costs by itself: Dyno's client of a server that needs no time, beside a loop that sends the same
 * question down a bare socket and reads the clock when bytes arrive, as the least that any client has to do. The time to
 * the first token is what people are told; the rest is what the processor does for it, which the server lacks where both
 * share cores. */

#define N_ROUNDS   30
#define N_REQUESTS 100
#define N_LONG     10
#define N_CHUNKS   1000
#define END        "\r\n0\r\n\r\n"

#define BODY                                                                                                 \
  "{\"model\":\"null\",\"messages\":[{\"role\":\"user\",\"content\":\"time\"}],\"stream\":true,"             \
  "\"stream_options\":{\"include_usage\":true},\"temperature\":0,\"max_tokens\":%u}"
#define QUESTION                                                                                             \
  "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"              \
  "Content-Length: %zu\r\n\r\n%s"

typedef struct
{
  DynoSession *session;
  int bare; /* a connection */
} Clients;

/* What a number of requests took, in ns: all of them, until their first tokens, and of the processor. */
typedef struct
{
  gint64 whole;
  gint64 first;
  gint64 processor;
} Cost;

typedef gint64 (*AskFunc) (Clients *clients, guint n_tokens);

/* Both return ns to the first token. */
static gint64
ask_with_dyno (Clients *clients, guint n_tokens)
{
  g_autoptr (DynoServed) served = dyno_served_new ();
  g_autoptr (GError) error = NULL;

  if (!dyno_session_serve (clients->session, 1, n_tokens, served, &error))
    g_error ("%s", error->message);
  if (served->chunks_ns->len != n_tokens)
    g_error ("Of %u tokens, %u came.", n_tokens, served->chunks_ns->len);
  return dyno_served_get_first (served) - served->start_ns;
}

static gint64
ask_with_socket (Clients *clients, guint n_tokens)
{
  static char buffer[65536];
  char tail[sizeof END] = "";
  g_autofree char *body = g_strdup_printf (BODY, n_tokens);
  g_autofree char *question = g_strdup_printf (QUESTION, strlen (body), body);
  gint64 begin = dyno_clock_now_ns (), first = 0;

  if (send (clients->bare, question, strlen (question), 0) < 0)
    g_error ("The question could not be sent.");
  while (!g_str_equal (tail, END))
    {
      ssize_t n = recv (clients->bare, buffer, sizeof buffer, 0);
      gint64 now = dyno_clock_now_ns ();
      size_t kept = (size_t)MIN (n, (ssize_t)strlen (END));

      if (n <= 0)
        g_error ("The answer broke off.");
      if (first == 0 && memmem (buffer, (size_t)n, "data:", strlen ("data:")) != NULL)
        first = now;
      memmove (tail, tail + kept, strlen (END) - kept);
      memcpy (tail + strlen (END) - kept, buffer + n - kept, kept);
    }
  return first - begin;
}

static gint64
read_processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64)time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

static Cost
ask (AskFunc function, Clients *clients, guint n_requests, guint n_tokens)
{
  Cost cost = { -dyno_clock_now_ns (), 0, -read_processor_time () };

  for (guint i = 0; i < n_requests; i++)
    cost.first += function (clients, n_tokens);
  cost.processor += read_processor_time ();
  cost.whole += dyno_clock_now_ns ();
  return cost;
}

static void
add_request_costs (
    BenchPairs *first, BenchPairs *whole, BenchPairs *processor, const Cost *dyno, const Cost *bare)
{
  double unit = 1e3 * N_REQUESTS;

  bench_pairs_add (first, (double)dyno->first / unit, (double)bare->first / unit);
  bench_pairs_add (whole, (double)dyno->whole / unit, (double)bare->whole / unit);
  bench_pairs_add (processor, (double)dyno->processor / unit, (double)bare->processor / unit);
}

/* The order alternates, so that a drift favours neither. */
static void
ask_both (Clients *clients, guint round, guint n_requests, guint n_tokens, Cost *dyno, Cost *bare)
{
  if (round % 2 == 0)
    *dyno = ask (ask_with_dyno, clients, n_requests, n_tokens);
  *bare = ask (ask_with_socket, clients, n_requests, n_tokens);
  if (round % 2 == 1)
    *dyno = ask (ask_with_dyno, clients, n_requests, n_tokens);
}

static void
measure (Clients *clients)
{
  g_autoptr (BenchPairs) first = bench_pairs_new ();
  g_autoptr (BenchPairs) whole = bench_pairs_new ();
  g_autoptr (BenchPairs) processor = bench_pairs_new ();
  g_autoptr (BenchPairs) chunks = bench_pairs_new ();

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      Cost dyno, bare;

      ask_both (clients, round, N_REQUESTS, 1, &dyno, &bare);
      add_request_costs (first, whole, processor, &dyno, &bare);
      ask_both (clients, round, N_LONG, N_CHUNKS, &dyno, &bare);
      bench_pairs_add (chunks, (double)dyno.processor / (1e3 * N_LONG * N_CHUNKS),
                       (double)bare.processor / (1e3 * N_LONG * N_CHUNKS));
    }
  bench_report ("first-token-of-a-null-server", "µs", "a bare socket", first);
  bench_report ("request-to-a-null-server", "µs", "a bare socket", whole);
  bench_report ("processor-time-of-a-request", "µs", "a bare socket", processor);
  bench_report ("processor-time-of-a-chunk", "µs", "a bare socket", chunks);
}

static int
connect_to (guint16 port)
{
  const struct sockaddr_in address = { .sin_family = AF_INET,
                                       .sin_port = htons (port),
                                       .sin_addr = { .s_addr = htonl (INADDR_LOOPBACK) } };
  int connection = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int yes = 1;

  if (connect (connection, (const struct sockaddr *)&address, sizeof address) != 0)
    g_error ("The null server does not answer.");
  setsockopt (connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return connection;
}

static int
run_suite (int argc, char *argv[])
{
  guint16 port = null_server_start ();
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u", port);
  Clients clients = { NULL, connect_to (port) };

  bench_init ();
  clients.session =
      dyno_server_session_new (address, "null", dyno_server_kind_get_unknown (), FALSE, 0, NULL);
  ask_with_dyno (&clients, 1); /* opens its connection */
  measure (&clients);
  g_object_unref (clients.session);
  close (clients.bare);
  return 0;
}

SUITE (run_suite)

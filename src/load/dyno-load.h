/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* dyno-arrivals */

/* Draws the arrivals of a Poisson process: the gaps are exponential. They are then stretched so that the
 * last arrival is exactly @n / @rate after the beginning, because the rate of so few arrivals is itself
 * off by 1/√n. Returns the time of each arrival, in ns after the beginning, ascending. The caller owns it.
 * @n: the number of arrivals, at least one. @rate: arrivals per second, above zero. */
gint64 *dyno_arrivals_draw (gsize n, double rate, guint64 seed);

/**
 * DYNO_LOAD_MAX_CLIENTS:
 *
 * The most clients of a load.
 */
#define DYNO_LOAD_MAX_CLIENTS 1024

/**
 * DynoLoadShape:
 * @DYNO_LOAD_SINGLE: one request after another
 * @DYNO_LOAD_OFFLINE: all requests are available at once
 * @DYNO_LOAD_CONCURRENT: closed loop: each client sends its next request when it gets an answer
 * @DYNO_LOAD_MULTI: a number of requests at once, and the next ones when the last of them is done
 * @DYNO_LOAD_RATE: open loop: arrivals of a Poisson process at a rate, independent of earlier requests
 *
 * The arrival of requests. Closed and open loops are never the same measurement (Schroeder et al., “Open versus
 * closed: a cautionary tale”, 2006).
 */
typedef enum
{
  DYNO_LOAD_SINGLE,
  DYNO_LOAD_OFFLINE,
  DYNO_LOAD_CONCURRENT,
  DYNO_LOAD_MULTI,
  DYNO_LOAD_RATE,
} DynoLoadShape;

/**
 * DynoLoadLimit:
 * @DYNO_LOAD_LIMIT_LATENCY: from the intended time of a request to its answer
 * @DYNO_LOAD_LIMIT_FIRST_TOKEN: from the intended time to the first token
 * @DYNO_LOAD_LIMIT_INTER_TOKEN: the mean time between the tokens of a request
 * @DYNO_LOAD_N_LIMITS: the number of limits
 *
 * The quantities that may have a limit.
 */
typedef enum
{
  DYNO_LOAD_LIMIT_LATENCY,
  DYNO_LOAD_LIMIT_FIRST_TOKEN,
  DYNO_LOAD_LIMIT_INTER_TOKEN,
  DYNO_LOAD_N_LIMITS,
} DynoLoadLimit;

/**
 * DynoLoad:
 * @shape: the arrival of requests
 * @clients: the number of clients; for an offline load or a rate, the number of requests that are processed at once
 * @has_clients: whether the number of clients was set explicitly
 * @rate: arrivals per second; 0 to find the rates that the case can take
 * @own_sessions: whether each client opens its own session of the model, instead of sharing one
 * @limit_percent: the percentile that has limits, 0 for none
 * @limits_ms: its limits, by DynoLoadLimit, 0 for none
 *
 * The load of a case. Its text is `single`, `offline`, `concurrent=K`, `multi=K`, `rate=auto` or `rate=R/s`, followed
 * by the settings that differ from the defaults, each after a space: `clients=K`, `sessions=own`, `p99=20ms`,
 * `first-token-p99=500ms`, `inter-token-p99=50ms`.
 */
typedef struct
{
  DynoLoadShape shape;
  guint clients;
  gboolean has_clients;
  double rate;
  gboolean own_sessions;
  double limit_percent;
  double limits_ms[DYNO_LOAD_N_LIMITS];
} DynoLoad;

/* Returns whether the text is a load. Fails with DYNO_ERROR_INVALID_ARGUMENT, with the word that is wrong.
 **/
gboolean dyno_load_parse (const char *text, DynoLoad *load, GError **error);
/* Returns whether a time of single tokens has a limit. */
gboolean dyno_load_limits_tokens (const DynoLoad *self);
/* Returns the number of threads of all clients that run at the same time, at most @n_processors; 0 if each
 * client has one per core. A search for the capacity uses all @n_processors, as its number of clients
 * grows. @threads: the threads of each client, 0 for one per core. @n_processors: the number of usable
 * hardware threads. */
guint dyno_load_count_threads (const DynoLoad *self, guint threads, guint n_processors);
/* Returns its canonical text; two equal loads have the same. */
char *dyno_load_to_string (const DynoLoad *self);
/* Returns its loads, each of which may still have several values. */
char **dyno_load_split_list (const char *text);
/* Returns all loads. Elements are DynoLoad. @text: loads, separated by commas; the first word of each may
 * have several values: `single,concurrent=1,2,4`, `rate=50,100/s p99=20ms`. Fails as dyno_load_parse()
 * does. */
GArray *dyno_load_parse_list (const char *text, GError **error);
/* Returns the load in words; the text itself if it is not a load. */
char *dyno_load_dup_label (const char *text);
/* Returns whether it is the default load. */
gboolean dyno_load_is_single (const char *text);

/* dyno-requests */

/**
 * DynoRequest:
 * @intended_ns: the time at which it was to be sent
 * @pushed_ns: the time at which it was sent; the same in a closed loop
 * @started_ns: the time at which a client started it, 0 if none did
 * @finished_ns: the time at which it was answered, 0 if it was not
 * @client: the index of its client
 * @has_failed: whether it was rejected or aborted at @finished_ns instead of being answered
 * @first_ns: the time of its first token, 0 if unknown
 * @n_tokens: the number of tokens in the answer, 0 if unknown
 *
 * A request under load; times are on the common clock of all measurements. Its latency runs from the *intended* time,
 * so that the requests that arrive while a server stalls count against it.
 */
typedef struct
{
  gint64 intended_ns;
  gint64 pushed_ns;
  gint64 started_ns;
  gint64 finished_ns;
  guint client;
  gboolean has_failed;
  gint64 first_ns;
  guint n_tokens;
} DynoRequest;

/**
 * DynoRequests:
 * @data: (array length=length): the requests, in the order of their intended times
 * @length: the number of requests
 * @capacity: the most requests
 *
 * All requests of a stretch, in memory that was written to before the first request.
 */
typedef struct
{
  DynoRequest *data;
  gsize length;
  gsize capacity;
} DynoRequests;

/* Returns whether it was answered, so that it has a latency. */
gboolean dyno_request_is_answered (const DynoRequest *self);
/* Returns its latency in ms, from the intended time. */
double dyno_request_get_latency (const DynoRequest *self);
/* Returns the time to its first token in ms, from the intended time; NaN if unknown. */
double dyno_request_get_first_token (const DynoRequest *self);
/* Returns the time from its first to its last token divided by the tokens after the first, in ms; NaN if
 * there is none. */
double dyno_request_get_inter_token (const DynoRequest *self);
/* Returns an empty list, all of whose memory is already allocated. @capacity: the most requests. */
DynoRequests *dyno_requests_new (gsize capacity);
void dyno_requests_free (DynoRequests *self);
/* Sorts them by their intended times. @self: requests of clients that do not wait for each other. */
void dyno_requests_sort (DynoRequests *self);
/* Returns the mean number of outstanding requests over that time. */
double dyno_requests_count_outstanding (const DynoRequests *self, gint64 from_ns, gint64 to_ns);
/* Returns how many of the first requests were all finished before the load was aborted. The requests that
 * were outstanding at the last answer have no known result: dropping only these would favour the fast ones.
 * @self: requests of an aborted load, in the order of their intended times. */
gsize dyno_requests_count_whole (const DynoRequests *self);
/* Returns the number of outstanding requests at that time. */
gsize dyno_requests_count_at (const DynoRequests *self, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRequests, dyno_requests_free)

G_END_DECLS

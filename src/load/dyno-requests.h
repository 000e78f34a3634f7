/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoRequest:
 * @intended_ns: when it was to be sent
 * @pushed_ns: when it was; in a closed loop the same
 * @started_ns: when a client began with it, 0 where none did
 * @finished_ns: when it was answered, 0 where it was not
 * @client: which client had it
 * @has_failed: whether it was turned away or broke off at @finished_ns instead of being answered
 * @first_ns: when its first token was there, 0 where that is not known
 * @n_tokens: how many tokens the answer has, 0 where that is not known
 *
 * One request under load, on the clock of all measurements. Its latency runs from the *intended* time, so that a server
 * that stalls is not spared those who would have come meanwhile.
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
 * @length: how many there are
 * @capacity: how many there may be
 *
 * All requests of a stretch, in memory that was written to before the first came.
 */
typedef struct
{
  DynoRequest *data;
  gsize length;
  gsize capacity;
} DynoRequests;

/* Returns whether it was answered, and has a latency. */
gboolean dyno_request_is_answered (const DynoRequest *self);
/* Returns in ms, from the intended time. */
double dyno_request_get_latency (const DynoRequest *self);
/* Returns the time to its first token in ms, from the intended time; NaN where it is not known. */
double dyno_request_get_first_token (const DynoRequest *self);
/* Returns the time from its first to its last token, by the tokens after the first, in ms; NaN where there
 * is none. */
double dyno_request_get_inter_token (const DynoRequest *self);
/* Returns room for them, every page of it already there, and none yet. @capacity: how many there may be. */
DynoRequests *dyno_requests_new (gsize capacity);
void dyno_requests_free (DynoRequests *self);
/* Puts them into the order of their intended times. @self: requests of clients that do not wait for each
 * other. */
void dyno_requests_sort (DynoRequests *self);
/* Returns how many were sent and not yet answered, on average over that time. */
double dyno_requests_count_outstanding (const DynoRequests *self, gint64 from_ns, gint64 to_ns);
/* What was under way when the last answer came is not known: leaving out those alone that were not
 * answered would keep the fast ones. Returns how many of the first were over, all of them, before it broke
 * off. @self: requests, in the order of their intended times, of a load that broke off. */
gsize dyno_requests_count_whole (const DynoRequests *self);
/* Returns how many were sent before it and not answered by then. */
gsize dyno_requests_count_at (const DynoRequests *self, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRequests, dyno_requests_free)

G_END_DECLS

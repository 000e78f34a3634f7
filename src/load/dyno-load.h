/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DYNO_LOAD_MAX_CLIENTS:
 *
 * How many clients a load may have.
 */
#define DYNO_LOAD_MAX_CLIENTS 1024

/**
 * DynoLoadShape:
 * @DYNO_LOAD_SINGLE: one request after another
 * @DYNO_LOAD_OFFLINE: all requests are there at once, and are worked off
 * @DYNO_LOAD_CONCURRENT: closed loop: clients that each send when their last answer came
 * @DYNO_LOAD_MULTI: as many requests at once, the next ones when the last of them is done
 * @DYNO_LOAD_RATE: open loop: arrivals of a Poisson process at a rate, whatever becomes of those before
 *
 * How requests come. Closed and open loops are never the same measurement (Schroeder et al., “Open versus closed: a
 * cautionary tale”, 2006).
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
 * @DYNO_LOAD_N_LIMITS: how many there are
 *
 * What may have a limit.
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
 * @shape: how requests come
 * @clients: how many clients there are; of an offline load or a rate, how many requests are worked on at once
 * @has_clients: whether somebody said how many
 * @rate: arrivals in a second; 0 to find out which rates the case can take
 * @own_sessions: whether each client opens the model for itself, instead of sharing one session
 * @limit_percent: the percentile that has limits, 0 for none
 * @limits_ms: its limits, by [enum@Dyno.LoadLimit], 0 for none
 *
 * What a case is under. Its text is `single`, `offline`, `concurrent=K`, `multi=K`, `rate=auto` or `rate=R/s`, and after
 * it, each behind a space, what is not as usual: `clients=K`, `sessions=own`, `p99=20ms`, `first-token-p99=500ms`,
 * `inter-token-p99=50ms`.
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

/* Returns whether it is a load. Fails with DYNO_ERROR_INVALID_ARGUMENT with the word that is wrong. */
gboolean dyno_load_parse (const char *text, DynoLoad *load, GError **error);
/* Returns whether the time of single tokens has a limit. */
gboolean dyno_load_limits_tokens (const DynoLoad *self);
/* Returns how many threads work at the same time, those of all clients, at most @n_processors; of a search
 * for the capacity, in which clients become more and more, all of these; 0 where each client has one per
 * core. @threads: how many threads each client has, 0 for one per core. @n_processors: how many hardware
 * threads may be used. */
guint dyno_load_count_threads (const DynoLoad *self, guint threads, guint n_processors);
/* Returns its one text, by which two loads are the same. */
char *dyno_load_to_string (const DynoLoad *self);
/* Returns its loads, of which each may still have several values. */
char **dyno_load_split_list (const char *text);
/* Returns all of them. Elements are DynoLoad. @text: loads, separated by commas, in each of which the
 * first word may have several values: `single,concurrent=1,2,4`, `rate=50,100/s p99=20ms`. Fails as
 * dyno_load_parse() does. */
GArray *dyno_load_parse_list (const char *text, GError **error);
/* Returns the load in words; the text itself where it is none. */
char *dyno_load_dup_label (const char *text);
/* Returns whether it is the usual one. */
gboolean dyno_load_is_single (const char *text);

G_END_DECLS

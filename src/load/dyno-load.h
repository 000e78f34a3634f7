/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS

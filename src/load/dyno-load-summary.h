/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load.h"
#include "dyno-requests.h"

G_BEGIN_DECLS

/**
 * DynoLoadProblems:
 * @DYNO_LOAD_NOT_DELIVERED: fewer than 98 % of the requests were sent in their time, or they were sent late by more than
 *   100 µs and 1 % of the median latency
 * @DYNO_LOAD_OVERLOADED: the queue grew from beginning to end
 * @DYNO_LOAD_TOO_FEW: too few requests to say whether the limit is kept
 * @DYNO_LOAD_LIMIT_MISSED: the percentile is above its limit
 * @DYNO_LOAD_NOT_LITTLE: throughput times latency is more than 2 % off the number of requests under way
 *
 * What keeps a load from being what was asked for, or from being borne.
 */
typedef enum
{
  DYNO_LOAD_NOT_DELIVERED = 1 << 0,
  DYNO_LOAD_OVERLOADED = 1 << 1,
  DYNO_LOAD_TOO_FEW = 1 << 2,
  DYNO_LOAD_LIMIT_MISSED = 1 << 3,
  DYNO_LOAD_NOT_LITTLE = 1 << 4,
} DynoLoadProblems;

/**
 * DynoLoadPercentiles:
 *
 * In ms.
 */
typedef struct
{
  double p50;
  double p90;
  double p99;
} DynoLoadPercentiles;

/**
 * DynoLoadSummary:
 * @first: index of the first request that counts: those before came while the load built up
 * @n: how many count; what was sent in the window counts even if it was answered later
 * @from_ns: when the window begins
 * @to_ns: when it ends, with the last request that was sent
 * @sent_per_second: requests that were meant for the window, and sent in it
 * @answered_per_second: requests answered in the window
 * @lateness_p99_us: how late requests were sent, not answered
 * @latency: from the intended time to the answer
 * @queue: from the intended time until a client began with it
 * @service: from then to the answer
 * @latency_mean_ms: the mean latency
 * @bound_ms: what the limited percentile, or else the 99th, does not exceed with 99 % certainty, if requests were
 *   independent; NaN where they are too few
 * @outstanding: how many requests were under way on average
 * @little_percent: how far throughput times latency is off that number, which Little's law says it is
 * @fairness: Jain's index of how many answers each client of a closed loop got, from 1 by the number of clients, where one
 *   got them all, to 1, where all got as many; NaN of other loads and of one client (Jain, Chiu and Hawe 1984)
 * @n_good: how many of those that count were answered within all limits; all that did not fail where there is none
 * @good_per_second: @n_good, divided by the length of the window; where there is no limit, as @answered_per_second
 * @n_missing: how many more it takes, all within the limit, to say that it is kept; 0 where that is known
 * @problems: [flags@Dyno.LoadProblems]
 *
 * What came of a load.
 */
typedef struct
{
  gsize first;
  gsize n;
  gint64 from_ns;
  gint64 to_ns;
  double sent_per_second;
  double answered_per_second;
  double lateness_p99_us;
  DynoLoadPercentiles latency;
  DynoLoadPercentiles queue;
  DynoLoadPercentiles service;
  double latency_mean_ms;
  double bound_ms;
  double outstanding;
  double little_percent;
  double fairness;
  gsize n_good;
  double good_per_second;
  gsize n_missing;
  guint problems;
} DynoLoadSummary;

/* An offline load has neither ramp nor rate: all its requests count. @requests: at least two requests, in
 * the order of their intended times. */
void dyno_load_summary_make (DynoLoadSummary *self, const DynoLoad *load, const DynoRequests *requests);
/* Returns how long the window is. */
double dyno_load_summary_get_seconds (const DynoLoadSummary *self);

G_END_DECLS

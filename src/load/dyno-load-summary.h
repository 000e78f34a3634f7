/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load.h"

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
 * The reasons why a load was not as requested, or too much.
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
 * Percentiles in ms.
 */
typedef struct
{
  double p50;
  double p90;
  double p99;
} DynoLoadPercentiles;

/**
 * DynoLoadSummary:
 * @first: index of the first request that counts, after the load has built up
 * @n: the number of requests that count: all that were sent in the window, even if they were answered later
 * @from_ns: the start of the window
 * @to_ns: the end of the window, with the last request that was sent
 * @sent_per_second: requests that were intended for the window, and sent in it
 * @answered_per_second: requests answered in the window
 * @lateness_p99_us: the lateness of sending (not of answering) requests
 * @latency: from the intended time to the answer
 * @queue: from the intended time until a client started the request
 * @service: from the start to the answer
 * @latency_mean_ms: the mean latency
 * @bound_ms: the upper bound of the limited percentile, or else of the 99th, with 99 % certainty if requests are
 *   independent; NaN if they are too few
 * @outstanding: the mean number of outstanding requests
 * @little_percent: the deviation of throughput times latency from that number, which are equal by Little's law
 * @fairness: Jain's index of the answers to each client of a closed loop, from 1 divided by the number of clients, if
 *   one client got all answers, to 1, if all got the same number; NaN for other loads and for one client (Jain, Chiu
 *   and Hawe 1984)
 * @n_good: the number of requests that count and were answered within all limits; without limits, all that did not
 *   fail
 * @good_per_second: @n_good, divided by the length of the window; without limits the same as @answered_per_second
 * @n_missing: the further requests within the limit that are needed to show that it is met; 0 if that is known
 * @problems: DynoLoadProblems
 *
 * The result of a load.
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
/* Returns the length of the window, in seconds. */
double dyno_load_summary_get_seconds (const DynoLoadSummary *self);

G_END_DECLS

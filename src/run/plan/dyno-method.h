/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DYNO_METHOD_MAX_INVOCATIONS:
 *
 * The largest number of invocations of a case.
 */
#define DYNO_METHOD_MAX_INVOCATIONS 1000

#define DYNO_TYPE_METHOD (dyno_method_get_type ())

/**
 * DynoMethod:
 *
 * How long and how carefully a case is measured. Properties, all read-write:
 *
 * - `invocations` (uint): the number of processes that measure the case, one after another; all below but the idle time
 *   is shared out over them (dyno_method_share_out())
 * - `warmup-steps` (uint) and `warmup-seconds` (double): the minimum warm-up; both have to be met
 * - `min-samples` (uint) and `min-seconds` (double): the minimum of samples and time; both have to be met
 * - `max-seconds` (double): give up narrowing the interval after this long
 * - `interval-percent` (double): stop once the 95 % interval of the median is within this share of it
 * - `sampling-milliseconds` (uint): period of the memory timeline, 0 switches it off
 * - `power-milliseconds` (uint): period of the timelines of power, temperature and clock, 0 switches them off
 * - `idle-seconds` (double): how long the idle machine is measured before a case, at most `max-seconds`, and only where
 *   a sensor measures power; 0 for not at all
 * - `tdp-watts` (double): the processor's thermal design power, for estimates where nothing measures power;
 *   0, the usual, for no estimates
 * - `priority` (string): of the threads of the worker, as dyno_priority_check() knows it
 */
G_DECLARE_FINAL_TYPE (DynoMethod, dyno_method, DYNO, METHOD, GObject)

/* Returns a method with the usual settings. */
DynoMethod *dyno_method_new (void);
/* Returns another one with the same settings. */
DynoMethod *dyno_method_copy (DynoMethod *self);

/* Divides the time and the samples of a case among its invocations, but leaves enough to judge each one. The
 * interval of one process need not be as narrow as that of all together. Returns the method of a single
 * invocation. The caller owns it. */
DynoMethod *dyno_method_share_out (DynoMethod *self);
/* Returns the method that measures @n invocations, each as @self measures each of its own. The caller owns
 * it. @n: a number of invocations, at least 1. */
DynoMethod *dyno_method_change_invocations (DynoMethod *self, guint n);

guint dyno_method_get_invocations (DynoMethod *self);
guint dyno_method_get_warmup_steps (DynoMethod *self);
double dyno_method_get_warmup_seconds (DynoMethod *self);
guint dyno_method_get_min_samples (DynoMethod *self);
double dyno_method_get_min_seconds (DynoMethod *self);
double dyno_method_get_max_seconds (DynoMethod *self);
double dyno_method_get_interval_percent (DynoMethod *self);
guint dyno_method_get_sampling_milliseconds (DynoMethod *self);
guint dyno_method_get_power_milliseconds (DynoMethod *self);
double dyno_method_get_idle_seconds (DynoMethod *self);
/* Returns how long a run waits, over all of its cases, for other programs to finish, in seconds. */
double dyno_method_get_wait_quiet (DynoMethod *self);
double dyno_method_get_tdp_watts (DynoMethod *self);
const char *dyno_method_get_priority (DynoMethod *self);

G_END_DECLS

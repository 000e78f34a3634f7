/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DYNO_TRACE_WALL_CLOCK:
 *
 * The name of the series with the time of day, in s since 1970 UTC, at the beginning and at the end of a
 * process: the traces themselves use a monotonic clock.
 */
#define DYNO_TRACE_WALL_CLOCK "wall_clock"

#define DYNO_TYPE_TRACE (dyno_trace_get_type ())

/**
 * DynoTrace:
 *
 * A named series of readings over time, immutable once filled; results keep all their samples as traces.
 * Times are nanoseconds since dyno_trace_get_origin(), values are in dyno_trace_get_unit().
 * dyno_trace_get_invocation() is the process that they come from.
 */
G_DECLARE_FINAL_TYPE (DynoTrace, dyno_trace, DYNO, TRACE, GObject)

/* The name of the trace that says when each stage of a model of several graphs was opened: its index when that began, the
 * number of stages at the end. */
#define DYNO_STAGE_OPENINGS "stage_openings"

/* Returns an empty trace. @name: a stable name, such as `latency` or `memory_rss`. @origin_ns: the monotonic
 * time of time zero, in ns. */
DynoTrace *dyno_trace_new (const char *name, const char *unit, gint64 origin_ns);
/* Returns the trace. Fails with DYNO_ERROR_INVALID_DATA if the length is not a whole number of points. */
DynoTrace *dyno_trace_new_from_bytes (
    const char *name, const char *unit, gint64 origin_ns, GBytes *bytes, GError **error);

/* Allocates ahead, so that adding does not. @n_points: the number of points to come. */
void dyno_trace_reserve (DynoTrace *self, gsize n_points);
void dyno_trace_add (DynoTrace *self, gint64 time_ns, double value);

const char *dyno_trace_get_name (DynoTrace *self);
const char *dyno_trace_get_unit (DynoTrace *self);
gint64 dyno_trace_get_origin (DynoTrace *self);
/* Returns the number of its invocation in the case, from 0. */
guint dyno_trace_get_invocation (DynoTrace *self);
/* @invocation: the number of its invocation in the case, from 0. */
void dyno_trace_set_invocation (DynoTrace *self, guint invocation);
gsize dyno_trace_get_length (DynoTrace *self);
/* Returns dyno_trace_get_length() times in ns since the origin. */
const gint64 *dyno_trace_get_times (DynoTrace *self);
/* Returns dyno_trace_get_length() values. */
const double *dyno_trace_get_values (DynoTrace *self);
/* Serialises a trace for storing and sending: all times as little-endian 64-bit integers, then all values as
 * little-endian doubles. Returns the bytes. The caller owns it. */
GBytes *dyno_trace_to_bytes (DynoTrace *self);

G_END_DECLS

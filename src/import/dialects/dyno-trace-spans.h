/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoTraceSpans:
 *
 * The events of a trace of Chrome, each with its start and end, in µs. Events of one thread are nested: the
 * own time of an event is its duration without the events inside it.
 */
typedef struct _DynoTraceSpans DynoTraceSpans;

/**
 * DynoTraceSpansFunc:
 * @what: the number of the event, as it was given
 * @microseconds: its own time
 * @data: user data
 */
typedef void (*DynoTraceSpansFunc) (guint what, double microseconds, gpointer data);

DynoTraceSpans *dyno_trace_spans_new (void);
void dyno_trace_spans_free (DynoTraceSpans *self);
/* @start: the start, in µs. @duration: the duration, in µs. */
void
dyno_trace_spans_add (DynoTraceSpans *self, const char *thread, guint what, double start, double duration);
/* @start: the start, in µs. */
void dyno_trace_spans_begin (DynoTraceSpans *self, const char *thread, guint what, double start);
/* @end: the end of the innermost open event, in µs. Ignored if no event is open. */
void dyno_trace_spans_end (DynoTraceSpans *self, const char *thread, double end);
void dyno_trace_spans_foreach (DynoTraceSpans *self, DynoTraceSpansFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTraceSpans, dyno_trace_spans_free)

G_END_DECLS

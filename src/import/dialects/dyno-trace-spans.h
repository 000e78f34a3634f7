/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoTraceSpans:
 *
 * The events of a trace of Chrome, each from when it began to when it ended, in µs. Those of one thread lie within each
 * other: the time of an event by itself is what is left of it without those within it.
 */
typedef struct _DynoTraceSpans DynoTraceSpans;

/**
 * DynoTraceSpansFunc:
 * @what: what happened, as it was given
 * @microseconds: how long it took by itself
 * @data: user data
 */
typedef void (*DynoTraceSpansFunc) (guint what, double microseconds, gpointer data);

DynoTraceSpans *dyno_trace_spans_new (void);
void dyno_trace_spans_free (DynoTraceSpans *self);
/* @start: when, in µs. @duration: how long it took, in µs. */
void
dyno_trace_spans_add (DynoTraceSpans *self, const char *thread, guint what, double start, double duration);
/* @start: since when, in µs. */
void dyno_trace_spans_begin (DynoTraceSpans *self, const char *thread, guint what, double start);
/* @end: when that ended which began last there, in µs. An end of what never began is none. */
void dyno_trace_spans_end (DynoTraceSpans *self, const char *thread, double end);
void dyno_trace_spans_foreach (DynoTraceSpans *self, DynoTraceSpansFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTraceSpans, dyno_trace_spans_free)

G_END_DECLS

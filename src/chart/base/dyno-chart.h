/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "dyno-chart-style.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoChartKind:
 * @DYNO_CHART_SCALING_LATENCY: latency against batch size or sequence length, a line per model and backend
 * @DYNO_CHART_SCALING_THROUGHPUT: throughput against the same
 * @DYNO_CHART_COMPARISON: bars of one metric over cases
 * @DYNO_CHART_MEMORY: memory over time, phases shaded
 * @DYNO_CHART_DISTRIBUTION: histogram of latencies
 * @DYNO_CHART_LATENCY_TIME: latency of every step over time
 * @DYNO_CHART_OPERATORS: where the time goes
 * @DYNO_CHART_ROOFLINE: cases under what the machine can do at most
 * @DYNO_CHART_ROOFLINE_OPERATORS: the operators of one case under the same
 * @DYNO_CHART_BANDWIDTH: bytes per second of each case against what the memory gives
 * @DYNO_CHART_POWER_EFFICIENCY: bars of what a joule buys
 * @DYNO_CHART_POWER_TIMELINE: power over time, phases and throttling shaded, temperature below
 * @DYNO_CHART_ENERGY_LATENCY: energy against latency, with the cases that nothing beats
 * @DYNO_CHART_THREAD_SCALING: throughput against threads, with what all of them could give
 */
typedef enum
{
  DYNO_CHART_SCALING_LATENCY,
  DYNO_CHART_SCALING_THROUGHPUT,
  DYNO_CHART_COMPARISON,
  DYNO_CHART_MEMORY,
  DYNO_CHART_DISTRIBUTION,
  DYNO_CHART_LATENCY_TIME,
  DYNO_CHART_OPERATORS,
  DYNO_CHART_ROOFLINE,
  DYNO_CHART_ROOFLINE_OPERATORS,
  DYNO_CHART_BANDWIDTH,
  DYNO_CHART_POWER_EFFICIENCY,
  DYNO_CHART_POWER_TIMELINE,
  DYNO_CHART_ENERGY_LATENCY,
  DYNO_CHART_THREAD_SCALING,
  DYNO_N_CHARTS,
} DynoChartKind;

const char *dyno_chart_kind_to_string (DynoChartKind kind);
gboolean dyno_chart_kind_from_string (const char *string, DynoChartKind *kind);
gboolean dyno_chart_kind_is_of_one_case (DynoChartKind kind);
gboolean dyno_chart_kind_has_roofs (DynoChartKind kind);

#define DYNO_TYPE_CHART (dyno_chart_get_type ())

/**
 * DynoChart:
 *
 * A picture of data: axes, layers of series, title, legend and caption, drawn with Cairo alone. It knows
 * nothing of widgets: the same [method@Dyno.Chart.render] serves window, PNG, SVG, PDF and tests.
 *
 * Signal `changed`: it must be drawn again (zoom, toggled series, moved cursor).
 */
G_DECLARE_FINAL_TYPE (DynoChart, dyno_chart, DYNO, CHART, GObject)

/* @runs: DynoRun with results loaded, one or more (more: overlaid, named by run). A chart for which the runs
 * hold no data is made all the same, and renders dyno_chart_get_empty_message(). */
DynoChart *dyno_chart_new (DynoChartKind kind, GPtrArray *runs);
/* For charts of one case: memory, distribution, latency over time, operators. */
DynoChart *dyno_chart_new_for_result (DynoChartKind kind, DynoRun *run, DynoResult *result);
/* A chart of one bare trace, for the live page; dyno_chart_refresh() after it grew. */
DynoChart *dyno_chart_new_for_trace (DynoTrace *trace, const char *title);
void dyno_chart_refresh (DynoChart *self);

/* What the machine of a run can do at most: DynoCeiling, as [method@Dyno.Store.load_ceilings] gives them. Charts that
 * show roofs are made anew; the others do not mind. */
void dyno_chart_set_ceilings (DynoChart *self, DynoRun *run, GPtrArray *ceilings);

/* The ways in which a chart can show its data, of which it shows one; most have none. */
guint dyno_chart_get_n_aspects (DynoChart *self);
const char *dyno_chart_get_aspect_name (DynoChart *self, guint aspect);
guint dyno_chart_get_aspect (DynoChart *self);
void dyno_chart_set_aspect (DynoChart *self, guint aspect);

const char *dyno_chart_get_title (DynoChart *self);
const char *dyno_chart_get_caption (DynoChart *self);
const char *dyno_chart_get_finding (DynoChart *self);
const char *dyno_chart_get_empty_message (DynoChart *self);

void
dyno_chart_render (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style);

/* How many bars can lie below each other: its rows, times those that share one; 0 for a chart without rows. */
guint dyno_chart_get_n_rows (DynoChart *self);

/* Legend: one entry per series. */
guint dyno_chart_get_n_series (DynoChart *self);
const char *dyno_chart_get_series_name (DynoChart *self, guint series);
gboolean dyno_chart_get_series_visible (DynoChart *self, guint series);
void dyno_chart_set_series_visible (DynoChart *self, guint series, gboolean visible);
void dyno_chart_render_swatch (
    DynoChart *self, guint series, cairo_t *cr, double width, double height, const DynoChartStyle *style);

/* Coordinates are those of the last render. */
gboolean dyno_chart_hover (DynoChart *self, double x, double y);
void dyno_chart_unhover (DynoChart *self);
gboolean dyno_chart_move_cursor (DynoChart *self, int d_point, int d_series);
const char *dyno_chart_get_cursor_text (DynoChart *self);
GObject *dyno_chart_get_cursor_subject (DynoChart *self);
void dyno_chart_zoom (DynoChart *self, double factor, double x, double y);
void dyno_chart_pan (DynoChart *self, double dx, double dy);
void dyno_chart_reset_zoom (DynoChart *self);
gboolean dyno_chart_is_zoomed (DynoChart *self);

/* The same data as a table: an array of rows (char **, NULL-terminated); the first row holds the headings. */
GPtrArray *dyno_chart_get_table (DynoChart *self);

G_END_DECLS

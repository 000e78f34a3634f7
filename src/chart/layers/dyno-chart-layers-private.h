/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-base-private.h"
#include "dyno-phase.h"
#include "dyno-trace.h"

G_BEGIN_DECLS

/* dyno-area-layer */

#define DYNO_TYPE_AREA_LAYER (dyno_area_layer_get_type ())

/**
 * DynoAreaLayer:
 *
 * A step line, whose values hold until the next point, with a tint down to zero.
 */
G_DECLARE_FINAL_TYPE (DynoAreaLayer, dyno_area_layer, DYNO, AREA_LAYER, DynoLayer)

/* Returns a layer. @filled: whether to tint down to zero; several areas would hide each other. */
DynoLayer *dyno_area_layer_new (DynoSeries *series, gboolean filled);

/* dyno-band-layer */

#define DYNO_TYPE_BAND_LAYER (dyno_band_layer_get_type ())

/**
 * DynoBandLayer:
 *
 * The intervals of a series: a whisker at each point, and a tint between them.
 */
G_DECLARE_FINAL_TYPE (DynoBandLayer, dyno_band_layer, DYNO, BAND_LAYER, DynoLayer)

DynoLayer *dyno_band_layer_new (DynoSeries *series);

/* dyno-bar-layer */

#define DYNO_TYPE_BAR_LAYER (dyno_bar_layer_get_type ())

/**
 * DynoBarLayer:
 *
 * Bars in the rows of a category axis, with whiskers for intervals and the value written at the end. The x of
 * a point is its row, its y the length of its bar. Layers of one chart can share the rows.
 */
G_DECLARE_FINAL_TYPE (DynoBarLayer, dyno_bar_layer, DYNO, BAR_LAYER, DynoLayer)

/* Bars are hatched if that is the mark of the series. Returns a layer. */
DynoLayer *dyno_bar_layer_new (DynoSeries *series, guint lane, guint n_lanes);

/* @values_aside: whether values are aligned at the right edge, because other layers draw beside the bars. */
void dyno_bar_layer_set_values_aside (DynoBarLayer *self, gboolean values_aside);
/* The length of a stack shows the sum of its bars; each bar contains its own value. @below: the series at
 * whose ends its bars begin, point by point; NULL for the first of a stack. */
void dyno_bar_layer_stack (DynoBarLayer *self, DynoSeries *below);

/* dyno-bubble-layer */

#define DYNO_TYPE_BUBBLE_LAYER (dyno_bubble_layer_get_type ())

/**
 * DynoBubbleLayer:
 *
 * A few points in the plane, each with its own text: a marker with whiskers, or a disc whose area is the
 * point's weight, and its name beside it where there is room. Flagged points have a ring.
 */
G_DECLARE_FINAL_TYPE (DynoBubbleLayer, dyno_bubble_layer, DYNO, BUBBLE_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_bubble_layer_new (DynoSeries *series);
/* Returns a layer of less important points. */
DynoLayer *dyno_bubble_layer_new_pale (DynoSeries *series);

/* dyno-column-layer */

#define DYNO_TYPE_COLUMN_LAYER (dyno_column_layer_get_type ())

/**
 * DynoColumnLayer:
 *
 * Upright columns side by side: each begins at the x of its point and is equally wide. A histogram.
 */
G_DECLARE_FINAL_TYPE (DynoColumnLayer, dyno_column_layer, DYNO, COLUMN_LAYER, DynoLayer)

/* Returns a layer. @filled: whether columns are solid; outlines can lie over each other. */
DynoLayer *dyno_column_layer_new (DynoSeries *series, double bin_width, gboolean filled);

/* dyno-forest-layer */

#define DYNO_TYPE_FOREST_LAYER (dyno_forest_layer_get_type ())

/**
 * DynoForestLayer:
 *
 * Values in rows with their intervals along the x axis: the x of the series is the row, its y the value. The
 * label of a point is beside the row if the plot keeps room for it.
 */
G_DECLARE_FINAL_TYPE (DynoForestLayer, dyno_forest_layer, DYNO, FOREST_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_forest_layer_new (DynoSeries *series);

/* dyno-guide-layer */

#define DYNO_TYPE_GUIDE_LAYER (dyno_guide_layer_get_type ())

/**
 * DynoGuideLayer:
 *
 * A thin dashed reference line; the cursor skips it.
 */
G_DECLARE_FINAL_TYPE (DynoGuideLayer, dyno_guide_layer, DYNO, GUIDE_LAYER, DynoLayer)

/* Returns a layer. @in_steps: whether each value holds until the next point, instead of a straight line to
 * it. */
DynoLayer *dyno_guide_layer_new (DynoSeries *series, gboolean in_steps);

/* dyno-limit-layer */

#define DYNO_TYPE_LIMIT_LAYER (dyno_limit_layer_get_type ())

/**
 * DynoLimitLayer:
 *
 * A stroke across a row of bars that marks their limit.
 */
G_DECLARE_FINAL_TYPE (DynoLimitLayer, dyno_limit_layer, DYNO, LIMIT_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_limit_layer_new (DynoSeries *series, gboolean dashed);

/* dyno-line-layer */

#define DYNO_TYPE_LINE_LAYER (dyno_line_layer_get_type ())

/**
 * DynoLineLayer:
 *
 * Points joined by lines, with markers if there is room.
 */
G_DECLARE_FINAL_TYPE (DynoLineLayer, dyno_line_layer, DYNO, LINE_LAYER, DynoLayer)

DynoLayer *dyno_line_layer_new (DynoSeries *series);
/* Returns a layer that writes the labels of its points beside them if there is room. */
DynoLayer *dyno_line_layer_new_labelled (DynoSeries *series);

/* dyno-matrix-layer */

#define DYNO_TYPE_MATRIX_LAYER (dyno_matrix_layer_get_type ())

/**
 * DynoMatrixLayer:
 *
 * Cells between two axes of categories: columns as x, rows as y. The mark of the series says how they are
 * filled: solid, with a deeper shade for a higher weight (0…1), hatched, or only with a dashed outline. The
 * label of a point is in its cell, its first line in bold, if there is room.
 */
G_DECLARE_FINAL_TYPE (DynoMatrixLayer, dyno_matrix_layer, DYNO, MATRIX_LAYER, DynoLayer)

/* Returns a layer. @series: columns as x, rows as y; its mark is `BAR`, `HATCH` or `GUIDE`. */
DynoLayer *dyno_matrix_layer_new (DynoSeries *series);

/* dyno-roof-layer */

#define DYNO_TYPE_ROOF_LAYER (dyno_roof_layer_get_type ())

/**
 * DynoRoof:
 * @slope: the bytes per second of a memory roof; 0 for a compute roof
 * @rate: the operations per second at which it ends; the value of a compute roof
 * @begin: the intensity from which on a compute roof is drawn
 * @spread: its variation during the measurement, as a share, which is drawn as a band; 0 for none
 * @theoretical: whether it was derived, not measured, and is dashed
 * @faint: whether no point is judged by it
 * @label: its name along the line
 * @short_label: (nullable): the name to use if there is no room for @label
 *
 * An upper bound for all work, in the units of the axes.
 */
typedef struct
{
  double slope;
  double rate;
  double begin;
  double spread;
  gboolean theoretical;
  gboolean faint;
  const char *label;
  const char *short_label;
} DynoRoof;

/**
 * DynoRoofLayer:
 *
 * The roofs of a machine: slopes for memory and flat lines for compute, on logarithmic axes, with their names
 * along them. It is drawn behind the points.
 */
G_DECLARE_FINAL_TYPE (DynoRoofLayer, dyno_roof_layer, DYNO, ROOF_LAYER, DynoLayer)

DynoLayer *dyno_roof_layer_new (void);
void dyno_roof_layer_add (DynoRoofLayer *self, const DynoRoof *roof);
/* @rate: the maximum at that intensity. @label may be NULL. */
void dyno_roof_layer_add_ridge (DynoRoofLayer *self, double intensity, double rate, const char *label);

/* dyno-rule-layer */

#define DYNO_TYPE_RULE_LAYER (dyno_rule_layer_get_type ())

/**
 * DynoRuleLayer:
 *
 * Named upright lines at single values of the x axis, such as the median.
 */
G_DECLARE_FINAL_TYPE (DynoRuleLayer, dyno_rule_layer, DYNO, RULE_LAYER, DynoLayer)

DynoLayer *dyno_rule_layer_new (void);
/* Adds a line; call it in order of ascending values. */
void dyno_rule_layer_add (DynoRuleLayer *self, double value, const char *label);
void dyno_rule_layer_set_note (DynoRuleLayer *self, const char *note);

/* dyno-scatter-layer */

#define DYNO_TYPE_SCATTER_LAYER (dyno_scatter_layer_get_type ())

/**
 * DynoScatterLayer:
 *
 * A dot for each point. If there are more points than pixels, each column of pixels has a faint bar from its
 * minimum to its maximum and a dot for its last point.
 */
G_DECLARE_FINAL_TYPE (DynoScatterLayer, dyno_scatter_layer, DYNO, SCATTER_LAYER, DynoLayer)

DynoLayer *dyno_scatter_layer_new (DynoSeries *series);

/* dyno-span-layer */

#define DYNO_TYPE_SPAN_LAYER (dyno_span_layer_get_type ())

/**
 * DynoSpanLayer:
 *
 * The phases of a case, shaded behind the data and named if there is room.
 */
G_DECLARE_FINAL_TYPE (DynoSpanLayer, dyno_span_layer, DYNO, SPAN_LAYER, DynoLayer)

/* Returns a layer for an axis of seconds. @phases: the trace `phases` of a result. */
DynoLayer *dyno_span_layer_new (DynoTrace *phases);
void dyno_span_layer_set_named (DynoSpanLayer *self, gboolean named);
/* Names the stages of the model as well, where they are loaded. @openings (nullable): the trace `stage_openings` of a
 * result. @stages: their names, in the order of the model. */
void dyno_span_layer_set_stages (DynoSpanLayer *self, DynoTrace *openings, const char *const *stages);
/* Returns the stage that is loaded at that time; NULL if there is none. @openings (nullable): as above. */
const char *dyno_span_layer_find_stage (DynoTrace *openings, const char *const *stages, double seconds);
/* Returns the phase at that time; DYNO_N_PHASES if there is none. @phases (nullable): the trace `phases` of a
 * result. */
DynoPhase dyno_span_layer_find_phase (DynoTrace *phases, double seconds);
/* Returns its name for people. */
const char *dyno_span_layer_get_phase_name (DynoPhase phase);

/* dyno-spread-layer */

#define DYNO_TYPE_SPREAD_LAYER (dyno_spread_layer_get_type ())

/**
 * DynoSpreadLayer:
 *
 * Values in the rows of a category axis: a stroke with whiskers if a value has a band, else a marker. The x
 * of a point is its row plus an offset of less than a half, which grows along the row, so that keys move
 * along the row.
 */
G_DECLARE_FINAL_TYPE (DynoSpreadLayer, dyno_spread_layer, DYNO, SPREAD_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_spread_layer_new (DynoSeries *series);

/* dyno-stretch-layer */

#define DYNO_TYPE_STRETCH_LAYER (dyno_stretch_layer_get_type ())

/**
 * DynoStretchLayer:
 *
 * Hatched stretches of time with a name.
 */
G_DECLARE_FINAL_TYPE (DynoStretchLayer, dyno_stretch_layer, DYNO, STRETCH_LAYER, DynoLayer)

/* Returns a layer for an axis of seconds. @trace: above 0 in the stretches. @name may be NULL. */
DynoLayer *dyno_stretch_layer_new (DynoTrace *trace, const char *name);

/* dyno-strip-layer */

#define DYNO_TYPE_STRIP_LAYER (dyno_strip_layer_get_type ())

/**
 * DynoStripLayer:
 *
 * Consecutive pieces in the rows of a category axis, named if there is room. The band of a point is the
 * beginning and the end of its piece; its x is the row plus an offset of less than a half, which grows along
 * the row, so that keys move along the row.
 */
G_DECLARE_FINAL_TYPE (DynoStripLayer, dyno_strip_layer, DYNO, STRIP_LAYER, DynoLayer)

/* Pieces are hatched if that is the mark of the series. Returns a layer. */
DynoLayer *dyno_strip_layer_new (DynoSeries *series);

/* dyno-tolerance-layer */

#define DYNO_TYPE_TOLERANCE_LAYER (dyno_tolerance_layer_get_type ())

/**
 * DynoToleranceLayer:
 *
 * An upright line, and the band around it of differences that do not matter.
 */
G_DECLARE_FINAL_TYPE (DynoToleranceLayer, dyno_tolerance_layer, DYNO, TOLERANCE_LAYER, DynoLayer)

/* Returns a layer. */
DynoLayer *dyno_tolerance_layer_new (double middle, double low, double high);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoMark:
 * @DYNO_MARK_LINE: a line with markers
 * @DYNO_MARK_DASH: a line without markers, distinguished by its dash
 * @DYNO_MARK_DOT: markers alone
 * @DYNO_MARK_BAR: a bar
 * @DYNO_MARK_GUIDE: a thin dashed reference line
 * @DYNO_MARK_HATCH: a hatched bar
 * @DYNO_MARK_LIMIT: a stroke across bars
 * @DYNO_MARK_DASHED_LIMIT: a dashed one
 * @DYNO_MARK_VERDICT: a marker for the verdict of a comparison
 *
 * How a series is drawn; the legend shows the same.
 */
typedef enum
{
  DYNO_MARK_LINE,
  DYNO_MARK_DASH,
  DYNO_MARK_DOT,
  DYNO_MARK_BAR,
  DYNO_MARK_GUIDE,
  DYNO_MARK_HATCH,
  DYNO_MARK_LIMIT,
  DYNO_MARK_DASHED_LIMIT,
  DYNO_MARK_VERDICT,
} DynoMark;

/**
 * DynoDoubt:
 * @DYNO_DOUBT_NONE: no doubt
 * @DYNO_DOUBT_IMPORTED: another tool measured it, with its own method; dotted ring
 * @DYNO_DOUBT_DOUBTFUL: it was measured under a warning; amber ring
 * @DYNO_DOUBT_UNSTEADY: it covers a whole measurement that never became steady; dashed
 *
 * The doubt about a point; greater is worse.
 */
typedef enum
{
  DYNO_DOUBT_NONE,
  DYNO_DOUBT_IMPORTED,
  DYNO_DOUBT_DOUBTFUL,
  DYNO_DOUBT_UNSTEADY,
} DynoDoubt;

#define DYNO_TYPE_SERIES (dyno_series_get_type ())

/**
 * DynoSeries:
 *
 * Points that belong together, cached as doubles, with an optional interval around each y. A series has a
 * name and a *slot*, a number that determines its colour, marker and dash. Points that are not finite are
 * left out.
 */
G_DECLARE_FINAL_TYPE (DynoSeries, dyno_series, DYNO, SERIES, GObject)

/* From so many points on, what is derived from them is kept. */
#define DYNO_SERIES_LONG 20000

/* Returns a series without points. */
DynoSeries *dyno_series_new (const char *name, guint slot);
/* Returns a series of the readings, against time in s. */
DynoSeries *dyno_series_new_from_trace (const char *name, guint slot, DynoTrace *trace);

const char *dyno_series_get_name (DynoSeries *self);
guint dyno_series_get_slot (DynoSeries *self);
void dyno_series_set_slot (DynoSeries *self, guint slot);
DynoMark dyno_series_get_mark (DynoSeries *self);
void dyno_series_set_mark (DynoSeries *self, DynoMark mark);
gboolean dyno_series_get_visible (DynoSeries *self);
void dyno_series_set_visible (DynoSeries *self, gboolean visible);
gboolean dyno_series_get_off_scale (DynoSeries *self);
/* @off_scale: TRUE if y is a drawing position, not data. */
void dyno_series_set_off_scale (DynoSeries *self, gboolean off_scale);
gboolean dyno_series_has_leader (DynoSeries *self);
void dyno_series_set_leader (DynoSeries *self, DynoSeries *leader);

/* Follows the series of the same name, so that both are shown or hidden together, or becomes a leader itself.
 * @leaders holds DynoSeries. */
void dyno_series_follow (DynoSeries *self, GPtrArray *leaders);

/* Allocates ahead. @n_points: the number of points to come. */
void dyno_series_reserve (DynoSeries *self, guint n_points);
/* Appends a point. dyno_series_find() needs increasing x. Returns whether the point was added: both numbers
 * are finite. */
gboolean dyno_series_add (DynoSeries *self, double x, double y);
/* Returns whether the point was added. @low: the lower end of the interval around @y; not finite for none. */
gboolean dyno_series_add_with_band (DynoSeries *self, double x, double y, double low, double high);
/* Returns whether the point was added. @text: the text to show for the point, instead of its numbers. */
gboolean dyno_series_add_with_text (DynoSeries *self, double x, double y, const char *text);
void dyno_series_set_text (DynoSeries *self, guint index, const char *text);
void dyno_series_set_label (DynoSeries *self, guint index, const char *label);
void dyno_series_set_subject (DynoSeries *self, guint index, gpointer subject);
/* @weight: its drawn size, as a share of the maximum size. */
void dyno_series_set_weight (DynoSeries *self, guint index, double weight);
/* @hollow: whether it is only drawn in outline, because it is an estimate. */
void dyno_series_set_hollow (DynoSeries *self, guint index, gboolean hollow);
void dyno_series_set_flagged (DynoSeries *self, guint index, gboolean flagged);
void dyno_series_set_doubt (DynoSeries *self, guint index, DynoDoubt doubt);

guint dyno_series_get_length (DynoSeries *self);
const double *dyno_series_get_x (DynoSeries *self);
const double *dyno_series_get_y (DynoSeries *self);
gboolean dyno_series_has_band (DynoSeries *self);
/* Returns whether the point has an interval. @low: the lower end of its interval; unchanged if it has none. */
gboolean dyno_series_get_band (DynoSeries *self, guint index, double *low, double *high);
/* Returns the text that is shown for the point instead of its numbers; NULL if there is none. */
const char *dyno_series_get_text (DynoSeries *self, guint index);
const char *dyno_series_get_label (DynoSeries *self, guint index);
GObject *dyno_series_get_subject (DynoSeries *self, guint index);
double dyno_series_get_weight (DynoSeries *self, guint index);
gboolean dyno_series_get_hollow (DynoSeries *self, guint index);
gboolean dyno_series_get_flagged (DynoSeries *self, guint index);
DynoDoubt dyno_series_get_doubt (DynoSeries *self, guint index);
gboolean dyno_series_has_doubt (DynoSeries *self, DynoDoubt doubt);

/* Returns the first point at @x or after it; the length if there is none. */
guint dyno_series_find (DynoSeries *self, double x);
/* Finds the points from @low to @high, both included: from @first to before @end. */
void dyno_series_find_range (DynoSeries *self, double low, double high, guint *first, guint *end);
/* Examines only a few of the points, however many there are. Returns whether there are any points. @least:
 * the minimum y of these points. */
gboolean dyno_series_get_extent (DynoSeries *self, guint first, guint end, double *least, double *most);
/* Finds the extent of several series (DynoSeries), whose points are in the order of x: infinite values and an
 * @end of 0 if they have no points. */
void dyno_series_get_common_extent (GPtrArray *all, double *begin, double *end, double *least, double *most);
/* Returns the first point with the greatest y; 0 if there is none. */
guint dyno_series_find_greatest (DynoSeries *self);

G_END_DECLS

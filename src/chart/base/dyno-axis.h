/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "dyno-unit.h"

G_BEGIN_DECLS

/**
 * DynoTick:
 * @value: its position, in data units
 * @minor: whether it has a fainter line and no label
 * @label: (nullable): the text beside it
 */
typedef struct
{
  double value;
  gboolean minor;
  char *label;
} DynoTick;

#define DYNO_TYPE_AXIS (dyno_axis_get_type ())

/**
 * DynoAxis:
 *
 * Converts data to positions from 0 to 1 and back, chooses ticks and formats values; it does not deal with
 * pixels. An axis has three ranges: the data range, which bounds zooming out; the home range, which is shown
 * first; and the visible range, which zoom and pan change.
 */
G_DECLARE_DERIVABLE_TYPE (DynoAxis, dyno_axis, DYNO, AXIS, GObject)

/**
 * DynoAxisClass:
 * @scale: converts data to a number that grows evenly along the axis; strictly increasing
 * @unscale: the inverse of @scale
 * @widen: makes an empty or impossible data range usable
 * @add_ticks: appends #DynoTick between low and high, with about the requested number of major ones
 * @format: formats a single value with its unit
 * @get_tick_unit: the unit that the title names, or the form of the ticks; empty where they carry their units
 */
struct _DynoAxisClass
{
  GObjectClass parent_class;

  double (*scale) (DynoAxis *self, double value);
  double (*unscale) (DynoAxis *self, double scaled);
  void (*widen) (DynoAxis *self, double *low, double *high);
  void (*add_ticks) (DynoAxis *self, double low, double high, guint n_wanted, GArray *ticks);
  char *(*format) (DynoAxis *self, double value);
  const char *(*get_tick_unit) (DynoAxis *self);
};

const char *dyno_axis_get_title (DynoAxis *self);
void dyno_axis_set_title (DynoAxis *self, const char *title);
const char *dyno_axis_get_unit (DynoAxis *self);
/* @unit: the unit in which its values are stored; empty for plain numbers. */
void dyno_axis_set_unit (DynoAxis *self, const char *unit);
gboolean dyno_axis_get_zoomable (DynoAxis *self);
/* @is_turned: whether its values grow to the left, or downwards. */
void dyno_axis_set_turned (DynoAxis *self, gboolean is_turned);
gboolean dyno_axis_get_turned (DynoAxis *self);
/* @left: what lies towards this side, such as “slower”. */
void dyno_axis_set_sides (DynoAxis *self, const char *left, const char *right);
/* @limit: the greatest value of the data; no tick lies beyond it, however much room there is for labels. */
void dyno_axis_set_limit (DynoAxis *self, double limit);
/* @lone: whether its data have one value only; the axis then marks only that one. */
void dyno_axis_set_lone (DynoAxis *self, gboolean lone);
void dyno_axis_set_zoomable (DynoAxis *self, gboolean zoomable);
/* @counts: whether its values are counts, so that there are no ticks between 1 and 2. */
void dyno_axis_set_counts (DynoAxis *self, gboolean counts);
/* @chosen: the unit of its ticks and of its title at any zoom. */
void dyno_axis_choose_unit (DynoAxis *self, DynoUnit *chosen);
/* Returns its title with the unit in which its ticks are written. */
char *dyno_axis_dup_label (DynoAxis *self);

/* Sets all three ranges. Widens an empty range; replaces a range that is not finite by 0 to 1. */
void dyno_axis_set_range (DynoAxis *self, double low, double high);
/* Shows a part of the data range at first, and again after dyno_axis_reset(). */
void dyno_axis_set_home (DynoAxis *self, double low, double high);
void dyno_axis_get_range (DynoAxis *self, double *low, double *high);
void dyno_axis_get_visible (DynoAxis *self, double *low, double *high);
/* Shows a range, moved into the data range if need be. */
void dyno_axis_set_visible (DynoAxis *self, double low, double high);

/* Returns the position of the value in the visible range: 0 at the beginning, 1 at the end. */
double dyno_axis_normalize (DynoAxis *self, double value);
/* Returns the value at the position. */
double dyno_axis_denormalize (DynoAxis *self, double position);
/* Returns the ticks inside the visible range, from the left or from below. Elements are DynoTick. */
GArray *dyno_axis_list_ticks (DynoAxis *self, guint n_wanted);
/* Returns how many ticks have a label. @ticks holds DynoTick. */
guint dyno_axis_count_labels (GArray *ticks);
/* Returns the value as text, with its unit. The caller owns it. */
char *dyno_axis_format (DynoAxis *self, double value);

/* @factor: above 1 zooms in. @position: the position, 0 to 1, that stays in place. */
void dyno_axis_zoom (DynoAxis *self, double factor, double position);
void dyno_axis_pan (DynoAxis *self, double distance);
void dyno_axis_reset (DynoAxis *self);
gboolean dyno_axis_is_zoomed (DynoAxis *self);
/* Takes over the visible range of @from if that was zoomed. */
void dyno_axis_copy_zoom (DynoAxis *self, DynoAxis *from);
/* Returns whether both measure the same: type, title and unit are equal. */
gboolean dyno_axis_is_like (DynoAxis *self, DynoAxis *other);
/* Gives the axes one range that contains all of theirs; joining an axis alone gives back its own.
 * @axes holds DynoAxis. */
void dyno_axis_join (GPtrArray *axes);

/* For subclasses. */

/* Returns the smallest of 1, 2, 5 times a power of ten that is at least @raw. */
double dyno_axis_get_nice_step (double raw);
void dyno_axis_add_tick (GArray *ticks, double value, gboolean minor, char *label);
/* Appends ticks at multiples of 1, 2 or 5 times a power of ten in the displayed unit; all have the same
 * number of decimals. @ticks holds DynoTick. */
void dyno_axis_add_even_ticks (DynoAxis *self, double low, double high, guint n_wanted, GArray *ticks);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "dyno-unit.h"

G_BEGIN_DECLS

/**
 * DynoTick:
 * @value: where it stands, in data
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
 * Turns data into places from 0 to 1 and back, and knows how to mark and write its values; it knows nothing
 * of pixels. An axis has three ranges: that of the data, which bounds zooming out; the home range, which is
 * shown first; and the visible one, which zoom and pan change.
 */
G_DECLARE_DERIVABLE_TYPE (DynoAxis, dyno_axis, DYNO, AXIS, GObject)

/**
 * DynoAxisClass:
 * @scale: from data to a number that grows evenly along the axis; strictly growing
 * @unscale: the inverse of @scale
 * @widen: makes an empty or impossible data range usable
 * @add_ticks: appends #DynoTick between low and high, with about the requested number of major ones
 * @format: a single value, with its unit
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
/* @limit: the greatest value of the data; no tick is beyond it, however much room there is for labels. */
void dyno_axis_set_limit (DynoAxis *self, double limit);
/* @lone: whether its data have one value only, which is then the only one marked. */
void dyno_axis_set_lone (DynoAxis *self, gboolean lone);
void dyno_axis_set_zoomable (DynoAxis *self, gboolean zoomable);
/* @counts: whether its values are counted, so that there is nothing between 1 and 2. */
void dyno_axis_set_counts (DynoAxis *self, gboolean counts);
/* @chosen: the unit of its ticks and of its heading, however far one zooms. */
void dyno_axis_choose_unit (DynoAxis *self, DynoUnit *chosen);
/* Returns its title with the unit in which its ticks are written. */
char *dyno_axis_dup_label (DynoAxis *self);

/* Sets all three ranges. A range that is empty is widened, one that is not finite becomes that of 0 to 1. */
void dyno_axis_set_range (DynoAxis *self, double low, double high);
/* Shows a part of the data range at first, and again after dyno_axis_reset(). */
void dyno_axis_set_home (DynoAxis *self, double low, double high);
void dyno_axis_get_range (DynoAxis *self, double *low, double *high);
void dyno_axis_get_visible (DynoAxis *self, double *low, double *high);
/* Shows a stretch, moved into the data range if need be. */
void dyno_axis_set_visible (DynoAxis *self, double low, double high);

/* Returns its place in the visible range: 0 at the beginning, 1 at the end. */
double dyno_axis_normalize (DynoAxis *self, double value);
/* Returns the value there. */
double dyno_axis_denormalize (DynoAxis *self, double position);
/* Returns the ticks inside the visible range. Elements are DynoTick. */
GArray *dyno_axis_list_ticks (DynoAxis *self, guint n_wanted);
/* Returns how many of them have a label. @ticks holds DynoTick. */
guint dyno_axis_count_labels (GArray *ticks);
/* Returns the value as text, with its unit. The caller owns it. */
char *dyno_axis_format (DynoAxis *self, double value);

/* @factor: above 1 comes closer. @position: the place, 0 to 1, that stays where it is. */
void dyno_axis_zoom (DynoAxis *self, double factor, double position);
void dyno_axis_pan (DynoAxis *self, double distance);
void dyno_axis_reset (DynoAxis *self);
gboolean dyno_axis_is_zoomed (DynoAxis *self);
/* Shows what @from showed, if that was zoomed. */
void dyno_axis_copy_zoom (DynoAxis *self, DynoAxis *from);

/* For subclasses. */

/* Returns the least of 1, 2, 5 times a power of ten that is no less than @raw. */
double dyno_axis_get_nice_step (double raw);
void dyno_axis_add_tick (GArray *ticks, double value, gboolean minor, char *label);
/* Appends ticks at multiples of 1, 2 or 5 times a power of ten of the unit shown, all written with the
 * same number of decimals. @ticks holds DynoTick. */
void dyno_axis_add_even_ticks (DynoAxis *self, double low, double high, guint n_wanted, GArray *ticks);

G_END_DECLS

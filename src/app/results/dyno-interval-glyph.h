/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_INTERVAL_GLYPH (dyno_interval_glyph_get_type ())

/**
 * DynoIntervalGlyph:
 *
 * The interval of a median, relative to the median in the middle of the line. The glyphs of a table share a
 * scale; without an interval, nothing is drawn.
 */
G_DECLARE_FINAL_TYPE (DynoIntervalGlyph, dyno_interval_glyph, DYNO, INTERVAL_GLYPH, GtkWidget)

/* @low: the deviation of the interval's low end from the median, as a share of the median; NaN for no
 * interval. @widest: the deviation at both ends of the line, as a share of the median. */
void
dyno_interval_glyph_set (DynoIntervalGlyph *self, double low, double high, double widest, gboolean doubtful);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_INTERVAL_GLYPH (dyno_interval_glyph_get_type ())

/**
 * DynoIntervalGlyph:
 *
 * The interval of a median, relative to the median in the middle of the line. Glyphs beside each other have the same
 * scale; where there is no interval, nothing is drawn.
 */
G_DECLARE_FINAL_TYPE (DynoIntervalGlyph, dyno_interval_glyph, DYNO, INTERVAL_GLYPH, GtkWidget)

/* @low: how far the low end of the interval lies from the median, as a share of the median; NaN for no
 * interval. @widest: where the line ends to both sides, as a share of the median. */
void
dyno_interval_glyph_set (DynoIntervalGlyph *self, double low, double high, double widest, gboolean doubtful);

G_END_DECLS

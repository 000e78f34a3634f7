/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_INTERVAL_GLYPH (dyno_interval_glyph_get_type ())

/**
 * DynoIntervalGlyph:
 *
 * A number on a line from zero to the largest one beside it, with its interval where there is one.
 */
G_DECLARE_FINAL_TYPE (DynoIntervalGlyph, dyno_interval_glyph, DYNO, INTERVAL_GLYPH, GtkWidget)

void dyno_interval_glyph_set (
    DynoIntervalGlyph *self, double low, double middle, double high, double largest, gboolean doubtful);

G_END_DECLS

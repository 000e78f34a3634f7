/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_SPARKLINE (dyno_sparkline_get_type ())

/**
 * DynoSparkline:
 *
 * The last numbers of a series as a small line without axes, which only shows whether they rise or fall. The
 * text beside it gives the value, so assistive technologies ignore the line.
 */
G_DECLARE_FINAL_TYPE (DynoSparkline, dyno_sparkline, DYNO, SPARKLINE, GtkWidget)

/* Returns an empty line. */
GtkWidget *dyno_sparkline_new (void);

void dyno_sparkline_push (DynoSparkline *self, double value);
guint dyno_sparkline_get_length (DynoSparkline *self);

G_END_DECLS

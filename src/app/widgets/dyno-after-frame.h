/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * DynoAfterFrame:
 * @widget: the widget that was drawn
 *
 * Called once a widget is on the screen.
 */
typedef void (*DynoAfterFrame) (GtkWidget *widget);

/* Keeps the first frame fast by deferring work that it does not show. @callback: called once, after the first
 * frame with @widget; never if @widget is not shown. */
void dyno_after_frame (GtkWidget *widget, DynoAfterFrame callback);

G_END_DECLS

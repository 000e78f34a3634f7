/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * DynoAfterFrame:
 * @widget: the widget that was drawn
 *
 * What can wait until a widget is on the screen.
 */
typedef void (*DynoAfterFrame) (GtkWidget *widget);

/* Keeps the first frame quick: what it does not show waits for it. @callback: called once, after the first
 * frame that has @widget; never where it is not shown. */
void dyno_after_frame (GtkWidget *widget, DynoAfterFrame callback);

G_END_DECLS

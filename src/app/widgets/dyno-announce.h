/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Announces a change away from the focus, such as the end of a case, to screen readers. If GTK cannot
 * announce, the text goes to an invisible label of the window with the role of a status. Widgets outside a
 * window announce nothing. */
void dyno_announce (GtkWidget *widget, const char *text);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Tells a screen reader what happens away from the focus, such as the end of a case. Where GTK cannot
 * announce, the text goes to an unseen label of the window whose role is that of a status. Nobody else
 * notices; what is not in a window says nothing. */
void dyno_announce (GtkWidget *widget, const char *text);

G_END_DECLS

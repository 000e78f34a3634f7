/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Whoever double-clicks the other button does not press @button: the pointer cannot press it for the time
 * of a double click after it has appeared. @button: a button that takes the place of another one, such as
 * Stop that of Run. */
void dyno_double_click_guard (GtkWidget *button);

G_END_DECLS

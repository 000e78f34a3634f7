/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Protects @button from a double click on the button that it replaces: it ignores the pointer for the time of
 * a double click after it has appeared. @button: a button that replaces another one, such as Stop that
 * replaces Run. */
void dyno_double_click_guard (GtkWidget *button);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Case names differ at their end, so narrow columns wrap them before ellipsizing. Returns a label for a name
 * in a table. @width_chars: its minimum width in letters. */
GtkWidget *dyno_name_label_new (int width_chars);

G_END_DECLS

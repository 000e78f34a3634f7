/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Names of cases differ at their end, so in narrow columns they are broken before they are cut. Returns a
 * label for a name in a table. @width_chars: how many letters it has room for at least. */
GtkWidget *dyno_name_label_new (int width_chars);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void dyno_double_click_guard (GtkWidget *button);

G_END_DECLS

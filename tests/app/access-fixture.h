/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Looks at widgets as a screen reader and a keyboard do. Failures name the widget and let the test go on. */

void access_fixture_assert_named (GtkWidget *widget, const char *where, gboolean only_mapped);
void access_fixture_assert_walk (GtkWindow *window, const char *where);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows @toast on the nearest overlay above @widget. If there is none, because the widget has left its
 * window, nothing is shown. Takes @toast. */
void dyno_toast_add (GtkWidget *widget, AdwToast *toast);
void dyno_toast_say (GtkWidget *widget, const char *text);
/* Hides the toast a moment later. If a toast is hidden while it appears, libadwaita 1.2 frees data of both
 * animations when the first one ends, which may be the wrong one if frames are slow. @toast: a toast that may
 * have just appeared. */
void dyno_toast_dismiss (AdwToast *toast);
/* Reports a failure; a button shows the whole message. @error: the reason. */
void dyno_toast_report_error (GtkWidget *widget, const char *text, const GError *error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows @toast on the nearest overlay above @widget. Where there is none, because the widget has left its
 * window meanwhile, nothing is shown. Takes @toast. */
void dyno_toast_add (GtkWidget *widget, AdwToast *toast);
void dyno_toast_say (GtkWidget *widget, const char *text);
/* Hides the toast a moment later. Of a toast that is hidden while it still appears, libadwaita 1.2 frees
 * what both movements use as soon as the first one ends, and slow frames let that be the wrong one.
 * @toast: a toast that may have been shown just now. */
void dyno_toast_dismiss (AdwToast *toast);
/* Says that something failed; a button shows the whole message. @error: why. */
void dyno_toast_report_error (GtkWidget *widget, const char *text, const GError *error);

G_END_DECLS

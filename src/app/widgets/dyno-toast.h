/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void dyno_toast_add (GtkWidget *widget, AdwToast *toast);
void dyno_toast_say (GtkWidget *widget, const char *text);
void dyno_toast_dismiss (AdwToast *toast);
void dyno_toast_report_error (GtkWidget *widget, const char *text, const GError *error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_PREFERENCES (dyno_preferences_get_type ())

/**
 * DynoPreferences:
 *
 * The window with the user's settings.
 */
G_DECLARE_FINAL_TYPE (DynoPreferences, dyno_preferences, DYNO, PREFERENCES, AdwWindow)

/* Returns a new window. */
GtkWidget *dyno_preferences_new (GSettings *settings);

G_END_DECLS

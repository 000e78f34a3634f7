/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_COMPATIBILITY_WINDOW (dyno_compatibility_window_get_type ())

/**
 * DynoCompatibilityWindow:
 *
 * Shows which bundled models can run on which device of which backend: a matrix, and the reasons for the
 * selected model. Read-only property `loading` (boolean).
 */
G_DECLARE_FINAL_TYPE (
    DynoCompatibilityWindow, dyno_compatibility_window, DYNO, COMPATIBILITY_WINDOW, AdwWindow)

/* Starts to load without waiting for the result. Returns a new window. */
GtkWidget *dyno_compatibility_window_new (void);

gboolean dyno_compatibility_window_get_loading (DynoCompatibilityWindow *self);

G_END_DECLS

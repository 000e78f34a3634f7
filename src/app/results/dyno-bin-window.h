/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BIN_WINDOW (dyno_bin_window_get_type ())

/**
 * DynoBinWindow:
 *
 * The runs deleted in the last 30 days. Each can be restored.
 */
G_DECLARE_FINAL_TYPE (DynoBinWindow, dyno_bin_window, DYNO, BIN_WINDOW, AdwWindow)

/* Returns a window with the deleted runs of @store. */
GtkWidget *dyno_bin_window_new (DynoStore *store);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_ENGINE_WINDOW (dyno_engine_window_get_type ())

/**
 * DynoEngineWindow:
 *
 * Installs engines that a backend lacks, after showing size, licence and place. Closing it ends the download; what came
 * is kept.
 *
 * Signal `installed`: all that was chosen is there. The window closes afterwards.
 *
 * Actions: `engine.install`, `engine.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoEngineWindow, dyno_engine_window, DYNO, ENGINE_WINDOW, AdwWindow)

/* Returns a window that asks whether to install them. @engines: what may be installed. */
GtkWidget *dyno_engine_window_new (GPtrArray *engines);

G_END_DECLS

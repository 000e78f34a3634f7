/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_ENGINE_WINDOW (dyno_engine_window_get_type ())

/**
 * DynoEngineWindow:
 *
 * Installs engines that a backend lacks, after showing their size, licence and folder. Closing it ends the
 * download; the part that has arrived is kept.
 *
 * Signal `installed`: all chosen engines are installed. The window closes afterwards.
 *
 * Actions: `engine.install`, `engine.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoEngineWindow, dyno_engine_window, DYNO, ENGINE_WINDOW, AdwWindow)

/* Returns a window that asks whether to install the engines. @engines: the engines to offer. */
GtkWidget *dyno_engine_window_new (GPtrArray *engines);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_HUB_WINDOW (dyno_hub_window_get_type ())

/**
 * DynoHubWindow:
 *
 * Fetches a model from the Hugging Face Hub. Closing it ends the download; the part that has arrived is kept.
 *
 * Signal `fetched` (string): a model has arrived and can be measured; the argument suits
 * dyno_model_load(). The window closes afterwards.
 *
 * Actions: `hub.fetch`, `hub.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoHubWindow, dyno_hub_window, DYNO, HUB_WINDOW, AdwWindow)

/* Returns a window that asks for a model to fetch. */
GtkWidget *dyno_hub_window_new (void);

G_END_DECLS

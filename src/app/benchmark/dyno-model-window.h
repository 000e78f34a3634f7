/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MODEL_WINDOW (dyno_model_window_get_type ())

/**
 * DynoModelWindow:
 *
 * What is known of a model before it is measured: what it is, the work of a step, and what it needs in each precision.
 * Closing it ends the counting.
 */
G_DECLARE_FINAL_TYPE (DynoModelWindow, dyno_model_window, DYNO, MODEL_WINDOW, AdwWindow)

/* Returns a window with what is known of @model; what takes long to find out comes later. */
GtkWidget *dyno_model_window_new (DynoModel *model);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MODEL_WINDOW (dyno_model_window_get_type ())

/**
 * DynoModelWindow:
 *
 * The details of a model before it is measured: its facts, the work of a step, and its needs in each
 * precision. Closing it stops counting the work.
 */
G_DECLARE_FINAL_TYPE (DynoModelWindow, dyno_model_window, DYNO, MODEL_WINDOW, AdwWindow)

/* Returns a window for @model; facts that take long to compute appear later. */
GtkWidget *dyno_model_window_new (DynoModel *model);

G_END_DECLS

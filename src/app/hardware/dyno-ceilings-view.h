/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-ceilings-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_VIEW (dyno_ceilings_view_get_type ())

/**
 * DynoCeilingsView:
 *
 * Shows the ceilings of the processor or of a device, and measures them on request. Property `model`
 * (DynoCeilingsModel, read-write). Actions: `ceilings.measure`, `ceilings.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsView, dyno_ceilings_view, DYNO, CEILINGS_VIEW, AdwBin)

/* @model may be NULL. */
void dyno_ceilings_view_set_model (DynoCeilingsView *self, DynoCeilingsModel *model);

G_END_DECLS

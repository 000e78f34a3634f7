/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-run-catalog.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN_PICKER (dyno_run_picker_get_type ())

/**
 * DynoRunPicker:
 *
 * A popover to search for a run and pick it.
 *
 * Signal `picked (DynoRunEntry *entry)`: a run was picked.
 */
G_DECLARE_FINAL_TYPE (DynoRunPicker, dyno_run_picker, DYNO, RUN_PICKER, GtkPopover)

/* Returns the runs to pick from; picked runs stay in it until they are left out. */
DynoRunCatalog *dyno_run_picker_get_catalog (DynoRunPicker *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-plan.h"
#include "dyno-prober.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BACKEND_GROUP (dyno_backend_group_get_type ())

/**
 * DynoBackendGroup:
 *
 * All backends: available ones first, then one row that folds the unavailable ones. The rows are made after
 * the first frame and show the last known probes; the backends are probed only then. Property `selectable`
 * (boolean, construct-only).
 *
 * Signals: `changed`: the user changed the choice; `updated`: a backend was probed, or the rows were made.
 */
G_DECLARE_FINAL_TYPE (DynoBackendGroup, dyno_backend_group, DYNO, BACKEND_GROUP, AdwBin)

/* Probes all backends again. */
void dyno_backend_group_probe (DynoBackendGroup *self, DynoProberFlags flags);
/* Returns whether some backends have not answered their probe yet. */
gboolean dyno_backend_group_get_probing (DynoBackendGroup *self);
/* While the group is held, no row moves. Rows that became available or unavailable move afterwards. @held:
 * whether the pointer is over the group or over the widgets below it. */
void dyno_backend_group_set_held (DynoBackendGroup *self, gboolean held);
/* Ticks the backends and devices that @plan names, and sets their options. If there are no rows yet, it does
 * so once they are made. */
void dyno_backend_group_select (DynoBackendGroup *self, DynoPlan *plan);
/* Returns the ticked backends and devices, as a plan names them. */
char **dyno_backend_group_dup_entries (DynoBackendGroup *self);
/* Returns the models of the local servers, as a plan names them. */
char **dyno_backend_group_dup_served (DynoBackendGroup *self);
/* Returns the options of the ticked backends, at least the default ones. */
char **dyno_backend_group_dup_options (DynoBackendGroup *self);
/* Returns the error in an option, as a sentence; NULL if there is none. */
const char *dyno_backend_group_get_problem (DynoBackendGroup *self);
/* Returns advice for the user: a remedy, or to wait. */
char *dyno_backend_group_dup_advice (DynoBackendGroup *self);
/* Returns the backends and devices of @plan that are missing here, one per line, so that nobody takes the
 * plan's title for a complete measurement. */
char *dyno_backend_group_dup_missing (DynoBackendGroup *self, DynoPlan *plan);

G_END_DECLS

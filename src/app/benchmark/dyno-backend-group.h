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
 * All backends: those that can measure here, then one row that opens to those that cannot. The rows are made after
 * the first frame and show what was found last; only then are the backends probed. Property `selectable` (boolean, construct-only).
 *
 * Signals: `changed`: the user chose something else; `updated`: a backend was probed, or the rows were made.
 */
G_DECLARE_FINAL_TYPE (DynoBackendGroup, dyno_backend_group, DYNO, BACKEND_GROUP, AdwBin)

/* Probes all backends again. */
void dyno_backend_group_probe (DynoBackendGroup *self, DynoProberFlags flags);
/* Returns whether it is not known yet of every backend what it can do here. */
gboolean dyno_backend_group_get_probing (DynoBackendGroup *self);
/* No row moves while the group is held. What became available or unavailable takes its place afterwards.
 * @held: whether the pointer is over the group, or over what stands below it. */
void dyno_backend_group_set_held (DynoBackendGroup *self, gboolean held);
/* Ticks the backends and devices that @plan names, and sets their options; before the rows are made, as
 * soon as they are. */
void dyno_backend_group_select (DynoBackendGroup *self, DynoPlan *plan);
/* Returns the backends and devices that are ticked, as a plan names them. */
char **dyno_backend_group_dup_entries (DynoBackendGroup *self);
/* Returns the models that servers hold here, as a plan names them. */
char **dyno_backend_group_dup_served (DynoBackendGroup *self);
/* Returns the options of the backends that are ticked, at least the default ones. */
char **dyno_backend_group_dup_options (DynoBackendGroup *self);
/* Returns what is wrong with an option, as a sentence; NULL if there is none. */
const char *dyno_backend_group_get_problem (DynoBackendGroup *self);
/* Returns what to do, or to wait for. */
char *dyno_backend_group_dup_advice (DynoBackendGroup *self);
/* Returns what @plan names and is not here, a line each; nobody shall take its title for what was not
 * measured. */
char *dyno_backend_group_dup_missing (DynoBackendGroup *self, DynoPlan *plan);

G_END_DECLS

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

void dyno_backend_group_probe (DynoBackendGroup *self, DynoProberFlags flags);
gboolean dyno_backend_group_get_probing (DynoBackendGroup *self);
void dyno_backend_group_set_held (DynoBackendGroup *self, gboolean held);
void dyno_backend_group_select (DynoBackendGroup *self, DynoPlan *plan);
char **dyno_backend_group_dup_entries (DynoBackendGroup *self);
char **dyno_backend_group_dup_served (DynoBackendGroup *self);
char **dyno_backend_group_dup_options (DynoBackendGroup *self);
const char *dyno_backend_group_get_problem (DynoBackendGroup *self);
char *dyno_backend_group_dup_advice (DynoBackendGroup *self);
char *dyno_backend_group_dup_missing (DynoBackendGroup *self, DynoPlan *plan);

G_END_DECLS

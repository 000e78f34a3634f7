/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"

G_BEGIN_DECLS

/**
 * DynoCliPlan:
 *
 * The command-line options for a plan.
 */
typedef struct _DynoCliPlan DynoCliPlan;

/* Returns options, none of them given. */
DynoCliPlan *dyno_cli_plan_new (void);
void dyno_cli_plan_free (DynoCliPlan *self);
/* Returns their entries in groups, for dyno_cli_parse(). */
const GOptionEntry *dyno_cli_plan_get_entries (DynoCliPlan *self);
/* Returns whether none of the options was given. */
gboolean dyno_cli_plan_is_empty (DynoCliPlan *self);
void dyno_cli_plan_set_model (DynoCliPlan *self, const char *model);
/* Returns the properties of a plan that the given options set. */
GHashTable *dyno_cli_plan_list_given (DynoCliPlan *self);
/* Returns the plan that the options describe. */
DynoPlan *dyno_cli_plan_build (DynoCliPlan *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliPlan, dyno_cli_plan_free)

G_END_DECLS

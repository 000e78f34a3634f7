/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-driver.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WHERE_GROUP (dyno_where_group_get_type ())

/**
 * DynoWhereGroup:
 *
 * Where to measure: here, or on other machines, and what to ask of those.
 *
 * Signal `changed`: something else was chosen.
 */
G_DECLARE_FINAL_TYPE (DynoWhereGroup, dyno_where_group, DYNO, WHERE_GROUP, AdwPreferencesGroup)

/* Returns whether the cases are to be handed over to others. */
gboolean dyno_where_group_is_elsewhere (DynoWhereGroup *self);
/* Returns why nothing can be handed over; NULL if there is none. */
const char *dyno_where_group_get_problem (DynoWhereGroup *self);
/* Returns backends that the nodes have and this machine does not. */
char **dyno_where_group_dup_backends (DynoWhereGroup *self);
void dyno_where_group_init_options (DynoWhereGroup *self, DynoClusterOptions *options);
/* Returns what is chosen, of type `a{ss}`. */
GVariant *dyno_where_group_save (DynoWhereGroup *self);
void dyno_where_group_restore (DynoWhereGroup *self, GVariant *saved);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-driver.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WHERE_GROUP (dyno_where_group_get_type ())

/**
 * DynoWhereGroup:
 *
 * Chooses where to measure: here, or on other machines with options of their own.
 *
 * Signal `changed`: the choice changed.
 */
G_DECLARE_FINAL_TYPE (DynoWhereGroup, dyno_where_group, DYNO, WHERE_GROUP, AdwPreferencesGroup)

/* Returns whether the cases go to other machines. */
gboolean dyno_where_group_is_elsewhere (DynoWhereGroup *self);
/* Returns why the cases cannot be submitted; NULL if they can. */
const char *dyno_where_group_get_problem (DynoWhereGroup *self);
/* Returns backends that the nodes have and this machine does not. */
char **dyno_where_group_dup_backends (DynoWhereGroup *self);
void dyno_where_group_init_options (DynoWhereGroup *self, DynoClusterOptions *options);
/* Returns the choice, of type `a{ss}`. */
GVariant *dyno_where_group_save (DynoWhereGroup *self);
void dyno_where_group_restore (DynoWhereGroup *self, GVariant *saved);

G_END_DECLS

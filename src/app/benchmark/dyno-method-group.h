/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-method.h"

G_BEGIN_DECLS

#define DYNO_TYPE_METHOD_GROUP (dyno_method_group_get_type ())

/**
 * DynoMethodGroup:
 *
 * The duration and accuracy of the measurement: a row for every property of DynoMethod and a switch
 * for shuffling. Follows the settings until the user or a suite changes a value.
 *
 * Signal `changed`: a number or the switch changed.
 */
G_DECLARE_FINAL_TYPE (DynoMethodGroup, dyno_method_group, DYNO, METHOD_GROUP, AdwPreferencesGroup)

/* Returns the method that the rows describe. */
DynoMethod *dyno_method_group_create_method (DynoMethodGroup *self);
void dyno_method_group_set_method (DynoMethodGroup *self, DynoMethod *method);
gboolean dyno_method_group_get_shuffle (DynoMethodGroup *self);
void dyno_method_group_set_shuffle (DynoMethodGroup *self, gboolean shuffle);
/* Goes back to the method of the preferences. */
void dyno_method_group_reset (DynoMethodGroup *self);
/* Returns the conflict between the values, as a sentence; NULL if there is none. */
char *dyno_method_group_dup_problem (DynoMethodGroup *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-goal.h"

G_BEGIN_DECLS

/**
 * DynoCliGoal:
 * @text: (nullable): the given goal
 * @limits: the given limits; 0, which no case can keep, for limits not given
 *
 * The command-line options for a goal.
 */
typedef struct
{
  char *text;
  double limits[DYNO_N_LIMITS];
} DynoCliGoal;

/* @entries holds GOptionEntry. */
void dyno_cli_goal_add_entries (DynoCliGoal *self, GArray *entries);
/* Returns whether the options form a goal. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_cli_goal_read (const DynoCliGoal *self, DynoGoal *goal, GError **error);
/* Prints the goal and its limits in one line. */
void dyno_cli_goal_print (const DynoGoal *goal);
void dyno_cli_goal_clear (DynoCliGoal *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoCliGoal, dyno_cli_goal_clear)

G_END_DECLS

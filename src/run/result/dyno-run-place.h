/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoRunPlace:
 * @submission: the id of a submission to other machines
 * @node: the node that measured the run
 * @target: (nullable): where the submission was sent
 * @title: (nullable): the title of the plan
 *
 * The submission to which a run belongs. Its runs are a group: the same plan on several nodes.
 */
typedef struct
{
  char *submission;
  char *node;
  char *target;
  char *title;
} DynoRunPlace;

/* Returns the place; NULL if the run was not submitted. @run: a run, loaded or only listed. */
DynoRunPlace *dyno_run_place_new (DynoRun *run);
/* Returns whether there are several, all of the same submission. @runs holds DynoRun. */
gboolean dyno_run_place_is_shared (GPtrArray *runs);
void dyno_run_place_free (DynoRunPlace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRunPlace, dyno_run_place_free)

G_END_DECLS

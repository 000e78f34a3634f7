/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"
#include "dyno-cluster-submission.h"

G_BEGIN_DECLS

/**
 * DynoCliSubmit:
 *
 * The options of the command line that say on which other machines to measure.
 */
typedef struct _DynoCliSubmit DynoCliSubmit;

/* Returns options, none given yet. */
DynoCliSubmit *dyno_cli_submit_new (void);
void dyno_cli_submit_free (DynoCliSubmit *self);
/* Returns their entries for an option context. */
const GOptionEntry *dyno_cli_submit_get_entries (DynoCliSubmit *self);
/* Returns whether the plan goes elsewhere. */
gboolean dyno_cli_submit_is_wanted (DynoCliSubmit *self);
/* Returns whether they make sense together. */
gboolean dyno_cli_submit_check (DynoCliSubmit *self, GError **error);
/* Returns the exit status. @is_dry: whether only to say what the scheduler would do. */
DynoCliStatus dyno_cli_submit_run (DynoCliSubmit *self, DynoPlan *plan, gboolean is_dry, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliSubmit, dyno_cli_submit_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"
#include "dyno-cluster-submission.h"

G_BEGIN_DECLS

/**
 * DynoCliSubmit:
 *
 * The command-line options for measuring on other machines.
 */
typedef struct _DynoCliSubmit DynoCliSubmit;

/* Returns options, none of them given. */
DynoCliSubmit *dyno_cli_submit_new (void);
void dyno_cli_submit_free (DynoCliSubmit *self);
/* Returns their entries for an option context. */
const GOptionEntry *dyno_cli_submit_get_entries (DynoCliSubmit *self);
/* Returns whether other machines are to run the plan. */
gboolean dyno_cli_submit_is_wanted (DynoCliSubmit *self);
/* Returns whether the options are consistent. */
gboolean dyno_cli_submit_check (DynoCliSubmit *self, GError **error);
/* Submits the plan. Returns the exit status. @is_dry: whether to only print what the scheduler would do. */
DynoCliStatus dyno_cli_submit_run (DynoCliSubmit *self, DynoPlan *plan, gboolean is_dry, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliSubmit, dyno_cli_submit_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Returns a distinct title for each run. Runs of one submission are named by their nodes. Runs of the same
 * plan have the same title; all but the first get a number, which does not depend on the later runs. A run
 * without a title is named by its id. @runs holds DynoRun. */
char **dyno_run_titles_dup (GPtrArray *runs);

G_END_DECLS

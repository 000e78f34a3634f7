/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Tells them apart. Runs of one submission are called by their nodes. Runs of the same plan have the same
 * title; of these, all but the first get a number, which does not depend on the runs behind them. A run
 * without a title is called by its id. Returns what to call each of them, no two alike. @runs holds
 * DynoRun. */
char **dyno_run_titles_dup (GPtrArray *runs);

G_END_DECLS

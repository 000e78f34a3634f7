/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* The summary of a run: the same sentences in the window, on the command line and in reports. */

/* Returns whether the run measured the same work in several ways, such as on two backends. */
gboolean dyno_run_summary_has_alternatives (DynoRun *run);
/* Returns a sentence for each comparison of alternatives: the better one, by how much, and whether that was
 * shown; NULL if the run has no alternatives. Takes a while, so it belongs on a thread. */
char *dyno_run_summary_dup_winner (DynoRun *run);
/* Describes each model on its own, with its bottleneck and the next measurement to make; different models
 * are never ranked. Values derived from roofs must already be in the results. Together with
 * dyno_run_summary_dup_winner(), which goes before them, there are five at most. Returns sentences. */
GStrv dyno_run_summary_dup_findings (DynoRun *run);
/* Returns how many cases are doubtful or unsteady, and the most frequent reason, such as “8 of 10 cases
 * are doubtful: the machine was busy.”; NULL if there is none. */
char *dyno_run_summary_dup_doubt (DynoRun *run);
/* Returns how many of them are doubtful, and the most frequent reason; NULL if there is none. */
char *dyno_run_summary_dup_doubtful (GListModel *results);
/* Returns how many cases are missing in a run that was interrupted, or lack processes; NULL if there is
 * none. */
char *dyno_run_summary_dup_interruption (DynoRun *run);

G_END_DECLS

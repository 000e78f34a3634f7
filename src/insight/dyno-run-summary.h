/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* A run in a few sentences, the same ones in the window, on the command line and in reports. */

/* Returns whether it measured the same work in several ways, such as on two backends. */
gboolean dyno_run_summary_has_alternatives (DynoRun *run);
/* Which of the alternatives of a run is better, by how much, and whether that was shown. Takes a while, so
 * it belongs on a thread. Returns a sentence for each; NULL where the run has no alternatives. */
char *dyno_run_summary_dup_winner (DynoRun *run);
/* Describes each model on its own, with what bounds it and what is worth measuring next; different models
 * are never ranked. What is derived from roofs is taken from the results, so it has to be there already.
 * With dyno_run_summary_dup_winner(), which goes before them, they are five at most. Returns sentences. */
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

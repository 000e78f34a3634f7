/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* A run in a few sentences, the same ones in the window, on the command line and in reports. */

/* Returns whether it measured the same work in several ways, such as on two backends. */
gboolean dyno_run_summary_has_alternatives (DynoRun *run);
char *dyno_run_summary_dup_winner (DynoRun *run);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* A run in a few sentences, the same ones in the window, on the command line and in reports. */

gboolean dyno_run_summary_has_alternatives (DynoRun *run);
char *dyno_run_summary_dup_winner (DynoRun *run);
GStrv dyno_run_summary_dup_findings (DynoRun *run);
char *dyno_run_summary_dup_doubt (DynoRun *run);
char *dyno_run_summary_dup_doubtful (GListModel *results);
char *dyno_run_summary_dup_interruption (DynoRun *run);

G_END_DECLS

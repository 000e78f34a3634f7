/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-follower.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SUBMISSION_PAGE (dyno_submission_page_get_type ())

/**
 * DynoSubmissionPage:
 *
 * How a submission to other machines stands: its cases by node. Before it is handed over, that the nodes are being
 * asked.
 *
 * Signal `show-results (const char *id)`: somebody wants to see what was measured: the run of that id, or the runs of that
 * submission.
 */
G_DECLARE_FINAL_TYPE (DynoSubmissionPage, dyno_submission_page, DYNO, SUBMISSION_PAGE, AdwBin)

/* Shows that the nodes are being asked. */
void dyno_submission_page_begin (DynoSubmissionPage *self);
void dyno_submission_page_show (DynoSubmissionPage *self, DynoClusterFollower *follower, const char *id);
/* What was seen to its end need not be followed any longer. */
void dyno_submission_page_leave_ended (DynoSubmissionPage *self);
/* Returns how many of its tasks are in which state. */
char *dyno_submission_page_dup_counts (DynoClusterProgress *progress);

G_END_DECLS

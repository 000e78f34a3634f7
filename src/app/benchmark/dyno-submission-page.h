/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-follower.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SUBMISSION_PAGE (dyno_submission_page_get_type ())

/**
 * DynoSubmissionPage:
 *
 * The progress of a submission to other machines: its cases by node. Before the submission, the page says
 * that the nodes are being asked.
 *
 * Signal `show-results (const char *id)`: the user asks for the results: the run with that id, or the runs of
 * that submission.
 */
G_DECLARE_FINAL_TYPE (DynoSubmissionPage, dyno_submission_page, DYNO, SUBMISSION_PAGE, AdwBin)

/* Shows that the nodes are being asked. */
void dyno_submission_page_begin (DynoSubmissionPage *self);
void dyno_submission_page_show (DynoSubmissionPage *self, DynoClusterFollower *follower, const char *id);
/* Stops following a submission whose end the user has seen. */
void dyno_submission_page_leave_ended (DynoSubmissionPage *self);
/* Returns the number of tasks in each state. */
char *dyno_submission_page_dup_counts (DynoClusterProgress *progress);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-cluster-progress.h"
#include "dyno-runner.h"

G_BEGIN_DECLS

/* Notifies the user that the machine is still busy, and the desktop of the reason. Follows the run until
 * dyno_run_notices_withdraw(). */
void dyno_run_notices_continue (GApplication *application, DynoRunner *runner);
/* Notifies the user that a run has ended. @application: the application, which does not have the user's
 * attention. @run: the run that has ended; NULL if it could not begin. @error: why it ended early. @problem
 * may be NULL. */
void dyno_run_notices_end (GApplication *application, DynoRun *run, const GError *error, const char *problem);
/* Notifies the user that all tasks of the submission have ended. @application: the application, which does
 * not have the user's attention. */
void dyno_run_notices_end_submission (GApplication *application, DynoClusterProgress *progress);
/* Withdraws notifications of runs: a window shows them, or they are no longer true. @runner may be NULL. */
void dyno_run_notices_withdraw (GApplication *application, DynoRunner *runner);

G_END_DECLS

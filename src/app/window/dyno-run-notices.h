/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-cluster-progress.h"
#include "dyno-runner.h"

G_BEGIN_DECLS

void dyno_run_notices_continue (GApplication *application, DynoRunner *runner);
void dyno_run_notices_end (GApplication *application, DynoRun *run, const GError *error, const char *problem);
void dyno_run_notices_end_submission (GApplication *application, DynoClusterProgress *progress);
void dyno_run_notices_withdraw (GApplication *application, DynoRunner *runner);

G_END_DECLS

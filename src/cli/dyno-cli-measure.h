/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* Runs the runner and shows its progress. A signal ends it early, but finished cases are kept. Returns the
 * run. The caller owns it. @store may be NULL. */
DynoRun *dyno_cli_measure (DynoRunner *runner, DynoStore *store, gboolean *is_kept, GError **error);

G_END_DECLS

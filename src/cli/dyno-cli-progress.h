/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-runner.h"

G_BEGIN_DECLS

/**
 * DynoCliProgress:
 *
 * A line on the terminal that follows a runner; none if standard error is not a terminal.
 */
typedef struct _DynoCliProgress DynoCliProgress;

/* Returns a line that follows @runner; NULL if there is no terminal. */
DynoCliProgress *dyno_cli_progress_new (DynoRunner *runner);
/* Removes the line. */
void dyno_cli_progress_free (DynoCliProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliProgress, dyno_cli_progress_free)

G_END_DECLS

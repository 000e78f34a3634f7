/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-runner.h"

G_BEGIN_DECLS

/**
 * DynoCliProgress:
 *
 * A line on the terminal that follows a runner; nothing where the standard error is no terminal.
 */
typedef struct _DynoCliProgress DynoCliProgress;

/* Returns a line that follows @runner, or NULL where there is no terminal. */
DynoCliProgress *dyno_cli_progress_new (DynoRunner *runner);
/* Takes the line away. */
void dyno_cli_progress_free (DynoCliProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliProgress, dyno_cli_progress_free)

G_END_DECLS

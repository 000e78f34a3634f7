/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* Shows how far it is, and ends early, but keeps what is finished, when a signal asks for that. Returns
 * the run. The caller owns it. @store may be NULL. */
DynoRun *dyno_cli_measure (DynoRunner *runner, DynoStore *store, gboolean *is_kept, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

DynoRun *dyno_cli_measure (DynoRunner *runner, DynoStore *store, gboolean *is_kept, GError **error);

G_END_DECLS

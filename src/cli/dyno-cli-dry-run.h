/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/* Prints what would be measured, what would not and why, and what it should take of memory and time.
 * Returns whether anything would be measured. @cases holds DynoCase. */
DynoCliStatus dyno_cli_dry_run (GPtrArray *cases, gboolean as_json, GError **error);

G_END_DECLS

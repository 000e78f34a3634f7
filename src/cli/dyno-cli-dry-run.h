/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/* Prints the cases that would be measured, those that would not with the reason, and the expected memory and
 * time. Returns DYNO_CLI_OK if any case would be measured. @cases holds DynoCase. */
DynoCliStatus dyno_cli_dry_run (GPtrArray *cases, gboolean as_json, GError **error);

G_END_DECLS

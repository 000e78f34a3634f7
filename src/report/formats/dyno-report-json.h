/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Writes everything the runs hold, as `src/report/report.schema.json` describes it. What is not known is
 * null or absent; no number is invented for it. Returns JSON in one line. The caller owns it. @runs holds
 * DynoRun. @ceilings (nullable): what their machines can do at most, where it is known. */
char *dyno_report_json_write (GPtrArray *runs, GHashTable *ceilings);

G_END_DECLS

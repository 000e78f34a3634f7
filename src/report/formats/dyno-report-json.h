/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Writes all data of the runs, in the format of `src/report/report.schema.json`. Unknown values are null or
 * absent; no number is invented for them. Returns JSON in one line. The caller owns it. @runs holds DynoRun.
 * @ceilings (nullable): the known ceilings of their machines. */
char *dyno_report_json_write (GPtrArray *runs, GHashTable *ceilings);

G_END_DECLS

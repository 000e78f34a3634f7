/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DYNO_RUN_JSON_FORMAT:
 *
 * The value of the member `format` of a report in JSON.
 */
#define DYNO_RUN_JSON_FORMAT "dyno-report"

/**
 * DYNO_RUN_JSON_VERSION:
 *
 * Its `schema_version`: grows with each change after which an older reader would misread the file.
 */
#define DYNO_RUN_JSON_VERSION 1

/**
 * DYNO_RUN_JSON_CEILINGS:
 *
 * The member of a run that holds the ceilings of its machine, as dyno_ceiling_to_json() writes them.
 */
#define DYNO_RUN_JSON_CEILINGS "ceilings"

/**
 * DYNO_RUN_JSON_METERS:
 *
 * The member of a run that holds the files of power meters whose readings its cases have, as
 * dyno_run_json_read_file() reads them.
 */
#define DYNO_RUN_JSON_METERS "meters"

/**
 * DYNO_RUN_JSON_ORIGINAL:
 *
 * The member of an origin or meter that holds the file itself: compressed by gzip, in Base64.
 */
#define DYNO_RUN_JSON_ORIGINAL "content"

/* Returns ISO 8601 in UTC, to the µs; NULL for a time that has not come. The caller owns it. @microseconds: a
 * time of a run, in µs since 1970 UTC; 0 for not yet. */
char *dyno_run_json_format_time (gint64 microseconds);
/* Returns the origin, with the file if the report holds it. The caller owns it. @object: the origin or a
 * meter of a run of a report in JSON. */
DynoOrigin *dyno_run_json_read_file (JsonObject *object);
/* Returns the run, still without results. @object: a run of a report in JSON; its results are ignored. */
DynoRun *dyno_run_new_from_json (JsonObject *object);

G_END_DECLS

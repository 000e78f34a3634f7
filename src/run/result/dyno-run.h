/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-origin.h"
#include "dyno-result.h"
#include "dyno-self-test.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN (dyno_run_get_type ())

/**
 * DynoRun:
 *
 * A plan carried out once: when, where, by which Dyno, and its results. Properties, read-write: `id` (UUID string,
 * construct-only, made when %NULL), `title`, `notes`, `started-at` and `finished-at` (int64, µs since 1970 UTC, 0 for not
 * yet), `deleted-at` (likewise: when it went to the bin), `plan` and `machine` (JSON strings), `source` (string: `dyno`,
 * `self-test`, or the file or tool it was imported from), `app-version`, `n-cases` (uint: how many cases it was to have)
 * and, for runs that are only listed, `summary` (string: which models and backends) and `cluster` (JSON: what the machine's
 * state says of a submission, see [struct@Dyno.RunPlace]); read-only `results`.
 */
G_DECLARE_FINAL_TYPE (DynoRun, dyno_run, DYNO, RUN, GObject)

DynoRun *dyno_run_new (const char *id);

const char *dyno_run_get_id (DynoRun *self);
const char *dyno_run_get_title (DynoRun *self);
void dyno_run_set_title (DynoRun *self, const char *title);
const char *dyno_run_get_notes (DynoRun *self);
void dyno_run_set_notes (DynoRun *self, const char *notes);
gint64 dyno_run_get_started_at (DynoRun *self);
gint64 dyno_run_get_finished_at (DynoRun *self);
gint64 dyno_run_get_deleted_at (DynoRun *self);
const char *dyno_run_get_plan (DynoRun *self);
const char *dyno_run_get_machine (DynoRun *self);
const char *dyno_run_get_source (DynoRun *self);
const char *dyno_run_get_app_version (DynoRun *self);
void dyno_run_count_cases (DynoRun *self, DynoCaseCounts *counts);
void dyno_run_set_counts (DynoRun *self, const DynoCaseCounts *counts);
void dyno_run_set_running (DynoRun *self, gboolean is_running);
gboolean dyno_run_is_running (DynoRun *self);
gboolean dyno_run_is_interrupted (DynoRun *self);
char *dyno_run_dup_state_text (DynoRun *self);
guint dyno_run_get_n_cases (DynoRun *self);
guint dyno_run_get_n_ok (DynoRun *self);
const char *dyno_run_get_summary (DynoRun *self);
const char *dyno_run_get_cluster (DynoRun *self);

DynoOrigin *dyno_run_get_origin (DynoRun *self);
gboolean dyno_run_is_imported (DynoRun *self);
void dyno_run_set_origin (DynoRun *self, DynoOrigin *origin);
GPtrArray *dyno_run_get_meters (DynoRun *self);
char *dyno_run_dup_tool (DynoRun *self);

gboolean dyno_run_is_self_test (DynoRun *self);
DynoSelfTest *dyno_run_get_self_test (DynoRun *self);
void dyno_run_set_self_test (DynoRun *self, DynoSelfTest *self_test);

GListModel *dyno_run_get_results (DynoRun *self);
void dyno_run_add_result (DynoRun *self, DynoResult *result);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

DynoStore *dyno_cli_runs_open_store (GError **error);
DynoStore *dyno_cli_runs_open_writable_store (GError **error);
char *dyno_cli_runs_resolve (DynoStore *store, const char *name, GError **error);
GPtrArray *dyno_cli_runs_load (char **names, GError **error);
GPtrArray *dyno_cli_runs_load_all (DynoStore *store, GError **error);
gboolean dyno_cli_runs_take_ceilings (DynoRun *run, DynoStore *store, GError **error);
DynoSelfTest *dyno_cli_runs_load_self_test (const char *machine);
GPtrArray *dyno_cli_runs_get_ceilings (DynoRun *run);
GHashTable *dyno_cli_runs_collect_ceilings (GPtrArray *runs);
gboolean dyno_cli_runs_add_originals (GPtrArray *runs, GError **error);
char *dyno_cli_runs_dup_json (GPtrArray *runs);
GStrv dyno_cli_runs_get_ids (GPtrArray *runs);

G_END_DECLS

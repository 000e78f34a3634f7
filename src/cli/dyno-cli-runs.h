/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* Returns the user's store, and warns of problems with it. */
DynoStore *dyno_cli_runs_open_store (GError **error);
/* Returns the user's store. Fails with DYNO_ERROR_STORE_READ_ONLY when the store cannot be written. */
DynoStore *dyno_cli_runs_open_writable_store (GError **error);
/* Returns the full id of the run. The caller owns it. @name: an id or its beginning, the name of a baseline,
 * or `last`. */
char *dyno_cli_runs_resolve (DynoStore *store, const char *name, GError **error);
/* Returns the complete runs. Elements are DynoRun. @names: ids or their beginnings, names of baselines,
 * `last`, or paths of documents; none means `last`. */
GPtrArray *dyno_cli_runs_load (char **names, GError **error);
/* Returns all complete runs of the store, newest first. Elements are DynoRun. */
GPtrArray *dyno_cli_runs_load_all (DynoStore *store, GError **error);
/* Attaches to the run its store and the ceilings of its machine; an imported run may not name its machine.
 * Returns whether the store could be read. */
gboolean dyno_cli_runs_take_ceilings (DynoRun *run, DynoStore *store, GError **error);
/* Returns the newest self-test of that machine in the user's store; NULL if there is none or no store. */
DynoSelfTest *dyno_cli_runs_load_self_test (const char *machine);
/* Returns the ceilings of each run's machine, if they are known. It maps DynoRun to GPtrArray. The caller
 * owns it. @runs holds DynoRun. */
GHashTable *dyno_cli_runs_collect_ceilings (GPtrArray *runs);
/* Adds the original files to imported runs. Returns whether that worked. @runs holds DynoRun. */
gboolean dyno_cli_runs_add_originals (GPtrArray *runs, GError **error);
/* Returns a report of the runs in JSON. @runs holds DynoRun. */
char *dyno_cli_runs_dup_json (GPtrArray *runs);
/* Returns the ids of the runs. The caller owns it. @runs holds DynoRun. */
GStrv dyno_cli_runs_get_ids (GPtrArray *runs);

G_END_DECLS

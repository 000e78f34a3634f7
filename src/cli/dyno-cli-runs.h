/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* Returns the user's store; what is wrong with it is said. */
DynoStore *dyno_cli_runs_open_store (GError **error);
/* Returns the user's store. Fails with DYNO_ERROR_STORE_READ_ONLY when nothing can be kept. */
DynoStore *dyno_cli_runs_open_writable_store (GError **error);
/* Returns the whole id of the run. The caller owns it. @name: an id or its beginning, the name of a
 * baseline, or `last`. */
char *dyno_cli_runs_resolve (DynoStore *store, const char *name, GError **error);
/* Returns the runs, whole. Elements are DynoRun. @names: ids or their beginnings, names of baselines,
 * `last`, or paths of documents; none means `last`. */
GPtrArray *dyno_cli_runs_load (char **names, GError **error);
/* Returns all its runs whole, newest first. Elements are DynoRun. */
GPtrArray *dyno_cli_runs_load_all (DynoStore *store, GError **error);
/* Remembers with the run its store and what is known of its machine's ceilings; an imported run may not
 * say where it ran. Returns whether the store could be read. */
gboolean dyno_cli_runs_take_ceilings (DynoRun *run, DynoStore *store, GError **error);
/* Returns the newest self-test of that machine in the user's store, if there is a store; NULL otherwise. */
DynoSelfTest *dyno_cli_runs_load_self_test (const char *machine);
/* Returns of each run what its machine can do at most, where it is known. It maps DynoRun to GPtrArray.
 * The caller owns it. @runs holds DynoRun. */
GHashTable *dyno_cli_runs_collect_ceilings (GPtrArray *runs);
/* Returns whether those that another tool measured have the files they were imported from. @runs holds
 * DynoRun. */
gboolean dyno_cli_runs_add_originals (GPtrArray *runs, GError **error);
/* Returns a report of them in JSON. @runs holds DynoRun. */
char *dyno_cli_runs_dup_json (GPtrArray *runs);
/* Returns their ids. The caller owns it. @runs holds DynoRun. */
GStrv dyno_cli_runs_get_ids (GPtrArray *runs);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/**
 * DynoStoreJudge:
 *
 * Loads runs and completes them by what the file knows of their machines, which it reads once for each machine: a file
 * of ten thousand runs knows few of them.
 */
typedef struct _DynoStoreJudge DynoStoreJudge;

/* Returns a judge that knows no machine yet. @db: a connection in a transaction, which must outlive the
 * judge. */
DynoStoreJudge *dyno_store_judge_new (sqlite3 *db);
void dyno_store_judge_free (DynoStoreJudge *self);
/* Values that follow from the ceilings are computed from those that are known now, however old the run is,
 * the interval by the rules of today, and the noise of the machine is that of its newest self-test.
 * Returns the run. @ordinal: the number of the only case to load, or -1 for all. @ceilings may be NULL.
 * @ceilings holds DynoCeiling. @error: ceilings that cannot be read are an error only where @ceilings are
 * wanted. */
DynoRun *dyno_store_judge_load (
    DynoStoreJudge *self, const char *id, gint64 ordinal, GPtrArray **ceilings, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreJudge, dyno_store_judge_free)

G_END_DECLS

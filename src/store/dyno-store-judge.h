/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/**
 * DynoStoreJudge:
 *
 * Loads runs and completes them with the stored facts about their machines. It reads these once for each
 * machine: a file of ten thousand runs has few machines.
 */
typedef struct _DynoStoreJudge DynoStoreJudge;

/* Returns a judge that has read no machine yet. @db: a connection in a transaction, which must outlive the
 * judge. */
DynoStoreJudge *dyno_store_judge_new (sqlite3 *db);
void dyno_store_judge_free (DynoStoreJudge *self);
/* Returns the run. Whatever the age of the run, values that follow from the ceilings use the latest
 * ceilings, intervals use today's rules, and the noise is that of the machine's newest self-test. @ordinal:
 * the number of the only case to load, or -1 for all. @ceilings may be NULL.
 * @ceilings holds DynoCeiling. @error: ceilings that cannot be read are an error only if @ceilings are
 * wanted. */
DynoRun *dyno_store_judge_load (
    DynoStoreJudge *self, const char *id, gint64 ordinal, GPtrArray **ceilings, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreJudge, dyno_store_judge_free)

G_END_DECLS

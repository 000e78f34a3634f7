/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-history-point.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* The setting in a row of results: a case is the same for any duration and any inputs. */
#define DYNO_STORE_SETTING "json_remove (options, '$.seed', '$.method')"

/**
 * DynoStoreHistoryQuery:
 * @machine: the snapshot of the machine, JSON
 * @metric: the stable name of a value
 * @filter: which cases are wanted, called once for each setting
 * @data: for @filter
 */
typedef struct
{
  const char *machine;
  const char *metric;
  DynoHistoryFilter filter;
  gpointer data;
} DynoStoreHistoryQuery;

/* Reads one value of each case, without samples or other values. Returns the value in all stored runs that
 * have it, in the order of time; possibly none. Elements are DynoHistoryPoint. The caller owns it. */
GPtrArray *dyno_store_history_read (sqlite3 *db, const DynoStoreHistoryQuery *query, GError **error);
/* Returns the stable names of all values that such a case has in a stored run; possibly none. The caller
 * owns it. @query: selects the cases and the machine; its metric does not matter. */
GPtrArray *dyno_store_history_read_names (sqlite3 *db, const DynoStoreHistoryQuery *query, GError **error);
/* Returns a result without values that identifies the case. @model_name may be NULL. */
DynoResult *dyno_store_history_create_head (const char *setting, const char *model_name, GError **error);

G_END_DECLS

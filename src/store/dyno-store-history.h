/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-history-point.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/**
 * DynoStoreHistoryQuery:
 * @machine: the snapshot of the machine, JSON
 * @metric: the stable name of a value
 * @filter: which cases are wanted, asked once for each setting
 * @data: for @filter
 */
typedef struct
{
  const char *machine;
  const char *metric;
  DynoHistoryFilter filter;
  gpointer data;
} DynoStoreHistoryQuery;

GPtrArray *dyno_store_history_read (sqlite3 *db, const DynoStoreHistoryQuery *query, GError **error);

G_END_DECLS

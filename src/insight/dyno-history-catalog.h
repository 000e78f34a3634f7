/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoHistoryCase:
 * @head: the case, without values
 * @key: its key, see dyno_case_parts_dup_key()
 * @label: the case in words
 * @n_runs: the number of runs that measured it; a history needs two
 * @measured_at: when the last of them began, in µs since 1970
 */
typedef struct
{
  DynoResult *head;
  char *key;
  char *label;
  guint n_runs;
  gint64 measured_at;

  /*< private >*/
  GHashTable *runs;
} DynoHistoryCase;

/**
 * DynoHistoryMachine:
 * @snapshot: the latest snapshot of the machine, JSON
 * @title: its name in words
 * @is_this: whether it is the machine on which the catalog was made
 * @cases: (element-type DynoHistoryCase): the cases that were measured on it, most often first
 */
typedef struct
{
  char *snapshot;
  char *title;
  gboolean is_this;
  GPtrArray *cases;
} DynoHistoryMachine;

/* Lists the machines and cases that can have a history. For threads, like dyno_history_load(). Returns the
 * machines with the cases that were measured on them, this machine first, then the one that was measured
 * last; possibly none. Elements are DynoHistoryMachine. @here may be NULL. */
GPtrArray *dyno_history_catalog_load (DynoStore *store, const char *here, GError **error);
/* Returns the machine; NULL if no case was measured on it. @machines holds DynoHistoryMachine. @snapshot:
 * the snapshot of a machine, JSON; its current state, its engines and its kernel are ignored. */
const DynoHistoryMachine *dyno_history_catalog_find_machine (GPtrArray *machines, const char *snapshot);
/* Returns the stable names of the values that the case has in any run. */
GPtrArray *dyno_history_catalog_list_metrics (DynoStore *store,
                                              const DynoHistoryMachine *machine,
                                              const DynoHistoryCase *kase,
                                              GError **error);
/* Returns the case; NULL if it was not measured on the machine. */
const DynoHistoryCase *dyno_history_machine_find (const DynoHistoryMachine *self, const char *key);

G_END_DECLS

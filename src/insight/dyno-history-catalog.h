/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoHistoryCase:
 * @head: which case it is; it has no values
 * @key: what it has in common with itself elsewhere, see [func@Dyno.case_parts_dup_key]
 * @label: the case in words
 * @n_runs: in how many runs it was measured; a history needs two
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
 * @snapshot: the machine as it was last, JSON
 * @title: in words
 * @is_this: whether it is the one that the catalog was made on
 * @cases: (element-type DynoHistoryCase): what was measured on it, most often first
 */
typedef struct
{
  char *snapshot;
  char *title;
  gboolean is_this;
  GPtrArray *cases;
} DynoHistoryMachine;

/* Finds what can have a history. For threads, like dyno_history_load(). Returns the machines with what was
 * measured on them, this one first, then the one that was measured last; possibly none. Elements are
 * DynoHistoryMachine. @here may be NULL. */
GPtrArray *dyno_history_catalog_load (DynoStore *store, const char *here, GError **error);
/* Returns the machine, if something was measured on it; NULL otherwise. @machines holds
 * DynoHistoryMachine. @snapshot: the snapshot of a machine, JSON; its state at the moment, its engines and
 * its kernel do not matter. */
const DynoHistoryMachine *dyno_history_catalog_find_machine (GPtrArray *machines, const char *snapshot);
/* Returns the stable names of the values that the case has in some run. */
GPtrArray *dyno_history_catalog_list_metrics (DynoStore *store,
                                              const DynoHistoryMachine *machine,
                                              const DynoHistoryCase *kase,
                                              GError **error);
/* Returns the case, if it was measured on the machine; NULL otherwise. */
const DynoHistoryCase *dyno_history_machine_find (const DynoHistoryMachine *self, const char *key);

G_END_DECLS

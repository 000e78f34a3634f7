/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-history-catalog.h"
#include "dyno-history.h"

G_BEGIN_DECLS

/**
 * DynoHistoryAnswer:
 * @here: (nullable): the snapshot of this machine, JSON
 * @machines: (element-type DynoHistoryMachine): what can have a history
 * @machine: (nullable): the one of them whose history this is; %NULL where none has a case
 * @kase: (nullable): the case whose history this is; %NULL where none was measured in two runs
 * @metrics: (nullable) (element-type utf8): the stable names of the values it has
 * @history: (nullable): its history
 *
 * All that a page about a history shows.
 */
typedef struct
{
  char *here;
  GPtrArray *machines;
  const DynoHistoryMachine *machine;
  const DynoHistoryCase *kase;
  GPtrArray *metrics;
  DynoHistory *history;
} DynoHistoryAnswer;

void dyno_history_answer_free (DynoHistoryAnswer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHistoryAnswer, dyno_history_answer_free)

/* Finds what can have a history, and the history of what is wanted; of what there is most, where that is
 * not to be had. @here (nullable): the snapshot of this machine, JSON, where it is known already. @machine
 * may be NULL. @key may be NULL. @metric may be NULL. */
void dyno_history_task_load (DynoStore *store,
                             const char *here,
                             const char *machine,
                             const char *key,
                             const char *metric,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
/* Returns the answer. */
DynoHistoryAnswer *dyno_history_task_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS

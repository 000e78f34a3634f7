/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-history-catalog.h"
#include "dyno-history.h"

G_BEGIN_DECLS

/**
 * DynoHistoryAnswer:
 * @here: (nullable): the snapshot of this machine, JSON
 * @machines: (element-type DynoHistoryMachine): the machines that can have a history
 * @machine: (nullable): the machine of this history; NULL if none has a case
 * @kase: (nullable): the case of this history; NULL if none was measured in two runs
 * @metrics: (nullable) (element-type utf8): the stable names of its values
 * @history: (nullable): its history
 *
 * The contents of a history page.
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

/* Finds everything that can have a history, and the requested history; if that does not exist, that of the
 * case measured most often. @here (nullable): the snapshot of this machine, JSON, if it is known already.
 * @machine may be NULL. @key may be NULL. @metric may be NULL. */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-task.h"

typedef struct
{
  GObject *owner;
  GAsyncReadyCallback callback;
} Completion;

static void
completed_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Completion *completion = data;
  g_autoptr (GObject) owner = completion->owner;

  completion->callback (owner, result, NULL);
}

/**
 * dyno_widget_task_new:
 * @owner: a widget, or another object that only the main thread may touch
 * @cancellable: (nullable): a cancellable
 * @callback: called with @owner on the main thread
 *
 * Creates a task to run in a thread. A thread may hold the last reference to its task, for instance after a
 * cancellation, and would then finalize the task's source object. So the task has none, and @owner is kept only until
 * @callback returns.
 *
 * Returns: (transfer full): the task
 */
GTask *
dyno_widget_task_new (gpointer owner, GCancellable *cancellable, GAsyncReadyCallback callback)
{
  Completion *completion = g_new (Completion, 1);

  *completion = (Completion){ g_object_ref (owner), callback };
  return g_task_new (NULL, cancellable, completed_cb, completion);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-task.h"

#define OWNER "dyno-owner"

typedef struct
{
  GObject *owner;
  GAsyncReadyCallback callback;
  gpointer user_data;
} Completion;

static void
completed_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Completion *completion = data;
  g_autoptr (GObject) owner = completion->owner;

  completion->callback (owner, result, completion->user_data);
}

/* A thread may hold the last reference to its task, for instance after a cancellation, and would then finalize the task's
 * source object. So the task has none. */
GTask *
dyno_owned_task_new (gpointer owner,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  Completion *completion = g_new (Completion, 1);
  GTask *task;

  *completion = (Completion){ g_object_ref (owner), callback, user_data };
  task = g_task_new (NULL, cancellable, completed_cb, completion);
  g_object_set_data (G_OBJECT (task), OWNER, owner);
  return task;
}

gpointer
dyno_owned_task_get_owner (GTask *task)
{
  return g_object_get_data (G_OBJECT (task), OWNER);
}

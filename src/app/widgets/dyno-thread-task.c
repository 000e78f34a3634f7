/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"
#include "dyno-task.h"

void
dyno_thread_task_run (gpointer owner,
                      GCancellable *cancellable,
                      GTaskThreadFunc thread,
                      gpointer data,
                      GDestroyNotify free_data,
                      GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = dyno_owned_task_new (owner, cancellable, callback, NULL);

  g_task_set_source_tag (task, thread);
  g_task_set_task_data (task, data, free_data);
  g_task_run_in_thread (task, thread);
}

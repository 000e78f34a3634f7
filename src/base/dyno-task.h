/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* dyno-time-limit */

/**
 * DynoTimeLimit:
 *
 * Ends a wait when its time is over, or when another cancellable is cancelled. The timeout of a connection
 * cannot do this, because it starts again with every byte.
 */
typedef struct _DynoTimeLimit DynoTimeLimit;

/* Returns the limit; to be freed by the waiting thread. @seconds: the time from now on. @outer may be NULL. */
DynoTimeLimit *dyno_time_limit_new (guint seconds, GCancellable *outer);
/* Returns the cancellable that is cancelled when the time is over. */
GCancellable *dyno_time_limit_get_cancellable (DynoTimeLimit *self);
void dyno_time_limit_extend (DynoTimeLimit *self, guint seconds);
/* Returns whether the time is over, in contrast to another cancellation. */
gboolean dyno_time_limit_is_over (DynoTimeLimit *self);
void dyno_time_limit_free (DynoTimeLimit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTimeLimit, dyno_time_limit_free)

/* dyno-delivery */

/* Calls @func from the loop of @context, whichever thread sends it. NULL is the context of the main thread. */
void dyno_delivery_send (GMainContext *context, GSourceFunc func, gpointer data, GDestroyNotify free_data);

/* dyno-owned-task */

/* Returns a task for a thread that never holds the last reference to @owner: a widget, or another object that only the
 * main thread may finalize, because signals connect it with others. @callback is called on the main thread with @owner,
 * which is kept until then, and with @user_data; the task's own data is freed in any thread. */
GTask *dyno_owned_task_new (gpointer owner,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
/* Returns the owner. Only for the function that the thread runs, until it returns the result. */
gpointer dyno_owned_task_get_owner (GTask *task);

G_END_DECLS

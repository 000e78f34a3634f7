/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoTimeLimit:
 *
 * Ends what is waited for when its time is over, or when somebody else cancels it. A time limit of a connection is none,
 * because it begins anew with every byte.
 */
typedef struct _DynoTimeLimit DynoTimeLimit;

/* Returns the limit; to be freed by the thread that waits. @seconds: how long it may take from now on.
 * @outer may be NULL. */
DynoTimeLimit *dyno_time_limit_new (guint seconds, GCancellable *outer);
/* Returns what is cancelled when the time is over. */
GCancellable *dyno_time_limit_get_cancellable (DynoTimeLimit *self);
void dyno_time_limit_extend (DynoTimeLimit *self, guint seconds);
/* Returns whether it was the time that ended it. */
gboolean dyno_time_limit_is_over (DynoTimeLimit *self);
void dyno_time_limit_free (DynoTimeLimit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTimeLimit, dyno_time_limit_free)

G_END_DECLS

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

DynoTimeLimit *dyno_time_limit_new (guint seconds, GCancellable *outer);
GCancellable *dyno_time_limit_get_cancellable (DynoTimeLimit *self);
void dyno_time_limit_extend (DynoTimeLimit *self, guint seconds);
gboolean dyno_time_limit_is_over (DynoTimeLimit *self);
void dyno_time_limit_free (DynoTimeLimit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTimeLimit, dyno_time_limit_free)

G_END_DECLS

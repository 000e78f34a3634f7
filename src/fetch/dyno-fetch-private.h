/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

/* dyno-pace */

/**
 * DYNO_PACE_LEAST:
 *
 * The minimum rate of a download, in bytes per second.
 */
#define DYNO_PACE_LEAST 1000

/**
 * DynoPace:
 * @seconds: the time over which the rate is measured
 * @since: the start of that time, by the monotonic clock, in microseconds; 0 before the first byte
 * @bytes: the number of bytes since then
 *
 * Tells a slow download from one that will never end: a server that sends one byte a second keeps every connection
 * alive. The caller provides the time.
 */
typedef struct
{
  guint seconds;
  gint64 since;
  guint64 bytes;
} DynoPace;

/* Returns FALSE if too few bytes arrived in the last period; @bytes of @self is then their number.
 * @n_bytes: the number of new bytes. @now: by the monotonic clock, in microseconds. */
gboolean dyno_pace_take (DynoPace *self, guint64 n_bytes, gint64 now);

/* dyno-time-limit */

/**
 * DynoTimeLimit:
 *
 * Ends a wait when its time is over, or when another cancellable is cancelled. The timeout of a connection
 * cannot do this, because it starts again with every byte.
 */
typedef struct _DynoTimeLimit DynoTimeLimit;

/* Returns the limit; to be freed by the waiting thread. @seconds: the time from now on. @outer may be NULL.
 **/
DynoTimeLimit *dyno_time_limit_new (guint seconds, GCancellable *outer);
/* Returns the cancellable that is cancelled when the time is over. */
GCancellable *dyno_time_limit_get_cancellable (DynoTimeLimit *self);
void dyno_time_limit_extend (DynoTimeLimit *self, guint seconds);
/* Returns whether the time is over, in contrast to another cancellation. */
gboolean dyno_time_limit_is_over (DynoTimeLimit *self);
void dyno_time_limit_free (DynoTimeLimit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTimeLimit, dyno_time_limit_free)

G_END_DECLS

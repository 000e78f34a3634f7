/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DYNO_PACE_LEAST:
 *
 * The fewest bytes per second with which a download goes on.
 */
#define DYNO_PACE_LEAST 1000

/**
 * DynoPace:
 * @seconds: over how long the rate is taken
 * @since: when that time began, of the monotonic clock in microseconds; 0 before the first byte
 * @bytes: what came since then
 *
 * Tells a slow download from one that will never end: a server that sends one byte a second keeps every connection
 * alive. The caller has the clock.
 */
typedef struct
{
  guint seconds;
  gint64 since;
  guint64 bytes;
} DynoPace;

/* Returns FALSE if too few came in the time that is over; they are @bytes of @self then. @n_bytes: how
 * many more bytes have come. @now: by the monotonic clock, in microseconds. */
gboolean dyno_pace_take (DynoPace *self, guint64 n_bytes, gint64 now);

G_END_DECLS

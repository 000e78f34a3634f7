/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS

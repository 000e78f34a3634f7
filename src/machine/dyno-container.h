/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoContainer:
 * @memory_limit: bytes the control groups allow, %G_MAXINT64 for no limit
 * @memory_available: bytes left below that limit, counting what the kernel can give back
 * @cpu_limit: processors' worth of time per period, infinity for no limit
 * @n_throttled: periods in which the process was stopped for using more, -1 when not known
 * @throttled_us: for how long in all, in µs, -1 when not known
 * @version: 1 or 2 by the hierarchy that holds the memory controller, 0 without control groups
 *
 * What the control groups of this process allow, each the tightest on the way up to the root.
 */
typedef struct
{
  gint64 memory_limit;
  gint64 memory_available;
  double cpu_limit;
  gint64 n_throttled;
  gint64 throttled_us;
  guint version;
} DynoContainer;

void dyno_container_read (DynoContainer *container);

G_END_DECLS

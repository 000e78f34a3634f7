/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoMemoryArea:
 * @base: its start, aligned to a large page
 * @bytes: its size
 * @touched: how much of it is in memory
 *
 * Address space that gets memory only as it is touched, near the thread that touches it.
 */
typedef struct
{
  guint8 *base;
  gsize bytes;
  gsize touched;
} DynoMemoryArea;

/* Returns the area, or NULL if the address space cannot be reserved. */
DynoMemoryArea *dyno_memory_area_new (gsize bytes);
void dyno_memory_area_free (DynoMemoryArea *self);
/* Call this on the thread that will use it. @bytes: how much of it must be in memory, at most its size. */
void dyno_memory_area_touch (DynoMemoryArea *self, gsize bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryArea, dyno_memory_area_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoMemoryArea:
 * @base: where it begins, aligned to a large page
 * @bytes: how much there is
 * @touched: how much of it lies in memory
 *
 * Address space of which as much becomes memory as is touched, near the thread that touches it.
 */
typedef struct
{
  guint8 *base;
  gsize bytes;
  gsize touched;
} DynoMemoryArea;

/* Returns the area, or NULL when there is no room for it. */
DynoMemoryArea *dyno_memory_area_new (gsize bytes);
void dyno_memory_area_free (DynoMemoryArea *self);
/* Called on the thread that will use it. @bytes: how much of it is to lie in memory, no more than it has. */
void dyno_memory_area_touch (DynoMemoryArea *self, gsize bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryArea, dyno_memory_area_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-machine-ceilings-private.h"

static gpointer *
get_place (guint8 *memory, gsize index)
{
  return (gpointer *)(gpointer)(memory + index * DYNO_MEMORY_CHASE_STRIDE);
}

void
dyno_memory_chase_init (DynoMemoryChase *self, guint8 *memory, gsize bytes)
{
  gsize n_places = MAX (bytes / DYNO_MEMORY_CHASE_STRIDE, 1);
  guint64 state = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  for (gsize i = 0; i < n_places; i++)
    *get_place (memory, i) = get_place (memory, i);
  for (gsize i = n_places - 1; i > 0; i--)
    {
      gpointer *one = get_place (memory, i);

      /* Xorshift, by Marsaglia: good enough for the order. */
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;

      gpointer *other = get_place (memory, state % i);
      gpointer next = *one;

      *one = *other;
      *other = next;
    }
  self->place = get_place (memory, 0);
}

void
dyno_memory_chase_work (guint member, guint64 count, gpointer data)
{
  DynoMemoryChase *self = data;
  gpointer *place = self->place;

  for (guint64 i = 0; i < count; i++)
    for (guint step = 0; step < DYNO_MEMORY_CHASE_STEPS; step++)
      place = *place;
  self->place = place;
}

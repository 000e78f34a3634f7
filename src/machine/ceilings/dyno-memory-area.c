/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>
#include <sys/mman.h>

#include "dyno-machine-ceilings-private.h"

#define PAGE       4096
#define LARGE_PAGE ((gsize)2 << 20)

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

static gsize
round_up (gsize bytes, gsize unit)
{
  return (bytes + unit - 1) / unit * unit;
}

DynoMemoryArea *
dyno_memory_area_new (gsize bytes)
{
  gsize mapped = round_up (bytes, LARGE_PAGE) + LARGE_PAGE;
  guint8 *place =
      mmap (NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  DynoMemoryArea *self;
  gsize skipped;

  if (place == MAP_FAILED)
    return NULL;
  self = g_new0 (DynoMemoryArea, 1);
  self->bytes = mapped - LARGE_PAGE;
  skipped = round_up ((gsize)place, LARGE_PAGE) - (gsize)place;
  self->base = place + skipped;
  if (skipped > 0)
    munmap (place, skipped);
  if (skipped < LARGE_PAGE)
    munmap (self->base + self->bytes, LARGE_PAGE - skipped);

/* Large pages, if the kernel provides them, keep address translation out of the measurement. */
#ifdef MADV_HUGEPAGE
  madvise (self->base, self->bytes, MADV_HUGEPAGE);
#endif

  return self;
}

void
dyno_memory_area_free (DynoMemoryArea *self)
{
  munmap (self->base, self->bytes);
  g_free (self);
}

void
dyno_memory_area_touch (DynoMemoryArea *self, gsize bytes)
{
  guint32 page[PAGE / sizeof (guint32)];

  bytes = MIN (round_up (bytes, PAGE), self->bytes);
  if (bytes <= self->touched)
    return;

  /* Floats in [0.5, 1): arithmetic on them is never denormal. */
  g_autoptr (GRand) rand = g_rand_new_with_seed (PAGE);

  for (guint i = 0; i < PAGE / sizeof *page; i++)
    page[i] = 0x3f000000 | (g_rand_int (rand) & 0x7fffff);

  for (; self->touched < bytes; self->touched += PAGE)
    memcpy (self->base + self->touched, page, PAGE);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-arena.h"

#define BLOCK_SIZE (1024 * 1024)
#define ALIGNMENT  16

struct _DynoArena
{
  ProtobufCAllocator allocator;
  GPtrArray *blocks;
  char *free_space;
  gsize free_size;
};

static gpointer
add_block (DynoArena *self, gsize size)
{
  gpointer block = g_try_malloc (size);

  if (block != NULL)
    g_ptr_array_add (self->blocks, block);
  return block;
}

static void *
arena_alloc (void *data, size_t size)
{
  DynoArena *self = data;
  gsize padded = (MAX (size, 1) + ALIGNMENT - 1) & ~(gsize)(ALIGNMENT - 1);
  gpointer piece;

  if (padded > BLOCK_SIZE / 4)
    return add_block (self, padded);
  if (padded > self->free_size)
    {
      self->free_space = add_block (self, BLOCK_SIZE);
      self->free_size = self->free_space != NULL ? BLOCK_SIZE : 0;
    }
  if (self->free_space == NULL)
    return NULL;
  piece = self->free_space;
  self->free_space += padded;
  self->free_size -= padded;
  return piece;
}

static void
arena_free (void *data, void *pointer)
{
}

DynoArena *
dyno_arena_new (void)
{
  DynoArena *self = g_new0 (DynoArena, 1);

  self->allocator = (ProtobufCAllocator){ arena_alloc, arena_free, self };
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
dyno_arena_free (DynoArena *self)
{
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

ProtobufCAllocator *
dyno_arena_get_allocator (DynoArena *self)
{
  return &self->allocator;
}

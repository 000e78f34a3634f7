/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-weights-private.h"

/* Each block is twice as large as the one before, because most files are small. */
#define FIRST_BLOCK   (16 * 1024)
#define LARGEST_BLOCK (1024 * 1024)
#define ALIGNMENT     16

/* Far more than models with nested subgraphs need, and far less than a stack. */
#define MAX_STACK (512 * 1024)

struct _DynoArena
{
  ProtobufCAllocator allocator;
  GPtrArray *blocks;
  gsize next_block;
  char *free_space;
  gsize free_size;
  guintptr stack; /* the stack pointer just before parsing */
  DynoArenaEnd end;
};

static gpointer
add_block (DynoArena *self, gsize size)
{
  gpointer block = g_try_malloc (size);

  if (block != NULL)
    g_ptr_array_add (self->blocks, block);
  return block;
}

static gboolean
is_deep (DynoArena *self)
{
  guintptr here = (guintptr)__builtin_frame_address (0);

  return MAX (here, self->stack) - MIN (here, self->stack) > MAX_STACK;
}

static void *
take_piece (DynoArena *self, gsize size)
{
  gsize padded = (MAX (size, 1) + ALIGNMENT - 1) & ~(gsize)(ALIGNMENT - 1);
  gpointer piece;

  if (padded > self->next_block / 4)
    return add_block (self, padded);
  if (padded > self->free_size)
    {
      self->free_space = add_block (self, self->next_block);
      self->free_size = self->free_space != NULL ? self->next_block : 0;
      self->next_block = MIN (2 * self->next_block, LARGEST_BLOCK);
    }
  if (self->free_space == NULL)
    return NULL;
  piece = self->free_space;
  self->free_space += padded;
  self->free_size -= padded;
  return piece;
}

static void *
arena_alloc (void *data, size_t size)
{
  DynoArena *self = data;
  void *piece = is_deep (self) ? NULL : take_piece (self, size);

  if (piece == NULL && self->end == DYNO_ARENA_OPEN)
    self->end = is_deep (self) ? DYNO_ARENA_END_OF_STACK : DYNO_ARENA_END_OF_MEMORY;
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
  self->next_block = FIRST_BLOCK;
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
  self->stack = (guintptr)__builtin_frame_address (0);
  return &self->allocator;
}

DynoArenaEnd
dyno_arena_get_end (DynoArena *self)
{
  return self->end;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/**
 * DynoArenaEnd:
 * @DYNO_ARENA_OPEN: memory is available
 * @DYNO_ARENA_END_OF_MEMORY: the system had no more memory
 * @DYNO_ARENA_END_OF_STACK: messages were nested too deeply
 */
typedef enum
{
  DYNO_ARENA_OPEN,
  DYNO_ARENA_END_OF_MEMORY,
  DYNO_ARENA_END_OF_STACK,
} DynoArenaEnd;

/**
 * DynoArena:
 *
 * Memory for one parsed protobuf message: allocated piece by piece and freed at once. The parser is recursive and
 * allocates memory for every nested message: it gets none once it has used half a megabyte of the stack, so that no
 * file can overflow it.
 */
typedef struct _DynoArena DynoArena;

DynoArena *dyno_arena_new (void);
void dyno_arena_free (DynoArena *self);
/* Returns the allocator for the parser, which must be called next and on this thread. */
ProtobufCAllocator *dyno_arena_get_allocator (DynoArena *self);
/* Returns why it refused memory, if it did. */
DynoArenaEnd dyno_arena_get_end (DynoArena *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoArena, dyno_arena_free)

G_END_DECLS

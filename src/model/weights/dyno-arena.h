/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/**
 * DynoArenaEnd:
 * @DYNO_ARENA_OPEN: it has more to give
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
 * Memory for one parsed protobuf message: given out piece by piece, given back at once. The parser calls itself for
 * every message in a message, and asks for memory each time: it gets none once it has taken half a megabyte of the
 * stack, so that no file makes it overflow.
 */
typedef struct _DynoArena DynoArena;

DynoArena *dyno_arena_new (void);
void dyno_arena_free (DynoArena *self);
ProtobufCAllocator *dyno_arena_get_allocator (DynoArena *self);
DynoArenaEnd dyno_arena_get_end (DynoArena *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoArena, dyno_arena_free)

G_END_DECLS

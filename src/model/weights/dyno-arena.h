/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/**
 * DynoArena:
 *
 * Memory for one parsed protobuf message: given out piece by piece, given back at once.
 */
typedef struct _DynoArena DynoArena;

DynoArena *dyno_arena_new (void);
void dyno_arena_free (DynoArena *self);
ProtobufCAllocator *dyno_arena_get_allocator (DynoArena *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoArena, dyno_arena_free)

G_END_DECLS

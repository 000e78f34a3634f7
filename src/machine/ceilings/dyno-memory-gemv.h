/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-memory-traffic.h"

G_BEGIN_DECLS

/* So many rows are gone through at once. */
#define DYNO_GEMV_ROWS 8

/**
 * DynoMemoryGemv:
 *
 * A team of threads that each multiply a matrix of their own by a vector, which is what decoding a language model does
 * most: real work that reads every byte once, to see whether a ceiling of reading can be reached by any.
 */
typedef struct _DynoMemoryGemv DynoMemoryGemv;

/* Returns the work, or NULL on a processor for which there is none. @traffic: whose memory is used; must
 * outlive this, and is not prepared any more. @bytes: how large a matrix each has, at most. */
DynoMemoryGemv *dyno_memory_gemv_new (DynoThreadTeam *team, DynoMemoryTraffic *traffic, gsize bytes);
void dyno_memory_gemv_free (DynoMemoryGemv *self);
/* Returns how many bytes are read of that level for a count of one. @with_vector: whether the vector comes
 * from the same level of memory as the matrix, as in the first cache. */
double dyno_memory_gemv_count_bytes (DynoMemoryGemv *self, gboolean with_vector);
/* Returns how many rows. */
gsize dyno_memory_gemv_get_shape (DynoMemoryGemv *self, guint *columns);
const float *dyno_memory_gemv_get_vector (DynoMemoryGemv *self, guint member);
const float *dyno_memory_gemv_get_product (DynoMemoryGemv *self, guint member);
/* A [callback@Dyno.TeamWork]. */
void dyno_memory_gemv_work (guint member, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryGemv, dyno_memory_gemv_free)

G_END_DECLS

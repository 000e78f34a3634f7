/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-memory-traffic.h"

G_BEGIN_DECLS

/* The number of rows that are processed at once. */
#define DYNO_GEMV_ROWS 8

/**
 * DynoMemoryGemv:
 *
 * A team of threads that each multiply a matrix of their own by a vector, the main work of decoding a
 * language model: real work that reads every byte once. It shows whether real work can reach a ceiling of
 * reading.
 */
typedef struct _DynoMemoryGemv DynoMemoryGemv;

/* Returns the work, or NULL if there is none for this processor or this size. @traffic: provides the
 * memory; must outlive this, and loses its prepared data. @bytes: the largest size of each matrix. */
DynoMemoryGemv *dyno_memory_gemv_new (DynoThreadTeam *team, DynoMemoryTraffic *traffic, gsize bytes);
void dyno_memory_gemv_free (DynoMemoryGemv *self);
/* Returns how many bytes of that level a count of one reads. @with_vector: whether the vector comes from
 * the same level of memory as the matrix, as in the first cache. */
double dyno_memory_gemv_count_bytes (DynoMemoryGemv *self, gboolean with_vector);
/* Returns the number of rows. */
gsize dyno_memory_gemv_get_shape (DynoMemoryGemv *self, guint *columns);
const float *dyno_memory_gemv_get_vector (DynoMemoryGemv *self, guint member);
const float *dyno_memory_gemv_get_product (DynoMemoryGemv *self, guint member);
/* A [callback@Dyno.TeamWork]. */
void dyno_memory_gemv_work (guint member, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryGemv, dyno_memory_gemv_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-machine-ceilings-private.h"

/* Long rows are prefetched better, but the vector must stay in a cache far above the matrix's: this many
 * columns, and more if there are many blocks of rows. Rows that begin at the same place of a page would
 * evict each other. */
#define USUAL_COLUMNS (1024 + 16)
#define MOST_COLUMNS  (16384 + 16)
#define MANY_BLOCKS   1024

/* The number of columns is a multiple of this, and so of every vector register's lanes. */
#define COLUMN_UNIT 16

#define ALIGNMENT 64

typedef void (*Multiply) (const float *matrix, const float *vector, gsize columns, float *product);

typedef struct
{
  float *matrix;
  float *vector;
  float *product;
  gsize position;
  guint8 padding[128];
} Member;

struct _DynoMemoryGemv
{
  DynoThreadTeam *team;
  Multiply multiply;
  gsize columns;
  gsize n_blocks;
  Member *members;
  guint n_members;
};

#if defined(__x86_64__)

#include <immintrin.h>

#define ROW_512(i) sums[i] = _mm512_fmadd_ps (_mm512_loadu_ps (matrix + i * columns + column), x, sums[i]);
#define ROW_256(i) sums[i] = _mm256_fmadd_ps (_mm256_loadu_ps (matrix + i * columns + column), x, sums[i]);

#define EACH_ROW(ROW) ROW (0) ROW (1) ROW (2) ROW (3) ROW (4) ROW (5) ROW (6) ROW (7)

/* Computes the sum of each row, eight rows at once. */
__attribute__ ((target ("avx2,fma"))) static inline void
add_up (const __m256 *rows, float *product)
{
  __m256 low = _mm256_hadd_ps (_mm256_hadd_ps (rows[0], rows[1]), _mm256_hadd_ps (rows[2], rows[3]));
  __m256 high = _mm256_hadd_ps (_mm256_hadd_ps (rows[4], rows[5]), _mm256_hadd_ps (rows[6], rows[7]));

  _mm256_storeu_ps (product, _mm256_add_ps (_mm256_permute2f128_ps (low, high, 0x20),
                                            _mm256_permute2f128_ps (low, high, 0x31)));
}

__attribute__ ((target ("avx512f"))) static void
multiply_avx512 (const float *matrix, const float *vector, gsize columns, float *product)
{
  __m512 sums[DYNO_GEMV_ROWS] = { 0 };
  __m256 halves[DYNO_GEMV_ROWS];

  for (gsize column = 0; column < columns; column += 16)
    {
      __m512 x = _mm512_loadu_ps (vector + column);

      EACH_ROW (ROW_512)
    }
  for (guint i = 0; i < DYNO_GEMV_ROWS; i++)
    halves[i] = _mm256_add_ps (_mm512_castps512_ps256 (sums[i]),
                               _mm256_castpd_ps (_mm512_extractf64x4_pd (_mm512_castps_pd (sums[i]), 1)));
  add_up (halves, product);
}

__attribute__ ((target ("avx2,fma"))) static void
multiply_avx2 (const float *matrix, const float *vector, gsize columns, float *product)
{
  __m256 sums[DYNO_GEMV_ROWS] = { 0 };

  for (gsize column = 0; column < columns; column += 8)
    {
      __m256 x = _mm256_loadu_ps (vector + column);

      EACH_ROW (ROW_256)
    }
  add_up (sums, product);
}

static Multiply
choose_multiply (void)
{
  if (dyno_cpu_features_have (DYNO_CPU_AVX512))
    return multiply_avx512;
  return dyno_cpu_features_have (DYNO_CPU_AVX2_FMA) ? multiply_avx2 : NULL;
}

#elif defined(__aarch64__)

#include <arm_neon.h>

static void
multiply_neon (const float *matrix, const float *vector, gsize columns, float *product)
{
  float32x4_t sums[DYNO_GEMV_ROWS];

  for (guint i = 0; i < DYNO_GEMV_ROWS; i++)
    sums[i] = vdupq_n_f32 (0);
  for (gsize column = 0; column < columns; column += 4)
    {
      float32x4_t x = vld1q_f32 (vector + column);

      for (guint i = 0; i < DYNO_GEMV_ROWS; i++)
        sums[i] = vfmaq_f32 (sums[i], vld1q_f32 (matrix + i * columns + column), x);
    }
  for (guint i = 0; i < DYNO_GEMV_ROWS; i++)
    product[i] = vaddvq_f32 (sums[i]);
}

static Multiply
choose_multiply (void)
{
  return multiply_neon;
}

#else

static Multiply
choose_multiply (void)
{
  return NULL;
}

#endif

/* Small whole numbers: their products add up exactly, and none is denormal. All blocks of rows are alike. */
static void
fill (guint index, guint64 count, gpointer data)
{
  DynoMemoryGemv *self = data;
  Member *member = &self->members[index];
  gsize n = DYNO_GEMV_ROWS * self->columns;

  for (gsize i = 0; i < n; i++)
    member->matrix[i] = (float)(i % 7);
  for (gsize block = 1; block < self->n_blocks; block++)
    memcpy (member->matrix + block * n, member->matrix, n * sizeof (float));
  for (gsize i = 0; i < self->columns; i++)
    member->vector[i] = (float)(i % 5);
}

DynoMemoryGemv *
dyno_memory_gemv_new (DynoThreadTeam *team, DynoMemoryTraffic *traffic, gsize bytes)
{
  gsize most = bytes / sizeof (float) / DYNO_GEMV_ROWS;
  gsize wanted = CLAMP (most / MANY_BLOCKS, USUAL_COLUMNS, MOST_COLUMNS);
  gsize columns = MIN (wanted, most) / COLUMN_UNIT * COLUMN_UNIT;
  Multiply multiply = choose_multiply ();
  DynoMemoryGemv *self;

  if (multiply == NULL || columns == 0)
    return NULL;
  self = g_new0 (DynoMemoryGemv, 1);
  self->team = team;
  self->multiply = multiply;
  self->columns = columns;
  self->n_blocks = bytes / (DYNO_GEMV_ROWS * columns * sizeof (float));
  self->n_members = dyno_thread_team_get_size (team);
  self->members = g_new0 (Member, self->n_members);
  for (guint i = 0; i < self->n_members; i++)
    {
      self->members[i].matrix = (float *)(gpointer)dyno_memory_traffic_get_area (traffic, i)->base;
      self->members[i].vector = g_aligned_alloc0 (columns, sizeof (float), ALIGNMENT);
      self->members[i].product =
          g_aligned_alloc0 (self->n_blocks * DYNO_GEMV_ROWS, sizeof (float), ALIGNMENT);
    }
  dyno_thread_team_run (team, fill, 0, self);
  return self;
}

void
dyno_memory_gemv_free (DynoMemoryGemv *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_members; i++)
    {
      g_aligned_free (self->members[i].vector);
      g_aligned_free (self->members[i].product);
    }
  g_free (self->members);
  g_free (self);
}

double
dyno_memory_gemv_count_bytes (DynoMemoryGemv *self, gboolean with_vector)
{
  return (double)((DYNO_GEMV_ROWS + (with_vector ? 1 : 0)) * self->columns * sizeof (float));
}

gsize
dyno_memory_gemv_get_shape (DynoMemoryGemv *self, guint *columns)
{
  *columns = (guint)self->columns;
  return self->n_blocks * DYNO_GEMV_ROWS;
}

const float *
dyno_memory_gemv_get_vector (DynoMemoryGemv *self, guint member)
{
  return self->members[member].vector;
}

const float *
dyno_memory_gemv_get_product (DynoMemoryGemv *self, guint member)
{
  return self->members[member].product;
}

void
dyno_memory_gemv_work (guint member, guint64 count, gpointer data)
{
  DynoMemoryGemv *self = data;
  Member *own = &self->members[member];

  for (guint64 i = 0; i < count; i++)
    {
      self->multiply (own->matrix + own->position * DYNO_GEMV_ROWS * self->columns, own->vector,
                      self->columns, own->product + own->position * DYNO_GEMV_ROWS);
      own->position = own->position + 1 < self->n_blocks ? own->position + 1 : 0;
    }
}

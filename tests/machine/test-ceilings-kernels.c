/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kernel computes the right result: the same sums as in doubles, one by one. */
#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "dyno-compute-kernel.h"
#include "dyno-machine-ceilings-private.h"
#include "dyno-memory-kernel.h"
#include "suite.h"

#define N_TURNS 5

typedef struct
{
  const DynoComputeKernel *kernel;
  guint8 *before;
  guint8 *after;
} Check;

static const struct
{
  guint element_bytes;
  guint sum_bytes;
  double tolerance;
} sizes[] = {
  [DYNO_COMPUTE_FP64] = { 8, 8, 1e-12 }, [DYNO_COMPUTE_FP32] = { 4, 4, 1e-5 },
  [DYNO_COMPUTE_FP16] = { 2, 2, 1e-2 },  [DYNO_COMPUTE_BF16] = { 2, 4, 1e-5 },
  [DYNO_COMPUTE_INT8] = { 1, 4, 0 },
};

static double
half_to_double (guint16 bits)
{
  double number = ldexp (1 + (bits & 0x3ff) / 1024.0, (bits >> 10 & 0x1f) - 15);

  return bits & 0x8000 ? -number : number;
}

static double
bfloat_to_double (guint16 bits)
{
  guint32 wide = (guint32)bits << 16;
  float number;

  memcpy (&number, &wide, sizeof number);
  return number;
}

/* In x86 vectors the left operand's bytes are unsigned. */
static double
read_byte (const DynoComputeKernel *kernel, guint input, guint8 byte)
{
#if defined(__x86_64__)
  if (kernel->shape == DYNO_COMPUTE_DOT && input == 0)
    return byte;
#endif
  return (gint8)byte;
}

static double
read_element (const Check *self, guint input, guint index)
{
  const guint8 *place = self->before + (gsize)input * self->kernel->width;

  switch (self->kernel->precision)
    {
    case DYNO_COMPUTE_FP64:
      return ((const double *)(gconstpointer)place)[index];
    case DYNO_COMPUTE_FP32:
      return ((const float *)(gconstpointer)place)[index];
    case DYNO_COMPUTE_FP16:
      return half_to_double (((const guint16 *)(gconstpointer)place)[index]);
    case DYNO_COMPUTE_BF16:
      return bfloat_to_double (((const guint16 *)(gconstpointer)place)[index]);
    case DYNO_COMPUTE_INT8:
      return read_byte (self->kernel, input, place[index]);
    default:
      g_assert_not_reached ();
    }
}

static double
read_sum (const Check *self, const guint8 *memory, guint chain, guint lane)
{
  const guint8 *place = memory + (gsize)(self->kernel->n_inputs + chain) * self->kernel->width;

  switch (self->kernel->precision)
    {
    case DYNO_COMPUTE_FP64:
      return ((const double *)(gconstpointer)place)[lane];
    case DYNO_COMPUTE_FP16:
      return half_to_double (((const guint16 *)(gconstpointer)place)[lane]);
    case DYNO_COMPUTE_INT8:
      return ((const gint32 *)(gconstpointer)place)[lane];
    case DYNO_COMPUTE_FP32:
    case DYNO_COMPUTE_BF16:
    default:
      return ((const float *)(gconstpointer)place)[lane];
    }
}

static double
dot (const Check *self, guint left, guint left_start, guint right, guint right_start, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += read_element (self, left, left_start + i) * read_element (self, right, right_start + i);
  return sum;
}

static double
dot_of_tiles (const Check *self, guint chain, guint lane)
{
  guint group = sizes[self->kernel->precision].sum_bytes / sizes[self->kernel->precision].element_bytes;
  guint row = lane / 16, column = lane % 16;
  double sum = 0;

  for (guint i = 0; i < 16; i++)
    sum += dot (self, chain / 2, (row * 16 + i) * group, 2 + chain % 2, (i * 16 + column) * group, group);
  return sum;
}

static double
dot_of_chain (const Check *self, guint chain, guint lane)
{
  guint group = sizes[self->kernel->precision].sum_bytes / sizes[self->kernel->precision].element_bytes;
  guint row = 8 / sizes[self->kernel->precision].element_bytes;

  if (self->kernel->shape == DYNO_COMPUTE_TILES)
    return dot_of_tiles (self, chain, lane);
  if (self->kernel->shape == DYNO_COMPUTE_PAIRS)
    {
      guint matrix = lane / 4 * 2; /* two rows to each 16 bytes of a register */

      return dot (self, 0, (matrix + lane % 4 / 2) * row, 1, (matrix + lane % 2) * row, row);
    }
  return dot (self, 0, lane * group, 1, lane * group, group);
}

static double
expect_sum (const Check *self, guint chain, guint lane)
{
  double sum = read_sum (self, self->before, chain, lane);

  for (guint i = 0; i < N_TURNS; i++)
    if (self->kernel->shape == DYNO_COMPUTE_FMA)
      sum = sum * read_element (self, 0, lane) + read_element (self, 1, lane);
    else if (self->kernel->shape == DYNO_COMPUTE_MUL_ADD && chain % 2 == 0)
      sum = sum * read_element (self, 0, lane) * read_element (self, 1, lane);
    else if (self->kernel->shape == DYNO_COMPUTE_MUL_ADD)
      sum = sum + read_element (self, 2, lane) + read_element (self, 3, lane);
    else
      sum += self->kernel->passes * dot_of_chain (self, chain, lane);
  return self->kernel->precision == DYNO_COMPUTE_INT8 ? (gint32)(guint32)(gint64)sum : sum;
}

static void
check_chain (const Check *self, guint chain)
{
  guint n_lanes = self->kernel->width / sizes[self->kernel->precision].sum_bytes;

  for (guint lane = 0; lane < n_lanes; lane++)
    {
      double expected = expect_sum (self, chain, lane), found = read_sum (self, self->after, chain, lane);

      g_assert_cmpfloat_with_epsilon (
          found, expected, sizes[self->kernel->precision].tolerance * MAX (fabs (expected), 1) + DBL_MIN);
    }
}

static void
test_compute (gconstpointer data)
{
  g_autofree guint8 *memory = g_malloc0 (2 * DYNO_COMPUTE_MAX_OPERAND_BYTES + 64);
  guint8 *aligned = memory + 64 - (gsize)memory % 64;
  Check check = { data, aligned, aligned + DYNO_COMPUTE_MAX_OPERAND_BYTES };

  if (!dyno_cpu_features_have (check.kernel->needs))
    {
      g_test_skip ("this processor does not have the instructions");
      return;
    }
  g_assert_cmpuint (dyno_compute_kernel_get_operand_bytes (check.kernel), <=, DYNO_COMPUTE_MAX_OPERAND_BYTES);
  dyno_compute_kernel_fill (check.kernel, check.before, 7);
  memcpy (check.after, check.before, DYNO_COMPUTE_MAX_OPERAND_BYTES);
  check.kernel->run (check.after, N_TURNS);
  for (guint chain = 0; chain < check.kernel->n_chains; chain++)
    check_chain (&check, chain);
}

/* However long it runs, no chain overflows or becomes NaN. */
static void
test_finite (gconstpointer data)
{
  g_autofree guint8 *memory = g_malloc0 (DYNO_COMPUTE_MAX_OPERAND_BYTES + 64);
  Check check = { data, NULL, memory + 64 - (gsize)memory % 64 };
  guint n_lanes = check.kernel->width / sizes[check.kernel->precision].sum_bytes;

  if (!dyno_cpu_features_have (check.kernel->needs))
    {
      g_test_skip ("this processor does not have the instructions");
      return;
    }
  dyno_compute_kernel_fill (check.kernel, check.after, 7);
  check.kernel->run (check.after, 200000);
  for (guint chain = 0; chain < check.kernel->n_chains; chain++)
    for (guint lane = 0; lane < n_lanes; lane++)
      {
        double sum = read_sum (&check, check.after, chain, lane);

        g_assert_true (isfinite (sum) && (sum == 0 || fabs (sum) > 1e-30));
      }
}

#define N_BYTES   (3 * DYNO_MEMORY_BLOCK)
#define N_NUMBERS (N_BYTES / sizeof (float))

static void
expect_triad (const float *a, const float *b, const float *c)
{
  guint32 bits = DYNO_MEMORY_CONSTANT_BITS;
  float constant;

  memcpy (&constant, &bits, sizeof constant);
  for (guint i = 0; i < N_NUMBERS; i++)
    g_assert_cmpfloat_with_epsilon (a[i], b[i] + constant * c[i], 1e-6);
}

static void
expect_sums (const DynoMemoryStreams *streams, guint64 repeats)
{
  const guint64 *numbers = (const guint64 *)(gconstpointer)streams->a;
  guint64 expected = 0, found = 0;

  for (guint i = 0; i < N_BYTES / sizeof *numbers; i++)
    expected += numbers[i] * repeats;
  for (guint i = 0; i < G_N_ELEMENTS (streams->sum); i++)
    found += streams->sum[i];
  g_assert_cmpuint (found, ==, expected);
}

static void
expect_constant (const guint8 *a)
{
  for (guint i = 0; i < N_BYTES; i++)
    g_assert_cmpuint (a[i], ==, DYNO_MEMORY_CONSTANT_BITS & 0xff);
}

static void
expect_result (DynoMemoryMix mix, const DynoMemoryStreams *streams)
{
  if (mix == DYNO_MEMORY_READ)
    expect_sums (streams, 2);
  else if (mix == DYNO_MEMORY_COPY)
    g_assert_cmpmem (streams->a, N_BYTES, streams->b, N_BYTES);
  else if (mix == DYNO_MEMORY_TRIAD)
    expect_triad ((gpointer)streams->a, (gpointer)streams->b, (gpointer)streams->c);
  else
    expect_constant (streams->a);
}

static void
test_memory (gconstpointer data)
{
  const DynoMemoryKernel *kernel = data;
  g_autoptr (DynoMemoryArea) area = dyno_memory_area_new (4 * N_BYTES);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  DynoMemoryStreams streams = {
    area->base, area->base + N_BYTES + 64, area->base + 2 * N_BYTES + 192, { 0 }
  };
  float *numbers = (gpointer)area->base;

  if (!dyno_cpu_features_have (kernel->needs))
    {
      g_test_skip ("this processor does not have the instructions");
      return;
    }
  for (guint i = 0; i < 4 * N_NUMBERS; i++)
    numbers[i] = (float)g_rand_double_range (rand, 0.5, 1);
  streams.a[N_BYTES] = 17;
  kernel->run (&streams, N_BYTES, 2);
  expect_result (kernel->mix, &streams);
  g_assert_cmpuint (streams.a[N_BYTES], ==, 17);
}

/* The chain visits every element once before it returns to the start. */
static void
test_chase (void)
{
  const guint n_places = 32 * DYNO_MEMORY_CHASE_STEPS;
  g_autoptr (DynoMemoryArea) area = dyno_memory_area_new (n_places * DYNO_MEMORY_CHASE_STRIDE);
  DynoMemoryChase chase;
  gpointer *start;
  gpointer *place;

  dyno_memory_chase_init (&chase, area->base, n_places * DYNO_MEMORY_CHASE_STRIDE);
  start = chase.place;
  place = *start;
  for (guint i = 1; i < n_places; i++, place = *place)
    g_assert_true (place != start);
  g_assert_true (place == start);
  dyno_memory_chase_work (0, n_places / DYNO_MEMORY_CHASE_STEPS, &chase);
  g_assert_true (chase.place == start);
}

static void
add_test (const char *group, const char *kind, const char *name, gconstpointer data, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/ceilings-kernels/%s/%s/%s", group, kind, name);

  g_test_add_data_func (path, data, func);
}

static gboolean
has_kernel_past_caches (DynoMemoryMix mix, const char *instruction_set)
{
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);

  for (guint i = 0; i < n_kernels; i++)
    if (kernels[i].mix == mix && kernels[i].past_caches &&
        strcmp (kernels[i].instruction_set, instruction_set) == 0)
      return TRUE;
  return FALSE;
}

/* For main memory the fastest variant counts: kernels with non-temporal writes also copy and add with them. */
static void
test_past_caches (void)
{
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);

  for (guint i = 0; i < n_kernels; i++)
    if (kernels[i].mix == DYNO_MEMORY_STREAM)
      {
        g_assert_true (kernels[i].past_caches);
        g_assert_true (has_kernel_past_caches (DYNO_MEMORY_COPY, kernels[i].instruction_set));
        g_assert_true (has_kernel_past_caches (DYNO_MEMORY_TRIAD, kernels[i].instruction_set));
      }
}

/* Every element of every row takes part, in every block of rows. */
static void
check_product (DynoMemoryGemv *gemv, guint member)
{
  const float *vector = dyno_memory_gemv_get_vector (gemv, member);
  const float *product = dyno_memory_gemv_get_product (gemv, member);
  guint columns;
  gsize rows = dyno_memory_gemv_get_shape (gemv, &columns);

  for (gsize row = 0; row < rows; row++)
    {
      float expected = 0;

      for (guint column = 0; column < columns; column++)
        expected += (float)((row % DYNO_GEMV_ROWS * columns + column) % 7) * vector[column];
      g_assert_cmpfloat (product[row], ==, expected);
    }
}

static void
test_gemv (void)
{
  static const gsize matrices[] = { 8 * 16 * 4, 24 << 10, (1 << 20) + 12345 };
  g_autoptr (DynoTopology) topology = dyno_topology_load (NULL);
  g_autoptr (DynoThreadTeam) team = dyno_thread_team_new (topology, 2);
  g_autoptr (DynoMemoryTraffic) traffic = dyno_memory_traffic_new (team, 2 << 20);

  for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_autoptr (DynoMemoryGemv) gemv = dyno_memory_gemv_new (team, traffic, matrices[i]);
      guint columns;

      if (gemv == NULL)
        {
          g_test_skip ("no product is written for this processor");
          return;
        }
      g_assert_cmpuint (dyno_memory_gemv_get_shape (gemv, &columns) * columns * sizeof (float), <=,
                        matrices[i]);
      dyno_thread_team_run (team, dyno_memory_gemv_work,
                            dyno_memory_gemv_get_shape (gemv, &columns) / DYNO_GEMV_ROWS, gemv);
      for (guint member = 0; member < dyno_thread_team_get_size (team); member++)
        check_product (gemv, member);
    }
}

static void
add_tests (void)
{
  guint n_compute, n_memory;
  const DynoComputeKernel *compute = dyno_compute_kernel_list (&n_compute);
  const DynoMemoryKernel *memory = dyno_memory_kernel_list (&n_memory);

  for (guint i = 0; i < n_compute; i++)
    {
      add_test ("compute", "sums", compute[i].id, &compute[i], test_compute);
      add_test ("compute", "finite", compute[i].id, &compute[i], test_finite);
    }
  for (guint i = 0; i < n_memory; i++)
    add_test (dyno_memory_mix_get_name (memory[i].mix), memory[i].past_caches ? "past-caches" : "cached",
              memory[i].instruction_set, &memory[i], test_memory);
  g_test_add_func ("/ceilings-kernels/past-caches", test_past_caches);
  g_test_add_func ("/ceilings-kernels/chase", test_chase);
  g_test_add_func ("/ceilings-kernels/gemv", test_gemv);
}

SUITE_ADD (add_tests)

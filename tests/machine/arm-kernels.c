/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of 64-bit Arm, for an emulator of one: every lane of every chain must come out, whatever the width of the
 * vectors, and nothing behind them. Built without libraries, of which a cross compiler has none. */
#include <stdio.h>
#include <string.h>

#include "dyno-compute-kernel.h"
#include "dyno-memory-kernel.h"

#define N_TURNS 3

/* One in halves and in bfloat16; three in halves. */
#define ONE_HALF   0x3c00
#define ONE_BFLOAT 0x3f80
#define THREE_HALF 0x4200

static guint8 before[DYNO_COMPUTE_MAX_OPERAND_BYTES] __attribute__ ((aligned (64)));
static guint8 after[DYNO_COMPUTE_MAX_OPERAND_BYTES] __attribute__ ((aligned (64)));

/* Substitutes for GLib, for one thread. */
gboolean arm_kernels_enter_once (volatile void *location) __asm__("g_once_init_enter");
void arm_kernels_leave_once (volatile void *location, gsize result) __asm__("g_once_init_leave");

gboolean
arm_kernels_enter_once (volatile void *location)
{
  return *(volatile gsize *)location == 0;
}

void
arm_kernels_leave_once (volatile void *location, gsize result)
{
  *(volatile gsize *)location = result;
}

static void
fill (const DynoComputeKernel *kernel, guint input)
{
  guint8 *place = before + input * kernel->width;

  for (guint i = 0; i < kernel->width; i++)
    switch (kernel->precision)
      {
      case DYNO_COMPUTE_FP64:
        ((double *)(gpointer)place)[i / 8] = input + 1 + i / 8;
        break;
      case DYNO_COMPUTE_FP32:
        ((float *)(gpointer)place)[i / 4] = (float)(input + 1 + i / 4);
        break;
      case DYNO_COMPUTE_FP16:
        ((guint16 *)(gpointer)place)[i / 2] = ONE_HALF;
        break;
      case DYNO_COMPUTE_BF16:
        ((guint16 *)(gpointer)place)[i / 2] = ONE_BFLOAT;
        break;
      case DYNO_COMPUTE_INT8:
      default:
        place[i] = 1;
        break;
      }
}

/* For a lane, the products of a group of ones, or of numbers that distinguish lanes. */
static gboolean
is_right (const DynoComputeKernel *kernel, const guint8 *place, guint i)
{
  guint times = kernel->shape == DYNO_COMPUTE_PAIRS ? 2 * N_TURNS : N_TURNS;

  switch (kernel->precision)
    {
    case DYNO_COMPUTE_FP64:
      return ((const double *)(gconstpointer)place)[i / 8] == N_TURNS * (1.0 + i / 8) * (2.0 + i / 8);
    case DYNO_COMPUTE_FP32:
      return ((const float *)(gconstpointer)place)[i / 4] == N_TURNS * (1.0F + i / 4) * (2.0F + i / 4);
    case DYNO_COMPUTE_FP16:
      return ((const guint16 *)(gconstpointer)place)[i / 2] == THREE_HALF;
    case DYNO_COMPUTE_BF16:
      return ((const float *)(gconstpointer)place)[i / 4] == 2 * times;
    case DYNO_COMPUTE_INT8:
    default:
      return ((const guint32 *)(gconstpointer)place)[i / 4] == 4 * times;
    }
}

static gboolean
check (const DynoComputeKernel *kernel)
{
  gsize end = (gsize)(kernel->n_inputs + kernel->n_chains) * kernel->width;
  gboolean right = end <= sizeof before;

  memset (before, 0, sizeof before);
  for (guint input = 0; input < kernel->n_inputs; input++)
    fill (kernel, input);
  memcpy (after, before, sizeof before);
  kernel->run (after, N_TURNS);
  for (gsize i = (gsize)kernel->n_inputs * kernel->width; i < end; i++)
    right = right && is_right (kernel, after + i / kernel->width * kernel->width, i % kernel->width);
  for (gsize i = end; i < sizeof after; i++)
    right = right && after[i] == 0;
  return right;
}

#define N_BYTES (3 * DYNO_MEMORY_BLOCK)

static guint8 memory[3][N_BYTES + 64] __attribute__ ((aligned (64)));

static float
get_constant (void)
{
  guint32 bits = DYNO_MEMORY_CONSTANT_BITS;
  float constant;

  memcpy (&constant, &bits, sizeof constant);
  return constant;
}

static float
expect (DynoMemoryMix mix, float b, float c)
{
  switch (mix)
    {
    case DYNO_MEMORY_WRITE:
    case DYNO_MEMORY_STREAM:
      return get_constant ();
    case DYNO_MEMORY_COPY:
      return b;
    case DYNO_MEMORY_TRIAD:
      return __builtin_fmaf (get_constant (), c, b);
    case DYNO_MEMORY_READ:
    case DYNO_N_MEMORY_MIXES:
    default:
      return 0;
    }
}

/* The numbers read are summed as integers, twice. */
static gboolean
check_sum (const DynoMemoryStreams *streams)
{
  guint64 expected = 0, found = 0;

  for (guint i = 0; i < N_BYTES / sizeof expected; i++)
    expected += 2 * ((const guint64 *)(gconstpointer)streams->a)[i];
  for (guint i = 0; i < G_N_ELEMENTS (streams->sum); i++)
    found += streams->sum[i];
  return found == expected;
}

static gboolean
check_memory (const DynoMemoryKernel *kernel)
{
  DynoMemoryStreams streams = { memory[0], memory[1], memory[2], { 0 } };
  float *a = (gpointer)streams.a, *b = (gpointer)streams.b, *c = (gpointer)streams.c;
  gboolean right = TRUE;

  for (guint i = 0; i < N_BYTES / sizeof *a; i++)
    {
      a[i] = (float)i;
      b[i] = (float)(i % 91);
      c[i] = (float)(i % 17);
    }
  streams.a[N_BYTES] = 17;
  kernel->run (&streams, N_BYTES, 2);
  if (kernel->mix == DYNO_MEMORY_READ)
    return check_sum (&streams);
  for (guint i = 0; i < N_BYTES / sizeof *a; i++)
    right = right && a[i] == expect (kernel->mix, b[i], c[i]);
  return right && streams.a[N_BYTES] == 17;
}

static void
report (guint number, gboolean right, const char *name, const char *rest)
{
  printf ("%s %u - %s%s\n", right ? "ok" : "not ok", number, name, rest);
}

int
main (void)
{
  guint n_compute, n_memory;
  const DynoComputeKernel *compute = dyno_compute_kernel_list (&n_compute);
  const DynoMemoryKernel *moving = dyno_memory_kernel_list (&n_memory);

  printf ("1..%u\n", n_compute + n_memory);
  for (guint i = 0; i < n_compute; i++)
    {
      gboolean has = dyno_cpu_features_have (compute[i].needs);

      report (i + 1, !has || check (&compute[i]), compute[i].id, has ? "" : " # SKIP not emulated");
    }
  for (guint i = 0; i < n_memory; i++)
    report (n_compute + i + 1, check_memory (&moving[i]), moving[i].instructions, "");
  return 0;
}

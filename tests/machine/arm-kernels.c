/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of 64-bit Arm, for an emulator of one: every lane of every chain must come out, whatever the width of the
 * vectors, and nothing behind them. Built without libraries, of which a cross compiler has none. */
#include <stdio.h>
#include <string.h>

#include "dyno-compute-kernel.h"

#define N_TURNS 3

/* One in halves and in bfloat16; three in halves. */
#define ONE_HALF   0x3c00
#define ONE_BFLOAT 0x3f80
#define THREE_HALF 0x4200

static guint8 before[DYNO_COMPUTE_MAX_OPERAND_BYTES] __attribute__ ((aligned (64)));
static guint8 after[DYNO_COMPUTE_MAX_OPERAND_BYTES] __attribute__ ((aligned (64)));

/* What glib does, for one thread. */
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

/* Of a lane, the products of a group of ones, or of numbers that tell lanes apart. */
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

int
main (void)
{
  guint n_kernels;
  const DynoComputeKernel *kernels = dyno_compute_kernel_list (&n_kernels);

  printf ("1..%u\n", n_kernels);
  for (guint i = 0; i < n_kernels; i++)
    {
      gboolean has = dyno_cpu_features_have (kernels[i].needs);

      printf ("%s %u - %s, %u bytes%s\n", !has || check (&kernels[i]) ? "ok" : "not ok", i + 1, kernels[i].id,
              kernels[i].width, has ? "" : " # SKIP not emulated");
    }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-compute-kernel.h"

static const char *const precision_names[] = {
  [DYNO_COMPUTE_FP64] = "fp64", [DYNO_COMPUTE_FP32] = "fp32", [DYNO_COMPUTE_FP16] = "fp16",
  [DYNO_COMPUTE_BF16] = "bf16", [DYNO_COMPUTE_INT8] = "int8",
};

/* Exponents under random mantissa bits: a value in [0.25, 0.5), and one in [0.5, 1). */
#define FP16_QUARTER 0x3400
#define FP16_HALF    0x3800

const char *
dyno_compute_kernel_get_precision_name (const DynoComputeKernel *self)
{
  return precision_names[self->precision];
}

const char *
dyno_compute_kernel_get_unit (const DynoComputeKernel *self)
{
  return self->precision == DYNO_COMPUTE_INT8 ? "OP/s" : "FLOP/s";
}

double
dyno_compute_kernel_count_operations (const DynoComputeKernel *self, guint64 turns)
{
  return (double)turns * self->passes * self->n_chains * self->operations;
}

gboolean
dyno_compute_kernel_depends_on_data (const DynoComputeKernel *self)
{
  return self->shape == DYNO_COMPUTE_TILES;
}

gsize
dyno_compute_kernel_get_operand_bytes (const DynoComputeKernel *self)
{
  return (gsize)(self->n_inputs + self->n_chains) * self->width;
}

static double
draw (GRand *rand, double low, double high, gboolean any_sign)
{
  double number = g_rand_double_range (rand, low, high);

  return any_sign && g_rand_boolean (rand) ? -number : number;
}

static void
put_real (const DynoComputeKernel *self, gpointer place, guint index, double number)
{
  if (self->precision == DYNO_COMPUTE_FP64)
    ((double *)place)[index] = number;
  else
    ((float *)place)[index] = (float)number;
}

static guint
count_reals (const DynoComputeKernel *self)
{
  return self->width / (self->precision == DYNO_COMPUTE_FP64 ? sizeof (double) : sizeof (float));
}

static void
fill_reals (
    const DynoComputeKernel *self, guint8 *place, GRand *rand, double low, double high, gboolean any_sign)
{
  for (guint i = 0; i < count_reals (self); i++)
    put_real (self, place, i, draw (rand, low, high, any_sign));
}

static void
fill_halves (guint8 *place, guint width, GRand *rand, guint16 exponent)
{
  for (guint i = 0; i < width / sizeof (guint16); i++)
    ((guint16 *)(gpointer)place)[i] = exponent | (g_rand_int (rand) & 0x3ff);
}

static void
fill_bfloats (guint8 *place, guint width, GRand *rand)
{
  for (guint i = 0; i < width / sizeof (guint16); i++)
    {
      float number = (float)draw (rand, 0.25, 1, TRUE);
      guint32 bits;

      memcpy (&bits, &number, sizeof bits);
      ((guint16 *)(gpointer)place)[i] = bits >> 16;
    }
}

/* A factor of magnitude below one keeps a chain near second / (1 - first): never infinite, never denormal. */
static void
fill_fma (const DynoComputeKernel *self, guint8 *operands, GRand *rand)
{
  for (guint i = 0; i < self->n_inputs + self->n_chains; i++)
    {
      guint8 *place = operands + (gsize)i * self->width;

      if (self->precision == DYNO_COMPUTE_FP16)
        fill_halves (place, self->width, rand, i == 0 ? FP16_QUARTER : FP16_HALF);
      else if (i == 0)
        fill_reals (self, place, rand, 0.25, 0.5, TRUE);
      else
        fill_reals (self, place, rand, 0.5, 1, FALSE);
    }
}

static void
fill_mul_add (const DynoComputeKernel *self, guint8 *operands, GRand *rand)
{
  gsize width = self->width;

  for (guint i = 0; i < self->n_inputs + self->n_chains; i++)
    fill_reals (self, operands + i * width, rand, 0.5, 1, FALSE);
  for (guint i = 0; i < count_reals (self); i++)
    {
      double factor = draw (rand, 0.75, 1.25, FALSE), summand = draw (rand, 0.5, 1, FALSE);

      put_real (self, operands, i, factor);
      put_real (self, operands + width, i, 1 / factor);
      put_real (self, operands + 2 * width, i, summand);
      put_real (self, operands + 3 * width, i, -summand);
    }
}

static void
fill_dot (const DynoComputeKernel *self, guint8 *operands, GRand *rand)
{
  for (guint i = 0; i < self->n_inputs + self->n_chains; i++)
    {
      guint8 *place = operands + (gsize)i * self->width;

      if (self->precision == DYNO_COMPUTE_INT8)
        for (guint k = 0; k < self->width; k++)
          place[k] = g_rand_int (rand) >> 24;
      else if (self->precision == DYNO_COMPUTE_FP16)
        fill_halves (place, self->width, rand, FP16_HALF);
      else if (self->precision == DYNO_COMPUTE_BF16 && i < self->n_inputs)
        fill_bfloats (place, self->width, rand);
      else
        fill_reals (self, place, rand, 0.5, 1, TRUE);
    }
}

void
dyno_compute_kernel_fill (const DynoComputeKernel *self, gpointer operands, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  switch (self->shape)
    {
    case DYNO_COMPUTE_FMA:
      fill_fma (self, operands, rand);
      break;
    case DYNO_COMPUTE_MUL_ADD:
      fill_mul_add (self, operands, rand);
      break;
    case DYNO_COMPUTE_DOT:
    case DYNO_COMPUTE_PAIRS:
    case DYNO_COMPUTE_TILES:
      fill_dot (self, operands, rand);
      break;
    default:
      g_assert_not_reached ();
    }
}

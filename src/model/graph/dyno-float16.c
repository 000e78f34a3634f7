/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-float16.h"

#define SIGN 0x8000u

/* Bit patterns in single precision, without the sign: infinity, the first number beyond the exponents of half
 * precision, and the smallest that is normal in half precision. */
#define SINGLE_INFINITY    0x7f800000u
#define SINGLE_TOO_LARGE   0x47800000u
#define SINGLE_HALF_NORMAL 0x38800000u

static guint32
to_bits (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static float
from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

guint16
dyno_float16_from_float (float value)
{
  guint32 bits = to_bits (value);
  guint16 sign = (guint16)((bits >> 16) & SIGN);

  bits &= ~(SIGN << 16);
  if (bits >= SINGLE_TOO_LARGE)
    return sign | (bits > SINGLE_INFINITY ? 0x7e00 : 0x7c00);
  /* Near ½, single precision has the same step size as half precision near 0, so the addition rounds. */
  if (bits < SINGLE_HALF_NORMAL)
    return sign | (guint16)(to_bits (from_bits (bits) + 0.5f) - to_bits (0.5f));
  bits += 0xfff + ((bits >> 13) & 1);
  return sign | (guint16)((bits - (112u << 23)) >> 13);
}

float
dyno_float16_to_float (guint16 bits)
{
  int exponent = (bits >> 10) & 0x1f;
  int fraction = bits & 0x3ff;
  float magnitude =
      exponent == 0 ? ldexpf ((float)fraction, -24) : ldexpf ((float)(fraction + 0x400), exponent - 25);

  if (exponent == 0x1f)
    magnitude = fraction == 0 ? INFINITY : NAN;
  return bits & SIGN ? -magnitude : magnitude;
}

guint16
dyno_float16_bfloat_from_float (float value)
{
  guint32 bits = to_bits (value);

  if (isnan (value))
    return (guint16)(bits >> 16) | 0x40;
  return (guint16)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float
dyno_float16_bfloat_to_float (guint16 bits)
{
  return from_bits ((guint32)bits << 16);
}

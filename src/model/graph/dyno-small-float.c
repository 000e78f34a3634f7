/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-model-graph-private.h"

/* Formats of a byte or less: a sign, an exponent, a mantissa. Each has its own largest finite number and
 * its own codes for NaN; 0 if there is no such code. */
typedef struct
{
  DynoDataType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  guint8 largest;
  guint8 infinity;
  guint8 not_a_number;
  gboolean has_sign;
  gboolean has_negative_zero;
} Format;

static const Format formats[] = {
  { DYNO_DATA_TYPE_FLOAT8E4M3FN, 4, 3, 7, 0x7e, 0, 0x7f, TRUE, TRUE },
  { DYNO_DATA_TYPE_FLOAT8E4M3FNUZ, 4, 3, 8, 0x7f, 0, 0x80, TRUE, FALSE },
  { DYNO_DATA_TYPE_FLOAT8E5M2, 5, 2, 15, 0x7b, 0x7c, 0x7e, TRUE, TRUE },
  { DYNO_DATA_TYPE_FLOAT8E5M2FNUZ, 5, 2, 16, 0x7f, 0, 0x80, TRUE, FALSE },
  { DYNO_DATA_TYPE_FLOAT4E2M1, 2, 1, 1, 0x07, 0, 0, TRUE, TRUE },
  { DYNO_DATA_TYPE_FLOAT8E8M0, 8, 0, 127, 0xfe, 0, 0xff, FALSE, FALSE },
};

static const Format *
find_format (DynoDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].type == type)
      return &formats[i];
  return NULL;
}

gboolean
dyno_small_float_is_type (DynoDataType type)
{
  return find_format (type) != NULL;
}

double
dyno_small_float_decode (DynoDataType type, guint8 bits)
{
  const Format *format = find_format (type);
  guint sign_bit, magnitude;
  int exponent, mantissa;
  double value;

  g_return_val_if_fail (format != NULL, NAN);

  sign_bit = format->has_sign ? 1u << (format->exponent_bits + format->mantissa_bits) : 0;
  magnitude = bits & ~sign_bit;
  exponent = (int)(magnitude >> format->mantissa_bits);
  mantissa = (int)(magnitude & ((1u << format->mantissa_bits) - 1));
  if (format->not_a_number != 0 && (bits == format->not_a_number || magnitude > format->largest))
    return magnitude == format->infinity && format->infinity != 0 ? (bits & sign_bit ? -INFINITY : INFINITY)
                                                                  : NAN;
  if (exponent > 0 || !format->has_sign)
    value = ldexp (mantissa + (1 << format->mantissa_bits), exponent - format->bias - format->mantissa_bits);
  else
    value = ldexp (mantissa, 1 - format->bias - format->mantissa_bits);
  return bits & sign_bit ? -value : value;
}

guint8
dyno_small_float_encode (DynoDataType type, double number)
{
  const Format *format = find_format (type);
  double size = fabs (number);
  int code;

  g_return_val_if_fail (format != NULL, 0);

  if (isnan (number))
    return format->not_a_number;
  code = format->largest;
  if (isfinite (size))
    {
      int exponent = size > 0 ? MAX (ilogb (size), 1 - format->bias) : 1 - format->bias;

      code = (int)nearbyint (ldexp (size, format->mantissa_bits - exponent)) +
             ((exponent + format->bias - 1) << format->mantissa_bits);
      code = MIN (code, format->largest);
    }
  if (signbit (number) && format->has_sign && (code > 0 || format->has_negative_zero))
    code |= 1 << (format->exponent_bits + format->mantissa_bits);
  return (guint8)code;
}

gboolean
dyno_small_float_holds (DynoDataType type, double number)
{
  const Format *format = find_format (type);

  g_return_val_if_fail (format != NULL, FALSE);

  if (isnan (number))
    return format->not_a_number != 0;
  return fabs (number) <= dyno_small_float_decode (type, format->largest) &&
         (format->has_sign || number >= dyno_small_float_decode (type, 0));
}

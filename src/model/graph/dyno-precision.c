/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <string.h>

#include "dyno-float16.h"
#include "dyno-precision.h"

/* Largest finite number of bfloat16: 8 significant bits and the exponents of single precision. */
#define BFLOAT16_MAX 0x1.fep127

/* Models are built in the precisions before bf16. In that, opset 17 defines neither Conv nor pooling, and ONNX
 * Runtime's processor kernels, which every answer is compared with, have no MatMul. */
static const struct
{
  const char *precision;
  DynoDataType type;
  double largest;
} entries[] = {
  { "fp32", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX },
  { "fp16", DYNO_DATA_TYPE_FLOAT16, (double)DYNO_FLOAT16_MAX },
  { "bf16", DYNO_DATA_TYPE_BFLOAT16, BFLOAT16_MAX },
};

/**
 * dyno_precision_list:
 *
 * Returns: (transfer none) (array zero-terminated=1): the precisions that models can be built in, the usual one first
 */
const char *const *
dyno_precision_list (void)
{
  static const char *const names[] = { "fp32", "fp16", NULL };

  return names;
}

gboolean
dyno_precision_can_build (const char *precision)
{
  return g_strv_contains (dyno_precision_list (), precision);
}

/**
 * dyno_precision_get_type:
 * @precision: a precision
 *
 * Returns: the type of floating-point elements in it, %DYNO_DATA_TYPE_UNDEFINED where it is none of those
 */
DynoDataType
dyno_precision_get_type (const char *precision)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (strcmp (entries[i].precision, precision) == 0)
      return entries[i].type;
  return DYNO_DATA_TYPE_UNDEFINED;
}

/**
 * dyno_precision_from_type:
 * @type: an element type
 *
 * Returns: (transfer none) (nullable): the precision that computes in it
 */
const char *
dyno_precision_from_type (DynoDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].type == type)
      return entries[i].precision;
  return NULL;
}

/**
 * dyno_precision_get_largest:
 * @type: a floating-point element type
 *
 * Returns: the largest finite number of that type, 0 for other types
 */
double
dyno_precision_get_largest (DynoDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].type == type)
      return entries[i].largest;
  return 0;
}

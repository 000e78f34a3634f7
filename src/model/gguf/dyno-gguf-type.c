/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-gguf-private.h"

/* As ggml lays out blocks; numbers that are missing were removed from the format. */
static const DynoGgufType types[] = {
  { 0, "F32", 1, 4, "fp32" },
  { 1, "F16", 1, 2, "fp16" },
  { 2, "Q4_0", 32, 18, "int4" },
  { 3, "Q4_1", 32, 20, "int4" },
  { 6, "Q5_0", 32, 22, "int5" },
  { 7, "Q5_1", 32, 24, "int5" },
  { 8, "Q8_0", 32, 34, "int8-weights" },
  { 9, "Q8_1", 32, 36, "int8-weights" },
  { 10, "Q2_K", 256, 84, "int2" },
  { 11, "Q3_K", 256, 110, "int3" },
  { 12, "Q4_K", 256, 144, "int4" },
  { 13, "Q5_K", 256, 176, "int5" },
  { 14, "Q6_K", 256, 210, "int6" },
  { 15, "Q8_K", 256, 292, "int8-weights" },
  { 16, "IQ2_XXS", 256, 66, "int2" },
  { 17, "IQ2_XS", 256, 74, "int2" },
  { 18, "IQ3_XXS", 256, 98, "int3" },
  { 19, "IQ1_S", 256, 50, "int1" },
  { 20, "IQ4_NL", 32, 18, "int4" },
  { 21, "IQ3_S", 256, 110, "int3" },
  { 22, "IQ2_S", 256, 82, "int2" },
  { 23, "IQ4_XS", 256, 136, "int4" },
  { 24, "I8", 1, 1, NULL },
  { 25, "I16", 1, 2, NULL },
  { 26, "I32", 1, 4, NULL },
  { 27, "I64", 1, 8, NULL },
  { 28, "F64", 1, 8, NULL },
  { 29, "IQ1_M", 256, 56, "int1" },
  { 30, "BF16", 1, 2, "bf16" },
  { 34, "TQ1_0", 256, 54, "int1" },
  { 35, "TQ2_0", 256, 66, "int2" },
  { 39, "MXFP4", 32, 17, "fp4" },
  { 40, "NVFP4", 64, 36, "fp4" },
  { 41, "Q1_0", 128, 18, "int1" },
  { 42, "Q2_0", 64, 18, "int2" },
};

const DynoGgufType *
dyno_gguf_type_find (guint32 number)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].number == number)
      return &types[i];
  return NULL;
}

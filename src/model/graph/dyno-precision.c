/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <string.h>

#include "dyno-cpu-features.h"
#include "dyno-float16.h"
#include "dyno-precision.h"

/* Largest finite number of bfloat16: 8 significant bits and the exponent range of single precision. */
#define BFLOAT16_MAX 0x1.fep127

/* Without VNNI, engines add pairs of byte products in 16 bits (VPMADDUBSW), where 2 · 255 · 64 fits and 2 · 255 · 127 does
 * not. Unsigned weights do not overflow either, but MLAS multiplies them 1.3 to 1.7 times as slowly on AVX2. */
#define FULL_RANGE    127
#define REDUCED_RANGE 64

/* Every precision in which models can be built. With quantised weights, the type is that of everything
 * else, and the name contains the bits of a weight and the number of weights that share a scale. */
static const struct
{
  const char *precision;
  DynoDataType type;
  double largest;
  DynoQuantisation quantisation;
} entries[] = {
  { "fp32", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 0 } },
  { "fp16", DYNO_DATA_TYPE_FLOAT16, (double)DYNO_FLOAT16_MAX, { 0 } },
  { "bf16", DYNO_DATA_TYPE_BFLOAT16, BFLOAT16_MAX, { 0 } },
  { "int8", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 8, 0, FALSE, FULL_RANGE, TRUE } },
  { "int8-cache", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 8, .is_static = TRUE, .is_cache = TRUE } },
  { "int8-dynamic", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 8, 0, TRUE, FULL_RANGE } },
  { "int8-weights", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 8, 128 } },
  { "int4-128", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 4, 128 } },
  { "int4-32", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 4, 32 } },
  { "nf4", DYNO_DATA_TYPE_FLOAT, (double)FLT_MAX, { 4, 64, .is_normal = TRUE } },
};

/* A file has no precision of ours: NULL. */
static int
find_entry (const char *precision)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (g_strcmp0 (entries[i].precision, precision) == 0)
      return (int)i;
  return -1;
}

const char *const *
dyno_precision_list (void)
{
  static const char *names[G_N_ELEMENTS (entries) + 1];
  static gsize is_listed;

  if (g_once_init_enter (&is_listed))
    {
      for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
        names[i] = entries[i].precision;
      g_once_init_leave (&is_listed, 1);
    }
  return names;
}

const char *const *
dyno_precision_list_all (void)
{
  static char **names;

  if (g_once_init_enter (&names))
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      const char *const *of_gguf = dyno_precision_list_gguf ();

      g_strv_builder_addv (builder, (const char **)dyno_precision_list ());
      for (; *of_gguf != NULL; of_gguf++)
        if (!dyno_precision_can_build (*of_gguf))
          g_strv_builder_add (builder, *of_gguf);
      g_once_init_leave (&names, g_strv_builder_end (builder));
    }
  return (const char *const *)names;
}

const char *const *
dyno_precision_list_gguf (void)
{
  static const char *const names[] = { "fp32", "fp16", "bf16", "q8_0", "q4_k_m", NULL };

  return names;
}

gboolean
dyno_precision_can_build (const char *precision)
{
  return find_entry (precision) >= 0;
}

DynoDataType
dyno_precision_get_type (const char *precision)
{
  int i = find_entry (precision);

  return i >= 0 ? entries[i].type : DYNO_DATA_TYPE_UNDEFINED;
}

static gboolean
overflows (void)
{
#if defined(__x86_64__) || defined(__i386__)
  return !dyno_cpu_features_have (DYNO_CPU_AVX512_VNNI) && !dyno_cpu_features_have (DYNO_CPU_AVX_VNNI);
#else
  return FALSE;
#endif
}

const DynoQuantisation *
dyno_precision_get_quantisation (const char *precision)
{
  static const DynoQuantisation reduced[] = { { 8, 0, TRUE, REDUCED_RANGE },
                                              { 8, 0, FALSE, REDUCED_RANGE, TRUE } };
  int i = find_entry (precision);

  if (i < 0 || entries[i].quantisation.bits == 0)
    return NULL;
  return entries[i].quantisation.largest > 0 && overflows () ? &reduced[entries[i].quantisation.is_static]
                                                             : &entries[i].quantisation;
}

gboolean
dyno_precision_needs_ranges (const char *precision)
{
  const DynoQuantisation *quantisation = dyno_precision_get_quantisation (precision);

  return quantisation != NULL && quantisation->is_static;
}

gboolean
dyno_precision_is_reduced (const char *precision)
{
  const DynoQuantisation *quantisation = dyno_precision_get_quantisation (precision);

  return quantisation != NULL && quantisation->largest == REDUCED_RANGE;
}

/* The precisions that only files have: in 8 bits both sides of a product are quantised, otherwise only the weights. llama.cpp
 * rounds activations to 8 bits for each product with quantised weights. */
static const struct
{
  const char *precision;
  const char *computed;
} of_files[] = {
  { "uint8", "int8" }, { "int2", "fp32" }, { "int3", "fp32" }, { "int4", "fp32" },
  { "int5", "fp32" },  { "int6", "fp32" }, { "int7", "fp32" }, { "int16", "fp32" },
  { "int1", "fp32" },  { "fp4", "fp32" },  { "q8_0", "int8" }, { "q4_k_m", "int8" },
};

gboolean
dyno_precision_is_quantised (const char *precision)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_files); i++)
    if (strcmp (of_files[i].precision, precision) == 0)
      return TRUE;
  return dyno_precision_get_quantisation (precision) != NULL;
}

const char *
dyno_precision_get_computed (const char *precision)
{
  const char *computed = dyno_precision_from_type (dyno_precision_get_type (precision));
  const DynoQuantisation *quantisation = dyno_precision_get_quantisation (precision);

  if (quantisation != NULL && quantisation->largest > 0)
    return "int8";
  for (guint i = 0; i < G_N_ELEMENTS (of_files); i++)
    if (strcmp (of_files[i].precision, precision) == 0)
      return of_files[i].computed;
  return computed != NULL ? computed : precision;
}

const char *
dyno_precision_get_stored (const char *precision)
{
  return strcmp (precision, DYNO_PRECISION_TF32) == 0 ? "fp32" : precision;
}

const char *
dyno_precision_from_type (DynoDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].type == type)
      return entries[i].precision;
  return NULL;
}

double
dyno_precision_get_largest (DynoDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].type == type)
      return entries[i].largest;
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoCpuFeatures:
 * @DYNO_CPU_BASELINE: the minimum of the architecture: SSE2, or NEON
 * @DYNO_CPU_AVX2_FMA: AVX2 with fused multiply-add
 * @DYNO_CPU_AVX512: AVX-512 foundation
 * @DYNO_CPU_AVX512_FP16: arithmetic on halves
 * @DYNO_CPU_AVX512_BF16: products of bfloat16 pairs
 * @DYNO_CPU_AVX512_VNNI: products of byte quadruples, 512 bits wide
 * @DYNO_CPU_AVX_VNNI: the same, 256 bits wide, on processors without AVX-512
 * @DYNO_CPU_AMX_BF16: tiles of bfloat16, with the kernel's permission to use them
 * @DYNO_CPU_AMX_INT8: tiles of bytes, likewise
 * @DYNO_CPU_NEON_FP16: arithmetic on halves
 * @DYNO_CPU_NEON_DOTPROD: products of byte quadruples
 * @DYNO_CPU_NEON_BF16: products of bfloat16 matrices
 * @DYNO_CPU_NEON_I8MM: products of byte matrices
 * @DYNO_CPU_SVE: vectors whose width the processor chooses
 * @DYNO_CPU_SVE_BF16: products of bfloat16 in them
 * @DYNO_CPU_SVE_I8MM: products of byte matrices in them
 *
 * The instruction sets that kernels need. A set counts only when the operating system saves its registers.
 */
typedef enum /*< flags >*/
{
  DYNO_CPU_BASELINE = 0,
  DYNO_CPU_AVX2_FMA = 1 << 0,
  DYNO_CPU_AVX512 = 1 << 1,
  DYNO_CPU_AVX512_FP16 = 1 << 2,
  DYNO_CPU_AVX512_BF16 = 1 << 3,
  DYNO_CPU_AVX512_VNNI = 1 << 4,
  DYNO_CPU_AVX_VNNI = 1 << 5,
  DYNO_CPU_AMX_BF16 = 1 << 6,
  DYNO_CPU_AMX_INT8 = 1 << 7,
  DYNO_CPU_NEON_FP16 = 1 << 8,
  DYNO_CPU_NEON_DOTPROD = 1 << 9,
  DYNO_CPU_NEON_BF16 = 1 << 10,
  DYNO_CPU_NEON_I8MM = 1 << 11,
  DYNO_CPU_SVE = 1 << 12,
  DYNO_CPU_SVE_BF16 = 1 << 13,
  DYNO_CPU_SVE_I8MM = 1 << 14,
} DynoCpuFeatures;

/* Returns whether all of them are usable. */
gboolean dyno_cpu_features_have (DynoCpuFeatures needed);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-assembly.h"
#include "dyno-compute-kernel.h"

#if defined(__aarch64__)

/* Operands are contiguous, @width bytes each: the two inputs, then the chains. */
#define LOAD(i, reg, width)            "ldr " reg #i ", [%[operands], #(2+" #i ")*" width "]\n\t"
#define STORE(i, reg, width)           "str " reg #i ", [%[operands], #(2+" #i ")*" width "]\n\t"
#define UPDATE_VECTOR(i, op, to, from) op " v" #i "." to ", v30." from ", v31." from "\n\t"
#define UPDATE_SCALAR(i, op, to, from) op " " to #i ", " from "30, " from "31, " to #i "\n\t"

#define DOT_KERNEL(name, features, UPDATE, op, to, from, reg, width)                                         \
  __attribute__ ((noinline, target (features))) static void name (gpointer operands, guint64 turns)          \
  {                                                                                                          \
    __asm__ volatile(                                                                                        \
        "ldr " reg "30, [%[operands]]\n\tldr " reg "31, [%[operands], #" width                               \
        "]\n\t" DYNO_TIMES_24 (LOAD, reg, width) ".balign 64\n1:\n\t" DYNO_TIMES_24 (                        \
            UPDATE, op, to, from) "subs %[turns], %[turns], #1\n\tb.ne 1b\n\t" DYNO_TIMES_24 (STORE, reg,    \
                                                                                              width)         \
        : [turns] "+r"(turns)                                                                                \
        : [operands] "r"(operands)                                                                           \
        : "memory", "cc", DYNO_ALL_REGISTERS);                                                               \
  }

/* The processor determines the width: registers are contiguous at any width. */
#define LOAD_SVE(i, reg)              "ldr " reg #i ", [%[operands], #(2+" #i "), mul vl]\n\t"
#define STORE_SVE(i, reg)             "str " reg #i ", [%[operands], #(2+" #i "), mul vl]\n\t"
#define UPDATE_MASKED(i, op, type)    op " z" #i "." type ", p0/m, z30." type ", z31." type "\n\t"
#define UPDATE_WHOLE(i, op, to, from) op " z" #i "." to ", z30." from ", z31." from "\n\t"

#define SVE_KERNEL(name, features, UPDATES)                                                                  \
  __attribute__ ((noinline, target (features))) static void name (gpointer operands, guint64 turns)          \
  {                                                                                                          \
    __asm__ volatile(                                                                                        \
        "ptrue p0.b\n\tldr z30, [%[operands]]\n\tldr z31, [%[operands], #1, mul "                            \
        "vl]\n\t" DYNO_TIMES_24 (LOAD_SVE, "z") ".balign 64\n1:\n\t" UPDATES                                 \
                                                "subs %[turns], %[turns], #1\n\tb.ne 1b\n\t" DYNO_TIMES_24 ( \
                                                    STORE_SVE, "z")                                          \
        : [turns] "+r"(turns)                                                                                \
        : [operands] "r"(operands)                                                                           \
        : "memory", "cc", "p0", DYNO_ALL_REGISTERS);                                                         \
  }

#define BASELINE       "arch=armv8-a"
#define SCALABLE       "arch=armv8.2-a+sve"
#define SCALABLE_NEWER "arch=armv8.6-a+sve"
#define NEWER          "arch=armv8.6-a+fp16"

DOT_KERNEL (run_fp64_scalar, BASELINE, UPDATE_SCALAR, "fmadd", "d", "d", "d", "8")
DOT_KERNEL (run_fp32_scalar, BASELINE, UPDATE_SCALAR, "fmadd", "s", "s", "s", "4")
DOT_KERNEL (run_fp64_neon, BASELINE, UPDATE_VECTOR, "fmla", "2d", "2d", "q", "16")
DOT_KERNEL (run_fp32_neon, BASELINE, UPDATE_VECTOR, "fmla", "4s", "4s", "q", "16")
DOT_KERNEL (run_fp16_neon, NEWER, UPDATE_VECTOR, "fmla", "8h", "8h", "q", "16")
DOT_KERNEL (run_bf16_dot, NEWER, UPDATE_VECTOR, "bfdot", "4s", "8h", "q", "16")
DOT_KERNEL (run_bf16_matrix, NEWER, UPDATE_VECTOR, "bfmmla", "4s", "8h", "q", "16")
DOT_KERNEL (run_int8_dot, NEWER, UPDATE_VECTOR, "sdot", "4s", "16b", "q", "16")
DOT_KERNEL (run_int8_matrix, NEWER, UPDATE_VECTOR, "smmla", "4s", "16b", "q", "16")

SVE_KERNEL (run_fp64_sve, SCALABLE, DYNO_TIMES_24 (UPDATE_MASKED, "fmla", "d"))
SVE_KERNEL (run_fp32_sve, SCALABLE, DYNO_TIMES_24 (UPDATE_MASKED, "fmla", "s"))
SVE_KERNEL (run_fp16_sve, SCALABLE, DYNO_TIMES_24 (UPDATE_MASKED, "fmla", "h"))
SVE_KERNEL (run_int8_sve, SCALABLE, DYNO_TIMES_24 (UPDATE_WHOLE, "sdot", "s", "b"))
SVE_KERNEL (run_bf16_sve_dot, SCALABLE_NEWER, DYNO_TIMES_24 (UPDATE_WHOLE, "bfdot", "s", "h"))
SVE_KERNEL (run_bf16_sve_matrix, SCALABLE_NEWER, DYNO_TIMES_24 (UPDATE_WHOLE, "bfmmla", "s", "h"))
SVE_KERNEL (run_int8_sve_matrix, SCALABLE_NEWER, DYNO_TIMES_24 (UPDATE_WHOLE, "smmla", "s", "b"))

/* clang-format off */
#define KERNEL(precision_, id_, set_, mnemonic, needs_, shape_, width_, products, run_)                      \
  { .id = id_, .precision = precision_, .instruction_set = set_, .instructions = mnemonic, .needs = needs_,  \
    .shape = shape_, .width = width_, .n_inputs = 2, .n_chains = 24, .passes = 1,                            \
    .operations = 2 * products, .run = run_ }

/* SVE kernels are listed for 16 bytes, the minimum, until the processor's width is read. */
static DynoComputeKernel kernels[] = {
  KERNEL (DYNO_COMPUTE_FP64, "fp64-scalar", "scalar", "fmadd", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 8, 1, run_fp64_scalar),
  KERNEL (DYNO_COMPUTE_FP64, "fp64-neon", "NEON", "fmla", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 16, 2, run_fp64_neon),
  KERNEL (DYNO_COMPUTE_FP32, "fp32-scalar", "scalar", "fmadd", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 4, 1, run_fp32_scalar),
  KERNEL (DYNO_COMPUTE_FP32, "fp32-neon", "NEON", "fmla", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 16, 4, run_fp32_neon),
  KERNEL (DYNO_COMPUTE_FP16, "fp16-neon", "NEON FP16", "fmla", DYNO_CPU_NEON_FP16, DYNO_COMPUTE_DOT, 16, 8, run_fp16_neon),
  KERNEL (DYNO_COMPUTE_BF16, "bf16-neon-dot", "NEON BF16 dot", "bfdot", DYNO_CPU_NEON_BF16, DYNO_COMPUTE_DOT, 16, 8, run_bf16_dot),
  KERNEL (DYNO_COMPUTE_BF16, "bf16-neon-matrix", "NEON BF16 matrix", "bfmmla", DYNO_CPU_NEON_BF16, DYNO_COMPUTE_PAIRS, 16, 16, run_bf16_matrix),
  KERNEL (DYNO_COMPUTE_INT8, "int8-neon-dot", "NEON dot product", "sdot", DYNO_CPU_NEON_DOTPROD, DYNO_COMPUTE_DOT, 16, 16, run_int8_dot),
  KERNEL (DYNO_COMPUTE_INT8, "int8-neon-matrix", "NEON I8MM", "smmla", DYNO_CPU_NEON_I8MM, DYNO_COMPUTE_PAIRS, 16, 32, run_int8_matrix),
  KERNEL (DYNO_COMPUTE_FP64, "fp64-sve", "SVE", "fmla", DYNO_CPU_SVE, DYNO_COMPUTE_DOT, 16, 2, run_fp64_sve),
  KERNEL (DYNO_COMPUTE_FP32, "fp32-sve", "SVE", "fmla", DYNO_CPU_SVE, DYNO_COMPUTE_DOT, 16, 4, run_fp32_sve),
  KERNEL (DYNO_COMPUTE_FP16, "fp16-sve", "SVE", "fmla", DYNO_CPU_SVE, DYNO_COMPUTE_DOT, 16, 8, run_fp16_sve),
  KERNEL (DYNO_COMPUTE_INT8, "int8-sve-dot", "SVE dot product", "sdot", DYNO_CPU_SVE, DYNO_COMPUTE_DOT, 16, 16, run_int8_sve),
  KERNEL (DYNO_COMPUTE_BF16, "bf16-sve-dot", "SVE BF16 dot", "bfdot", DYNO_CPU_SVE_BF16, DYNO_COMPUTE_DOT, 16, 8, run_bf16_sve_dot),
  KERNEL (DYNO_COMPUTE_BF16, "bf16-sve-matrix", "SVE BF16 matrix", "bfmmla", DYNO_CPU_SVE_BF16, DYNO_COMPUTE_PAIRS, 16, 16, run_bf16_sve_matrix),
  KERNEL (DYNO_COMPUTE_INT8, "int8-sve-matrix", "SVE I8MM", "smmla", DYNO_CPU_SVE_I8MM, DYNO_COMPUTE_PAIRS, 16, 32, run_int8_sve_matrix),
};
/* clang-format on */

static void
widen (void)
{
  guint64 bytes;
  __asm__ volatile("rdvl %[bytes], #1" : [bytes] "=r"(bytes));
  guint times = (guint)bytes / 16;

  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (kernels[i].needs & (DYNO_CPU_SVE | DYNO_CPU_SVE_BF16 | DYNO_CPU_SVE_I8MM))
      {
        kernels[i].width *= times;
        kernels[i].operations *= times;
      }
}

const DynoComputeKernel *
dyno_compute_kernel_list (guint *n_kernels)
{
  static gsize asked = 0;

  if (g_once_init_enter (&asked))
    {
      if (dyno_cpu_features_have (DYNO_CPU_SVE))
        widen ();
      g_once_init_leave (&asked, TRUE);
    }
  *n_kernels = G_N_ELEMENTS (kernels);
  return kernels;
}

#elif !defined(__x86_64__)

/* No kernels are written for this architecture. */
const DynoComputeKernel *
dyno_compute_kernel_list (guint *n_kernels)
{
  *n_kernels = 0;
  return NULL;
}

#endif

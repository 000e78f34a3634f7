/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-assembly.h"
#include "dyno-compute-kernel.h"

#if defined(__aarch64__)

/* Operands lie one after the other, @width bytes each: the two inputs, then the chains. */
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

#define BASELINE "arch=armv8-a"
#define NEWER    "arch=armv8.6-a+fp16"

DOT_KERNEL (run_fp64_scalar, BASELINE, UPDATE_SCALAR, "fmadd", "d", "d", "d", "8")
DOT_KERNEL (run_fp32_scalar, BASELINE, UPDATE_SCALAR, "fmadd", "s", "s", "s", "4")
DOT_KERNEL (run_fp64_neon, BASELINE, UPDATE_VECTOR, "fmla", "2d", "2d", "q", "16")
DOT_KERNEL (run_fp32_neon, BASELINE, UPDATE_VECTOR, "fmla", "4s", "4s", "q", "16")
DOT_KERNEL (run_fp16_neon, NEWER, UPDATE_VECTOR, "fmla", "8h", "8h", "q", "16")
DOT_KERNEL (run_bf16_dot, NEWER, UPDATE_VECTOR, "bfdot", "4s", "8h", "q", "16")
DOT_KERNEL (run_bf16_matrix, NEWER, UPDATE_VECTOR, "bfmmla", "4s", "8h", "q", "16")
DOT_KERNEL (run_int8_dot, NEWER, UPDATE_VECTOR, "sdot", "4s", "16b", "q", "16")
DOT_KERNEL (run_int8_matrix, NEWER, UPDATE_VECTOR, "smmla", "4s", "16b", "q", "16")

/* clang-format off */
#define KERNEL(precision_, id_, set_, mnemonic, needs_, shape_, width_, products, run_)                      \
  { .id = id_, .precision = precision_, .instruction_set = set_, .instructions = mnemonic, .needs = needs_,  \
    .shape = shape_, .width = width_, .n_inputs = 2, .n_chains = 24, .passes = 1,                            \
    .operations = 2 * products, .run = run_ }

static const DynoComputeKernel kernels[] = {
  KERNEL (DYNO_COMPUTE_FP64, "fp64-scalar", "scalar", "fmadd", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 8, 1, run_fp64_scalar),
  KERNEL (DYNO_COMPUTE_FP64, "fp64-neon", "NEON", "fmla", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 16, 2, run_fp64_neon),
  KERNEL (DYNO_COMPUTE_FP32, "fp32-scalar", "scalar", "fmadd", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 4, 1, run_fp32_scalar),
  KERNEL (DYNO_COMPUTE_FP32, "fp32-neon", "NEON", "fmla", DYNO_CPU_BASELINE, DYNO_COMPUTE_DOT, 16, 4, run_fp32_neon),
  KERNEL (DYNO_COMPUTE_FP16, "fp16-neon", "NEON FP16", "fmla", DYNO_CPU_NEON_FP16, DYNO_COMPUTE_DOT, 16, 8, run_fp16_neon),
  KERNEL (DYNO_COMPUTE_BF16, "bf16-neon-dot", "NEON BF16 dot", "bfdot", DYNO_CPU_NEON_BF16, DYNO_COMPUTE_DOT, 16, 8, run_bf16_dot),
  KERNEL (DYNO_COMPUTE_BF16, "bf16-neon-matrix", "NEON BF16 matrix", "bfmmla", DYNO_CPU_NEON_BF16, DYNO_COMPUTE_PAIRS, 16, 16, run_bf16_matrix),
  KERNEL (DYNO_COMPUTE_INT8, "int8-neon-dot", "NEON dot product", "sdot", DYNO_CPU_NEON_DOTPROD, DYNO_COMPUTE_DOT, 16, 16, run_int8_dot),
  KERNEL (DYNO_COMPUTE_INT8, "int8-neon-matrix", "NEON I8MM", "smmla", DYNO_CPU_NEON_I8MM, DYNO_COMPUTE_PAIRS, 16, 32, run_int8_matrix),
};
/* clang-format on */

const DynoComputeKernel *
dyno_compute_kernel_list (guint *n_kernels)
{
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-assembly.h"
#include "dyno-compute-kernel.h"

#if defined(__x86_64__)

/* Operands are contiguous, @width bytes each: the inputs, then the chains. */
#define LOAD(i, move, reg, width, n_inputs)                                                                  \
  move " (" #n_inputs "+" #i ")*" width "(%[operands]), %%" reg #i "\n\t"
#define STORE(i, move, reg, width, n_inputs)                                                                 \
  move " %%" reg #i ", (" #n_inputs "+" #i ")*" width "(%[operands])\n\t"
#define UPDATE(i, op, reg, first, second) op " %%" reg second ", %%" reg first ", %%" reg #i "\n\t"
#define UPDATE_EVEN_ODD(even, odd, mul, add, factor, summand)                                                \
  mul " %%xmm" factor ", %%xmm" even "\n\t" add " %%xmm" summand ", %%xmm" odd "\n\t"
#define HALF_TURN(mul, add, factor, summand)                                                                 \
  UPDATE_EVEN_ODD ("0", "1", mul, add, factor, summand)                                                      \
  UPDATE_EVEN_ODD ("2", "3", mul, add, factor, summand)                                                      \
  UPDATE_EVEN_ODD ("4", "5", mul, add, factor, summand)                                                      \
  UPDATE_EVEN_ODD ("6", "7", mul, add, factor, summand)                                                      \
  UPDATE_EVEN_ODD ("8", "9", mul, add, factor, summand)                                                      \
  UPDATE_EVEN_ODD ("10", "11", mul, add, factor, summand)

#define LOOP_BEGIN ".balign 64\n1:\n\t"
#define LOOP_END   "dec %[turns]\n\tjnz 1b\n\t"

/* Chains in the first registers, the two inputs in @first and @second, for instructions with three operands. */
#define THREE_OPERAND_KERNEL(name, features, TIMES, move, op, reg, first, second, width, registers)          \
  __attribute__ ((noinline, target (features))) static void name (gpointer operands, guint64 turns)          \
  {                                                                                                          \
    __asm__ volatile(move " (%[operands]), %%" reg first "\n\t" move " " width                               \
                          "(%[operands]), %%" reg second "\n\t" TIMES (LOAD, move, reg, width, 2)            \
                              LOOP_BEGIN TIMES (UPDATE, op, reg, first, second)                              \
                                  LOOP_END TIMES (STORE, move, reg, width, 2) "vzeroupper"                   \
                     : [turns] "+r"(turns)                                                                   \
                     : [operands] "r"(operands)                                                              \
                     : "memory", "cc", registers);                                                           \
  }

/* SSE has no fused operation: additions beside multiplications keep the units of both busy. */
#define MUL_ADD_KERNEL(name, move, mul, add, width)                                                          \
  __attribute__ ((noinline)) static void name (gpointer operands, guint64 turns)                             \
  {                                                                                                          \
    __asm__ volatile(move " (%[operands]), %%xmm12\n\t" move " " width "(%[operands]), %%xmm13\n\t" move     \
                          " 2*" width "(%[operands]), %%xmm14\n\t" move " 3*" width                          \
                          "(%[operands]), %%xmm15\n\t" DYNO_TIMES_12 (LOAD, move, "xmm", width, 4)           \
                              LOOP_BEGIN HALF_TURN (mul, add, "12", "14") HALF_TURN (mul, add, "13", "15")   \
                                  LOOP_END DYNO_TIMES_12 (STORE, move, "xmm", width, 4)                      \
                     : [turns] "+r"(turns)                                                                   \
                     : [operands] "r"(operands)                                                              \
                     : "memory", "cc", DYNO_LOW_REGISTERS);                                                  \
  }

MUL_ADD_KERNEL (run_fp64_scalar_sse, "movsd", "mulsd", "addsd", "8")
MUL_ADD_KERNEL (run_fp32_scalar_sse, "movss", "mulss", "addss", "4")
MUL_ADD_KERNEL (run_fp64_sse, "movupd", "mulpd", "addpd", "16")
MUL_ADD_KERNEL (run_fp32_sse, "movups", "mulps", "addps", "16")

#define FMA_LOW_KERNEL(name, move, op, reg, width)                                                           \
  THREE_OPERAND_KERNEL (name, "avx2,fma", DYNO_TIMES_12, move, op, reg, "14", "15", width, DYNO_LOW_REGISTERS)

FMA_LOW_KERNEL (run_fp64_scalar_fma, "vmovsd", "vfmadd213sd", "xmm", "8")
FMA_LOW_KERNEL (run_fp32_scalar_fma, "vmovss", "vfmadd213ss", "xmm", "4")
FMA_LOW_KERNEL (run_fp64_avx2, "vmovupd", "vfmadd213pd", "ymm", "32")
FMA_LOW_KERNEL (run_fp32_avx2, "vmovups", "vfmadd213ps", "ymm", "32")
FMA_LOW_KERNEL (run_int8_avx_vnni, "vmovdqu", "%{vex%} vpdpbusd", "ymm", "32")

#define ZMM_KERNEL(name, features, op)                                                                       \
  THREE_OPERAND_KERNEL (name, features, DYNO_TIMES_24, "vmovups", op, "zmm", "30", "31", "64",               \
                        DYNO_ALL_REGISTERS)

ZMM_KERNEL (run_fp64_avx512, "avx512f", "vfmadd213pd")
ZMM_KERNEL (run_fp32_avx512, "avx512f", "vfmadd213ps")
ZMM_KERNEL (run_fp16_avx512, "avx512f,avx512fp16", "vfmadd213ph")
ZMM_KERNEL (run_bf16_avx512, "avx512f,avx512bf16", "vdpbf16ps")
ZMM_KERNEL (run_int8_avx512, "avx512f,avx512vnni", "vpdpbusd")

typedef struct
{
  guint8 palette;
  guint8 start_row;
  guint8 reserved[14];
  guint16 row_bytes[16];
  guint8 rows[16];
} TileConfig;

G_STATIC_ASSERT (sizeof (TileConfig) == 64);

static const TileConfig full_tiles = {
  .palette = 1,
  .row_bytes = { 64, 64, 64, 64, 64, 64, 64, 64 },
  .rows = { 16, 16, 16, 16, 16, 16, 16, 16 },
};

/* Tiles 0 to 3 are the chains; 4 and 5 are the left factors, 6 and 7 the right ones. */
#define LOAD_TILE(i)                                                                                         \
  "lea ((" #i "+4)%%8)*1024(%[operands]), %%rax\n\ttileloadd (%%rax,%[stride],1), %%tmm" #i "\n\t"
#define STORE_TILE(i)                                                                                        \
  "lea (" #i "+4)*1024(%[operands]), %%rax\n\ttilestored %%tmm" #i ", (%%rax,%[stride],1)\n\t"
#define ALL_TILES(LINE) LINE (0) LINE (1) LINE (2) LINE (3) LINE (4) LINE (5) LINE (6) LINE (7)
#define UPDATE_TILES(op)                                                                                     \
  op " %%tmm6, %%tmm4, %%tmm0\n\t" op " %%tmm7, %%tmm4, %%tmm1\n\t" op " %%tmm6, %%tmm5, %%tmm2\n\t" op      \
     " %%tmm7, %%tmm5, %%tmm3\n\t"

#define TILE_KERNEL(name, op)                                                                                \
  __attribute__ ((noinline)) static void name (gpointer operands, guint64 turns)                             \
  {                                                                                                          \
    __asm__ volatile("ldtilecfg %[config]\n\t" ALL_TILES (LOAD_TILE) LOOP_BEGIN UPDATE_TILES (op)            \
                         UPDATE_TILES (op) UPDATE_TILES (op) UPDATE_TILES (op) LOOP_END STORE_TILE (0)       \
                             STORE_TILE (1) STORE_TILE (2) STORE_TILE (3) "tilerelease"                      \
                     : [turns] "+r"(turns)                                                                   \
                     : [operands] "r"(operands), [stride] "r"((gsize)64), [config] "m"(full_tiles)           \
                     : "memory", "cc", "rax");                                                               \
  }

TILE_KERNEL (run_bf16_amx, "tdpbf16ps")
TILE_KERNEL (run_int8_amx, "tdpbssd")

/* clang-format off */
#define MUL_ADD(precision_, id_, set_, mnemonics, width_, lanes, run_)                                       \
  { .id = id_, .precision = precision_, .instruction_set = set_, .instructions = mnemonics,                  \
    .needs = DYNO_CPU_BASELINE, .shape = DYNO_COMPUTE_MUL_ADD, .width = width_, .n_inputs = 4,               \
    .n_chains = 12, .passes = 2, .operations = lanes, .run = run_ }
#define FMA(precision_, id_, set_, mnemonics, needs_, width_, chains, lanes, run_)                           \
  { .id = id_, .precision = precision_, .instruction_set = set_, .instructions = mnemonics,                  \
    .needs = needs_, .shape = DYNO_COMPUTE_FMA, .width = width_, .n_inputs = 2, .n_chains = chains,          \
    .passes = 1, .operations = 2 * lanes, .run = run_ }
#define DOT(precision_, id_, set_, mnemonics, needs_, width_, chains, products, run_)                        \
  { .id = id_, .precision = precision_, .instruction_set = set_, .instructions = mnemonics,                  \
    .needs = needs_, .shape = DYNO_COMPUTE_DOT, .width = width_, .n_inputs = 2, .n_chains = chains,          \
    .passes = 1, .operations = 2 * products, .run = run_ }
#define TILES(precision_, id_, set_, mnemonics, needs_, products, run_)                                      \
  { .id = id_, .precision = precision_, .instruction_set = set_, .instructions = mnemonics,                  \
    .needs = needs_, .shape = DYNO_COMPUTE_TILES, .width = 1024, .n_inputs = 4, .n_chains = 4,               \
    .passes = 4, .operations = 2 * products, .run = run_ }

static const DynoComputeKernel kernels[] = {
  FMA (DYNO_COMPUTE_FP64, "fp64-scalar-fma", "scalar FMA", "vfmadd213sd", DYNO_CPU_AVX2_FMA, 8, 12, 1, run_fp64_scalar_fma),
  MUL_ADD (DYNO_COMPUTE_FP64, "fp64-scalar", "scalar", "mulsd addsd", 8, 1, run_fp64_scalar_sse),
  MUL_ADD (DYNO_COMPUTE_FP64, "fp64-sse", "SSE", "mulpd addpd", 16, 2, run_fp64_sse),
  FMA (DYNO_COMPUTE_FP64, "fp64-avx2", "AVX2", "vfmadd213pd", DYNO_CPU_AVX2_FMA, 32, 12, 4, run_fp64_avx2),
  FMA (DYNO_COMPUTE_FP64, "fp64-avx512", "AVX-512", "vfmadd213pd", DYNO_CPU_AVX512, 64, 24, 8, run_fp64_avx512),
  FMA (DYNO_COMPUTE_FP32, "fp32-scalar-fma", "scalar FMA", "vfmadd213ss", DYNO_CPU_AVX2_FMA, 4, 12, 1, run_fp32_scalar_fma),
  MUL_ADD (DYNO_COMPUTE_FP32, "fp32-scalar", "scalar", "mulss addss", 4, 1, run_fp32_scalar_sse),
  MUL_ADD (DYNO_COMPUTE_FP32, "fp32-sse", "SSE", "mulps addps", 16, 4, run_fp32_sse),
  FMA (DYNO_COMPUTE_FP32, "fp32-avx2", "AVX2", "vfmadd213ps", DYNO_CPU_AVX2_FMA, 32, 12, 8, run_fp32_avx2),
  FMA (DYNO_COMPUTE_FP32, "fp32-avx512", "AVX-512", "vfmadd213ps", DYNO_CPU_AVX512, 64, 24, 16, run_fp32_avx512),
  FMA (DYNO_COMPUTE_FP16, "fp16-avx512", "AVX512-FP16", "vfmadd213ph", DYNO_CPU_AVX512_FP16, 64, 24, 32, run_fp16_avx512),
  DOT (DYNO_COMPUTE_BF16, "bf16-avx512", "AVX512-BF16", "vdpbf16ps", DYNO_CPU_AVX512_BF16, 64, 24, 32, run_bf16_avx512),
  TILES (DYNO_COMPUTE_BF16, "bf16-amx", "AMX", "tdpbf16ps", DYNO_CPU_AMX_BF16, 16 * 16 * 32, run_bf16_amx),
  DOT (DYNO_COMPUTE_INT8, "int8-avx-vnni", "AVX-VNNI", "vpdpbusd", DYNO_CPU_AVX_VNNI, 32, 12, 32, run_int8_avx_vnni),
  DOT (DYNO_COMPUTE_INT8, "int8-avx512", "AVX512-VNNI", "vpdpbusd", DYNO_CPU_AVX512_VNNI, 64, 24, 64, run_int8_avx512),
  TILES (DYNO_COMPUTE_INT8, "int8-amx", "AMX", "tdpbssd", DYNO_CPU_AMX_INT8, 16 * 16 * 64, run_int8_amx),
};
/* clang-format on */

const DynoComputeKernel *
dyno_compute_kernel_list (guint *n_kernels)
{
  *n_kernels = G_N_ELEMENTS (kernels);
  return kernels;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cpu-features.h"

G_BEGIN_DECLS

/* Room for the inputs and chains of any kernel: eight tiles, or 32 vectors of SVE at its widest. */
#define DYNO_COMPUTE_MAX_OPERAND_BYTES 8192

/**
 * DynoComputeShape:
 * @DYNO_COMPUTE_FMA: chain = chain × first + second
 * @DYNO_COMPUTE_MUL_ADD: even chains are multiplied by first, then by second, its inverse; third is added
 * to odd chains, then fourth, its negative
 * @DYNO_COMPUTE_DOT: chain += dot product of first and second, group by group
 * @DYNO_COMPUTE_PAIRS: chain, a 2×2 matrix, += first, two rows, times the transpose of second, two rows
 * @DYNO_COMPUTE_TILES: four chains, matrices that each get the product of one of the first two inputs with
 * one of the other two
 *
 * The operation that one pass of a kernel applies to its chains.
 */
typedef enum
{
  DYNO_COMPUTE_FMA,
  DYNO_COMPUTE_MUL_ADD,
  DYNO_COMPUTE_DOT,
  DYNO_COMPUTE_PAIRS,
  DYNO_COMPUTE_TILES,
} DynoComputeShape;

/**
 * DynoComputePrecision:
 * @DYNO_COMPUTE_FP64: doubles
 * @DYNO_COMPUTE_FP32: floats
 * @DYNO_COMPUTE_FP16: halves
 * @DYNO_COMPUTE_BF16: bfloat16, summed in floats
 * @DYNO_COMPUTE_INT8: bytes, summed in 32-bit integers; the first input is unsigned on x86 vectors
 */
typedef enum
{
  DYNO_COMPUTE_FP64,
  DYNO_COMPUTE_FP32,
  DYNO_COMPUTE_FP16,
  DYNO_COMPUTE_BF16,
  DYNO_COMPUTE_INT8,
} DynoComputePrecision;

typedef struct _DynoComputeKernel DynoComputeKernel;

/**
 * DynoComputeKernel:
 * @id: a stable name, such as `fp32-avx512`
 * @precision: the type it computes with
 * @instruction_set: its name for people, such as `AVX-512`
 * @instructions: the mnemonics that its loop consists of, a space between them
 * @needs: the instruction sets that it requires
 * @shape: the operation of a pass
 * @width: bytes of a register
 * @n_inputs: registers that stay the same
 * @n_chains: registers that are independent of each other, enough to hide the latency of the instruction
 * @passes: how often every chain is updated in one turn of the loop
 * @operations: operations in one update of one chain: 2 per multiply-add, 1 per multiplication or addition
 * @run: loads inputs and chains, runs the loop @turns times, stores the chains
 *
 * A loop of hand-written instructions that only computes, in registers.
 */
struct _DynoComputeKernel
{
  const char *id;
  DynoComputePrecision precision;
  const char *instruction_set;
  const char *instructions;
  DynoCpuFeatures needs;
  DynoComputeShape shape;
  guint width;
  guint n_inputs;
  guint n_chains;
  guint passes;
  double operations;
  void (*run) (gpointer operands, guint64 turns);
};

/* Returns every kernel for this architecture, whether this processor can run it or not, the narrower
 * first. */
const DynoComputeKernel *dyno_compute_kernel_list (guint *n_kernels);
/* Returns its name, such as `bf16`. */
const char *dyno_compute_kernel_get_precision_name (const DynoComputeKernel *self);
/* Returns the unit of its rate: `OP/s` for integers, `FLOP/s` otherwise. */
const char *dyno_compute_kernel_get_unit (const DynoComputeKernel *self);
/* Returns the number of operations in that many turns, 2 per multiply-add. */
double dyno_compute_kernel_count_operations (const DynoComputeKernel *self, guint64 turns);
/* Returns whether zeros run faster than random numbers, as in matrix units. */
gboolean dyno_compute_kernel_depends_on_data (const DynoComputeKernel *self);
/* Returns the size of its inputs and chains, in bytes. */
gsize dyno_compute_kernel_get_operand_bytes (const DynoComputeKernel *self);
/* Fills inputs and chains with random numbers that stay finite however long the kernel runs. */
void dyno_compute_kernel_fill (const DynoComputeKernel *self, gpointer operands, guint32 seed);

G_END_DECLS

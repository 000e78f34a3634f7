/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cpu-features.h"

G_BEGIN_DECLS

/* The bytes that any kernel moves per stream in one turn of its loop divide this; streams are aligned to
 * it, and their size is a multiple of it. */
#define DYNO_MEMORY_BLOCK 1024

/**
 * DynoMemoryMix:
 * @DYNO_MEMORY_READ: sum += a
 * @DYNO_MEMORY_WRITE: a = constant
 * @DYNO_MEMORY_STREAM: a = constant, past the caches
 * @DYNO_MEMORY_COPY: a = b
 * @DYNO_MEMORY_TRIAD: a = b + constant × c, in floats
 *
 * How a kernel uses memory.
 */
typedef enum
{
  DYNO_MEMORY_READ,
  DYNO_MEMORY_WRITE,
  DYNO_MEMORY_STREAM,
  DYNO_MEMORY_COPY,
  DYNO_MEMORY_TRIAD,
  DYNO_N_MEMORY_MIXES,
} DynoMemoryMix;

/* The constant of every mix: a valid float whose bytes are all the same. */
#define DYNO_MEMORY_CONSTANT_BITS 0x3e3e3e3e

/**
 * DynoMemoryStreams:
 * @a: the array to read or write
 * @b: the first source
 * @c: the second source
 * @sum: the sum of the data read, as 64-bit integers, lane by lane
 */
typedef struct
{
  guint8 *a;
  guint8 *b;
  guint8 *c;
  guint64 sum[8];
} DynoMemoryStreams;

/**
 * DynoMemoryKernel:
 * @mix: its mix
 * @past_caches: whether it writes past the caches, so that main memory is not read first
 * @instruction_set: its name for people
 * @instructions: the mnemonics that move data in its loop, a space between them
 * @needs: the instruction sets that it requires
 * @run: goes @repeats times over @bytes of each stream, a multiple of DYNO_MEMORY_BLOCK
 *
 * A loop of hand-written instructions that moves data and does nothing else with it than the mix requires.
 */
typedef struct
{
  DynoMemoryMix mix;
  gboolean past_caches;
  const char *instruction_set;
  const char *instructions;
  DynoCpuFeatures needs;
  void (*run) (DynoMemoryStreams *streams, gsize bytes, guint64 repeats);
} DynoMemoryKernel;

/* Returns every kernel for this architecture, whether this processor can run it or not. */
const DynoMemoryKernel *dyno_memory_kernel_list (guint *n_kernels);
/* Returns the number of arrays it goes over. */
guint dyno_memory_mix_count_streams (DynoMemoryMix mix);
/* Returns a stable name, such as `triad`. */
const char *dyno_memory_mix_get_name (DynoMemoryMix mix);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cpu-features.h"

G_BEGIN_DECLS

/* What every kernel moves per stream in a turn of its loop divides this; streams are aligned to it and as long
 * as a multiple of it. */
#define DYNO_MEMORY_BLOCK 1024

/**
 * DynoMemoryMix:
 * @DYNO_MEMORY_READ: sum += a
 * @DYNO_MEMORY_WRITE: a = constant
 * @DYNO_MEMORY_STREAM: a = constant, past the caches
 * @DYNO_MEMORY_COPY: a = b
 * @DYNO_MEMORY_TRIAD: a = b + constant × c, in floats
 *
 * What is done with memory.
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

/* The constant of every mix: a float with all bytes the same is a float still. */
#define DYNO_MEMORY_CONSTANT_BITS 0x3e3e3e3e

/**
 * DynoMemoryStreams:
 * @a: what is read or written
 * @b: the first source
 * @c: the second source
 * @sum: what was read, added up as 64-bit integers, lane by lane
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
 * @mix: what it does
 * @past_caches: whether what it writes goes past the caches, which saves main memory from being read first
 * @instruction_set: its name for people
 * @instructions: the mnemonics that move data in its loop, a space between them
 * @needs: the instruction sets without which it must not run
 * @run: goes @repeats times over @bytes of each stream, a multiple of %DYNO_MEMORY_BLOCK
 *
 * A loop of hand-written instructions that moves data and does no more with it than the mix asks for.
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
/* Returns how many arrays it goes over. */
guint dyno_memory_mix_count_streams (DynoMemoryMix mix);
/* Returns a stable name, such as `triad`. */
const char *dyno_memory_mix_get_name (DynoMemoryMix mix);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-topology.h"

G_BEGIN_DECLS

/**
 * DynoPinningKind:
 * @DYNO_PINNING_DEFAULT: one hardware thread of each core, the fastest cores first; then the second ones
 * @DYNO_PINNING_COMPACT: all hardware threads of a core before the next core
 * @DYNO_PINNING_SCATTER: as far apart as possible: packages, memory nodes, caches and cores take turns
 * @DYNO_PINNING_ONE_PER_CORE: like the default, but never a second hardware thread of a core
 * @DYNO_PINNING_PERFORMANCE_CORES: only cores of the fastest kind
 * @DYNO_PINNING_NUMA: only cores of one memory node, and its memory
 * @DYNO_PINNING_CPUS: the named hardware threads
 *
 * How work is placed on hardware threads.
 */
typedef enum
{
  DYNO_PINNING_DEFAULT,
  DYNO_PINNING_COMPACT,
  DYNO_PINNING_SCATTER,
  DYNO_PINNING_ONE_PER_CORE,
  DYNO_PINNING_PERFORMANCE_CORES,
  DYNO_PINNING_NUMA,
  DYNO_PINNING_CPUS,
} DynoPinningKind;

/**
 * DynoPinningPolicy:
 * @kind: the kind of placement
 * @node: the kernel's number of the memory node, for DYNO_PINNING_NUMA
 * @cpus: (nullable): the hardware threads, for DYNO_PINNING_CPUS
 *
 * A policy, parsed from its name.
 */
typedef struct
{
  DynoPinningKind kind;
  guint node;
  DynoCpuSet *cpus;
} DynoPinningPolicy;

/* Returns the policy. @name: `compact`, `scatter`, `one-per-core`, `performance-cores`, `numa:N`,
 * `cpus:LIST` with numbers and ranges as the kernel writes them (`0-3,8`); empty or NULL for the default.
 * Fails with DYNO_ERROR_INVALID_ARGUMENT for any other name. */
DynoPinningPolicy *dyno_pinning_policy_parse (const char *name, GError **error);
void dyno_pinning_policy_free (DynoPinningPolicy *self);

/* Returns the hardware threads, by the kernel's numbers, in the order in which threads should get them; at
 * least one. Elements are int. The caller owns it. @usable: the hardware threads that this process may use.
 * Fails with DYNO_ERROR_UNSUPPORTED if the machine has no such hardware threads, or may use none of them. */
GArray *dyno_pinning_policy_order (const DynoPinningPolicy *self,
                                   DynoTopology *topology,
                                   const DynoCpuSet *usable,
                                   GError **error);
/* Returns the set of hardware threads. If there are fewer hardware threads than threads, the threads share
 * them all. Named hardware threads are all used, whatever the number of threads. The caller owns it.
 * @usable: the hardware threads that this process may use. @n_threads: how many threads will work, 0 for
 * one per core. Fails as dyno_pinning_policy_order() does. */
DynoCpuSet *dyno_pinning_policy_choose (const DynoPinningPolicy *self,
                                        DynoTopology *topology,
                                        const DynoCpuSet *usable,
                                        guint n_threads,
                                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPinningPolicy, dyno_pinning_policy_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-topology.h"

G_BEGIN_DECLS

/**
 * DynoPinningKind:
 * @DYNO_PINNING_DEFAULT: one hardware thread of each core, the fastest cores first; then the second ones
 * @DYNO_PINNING_COMPACT: all hardware threads of a core before the next core
 * @DYNO_PINNING_SCATTER: as far apart as can be: packages, memory nodes, caches and cores take turns
 * @DYNO_PINNING_ONE_PER_CORE: like the default, but never a second hardware thread of a core
 * @DYNO_PINNING_PERFORMANCE_CORES: only cores of the fastest kind
 * @DYNO_PINNING_NUMA: only cores of one memory node, and its memory
 * @DYNO_PINNING_CPUS: the hardware threads that are named
 *
 * How work is laid on hardware threads.
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
 * @kind: how
 * @node: the kernel's number of the memory node, for %DYNO_PINNING_NUMA
 * @cpus: (nullable): the hardware threads, for %DYNO_PINNING_CPUS
 *
 * A policy that was read from its name.
 */
typedef struct
{
  DynoPinningKind kind;
  guint node;
  DynoCpuSet *cpus;
} DynoPinningPolicy;

DynoPinningPolicy *dyno_pinning_policy_parse (const char *name, GError **error);
void dyno_pinning_policy_free (DynoPinningPolicy *self);

GArray *dyno_pinning_policy_order (const DynoPinningPolicy *self,
                                   DynoTopology *topology,
                                   const DynoCpuSet *usable,
                                   GError **error);
DynoCpuSet *dyno_pinning_policy_choose (const DynoPinningPolicy *self,
                                        DynoTopology *topology,
                                        const DynoCpuSet *usable,
                                        guint n_threads,
                                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPinningPolicy, dyno_pinning_policy_free)

G_END_DECLS

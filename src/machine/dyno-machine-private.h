/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "dyno-disturbance.h"
#include "dyno-topology.h"

G_BEGIN_DECLS

/* dyno-core-watch */

/**
 * DynoCoreWatch:
 * @stat: the kernel's account of each processor, -1 for none
 * @text: room for its text
 * @text_size: the size of that room, in bytes
 * @processors: (element-type int): those of the thread, then those that share a core with them
 * @n_work: the number of the former
 * @clocks: (element-type int): files with the clock of some of them
 * @begin_ns: when the window began
 * @begin_own_ns: the processor time of this process by then
 * @before: of each processor, the time without work by then, in ticks; -1 if unknown
 * @after: the same at the window's end
 */
struct _DynoCoreWatch
{
  int stat;
  char *text;
  gsize text_size;
  GArray *processors;
  guint n_work;
  GArray *clocks;
  gint64 begin_ns;
  gint64 begin_own_ns;
  gint64 *before;
  gint64 *after;
};

/* Returns the same as dyno_core_watch_end(), for a window that is over. @own_ns: the processor time of this process in
 * it. */
double dyno_core_watch_judge (DynoCoreWatch *self, gint64 elapsed_ns, gint64 own_ns);

/* dyno-machine-busy */

/* Watches the processors for a tenth of a second. The load of the last minute could be Dyno's own; this is
 * the current one. Blocks that long, so call it on a thread. Returns how many processors are at work; NaN
 * if the kernel does not report it. */
double dyno_machine_busy_measure (void);
/* Returns how many processors were at work in between, including those that a hypervisor took; NaN if the
 * texts lack the numbers. @before may be NULL. @after may be NULL. */
double dyno_machine_busy_between (const char *before, const char *after);

/* dyno-cloud */

/* Returns the `cloud` of the state of a snapshot; NULL outside of clouds that Dyno knows. */
JsonObject *dyno_cloud_read (void);

/* dyno-machine-facts */

JsonObject *dyno_machine_facts_read (DynoTopology *topology, const DynoContainer *container);

/* dyno-machine-lint */

/* Judges a snapshot; unknown facts give no finding. Returns the findings. Elements are DynoDiagnostic. The
 * caller owns it. @busy_processors: how many processors are at work for others, NaN if unknown. */
GPtrArray *dyno_machine_lint_snapshot (JsonObject *snapshot, double busy_processors);

/* dyno-machine-state */

/* Returns the bytes that a new process could use without swapping, within the limits of the container; -1
 * if unknown. */
gint64 dyno_machine_state_read_available_memory (const DynoContainer *container);
/* Collects the changing state of the machine, as dyno_machine_to_json() documents it under `state`. Returns
 * the state. The caller owns it. */
JsonObject *dyno_machine_state_read (const DynoContainer *container);

/* dyno-pinning-policy */

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

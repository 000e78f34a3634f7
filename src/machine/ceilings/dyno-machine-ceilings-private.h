/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>

#include "dyno-ceiling.h"
#include "dyno-ceilings.h"
#include "dyno-compute-kernel.h"
#include "dyno-memory-kernel.h"
#include "dyno-topology.h"

G_BEGIN_DECLS

/* dyno-ceiling-theory */

/**
 * DynoProcessorModel:
 * @vendor: as the processor reports it, such as `AuthenticAMD`
 * @family: with the extended family added
 * @model: with the extended model added
 * @hypervisor: whether a hypervisor is present, which may hide the real model
 * @max_clock: the highest frequency that cpufreq reports, in Hz, 0 if unknown
 */
typedef struct
{
  char vendor[13];
  guint family;
  guint model;
  gboolean hypervisor;
  double max_clock;
} DynoProcessorModel;

/* Reads the model from the processor, and its highest frequency from cpufreq. */
void dyno_ceiling_theory_read_model (DynoProcessorModel *model, guint processor);
/* frequency × units × lanes × 2 × cores: no core is faster, and most are slower when all work. Returns
 * operations per second, 0 if an input is unknown. @derivation: the inputs, or why some are missing, as a
 * sentence. */
double dyno_ceiling_theory_derive (const DynoProcessorModel *model,
                                   const DynoComputeKernel *kernel,
                                   guint n_cores,
                                   char **derivation);

/* dyno-ceiling-job */

/**
 * DynoCeilingJob:
 * @team: the threads that do the work
 * @work: the work
 * @work_data: for @work
 * @prepare: (nullable): makes it ready, after another job ran
 * @create: makes the ceiling
 * @data: for @prepare and @create
 * @free_data: frees @data
 * @counts_per_second: how much one thread did in a trial
 * @repeats: (element-type DynoCeilingRepeat): the measurements so far
 *
 * A ceiling to measure.
 */
typedef struct _DynoCeilingJob DynoCeilingJob;

struct _DynoCeilingJob
{
  DynoThreadTeam *team;
  DynoTeamWork work;
  gpointer work_data;
  void (*prepare) (gpointer data);
  DynoCeiling *(*create) (const DynoCeilingRun *run,
                          const DynoCeilingJob *job,
                          const DynoCeilingRates *rates);
  gpointer data;
  GDestroyNotify free_data;
  double counts_per_second;
  GArray *repeats;
};

/* Adds a copy of the job, on the run's team, and measures its speed. */
void dyno_ceiling_job_add (DynoCeilingRun *run, const DynoCeilingJob *job);
/* Measures all jobs of the run in rounds, and again, twice at most, those whose ceilings contradict each other. Fills
 * its ceilings, in the order of the jobs. Returns whether it was not cancelled. */
gboolean dyno_ceiling_job_measure_all (DynoCeilingRun *run);
/* Returns the method in words: the work, the threads and the repeats. The caller owns it. */
char *dyno_ceiling_job_describe (const DynoCeilingJob *self, const char *what, const DynoCeilingRates *rates);
void dyno_ceiling_job_free (gpointer job);

/* dyno-compute-ceilings */

/* Adds a job for every instruction set of the processor in each of its precisions, on the run's team. */
void dyno_compute_ceilings_add (DynoCeilingRun *run);

/* dyno-cycle-clock */

/* Runs a chain of dependent instructions of known latency for some ten microseconds: too short for the
 * processor to change the frequency of the work before it. Returns the frequency of the core that runs this
 * thread, in Hz; 0 on architectures without such a chain. */
double dyno_cycle_clock_measure (void);

/* dyno-memory-area */

/**
 * DynoMemoryArea:
 * @base: its start, aligned to a large page
 * @bytes: its size
 * @touched: how much of it is in memory
 *
 * Address space that gets memory only as it is touched, near the thread that touches it.
 */
typedef struct
{
  guint8 *base;
  gsize bytes;
  gsize touched;
} DynoMemoryArea;

/* Returns the area, or NULL if the address space cannot be reserved. */
DynoMemoryArea *dyno_memory_area_new (gsize bytes);
void dyno_memory_area_free (DynoMemoryArea *self);
/* Call this on the thread that will use it. @bytes: how much of it must be in memory, at most its size. */
void dyno_memory_area_touch (DynoMemoryArea *self, gsize bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryArea, dyno_memory_area_free)

/* dyno-memory-levels */

#define DYNO_MAX_CACHE_LEVELS 4

/**
 * DynoMemoryLevels:
 * @n_caches: the number of cache levels
 * @hints: the size that the machine reports for each, in bytes
 * @ends: the measured size at which reading from each slows down, at most the hint, in bytes
 *
 * The caches of the measuring core.
 */
typedef struct
{
  guint n_caches;
  gsize hints[DYNO_MAX_CACHE_LEVELS];
  gsize ends[DYNO_MAX_CACHE_LEVELS];
} DynoMemoryLevels;

/* Reads the reported sizes; a virtual machine may report those of its host. */
void dyno_memory_levels_read_hints (DynoMemoryLevels *self, DynoTopology *topology, guint processor);
/* Follows the plateau of each level to its end. Sizes right after an end are the slope to the next level
 * and belong to no level. A level without a tried size keeps its hint. @sizes: the sizes that were read
 * over and over, in bytes, rising. */
void dyno_memory_levels_find_ends (DynoMemoryLevels *self,
                                   const gsize *sizes,
                                   const double *rates,
                                   guint n_points);
/* Returns how many members at most share one cache of this level. @level: a level of cache, from 0. */
guint dyno_memory_levels_count_sharers (DynoTopology *topology, const DynoCpuSet *team, guint level);
/* Returns how many caches of this level the team has together, at least one. @level: a level of cache,
 * from 0. */
guint dyno_memory_levels_count_caches (DynoTopology *topology, const DynoCpuSet *team, guint level);

/* dyno-memory-ceilings */

/* Reads more and more memory over and over to find the end of each level of cache. @most_memory: how much
 * memory may be used. */
void dyno_memory_ceilings_sweep (DynoCeilingRun *run, DynoMemoryLevels *levels, gsize most_memory);
/* Adds a job for every level in every mix on the run's team, and for the latency of every level on a team of one. A
 * cache has no ceiling for this team if a member's share is no larger than the level before it. @most_memory: how much
 * memory may be used. */
void dyno_memory_ceilings_add (DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory);

/* dyno-memory-chase */

/* The distance between places: two lines, because some processors fetch lines in pairs. */
#define DYNO_MEMORY_CHASE_STRIDE 128

/* The number of accesses in a count of one. */
#define DYNO_MEMORY_CHASE_STEPS 32

/**
 * DynoMemoryChase:
 * @place: the last one visited
 *
 * A path through memory in random order: every place points to the next, and the last to the first.
 */
typedef struct
{
  gpointer *place;
} DynoMemoryChase;

/* Builds a single ring through all places, by Sattolo's algorithm. */
void dyno_memory_chase_init (DynoMemoryChase *self, guint8 *memory, gsize bytes);
/* A [callback@Dyno.TeamWork]. @member: a member of the team; only one may run it. */
void dyno_memory_chase_work (guint member, guint64 count, gpointer data);

/* dyno-memory-traffic */

/**
 * DynoMemoryTraffic:
 *
 * A team of threads that each move data within an area of its own.
 */
typedef struct _DynoMemoryTraffic DynoMemoryTraffic;

/* Returns the traffic, or NULL if there is not enough memory. @team: the threads; must outlive this.
 * @bytes_per_member: the most memory that each goes through. */
DynoMemoryTraffic *dyno_memory_traffic_new (DynoThreadTeam *team, gsize bytes_per_member);
void dyno_memory_traffic_free (DynoMemoryTraffic *self);

DynoMemoryArea *dyno_memory_traffic_get_area (DynoMemoryTraffic *self, guint member);
/* Every member touches its own memory. Returns the amount of memory in use, a little less than @bytes
 * because pieces are whole. @bytes: how much memory each goes through, over all its streams; at most its
 * area. */
gsize dyno_memory_traffic_prepare (DynoMemoryTraffic *self, const DynoMemoryKernel *kernel, gsize bytes);
/* Returns how many bytes a count of one moves; data that a cache fetches before a write do not count. */
double dyno_memory_traffic_count_bytes (DynoMemoryTraffic *self);
/* A [callback@Dyno.TeamWork]. */
void dyno_memory_traffic_work (guint member, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryTraffic, dyno_memory_traffic_free)

/* dyno-memory-gemv */

/* The number of rows that are processed at once. */
#define DYNO_GEMV_ROWS 8

/**
 * DynoMemoryGemv:
 *
 * A team of threads that each multiply a matrix of their own by a vector, the main work of decoding a
 * language model: real work that reads every byte once. It shows whether real work can reach a ceiling of
 * reading.
 */
typedef struct _DynoMemoryGemv DynoMemoryGemv;

/* Returns the work, or NULL if there is none for this processor or this size. @traffic: provides the
 * memory; must outlive this, and loses its prepared data. @bytes: the largest size of each matrix. */
DynoMemoryGemv *dyno_memory_gemv_new (DynoThreadTeam *team, DynoMemoryTraffic *traffic, gsize bytes);
void dyno_memory_gemv_free (DynoMemoryGemv *self);
/* Returns how many bytes of that level a count of one reads. @with_vector: whether the vector comes from
 * the same level of memory as the matrix, as in the first cache. */
double dyno_memory_gemv_count_bytes (DynoMemoryGemv *self, gboolean with_vector);
/* Returns the number of rows. */
gsize dyno_memory_gemv_get_shape (DynoMemoryGemv *self, guint *columns);
const float *dyno_memory_gemv_get_vector (DynoMemoryGemv *self, guint member);
const float *dyno_memory_gemv_get_product (DynoMemoryGemv *self, guint member);
/* A [callback@Dyno.TeamWork]. */
void dyno_memory_gemv_work (guint member, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryGemv, dyno_memory_gemv_free)

G_END_DECLS

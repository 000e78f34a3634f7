/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the ceilings on one thread: per cycle, against what a processor of a known kind does; and against the
 * best of likwid-bench's that do the same, and the loops of STREAM in plain C, with which they take turns for some
 * milliseconds each, where the ratio of each pair counts. */
#include <string.h>

#include "bench.h"
#include "dyno-compute-kernel.h"
#include "dyno-machine-ceilings-private.h"
#include "stream-loop.h"
#include "suite.h"

/* likwid-bench takes a second to start. */
#define N_ROUNDS 6
#define ENOUGH   0.98
#define TURNS    4096

/* Two variants for each register width. */
#define LOOP_TRIES 6

/* Main memory: larger than most caches, the same for both. */
#define AREA ((gsize)256 << 20)

typedef struct
{
  const char *name;
  /* Names with a space between them: their best counts; those that this processor cannot run give nothing. */
  const char *likwid;
  const char *compute;
  DynoMemoryMix mix;
  gsize kib;
  /* Without likwid-bench. */
  void (*loop) (double *restrict a, const double *restrict b, const double *restrict c, gsize n);
} Pair;

#define LOADS       "load_sse load_avx load_avx512"
#define STORES      "store_sse store_avx store_avx512"
#define COPIES      "copy_sse copy_avx copy_avx512"
#define TRIADS      "stream_sse stream_sse_fma stream_avx stream_avx_fma stream_avx512 stream_avx512_fma"
#define STORES_PAST "store_mem_sse store_mem_avx store_mem_avx512"
#define COPIES_PAST "copy_mem_sse copy_mem_avx copy_mem_avx512"
#define TRIADS_PAST "stream_mem_sse stream_mem_avx stream_mem_avx_fma stream_mem_avx512"

/* A size of 0 is no memory. */
static const Pair pairs[] = {
  { "fp64-avx2", "peakflops_avx peakflops_avx_fma", "fp64-avx2", 0, 0 },
  { "fp64-avx512", "peakflops_avx512 peakflops_avx512_fma", "fp64-avx512", 0, 0 },
  { "fp32-avx2", "peakflops_sp_avx peakflops_sp_avx_fma", "fp32-avx2", 0, 0 },
  { "fp32-avx512", "peakflops_sp_avx512 peakflops_sp_avx512_fma", "fp32-avx512", 0, 0 },
  { "l1-read", LOADS, NULL, DYNO_MEMORY_READ, 24 },
  { "l1-write", STORES, NULL, DYNO_MEMORY_WRITE, 24 },
  { "l1-copy", COPIES, NULL, DYNO_MEMORY_COPY, 24 },
  { "l1-triad", TRIADS, NULL, DYNO_MEMORY_TRIAD, 24 },
  { "l2-read", LOADS, NULL, DYNO_MEMORY_READ, 384 },
  { "l2-copy", COPIES, NULL, DYNO_MEMORY_COPY, 384 },
  { "dram-read", LOADS, NULL, DYNO_MEMORY_READ, AREA >> 10 },
  { "dram-nt-write", STORES_PAST, NULL, DYNO_MEMORY_STREAM, AREA >> 10 },
  { "dram-copy", COPIES " " COPIES_PAST, NULL, DYNO_MEMORY_COPY, AREA >> 10 },
  { "dram-triad", TRIADS " " TRIADS_PAST, NULL, DYNO_MEMORY_TRIAD, AREA >> 10 },
  { "dram-copy", "STREAM in C", NULL, DYNO_MEMORY_COPY, AREA >> 10, stream_loop_copy },
  { "dram-triad", "STREAM in C", NULL, DYNO_MEMORY_TRIAD, AREA >> 10, stream_loop_triad },
};

/* What a core of the kind with 2 MiB of second-level cache, AVX-512 on halves and AMX does per cycle: operations, or
 * bytes read; and how much of it is enough. */
typedef struct
{
  const char *name;
  const char *compute;
  gsize kib;
  double per_cycle;
  double enough;
} Anchor;

static const Anchor anchors[] = {
  { "fp32-scalar-fma", "fp32-scalar-fma", 0, 4, 0.98 },
  { "fp32-avx2", "fp32-avx2", 0, 32, 0.98 },
  { "fp32-avx512", "fp32-avx512", 0, 64, 0.98 },
  { "fp64-avx2", "fp64-avx2", 0, 16, 0.98 },
  { "fp64-avx512", "fp64-avx512", 0, 32, 0.98 },
  { "fp16-avx512", "fp16-avx512", 0, 128, 0.98 },
  { "bf16-avx512", "bf16-avx512", 0, 32, 0.98 },
  { "int8-avx512", "int8-avx512", 0, 256, 0.98 },
  { "bf16-amx (zeros)", "bf16-amx", 0, 1024, 0.98 },
  { "int8-amx (zeros)", "int8-amx", 0, 2048, 0.98 },
  { "l1-read", NULL, 36, 114, 0.97 },
  { "l2-read", NULL, 1024, 49, 0.97 },
  { "l3-read", NULL, 16 << 10, 8.2, 0.95 },
  { "dram-read", NULL, AREA >> 10, 4.5, 0.95 },
};

#define ANCHORS_NEED (DYNO_CPU_AVX512_FP16 | DYNO_CPU_AMX_BF16)
#define ANCHORS_L2   ((gsize)2 << 20)
#define N_WINDOWS    15

typedef struct
{
  DynoCeilingRun run;
  DynoMemoryTraffic *traffic;
  const Pair *pair;
  const DynoComputeKernel *kernel;
  guint8 *operands;
  char *best_variant;
  double best_rate;
} Bench;

static void
compute (guint member, guint64 count, gpointer data)
{
  Bench *self = data;

  self->kernel->run (self->operands, count * TURNS);
}

static double
try_compute (Bench *self)
{
  dyno_compute_kernel_fill (self->kernel, self->operands, 1);
  return dyno_ceiling_run_try (&self->run, compute, self, self->run.window_ns) *
         dyno_compute_kernel_count_operations (self->kernel, TURNS);
}

/* As in the ceilings. */
static gboolean
is_tried (Bench *self, const DynoMemoryKernel *kernel)
{
  return kernel->mix == self->pair->mix && dyno_cpu_features_have (kernel->needs) &&
         (!kernel->past_caches || self->pair->kib == AREA >> 10);
}

/* The best variant, as chosen for the ceilings. */
static double
try_memory (Bench *self)
{
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);
  double best = 0;

  for (guint i = 0; i < n_kernels; i++)
    if (is_tried (self, &kernels[i]))
      {
        double rate;

        dyno_memory_traffic_prepare (self->traffic, &kernels[i], self->pair->kib << 10);
        rate =
            dyno_ceiling_run_try (&self->run, dyno_memory_traffic_work, self->traffic, self->run.window_ns) *
            dyno_memory_traffic_count_bytes (self->traffic);
        best = MAX (best, rate);
      }
  return best;
}

static double
run_ours (gpointer data)
{
  Bench *self = data;

  return (self->kernel != NULL ? try_compute (self) : try_memory (self)) / 1e9;
}

/* likwid-bench prints “MFlops/s:⇥⇥1234.56” or “MByte/s:⇥⇥1234.56”. */
static double
parse (const char *text, const char *label)
{
  const char *line = text != NULL ? strstr (text, label) : NULL;

  return line != NULL ? g_ascii_strtod (line + strlen (label), NULL) / 1e3 : 0;
}

/* Repeats over its array for some milliseconds, as long as one of our windows. */
static guint64
choose_iterations (const Bench *self)
{
  return self->kernel != NULL ? 8000 : MAX ((guint64)(1 << 20) / self->pair->kib, 10);
}

static double
run_variant (const Bench *self, const char *variant)
{
  g_autofree char *group =
      g_strdup_printf ("N:%" G_GSIZE_FORMAT "kB:1", self->kernel != NULL ? 16 : self->pair->kib);
  g_autofree char *iterations = g_strdup_printf ("%" G_GUINT64_FORMAT, choose_iterations (self));
  const char *arguments[] = { "likwid-bench", "-i", iterations, "-t", variant, "-w", group, NULL };
  g_autofree char *text = NULL;

  if (!g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                     NULL, &text, NULL, NULL, NULL))
    return 0;
  return parse (text, self->kernel != NULL ? "MFlops/s:" : "MByte/s:");
}

static double
run_likwid (gpointer data)
{
  Bench *self = data;
  g_auto (GStrv) variants = g_strsplit (self->pair->likwid, " ", -1);
  double best = 0;

  for (char **variant = variants; *variant != NULL; variant++)
    {
      double rate = run_variant (self, *variant);

      best = MAX (best, rate);
      if (rate <= self->best_rate)
        continue;
      self->best_rate = rate;
      g_free (self->best_variant);
      self->best_variant = g_strdup (*variant);
    }
  return best;
}

static void
loop_over_area (guint member, guint64 count, gpointer data)
{
  Bench *self = data;
  double *base = (double *)(gpointer)dyno_memory_traffic_get_area (self->traffic, 0)->base;
  gsize n = AREA / dyno_memory_mix_count_streams (self->pair->mix) / sizeof (double);

  for (guint64 i = 0; i < count; i++)
    self->pair->loop (base, base + n, base + 2 * n, n);
}

/* As many windows as all of ours together, because the best of more would be better. */
static double
run_loop (gpointer data)
{
  Bench *self = data;
  double best = 0;

  for (guint i = 0; i < LOOP_TRIES; i++)
    best = MAX (best, dyno_ceiling_run_try (&self->run, loop_over_area, self, self->run.window_ns));
  return best * (double)AREA / 1e9;
}

static const DynoComputeKernel *
find_kernel (const char *id)
{
  guint n_kernels;
  const DynoComputeKernel *kernels = dyno_compute_kernel_list (&n_kernels);

  for (guint i = 0; id != NULL && i < n_kernels; i++)
    if (strcmp (kernels[i].id, id) == 0)
      return &kernels[i];
  return NULL;
}

static void
run_pair (Bench *self, const Pair *pair)
{
  g_autoptr (BenchPairs) found = bench_pairs_new ();

  self->pair = pair;
  self->kernel = find_kernel (pair->compute);
  self->best_rate = 0;
  g_clear_pointer (&self->best_variant, g_free);
  if (pair->compute != NULL && (self->kernel == NULL || !dyno_cpu_features_have (self->kernel->needs)))
    return;
  bench_pairs_run (found, N_ROUNDS, run_ours, pair->loop != NULL ? run_loop : run_likwid, self);
  bench_report_ratio (pair->name, self->kernel != NULL ? "GFLOP/s" : "GB/s",
                      self->best_variant != NULL ? self->best_variant : pair->likwid, found, BENCH_AT_LEAST,
                      ENOUGH);
}

static void
run_pairs (Bench *self)
{
  g_autofree char *likwid = g_find_program_in_path ("likwid-bench");

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (pairs[i].loop != NULL || likwid != NULL)
      run_pair (self, &pairs[i]);
  g_free (self->best_variant);
  if (likwid == NULL)
    bench_skip ("there is no likwid-bench to compare with: install likwid");
}

/* The best of some windows, by the clock measured beside each. */
static double
count_per_cycle (Bench *self, DynoTeamWork work, gpointer data, double scale)
{
  guint64 count = dyno_ceiling_run_calibrate (&self->run, work, data, self->run.window_ns);
  double best = 0;

  for (guint i = 0; i < N_WINDOWS; i++)
    {
      DynoTeamWindow window = dyno_thread_team_time (self->run.team, work, count, data);

      best = MAX (best, (double)count * scale / window.seconds / window.clock);
    }
  return best;
}

static double
count_computed (Bench *self)
{
  gsize bytes = dyno_compute_kernel_get_operand_bytes (self->kernel);

  if (dyno_compute_kernel_depends_on_data (self->kernel))
    memset (self->operands, 0, bytes);
  else
    dyno_compute_kernel_fill (self->kernel, self->operands, 1);
  return count_per_cycle (self, compute, self, dyno_compute_kernel_count_operations (self->kernel, TURNS));
}

static double
count_read (Bench *self, gsize kib)
{
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);
  double best = 0;

  for (guint i = 0; i < n_kernels; i++)
    if (kernels[i].mix == DYNO_MEMORY_READ && dyno_cpu_features_have (kernels[i].needs))
      {
        dyno_memory_traffic_prepare (self->traffic, &kernels[i], kib << 10);
        best = MAX (best, count_per_cycle (self, dyno_memory_traffic_work, self->traffic,
                                           dyno_memory_traffic_count_bytes (self->traffic)));
      }
  return best;
}

static void
run_anchor (Bench *self, const Anchor *anchor)
{
  g_autoptr (BenchPairs) found = bench_pairs_new ();
  g_autofree char *name = g_strconcat (anchor->name, " per cycle", NULL);

  self->kernel = find_kernel (anchor->compute);
  if (anchor->compute != NULL && (self->kernel == NULL || !dyno_cpu_features_have (self->kernel->needs)))
    return;
  for (guint i = 0; i < N_ROUNDS; i++)
    bench_pairs_add (found, self->kernel != NULL ? count_computed (self) : count_read (self, anchor->kib),
                     anchor->per_cycle);
  bench_report_ratio (name, self->kernel != NULL ? "FLOP" : "B", "known", found, BENCH_AT_LEAST,
                      anchor->enough);
}

static gboolean
has_anchors (DynoTopology *topology)
{
  DynoMemoryLevels levels;

  dyno_memory_levels_read_hints (&levels, topology, 0);
  return dyno_cpu_features_have (ANCHORS_NEED) && levels.n_caches > 1 && levels.hints[1] == ANCHORS_L2;
}

static int
run_suite (int argc, char *argv[])
{
  g_autoptr (DynoTopology) topology = NULL;
  g_autoptr (DynoThreadTeam) team = NULL;
  g_autoptr (DynoMemoryTraffic) traffic = NULL;
  g_autofree guint8 *operands = g_malloc0 (DYNO_COMPUTE_MAX_OPERAND_BYTES + 64);
  Bench bench = { 0 };

  bench_init ();
  topology = dyno_topology_load (NULL);
  g_assert_nonnull (topology);
  team = dyno_thread_team_new (topology, 1);
  traffic = dyno_memory_traffic_new (team, AREA);
  g_assert_nonnull (traffic);
  bench.run = (DynoCeilingRun){ .topology = topology, .team = team, .window_ns = 5000000 };
  bench.traffic = traffic;
  bench.operands = operands + 64 - (gsize)operands % 64;
  for (guint i = 0; i < G_N_ELEMENTS (anchors) && has_anchors (topology); i++)
    run_anchor (&bench, &anchors[i]);
  run_pairs (&bench);
  return 0;
}

SUITE (run_suite)

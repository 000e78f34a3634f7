/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-machine-ceilings-private.h"
#include "dyno-memory-modules.h"

/* The sweep: the smallest size, the sizes per octave, and the length of a window. */
#define SMALLEST         ((gsize)8 << 10)
#define SIZES_PER_OCTAVE 4

/* Past the reported caches, three octaves that differ by less than this count as main memory. */
#define STABLE_OCTAVES 3
#define STABLE         0.03

/* Turns between reading and the product that verifies it. */
#define N_TURNS 5

/* The rule of STREAM: each of three arrays is four times as large as the caches. */
#define TIMES_CACHE 4
#define N_ARRAYS    3

/* Used if no cache is known. */
#define USUAL_ARRAY ((gsize)64 << 20)

/* Data of this many times the level before it do not fit that level. A chase uses no more: others may
 * occupy the rest of the cache, and address translation would show. */
#define TIMES_BEFORE 3

/* Building a longer chase takes more time than it is worth. */
#define LONGEST_CHASE ((gsize)512 << 20)

/* What the jobs of one team share. Caches and main memory have areas of their own, because what a job left of its
 * area in a cache would make main memory seem fast. */
typedef struct
{
  DynoThreadTeam *team;
  DynoTopology *topology;
  DynoMemoryLevels levels;
  DynoMemoryTraffic *in_caches;
  DynoMemoryTraffic *in_memory;
  gsize memory_bytes;
  gboolean constrained;
} Shared;

typedef struct
{
  Shared *shared;
  guint level;
  gsize bytes;
  const DynoMemoryKernel *kernel; /* NULL for latency */
  double bytes_per_count;
  double verified;
  DynoMemoryArea *area; /* for latency */
  DynoMemoryChase chase;
} Data;

static gsize
get_last (const gsize *sizes, const DynoMemoryLevels *levels)
{
  return levels->n_caches > 0 ? sizes[levels->n_caches - 1] : USUAL_ARRAY / TIMES_CACHE;
}

static const DynoMemoryKernel *
get_widest_reader (void)
{
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);
  const DynoMemoryKernel *widest = NULL;

  for (guint i = 0; i < n_kernels; i++)
    if (kernels[i].mix == DYNO_MEMORY_READ && dyno_cpu_features_have (kernels[i].needs))
      widest = &kernels[i];
  return widest;
}

static gboolean
is_stable (GArray *rates)
{
  guint n = STABLE_OCTAVES * SIZES_PER_OCTAVE + 1;
  const double *last = &g_array_index (rates, double, rates->len - MIN (n, rates->len));
  double low = G_MAXDOUBLE, high = 0;

  for (guint i = 0; rates->len >= n && i < n; i++)
    {
      low = MIN (low, last[i]);
      high = MAX (high, last[i]);
    }
  return rates->len >= n && high - low < STABLE * high;
}

void
dyno_memory_ceilings_sweep (DynoCeilingRun *run, DynoMemoryLevels *levels, gsize most_memory)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (DynoMemoryTraffic) traffic = NULL;
  const DynoMemoryKernel *reader = get_widest_reader ();
  gsize reported, most;

  dyno_memory_levels_read_hints (levels, run->topology,
                                 hwloc_bitmap_first (dyno_thread_team_get_set (run->team)));
  reported = get_last (levels->hints, levels);
  most = MIN (TIMES_CACHE * reported, most_memory);
  traffic = dyno_memory_traffic_new (run->team, most);
  run->report (0, _ ("sizes of the caches"), run->report_data);
  if (traffic == NULL || reader == NULL)
    return;
  for (guint i = 0; !g_cancellable_is_cancelled (run->cancellable); i++)
    {
      gsize wanted = (gsize)((double)SMALLEST * exp2 ((double)i / SIZES_PER_OCTAVE));
      gsize size;
      double rate;

      if (wanted > most || (wanted > reported && is_stable (rates)))
        break;
      size = dyno_memory_traffic_prepare (traffic, reader, wanted);
      rate = dyno_ceiling_run_try (run, dyno_memory_traffic_work, traffic, run->window_ns) *
             dyno_memory_traffic_count_bytes (traffic);
      g_array_append_val (sizes, size);
      g_array_append_val (rates, rate);
    }
  dyno_memory_levels_find_ends (levels, (const gsize *)(gpointer)sizes->data,
                                (const double *)(gpointer)rates->data, sizes->len);
}

static gsize
choose_bytes (const Shared *self, guint level)
{
  if (level < self->levels.n_caches)
    {
      /* Stays clear of the end of this level and of the level before: half a cache, or three quarters of the
       * first, where the loop overhead shows. Members that share a cache share its bytes. There may be no
       * size that belongs to this level alone. */
      const DynoCpuSet *set = dyno_thread_team_get_set (self->team);
      const DynoMemoryLevels *levels = &self->levels;
      gsize usable = level == 0 ? levels->ends[0] * 3 / 4 : levels->ends[level] / 2;
      gsize bytes = usable / dyno_memory_levels_count_sharers (self->topology, set, level);

      if (level > 0 && bytes * 2 < levels->ends[level - 1] * 3 /
                                       dyno_memory_levels_count_sharers (self->topology, set, level - 1))
        return 0;
      return bytes;
    }
  return self->memory_bytes;
}

static char *
dup_level_name (const Data *self)
{
  return self->level < self->shared->levels.n_caches ? g_strdup_printf ("L%u", self->level + 1)
                                                     : g_strdup ("DRAM");
}

static char *
dup_id (const char *level, const char *what)
{
  g_autofree char *low = g_ascii_strdown (level, -1);

  return g_strconcat (low, "-", what, NULL);
}

static const char *
describe_kernel (const DynoMemoryKernel *kernel)
{
  switch (kernel->mix)
    {
    case DYNO_MEMORY_READ:
      return _ ("Reading");
    case DYNO_MEMORY_WRITE:
      return _ ("Writing");
    case DYNO_MEMORY_STREAM:
      return _ ("Writing past the caches");
    case DYNO_MEMORY_COPY:
      return kernel->past_caches ? _ ("Copying past the caches, read and written bytes counted")
                                 : _ ("Copying, read and written bytes counted");
    case DYNO_MEMORY_TRIAD:
      return kernel->past_caches
                 ? _ ("a = b + constant × c, written past the caches, read and written bytes counted")
                 : _ ("a = b + constant × c, read and written bytes counted");
    case DYNO_N_MEMORY_MIXES:
    default:
      g_assert_not_reached ();
    }
}

static DynoMemoryTraffic *
get_traffic (const Data *self)
{
  return self->level < self->shared->levels.n_caches ? self->shared->in_caches : self->shared->in_memory;
}

/* Returns the share of the read rate that a matrix times a vector reaches: it is real work, so at most 1; 0
 * without a kernel for it. The two alternate, because other programs may disturb either of them. */
static double
verify (DynoCeilingRun *run, const Data *self)
{
  DynoMemoryTraffic *traffic = get_traffic (self);
  g_autoptr (DynoMemoryGemv) gemv = dyno_memory_gemv_new (run->team, traffic, self->bytes);
  guint64 n_reads, n_products;
  double reading = G_MAXDOUBLE, multiplying = G_MAXDOUBLE;

  if (gemv == NULL)
    return 0;
  n_reads = dyno_ceiling_run_calibrate (run, dyno_memory_traffic_work, traffic, run->window_ns);
  n_products = dyno_ceiling_run_calibrate (run, dyno_memory_gemv_work, gemv, run->window_ns);
  for (guint i = 0; i < N_TURNS; i++)
    {
      DynoTeamWindow read = dyno_thread_team_time (run->team, dyno_memory_traffic_work, n_reads, traffic);
      DynoTeamWindow product = dyno_thread_team_time (run->team, dyno_memory_gemv_work, n_products, gemv);

      reading = MIN (reading, read.seconds);
      multiplying = MIN (multiplying, product.seconds);
    }
  return dyno_memory_gemv_count_bytes (gemv, self->level == 0) * (double)n_products / multiplying /
         (dyno_memory_traffic_count_bytes (traffic) * (double)n_reads / reading);
}

/* The bandwidth of all the machine's memory together; no number of threads is sure to reach it. */
static double
derive (const Data *self, char **derivation)
{
  if (self->level == self->shared->levels.n_caches)
    return dyno_memory_modules_derive_bandwidth (derivation);
  *derivation =
      g_strdup (_ ("Not derived: how much this cache moves per cycle is not in the processor’s data."));
  return 0;
}

/* A cache is filled again after other jobs: two passes, because it may not keep what came first. */
static void
prepare (gpointer data)
{
  Data *self = data;
  DynoMemoryTraffic *traffic = get_traffic (self);
  gsize bytes = dyno_memory_traffic_prepare (traffic, self->kernel, self->bytes);
  guint64 count = (guint64)((double)(2 * bytes) / dyno_memory_traffic_count_bytes (traffic));

  if (self->level < self->shared->levels.n_caches)
    dyno_thread_team_run (self->shared->team, dyno_memory_traffic_work, count, traffic);
}

static void
prepare_chase (gpointer data)
{
  Data *self = data;

  if (self->level < self->shared->levels.n_caches)
    dyno_thread_team_run (self->shared->team, dyno_memory_chase_work,
                          2 * self->bytes / DYNO_MEMORY_CHASE_STRIDE / DYNO_MEMORY_CHASE_STEPS, &self->chase);
}

static DynoCeiling *
create_bandwidth (const DynoCeilingRun *run, const DynoCeilingJob *job, const DynoCeilingRates *rates)
{
  const Data *self = job->data;
  const DynoMemoryKernel *kernel = self->kernel;
  gboolean constrained = self->level == self->shared->levels.n_caches && self->shared->constrained;
  const char *mix = dyno_memory_mix_get_name (kernel->mix);
  g_autofree char *name = dup_level_name (self);
  g_autofree char *id = dup_id (name, mix);
  g_autofree char *size = g_format_size_full (self->bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *what =
      g_strdup_printf (_ ("%s, with %s (%s); each thread its own %s, touched by itself."),
                       describe_kernel (kernel), kernel->instruction_set, kernel->instructions, size);
  g_autofree char *loop = dyno_ceiling_job_describe (job, what, rates);
  g_autoptr (GString) method = g_string_new (loop);
  g_autofree char *derivation = NULL;
  double theoretical = derive (self, &derivation);
  double scale = self->bytes_per_count;

  if (constrained)
    g_string_append_printf (
        method, " %s",
        _ ("The available memory did not allow four times the last cache: it may be too fast."));
  if (self->verified > 0)
    {
      g_autofree char *before = g_strdup (method->str);

      g_string_printf (method,
                       _ ("%s The product of a matrix and a vector as large reads at %.0f %% of the best."),
                       before, 100 * self->verified);
    }
  return g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_BANDWIDTH, "id", id, "threads",
                       dyno_thread_team_get_size (job->team), "pinning", run->pinning, "level", name, "mix",
                       mix, "instruction-set", kernel->instruction_set, "value", rates->sustained * scale,
                       "best", rates->best * scale, "spread", rates->spread, "disturbed", rates->disturbed,
                       "clock", rates->clock, "unit", "B/s", "bytes", (gint64)self->bytes, "method",
                       method->str, "constrained", constrained, "verified", self->verified, "theoretical",
                       theoretical, "derivation", derivation, "measured-at", g_get_real_time (), NULL);
}

static DynoCeiling *
create_latency (const DynoCeilingRun *run, const DynoCeilingJob *job, const DynoCeilingRates *rates)
{
  const Data *self = job->data;
  g_autofree char *name = dup_level_name (self);
  g_autofree char *id = dup_id (name, "latency");
  g_autofree char *size = g_format_size_full (self->bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *loop = g_strdup_printf (_ ("A chase of pointers in random order through %s, %d bytes "
                                              "apart, in large pages where the kernel gives them."),
                                           size, DYNO_MEMORY_CHASE_STRIDE);
  g_autofree char *method = dyno_ceiling_job_describe (job, loop, rates);
  double scale = 1e9 / DYNO_MEMORY_CHASE_STEPS;

  return g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_LATENCY, "id", id, "threads", 1u, "pinning",
                       run->pinning, "level", name, "value", scale / rates->sustained, "best",
                       scale / rates->best, "spread", rates->spread, "disturbed", rates->disturbed, "clock",
                       rates->clock, "unit", "ns", "bytes", (gint64)self->bytes, "method", method,
                       "measured-at", g_get_real_time (), NULL);
}

static void
shared_clear (gpointer data)
{
  Shared *self = data;

  g_clear_pointer (&self->in_caches, dyno_memory_traffic_free);
  g_clear_pointer (&self->in_memory, dyno_memory_traffic_free);
}

static void
shared_release (Shared *self)
{
  g_rc_box_release_full (self, shared_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shared, shared_release)

static void
data_free (gpointer data)
{
  Data *self = data;

  g_clear_pointer (&self->area, dyno_memory_area_free);
  shared_release (self->shared);
  g_free (self);
}

/* Returns NULL without enough memory, or without kernels for this processor. */
static Shared *
shared_new (DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory)
{
  /* All members together must go through this many bytes to reach main memory: three arrays of four
   * times the caches that the sweep found, and at least four times the reported caches. */
  const DynoCpuSet *set = dyno_thread_team_get_set (run->team);
  guint n_caches =
      levels->n_caches > 0 ? dyno_memory_levels_count_caches (run->topology, set, levels->n_caches - 1) : 1;
  gsize found = N_ARRAYS * TIMES_CACHE * get_last (levels->ends, levels) * n_caches;
  gsize wanted = MAX (found, TIMES_CACHE * get_last (levels->hints, levels) * n_caches);
  g_autoptr (Shared) self = g_rc_box_new0 (Shared);

  self->team = run->team;
  self->topology = run->topology;
  self->levels = *levels;
  self->constrained = wanted > most_memory;
  self->memory_bytes = MIN (wanted, most_memory) / dyno_thread_team_get_size (run->team);
  self->in_caches = dyno_memory_traffic_new (run->team, get_last (levels->ends, levels));
  self->in_memory = dyno_memory_traffic_new (run->team, self->memory_bytes);
  if (self->in_caches == NULL || self->in_memory == NULL || get_widest_reader () == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

static Data *
data_new (Shared *shared, guint level, gsize bytes)
{
  Data *self = g_new0 (Data, 1);

  self->shared = g_rc_box_acquire (shared);
  self->level = level;
  self->bytes = bytes;
  return self;
}

/* Wider is not always faster, and memory does not care. Writing past the caches applies to main memory only, even if
 * the data would fit a cache. */
static const DynoMemoryKernel *
choose_kernel (DynoCeilingRun *run, Data *self, DynoMemoryMix mix)
{
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);
  const DynoMemoryKernel *fastest = NULL;
  double best = 0;

  for (guint i = 0; i < n_kernels; i++)
    if (kernels[i].mix == mix && dyno_cpu_features_have (kernels[i].needs) &&
        (!kernels[i].past_caches || self->level == self->shared->levels.n_caches))
      {
        double rate;

        self->kernel = &kernels[i];
        prepare (self);
        rate = dyno_ceiling_run_try (run, dyno_memory_traffic_work, get_traffic (self), run->window_ns);
        if (rate > best)
          fastest = &kernels[i];
        best = MAX (best, rate);
      }
  return fastest;
}

static void
add_bandwidth (DynoCeilingRun *run, Shared *shared, guint level, DynoMemoryMix mix, gsize bytes)
{
  Data *self = data_new (shared, level, bytes);

  /* Cores have caches of their own, so the fastest kernel of an earlier team counts; but main memory may be faster past
   * the caches the more threads use it. */
  for (guint i = 0; self->kernel == NULL && i < run->jobs->len && level < shared->levels.n_caches; i++)
    {
      const DynoCeilingJob *job = run->jobs->pdata[i];
      const Data *data = job->data;

      if (job->create == create_bandwidth && data->level == level && data->kernel->mix == mix)
        self->kernel = data->kernel;
    }
  if (self->kernel == NULL)
    self->kernel = choose_kernel (run, self, mix);
  self->bytes = dyno_memory_traffic_prepare (get_traffic (self), self->kernel, bytes);
  self->bytes_per_count = dyno_memory_traffic_count_bytes (get_traffic (self));
  if (mix == DYNO_MEMORY_READ)
    self->verified = verify (run, self);
  dyno_ceiling_job_add (run, &(DynoCeilingJob){ .work = dyno_memory_traffic_work,
                                                .work_data = get_traffic (self),
                                                .prepare = prepare,
                                                .create = create_bandwidth,
                                                .data = self,
                                                .free_data = data_free });
}

static void
build_chase (guint member, guint64 count, gpointer data)
{
  Data *self = data;

  dyno_memory_area_touch (self->area, self->bytes);
  dyno_memory_chase_init (&self->chase, self->area->base, self->bytes);
}

static void
add_latency (DynoCeilingRun *run, Shared *shared, guint level, gsize bytes)
{
  Data *self = data_new (shared, level, bytes);

  self->area = dyno_memory_area_new (bytes);
  if (self->area == NULL)
    {
      data_free (self);
      return;
    }
  dyno_thread_team_run (run->team, build_chase, 0, self);
  dyno_ceiling_job_add (run, &(DynoCeilingJob){ .work = dyno_memory_chase_work,
                                                .work_data = &self->chase,
                                                .prepare = prepare_chase,
                                                .create = create_latency,
                                                .data = self,
                                                .free_data = data_free });
}

static gsize
choose_chase (const Shared *self, guint level)
{
  gsize bytes = choose_bytes (self, level);

  if (level == self->levels.n_caches)
    return MIN (bytes, LONGEST_CHASE);
  return level > 0 ? MIN (bytes, TIMES_BEFORE * self->levels.ends[level - 1]) : bytes;
}

void
dyno_memory_ceilings_add (DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory)
{
  g_autoptr (Shared) shared = shared_new (run, levels, most_memory);
  guint n_levels = shared != NULL ? levels->n_caches + 1 : 0;

  for (guint level = 0; level < n_levels; level++)
    {
      gsize bytes = choose_bytes (shared, level);

      /* Only main memory has a ceiling for writes past the caches. */
      for (DynoMemoryMix mix = 0; bytes > 0 && mix < DYNO_N_MEMORY_MIXES; mix++)
        if ((mix != DYNO_MEMORY_STREAM || level == levels->n_caches) &&
            !g_cancellable_is_cancelled (run->cancellable))
          add_bandwidth (run, shared, level, mix, bytes);
    }
  for (guint level = 0; dyno_thread_team_get_size (run->team) == 1 && level < n_levels; level++)
    if (choose_chase (shared, level) > 0 && !g_cancellable_is_cancelled (run->cancellable))
      add_latency (run, shared, level, choose_chase (shared, level));
}

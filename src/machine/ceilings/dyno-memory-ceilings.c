/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-machine-ceilings-private.h"
#include "dyno-memory-modules.h"

/* The sweep: the smallest size, the sizes per octave, and the length of a window. */
#define SMALLEST         ((gsize)8 << 10)
#define SIZES_PER_OCTAVE 4
#define SWEEP_WINDOW_NS  (G_GINT64_CONSTANT (1000000))

/* Past the reported caches, three octaves that differ by less than this count as main memory. */
#define STABLE_OCTAVES 3
#define STABLE         0.03

/* Trials that choose the widest useful registers. */
#define TRIAL_WINDOW_NS (G_GINT64_CONSTANT (2000000))
#define N_TURNS         3

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

typedef struct
{
  DynoCeilingRun *run;
  const DynoMemoryLevels *levels;
  DynoMemoryTraffic *traffic;
  gsize memory_bytes;
  gboolean constrained;
} Measuring;

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

static void
sweep_sizes (
    DynoCeilingRun *run, DynoMemoryTraffic *traffic, gsize reported, gsize most, GArray *sizes, GArray *rates)
{
  const DynoMemoryKernel *reader = get_widest_reader ();

  for (guint i = 0; !g_cancellable_is_cancelled (run->cancellable); i++)
    {
      gsize wanted = (gsize)((double)SMALLEST * exp2 ((double)i / SIZES_PER_OCTAVE));
      gsize size;
      double rate;

      if (wanted > most || (wanted > reported && is_stable (rates)))
        return;
      size = dyno_memory_traffic_prepare (traffic, reader, wanted);
      rate = dyno_ceiling_run_try (run, dyno_memory_traffic_work, traffic, SWEEP_WINDOW_NS) *
             dyno_memory_traffic_count_bytes (traffic);
      g_array_append_val (sizes, size);
      g_array_append_val (rates, rate);
    }
}

void
dyno_memory_ceilings_sweep (DynoCeilingRun *run, DynoMemoryLevels *levels, gsize most_memory)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (DynoMemoryTraffic) traffic = NULL;
  gsize reported, most;

  dyno_memory_levels_read_hints (levels, run->topology,
                                 hwloc_bitmap_first (dyno_thread_team_get_set (run->team)));
  reported = get_last (levels->hints, levels);
  most = MIN (TIMES_CACHE * reported, most_memory);
  traffic = dyno_memory_traffic_new (run->team, most);
  dyno_ceiling_run_begin (run, _ ("sizes of the caches"));
  if (traffic == NULL || get_widest_reader () == NULL)
    return;
  sweep_sizes (run, traffic, reported, most, sizes, rates);
  dyno_memory_levels_find_ends (levels, (const gsize *)(gpointer)sizes->data,
                                (const double *)(gpointer)rates->data, sizes->len);
}

static gsize
choose_bytes (Measuring *self, guint level)
{
  if (level < self->levels->n_caches)
    {
      /* Stays clear of the end of this level and of the level before: half a cache, or three quarters of the
       * first, where the loop overhead shows. Members that share a cache share its bytes. There may be no
       * size that belongs to this level alone. */
      const DynoCpuSet *set = dyno_thread_team_get_set (self->run->team);
      const DynoMemoryLevels *levels = self->levels;
      gsize usable = level == 0 ? levels->ends[0] * 3 / 4 : levels->ends[level] / 2;
      gsize bytes = usable / dyno_memory_levels_count_sharers (self->run->topology, set, level);

      if (level > 0 && bytes * 2 < levels->ends[level - 1] * 3 /
                                       dyno_memory_levels_count_sharers (self->run->topology, set, level - 1))
        return 0;
      return bytes;
    }
  return self->memory_bytes;
}

static char *
dup_level_name (Measuring *self, guint level)
{
  return level < self->levels->n_caches ? g_strdup_printf ("L%u", level + 1) : g_strdup ("DRAM");
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

/* Returns the share of the read rate that a matrix times a vector reaches: it is real work, so at most 1; 0
 * without a kernel for it. The two alternate, because other programs may disturb either of them. */
static double
verify (Measuring *self, guint level, gsize bytes)
{
  g_autoptr (DynoMemoryGemv) gemv = dyno_memory_gemv_new (self->run->team, self->traffic, bytes);
  gint64 window = self->run->window_ns;
  double best_read = 0, best_product = 0;

  for (guint i = 0; gemv != NULL && i < N_TURNS; i++)
    {
      double read = dyno_ceiling_run_try (self->run, dyno_memory_traffic_work, self->traffic, window);
      double product = dyno_ceiling_run_try (self->run, dyno_memory_gemv_work, gemv, window);

      best_read = MAX (best_read, read * dyno_memory_traffic_count_bytes (self->traffic));
      best_product = MAX (best_product, product * dyno_memory_gemv_count_bytes (gemv, level == 0));
    }
  return best_read > 0 ? best_product / best_read : 0;
}

/* The bandwidth of all the machine's memory together; no number of threads is sure to reach it. */
static double
derive (Measuring *self, guint level, char **derivation)
{
  if (level == self->levels->n_caches)
    return dyno_memory_modules_derive_bandwidth (derivation);
  *derivation =
      g_strdup (_ ("Not derived: how much this cache moves per cycle is not in the processor’s data."));
  return 0;
}

static void
add_bandwidth (Measuring *self,
               guint level,
               const DynoMemoryKernel *kernel,
               gsize bytes,
               const DynoCeilingRates *rates,
               double verified)
{
  DynoCeilingRun *run = self->run;
  gboolean constrained = level == self->levels->n_caches && self->constrained;
  const char *mix = dyno_memory_mix_get_name (kernel->mix);
  g_autofree char *name = dup_level_name (self, level);
  g_autofree char *id = dup_id (name, mix);
  g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *what =
      g_strdup_printf (_ ("%s, with %s (%s); each thread its own %s, touched by itself."),
                       describe_kernel (kernel), kernel->instruction_set, kernel->instructions, size);
  g_autofree char *loop = dyno_ceiling_run_describe (run, what);
  g_autoptr (GString) method = g_string_new (loop);
  g_autofree char *derivation = NULL;
  double theoretical = derive (self, level, &derivation);

  if (constrained)
    g_string_append_printf (
        method, " %s",
        _ ("A quarter of the available memory did not allow four times the last cache: it may be too fast."));
  if (verified > 0)
    {
      g_autofree char *before = g_strdup (method->str);

      g_string_printf (method,
                       _ ("%s The product of a matrix and a vector as large reads at %.0f %% of the best."),
                       before, 100 * verified);
    }
  g_ptr_array_add (run->ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_BANDWIDTH, "id", id, "threads",
                                 dyno_thread_team_get_size (run->team), "pinning", run->pinning, "level",
                                 name, "mix", mix, "instruction-set", kernel->instruction_set, "value",
                                 rates->median, "best", rates->best, "spread", rates->spread, "clock",
                                 rates->clock, "unit", "B/s", "bytes", (gint64)bytes, "method", method->str,
                                 "constrained", constrained, "verified", verified, "theoretical", theoretical,
                                 "derivation", derivation, "measured-at", g_get_real_time (), NULL));
}

static gboolean
measure_mix (Measuring *self, guint level, DynoMemoryMix mix, gsize bytes)
{
  DynoCeilingRun *run = self->run;
  g_autofree char *name = dup_level_name (self, level);
  g_autofree char *what = g_strdup_printf ("%s %s", name, dyno_memory_mix_get_name (mix));
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);
  const DynoMemoryKernel *fastest = NULL;
  DynoCeilingRates rates;
  double scale, best = 0, verified = 0;

  dyno_ceiling_run_begin (run, what);
  /* Wider is not always faster, and memory does not care. Writing past the caches applies to main memory
   * only, even if the data would fit a cache. */
  for (guint i = 0; i < n_kernels; i++)
    if (kernels[i].mix == mix && (!kernels[i].past_caches || level == self->levels->n_caches) &&
        dyno_cpu_features_have (kernels[i].needs))
      {
        double rate;

        dyno_memory_traffic_prepare (self->traffic, &kernels[i], bytes);
        rate = dyno_ceiling_run_try (run, dyno_memory_traffic_work, self->traffic, TRIAL_WINDOW_NS);
        if (rate > best)
          fastest = &kernels[i];
        best = MAX (best, rate);
      }
  bytes = dyno_memory_traffic_prepare (self->traffic, fastest, bytes);
  scale = dyno_memory_traffic_count_bytes (self->traffic);
  if (!dyno_ceiling_run_measure (run, dyno_memory_traffic_work, self->traffic, &rates))
    return FALSE;
  rates.median *= scale;
  rates.best *= scale;
  if (mix == DYNO_MEMORY_READ)
    verified = verify (self, level, bytes);
  add_bandwidth (self, level, fastest, bytes, &rates, verified);
  return TRUE;
}

static gboolean
set_up (Measuring *self, DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory)
{
  /* All members together must go through this many bytes to reach main memory: three arrays of four
   * times the caches that the sweep found, and at least four times the reported caches. */
  const DynoCpuSet *set = dyno_thread_team_get_set (run->team);
  guint n_caches =
      levels->n_caches > 0 ? dyno_memory_levels_count_caches (run->topology, set, levels->n_caches - 1) : 1;
  gsize found = N_ARRAYS * TIMES_CACHE * get_last (levels->ends, levels) * n_caches;
  gsize wanted = MAX (found, TIMES_CACHE * get_last (levels->hints, levels) * n_caches);
  guint n_members = dyno_thread_team_get_size (run->team);

  *self = (Measuring){ .run = run, .levels = levels, .constrained = wanted > most_memory };
  self->memory_bytes = MIN (wanted, most_memory) / n_members;
  self->traffic = dyno_memory_traffic_new (run->team, self->memory_bytes);
  return self->traffic != NULL && get_widest_reader () != NULL;
}

static void
measuring_clear (Measuring *self)
{
  g_clear_pointer (&self->traffic, dyno_memory_traffic_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Measuring, measuring_clear)

guint
dyno_memory_ceilings_count_bandwidths (const DynoMemoryLevels *levels)
{
  if (get_widest_reader () == NULL)
    return 0;
  return levels->n_caches * (DYNO_N_MEMORY_MIXES - 1) + DYNO_N_MEMORY_MIXES;
}

gboolean
dyno_memory_ceilings_measure_bandwidth (DynoCeilingRun *run,
                                        const DynoMemoryLevels *levels,
                                        gsize most_memory)
{
  g_auto (Measuring) measuring = { NULL };

  if (!set_up (&measuring, run, levels, most_memory))
    return !g_cancellable_is_cancelled (run->cancellable);
  for (guint level = 0; level <= levels->n_caches; level++)
    {
      gsize bytes = choose_bytes (&measuring, level);

      /* Only main memory has a ceiling for writes past the caches. */
      for (DynoMemoryMix mix = 0; bytes > 0 && mix < DYNO_N_MEMORY_MIXES; mix++)
        if ((mix != DYNO_MEMORY_STREAM || level == levels->n_caches) &&
            !measure_mix (&measuring, level, mix, bytes))
          return FALSE;
    }
  return TRUE;
}

static gboolean
measure_latency (Measuring *self, guint level, gsize bytes)
{
  g_autofree char *name = dup_level_name (self, level);
  g_autofree char *what = g_strdup_printf (_ ("%s latency"), name);
  DynoMemoryArea *area = dyno_memory_traffic_get_area (self->traffic, 0);
  DynoMemoryChase chase;
  DynoCeilingRates rates;

  dyno_ceiling_run_begin (self->run, what);
  dyno_memory_area_touch (area, bytes);
  dyno_memory_chase_init (&chase, area->base, bytes);
  if (!dyno_ceiling_run_measure (self->run, dyno_memory_chase_work, &chase, &rates))
    return FALSE;

  g_autofree char *id = dup_id (name, "latency");
  g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *loop = g_strdup_printf (_ ("A chase of pointers in random order through %s, %d bytes "
                                              "apart, in large pages where the kernel gives them."),
                                           size, DYNO_MEMORY_CHASE_STRIDE);
  g_autofree char *method = dyno_ceiling_run_describe (self->run, loop);
  double scale = 1e9 / DYNO_MEMORY_CHASE_STEPS;

  g_ptr_array_add (self->run->ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_LATENCY, "id", id, "threads", 1u,
                                 "pinning", self->run->pinning, "level", name, "value", scale / rates.median,
                                 "best", scale / rates.best, "spread", rates.spread, "clock", rates.clock,
                                 "unit", "ns", "bytes", (gint64)bytes, "method", method, "measured-at",
                                 g_get_real_time (), NULL));
  return TRUE;
}

gboolean
dyno_memory_ceilings_measure_latency (DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory)
{
  g_auto (Measuring) measuring = { NULL };

  if (!set_up (&measuring, run, levels, most_memory))
    return !g_cancellable_is_cancelled (run->cancellable);
  for (guint level = 0; level <= levels->n_caches; level++)
    {
      gsize bytes = choose_bytes (&measuring, level);

      if (level == levels->n_caches)
        bytes = MIN (bytes, LONGEST_CHASE);
      else if (level > 0)
        bytes = MIN (bytes, TIMES_BEFORE * levels->ends[level - 1]);
      if (bytes > 0 && !measure_latency (&measuring, level, bytes))
        return FALSE;
    }
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-machine-private.h"
#include "dyno-paths.h"
#include "dyno-system-file.h"
#include "dyno-system.h"

#define CPU_FOLDER "devices/system/cpu"

/* The longest line of a processor in procfs' stat. */
#define MAX_LINE 256

/* Enough to see the clock fall, unless the kernel asks each processor for it, which takes long each time; another program
 * delays some readings only. */
#define MAX_CLOCKS    4
#define MAX_CLOCKS_NS 500000
#define N_TRIALS      5

#define MHZ_PER_KHZ 1e-3

static int
open_file (DynoPathKind kind, const char *path)
{
  g_autofree char *file = dyno_paths_build (kind, path, NULL);

  return open (file, O_RDONLY | O_CLOEXEC);
}

static gboolean
is_watched (const DynoCoreWatch *self, int processor)
{
  for (guint i = 0; i < self->processors->len; i++)
    if (g_array_index (self->processors, int, i) == processor)
      return TRUE;
  return FALSE;
}

/* Returns the highest clock, in kHz, because a processor without work may be slow; 0 if unknown. */
static gint64
read_clock (const DynoCoreWatch *self)
{
  gint64 highest = 0;

  for (guint i = 0; i < self->clocks->len; i++)
    {
      char text[32];
      gssize length = pread (g_array_index (self->clocks, int, i), text, sizeof text - 1, 0);

      text[MAX (length, 0)] = '\0';
      highest = MAX (highest, g_ascii_strtoll (text, NULL, 10));
    }
  return highest;
}

static void
open_clocks (DynoCoreWatch *self)
{
  guint stride = MAX ((self->n_work + MAX_CLOCKS - 1) / MAX_CLOCKS, 1);

  for (guint i = 0; i < self->n_work; i += stride)
    {
      g_autofree char *path = g_strdup_printf (CPU_FOLDER "/cpu%d/cpufreq/scaling_cur_freq",
                                               g_array_index (self->processors, int, i));
      int clock = open_file (DYNO_PATH_SYSFS, path);

      if (clock >= 0)
        g_array_append_val (self->clocks, clock);
    }
  gint64 shortest = G_MAXINT64;

  for (guint i = 0; i < N_TRIALS && shortest > MAX_CLOCKS_NS; i++)
    {
      gint64 begin = dyno_clock_now_ns ();

      read_clock (self);
      shortest = MIN (shortest, dyno_clock_now_ns () - begin);
    }
  if (shortest > MAX_CLOCKS_NS)
    g_array_set_size (self->clocks, 0);
}

static void
close_clock (gpointer clock)
{
  close (*(int *)clock);
}

/* The kernel counts time without work exactly, but only samples the time with work. @unused: of each processor, how
 * long it worked for no program of this system, in ticks; -1 if unknown. */
static void
read_unused (DynoCoreWatch *self, gint64 *unused)
{
  gssize length = self->stat >= 0 ? pread (self->stat, self->text, self->text_size - 1, 0) : -1;

  self->text[MAX (length, 0)] = '\0';
  for (guint i = 0; i < self->processors->len; i++)
    unused[i] = -1;
  for (const char *line = strstr (self->text, "\ncpu"); line != NULL; line = strstr (line + 1, "\ncpu"))
    {
      char *rest;
      int processor = (int)g_ascii_strtoll (line + strlen ("\ncpu"), &rest, 10);
      DynoProcessorTicks ticks = { 0 };

      dyno_system_file_add_ticks (rest, &ticks);
      for (guint i = 0; i < self->processors->len; i++)
        if (g_array_index (self->processors, int, i) == processor)
          unused[i] = ticks.idle + ticks.stolen;
    }
}

DynoCoreWatch *
dyno_core_watch_new (void)
{
  DynoCoreWatch *self = g_new0 (DynoCoreWatch, 1);
  int last = 0;

  self->processors = dyno_system_list_processors ();
  self->n_work = self->processors->len;
  for (guint i = 0; i < self->n_work; i++)
    {
      int processor = g_array_index (self->processors, int, i);
      g_autofree char *path = g_strdup_printf (CPU_FOLDER "/cpu%d/topology/thread_siblings_list", processor);
      g_autoptr (DynoCpuSet) siblings = dyno_topology_read_set (path);

      for (int sibling = hwloc_bitmap_first (siblings); sibling >= 0;
           sibling = hwloc_bitmap_next (siblings, sibling))
        if (!is_watched (self, sibling))
          g_array_append_val (self->processors, sibling);
    }
  for (guint i = 0; i < self->processors->len; i++)
    last = MAX (last, g_array_index (self->processors, int, i));
  self->text_size = MAX_LINE * ((gsize)last + 2);
  self->text = g_malloc (self->text_size);
  self->before = g_new0 (gint64, self->processors->len);
  self->after = g_new0 (gint64, self->processors->len);
  self->stat = open_file (DYNO_PATH_PROCFS, "stat");
  self->clocks = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (self->clocks, close_clock);
  open_clocks (self);
  return self;
}

void
dyno_core_watch_free (DynoCoreWatch *self)
{
  if (self->stat >= 0)
    close (self->stat);
  g_array_unref (self->clocks);
  g_array_unref (self->processors);
  g_free (self->text);
  g_free (self->before);
  g_free (self->after);
  g_free (self);
}

void
dyno_core_watch_begin (DynoCoreWatch *self)
{
  read_unused (self, self->before);
  self->begin_ns = dyno_clock_now_ns ();
  self->begin_own_ns = dyno_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns how long a processor worked, in ns, less a tick, because the kernel counts whole ticks. */
static double
get_busy_ns (const DynoCoreWatch *self, guint i, gint64 elapsed_ns)
{
  double tick_ns = 1e9 / (double)sysconf (_SC_CLK_TCK);

  if (self->before[i] < 0 || self->after[i] < 0)
    return NAN;
  return (double)elapsed_ns - tick_ns * (double)(self->after[i] - self->before[i] + 1);
}

double
dyno_core_watch_judge (DynoCoreWatch *self, gint64 elapsed_ns, gint64 own_ns)
{
  double of_work = self->n_work > 0 ? 0 : NAN, share;

  for (guint i = 0; i < self->n_work; i++)
    of_work += get_busy_ns (self, i, elapsed_ns);
  if (isnan (of_work))
    return NAN;
  share = (of_work - (double)own_ns) / ((double)elapsed_ns * self->n_work);
  /* A container may hide the processors beside. */
  for (guint i = self->n_work; i < self->processors->len; i++)
    share = fmax (share, get_busy_ns (self, i, elapsed_ns) / (double)elapsed_ns);
  return 100 * CLAMP (share, 0, 1);
}

double
dyno_core_watch_end (DynoCoreWatch *self)
{
  gint64 elapsed;

  read_unused (self, self->after);
  elapsed = MAX (dyno_clock_now_ns () - self->begin_ns, 1);
  return dyno_core_watch_judge (self, elapsed,
                                dyno_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID) - self->begin_own_ns);
}

double
dyno_core_watch_read_clock (DynoCoreWatch *self)
{
  gint64 clock = read_clock (self);

  return clock > 0 ? (double)clock * MHZ_PER_KHZ : NAN;
}

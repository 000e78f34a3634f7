/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-memory-sampler.h"
#include "dyno-paths.h"
#include "dyno-pinning.h"

/* A minute of readings at the usual period; a longer case grows the trace, outside the timed region's core. */
#define RESERVED_POINTS 6000

struct _DynoMemorySampler
{
  GThread *thread;
  GMutex mutex;
  GCond woken;
  gboolean stopping;
  guint period_ms;
  int statm;
  DynoTrace *trace;
};

static int
open_process_file (const char *name, int flags)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", name, NULL);

  return open (path, flags | O_CLOEXEC);
}

static gint64
read_resident (int statm)
{
  char text[128];
  gssize length = pread (statm, text, sizeof text - 1, 0);
  const char *second;

  if (length <= 0)
    return -1;
  text[length] = '\0';
  second = strchr (text, ' ');
  return second != NULL ? g_ascii_strtoll (second, NULL, 10) * sysconf (_SC_PAGESIZE) : -1;
}

static void
add_reading (DynoMemorySampler *self)
{
  gint64 bytes = read_resident (self->statm);

  if (bytes >= 0)
    dyno_trace_add (self->trace, dyno_clock_now_ns () - dyno_trace_get_origin (self->trace),
                    (double)bytes / 1e6);
}

static gpointer
sample (gpointer data)
{
  DynoMemorySampler *self = data;
  gint64 deadline = g_get_monotonic_time ();

  dyno_pinning_bind_sampler (NULL); /* sharing a core is worse, but no reason not to sample */
  g_mutex_lock (&self->mutex);
  while (!self->stopping)
    {
      add_reading (self);
      /* Readings that were missed are not made up for: many at once would weigh one moment too much. */
      deadline = MAX (deadline + self->period_ms * G_TIME_SPAN_MILLISECOND, g_get_monotonic_time ());
      while (!self->stopping && g_cond_wait_until (&self->woken, &self->mutex, deadline))
        continue;
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/**
 * dyno_memory_sampler_new:
 * @period_milliseconds: time from one reading to the next
 * @origin_ns: the clock's time that the trace calls zero
 *
 * Returns: (transfer full) (nullable): a sampler at work; %NULL where the process cannot read its own memory
 */
DynoMemorySampler *
dyno_memory_sampler_new (guint period_milliseconds, gint64 origin_ns)
{
  int statm = open_process_file ("statm", O_RDONLY);
  DynoMemorySampler *self;

  g_return_val_if_fail (period_milliseconds > 0, NULL);

  if (statm < 0)
    return NULL;
  self = g_new0 (DynoMemorySampler, 1);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->woken);
  self->period_ms = period_milliseconds;
  self->statm = statm;
  self->trace = dyno_trace_new ("memory_rss", "MB", origin_ns);
  dyno_trace_reserve (self->trace, RESERVED_POINTS);
  self->thread = g_thread_new ("memory-sampler", sample, self);
  return self;
}

/**
 * dyno_memory_sampler_stop:
 * @self: a sampler
 *
 * Takes a last reading and ends the thread.
 */
void
dyno_memory_sampler_stop (DynoMemorySampler *self)
{
  if (self->thread == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->stopping = TRUE;
  g_cond_signal (&self->woken);
  g_mutex_unlock (&self->mutex);
  g_thread_join (g_steal_pointer (&self->thread));
  add_reading (self);
}

/**
 * dyno_memory_sampler_steal_trace:
 * @self: a sampler that was stopped
 *
 * Returns: (transfer full): what it read, in MB
 */
DynoTrace *
dyno_memory_sampler_steal_trace (DynoMemorySampler *self)
{
  g_return_val_if_fail (self->thread == NULL, NULL);
  return g_steal_pointer (&self->trace);
}

void
dyno_memory_sampler_free (DynoMemorySampler *self)
{
  if (self == NULL)
    return;
  dyno_memory_sampler_stop (self);
  close (self->statm);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->woken);
  g_clear_object (&self->trace);
  g_free (self);
}

/**
 * dyno_memory_read_peak:
 *
 * Returns: the process's highest resident set since the start or [func@Dyno.memory_reset_peak], in bytes; -1
 *   where it cannot be read
 */
gint64
dyno_memory_read_peak (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", "status", NULL);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  line = strstr (text, "VmHWM:");
  return line != NULL ? g_ascii_strtoll (line + strlen ("VmHWM:"), NULL, 10) * 1024 : -1;
}

/**
 * dyno_memory_reset_peak:
 *
 * Lets the kernel forget the highest resident set, so that building the model does not count as running it.
 *
 * Returns: whether it did
 */
gboolean
dyno_memory_reset_peak (void)
{
  int clear_refs = open_process_file ("clear_refs", O_WRONLY);
  gboolean done;

  if (clear_refs < 0)
    return FALSE;
  done = write (clear_refs, "5", 1) == 1;
  close (clear_refs);
  return done;
}

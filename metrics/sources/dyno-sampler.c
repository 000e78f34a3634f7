/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-pinning.h"

/* A minute of readings at the shortest usual period; a longer case grows the trace, on the sampler's own core. */
#define RESERVED_POINTS 6000

/* A channel that may rest reads up to this many powers of two times less often. */
#define MOST_RESTS 3

/* The kernel counts processor time in steps of a hundredth of a second. */
#define RATE_NS (G_GINT64_CONSTANT (500) * 1000 * 1000)

/* A smaller change counts as none, as a share of the reading. */
#define SAME 1e-3

/* The largest share of the thread's time for one sensor; a slow one is read less often. */
#define MAX_SHARE 0.01

typedef struct
{
  DynoSensor *sensor;
  DynoTrace *trace;
  gint64 asked_us;
  gint64 cost_ns;
  gint64 due_us;
  gboolean may_rest;
  double last;
  guint n_same; /* readings that did not differ from the one before */
} Channel;

struct _DynoSampler
{
  gint64 origin_ns;
  GPtrArray *channels;
  GThread *thread;
  GMutex mutex;
  GCond woken;
  gboolean stopping;
  gint64 busy_ns;
  gint64 wall_ns;
};

static void
channel_free (gpointer data)
{
  Channel *self = data;

  g_object_unref (self->sensor);
  g_object_unref (self->trace);
  g_free (self);
}

/* A failed reading leaves a gap, never a zero. */
static void
channel_read (Channel *self, gint64 origin_ns)
{
  gint64 before = dyno_clock_now_ns ();
  gint64 time_ns;
  double value;

  if (dyno_sensor_read (self->sensor, &time_ns, &value))
    {
      dyno_trace_add (self->trace, time_ns - origin_ns, value);
      self->n_same = fabs (value - self->last) <= SAME * fabs (value) ? self->n_same + 1 : 0;
      self->last = value;
    }
  self->cost_ns = MIN (self->cost_ns, dyno_clock_now_ns () - before);
}

/* Missed readings are not repeated, because many at once would give one moment too much weight. */
static gint64
read_due (DynoSampler *self)
{
  gint64 next_us = G_MAXINT64;

  for (guint i = 0; i < self->channels->len; i++)
    {
      Channel *channel = g_ptr_array_index (self->channels, i);
      gint64 now_us = g_get_monotonic_time ();

      if (channel->due_us <= now_us)
        {
          channel_read (channel, self->origin_ns);
          channel->due_us += dyno_sampler_choose_period (channel->asked_us, channel->cost_ns,
                                                         channel->may_rest ? channel->n_same : 0);
          channel->due_us = MAX (channel->due_us, now_us);
        }
      next_us = MIN (next_us, channel->due_us);
    }
  return next_us;
}

static gpointer
sample (gpointer data)
{
  DynoSampler *self = data;
  gint64 busy_before, wall_before;

  dyno_pinning_bind_sampler (NULL); /* sharing a core is worse, but no reason not to sample */
  busy_before = dyno_clock_read_ns (CLOCK_THREAD_CPUTIME_ID);
  wall_before = dyno_clock_now_ns ();
  g_mutex_lock (&self->mutex);
  while (!self->stopping)
    {
      gint64 next_us = read_due (self);

      while (!self->stopping && g_cond_wait_until (&self->woken, &self->mutex, next_us))
        continue;
    }
  g_mutex_unlock (&self->mutex);
  self->busy_ns = dyno_clock_read_ns (CLOCK_THREAD_CPUTIME_ID) - busy_before;
  self->wall_ns = dyno_clock_now_ns () - wall_before;
  return NULL;
}

DynoSampler *
dyno_sampler_new (gint64 origin_ns)
{
  DynoSampler *self = g_new0 (DynoSampler, 1);

  self->origin_ns = origin_ns;
  self->channels = g_ptr_array_new_with_free_func (channel_free);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->woken);
  return self;
}

void
dyno_sampler_free (DynoSampler *self)
{
  if (self == NULL)
    return;
  dyno_sampler_stop (self);
  g_ptr_array_unref (self->channels);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->woken);
  g_free (self);
}

DynoTrace *
dyno_sampler_add (DynoSampler *self, DynoSensor *sensor, const char *trace_name, guint period_milliseconds)
{
  Channel *channel;

  g_return_val_if_fail (self->thread == NULL, NULL);
  g_return_val_if_fail (period_milliseconds > 0, NULL);

  channel = g_new0 (Channel, 1);
  channel->sensor = g_object_ref (sensor);
  channel->trace = dyno_trace_new (trace_name, dyno_sensor_kind_to_unit (dyno_sensor_get_info (sensor)->kind),
                                   self->origin_ns);
  channel->asked_us = (gint64)period_milliseconds * G_TIME_SPAN_MILLISECOND;
  channel->cost_ns = G_MAXINT64;
  channel->last = NAN;
  dyno_trace_reserve (channel->trace, RESERVED_POINTS);
  g_ptr_array_add (self->channels, channel);
  return g_object_ref (channel->trace);
}

void
dyno_sampler_set_may_rest (DynoSampler *self, DynoTrace *trace, gboolean may_rest)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->channels->len; i++)
    {
      Channel *channel = g_ptr_array_index (self->channels, i);

      if (channel->trace == trace)
        channel->may_rest = may_rest;
    }
  g_mutex_unlock (&self->mutex);
}

void
dyno_sampler_start (DynoSampler *self)
{
  g_return_if_fail (self->thread == NULL);

  if (self->channels->len > 0 && !self->stopping)
    self->thread = g_thread_new ("sampler", sample, self);
}

void
dyno_sampler_mark_edge (DynoSampler *self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->channels->len; i++)
    {
      Channel *channel = g_ptr_array_index (self->channels, i);
      DynoSensorKind kind = dyno_sensor_get_info (channel->sensor)->kind;

      if (dyno_sensor_kind_to_rate_unit (kind) != NULL || kind == DYNO_SENSOR_POWER || channel->may_rest)
        channel_read (channel, self->origin_ns);
    }
  g_mutex_unlock (&self->mutex);
}

void
dyno_sampler_stop (DynoSampler *self)
{
  if (self->thread == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->stopping = TRUE;
  g_cond_signal (&self->woken);
  g_mutex_unlock (&self->mutex);
  g_thread_join (g_steal_pointer (&self->thread));
  for (guint i = 0; i < self->channels->len; i++)
    channel_read (g_ptr_array_index (self->channels, i), self->origin_ns);
}

/* The rate is that over the last readings that are far enough apart. */
void
dyno_sampler_list_usage (DynoSampler *self, GPtrArray *names, GArray *percents)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; !self->stopping && i < self->channels->len; i++)
    {
      Channel *channel = g_ptr_array_index (self->channels, i);
      const DynoSensorInfo *info = dyno_sensor_get_info (channel->sensor);
      const gint64 *times = dyno_trace_get_times (channel->trace);
      const double *values = dyno_trace_get_values (channel->trace);
      gsize n = dyno_trace_get_length (channel->trace);
      gsize before = n;

      if (info->kind != DYNO_SENSOR_BUSY || info->of_process || info->facet != NULL)
        continue;
      while (before > 0 && times[n - 1] - times[before - 1] < RATE_NS)
        before--;
      if (before == 0)
        continue;

      double seconds = (double)(times[n - 1] - times[before - 1]) / 1e9;
      double percent = (values[n - 1] - values[before - 1]) / seconds;

      g_ptr_array_add (names, (gpointer)info->name);
      g_array_append_val (percents, percent);
    }
  g_mutex_unlock (&self->mutex);
}

double
dyno_sampler_get_load_percent (DynoSampler *self)
{
  return self->wall_ns > 0 ? 100.0 * (double)self->busy_ns / (double)self->wall_ns : 0;
}

gint64
dyno_sampler_choose_period (gint64 asked_us, gint64 cost_ns, guint n_same)
{
  return MAX (asked_us << MIN (n_same, MOST_RESTS), (gint64)((double)cost_ns / 1e3 / MAX_SHARE));
}

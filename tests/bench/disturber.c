/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sched.h>

#include "disturber.h"
#include "dyno-random.h"

#define SHORTEST_US 50000
#define LONGEST_US  1500000
#define SEED        11

struct _Disturber
{
  gboolean disturbs;
  GPtrArray *threads;
};

static gpointer
disturb (gpointer data)
{
  Disturber *self = data;
  DynoRandom random;

  /* All threads have the same seed, so that all processors are busy at the same time. */
  dyno_random_init (&random, SEED);
  while (g_atomic_int_get (&self->disturbs))
    {
      gint64 busy = SHORTEST_US + dyno_random_below (&random, LONGEST_US - SHORTEST_US);
      gint64 quiet = SHORTEST_US + dyno_random_below (&random, LONGEST_US - SHORTEST_US);
      gint64 until = g_get_monotonic_time () + busy;

      while (g_get_monotonic_time () < until && g_atomic_int_get (&self->disturbs))
        ;
      g_usleep ((gulong)quiet); /* nocheck:call the other work of a machine waits for nobody */
    }
  return NULL;
}

/* Each thread stays on its processor, because the work that it disturbs stays on its own. */
Disturber *
disturber_start (void)
{
  Disturber *self = g_new0 (Disturber, 1);
  cpu_set_t all, one;

  self->disturbs = TRUE;
  self->threads = g_ptr_array_new ();
  sched_getaffinity (0, sizeof all, &all);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &all))
      {
        CPU_ZERO (&one);
        CPU_SET (cpu, &one);
        sched_setaffinity (0, sizeof one, &one); /* a thread inherits it */
        g_ptr_array_add (self->threads, g_thread_new ("disturber", disturb, self));
      }
  sched_setaffinity (0, sizeof all, &all);
  return self;
}

void
disturber_stop (Disturber *self)
{
  g_atomic_int_set (&self->disturbs, FALSE);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  g_ptr_array_unref (self->threads);
  g_free (self);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-task.h"

struct _DynoTimeLimit
{
  GMutex mutex; /* of the three below */
  GCond changed;
  gint64 end;
  gboolean is_over;
  gboolean is_freed;

  GCancellable *cancellable;
  GCancellable *outer;
  gulong handler;
  GThread *thread;
};

static gpointer
watch (gpointer data)
{
  DynoTimeLimit *self = data;
  gboolean is_over;

  g_mutex_lock (&self->mutex);
  /* Time in which this process was suspended does not count. */
  while (!self->is_freed && g_get_monotonic_time () < self->end)
    {
      gint64 next = MIN (self->end, g_get_monotonic_time () + G_USEC_PER_SEC);

      if (!g_cond_wait_until (&self->changed, &self->mutex, next))
        self->end += g_get_monotonic_time () - next;
    }
  is_over = self->is_over = !self->is_freed;
  g_mutex_unlock (&self->mutex);
  if (is_over)
    g_cancellable_cancel (self->cancellable);
  return NULL;
}

static void
cancelled_cb (GCancellable *outer, gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

DynoTimeLimit *
dyno_time_limit_new (guint seconds, GCancellable *outer)
{
  DynoTimeLimit *self = g_new0 (DynoTimeLimit, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->end = g_get_monotonic_time () + (gint64)seconds * G_USEC_PER_SEC;
  self->cancellable = g_cancellable_new ();
  if (outer != NULL)
    {
      self->outer = g_object_ref (outer);
      self->handler = g_cancellable_connect (outer, G_CALLBACK (cancelled_cb), self->cancellable, NULL);
    }
  self->thread = g_thread_new ("time-limit", watch, self);
  return self;
}

GCancellable *
dyno_time_limit_get_cancellable (DynoTimeLimit *self)
{
  return self->cancellable;
}

void
dyno_time_limit_extend (DynoTimeLimit *self, guint seconds)
{
  g_mutex_lock (&self->mutex);
  self->end += (gint64)seconds * G_USEC_PER_SEC;
  g_mutex_unlock (&self->mutex);
}

gboolean
dyno_time_limit_is_over (DynoTimeLimit *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->is_over;
}

void
dyno_time_limit_free (DynoTimeLimit *self)
{
  g_mutex_lock (&self->mutex);
  self->is_freed = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  g_cancellable_disconnect (self->outer, self->handler);
  g_clear_object (&self->outer);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>

#include "dyno-store-private.h"

/* How often a lock is tried that somebody else holds. */
#define RETRY_USEC (20 * 1000)

struct _DynoStoreLock
{
  int fd;
};

DynoStoreLock *
dyno_store_lock_new (const char *path)
{
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  DynoStoreLock *self = g_new (DynoStoreLock, 1);

  self->fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  return self;
}

static void
take (DynoStoreLock *self, int operation)
{
  int code;

  if (self->fd < 0)
    return;
  do
    code = flock (self->fd, operation);
  while (code != 0 && errno == EINTR);
}

/* Waits until the lock is no longer held exclusively. */
void
dyno_store_lock_share (DynoStoreLock *self)
{
  take (self, LOCK_SH);
}

/* Waits until the lock is no longer shared; a shared lock of our own is released meanwhile. */
void
dyno_store_lock_exclude (DynoStoreLock *self)
{
  take (self, LOCK_EX);
}

gboolean
dyno_store_lock_exclude_within (DynoStoreLock *self, guint seconds)
{
  gint64 end = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;

  while (self->fd >= 0 && flock (self->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
      if (g_get_monotonic_time () > end)
        return FALSE;
      g_usleep (RETRY_USEC);
    }
  return TRUE;
}

void
dyno_store_lock_free (DynoStoreLock *self)
{
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  g_free (self);
}

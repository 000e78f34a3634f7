/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>

#include "dyno-store-private.h"

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

void
dyno_store_lock_free (DynoStoreLock *self)
{
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  g_free (self);
}

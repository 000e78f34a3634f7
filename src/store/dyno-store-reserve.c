/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-store-private.h"

/* Deleting needs disk space, too: for the write-ahead log and its index. */
#define RESERVE_SIZE (1024 * 1024)

static char *
dup_path (const char *store_path)
{
  return g_strconcat (store_path, ".reserve", NULL);
}

void
dyno_store_reserve_make (const char *store_path)
{
  g_autofree char *path = dup_path (store_path);
  int fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd < 0)
    return;
  if (posix_fallocate (fd, 0, RESERVE_SIZE) != 0)
    g_unlink (path);
  close (fd);
}

gboolean
dyno_store_reserve_release (const char *store_path)
{
  g_autofree char *path = dup_path (store_path);

  return g_unlink (path) == 0;
}

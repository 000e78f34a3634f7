/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-store-private.h"

/* The number of SQLite's virtual-machine steps between two checks of the cancellable: well below a
 * millisecond. */
#define STEPS_BETWEEN_LOOKS 10000

/* Each connection keeps megabytes of pages, and rarely more of them are needed at a time. */
#define MAX_IDLE 3

struct _DynoStorePool
{
  GAsyncQueue *idle;
  char *path;
  DynoStoreMode mode;
  guint busy_timeout;

  GMutex mutex;
  GStatBuf file;    /* the file that the connections are open on */
  guint generation; /* grows when another file takes its place */
};

static void
close_connection (gpointer db)
{
  sqlite3_close_v2 (db);
}

DynoStorePool *
dyno_store_pool_new (sqlite3 *first, const char *path, DynoStoreMode mode, guint busy_timeout)
{
  DynoStorePool *self = g_new0 (DynoStorePool, 1);

  self->idle = g_async_queue_new_full (close_connection);
  self->path = g_strdup (path);
  self->mode = mode;
  self->busy_timeout = busy_timeout;
  g_mutex_init (&self->mutex);
  if (g_stat (path, &self->file) != 0)
    memset (&self->file, 0, sizeof self->file);
  g_async_queue_push (self->idle, first);
  return self;
}

void
dyno_store_pool_free (DynoStorePool *self)
{
  g_async_queue_unref (self->idle);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

static int
look_at_cancellable (gpointer cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

/* If another process recovered the store, it put a new file in its place: writes to the old one would be
 * lost. */
static guint
follow_file (DynoStorePool *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GStatBuf now;
  sqlite3 *db;

  if (self->mode != DYNO_STORE_READ_WRITE || g_stat (self->path, &now) != 0 ||
      (now.st_ino == self->file.st_ino && now.st_dev == self->file.st_dev))
    return self->generation;
  self->file = now;
  while ((db = g_async_queue_try_pop (self->idle)) != NULL)
    close_connection (db);
  return ++self->generation;
}

DynoStoreLease *
dyno_store_pool_take (DynoStorePool *self, GCancellable *cancellable, GError **error)
{
  DynoStoreLease *lease;
  guint generation;
  sqlite3 *db;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  generation = follow_file (self);
  if (self->mode == DYNO_STORE_UNTRUSTED)
    db = g_async_queue_pop (self->idle);
  else
    db = g_async_queue_try_pop (self->idle);
  if (db == NULL)
    db = dyno_store_connection_open (self->path, self->mode, self->busy_timeout, error);
  if (db == NULL)
    return NULL;

  if (cancellable != NULL)
    sqlite3_progress_handler (db, STEPS_BETWEEN_LOOKS, look_at_cancellable, cancellable);
  lease = g_new (DynoStoreLease, 1);
  *lease = (DynoStoreLease){ .db = db, .pool = self, .generation = generation };
  return lease;
}

void
dyno_store_pool_give_back (DynoStoreLease *lease)
{
  sqlite3_progress_handler (lease->db, 0, NULL, NULL);
  if (lease->generation == follow_file (lease->pool) && g_async_queue_length (lease->pool->idle) < MAX_IDLE)
    g_async_queue_push_front (lease->pool->idle, lease->db);
  else
    close_connection (lease->db);
  g_free (lease);
}

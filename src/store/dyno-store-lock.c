/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>

#include "dyno-error.h"
#include "dyno-process-family.h"
#include "dyno-store-private.h"
#include "dyno-system-file.h"

/* How often a lock is tried that somebody else holds. */
#define RETRY_USEC (20 * 1000)

/* The fields of a line of `locks`; that of a process that waits has an arrow before the kind. */
#define FIELD_KIND  1
#define FIELD_PID   4
#define FIELD_INODE 5

struct _DynoStoreLock
{
  int fd;
  char *path; /* of the file that it protects */
};

DynoStoreLock *
dyno_store_lock_new (const char *path)
{
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  DynoStoreLock *self = g_new (DynoStoreLock, 1);

  self->fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  self->path = g_strdup (path);
  return self;
}

/* Returns the process that holds the lock; 0 if that cannot be seen, as from within a sandbox. It must have the file open,
 * because inodes of other file systems have the same numbers. */
static GPid
find_holder (DynoStoreLock *self)
{
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "locks");
  g_auto (GStrv) lines = g_regex_split_simple ("\n", text != NULL ? text : "", 0, 0);
  GStatBuf file, other;

  for (char **line = lines; fstat (self->fd, &file) == 0 && *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_regex_split_simple (" +", *line, 0, 0);
      g_autofree char *suffix = g_strdup_printf (":%" G_GUINT64_FORMAT, (guint64)file.st_ino);
      g_autofree char *folder = NULL;
      g_auto (GStrv) descriptors = NULL;

      if (g_strv_length (fields) <= FIELD_INODE || !g_str_equal (fields[FIELD_KIND], "FLOCK") ||
          !g_str_has_suffix (fields[FIELD_INODE], suffix))
        continue;
      folder = g_build_filename (fields[FIELD_PID], "fd", NULL);
      descriptors = dyno_system_file_list (DYNO_PATH_PROCFS, folder);
      for (char **descriptor = descriptors; *descriptor != NULL; descriptor++)
        {
          g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, folder, *descriptor, NULL);

          if (g_stat (path, &other) == 0 && other.st_ino == file.st_ino && other.st_dev == file.st_dev)
            return (GPid)g_ascii_strtoll (fields[FIELD_PID], NULL, 10);
        }
    }
  return 0;
}

/* One that is suspended keeps the lock for ever, so it is not waited for any longer than @milliseconds. */
static gboolean
take (DynoStoreLock *self, int operation, guint milliseconds, guint n_waits, GError **error)
{
  gint64 end = g_get_monotonic_time () + milliseconds * G_TIME_SPAN_MILLISECOND;
  g_autofree char *path = g_filename_display_name (self->path);
  gboolean is_suspended = FALSE;
  GPid holder = 0;

  while (self->fd >= 0 && flock (self->fd, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
      g_usleep (RETRY_USEC);
      if (g_get_monotonic_time () <= end)
        continue;
      holder = find_holder (self);
      is_suspended = holder != 0 && dyno_process_family_is_suspended (holder);
      end += milliseconds * G_TIME_SPAN_MILLISECOND;
      n_waits = holder == 0 || is_suspended || n_waits == 0 ? 0 : n_waits - 1;
      if (n_waits > 0)
        continue;
      if (is_suspended)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED,
                     /* Translators: the number of a process, the path of a file, and the number again */
                     _ ("Process %d is working on “%s”, but it is suspended. Continue it with “kill -CONT "
                        "%d”, or end it; then try again."),
                     holder, path, holder);
      else if (holder != 0)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED,
                     /* Translators: the number of a process, and the path of a file */
                     _ ("Process %d is still working on “%s”. Wait until it is done, or end it; then try "
                        "again."),
                     holder, path);
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED,
                     /* Translators: the path of a file */
                     _ ("Another process of Dyno is working on “%s” and does not finish. Continue that "
                        "process if it is suspended, or end it; then try again."),
                     path);
      return FALSE;
    }
  return TRUE;
}

gboolean
dyno_store_lock_share (DynoStoreLock *self, guint milliseconds, guint n_waits, GError **error)
{
  return take (self, LOCK_SH, milliseconds, n_waits, error);
}

gboolean
dyno_store_lock_exclude (DynoStoreLock *self, guint milliseconds, guint n_waits, GError **error)
{
  return take (self, LOCK_EX, milliseconds, n_waits, error);
}

void
dyno_store_lock_free (DynoStoreLock *self)
{
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  g_free (self->path);
  g_free (self);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-file.h"

/* The same limit as in Linux. */
#define MAX_LINKS 40

static gboolean
fail (GError **error, int code)
{
  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
  return FALSE;
}

static gboolean
is_open_as (int fd, const struct stat *info)
{
  struct stat own;

  return fstat (fd, &own) == 0 && own.st_dev == info->st_dev && own.st_ino == info->st_ino;
}

/* Returns the end of a chain of links, whether or not that file exists. */
static char *
follow_links (const char *path)
{
  char *target = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *link = g_file_read_link (target, NULL);
      g_autofree char *folder = g_path_get_dirname (target);

      if (link == NULL)
        break;
      g_free (target);
      target = g_path_is_absolute (link) ? g_steal_pointer (&link) : g_build_filename (folder, link, NULL);
    }
  return target;
}

gboolean
dyno_output_file_find (DynoOutputFile *self, const char *path, GError **error)
{
  struct stat info;

  *self = (DynoOutputFile){ NULL };
  if (stat (path, &info) != 0)
    {
      if (errno != ENOENT)
        return fail (error, errno);
      self->path = follow_links (path);

      g_autofree char *folder = g_path_get_dirname (self->path);

      return access (folder, W_OK | X_OK) == 0 || fail (error, errno);
    }
  if (S_ISDIR (info.st_mode))
    return fail (error, EISDIR);
  /* Applies the permissions even to the superuser. */
  if ((info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access (path, W_OK) != 0)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_ACCES, _ ("it is write-protected"));
      return FALSE;
    }
  if (S_ISBLK (info.st_mode))
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("it is a disk"));
      return FALSE;
    }
  self->mode = info.st_mode & 0777;
  /* “/dev/stdout” may be a regular file, to which others append. */
  self->is_stream =
      !S_ISREG (info.st_mode) || is_open_as (STDOUT_FILENO, &info) || is_open_as (STDERR_FILENO, &info);
  self->path = self->is_stream ? g_strdup (path) : follow_links (path);
  return TRUE;
}

void
dyno_output_file_clear (DynoOutputFile *self)
{
  g_clear_pointer (&self->path, g_free);
}

char *
dyno_output_file_dup_folder (const DynoOutputFile *self)
{
  return self->is_stream ? g_strdup (g_get_tmp_dir ()) : g_path_get_dirname (self->path);
}

char *
dyno_output_file_make_temporary (const DynoOutputFile *self, GError **error)
{
  g_autofree char *folder = dyno_output_file_dup_folder (self);
  g_autofree char *path = g_build_filename (folder, ".dyno-XXXXXX", NULL);
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0666);

  if (fd < 0)
    {
      fail (error, errno);
      return NULL;
    }
  close (fd);
  return g_steal_pointer (&path);
}

static int
open_stream (const DynoOutputFile *self)
{
  struct stat info;

  fflush (stdout);
  if (stat (self->path, &info) == 0 && is_open_as (STDOUT_FILENO, &info))
    return dup (STDOUT_FILENO);
  if (stat (self->path, &info) == 0 && is_open_as (STDERR_FILENO, &info))
    return dup (STDERR_FILENO);
  return open (self->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

gboolean
dyno_output_file_put (const DynoOutputFile *self, const char *made, GError **error)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFileInputStream) source = NULL;
  g_autoptr (GOutputStream) target = NULL;
  int fd;

  if (!self->is_stream)
    {
      if (self->mode != 0 && g_chmod (made, self->mode) != 0)
        return fail (error, errno);
      return g_rename (made, self->path) == 0 || fail (error, errno);
    }
  file = g_file_new_for_path (made);
  source = g_file_read (file, NULL, error);
  fd = source != NULL ? open_stream (self) : -1;
  if (fd < 0)
    return source != NULL ? fail (error, errno) : FALSE;
  target = g_unix_output_stream_new (fd, TRUE);
  return g_output_stream_splice (target, G_INPUT_STREAM (source),
                                 G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                 NULL, error) >= 0 &&
         g_unlink (made) == 0;
}

/* Pipes and terminals cannot be synchronised. */
static gboolean
write_all (int fd, GBytes *bytes, GError **error)
{
  g_autoptr (GOutputStream) stream = g_unix_output_stream_new (fd, TRUE);
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  return g_output_stream_write_all (stream, data, size, NULL, NULL, error) &&
         (fsync (fd) == 0 || errno == EINVAL || errno == EROFS || fail (error, errno)) &&
         g_output_stream_close (stream, NULL, error);
}

gboolean
dyno_output_file_write (const char *path, GBytes *bytes, GError **error)
{
  g_auto (DynoOutputFile) self = { NULL };
  int fd;

  if (!dyno_output_file_find (&self, path, error))
    return FALSE;
  if (!self.is_stream)
    {
      /* Keeps the old file until the new one is on the disk. */
      g_autofree char *made = dyno_output_file_make_temporary (&self, error);

      if (made == NULL)
        return FALSE;
      fd = open (made, O_WRONLY | O_CLOEXEC);
      if (fd < 0 ? fail (error, errno)
                 : write_all (fd, bytes, error) && dyno_output_file_put (&self, made, error))
        return TRUE;
      g_unlink (made);
      return FALSE;
    }
  fd = open_stream (&self);
  return fd < 0 ? fail (error, errno) : write_all (fd, bytes, error);
}

gboolean
dyno_output_file_save (GFile *file, GBytes *bytes, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (file);
  g_autofree char *name = g_file_get_parse_name (file);
  g_autoptr (GError) local_error = NULL;

  if (path != NULL
          ? dyno_output_file_write (path, bytes, &local_error)
          : g_file_replace_contents (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL,
                                     FALSE, G_FILE_CREATE_NONE, NULL, cancellable, &local_error))
    return TRUE;
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” cannot be written: %s. Choose another file."),
                 name, local_error->message);
  return FALSE;
}

static void
save_thread (GTask *task, gpointer file, gpointer bytes, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (dyno_output_file_save (file, bytes, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
dyno_output_file_save_async (
    GFile *file, GBytes *bytes, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);

  g_task_set_source_tag (task, dyno_output_file_save_async);
  g_task_set_task_data (task, g_bytes_ref (bytes), (GDestroyNotify)g_bytes_unref);
  g_task_run_in_thread (task, save_thread);
}

gboolean
dyno_output_file_save_finish (GFile *file, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, file), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-file.h"

#define PIECE_SIZE (64 * 1024)

GBytes *
dyno_file_read_stream (GInputStream *stream, gsize max_size, GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize n_read = PIECE_SIZE;

  while (n_read == PIECE_SIZE && bytes->len <= max_size)
    {
      guint length = bytes->len;

      g_byte_array_set_size (bytes, length + PIECE_SIZE);
      if (!g_input_stream_read_all (stream, bytes->data + length, PIECE_SIZE, &n_read, cancellable, error))
        return NULL;
      g_byte_array_set_size (bytes, length + (guint)n_read);
    }
  if (bytes->len <= max_size)
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("it is larger than %zu MB"), max_size / 1000000);
  return NULL;
}

GBytes *
dyno_file_read (const char *path, gsize max_size, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  g_autoptr (GInputStream) stream = NULL;
  struct stat info;

  if (fd < 0)
    {
      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  stream = g_unix_input_stream_new (fd, TRUE);
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
    return dyno_file_read_stream (stream, max_size, NULL, error);
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("it is not a regular file"));
  return NULL;
}

gboolean
dyno_file_has_magic (const char *path, gsize offset, const char *magic)
{
  gsize size = strlen (magic);
  g_autofree char *found = g_malloc0 (size);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gboolean has_magic =
      fd >= 0 && pread (fd, found, size, (off_t)offset) == (gssize)size && memcmp (found, magic, size) == 0;

  if (fd >= 0)
    close (fd);
  return has_magic;
}

GBytes *
dyno_file_load (GFile *file, gsize max_size, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GFileInputStream) stream = NULL;

  if (path != NULL)
    return dyno_file_read (path, max_size, error);
  stream = g_file_read (file, cancellable, error);
  return stream != NULL ? dyno_file_read_stream (G_INPUT_STREAM (stream), max_size, cancellable, error)
                        : NULL;
}

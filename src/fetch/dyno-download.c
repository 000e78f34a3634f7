/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-fetch-private.h"

#define PIECE_SIZE   (256 * 1024)
#define MAX_ATTEMPTS 5

/* A file during its download, with its size so far and the hash of that part. */
typedef struct
{
  DynoHttp *http;
  const DynoDownload *what;
  const char *path;
  DynoDownloadBytesFunc count;
  gpointer user_data;
  GCancellable *cancellable;
  int fd;
  guint64 size;
  GChecksum *checksum;
  DynoPace pace;
} Transfer;

static void
set_write_error (const Transfer *self, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("“%s” cannot be written: %s. Check its folder and the room on its disk."), self->path,
               g_strerror (errno));
}

static void
start_checksum (Transfer *self)
{
  g_clear_pointer (&self->checksum, g_checksum_free);
  self->checksum = g_checksum_new (self->what->algorithm);
  if (self->what->prefix != NULL)
    g_checksum_update (self->checksum, (const guchar *)self->what->prefix, (gssize)self->what->prefix_size);
  self->size = 0;
}

static void
take (Transfer *self, const guchar *bytes, gsize n_bytes)
{
  g_checksum_update (self->checksum, bytes, (gssize)n_bytes);
  self->size += n_bytes;
  self->count ((gint64)n_bytes, self->user_data);
}

/* Bytes of an earlier attempt are not downloaded again; they are hashed with the rest. */
static gboolean
take_up (Transfer *self, GError **error)
{
  g_autofree guchar *piece = g_malloc (PIECE_SIZE);
  ssize_t n_read;

  start_checksum (self);
  while (self->size < self->what->size && (n_read = read (self->fd, piece, PIECE_SIZE)) > 0)
    {
      take (self, piece, (gsize)n_read);
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_piece (Transfer *self, const guchar *bytes, gsize n_bytes, GError **error)
{
  for (gsize n_written = 0; n_written < n_bytes;)
    {
      ssize_t n = write (self->fd, bytes + n_written, n_bytes - n_written);

      if (n < 0 && errno != EINTR)
        {
          set_write_error (self, error);
          return FALSE;
        }
      n_written += n > 0 ? (gsize)n : 0;
    }
  take (self, bytes, n_bytes);
  return TRUE;
}

/* The pace is kept over all attempts: otherwise a server could close each connection after one byte. */
static gboolean
copy (Transfer *self, GInputStream *stream, GError **error)
{
  g_autofree guchar *piece = g_malloc (PIECE_SIZE);
  gssize n_read = 1;

  while (n_read > 0 && self->size <= self->what->size)
    {
      n_read = g_input_stream_read (stream, piece, PIECE_SIZE, self->cancellable, error);
      if (n_read < 0 || (n_read > 0 && !write_piece (self, piece, (gsize)n_read, error)))
        return FALSE;
      if (!dyno_pace_take (&self->pace, (gsize)n_read, g_get_monotonic_time ()))
        {
          g_autofree char *arrived = g_format_size (self->pace.bytes);

          /* Translators: why a download broke off; stands within a sentence */
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT, _ ("only %s arrived within %u s"), arrived,
                       self->pace.seconds);
          return FALSE;
        }
    }
  if (self->size >= self->what->size)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT,
                       /* Translators: why a download broke off; stands within a sentence */
                       _ ("the connection was closed too early"));
  return FALSE;
}

static gboolean
fetch_rest (Transfer *self, GError **error)
{
  guint64 offset = self->size;
  g_autoptr (GInputStream) stream = NULL;

  if (self->size >= self->what->size)
    return TRUE;
  stream = dyno_http_open (self->http, self->what->address, &offset, self->cancellable, error);
  if (stream == NULL)
    return FALSE;
  if (offset != self->size && offset != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The server was asked for “%s” from byte %" PRIu64 " on, but sent it from byte %" PRIu64
                      " on. Delete “%s” and fetch it again: then it comes from its beginning."),
                   self->what->name, self->size, offset, self->path);
      return FALSE;
    }

  /* A server without range requests sends the whole file, so the existing bytes are dropped. */
  if (offset != self->size)
    {
      self->count (-(gint64)self->size, self->user_data);
      start_checksum (self);
    }
  if (lseek (self->fd, (off_t)offset, SEEK_SET) < 0 || ftruncate (self->fd, (off_t)offset) != 0)
    {
      set_write_error (self, error);
      return FALSE;
    }
  return copy (self, stream, error);
}

/* Connects again after a broken connection, as long as each attempt brings some bytes. */
static gboolean
fetch_patiently (Transfer *self, GError **error)
{
  guint n_attempts = 0;

  for (;;)
    {
      g_autoptr (GError) local_error = NULL;
      guint64 before = self->size;
      gboolean is_broken_off;

      if (fetch_rest (self, &local_error))
        return TRUE;
      n_attempts = self->size > before ? 1 : n_attempts + 1;
      is_broken_off = local_error->domain == G_IO_ERROR &&
                      !g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      if (is_broken_off && n_attempts < MAX_ATTEMPTS)
        continue;
      if (is_broken_off || g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT))
        {
          g_autofree char *arrived = g_format_size (self->size);
          g_autofree char *all = g_format_size (self->what->size);

          /* An error of the network names neither the file nor a remedy. */
          g_set_error (error, local_error->domain, local_error->code,
                       _ ("The download of “%s” broke off after %s of %s: %s. Check the network and try "
                          "again: what arrived is kept, and the download goes on from there."),
                       self->what->name, arrived, all, local_error->message);
        }
      else
        g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
}

static gboolean
check (const Transfer *self, GError **error)
{
  if (self->size == self->what->size &&
      g_str_equal (g_checksum_get_string (self->checksum), self->what->hash))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” arrived damaged, or is not the file that was expected: its size or checksum differs. "
                  "It was removed; fetch it again."),
               self->what->name);
  g_unlink (self->path);
  return FALSE;
}

gboolean
dyno_download_fetch (DynoHttp *http,
                     const DynoDownload *what,
                     DynoDownloadBytesFunc count,
                     gpointer user_data,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autofree char *path = g_strconcat (what->path, ".incomplete", NULL);
  Transfer self = { http, what, path, count, user_data, cancellable, -1, 0, NULL, { 0 } };
  GStatBuf info;
  gboolean is_whole;

  if (g_stat (what->path, &info) == 0 && (guint64)info.st_size == what->size)
    {
      count ((gint64)what->size, user_data);
      return TRUE;
    }
  self.pace.seconds = dyno_http_get_pace_seconds (http);
  /* Locks the file, as another process could download it at the same time. */
  self.fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (self.fd < 0 || flock (self.fd, LOCK_EX | LOCK_NB) != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   self.fd >= 0
                       ? _ ("Another program is fetching “%s” now. Wait until it is done. (%s)")
                       : _ ("“%s” cannot be written: %s. Check its folder and the room on its disk."),
                   path, g_strerror (errno));
      if (self.fd >= 0)
        close (self.fd);
      return FALSE;
    }
  is_whole = take_up (&self, error) && fetch_patiently (&self, error) && check (&self, error);
  if (is_whole && g_rename (path, what->path) != 0)
    {
      set_write_error (&self, error);
      is_whole = FALSE;
    }
  close (self.fd);
  g_clear_pointer (&self.checksum, g_checksum_free);
  return is_whole;
}

gboolean
dyno_download_check_room (const char *folder, guint64 needed, const char *variable, GError **error)
{
  g_autoptr (GFile) place = g_file_new_for_path (folder);
  g_autoptr (GFileInfo) info =
      g_file_query_filesystem_info (place, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
  guint64 room = info != NULL ? g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE) : 0;
  g_autofree char *needed_text = g_format_size (needed);
  g_autofree char *room_text = g_format_size (room);

  if (info == NULL || !g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE) || needed <= room)
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_FAILED,
      _ ("The files take %s, but only %s are free at “%s”. Free some space, or name another folder in %s."),
      needed_text, room_text, folder, variable);
  return FALSE;
}

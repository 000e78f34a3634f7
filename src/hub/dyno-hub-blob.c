/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-hub-blob.h"

#define PIECE_SIZE   (256 * 1024)
#define MAX_ATTEMPTS 5

/* A file while it is fetched: what is there of it, and the hash of that. */
typedef struct
{
  DynoHubHttp *http;
  const DynoHubRepo *repo;
  const DynoHubFile *file;
  const char *path;
  DynoHubBytesFunc count;
  gpointer user_data;
  GCancellable *cancellable;
  int fd;
  guint64 size;
  GChecksum *checksum;
} Download;

static void
set_write_error (const Download *self, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("“%s” cannot be written: %s. Check its folder and the room on its disk."), self->path,
               g_strerror (errno));
}

/* Git hashes a header along with the file. */
static void
start_checksum (Download *self)
{
  gboolean is_git = strlen (self->file->hash) == 40;

  g_clear_pointer (&self->checksum, g_checksum_free);
  self->checksum = g_checksum_new (is_git ? G_CHECKSUM_SHA1 : G_CHECKSUM_SHA256);
  if (is_git)
    {
      g_autofree char *header = g_strdup_printf ("blob %" G_GUINT64_FORMAT, self->file->size);

      g_checksum_update (self->checksum, (const guchar *)header, (gssize)strlen (header) + 1);
    }
  self->size = 0;
}

static void
take (Download *self, const guchar *bytes, gsize n_bytes)
{
  g_checksum_update (self->checksum, bytes, (gssize)n_bytes);
  self->size += n_bytes;
  self->count (n_bytes, self->user_data);
}

/* What an earlier attempt left is not fetched again; it is checked with the rest. */
static gboolean
take_up (Download *self, GError **error)
{
  g_autofree guchar *piece = g_malloc (PIECE_SIZE);
  ssize_t n_read;

  start_checksum (self);
  while (self->size < self->file->size && (n_read = read (self->fd, piece, PIECE_SIZE)) > 0)
    {
      take (self, piece, (gsize)n_read);
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* A server that knows no parts sends the whole: what is there counts for nothing then. */
static gboolean
go_to (Download *self, guint64 offset, GError **error)
{
  if (offset != self->size)
    start_checksum (self);
  if (offset == self->size && lseek (self->fd, (off_t)offset, SEEK_SET) >= 0 &&
      ftruncate (self->fd, (off_t)offset) == 0)
    return TRUE;
  set_write_error (self, error);
  return FALSE;
}

static gboolean
write_piece (Download *self, const guchar *bytes, gsize n_bytes, GError **error)
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

static gboolean
copy (Download *self, GInputStream *stream, GError **error)
{
  g_autofree guchar *piece = g_malloc (PIECE_SIZE);
  gssize n_read = 1;

  while (n_read > 0 && self->size <= self->file->size)
    {
      n_read = g_input_stream_read (stream, piece, PIECE_SIZE, self->cancellable, error);
      if (n_read < 0 || (n_read > 0 && !write_piece (self, piece, (gsize)n_read, error)))
        return FALSE;
    }
  if (self->size >= self->file->size)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, _ ("The connection to the hub was cut."));
  return FALSE;
}

static gboolean
fetch_rest (Download *self, GError **error)
{
  g_autofree char *name = g_uri_escape_string (self->file->name, "/", TRUE);
  g_autofree char *path = g_strdup_printf ("%s/resolve/%s/%s", self->repo->id, self->repo->commit, name);
  guint64 offset = self->size;
  g_autoptr (GInputStream) stream = NULL;

  if (self->size >= self->file->size)
    return TRUE;
  stream = dyno_hub_http_open (self->http, path, &offset, self->cancellable, error);
  return stream != NULL && go_to (self, offset, error) && copy (self, stream, error);
}

/* A connection that breaks is made again, as long as each brings something. */
static gboolean
fetch_patiently (Download *self, GError **error)
{
  guint n_attempts = 0;

  for (;;)
    {
      g_autoptr (GError) local_error = NULL;
      guint64 before = self->size;

      if (fetch_rest (self, &local_error))
        return TRUE;
      n_attempts = self->size > before ? 1 : n_attempts + 1;
      if (local_error->domain == G_IO_ERROR &&
          !g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && n_attempts < MAX_ATTEMPTS)
        continue;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
}

static gboolean
check (const Download *self, GError **error)
{
  if (self->size == self->file->size &&
      g_str_equal (g_checksum_get_string (self->checksum), self->file->hash))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” of “%s” came damaged: its checksum is not the one that the hub states. It was "
                  "removed; fetch it "
                  "again."),
               self->file->name, self->repo->id);
  g_unlink (self->path);
  return FALSE;
}

static gboolean
download (Download *self, GError **error)
{
  return take_up (self, error) && fetch_patiently (self, error) && check (self, error);
}

/* Another process that fetches the same file at the same time would write into ours. */
static int
open_locked (const char *path, GError **error)
{
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               fd >= 0 ? _ ("Another program is fetching “%s” now. Wait until it is done. (%s)")
                       : _ ("“%s” cannot be written: %s. Check its folder and the room on its disk."),
               path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
is_there (const char *path, guint64 size)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 && (guint64)info.st_size == size;
}

/**
 * dyno_hub_blob_fetch:
 * @http: what asks the hub
 * @repo: a model
 * @file: one of its files
 * @folder: (type filename): where files lie by their hash
 * @count: called for every byte that is there, those of an earlier attempt included
 * @user_data: passed to @count
 * @cancellable: (nullable): ends it; the part that arrived is kept, and the next download continues from there
 * @error: return location
 *
 * Fetches a file, unless it is there already, and checks its hash.
 *
 * Returns: whether it is there, whole
 */
gboolean
dyno_hub_blob_fetch (DynoHubHttp *http,
                     const DynoHubRepo *repo,
                     const DynoHubFile *file,
                     const char *folder,
                     DynoHubBytesFunc count,
                     gpointer user_data,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autofree char *target = g_build_filename (folder, file->hash, NULL);
  g_autofree char *path = g_strconcat (target, ".incomplete", NULL);
  Download self = { http, repo, file, path, count, user_data, cancellable, -1, 0, NULL };
  gboolean is_whole;

  if (is_there (target, file->size))
    {
      count (file->size, user_data);
      return TRUE;
    }
  self.fd = open_locked (path, error);
  if (self.fd < 0)
    return FALSE;
  is_whole = download (&self, error);
  if (is_whole && g_rename (path, target) != 0)
    {
      set_write_error (&self, error);
      is_whole = FALSE;
    }
  close (self.fd);
  g_clear_pointer (&self.checksum, g_checksum_free);
  return is_whole;
}

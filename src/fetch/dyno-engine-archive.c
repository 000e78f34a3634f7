/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-fetch-private.h"
#include "dyno-error.h"

#define PIECE_SIZE (256 * 1024)

/* Programs and libraries compress to a third; a hundredth is a decompression bomb. */
#define MAX_RATIO 100

/* The state of unpacking a package; only the listed files are written, each under its own name. */
typedef struct
{
  const char *path;
  const char *folder;
  guint64 left; /* bytes that may still be written */
  guint64 read_limit;
  DynoProgressReporter *reporter;
  GCancellable *cancellable;
} Unpacking;

typedef gboolean (*WriteFunc) (
    Unpacking *self, int fd, struct archive *archive, const char *name, GError **error);

static void
set_damaged_error (const Unpacking *self, const char *why, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("“%s” cannot be unpacked: %s."), self->path,
               why);
}

/* --- writing --- */

static gboolean
write_all (Unpacking *self, int fd, const guint8 *bytes, gsize n_bytes, const char *name, GError **error)
{
  if (n_bytes > self->left)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” cannot be unpacked: “%s” in it is larger than the list of engines says."),
                   self->path, name);
      return FALSE;
    }
  self->left -= n_bytes;
  for (gsize n_written = 0; n_written < n_bytes;)
    {
      ssize_t n = write (fd, bytes + n_written, n_bytes - n_written);

      if (n < 0 && errno != EINTR)
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_FAILED,
              _ ("“%s” cannot be unpacked into “%s”: %s. Check the folder and the room on its disk."), name,
              self->folder, g_strerror (errno));
          return FALSE;
        }
      n_written += n > 0 ? (gsize)n : 0;
    }
  dyno_progress_reporter_count (n_bytes, self->reporter);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* Returns -1 on an error, 0 at the end. */
static gssize
read_piece (Unpacking *self, struct archive *archive, guint8 *piece, GError **error)
{
  gssize n_read = archive_read_data (archive, piece, PIECE_SIZE);

  if (n_read < 0)
    set_damaged_error (self, archive_error_string (archive), error);
  return n_read;
}

static gboolean
write_plain (Unpacking *self, int fd, struct archive *archive, const char *name, GError **error)
{
  g_autofree guint8 *piece = g_malloc (PIECE_SIZE);
  gssize n_read;

  while ((n_read = read_piece (self, archive, piece, error)) > 0)
    if (!write_all (self, fd, piece, (gsize)n_read, name, error))
      return FALSE;
  return n_read == 0;
}

#ifdef HAVE_BROTLI

typedef BrotliDecoderState Decoder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Decoder, BrotliDecoderDestroyInstance)

static BrotliDecoderResult
decode (Unpacking *self,
        Decoder *decoder,
        int fd,
        const guint8 *bytes,
        gsize n_bytes,
        const char *name,
        GError **error)
{
  g_autofree guint8 *piece = g_malloc (PIECE_SIZE);
  BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;

  while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT)
    {
      guint8 *next = piece;
      gsize room = PIECE_SIZE;

      result = BrotliDecoderDecompressStream (decoder, &n_bytes, &bytes, &room, &next, NULL);
      if (!write_all (self, fd, piece, PIECE_SIZE - room, name, error))
        return BROTLI_DECODER_RESULT_ERROR;
    }
  return result;
}

static gboolean
write_brotli (Unpacking *self, int fd, struct archive *archive, const char *name, GError **error)
{
  g_autoptr (Decoder) decoder = BrotliDecoderCreateInstance (NULL, NULL, NULL);
  g_autofree guint8 *piece = g_malloc (PIECE_SIZE);
  g_autoptr (GError) local_error = NULL;
  BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
  gssize n_read = 0;

  while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT &&
         (n_read = read_piece (self, archive, piece, &local_error)) > 0)
    result = decode (self, decoder, fd, piece, (gsize)n_read, name, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (result != BROTLI_DECODER_RESULT_SUCCESS)
    set_damaged_error (self, _ ("what is compressed in it is damaged"), error);
  else
    return TRUE;
  return FALSE;
}

#else

static gboolean
write_brotli (Unpacking *self, int fd, struct archive *archive, const char *name, GError **error)
{
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("This Dyno was built without libbrotlidec, which this package needs. Install "
                          "libbrotli-dev and build Dyno again."));
  return FALSE;
}

#endif

static gboolean
write_file (Unpacking *self,
            struct archive *archive,
            const char *name,
            gboolean is_executable,
            WriteFunc write_data,
            GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  gboolean is_written;
  int fd;

  g_mkdir_with_parents (parent, 0755);
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, is_executable ? 0755 : 0644);
  if (fd < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” cannot be unpacked into “%s”: %s. Check the folder and the room on its disk."),
                   name, self->folder, g_strerror (errno));
      return FALSE;
    }
  is_written = write_data (self, fd, archive, name, error);
  return g_close (fd, is_written ? error : NULL) && is_written;
}

/* --- reading --- */

/* An entry whose path leads outside proves that the package is not genuine, even if the entry is not
 * needed. */
static gboolean
check_entry (const Unpacking *self, struct archive *archive, struct archive_entry *entry, GError **error)
{
  const char *path = archive_entry_pathname_utf8 (entry);
  g_auto (GStrv) steps = path != NULL ? g_strsplit (path, "/", -1) : NULL;

  if (path == NULL || *path == '/' || g_strv_contains ((const char *const *)steps, ".."))
    set_damaged_error (self, _ ("a file in it would lie outside of its folder"), error);
  else if ((guint64)MAX (archive_filter_bytes (archive, 0), 0) > self->read_limit)
    set_damaged_error (self, _ ("it unpacks to far more than it should"), error);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_file (const Unpacking *self, struct archive_entry *entry, GError **error)
{
  if (archive_entry_filetype (entry) == AE_IFREG && archive_entry_hardlink (entry) == NULL)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” cannot be unpacked: “%s” in it is a link or a device, where a file should be."),
               self->path, archive_entry_pathname_utf8 (entry));
  return FALSE;
}

/* Called for each entry; opens nothing but @archive. */
typedef gboolean (*EntryFunc) (
    Unpacking *self, struct archive *archive, struct archive_entry *entry, gpointer data, GError **error);

static gboolean
read_entries (Unpacking *self, struct archive *archive, EntryFunc take, gpointer data, GError **error)
{
  struct archive_entry *entry;
  int status;

  while ((status = archive_read_next_header (archive, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN)
    if (!check_entry (self, archive, entry, error) || !take (self, archive, entry, data, error) ||
        g_cancellable_set_error_if_cancelled (self->cancellable, error))
      return FALSE;
  if (status == ARCHIVE_EOF)
    return TRUE;
  set_damaged_error (self, archive_error_string (archive), error);
  return FALSE;
}

static gboolean
read_archive (Unpacking *self, const char *path, EntryFunc take, gpointer data, GError **error)
{
  struct archive *archive = archive_read_new ();
  gboolean is_read = FALSE;

  archive_read_support_filter_gzip (archive);
  archive_read_support_format_tar (archive);
  archive_read_support_format_zip (archive);
  if (archive_read_open_filename (archive, path, PIECE_SIZE) == ARCHIVE_OK)
    is_read = read_entries (self, archive, take, data, error);
  else
    set_damaged_error (self, archive_error_string (archive), error);
  archive_read_free (archive);
  return is_read;
}

static gboolean
take_all (
    Unpacking *self, struct archive *archive, struct archive_entry *entry, gpointer data, GError **error)
{
  if (archive_entry_filetype (entry) == AE_IFDIR)
    return TRUE;
  return check_file (self, entry, error) &&
         write_file (self, archive, archive_entry_pathname_utf8 (entry),
                     (archive_entry_perm (entry) & S_IXUSR) != 0, write_plain, error);
}

static gboolean
take_part (Unpacking *self,
           struct archive *archive,
           struct archive_entry *entry,
           const DynoEnginePart *part,
           GError **error)
{
  g_autofree char *base = g_path_get_basename (archive_entry_pathname_utf8 (entry));
  const char *name = part->name != NULL ? part->name : base;
  g_autofree char *place =
      part->folder != NULL ? g_build_filename (part->folder, name, NULL) : g_strdup (name);

  if (!check_file (self, entry, error))
    return FALSE;
  dyno_progress_reporter_set_file (self->reporter, name);
  if (part->packing == DYNO_ENGINE_BROTLI_TAR)
    {
      /* The inner archive is unpacked beside its contents. */
      g_autofree char *path = g_build_filename (self->folder, place, NULL);
      gboolean is_taken = write_file (self, archive, place, FALSE, write_brotli, error) &&
                          read_archive (self, path, take_all, NULL, error);

      g_unlink (path);
      return is_taken;
    }
  return write_file (self, archive, place, part->is_executable,
                     part->packing == DYNO_ENGINE_BROTLI ? write_brotli : write_plain, error);
}

/* The wanted parts of the package, and those that were found. */
typedef struct
{
  GPtrArray *parts;
  gboolean *is_found;
} Wanted;

static gboolean
take_wanted (
    Unpacking *self, struct archive *archive, struct archive_entry *entry, gpointer data, GError **error)
{
  Wanted *wanted = data;
  const char *path = archive_entry_pathname_utf8 (entry);

  if (archive_entry_filetype (entry) == AE_IFDIR)
    return TRUE;
  for (guint i = 0; i < wanted->parts->len; i++)
    {
      const DynoEnginePart *part = wanted->parts->pdata[i];

      if (!g_pattern_match_simple (part->from, path))
        continue;
      wanted->is_found[i] = TRUE;
      return take_part (self, archive, entry, part, error);
    }
  return TRUE;
}

gboolean
dyno_engine_archive_unpack (const DynoEngine *engine,
                            const char *path,
                            const char *folder,
                            DynoProgressReporter *reporter,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autofree gboolean *is_found = g_new0 (gboolean, engine->parts->len);
  Wanted wanted = { engine->parts, is_found };
  Unpacking self = {
    .path = path,
    .folder = folder,
    .left = engine->unpacked,
    .read_limit = engine->size * MAX_RATIO,
    .reporter = reporter,
    .cancellable = cancellable,
  };

  dyno_progress_reporter_begin (reporter, engine->unpacked, TRUE);
  if (!read_archive (&self, path, take_wanted, &wanted, error))
    return FALSE;
  for (guint i = 0; i < engine->parts->len; i++)
    if (!is_found[i])
      {
        const DynoEnginePart *part = engine->parts->pdata[i];

        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                     _ ("“%s” cannot be used: it holds no file “%s”."), path, part->from);
        return FALSE;
      }
  return TRUE;
}

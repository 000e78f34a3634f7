/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-import-file.h"

/* Enough to recognise every dialect. */
#define BUFFER_SIZE (64 * 1024)

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

#define NO_CHARSET ((GIConv)-1)

struct _DynoImportFile
{
  char *name;
  char *folder;    /* nullable */
  GTimeZone *zone; /* nullable */
  GInputStream *stream;
  GCancellable *cancellable;
  DynoImportProgress progress;
  gpointer data;
  gint64 expected_size; /* 0 if unknown */
  gboolean is_packed;   /* whether it is read through gzip */
  gint64 time;

  GIConv charset; /* of UTF-16; NO_CHARSET for UTF-8 */
  char *raw;      /* nullable: UTF-16 that is not yet converted */
  gsize n_raw;
  char buffer[BUFFER_SIZE + 1];
  gsize length;
  gsize position;
  char *head;
  GString *text; /* of the last line that was read */
  guint line;
  GError *failure;

  gint64 size;
  GChecksum *checksum;
  GBytes *begin; /* nullable: the first bytes, until they are packed */
  GOutputStream *packed;
  GOutputStream *packer; /* nullable */
};

static DynoImportFile *
create (const char *name, GInputStream *stream)
{
  DynoImportFile *self = g_new0 (DynoImportFile, 1);

  self->name = g_strdup (name);
  self->stream = stream;
  self->text = g_string_new (NULL);
  self->line = 1;
  self->charset = NO_CHARSET;
  self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  self->packed = g_memory_output_stream_new_resizable ();
  return self;
}

void
dyno_import_file_free (DynoImportFile *self)
{
  g_free (self->name);
  g_free (self->folder);
  g_clear_pointer (&self->zone, g_time_zone_unref);
  if (self->charset != NO_CHARSET)
    g_iconv_close (self->charset);
  g_free (self->raw);
  g_clear_object (&self->stream);
  g_clear_object (&self->cancellable);
  g_free (self->head);
  g_string_free (self->text, TRUE);
  g_clear_error (&self->failure);
  g_checksum_free (self->checksum);
  g_clear_pointer (&self->begin, g_bytes_unref);
  g_clear_object (&self->packer);
  g_clear_object (&self->packed);
  g_free (self);
}

/* Most files are only recognised, or refused: the first bytes wait, and nothing is packed for those. */
static void
pack (DynoImportFile *self, const char *bytes, gsize size)
{
  if (self->packer == NULL && self->begin == NULL && size > 0)
    {
      self->begin = g_bytes_new (bytes, size);
      return;
    }
  if (self->packer == NULL)
    {
      g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
      g_autoptr (GBytes) begin = g_steal_pointer (&self->begin);

      self->packer = g_converter_output_stream_new (self->packed, G_CONVERTER (compressor));
      if (begin != NULL)
        g_output_stream_write_all (self->packer, g_bytes_get_data (begin, NULL), g_bytes_get_size (begin),
                                   NULL, NULL, &self->failure);
    }
  if (self->failure == NULL)
    g_output_stream_write_all (self->packer, bytes, size, NULL, NULL, &self->failure);
}

static gsize
read_bytes (DynoImportFile *self, char *bytes, gsize size)
{
  g_autoptr (GError) reason = NULL;
  gsize n_read = 0;

  g_input_stream_read_all (self->stream, bytes, size, &n_read, self->cancellable, &reason);
  /* A packed file was cut off, or is not gzip. */
  if (self->is_packed && reason != NULL && !g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error (&self->failure, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("It cannot be unpacked: %s. Pack it again, or import it unpacked."), reason->message);
  else if (reason != NULL)
    g_propagate_error (&self->failure, g_steal_pointer (&reason));
  if (n_read == 0)
    return 0;

  /* All bytes that are read are hashed and kept, whatever their use. */
  self->size += (gint64)n_read;
  g_checksum_update (self->checksum, (const guchar *)bytes, (gssize)n_read);
  if (self->failure == NULL)
    pack (self, bytes, n_read);
  if (self->failure == NULL && self->size > DYNO_IMPORT_MAX_FILE)
    g_set_error (&self->failure, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("It is larger than %d MB. Split it."), (int)(DYNO_IMPORT_MAX_FILE / 1000000));
  if (self->progress != NULL && self->expected_size > 0)
    self->progress (MIN (1, (double)self->size / (double)self->expected_size), self->data);
  return n_read;
}

/* An incomplete character waits for its other bytes, and one that does not fit for the next call. */
static void
convert (DynoImportFile *self)
{
  char *in = self->raw, *out = self->buffer;
  gsize n_left = BUFFER_SIZE;

  if (g_iconv (self->charset, &in, &self->n_raw, &out, &n_left) == (gsize)-1 && errno != EINVAL &&
      errno != E2BIG)
    dyno_import_file_set_error (&self->failure, self->line, _ ("It is not UTF-16 text."));
  memmove (self->raw, in, self->n_raw);
  self->length = BUFFER_SIZE - n_left;
}

static gboolean
refill (DynoImportFile *self)
{
  if (self->failure != NULL)
    return FALSE;
  self->position = 0;
  self->length = 0;
  if (self->raw == NULL)
    self->length = read_bytes (self, self->buffer, BUFFER_SIZE);
  if (self->head == NULL)
    {
      /* Some shells of Windows write the output of a program as UTF-16. */
      if (self->length >= 2 && memcmp (self->buffer, "\xff\xfe", 2) == 0)
        self->charset = g_iconv_open ("UTF-8", "UTF-16LE");
      else if (self->length >= 2 && memcmp (self->buffer, "\xfe\xff", 2) == 0)
        self->charset = g_iconv_open ("UTF-8", "UTF-16BE");
      if (self->charset != NO_CHARSET)
        {
          self->raw = g_memdup2 (self->buffer, BUFFER_SIZE);
          self->n_raw = self->length;
          self->length = 0;
        }
    }
  if (self->raw != NULL && self->failure == NULL)
    {
      gsize n_read = 1;

      convert (self);
      while (self->failure == NULL && self->length == 0 && n_read > 0)
        {
          n_read = read_bytes (self, self->raw + self->n_raw, BUFFER_SIZE - self->n_raw);
          self->n_raw += n_read;
          if (self->failure == NULL)
            convert (self);
        }
    }
  self->buffer[self->length] = '\0';
  return self->failure == NULL && self->length > 0;
}

static void
read_head (DynoImportFile *self)
{
  if (refill (self) && g_str_has_prefix (self->buffer, BYTE_ORDER_MARK))
    self->position = strlen (BYTE_ORDER_MARK);
  self->head = g_strdup (self->buffer + self->position);
}

DynoImportFile *
dyno_import_file_open (
    const char *path, GCancellable *cancellable, DynoImportProgress progress, gpointer data, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  g_autofree char *name = g_filename_display_basename (path);
  g_autoptr (DynoImportFile) self = NULL;
  struct stat info;

  if (fd < 0)
    {
      g_set_error (error, DYNO_ERROR, errno == ENOENT ? DYNO_ERROR_NOT_FOUND : DYNO_ERROR_FAILED,
                   _ ("It cannot be read: %s."), g_strerror (errno));
      return NULL;
    }
  self = create (name, g_unix_input_stream_new (fd, TRUE));
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("It is not a regular file."));
      return NULL;
    }
  self->folder = g_path_get_dirname (path);
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  self->progress = progress;
  self->data = data;
  self->expected_size = info.st_size;
  self->time = (gint64)info.st_mtime * G_USEC_PER_SEC;

  /* gzip is recognised by its first bytes: the text inside is read, hashed and kept, and the name is that of
   * the text. */
  static const guint8 magic[] = { 0x1f, 0x8b };
  guint8 begin[sizeof magic];
  g_autoptr (GConverter) converter = NULL;
  GInputStream *unpacked;

  if (pread (fd, begin, sizeof begin, 0) == sizeof begin && memcmp (begin, magic, sizeof magic) == 0)
    {
      converter = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
      unpacked = g_converter_input_stream_new (self->stream, converter);
      g_object_unref (self->stream);
      self->stream = unpacked;
      self->is_packed = TRUE;
      self->expected_size = 0;
      if (g_str_has_suffix (self->name, ".gz"))
        self->name[strlen (self->name) - strlen (".gz")] = '\0';
    }

  read_head (self);
  return dyno_import_file_has_failed (self, error) ? NULL : g_steal_pointer (&self);
}

DynoImportFile *
dyno_import_file_new_for_bytes (const char *name, GBytes *bytes)
{
  DynoImportFile *self = create (name, g_memory_input_stream_new_from_bytes (bytes));

  read_head (self);
  return self;
}

void
dyno_import_file_set_zone (DynoImportFile *self, GTimeZone *zone)
{
  if (zone != NULL)
    g_time_zone_ref (zone);
  g_clear_pointer (&self->zone, g_time_zone_unref);
  self->zone = zone;
}

GTimeZone *
dyno_import_file_get_zone (DynoImportFile *self)
{
  return self->zone;
}

const char *
dyno_import_file_get_name (DynoImportFile *self)
{
  return self->name;
}

const char *
dyno_import_file_get_folder (DynoImportFile *self)
{
  return self->folder;
}

char *
dyno_import_file_dup_stem (DynoImportFile *self)
{
  const char *dot = strrchr (self->name, '.');

  return dot != NULL && dot > self->name ? g_strndup (self->name, (gsize)(dot - self->name))
                                         : g_strdup (self->name);
}

gint64
dyno_import_file_get_time (DynoImportFile *self)
{
  return self->time;
}

const char *
dyno_import_file_get_head (DynoImportFile *self)
{
  return self->head;
}

guint
dyno_import_file_get_line (DynoImportFile *self)
{
  return self->line;
}

int
dyno_import_file_peek (DynoImportFile *self)
{
  if (self->failure != NULL || (self->position == self->length && !refill (self)))
    return -1;
  return (guchar)self->buffer[self->position];
}

int
dyno_import_file_next (DynoImportFile *self)
{
  int c = dyno_import_file_peek (self);

  if (c < 0)
    return c;
  self->position++;
  self->line += c == '\n';
  return c;
}

void
dyno_import_file_set_error (GError **error, guint line, const char *format, ...)
{
  g_autofree char *reason = NULL;
  va_list args;

  va_start (args, format);
  reason = g_strdup_vprintf (format, args);
  va_end (args);
  /* Translators: the number of a line, and the error there as a sentence */
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("Line %u: %s"), line, reason);
}

gboolean
dyno_import_file_check_text (const char *text, gsize length, guint line, GError **error)
{
  if (g_utf8_validate (text, (gssize)length, NULL))
    return TRUE;
  dyno_import_file_set_error (error, line, "%s",
                              memchr (text, '\0', length) != NULL ? _ ("It holds a zero byte.")
                                                                  : _ ("It is not UTF-8 text."));
  return FALSE;
}

const char *
dyno_import_file_read_line (DynoImportFile *self, guint *line, GError **error)
{
  gboolean is_whole = FALSE;

  *line = self->line;
  g_string_set_size (self->text, 0);
  if (dyno_import_file_peek (self) < 0)
    {
      dyno_import_file_has_failed (self, error);
      return NULL;
    }
  while (!is_whole && dyno_import_file_peek (self) >= 0 && self->text->len <= DYNO_IMPORT_MAX_PIECE)
    {
      const char *start = self->buffer + self->position;
      gsize rest = self->length - self->position;
      const char *end = memchr (start, '\n', rest);

      is_whole = end != NULL;
      g_string_append_len (self->text, start, is_whole ? end - start : (gssize)rest);
      self->position += is_whole ? (gsize)(end - start) + 1 : rest;
    }
  self->line += is_whole;
  if (dyno_import_file_has_failed (self, error))
    return NULL;
  if (self->text->len > DYNO_IMPORT_MAX_PIECE)
    {
      dyno_import_file_set_error (error, *line, _ ("It is longer than %d MB."),
                                  DYNO_IMPORT_MAX_PIECE / 1000000);
      return NULL;
    }

  /* Before the end there may be CR and a zero byte, if a program wrote a C string. */
  while (self->text->len > 0 &&
         (self->text->str[self->text->len - 1] == '\r' || self->text->str[self->text->len - 1] == '\0'))
    g_string_truncate (self->text, self->text->len - 1);
  return dyno_import_file_check_text (self->text->str, self->text->len, *line, error) ? self->text->str
                                                                                      : NULL;
}

gboolean
dyno_import_file_read_lines (DynoImportFile *self,
                             DynoImportLineFunc take_line,
                             gpointer data,
                             GError **error)
{
  g_autoptr (GError) local_error = NULL;
  const char *text;
  guint line;

  while ((text = dyno_import_file_read_line (self, &line, &local_error)) != NULL)
    if (!take_line (text, line, data, error))
      return FALSE;
  return dyno_error_pass (&local_error, error);
}

gboolean
dyno_import_file_has_failed (DynoImportFile *self, GError **error)
{
  if (self->failure == NULL)
    return FALSE;
  g_propagate_error (error, g_error_copy (self->failure));
  return TRUE;
}

gboolean
dyno_import_file_finish (DynoImportFile *self, char **hash, gint64 *size, GBytes **packed, GError **error)
{
  while (refill (self))
    ;
  if (self->failure == NULL)
    pack (self, "", 0);
  if (self->failure == NULL)
    g_output_stream_close (self->packer, NULL, &self->failure);
  if (dyno_import_file_has_failed (self, error))
    return FALSE;
  *hash = g_strdup (g_checksum_get_string (self->checksum));
  *size = self->size;
  *packed = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (self->packed));
  return TRUE;
}

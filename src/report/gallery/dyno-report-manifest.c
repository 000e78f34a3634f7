/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-report-manifest.h"

/* Each line has a hash and a name, in the format of sha256sum. */
#define FILE_NAME "dyno-gallery.sha256"

struct _DynoReportManifest
{
  char *folder;
  GHashTable *earlier; /* hashes by names */
  GPtrArray *names;    /* of this time */
  GString *lines;
};

DynoReportManifest *
dyno_report_manifest_new (const char *folder)
{
  DynoReportManifest *self = g_new0 (DynoReportManifest, 1);
  g_autofree char *path = g_build_filename (folder, FILE_NAME, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  self->folder = g_strdup (folder);
  self->earlier = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->lines = g_string_new (NULL);
  if (g_file_get_contents (path, &text, NULL, NULL))
    lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; line != NULL && *line != NULL; line++)
    {
      const char *gap = strstr (*line, "  ");
      const char *name = gap != NULL ? gap + 2 : "";

      /* A name that somebody else may have written must not lead to another folder. */
      if (*name != '\0' && *name != '.' && strpbrk (name, "/\\") == NULL)
        g_hash_table_replace (self->earlier, g_strdup (name), g_strndup (*line, (gsize)(gap - *line)));
    }
  return self;
}

void
dyno_report_manifest_free (DynoReportManifest *self)
{
  g_free (self->folder);
  g_hash_table_unref (self->earlier);
  g_ptr_array_unref (self->names);
  g_string_free (self->lines, TRUE);
  g_free (self);
}

/* Returns NULL if there is no such file, or it is a link. */
static char *
dup_hash (DynoReportManifest *self, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GMappedFile) file =
      g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_mapped_file_new (path, FALSE, error);
  g_autoptr (GBytes) bytes = file != NULL ? g_mapped_file_get_bytes (file) : NULL;

  return bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : NULL;
}

/* Until the end, the list in the folder has the files of the earlier and of this time: whenever it is
 * interrupted, no file is unlisted. */
gboolean
dyno_report_manifest_add (DynoReportManifest *self, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, FILE_NAME, NULL);
  g_autofree char *hash = dup_hash (self, name, error);
  g_autofree char *line = hash != NULL ? g_strdup_printf ("%s  %s\n", hash, name) : NULL;
  gboolean is_written;
  int fd;

  if (line == NULL)
    return FALSE;
  fd = g_open (path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  is_written = fd >= 0 && write (fd, line, strlen (line)) == (gssize)strlen (line);
  if (!is_written)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("“%s” cannot be written: %s. Choose another folder."), path, g_strerror (errno));
  if (fd >= 0)
    g_close (fd, NULL);
  if (!is_written)
    return FALSE;
  g_string_append (self->lines, line);
  g_ptr_array_add (self->names, g_strdup (name));
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
dyno_report_manifest_finish (DynoReportManifest *self, GError **error)
{
  g_autoptr (GPtrArray) removed = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = g_build_filename (self->folder, FILE_NAME, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static (self->lines->str, self->lines->len);
  g_autoptr (GError) local_error = NULL;
  GHashTableIter iter;
  gpointer name, earlier;

  g_hash_table_iter_init (&iter, self->earlier);
  while (g_hash_table_iter_next (&iter, &name, &earlier))
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);
      gboolean is_current = g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL);
      g_autofree char *hash = is_current ? NULL : dup_hash (self, name, NULL);

      /* A file that has changed since an earlier time is no longer the gallery's. */
      if (is_current || g_strcmp0 (hash, earlier) != 0)
        continue;
      if (g_remove (path) != 0)
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_FAILED,
              _ ("“%s” is no longer part of the gallery, but cannot be removed. Remove it before you "
                 "publish the folder."),
              path);
          return NULL;
        }
      g_ptr_array_add (removed, g_strdup (name));
    }
  if (!dyno_output_file_write (list, bytes, &local_error))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” cannot be written: %s. Choose another folder."), list, local_error->message);
      return NULL;
    }
  g_ptr_array_sort (removed, compare_names);
  g_ptr_array_add (removed, NULL);
  return (char **)g_ptr_array_steal (removed, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-fetch-private.h"
#include "fuzz-corpus.h"

/* Whatever a package holds, only the listed files are written, below their folder, and no more bytes than the list allows. */

#define MOST_BYTES 4096

static void
ignore_progress (const DynoProgress *progress, gpointer data)
{
}

static gint64
measure (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  gint64 total = 0;
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      GStatBuf info;

      g_assert_cmpint (g_lstat (child, &info), ==, 0);
      g_assert_true (S_ISREG (info.st_mode) || S_ISDIR (info.st_mode));
      total += S_ISDIR (info.st_mode) ? measure (child) : info.st_size;
    }
  return total;
}

/* Beside the package there is only the folder. */
static void
check_outside (void)
{
  g_autoptr (GDir) folder = g_dir_open (fuzz_file_get_folder (), 0, NULL);
  guint n = 0;

  while (g_dir_read_name (folder) != NULL)
    n++;
  g_assert_cmpuint (n, ==, 2);
}

static void
read_input (const guint8 *data, gsize size)
{
  static DynoEnginePart parts[] = {
    { (char *)"package/lib*.so", NULL, NULL, DYNO_ENGINE_PLAIN, TRUE },
    { (char *)"package/*.br", (char *)"lib", (char *)"small.so", DYNO_ENGINE_BROTLI, FALSE },
    { (char *)"package/*.tbr", NULL, NULL, DYNO_ENGINE_BROTLI_TAR, FALSE },
  };
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  DynoEngine engine = { .size = size, .unpacked = MOST_BYTES, .parts = list };
  g_autoptr (GError) error = NULL;
  DynoProgressReporter *reporter = dyno_progress_reporter_new (ignore_progress, NULL);
  g_autofree char *package = g_strdup (fuzz_file_write ("package", data, size));
  g_autofree char *folder = g_build_filename (fuzz_file_get_folder (), "engine", NULL);
  gboolean is_unpacked;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_ptr_array_add (list, &parts[i]);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  is_unpacked = dyno_engine_archive_unpack (&engine, package, folder, reporter, NULL, &error);
  g_assert_true (is_unpacked == (error == NULL));
  g_assert_cmpint (measure (folder), <=, MOST_BYTES);
  check_outside ();
  fuzz_file_remove (folder);
  dyno_progress_reporter_free (reporter);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

FUZZ_TARGET (read_input)

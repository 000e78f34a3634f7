/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-file.h"
#include "suite.h"

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("dyno-file-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  static const gsize sizes[] = { 0, 1, 65535, 65536, 65537, 200000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *text = g_strnfill (sizes[i], 'x');
      g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
      g_autoptr (GBytes) read = NULL;
      g_autoptr (GBytes) loaded = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (fixture->path, text, (gssize)sizes[i], NULL));
      read = dyno_file_read (fixture->path, sizes[i], &error);
      g_assert_no_error (error);
      g_assert_cmpmem (g_bytes_get_data (read, NULL), g_bytes_get_size (read), text, sizes[i]);
      loaded = dyno_file_load (file, 200000, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (read, loaded));
    }
}

static void
refuse (const char *path, gsize max_size, const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_file_read (path, max_size, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, reason));
}

/* It is sparse. */
static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  g_assert_cmpint (truncate (fixture->path, (off_t)3 << 30), ==, 0);
  refuse (fixture->path, 2000000, "2 MB");
}

/* Nothing is ever written to the other end. */
static void
test_pipe (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  refuse (fixture->path, 100, "not a regular file");
}

static void
test_other_kinds (Fixture *fixture, gconstpointer data)
{
  refuse ("/dev/zero", 100, "not a regular file");
  refuse (fixture->folder, 100, "not a regular file");
  refuse (fixture->path, 100, "No such file");
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/file/whole", test_whole },
  { "/file/too-large", test_too_large },
  { "/file/pipe", test_pipe },
  { "/file/other-kinds", test_other_kinds },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)

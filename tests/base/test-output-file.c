/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "dyno-file.h"
#include "suite.h"

typedef struct
{
  char *folder;
  char *path;
  char *other;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("dyno-output-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
  fixture->other = g_build_filename (fixture->folder, "other", NULL);
}

/* That nothing else lies there is part of every test. */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  g_unlink (fixture->other);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->other);
}

static gboolean
write_text (const char *path, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return dyno_output_file_write (path, bytes, error);
}

static void
assert_written (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (write_text (path, text, &error));
  g_assert_no_error (error);
}

static void
assert_refused (const char *path, const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (write_text (path, "new", &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
}

static void
assert_content (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static mode_t
get_type (const char *path)
{
  struct stat info;

  g_assert_cmpint (lstat (path, &info), ==, 0);
  return info.st_mode & S_IFMT;
}

static void
test_regular (Fixture *fixture, gconstpointer data)
{
  struct stat info;

  assert_written (fixture->path, "first");
  assert_content (fixture->path, "first");
  g_assert_cmpint (chmod (fixture->path, 0600), ==, 0);
  assert_written (fixture->path, "second");
  assert_content (fixture->path, "second");
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

/* Somebody who has the old file open still reads all of it. */
static void
test_replaces_whole (Fixture *fixture, gconstpointer data)
{
  char text[8] = "";
  int fd;

  assert_written (fixture->path, "first");
  fd = open (fixture->path, O_RDONLY | O_CLOEXEC);
  assert_written (fixture->path, "other");
  g_assert_cmpint (read (fd, text, sizeof text - 1), ==, 5);
  g_assert_cmpstr (text, ==, "first");
  close (fd);
}

static void
test_protected (Fixture *fixture, gconstpointer data)
{
  assert_written (fixture->path, "keep");
  g_assert_cmpint (chmod (fixture->path, 0444), ==, 0);
  assert_refused (fixture->path, "write-protected");
  assert_content (fixture->path, "keep");
  g_assert_cmpint (symlink ("file", fixture->other), ==, 0);
  assert_refused (fixture->other, "write-protected");
  assert_content (fixture->path, "keep");
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture->folder, g_strerror (EISDIR));
  g_rmdir (fixture->folder);
  assert_refused (fixture->path, g_strerror (ENOENT));
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
}

static void
test_link (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (symlink ("other", fixture->path), ==, 0);
  assert_written (fixture->path, "made through the link");
  assert_content (fixture->other, "made through the link");
  assert_written (fixture->path, "replaced");
  g_assert_cmpint (get_type (fixture->path), ==, S_IFLNK);
  g_assert_cmpint (get_type (fixture->other), ==, S_IFREG);
  assert_content (fixture->other, "replaced");
}

static void
test_circle (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (symlink ("other", fixture->path), ==, 0);
  g_assert_cmpint (symlink ("file", fixture->other), ==, 0);
  assert_refused (fixture->path, g_strerror (ELOOP));
}

static gpointer
read_thread (gpointer path)
{
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static void
test_pipe (Fixture *fixture, gconstpointer data)
{
  g_autofree char *received = NULL;
  GThread *reader;

  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  reader = g_thread_new ("reader", read_thread, fixture->path);
  assert_written (fixture->path, "through the pipe");
  received = g_thread_join (reader);
  g_assert_cmpstr (received, ==, "through the pipe");
  g_assert_cmpint (get_type (fixture->path), ==, S_IFIFO);
}

/* As documents and models are written: made first, then put into place. */
static void
test_put_into_pipe (Fixture *fixture, gconstpointer data)
{
  g_auto (DynoOutputFile) file = { NULL };
  g_autofree char *made = NULL;
  g_autofree char *received = NULL;
  g_autoptr (GError) error = NULL;
  GThread *reader;

  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  g_assert_true (dyno_output_file_find (&file, fixture->path, &error));
  made = dyno_output_file_make_temporary (&file, &error);
  g_assert_no_error (error);
  g_assert_false (g_str_has_prefix (made, fixture->folder));
  g_assert_true (g_file_set_contents (made, "a document", -1, NULL));
  reader = g_thread_new ("reader", read_thread, fixture->path);
  g_assert_true (dyno_output_file_put (&file, made, &error));
  received = g_thread_join (reader);
  g_assert_cmpstr (received, ==, "a document");
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_cmpint (get_type (fixture->path), ==, S_IFIFO);
}

static void
test_device (Fixture *fixture, gconstpointer data)
{
  int fd = -1;

  if (mknod (fixture->path, S_IFCHR | 0600, makedev (1, 3)) == 0)
    fd = open (fixture->path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    {
      g_test_skip ("A device can only be made by the superuser, on a file system that allows it.");
      return;
    }
  close (fd);
  assert_written (fixture->path, "nothing stays");
  g_assert_cmpint (get_type (fixture->path), ==, S_IFCHR);
}

/* It lies in a temporary folder, so nothing is mounted or written there. */
static void
test_disk (Fixture *fixture, gconstpointer data)
{
  if (mknod (fixture->path, S_IFBLK | 0600, makedev (7, 250)) != 0)
    {
      g_test_skip ("A device can only be made by the superuser.");
      return;
    }
  assert_refused (fixture->path, "it is a disk");
}

/* Others append to the standard output, so it is no file that may be replaced. */
static void
test_standard_error (Fixture *fixture, gconstpointer data)
{
  int own = dup (STDERR_FILENO);
  int fd = open (fixture->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

  g_assert_cmpint (write (fd, "before\n", 7), ==, 7);
  g_assert_cmpint (dup2 (fd, STDERR_FILENO), ==, STDERR_FILENO);
  assert_written (fixture->path, "written\n");
  g_assert_cmpint (write (fd, "after\n", 6), ==, 6);
  g_assert_cmpint (dup2 (own, STDERR_FILENO), ==, STDERR_FILENO);
  close (own);
  close (fd);
  assert_content (fixture->path, "before\nwritten\nafter\n");
}

static void
take_result_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static void
test_async (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("text", 4);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  dyno_output_file_save_async (file, bytes, NULL, take_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (dyno_output_file_save_finish (file, result, &error));
  g_assert_no_error (error);
  assert_content (fixture->path, "text");
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/output-file/regular", test_regular },
  { "/output-file/replaces-whole", test_replaces_whole },
  { "/output-file/protected", test_protected },
  { "/output-file/folder", test_folder },
  { "/output-file/link", test_link },
  { "/output-file/circle", test_circle },
  { "/output-file/pipe", test_pipe },
  { "/output-file/put-into-pipe", test_put_into_pipe },
  { "/output-file/device", test_device },
  { "/output-file/disk", test_disk },
  { "/output-file/standard-error", test_standard_error },
  { "/output-file/async", test_async },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)

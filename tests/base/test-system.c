/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-system.h"
#include "suite.h"

static void
test_versions (void)
{
  g_assert_cmpint (dyno_system_compare_versions ("onnxruntime-1.9.0", "onnxruntime-1.30.0"), <, 0);
  g_assert_cmpint (dyno_system_compare_versions ("hwmon10", "hwmon9"), >, 0);
  g_assert_cmpint (dyno_system_compare_versions ("libm.so.6", "libm.so.6"), ==, 0);
  g_assert_cmpint (dyno_system_compare_versions ("libm.so", "libm.so.6"), <, 0);
}

static void
test_changed (void)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("dyno-test-XXXXXX", &path, NULL);
  struct timespec times[2] = { { 1000, 5 }, { 1700000000, 123456000 } };
  struct stat info;

  g_assert_cmpint (futimens (fd, times), ==, 0);
  g_assert_cmpint (fstat (fd, &info), ==, 0);
  g_assert_cmpint (dyno_system_get_changed_ns (&info), ==, 1700000000123456000);
  close (fd);
  g_unlink (path);
}

static void
test_state (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autofree char *none = dyno_system_dup_state (NULL);
  g_autofree char *missing = dyno_system_dup_state (path);
  g_autofree char *before = NULL;
  g_autofree char *same = NULL;
  g_autofree char *after = NULL;

  g_assert_true (g_file_set_contents (path, "a", 1, NULL));
  before = dyno_system_dup_state (path);
  same = dyno_system_dup_state (path);
  g_assert_true (g_file_set_contents (path, "ab", 2, NULL));
  after = dyno_system_dup_state (path);
  g_assert_cmpstr (none, !=, missing);
  g_assert_cmpstr (missing, !=, before);
  g_assert_cmpstr (before, ==, same);
  g_assert_cmpstr (before, !=, after);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_socket_pair (void)
{
  int fds[2];
  char byte;

  g_assert_true (dyno_system_open_socket_pair (fds));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (fcntl (fds[i], F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
  g_assert_cmpint (write (fds[0], "x", 1), ==, 1);
  g_assert_cmpint (read (fds[1], &byte, 1), ==, 1);
  g_assert_cmpint (byte, ==, 'x');
  close (fds[0]);
  close (fds[1]);
}

static void
test_processors (void)
{
  g_autoptr (GArray) processors = dyno_system_list_processors ();

  g_assert_cmpuint (processors->len, ==, g_get_num_processors ());
  for (guint i = 1; i < processors->len; i++)
    g_assert_cmpint (g_array_index (processors, int, i), >, g_array_index (processors, int, i - 1));
}

static const SuiteTest tests[] = {
  { "/system/versions", test_versions },     { "/system/changed", test_changed },
  { "/system/state", test_state },           { "/system/socket-pair", test_socket_pair },
  { "/system/processors", test_processors },
};

SUITE_TESTS (tests)

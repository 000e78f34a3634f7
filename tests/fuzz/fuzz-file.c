/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz-corpus.h"

static char *folder;

static void
remove_folder (void)
{
  fuzz_file_remove (folder);
}

const char *
fuzz_file_get_folder (void)
{
  /* Memory is faster than a disk, and a target writes thousands of files in a second. */
  const char *place = g_access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();

  if (folder != NULL)
    return folder;
  folder = g_build_filename (place, "dyno-fuzz-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (folder));
  atexit (remove_folder);
  return folder;
}

const char *
fuzz_file_write (const char *name, const guint8 *data, gsize size)
{
  static char *path;
  int fd;

  g_free (path);
  path = g_build_filename (fuzz_file_get_folder (), name, NULL);
  fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, size), ==, (gssize)size);
  close (fd);
  return path;
}

void
fuzz_file_remove (const char *path)
{
  g_autoptr (GDir) children = NULL;
  const char *name;

  /* A link is removed, and never followed. */
  if (g_unlink (path) == 0)
    return;
  children = g_dir_open (path, 0, NULL);
  while (children != NULL && (name = g_dir_read_name (children)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      fuzz_file_remove (child);
    }
  g_rmdir (path);
}

#ifdef DYNO_LIBFUZZER
static void
abort_cb (int number)
{
  abort ();
}

/* GLib ends a process after a warning by a signal of which libFuzzer does not know, and which would leave no input. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  signal (SIGTRAP, abort_cb);
  return 0;
}
#endif

/* libFuzzer counts an exit() as a fault. */
void
fuzz_skip (const char *why)
{
  fprintf (stderr, "Not run: %s\n", why);
  if (folder != NULL)
    remove_folder ();
  _exit (77);
}
